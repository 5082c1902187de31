"""What a title of study 4 says is read back from what is drawn below it, of the stored frames."""

import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
from drawn import by_colour, segments, written
from matplotlib.colors import to_hex

from helpers.datasets import sampling
from helpers.engine import results
from helpers.reporting import figures, verdicts
from helpers.reporting.answers import number
from helpers.reporting.figures.look import colour
from helpers.studies import ledger
from helpers.studies.depth import exercises, findings, tables
from helpers.studies.depth import protocol as study

pytestmark = pytest.mark.usefixtures("closed_figures")
EVERYTHING = results.stored("04")
STORED = {name: EVERYTHING[name] for name in study.COLLECTIONS}
REAL = {name: found for name, found in STORED.items() if verdicts.basis_of(name) == "real"}


@pytest.fixture(scope="module")
def comparisons():
    return tables.together(STORED, "comparisons")


def gain(value):
    return number(value) if round(value, 3) <= 0 else f"+{number(value)}"


def test_the_gains_are_those_of_the_thick_line(comparisons):
    shares = tables.by_share(comparisons).query("data in @REAL and ranker in @study.LAMBDAS")
    pooled = tables.pooled_shares(ledger.effects("04"), study.LAMBDAS)
    figure = figures.depth.gains(shares, pooled, findings.gains_title(pooled))
    thick = dict(by_colour(figure.axes[0])[to_hex(colour("text"))])
    assert written(figure)[:4] == [gain(thick[10]), "10", gain(thick[50]), "50"]
    hollow = [found for ax in figure.axes for found in ax.collections if hasattr(found, "get_facecolors")]
    white = sum((found.get_facecolors()[:, :3] == 1).all(axis=1).sum() for found in hollow)
    assert findings.below_floor(shares).startswith(f"Hollow, and not pooled: {white} points of {len(shares)} ")


def test_a_run_of_ones_own_lies_where_its_star_is(comparisons):
    others = tables.by_share(comparisons).query("data in @REAL and ranker == @study.PAPER")
    own = tables.by_share(comparisons).query("data == @study.DEFAULT and ranker == @study.PAPER and at == 50")
    pooled = tables.pooled_shares(ledger.effects("04"), [study.PAPER])
    [ax] = figures.depth.gains(others, pooled, findings.own_title(own, others), own).axes
    star = next(line for line in ax.lines if line.get_marker() == "*").get_ydata()[0]
    at_half = [
        y for tint, points in by_colour(ax).items() if tint != to_hex(colour("text")) for x, y in points if x == 50
    ]
    place = "within" if min(at_half) <= star <= max(at_half) else "outside"
    assert ax.figure.get_suptitle().startswith(f"Your {gain(star)} at 50 % lies {place} what {len(at_half)} ")
    assert written(ax.figure)[-2:] == [gain(min(at_half)), gain(max(at_half))]


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


@pytest.mark.parametrize("table", ["percent", "pool"])
@pytest.mark.parametrize("collection", ["robust04", "mq2008"])
def test_curves_lie_above_each_other_as_said(collection, table):
    drawn = tables.by_ranker(STORED[collection][table], table)
    name, first = next(iter(drawn.items()))
    ax = figures.depth.curves(drawn, findings.curves_title(f"{collection}, {name}", first)).axes[0]
    both = {name: dict(by_colour(ax)[to_hex(colour(name))]) for name in ("queries", "documents")}
    shared = sorted(both["queries"].keys() & both["documents"].keys())[:-1]
    at = [f"{x:,.0f}" for x in (shared[0], shared[-1])]
    gained = [gain(both["documents"][x] - both["queries"][x]) for x in (shared[0], shared[-1])]
    assert written(ax.figure)[-4:] == [gained[0], at[0], gained[1], at[1]]


