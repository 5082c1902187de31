"""Sentences of study 1: of tables by hand, of those that say the opposite, of one data set, of what is missing."""

import numpy as np
import pandas as pd
import pytest

from helpers.studies.overlap import claims, findings, findings_beyond

UP, DOWN, OPEN = (0.01, 0.005, 0.02), (-0.01, -0.02, -0.005), (0.001, -0.01, 0.02)
"""difference, low, high of a clear gain, a clear loss and neither."""


def plane(by_setting, ranker="LambdaRank"):
    """setting -> (labels, (difference, low, high)), beside a baseline of .4."""
    rows = [("baseline", 1.0, 0.5, 0.4, np.nan, np.nan, np.nan)]
    rows += [(name, labels, 0.5 / labels, 0.4 + told[0], *told) for name, (labels, told) in by_setting.items()]
    columns = ["setting", "labels", "squared_error", "ndcg@3", "difference", "low", "high"]
    return pd.DataFrame(rows, columns=columns).assign(ranker=ranker)


def comparisons(*rows):
    """(question, at, (difference, low, high)) with one ranker."""
    named = [(question, at, *told, "LambdaRank") for question, at, told in rows]
    return pd.DataFrame(named, columns=["question", "at", "difference", "low", "high", "ranker"])


def stored(told):
    """Two data sets, one of them real, where all that is compared comes out as `told`."""
    rows = [("if-good-3 or one label", "if-good-3"), ("the mean or all labels", "if-good-mean-3")]
    rows += [("the mean or all labels", "mean-3"), ("another k or if-good-3", "if-good-2")]
    made = {
        "comparisons": comparisons(*((question, at, told) for question, at in rows)),
        "plane": plane({"if-good-2": (1.2, OPEN), "if-good-3": (1.4, told)}),
    }
    ways = {"comparisons": comparisons(("another judge or another query", "4 documents, 1 label", told))}
    return {"clean07": made, "cystic-fibrosis": made, "three-ways": ways}


# differences


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ([UP, DOWN, OPEN], "clearly ahead in 1 of 3 cases and clearly behind in 1"),
        ([OPEN, OPEN], "clearly ahead in none of 2 cases and clearly behind in none"),
        ([UP, UP], "clearly ahead in all 2 cases"),
        ([DOWN, DOWN], "clearly behind in all 2 cases"),
        ([UP], "clearly ahead in the only case"),
        ([OPEN], "neither clearly ahead nor clearly behind in the only case"),
        ([], "not compared in any case"),
    ],
)
def test_cases_are_counted_on_both_sides(told, expected):
    assert findings.standing(pd.DataFrame(told, columns=["difference", "low", "high"])) == expected


@pytest.mark.parametrize(("told", "word"), [(UP, "clearly ahead"), (DOWN, "clearly behind"), (OPEN, "neither clearly")])
def test_what_is_told_a_colleague_turns_with_the_tables(told, word):
    said = findings.repeat(stored(told))
    assert said.count(word) == 3 if told != OPEN else "clearly ahead in none of 2 cases" in said


def test_where_nothing_was_compared_the_sentence_says_so():
    assert findings.repeat({}).count("not compared in any") == 3
    assert findings.one_label({}) == "Against one label if-good-3 is not compared in any case."


def test_each_case_has_a_line_that_says_what_it_rests_on():
    said = findings.one_label(stored(UP)).split("\n")
    assert said[0] == "Against one label if-good-3 is clearly ahead in all 2 cases. In points of NDCG@3:"
    assert said[2:] == [
        "- clean07 (synthetic) with LambdaRank: +1.00 (.50 to 2.00)",
        "- cystic-fibrosis (real) with LambdaRank: +1.00 (.50 to 2.00)",
    ]
    assert "-1.00 (-2.00 to -.50)" in findings.one_label(stored(DOWN))


def test_a_failed_comparison_is_no_case():
    failed = {"clean07": {"comparisons": comparisons(("if-good-3 or one label", "if-good-3", (np.nan,) * 3))}}
    assert findings.compared(failed, "if-good-3 or one label").empty


# the plane


