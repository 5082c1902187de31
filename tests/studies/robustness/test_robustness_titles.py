"""Titles and sentences of study 3 say what is drawn: numbers are read back from the artists and computed again."""

import re

import numpy as np
import pandas as pd
import pytest
from drawn import by_colour, dots, numbers
from matplotlib.colors import to_hex

from helpers.engine import results
from helpers.judging import noise
from helpers.reporting.figures import robustness as figures
from helpers.studies import ledger
from helpers.studies.robustness import effects, findings, tables

STORED = results.stored("03")
PAPERS = "ranker in @effects.FOUR and dataset.str.contains('ohsumed|td2003|mslr')"
pytestmark = pytest.mark.usefixtures("closed_figures")


@pytest.fixture(scope="module")
def kept():
    runs = STORED["thinned"]["uniform"].query("ranker in @effects.FOUR and dataset != 'target-types'")
    by_ranker = tables.means(runs, ["dataset", "kept", "ranker"])
    return by_ranker.groupby(["dataset", "kept", "dnoise"])[["pnoise", "relative"]].mean().reset_index()


@pytest.fixture(scope="module")
def curves():
    return tables.means(STORED["five-data-sets"]["uniform"]).query(PAPERS)


def share_of_one_curve(x, y):
    """By least squares on every hinge between the points."""
    errors = []
    for turn in np.linspace(x.min(), x.max(), 183)[1:-1]:
        design = np.column_stack([np.ones_like(x), x, np.maximum(x - turn, 0)])
        errors.append(((y - design @ np.linalg.lstsq(design, y, rcond=None)[0]) ** 2).sum())
    return 1 - min(errors) / ((y - y.mean()) ** 2).sum()


def test_one_curve_explains_so_much_of_the_dots(kept):
    fits = {by: tables.fit(kept[by], kept["relative"]) for by in ("dnoise", "pnoise")}
    shares = {by: tables.explained_by(kept["relative"], fit.at(kept[by])) for by, fit in fits.items()}
    figure = figures.together(kept, fits, findings.explains(shares))
    documents, pairs = (share_of_one_curve(*np.concatenate(dots(ax)).T) for ax in figure.axes)
    assert numbers(figure) == pytest.approx([pairs, documents], abs=0.0051)
    assert len(np.concatenate(dots(figure.axes[0]))) == len(kept)
    assert str(len(kept)) in figure.alt


def test_a_readers_dot_stands_where_it_is_said_to(kept):
    fit = tables.fit(kept["pnoise"], kept["relative"])
    own = pd.DataFrame({"dataset": ["near", "far"], "pnoise": [0.2, 0.43], "relative": [0.97, 0.61]})
    figure = figures.together(kept, {"pnoise": fit}, findings.own_dots(own, fit), own)
    line, *stars = figure.axes[0].lines
    (x, y), on_line = stars[1].get_xydata()[0], np.interp(0.43, *line.get_xydata().T)
    assert numbers(figure) == pytest.approx([y, x, on_line], abs=0.0051)
    assert [text.get_text() for text in figure.axes[0].texts] == ["your run, near", "your run, far"]


def at(points, x):
    return points[np.abs(points[:, 0] - x).argmin(), 1]


def test_what_ranksvm_keeps_at_the_ends_of_pnoise(curves):
    ranksvm = curves[curves["ranker"] == "RankSVM"]
    printed = tables.expected_curves(effects.printed_grades(), [0, 0.25, 0.5])
    figure = figures.in_three(ranksvm, printed, findings.by_both(ranksvm))
    left, middle, right = figure.axes
    found = {}
    for tint, points in by_colour(left, "-").items():
        (own,) = [line for line in middle.lines if line.get_marker() == "." and to_hex(line.get_color()) == tint]
        found[at(own.get_xydata(), 0.1)] = at(points, 0.1) / points[0, 1]
    few, most = min(found), max(found)
    assert numbers(figure) == pytest.approx([found[most], most, found[few], few], abs=0.0051)
    assert max(np.diff(line.get_xdata(), prepend=line.get_xdata()[0]).max() for line in right.lines) <= figures.GAP


@pytest.mark.parametrize(("by", "level"), [("dnoise", 0.1), ("pnoise", 0.4)])
def test_what_rankers_keep_near_a_level(curves, by, level):
    figure = figures.by_noise(curves, by, findings.ranges(curves, by, level))
    spans = {}
    for ax in figure.axes:
        for tint, points in by_colour(ax, "-").items():
            spans.setdefault(tint, []).append(at(points[1:], level) / points[0, 1])
    least = min(spans, key=lambda tint: min(spans[tint]))
    others = [kept for tint, of_set in spans.items() if tint != least for kept in of_set]
    ends = [min(spans[least]), max(spans[least]), min(others), max(others)]
    assert numbers(figure)[1:] == pytest.approx(ends, abs=0.0051)