def test_the_papers_figures_stand_beside_ours():
    drawn = tables.papers(STORED, "robust04")
    figure = figures.depth.curves(drawn, "")
    assert [ax.get_title() for ax in figure.axes] == list(drawn)
    assert [len(ax.get_yticks()) == 0 for ax in figure.axes] == [True, False, False] * 2


def test_the_fewest_documents_lose_as_much_as_the_first_points(comparisons):
    depths = tables.by_depth(comparisons).query("ranker == @study.PAPER")
    figure = differences(depths, "against", findings.depths_title(depths))
    lost = [-by_colour(ax)[to_hex(colour("documents"))][0][1] for ax in figure.axes]
    assert written(figure) == ["2", number(min(lost)), number(max(lost))]


def differences(table, hue, title):
    return figures.depth.differences(table, "data", hue, "documents a query", title, study.MARGIN)


def test_choices_of_documents_gain_the_mean_of_the_collections_lines():
    chosen = tables.together(REAL, "chosen").query("ranker == @study.PAPER").assign(at=lambda rows: rows["documents"])
    figure = differences(chosen, "choice", findings.chosen(chosen))
    numbers = written(figure)
    for start, name in ((0, "chosen"), (3, "weights")):
        means = [np.mean([y for _, y in by_colour(ax)[to_hex(colour(name))]]) for ax in figure.axes]
        assert numbers[start] == gain(np.mean(means))


def test_losses_are_those_of_the_dearest_query():
    lost = tables.largest_losses(tables.together(STORED, "losses").query("ranker == @study.PAPER"))
    figure = differences(lost, "cost of a query", findings.losses_title(lost))
    tint, by_depth = to_hex(figures.depth.TINTS["64 judgments"]), {}
    dear = [found[tint] for ax in figure.axes if tint in (found := by_colour(ax))]
    for points in dear:
        for x, y in points:
            by_depth.setdefault(2 ** int(np.log2(x)), []).append(y)
    worst = {depth: max(ys) for depth, ys in by_depth.items() if len(ys) == len(dear)}
    best, last = min(worst, key=worst.get), max(worst, key=worst.get)
    assert written(figure) == ["64", f"{best}", number(worst[best]), f"{last}", number(worst[last])]


def test_the_map_names_each_real_collection_and_says_where_the_ends_of_the_portraits_line_lie_apart(comparisons):
    parts = EVERYTHING["heterogeneity"]
    points = tables.by_heterogeneity(comparisons, parts["collections"], parts["map"]).query("ranker in @study.LAMBDAS")
    figure = figures.depth.heterogeneity_map(points, findings.depends(points), study.MARGIN)
    apart = []
    for ax in figure.axes:
        assert sorted(text.get_text() for text in ax.texts) == sorted(REAL)
        bars = segments(ax)
        rows = points[(points["ranker"] == ax.get_title()) & (points["at"] == 10) & points["slopes"].notna()]
        places = rows["heterogeneity"].min(), rows["heterogeneity"].max()
        ends = [next(bar for bar in bars if bar[0][0] == place) for place in places]
        apart += [ax.get_title()] if ends[1][0][1] > ends[0][1][1] else []
    assert f"on a portrait with {' and '.join(apart)}," in figure.get_suptitle()


def test_verdicts_that_do_not_hang_on_the_margin_have_rows_of_one_colour():
    words = verdicts.by_margin(ledger.effects("04").query("collection == 'robust04'"), [0.004 * n for n in range(6)])
    [ax] = figures.strip(words, findings.steady(words, "robust04")).axes
    rows = {}
    for bar in ax.patches:
        rows.setdefault(round(bar.get_y() + bar.get_height() / 2), set()).add(to_hex(bar.get_facecolor()))
    steady = [ax.get_yticklabels()[row].get_text().split()[0] for row, tints in rows.items() if len(tints) == 1]
    assert re.findall(r"[RO]\d+b?(?:-\d+)?", ax.figure.get_suptitle()) == steady
    assert plt.get_fignums()