def test_the_title_of_a_plane_counts_gains_and_losses():
    some = plane({"if-good-3": (1.4, UP), "mv3": (3, OPEN), "if-good-x3": (1, DOWN)})
    assert findings.beats(some, "LambdaRank") == (
        "LambdaRank: 1 of 3 schemes clearly gains over one label, 1 clearly loses"
    )
    none = plane({"if-good-3": (1.4, OPEN)}, "RankSVM")
    assert findings.beats(none, "RankSVM") == "RankSVM: none of 1 scheme clearly gain over one label"
    assert list(findings.titles(pd.concat([some, none]))) == ["LambdaRank", "RankSVM"]


def test_the_cheapest_that_gains_is_named_and_what_gains_most_where_it_is_another():
    both = plane({"3-overlap": (3, (0.03, 0.01, 0.05)), "if-good-3": (1.4, UP), "if-good-2": (1.2, OPEN)})
    assert findings.cheapest(both, "LambdaRank") == "if-good-3"
    assert findings.worth_it(both, "clean07").split("\n")[2:] == [
        "- With LambdaRank the cheapest scheme that clearly gains is if-good-3 (1.40 labels a pair, +1.00 (.50 to 2.00)"
        " points). Most is gained by 3-overlap (3.00 labels a pair, +3.00 (1.00 to 5.00) points)."
    ]
    only = findings.worth_it(plane({"if-good-3": (1.4, UP)}), "clean07")
    assert only.endswith("It also gains most.")
    assert findings.cheapest(plane({"if-good-3": (1.4, DOWN)}), "LambdaRank") == "none"
    assert "no scheme clearly gains" in findings.worth_it(plane({"if-good-3": (1.4, DOWN)}), "clean07")


def test_of_two_schemes_of_one_price_the_better_is_the_cheapest():
    same = plane({"if-good-3": (1.4, UP), "if-good-mean-3": (1.4, (0.02, 0.01, 0.03))})
    assert findings.cheapest(same, "LambdaRank") == "if-good-mean-3"


def test_a_ranker_whose_baseline_failed_gains_nothing():
    alone = plane({"if-good-3": (1.4, (np.nan,) * 3)})
    assert findings.beats(alone, "LambdaRank") == "LambdaRank: none of 0 schemes clearly gain over one label"
    assert findings.cheapest(alone, "LambdaRank") == "none"


def test_the_best_k_is_counted_over_planes():
    assert findings.best_k(stored(UP)) == (
        "The best of if-good-k, of 2 cases, is if-good-3 in 2. Another k is clearly better than if-good-3 in 2 of 2 "
        "comparisons."
    )
    assert "is if-good-2 in 2. Another k is clearly better than if-good-3 in none of 2" in findings.best_k(stored(DOWN))
    assert findings.best_k({}).startswith("The best of if-good-k, of 0 cases, is none.")


def test_costs_of_fitted_judges_stand_apart_from_those_of_people():
    assert findings.costs(stored(UP)) == (
        "In labels a pair, if-good-3 buys 1.40 on clean07 where judges were fitted to the paper, and 1.40 on "
        "cystic-fibrosis where they are real people."
    )
    assert "none where they are real people" in findings.costs({"clean07": stored(UP)["clean07"]})


def test_a_live_run_says_whose_judges_and_how_much_is_chance():
    said = findings.live(plane({"if-good-3": (1.4, UP)}), "judges err by X", 2)
    assert said.startswith("In this run judges err by X, and labels were drawn 2 times.\n")
    assert "- LambdaRank: 1 of 1 scheme clearly gains over one label." in said
    assert said.endswith("An interval is 1.5 points wide.")


def test_what_is_bought_of_a_few_documents_is_counted():
    labels = np.array([[2, 0, 0], [1, 4, 4]])
    assert findings.bought(labels) == (
        "Of these 2 documents if-good-3 buys 4 labels, three judges of each would give 6"
    )


def test_every_headline_is_a_claim():
    assert {*findings.HEADLINES} <= {claim.claim for claim in claims.CLAIMS}


# beyond the paper


@pytest.mark.parametrize(("told", "word"), [(UP, "clearly ahead in all 4 cases"), (DOWN, "clearly behind in all 4")])
def test_averaging_is_told_as_it_comes_out(told, word):
    assert word in findings_beyond.same_labels_title(stored(told))
    lines = findings_beyond.same_labels(stored(told)).split("\n")
    by = "1.0 to 1.0" if told == UP else "-1.0 to -1.0"
    assert [line.endswith(f", by {by} points.") for line in lines] == [True, True]


def test_averaging_that_was_not_tried_has_no_size():
    assert findings_beyond.same_labels({}).split("\n")[0] == (
        "- if-good-mean-3 is not compared in any case against if-good-3."
    )


