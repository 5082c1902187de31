"""What study 4 says and draws of tables made by hand; nbval compares what it does of the stored ones."""

import numpy as np
import pandas as pd
import pytest
from drawn import by_colour
from matplotlib.colors import to_hex

from helpers.datasets import sampling
from helpers.engine import results
from helpers.metrics import significance
from helpers.reporting import figures
from helpers.reporting.figures.look import colour
from helpers.studies import ledger
from helpers.studies.depth import exercises, findings, tables
from helpers.studies.depth import protocol as study

pytestmark = pytest.mark.usefixtures("closed_figures")
SHARE, FLOOR = tables.SHARES


def compared(*rows, question=SHARE, ranker="LambdaRank"):
    """Comparisons: (data, at, difference, half of the interval)."""
    table = pd.DataFrame(rows, columns=["data", "at", "difference", "half"])
    ends = {"low": table["difference"] - table["half"], "high": table["difference"] + table["half"]}
    return table.assign(question=question, ranker=ranker, measured=table["difference"], **ends)


def lost(losses, cost=0, budget=1024, data="a"):
    table = pd.DataFrame({"documents": list(losses), "loss": list(losses.values())}, dtype=float)
    return table.assign(data=data, ranker="LambdaRank", budget=budget, cost=cost)


POOLED = compared(("", 5, 0.01, 0.02), ("", 10, 0.02, 0.01), ("", 50, 0.004, 0.1))
LOW = compared(("a", 5, -0.03, 0.01), ("b", 5, 0.0, 0.01), question=FLOOR)
AT_HALF = tables.by_share(compared(("a", 50, 0.0, 0.01), ("b", 50, 0.02, 0.015)))
LIVE = significance.PairedTest(0.05, 0.03, 0.07, 0.01, 20)
NOTHING = AT_HALF.iloc[:0]
LINES = pd.DataFrame([(p, side, p * k) for p in (5, 50, 100) for side, k in (("documents", 0.003), ("queries", 0.001))],
                     columns=["percent", "sampled", "ndcg"])  # fmt: skip
CHOSEN = pd.DataFrame({"choice": ["top", "top", "mixed"], "data": ["a", "b", "a"], "difference": [0.01, 0.03, 0.05]})
LARGE = pd.concat([lost({4: 0.03, 16: 0.0, 64: 0.02}, 64), lost({4: 0.0, 16: 0.01}, 64, 2048, "b"), lost({4: 0.9})])
NAMED = {"R1  many": ["holds"] * 2, "R2  half": ["holds", "cannot tell"], "R4  deep": ["opposite"] * 2}
CASES = [
    (findings.gains_title, [POOLED],
     "Many shallow queries gain +.020 at 10 % and +.004 at 50 % of the judgments (LambdaRank, pooled)"),
    (findings.gains_title, [POOLED.drop(1)],
     "Many shallow queries gain +.010 at 5 % and +.004 at 50 % of the judgments (LambdaRank, pooled)"),
    (findings.below_floor, [tables.by_share(pd.concat([LOW, compared(("a", 50, 0.02, 0.01))]))],
     "Hollow, and not pooled: 2 points of 3 that leave fewer than eight documents a query. Clearly below 0 is a with "
     "LambdaRank at 5 %, -.030."),
    (findings.beside_stored, [LIVE, AT_HALF, "b"],
     "On synthetic data: +.050 (.030 to .070), whose interval overlaps with what is stored of the real b, with "
     "LambdaRank at 50 %: +.020 (.005 to .035)."),
    (findings.beside_stored, [LIVE, AT_HALF, "a"],
     "On synthetic data: +.050 (.030 to .070), apart from what is stored of the real a, with LambdaRank at 50 %: .000 "
     "(-.010 to .010)."),
    (findings.beside_stored, [LIVE, NOTHING, "a"],
     "On synthetic data: +.050 (.030 to .070); of the real a nothing is stored at this share."),
    (findings.curves_title, ["a", LINES], "a: documents less queries are +.010 at 5 % and +.100 at 50 %"),
    (findings.curves_title, ["a", LINES.rename(columns={"percent": "judgments"})],
     "a: documents less queries are +.010 at 5 judgments and +.100 at 50 judgments"),
    (findings.depths_title, [compared(("a", 2, -0.02, 0), ("b", 2, -0.05, 0), ("b", 4, 0, 0), question=tables.ALL)],
     "2 documents a query lose .020 to .050 against all, LambdaRank"),
    (findings.chosen, [CHOSEN.assign(ranker="RankSVM")],  # .01 and .03: Student's half is 12.7 times .01
     "Over random documents, RankSVM: the top gains +.020 (-.107 to .147); half of it +.050"),
    (findings.losses_title, [tables.largest_losses(LARGE)],
     "If a query costs 64 judgments, 16 documents lose .010 at most, 4 documents lose .030"),
    (findings.steady, [pd.DataFrame(NAMED).T, "a"], "a: whatever the margin, the word is the same of R1 and R4"),
    (findings.own_title, [compared(("own", 50, 0.03, 0.01)), AT_HALF],
     "Your +.030 at 50 % lies outside what 2 collections span, .000 to +.020"),
    (findings.own_title, [compared(("own", 50, 0.02, 0.01)), AT_HALF],
     "Your +.020 at 50 % lies within what 2 collections span, .000 to +.020"),
    (findings.own_title, [NOTHING, AT_HALF], "Your run compares nothing"),
    (findings.own_run, [NOTHING, 0.005], "Nothing was compared: too few of your test queries have a value."),
    *[(findings.own_run, [compared(("own", 50, value, half)), 0.005], f"Your run, LambdaRank at 50 %: {said}")
      for value, half, said in ((0.003, 0.024, "+.003 ± .024; it cannot tell."),
                                (0.03, 0.02, "+.030 ± .020; it holds."),
                                (-0.03, 0.02, "-.030 ± .020; the opposite holds."))],
]  # fmt: skip


