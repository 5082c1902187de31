"""What titles and figures of study 3 say of tables made by hand; nbval compares those of the stored ones."""

import itertools

import numpy as np
import pandas as pd
import pytest
from drawn import dots

from helpers.engine import results
from helpers.judging import noise
from helpers.reporting.figures import robustness as figures
from helpers.studies.robustness import effects, findings, tables

STORED = results.stored("03")
pytestmark = pytest.mark.usefixtures("closed_figures")

# on b as many wrong labels are fewer wrong pairs
CURVES = pd.DataFrame(itertools.product(["A", "B"], ["a", "b"], [0, 0.1, 0.5]), columns=["ranker", "dataset", "dnoise"])
CURVES["pnoise"] = [0, 0.43, 0.5, 0, 0.12, 0.48] * 2
CURVES["relative"] = [1, 0.7, 0.4, 1, 0.98, 0.8, 1, 0.6, 0.3, 1, 0.96, 0.7]
FALLING = tables.Segments(1.0, 0.0, -2.0, 0.4)
OWN = pd.DataFrame({"dataset": ["near", "far"], "dnoise": 0.5, "pnoise": [0.2, 0.45], "relative": [0.97, 0.61]})
JUDGES = pd.DataFrame({"judge": "m", "relative": [0.9, 0.8, 0.5], "predicted": [0.8, 0.6, 0.7]})
SIZES = pd.DataFrame({"ranker": ["A", "B", "A", "B", "B"], "queries": [2, 2, 4, 4, 8], "dnoise": 0.4,
                      "relative": [0.5, 0.7, 0.9, 0.1, 0.8]})  # fmt: skip
CASES = [
    (findings.explains, [{"pnoise": 0.91, "dnoise": 0.4}],
     "One curve over wrong pairs explains 91 % of what is lost, over wrong documents 40 %"),
    (findings.by_both, [CURVES[CURVES["ranker"] == "A"]],
     "With one label in ten wrong A keeps 70 % at a pNoise of .43 and 98 % at a pNoise of .12"),
    (findings.ranges, [CURVES, "dnoise", 0.1],
     "Near a dNoise of .1 rankers keep 60 to 70 % on a and 96 to 98 % elsewhere"),
    (findings.ranges, [CURVES[CURVES["dataset"] == "a"], "pnoise", 0.4],
     "Near a pNoise of .4 rankers keep 60 to 70 % on a"),
    (findings.own_dots, [OWN, FALLING],
     "Your run keeps 61 % on far at a pNoise of .45, where the stored curve has 90 %"),
    (findings.off_curve, [JUDGES],
     "With the noise of judges 2 of 3 runs keep more than their pNoise says, the median run +.100"),
    (findings.by_size, [pd.concat([SIZES, SIZES.assign(dnoise=0.2, relative=1)])],
     "At a dNoise of .4 the median ranker keeps 60 % with fewest training queries, 85 % with most"),
    (findings.shapes, [pd.DataFrame({"grades": [2, 5], "relevant": [0.01, 0.5], "dnoise": [0.03, 0.6]})],
     "The dNoise that makes a pNoise of .4 goes from .03 (2 grades, 1 % relevant) to .60 (5 grades, 50 % relevant)"),
]  # fmt: skip


@pytest.mark.parametrize(("title", "given", "said"), CASES)
def test_a_title_says_what_its_table_does(title, given, said):
    assert title(*given) == said


def test_a_readers_dots_are_named_beside_those_that_are_stored():
    stored = OWN.assign(kept=[0.1, 1.0])
    [ax] = figures.together(stored, {"pnoise": FALLING}, "A title", OWN).axes
    assert np.concatenate(dots(ax)).tolist() == stored[["pnoise", "relative"]].to_numpy().tolist()
    assert [tuple(star.get_xydata()[0]) for star in ax.lines[1:]] == [(0.2, 0.97), (0.45, 0.61)]
    assert [text.get_text() for text in ax.texts] == ["your run, near", "your run, far"]


def test_over_pnoise_no_line_joins_levels_that_are_far_apart():
    runs = CURVES.assign(**{"NDCG@10": CURVES["relative"], "MAP": CURVES["relative"] / 2})
    for ax in figures.by_noise(runs, "pnoise", "A title").axes:
        assert [len(line.get_xdata()) for line in ax.lines] == [1, 2, 1, 2, 2, 1, 2, 1]


def test_a_map_has_the_dnoise_of_every_shape_that_has_a_relevant_document():
    shapes = tables.dnoise_map([2, 3, 5], [0.01, 0.05, 0.5], [20, 100])
    figure = figures.dnoise_map(shapes, "A title")
    cells = [float(text.get_text()) for ax in figure.axes for text in ax.texts]
    assert sorted(cells) == pytest.approx(sorted(shapes["dnoise"]), abs=0.0051)
    assert len(cells) == 15  # of 20 documents none is relevant at 1 %


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
