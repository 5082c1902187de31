"""Sentences and titles of study 4: they say what the tables say, and the opposite of opposite ones."""

import numpy as np
import pandas as pd
import pytest

from helpers.studies.depth import exercises, findings, tables

SHARE, FLOOR = tables.SHARES


def compared(*rows, question=SHARE, ranker="LambdaRank"):
    """Comparisons: (data, at, difference, half of the interval)."""
    table = pd.DataFrame(rows, columns=["data", "at", "difference", "half"])
    ends = {"low": table["difference"] - table["half"], "high": table["difference"] + table["half"]}
    return table.assign(question=question, ranker=ranker, **ends)


def lost(losses, cost=0, **columns):
    """Losses by depth, of one budget."""
    table = pd.DataFrame({"documents": list(losses), "loss": list(losses.values())})
    return table.assign(ranker="LambdaRank", budget=1024, cost=cost, low=0.0, high=0.1, **columns)


def drawn_map(gains, ranker="LambdaRank"):
    """The map at slopes 1, 2, 4: the gain at each, half an interval .002."""
    frames = [
        compared(("", 10, gain, 0.002), ranker=ranker).assign(slopes=slopes, heterogeneity=2 * slopes)
        for slopes, gain in zip((1.0, 2.0, 4.0), gains, strict=True)
    ]
    return pd.concat(frames, ignore_index=True)


COLLECTIONS = pd.DataFrame({"data": ["mq2008", "ohsumed-portrait"], "heterogeneity": [3.0, 9.0]})


@pytest.mark.parametrize(
    ("gains", "said"),
    [
        ((0.0, 0.01, 0.03), "The more queries differ from one another, the more it pays to keep many of them"),
        ((0.03, 0.01, 0.0), "Where queries differ more, keeping many of them pays less with LambdaRank"),
        ((0.01, 0.01, 0.011), "How much queries differ from one another does not clearly decide"),
    ],
)
def test_the_map_says_on_what_the_claim_depends(gains, said):
    points = tables.by_heterogeneity(compared(("mq2008", 10, 0.02, 0.01)), COLLECTIONS, drawn_map(gains))
    assert findings.depends(points) == said


def test_of_a_real_collection_the_smallest_share_above_the_floor_is_on_the_map():
    rows = pd.concat([compared(("mq2008", 10, 0.1, 0.01), question=FLOOR), compared(("mq2008", 50, 0.02, 0.01))])
    rows = pd.concat([rows, compared(("mq2008", 75, 0.3, 0.01), ("ohsumed-portrait", 50, 0.4, 0.01))])
    points = tables.by_heterogeneity(rows, COLLECTIONS, drawn_map((0.0, 0.0, 0.0)))
    [real] = points[points["slopes"].isna()].itertuples()
    assert (real.data, real.at, real.heterogeneity, real.difference) == ("mq2008", 50, 3.0, 0.02)


def test_collections_are_placed_on_the_map():
    said = findings.on_map(COLLECTIONS, drawn_map((0.0, 0.0, 0.0)))
    assert said.endswith("like: mq2008 (3.00, 1.5).")  # between 2 and 4, at slopes times 1 and 2
    assert [findings._place(value, pd.Series([2.0, 4.0], [1.0, 2.0])) for value in (1, 5)] == ["below 1", "above 2"]
    assert findings.on_map(COLLECTIONS.iloc[1:], drawn_map((0.0, 0.0, 0.0))) == "No real collection was measured."


@pytest.mark.parametrize(("question", "sign"), [(tables.ALL, -1), (tables.EITHER, 1)])
def test_depths_are_turned_so_that_above_nothing_shallow_judging_gains(question, sign):
    turned = tables.by_depth(compared(("mq2008", 16, 0.02, 0.01), question=question)).iloc[0]
    assert turned["difference"] == pytest.approx(sign * 0.02)
    assert sorted((turned["low"], turned["high"])) == [turned["low"], turned["high"]]


def test_a_run_of_ones_own_says_how_wide_its_intervals_are():
    rows = compared(("own", 10, 0.0, 0.02))
    assert "wider than the margin of .005" in findings.width(rows, 0.005)
    assert "within the margin of .050" in findings.width(rows, 0.05)
    assert findings.width(rows.iloc[:0], 0.05).startswith("Nothing was compared")


def test_a_loss_at_worst_is_that_of_depths_that_all_afford():
    table = pd.concat([lost({8: 0.01, 16: 0.0}), lost({16: 0.02, 32: 0.0}).assign(budget=4096)])
    assert findings.worst(table).values.tolist() == [[0, 16, 0.02]]


def test_a_budget_says_whether_depth_matters():
    assert findings.least_lost(lost({8: 0.004, 16: 0.0}), 0.005) == (
        "Depth hardly matters: from 8 to 16 documents lose .004 at most"
    )
    assert (
        findings.least_lost(lost({8: 0.04, 16: 0.0}), 0.005) == "16 documents a query lose .000 at most, 8 up to .040"
    )
    assert findings.least_lost(lost({8: 0.0}), 0.005) == "No two depths can be compared at every budget"


