"""What the figures of study 2 show, and that their axes say so."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from helpers.judging.ceilings import exact
from helpers.reporting import explorer, figures

pytestmark = pytest.mark.usefixtures("closed_figures")


def labels(figure):
    return [(ax.get_xlabel(), ax.get_ylabel()) for ax in figure.axes]


def test_the_exact_ceiling_lies_across_the_draws(rng):
    figure = figures.label_draws(rng.random(100), 0.5, 10)
    assert labels(figure) == [
        ("nDCG@10 of one labelling", "labellings [%]"),
        ("labellings drawn", "mean nDCG@10"),
    ]
    assert figure.axes[1].lines[0].get_ydata()[-1] == pytest.approx(0.5, abs=0.1)
    assert list(figure.axes[1].lines[1].get_ydata()) == [0.5, 0.5]


def limits(n_pairs):
    rows = [("A", f"B{i}", f"q{q}", 0.1 * q, 0.2 * q, 0.5) for i in range(n_pairs) for q in range(5)]
    return pd.DataFrame(rows, columns=["testing", "training", "query", "real", "pooled", "elsewhere"])


def test_a_point_is_a_query_and_a_large_one_the_mean_of_a_pair():
    figure = figures.limit_scatter(limits(2))
    assert labels(figure) == [("predicted nDCG@10", "real nDCG@10")] * 2
    queries, means = figure.axes[0].collections
    assert len(queries.get_offsets()) == 10
    assert means.get_offsets().tolist() == [[pytest.approx(0.4), pytest.approx(0.2)]] * 2
    assert [text.get_text() for text in figure.axes[1].get_legend().texts] == ["A tests B0", "A tests B1"]


def test_many_pairs_have_one_colour_and_no_legend():
    figure = figures.limit_scatter(limits(20), k=5)
    assert figure.axes[1].get_legend() is None
    assert labels(figure) == [("predicted nDCG@5", "real nDCG@5")] * 2


def test_ceilings_stand_beside_the_best_learned_ranker():
    table = pd.DataFrame({"matrix": ["a", "b"], "exact": [0.7, 0.5], "low": [0.6, 0.4], "high": [0.8, 0.6]})
    learned = pd.DataFrame(
        {"dataset": "toy", "ranker": ["X", "Y"], "ndcg": [0.4, 0.3], "low": [0.3, 0.2], "high": [0.5, 0.4]}
    )
    figure = figures.ceiling_rows({"toy": table.assign(approximate=table["exact"])}, learned)
    (ax,) = figure.axes
    assert ax.get_title() == "toy: best learned is X"
    assert ax.get_xlabel() == "mean nDCG@10 over queries that have a relevant document"
    lines = {line.get_label(): line.get_xdata() for line in ax.lines}
    assert list(lines["best learned ranker"]) == [0.4, 0.4]
    assert list(lines["exact ceiling"]) == [0.7, 0.5]


def test_lengths_times_judges_and_double_judgments_name_their_units():
    lengths = pd.DataFrame({"length": [10, 100], "cutoff": "10", "exact": [0.7, 0.3], "error": [0.01, 0.001]})
    times = pd.DataFrame({"length": [10, 100], "method": "exact", "seconds": [0.001, 0.002]})
    judges = pd.DataFrame({"judges": [1, 3], "ceiling": [0.3, 0.4], "collection": "toy"})
    needed = pd.DataFrame({"half_width": [0.01, 0.02], "documents": [400, 100], "allocation": "best"})
    assert labels(figures.length_curves(lengths)) == [
        ("documents in the list", "mean exact ceiling [nDCG]"),
        ("documents in the list", "mean |approximate - exact| [nDCG]"),
    ]
    timed = figures.method_times(times)
    assert labels(timed) == [("documents in the list", "time of one ceiling [ms]")]
    assert timed.axes[0].lines[0].get_ydata().tolist() == [1, 2]
    assert labels(figures.majority_curves(judges)) == [
        ("judges whose majority is the training label", "mean ceiling [nDCG@10]")
    ]
    assert labels(figures.double_judgment_curves(needed)) == [
        ("documents judged by a second assessor", "half-width of the 95 % interval [nDCG]")
    ]


def test_the_explorer_marks_the_ceiling_at_the_cutoff():
    matrix = np.array([[0.8, 0.2], [0.2, 0.8]])
    right = figures.explorer([6, 4], matrix, 3).axes[1]
    assert right.texts[0].get_text() == f"{exact([6, 4], matrix, 3):.3f}"


def test_the_sliders_move_the_ceiling(monkeypatch):
    shown = []
    monkeypatch.setattr(plt, "show", lambda figure: shown.append(figure.axes[1].texts[0].get_text()))
    sliders = explorer.sliders([5, 4, 3, 2, 1])
    assert [child.description for child in sliders.children[:-1]] == ["accuracy", "leniency", "judges", "cutoff"]
    sliders.update()
    sliders.children[0].value = 1.0
    assert shown[-1] == "1.000"
    assert shown[0] < "0.9"


def test_runs_stand_in_order_beside_the_limit_and_those_above_are_filled():
    runs = pd.DataFrame({"run": ["x", "y", "z"], "family": ["A", "B", "A"], "difference": [-0.2, 0.1, 0.3]})
    figure = figures.runs_beside_limit(runs.assign(low=runs["difference"] - 0.15, high=runs["difference"] + 0.15), 10)
    (ax,) = figure.axes
    of_a, of_b = ax.collections[1::2]  # after the intervals of each family
    assert of_a.get_offsets().tolist() == [[0.3, 0], [-0.2, 2]]
    assert of_b.get_offsets().tolist() == [[0.1, 1]]
    assert [face.tolist() == [1, 1, 1, 1] for face in of_a.get_facecolors()] == [False, True]
    assert [text.get_text() for text in ax.get_legend().texts] == ["A", "B"]