def test_more_queries_and_the_median_ranker():
    sizes = STORED["sizes"]["kept"]
    figure = figures.size_curves(sizes, findings.by_size(sizes))
    ends = np.array([line.get_ydata()[[0, -1]] for line in figure.axes[-1].lines])
    assert numbers(figure) == pytest.approx([0.4, *np.median(ends, axis=0)], abs=0.0051)


def test_judges_above_the_line():
    judges = STORED["five-data-sets"]["judges"]
    figure = figures.against_curve(judges, findings.off_curve(judges))
    points = np.concatenate(dots(figure.axes[0]))
    off = points[:, 1] - points[:, 0]
    assert numbers(figure) == pytest.approx([(off > 0).sum(), len(off), np.median(off)], abs=0.00051)


def test_the_least_and_the_most_noise_are_cells_of_the_map():
    shapes = tables.dnoise_map([2, 3, 5], [0.01, 0.05, 0.5], [20, 100])
    figure = figures.dnoise_map(shapes, findings.shapes(shapes))
    cells = [float(text.get_text()) for ax in figure.axes for text in ax.texts]
    said = numbers(figure)
    assert [said[1], said[4]] == [min(cells), max(cells)]
    assert len(cells) == len(shapes) == 15  # of 20 documents none is relevant at 1 %


@pytest.mark.parametrize("noisy", [[2, 1, 1, 0, 0, 2], [0, 1, 1, 0, 0, 0], [2, 2, 1, 1, 0, 0]])
def test_squares_make_pnoise(noisy):
    clean = [2, 1, 1, 0, 0, 0]
    figure = figures.broken_pairs(clean, noisy, "pairs")
    kinds = [list(figures.PAIRS)[int(kind)] for kind in figure.axes[1].collections[0].get_array().compressed()]
    assert len(kinds) == 15
    count = {kind: kinds.count(kind) for kind in figures.PAIRS}
    ordered = count["right"] + count["new"] + count["inverse"]
    assert count["lost"] == sum(clean[i] != clean[j] and noisy[i] == noisy[j] for i in range(6) for j in range(i))
    assert (count["inverse"] + count["new"] / 2) / ordered == noise.pnoise(clean, noisy, [0, 6])


def test_the_answer_is_of_the_stored_verdicts():
    judged, found = ledger.stored("03"), ledger.effects("03")
    said = findings.answer(judged, found)
    row = judged.set_index("claim").loc["N4"]
    values = [float(value) for value in re.findall(r"[-+]?\.\d+", said)]
    means = found[found["claim"] == "N4"].set_index("ranker")["effect"]
    expected = [*row[["measured", "low", "high"]], means[effects.ACROSS], means[effects.WITHOUT_FEW]]
    assert values == pytest.approx(expected, abs=0.00051)
    assert "47 % of the pairs" in said


@pytest.mark.parametrize(
    ("low", "high", "end"),
    [(0.1, 0.3, "with ListNet."), (-0.3, -0.1, "the opposite holds."), (-0.1, 0.3, "it cannot tell.")],
)
def test_an_own_run_says_on_which_side_of_0_it_lies(monkeypatch, low, high, end):
    row = {"claim": "N4", "measured": (low + high) / 2, "low": low, "high": high, "value": 0, "rankers": "ListNet"}
    monkeypatch.setattr(findings, "own_verdicts", lambda rows: pd.DataFrame([row]))
    assert findings.own_run(pd.DataFrame(), ["a", "b"]).endswith(f" more than dNoise, {end}")


def test_an_own_run_says_what_it_can(monkeypatch):
    monkeypatch.setattr(effects, "SAMPLES", 50)
    runs = pd.concat(
        [STORED["thinned"]["uniform"].query("kept == 1 and dataset == @name") for name in ("ohsumed", "robust04")]
    )
    one = runs[runs["dataset"] == "ohsumed"]
    assert findings.own_run(effects.of_runs(one), ["ohsumed"]) == (
        "Your run, ohsumed: one data set alone cannot tell pNoise from dNoise."
    )
    row = findings.own_verdicts(effects.of_runs(runs)).query("claim == 'N4'").iloc[0]
    said = findings.own_run(effects.of_runs(runs), ["ohsumed", "robust04"])
    assert said.startswith(f"Your run, 2 data sets: pNoise explains {row['measured']:+.3f}".replace("0.", "."))
    assert said.endswith("it cannot tell.") == (row["low"] <= 0 <= row["high"])