def test_advice_is_one_depth_for_each_cost():
    said = findings.advice(pd.concat([lost({8: 0.0, 16: 0.01}), lost({8: 0.03, 16: 0.0}, cost=64)]), 0.005)
    assert "Where queries are free, take 8 documents (loses .000 at most); 16 lose .010." in said
    assert "Where a query costs 64 judgments, take 16 documents (loses .000 at most); 8 lose .030." in said
    small = findings.advice(lost({8: 0.0, 16: 0.001}), 0.005)
    assert "That is within the margin." in small
    assert "the only depth that all budgets afford" in findings.advice(lost({8: 0.0}), 0.005)


def test_a_band_without_width_is_explained():
    best = pd.DataFrame({"shallowest": [2.0, 4.0], "deepest": [2.0, 8.0]})
    assert findings.no_width(best).startswith("In 1 of 2 cases the band has no width: the budget buys only one depth")
    assert findings.no_width(best.iloc[1:]).startswith("No band has zero width")


def chosen(**differences):
    """Differences to random choices, on a and b: choice -> (of a, of b)."""
    table = pd.DataFrame([(d, c, x) for c, pair in differences.items() for d, x in zip("ab", pair, strict=True)])
    table.columns = ["data", "choice", "difference"]
    ends = {"low": table["difference"] - 0.01, "high": table["difference"] + 0.01}
    return table.assign(ranker="LambdaRank", documents=8, **ends)


def test_the_choice_of_documents_gains_or_loses():
    """Means of two collections, .01 apart: Student's 12.71 times half of that."""
    said = findings.chosen(chosen(top=(-0.04, -0.03), mixed=(0.002, 0.002)))
    assert "judging the top of a first stage gains -.035 (-.099 to .029); " in said
    assert "half at random gains +.002 (.002 to .002), in the mean over 2 collections" in said
    assert said.endswith("The largest difference is -.040 (-.050 to -.030): top, 8 documents a query, LambdaRank on a.")
    assert findings.chosen(chosen(top=(0, 0)).iloc[:0]).startswith("Nothing was compared")


def test_rankers_and_depths_of_a_collection_are_one_observation():
    twice = pd.concat([chosen(top=(-0.04, -0.03), mixed=(0.0, 0.0))] * 2, ignore_index=True)
    assert "gains -.035 (-.099 to .029)" in findings.chosen(twice)


def test_titles_of_choices_and_of_claims():
    assert findings.whether_chosen(chosen(top=(-0.03, -0.01), mixed=(0.02, 0.02))) == (
        "Over random documents, mean of 2 collections: the top gains -.020 (-.147 to .107), half of it "
        "+.020 (.020 to .020)"
    )
    judged = pd.DataFrame({"claim": ["R1-5", "R1-10", "R2"], "measured": [0.0146, 0.0098, 0.1]})
    assert findings.in_short(judged, "R1-", " %") == (
        "+.015 at 5 % and +.010 at 10 %, LambdaRank pooled over real collections"
    )


def test_rates_are_those_of_rankers_that_have_one():
    runs = pd.DataFrame({"ranker": "LambdaRank", "judgments": [10, 20, 30, 40], "rate": [0.02, 0.02, 0.005, 0.005]})
    said = "Mean learning rates: LambdaRank 0.02 on the smaller half of the samples and 0.005 on the larger"
    assert findings.rates(runs) == f"{said}."
    lower = findings.rates(runs.assign(rate=[0.02, 0.005, 0.005, 0.005]))
    assert "the lowest one tried in 75 % of them, so that a still lower one might do better" in lower
    assert findings.rates(runs.assign(rate=np.nan)) == "No ranker here has a learning rate."


@pytest.mark.parametrize(
    ("check", "answer", "others"),
    [
        (exercises.check_1, [8, 5], ()),
        (exercises.check_2, [132, 24], ()),
        (exercises.check_5, 16, (0.01, 0.005, 4)),
        (exercises.check_6, [102, 42], ()),
        (exercises.check_7, 96, ()),
    ],
)
def test_answers_are_told_right_from_wrong(capsys, check, answer, others):
    check(answer, *others)
    check(np.asarray(answer) + 5, *others)
    check(..., *others)
    first, second, third = capsys.readouterr().out.splitlines()
    assert first == "Right."
    assert second.startswith("Not yet: ")
    assert third == "No answer yet."


def test_answers_from_tables_are_told_right_from_wrong(capsys):
    rows = tables.by_share(compared(("mq2008", 10, 0.02, 0.01), ("ohsumed", 10, 0.03, 0.01)))
    depths = tables.by_depth(compared(("a", 8, 0.02, 0.01), ("a", 4, -0.03, 0.01), question=tables.EITHER))
    exercises.check_3("ohsumed", rows)
    exercises.check_3("mq2008", rows)
    exercises.check_4(4, depths)
    exercises.check_4(8, depths)
    said = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0].rstrip(".") for line in said] == ["Right", "Not yet", "Right", "Not yet"]
