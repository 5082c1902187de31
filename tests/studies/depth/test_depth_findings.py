"""Sentences of study 4: they say what the tables say, and the opposite of opposite ones."""

import numpy as np
import pandas as pd
import pytest

from helpers.metrics import significance
from helpers.studies import ledger
from helpers.studies.depth import findings, tables

SHARE, FLOOR = tables.SHARES


def compared(*rows, question=SHARE, ranker="LambdaRank"):
    """Comparisons: (data, at, difference, half of the interval)."""
    table = pd.DataFrame(rows, columns=["data", "at", "difference", "half"])
    ends = {"low": table["difference"] - table["half"], "high": table["difference"] + table["half"]}
    return table.assign(question=question, ranker=ranker, **ends)


@pytest.mark.parametrize(
    ("verdict", "start"),
    [("holds", "**Judge many"), ("opposite", "**Judge few"), ("cannot tell", "**Many queries or deep ones: nobody")],
)
def test_the_answer_is_the_verdict_in_a_verb(verdict, start):
    judged = ledger.stored("04")
    judged.loc[judged["claim"] == "R1-10", "verdict"] = verdict
    assert findings.answer(judged).startswith(start)


def test_points_below_the_floor_are_counted_and_those_that_lose_are_named():
    low = compared(("a", 5, -0.03, 0.01), ("b", 5, 0.0, 0.01), question=FLOOR)
    shares = tables.by_share(pd.concat([low, compared(("a", 50, 0.02, 0.01))]))
    said = findings.below_floor(shares)
    assert "2 points of 3" in said
    assert said.endswith("Clearly below 0 is a with LambdaRank at 5 %, -.030.")


@pytest.mark.parametrize(("question", "sign"), [(tables.ALL, -1), (tables.EITHER, 1)])
def test_depths_are_turned_so_that_above_nothing_shallow_judging_gains(question, sign):
    turned = tables.by_depth(compared(("mq2008", 16, 0.02, 0.01), question=question)).iloc[0]
    assert turned["difference"] == pytest.approx(sign * 0.02)
    assert turned["low"] < turned["difference"] < turned["high"]


def test_what_live_worlds_say_stands_beside_what_is_stored():
    mean = significance.PairedTest(0.05, 0.03, 0.07, 0.01, 20)
    stored = tables.by_share(compared(("mq2008", 10, 0.02, 0.015), ("ohsumed", 10, 0.0, 0.01)))
    assert "whose interval overlaps with what is stored of the real mq2008" in findings.beside_stored(
        mean, stored, "mq2008"
    )
    assert "apart from what is stored of the real ohsumed" in findings.beside_stored(mean, stored, "ohsumed")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (("own", 50, 0.003, 0.024), "+.003 ± .024; it cannot tell."),
        (("own", 50, 0.03, 0.02), "+.030 ± .020; it holds."),
        (("own", 50, -0.03, 0.02), "-.030 ± .020; the opposite holds."),
    ],
)
def test_a_run_of_ones_own_says_one_sentence(row, said):
    assert findings.own_run(compared(row), 0.005) == f"Your run, LambdaRank at 50 %: {said}"


def test_a_run_that_compares_nothing_says_so():
    nothing = compared(("own", 50, 0.0, 0.0)).iloc[:0]
    assert findings.own_run(nothing, 0.005).startswith("Nothing was compared")
    assert findings.own_title(nothing, nothing) == "Your run compares nothing"


def lost(losses, cost=0, budget=1024):
    table = pd.DataFrame({"documents": list(losses), "loss": list(losses.values())}, dtype=float)
    return table.assign(data="a", ranker="LambdaRank", budget=budget, cost=cost)


def test_the_best_depth_is_that_of_the_largest_budget_with_its_neighbours():
    table = pd.concat([lost({8: 0.0, 16: 0.01}), lost({16: 0.02, 32: 0.0, 64: 0.003}, budget=4096)])
    assert findings.best_depths(table).iloc[0].tolist() == ["a", "4,096", "32 documents", "16: .020, 64: .003"]
    assert findings.best_depths(lost({8: 0.0})).iloc[0, -1] == "not compared"


def test_a_sketch_has_the_order_that_the_paper_states():
    one, two = (
        tables.sketch(name).set_index(["sampled", at])["ndcg"]
        for name, at in (("percent", "percent"), ("pool", "judgments"))
    )
    assert (one["documents"] - one["queries"])[:-1].gt(0).all()  # worse at every share
    assert one["documents"][50] == one["documents"].max()  # the optimum at half
    ahead = two["documents"] - two["queries"]
    assert ahead.index[ahead < 0].max() == 4 * 1024  # below 8 documents rather fewer queries
    assert two["documents"][16 * 1024] == pytest.approx(two["documents"].max(), rel=0.05)  # 16 as good as 128
    assert two["documents"].diff()[8 * 1024] > two["documents"].diff().loc[32 * 1024 :].max()  # a sharp fall below


def drawn_map(gains):
    """The map at slopes 1, 2, 4: the gain at each, half an interval .002."""
    frames = [
        compared(("", 10, gain, 0.002)).assign(slopes=slopes, heterogeneity=2 * slopes)
        for slopes, gain in zip((1.0, 2.0, 4.0), gains, strict=True)
    ]
    return pd.concat(frames, ignore_index=True)


COLLECTIONS = pd.DataFrame({"data": list("abcdef"), "heterogeneity": np.arange(6.0)})


@pytest.mark.parametrize(
    ("drawn", "real", "said"),
    [
        ((0.0, 0.01, 0.03), 0.01, "on a portrait with LambdaRank, on real data with LambdaRank"),
        ((0.01, 0.01, 0.011), -0.01, "on a portrait not clearly, on real data not clearly"),
    ],
)
def test_the_map_says_on_what_the_claim_depends_on_portraits_and_on_real_data_apart(drawn, real, said):
    rows = compared(*((name, 10, real * n, 0.01) for n, name in enumerate("abcdef")))
    assert findings.depends(tables.by_heterogeneity(rows, COLLECTIONS, drawn_map(drawn))).endswith(said)


def test_of_a_real_collection_the_smallest_share_above_the_floor_is_on_the_map():
    rows = pd.concat([compared(("a", 10, 0.1, 0.01), question=FLOOR), compared(("a", 50, 0.02, 0.01))])
    rows = pd.concat([rows, compared(("a", 75, 0.3, 0.01), ("b-portrait", 50, 0.4, 0.01))])
    points = tables.by_heterogeneity(rows, COLLECTIONS, drawn_map((0.0, 0.0, 0.0)))
    [real] = points[points["slopes"].isna()].itertuples()
    assert (real.data, real.at, real.heterogeneity, real.difference) == ("a", 50, 0.0, 0.02)
