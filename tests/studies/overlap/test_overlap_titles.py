"""Sentences of study 1: of tables by hand, of those that say the opposite, of one data set, of what is missing."""

import numpy as np
import pandas as pd

from helpers.studies.overlap import titles

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


def test_a_failed_comparison_is_left_out():
    failed = {"clean07": {"comparisons": comparisons(("if-good-3 or one label", "if-good-3", (np.nan,) * 3))}}
    assert titles.compared(failed, "if-good-3 or one label").empty


# the plane


def test_the_title_of_a_plane_names_what_gains_most_with_each_ranker():
    some = plane({"if-good-3": (1.4, UP), "mv3": (3, OPEN), "if-good-x3": (1, DOWN)})
    none = plane({"if-good-3": (1.4, OPEN)}, "RankSVM")
    assert titles.titles(pd.concat([some, none])) == {
        "LambdaRank": "LambdaRank: most is gained by if-good-3, +1.00 (.50 to 2.00) points for 1.4 labels",
        "RankSVM": "RankSVM: most is gained by if-good-3, +.10 (-1.00 to 2.00) points for 1.4 labels",
    }


def test_the_cheapest_that_gains_is_named():
    both = plane({"3-overlap": (3, (0.03, 0.01, 0.05)), "if-good-3": (1.4, UP), "if-good-2": (1.2, OPEN)})
    assert titles.cheapest(both, "LambdaRank") == "if-good-3"
    assert titles.cheapest(plane({"if-good-3": (1.4, DOWN)}), "LambdaRank") == "none"


def test_of_two_schemes_of_one_price_the_better_is_the_cheapest():
    same = plane({"if-good-3": (1.4, UP), "if-good-mean-3": (1.4, (0.02, 0.01, 0.03))})
    assert titles.cheapest(same, "LambdaRank") == "if-good-mean-3"


def test_a_ranker_whose_baseline_failed_gains_nothing():
    alone = plane({"if-good-3": (1.4, (np.nan,) * 3)})
    assert titles.titles(alone) == {}
    assert titles.cheapest(alone, "LambdaRank") == "none"


def test_costs_of_fitted_judges_stand_apart_from_those_of_people():
    assert titles.costs(stored(UP)) == (
        "In labels a pair, if-good-3 buys 1.40 on clean07 where judges were fitted to the paper, and 1.40 on "
        "cystic-fibrosis where they are real people."
    )
    assert "none where they are real people" in titles.costs({"clean07": stored(UP)["clean07"]})


def test_a_live_run_says_whose_judges_and_how_much_is_chance():
    said = titles.live(plane({"if-good-3": (1.4, UP)}), "judges err by X", 2)
    assert said.startswith("In this run judges err by X, and labels were drawn 2 times.\n")
    assert "- LambdaRank: most is gained by if-good-3, " in said
    assert said.endswith("An interval is 1.5 points wide.")


def test_what_is_bought_of_a_few_documents_is_counted():
    labels = np.array([[2, 0, 0], [1, 4, 4]])
    assert titles.bought(labels) == ("Of these 2 documents if-good-3 buys 4 labels, three judges of each would give 6")


# beyond the paper


def test_averaging_is_told_as_it_comes_out():
    assert titles.same_labels_title(stored(UP)) == (
        "The same labels, averaged rather than copied, gain +1.0 to +1.0 points"
    )
    assert "if-good-mean-3 gains -1.0 to -1.0 points over if-good-3" in titles.same_labels(stored(DOWN))


def test_averaging_that_was_not_tried_has_no_size():
    assert "gain-3 gains unknown over 3-overlap" in titles.same_labels({})


def test_label_errors_are_those_of_the_schemes_that_there_are():
    assert titles.label_errors(plane({"if-good-3": (2.0, UP)}), "clean07") == (
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


def test_the_map_says_what_several_labels_gain_over_its_kinds_of_judges():
    assert titles.map_title(noises("baseline", True)) == (
        "At equal cost several labels gain -1.0 to -1.0 points over one, by 2 kinds of judges"
    )
    assert titles.judges_map(noises("if-good-3", True)).endswith("more queries: if-good-3 gains +1.0 to +1.0 points.")


def doubled(query, document, judge, told=OPEN):
    gains = {"another query": query, "another document": document, "another judge": judge}
    rows = [(way, "4 documents, 1 label", (gain, gain - 0.01, gain + 0.01)) for way, gain in gains.items()]
    return comparisons(*rows, ("another judge or another query", "4 documents, 1 label", told))


def test_the_ways_to_double_a_budget_have_their_mean_gains():
    one, other = doubled(0.03, 0.01, 0.02), doubled(0.01, 0.02, 0.03)
    assert titles.ways_title({"a": one, "b": other}) == (
        "Twice the budget gains on average +2.0 points by another query, +1.5 points by another document and "
        "+2.5 points by another judge"
    )
    assert titles.ways_title({"a": one.iloc[:0]}) == "No budget could be doubled in all three ways"


def test_ways_are_told_for_each_ranker():
    said = titles.ways(doubled(0.03, 0.01, 0.02, DOWN), "here").split("\n")
    assert said[2] == ("- With LambdaRank another query +3.0, another document +1.0 and another judge +2.0.")
    assert titles.ways(doubled(1, 1, 1).iloc[:0], "here").startswith("On here nothing could be doubled")
    assert titles.ways(None, "here").startswith("Of here nothing is stored yet: ")


def test_planes_that_know_of_no_label_errors_are_left_out():
    old = {"plane": plane({}).drop(columns="squared_error")}
    found = titles.with_errors({"clean07": {"plane": plane({})}, "clean08": old}, ["clean07", "clean08", "no"])
    assert list(found) == ["clean07 (portrait)"]


def test_routes_are_told_against_a_person_alone():
    table = pd.DataFrame(
        [("LambdaRank", "person", 1.0, *(np.nan,) * 3), ("LambdaRank", "machine", 0.0, *DOWN)],
        columns=["ranker", "setting", "person_labels", "difference", "low", "high"],
    )
    assert titles.machine(table).split("\n")[2:] == [
        "- With LambdaRank:",
        "  - *machine*: -1.00 (-2.00 to -.50), with 0 % of the person's labels",
    ]


def test_crowds_that_are_not_stored_are_not_spoken_of():
    crowd = {
        "majority": pd.DataFrame({"m": [1, 3], "agreement": [0.4, 0.6]}),
        "best": pd.DataFrame({"honest": [0.5]}),
    }
    assert titles.crowds({"web-search-crowd": crowd}) == (
        "Of real crowds, in web-search-crowd the majority of 3 agrees with the truth on 60 % of the pairs, the best "
        "judge on 50 %."
    )
    assert titles.crowds({}) == "No real crowd is stored."