def test_label_errors_are_those_of_the_schemes_that_there_are():
    assert findings_beyond.label_errors(plane({"if-good-3": (2.0, UP)}), "clean07") == (
        "On clean07 the mean of a document's labels lies from the truth, in grades squared, by .50 with one label and "
        ".25 with the labels of if-good-3."
    )


def noises(winner, clear):
    """Two kinds of judges; the other scheme is behind where the baseline wins."""
    told = {"baseline": DOWN, "if-good-3": UP}[winner]
    rows = [
        (kind, setting, *((np.nan,) * 3 if setting == "baseline" else told), setting == winner)
        for kind in (0.5, 1.0)
        for setting in ("baseline", "if-good-3")
    ]
    table = pd.DataFrame(rows, columns=["noise_irrelevant", "setting", "difference", "low", "high", "wins"])
    return table.assign(clear=table["wins"] & clear)


def test_the_map_counts_wins_and_says_one_label_for_the_baseline():
    assert findings_beyond.map_title(noises("baseline", True)) == (
        "At equal cost, of 2 kinds of judges: one label wins for 2 (2 clearly)"
    )
    assert findings_beyond.map_title(noises("if-good-3", False)).endswith("if-good-3 wins for 2 (none clearly)")
    assert findings_beyond.judges_map(noises("baseline", True)).endswith(
        "over 2 kinds of judges: if-good-3 is clearly behind in all 2 cases."
    )
    assert "clearly ahead in all 2 cases" in findings_beyond.judges_map(noises("if-good-3", True))


def doubled(query, document, judge, told=OPEN):
    gains = {"another query": query, "another document": document, "another judge": judge}
    rows = [(way, "4 documents, 1 label", (gain, gain - 0.01, gain + 0.01)) for way, gain in gains.items()]
    return comparisons(*rows, ("another judge or another query", "4 documents, 1 label", told))


def test_the_way_that_gains_most_is_counted_over_starts():
    one, other = doubled(0.03, 0.01, 0.02), doubled(0.01, 0.02, 0.03)
    assert findings_beyond.ways_title({"a": one}) == (
        "Of 1 start, the doubling that gains most is another query from 1"
    )
    assert findings_beyond.ways_title({"a": one, "b": other}).startswith("Of 2 starts, the doubling that gains most")
    assert findings_beyond.ways_title({"a": one.iloc[:0]}) == "No budget could be doubled in all three ways"


def test_ways_are_told_for_each_ranker():
    said = findings_beyond.ways(doubled(0.03, 0.01, 0.02, DOWN), "here").split("\n")
    assert said[2] == (
        "- With LambdaRank another query +3.0, another document +1.0 and another judge +2.0. Another judge is clearly "
        "behind in the only start against another query."
    )
    assert findings_beyond.ways(doubled(1, 1, 1).iloc[:0], "here").startswith("On here nothing could be doubled")
    assert findings_beyond.ways(None, "here").startswith("Of here nothing is stored yet: ")


def test_planes_that_know_of_no_label_errors_are_left_out():
    old = {"plane": plane({}).drop(columns="squared_error")}
    found = findings_beyond.with_errors({"clean07": {"plane": plane({})}, "clean08": old}, ["clean07", "clean08", "no"])
    assert list(found) == ["clean07 (synthetic)"]


def test_routes_are_told_against_a_person_alone():
    table = pd.DataFrame(
        [("LambdaRank", "person", 1.0, *(np.nan,) * 3), ("LambdaRank", "machine", 0.0, *DOWN)],
        columns=["ranker", "setting", "person_labels", "difference", "low", "high"],
    )
    assert findings_beyond.machine(table).split("\n")[2:] == [
        "- With LambdaRank:",
        "  - *machine*: -1.00 (-2.00 to -.50), with 0 % of the person's labels",
    ]


def test_crowds_that_are_not_stored_are_not_spoken_of():
    crowd = {
        "majority": pd.DataFrame({"m": [1, 3], "agreement": [0.4, 0.6]}),
        "best": pd.DataFrame({"honest": [0.5]}),
    }
    assert findings_beyond.crowds({"web-search-crowd": crowd}) == (
        "Of real crowds, in web-search-crowd the majority of 3 agrees with the truth on 60 % of the pairs, the best "
        "judge on 50 %."
    )
    assert findings_beyond.crowds({}) == "No real crowd is stored."