@pytest.mark.parametrize(("finding", "given", "said"), CASES)
def test_what_is_said_of_a_table(finding, given, said):
    assert finding(*given) == said


@pytest.mark.parametrize(
    ("verdict", "start"),
    [("holds", "**Judge many"), ("opposite", "**Judge few"), ("cannot tell", "**Many queries or deep ones: nobody")],
)
def test_the_answer_is_the_verdict_in_a_verb(verdict, start):
    judged = ledger.stored("04")
    judged.loc[judged["claim"] == "R1-10", "verdict"] = verdict
    assert findings.answer(judged).startswith(start)


@pytest.mark.parametrize(("question", "sign"), [(tables.ALL, -1), (tables.EITHER, 1)])
def test_depths_are_turned_so_that_above_nothing_shallow_judging_gains(question, sign):
    turned = tables.by_depth(compared(("mq2008", 16, 0.02, 0.01), question=question)).iloc[0]
    assert turned[["difference", "low", "high"]].tolist() == pytest.approx([sign * 0.02, sign * 0.02 - 0.01,
                                                                            sign * 0.02 + 0.01])  # fmt: skip


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


# the map


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
    points = tables.by_heterogeneity(rows, COLLECTIONS, drawn_map(drawn))
    assert findings.depends(points).endswith(said)
    [ax] = figures.depth.heterogeneity_map(points, "A title", 0.005).axes
    assert sorted(text.get_text() for text in ax.texts) == list("abcdef")


def test_of_a_real_collection_the_smallest_share_above_the_floor_is_on_the_map():
    rows = pd.concat([compared(("a", 10, 0.1, 0.01), question=FLOOR), compared(("a", 50, 0.02, 0.01))])
    rows = pd.concat([rows, compared(("a", 75, 0.3, 0.01), ("b-portrait", 50, 0.4, 0.01))])
    points = tables.by_heterogeneity(rows, COLLECTIONS, drawn_map((0.0, 0.0, 0.0)))
    [real] = points[points["slopes"].isna()].itertuples()
    assert (real.data, real.at, real.heterogeneity, real.difference) == ("a", 50, 0.0, 0.02)


# figures


def test_hollow_points_a_thick_line_and_the_star_of_a_run_of_ones_own_stand_where_they_are_said():
    shares = tables.by_share(pd.concat([LOW, compared(("a", 50, 0.02, 0.01), ("b", 50, 0.01, 0.01))]))
    [ax] = figures.depth.gains(shares, POOLED, "A title", compared(("own", 50, 0.03, 0.01))).axes
    assert by_colour(ax)[to_hex(colour("text"))][:3].tolist() == POOLED[["at", "measured"]].to_numpy().tolist()
    star = next(line for line in ax.lines if line.get_marker() == "*")
    assert star.get_ydata()[0] == 0.03
    hollow = [found.get_facecolors() for found in ax.collections if hasattr(found, "get_facecolors")]
    assert sum((tints[:, :3] == 1).all(axis=1).sum() for tints in hollow) == len(LOW)


@pytest.mark.parametrize("share", [1 / 4, 1 / 2])
def test_the_toy_counts_pairs_of_the_squares_that_are_coloured(share):
    toy = exercises.small_collection()
    keep = (sampling.queries, sampling.documents)
    samples = {each.__name__: each(toy, share, np.random.default_rng(1)) for each in keep}
    figure = figures.depth.judged_documents(toy, samples, "")
    for ax, sample in zip(figure.axes, samples.values(), strict=True):
        cells = np.asarray(ax.collections[0].get_array()).reshape(8, 12)
        grades = [row[row > 0] for row in cells]
        by_hand = sum((a != b) for row in grades for i, a in enumerate(row) for b in row[:i])
        assert exercises.pairs(sample) == by_hand
        assert f"{int((cells > 0).sum())} judgments" in ax.get_title()


def test_the_papers_figures_stand_beside_ours():
    stored = results.stored("04")
    drawn = tables.papers({name: stored[name] for name in ("robust04", *study.COLLECTIONS)}, "robust04")
    figure = figures.depth.curves(drawn, "")
    assert [ax.get_title() for ax in figure.axes] == list(drawn)
    assert [len(ax.get_yticks()) == 0 for ax in figure.axes] == [True, False, False] * 2
