"""What the figures show of tables made by hand: edges, order, nothing hidden. nbval compares their pictures."""

import itertools

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import seaborn as sns
from matplotlib.text import Text

from helpers.judging.ceilings import exact
from helpers.judging.confusion import ordinal_confusion
from helpers.reporting import figures
from helpers.reporting.figures import look, overlap

pytestmark = pytest.mark.usefixtures("closed_figures")
EXAMPLE = np.array([[3, 2, 1, 2], [0, 2, 2, 2], [2, 2, 4, 0], [1, 0, 0, 0]])


@pytest.mark.parametrize("draw", [plt.figure, lambda: sns.FacetGrid(pd.DataFrame({"x": [1]}))])
def test_a_figure_that_is_saved_is_not_left_open_for_a_notebook_to_show_again(draw, tmp_path):
    figures.save(draw(), tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size > 0
    assert not mpl.pyplot.get_fignums()


def test_dollars_in_names_are_no_formula_in_a_figure():
    names = ["$5 to $9", "a$b$", "plain"]
    rows = {"difference": [0.1, 0.2, 0.3], "difference_low": 0.0, "difference_high": 0.4, "model": False}
    drawn = figures.judgments.replacement_rows(pd.DataFrame({"judge": names, **rows}), 10, "of $5 and $9")
    kappas = {f"{kappa}{end}": 0.5 for kappa in ("kappa", "weighted_kappa") for end in ("", "_low", "_high")}
    models = pd.DataFrame({"judge": names, **kappas})
    both = figures.judgments.model_rows(models, models[:0], "of $5 and $9")
    for figure in (figures.whose(drawn, "$a$.csv"), both):
        said = [text.get_text() for text in figure.findobj(mpl.text.Text) if "$" in text.get_text()]
        assert len(said) >= 3
        assert not any(mpl.cbook.is_math_text(text) for text in said)


@pytest.mark.parametrize("styled", [False, True])
def test_dollars_in_a_table_of_a_notebook_are_no_formula(styled):
    table = pd.DataFrame({"query": ["$5 to $9"]})
    with pd.option_context("display.html.use_mathjax", True, "styler.html.mathjax", True):
        figures.set_look()
        shown = table.style.to_html() if styled else table.to_html(notebook=True)
    assert "tex2jax_ignore" in shown
    assert "mathjax_ignore" in shown


def test_the_explorer_marks_the_ceiling_at_the_cutoff():
    matrix = np.array([[0.8, 0.2], [0.2, 0.8]])
    right = figures.bounds.explorer([6, 4], matrix, 3).axes[1]
    assert right.texts[0].get_text() == f"{exact([6, 4], matrix, 3):.3f}"


def test_the_sliders_begin_at_the_picture_and_move_the_ceiling(monkeypatch):
    shown, matrix = [], ordinal_confusion(5, 0.6)
    monkeypatch.setattr(plt, "show", lambda figure: shown.append(figure.axes[1].texts[0].get_text()))
    sliders = figures.sliders([5, 4, 3, 2, 1], matrix, 10)
    assert [child.description for child in sliders.children[:-1]] == ["errors", "judges", "cutoff"]
    sliders.update()
    assert shown[-1] == f"{exact([5, 4, 3, 2, 1], matrix, 10):.3f}"
    sliders.children[0].value = 0
    assert shown[-1] == "1.000"
    assert figures.sliders([2, 1], np.eye(2), 10).children[2].value == 3  # no cut-off beyond the list


def texts(ax):
    return [text.get_text() for text in ax.texts]


def points(collection):
    return [tuple(np.round(point, 6)) for point in collection.get_offsets()]


@pytest.mark.parametrize(
    ("scheme", "grades", "trained"),
    [
        ("if-good-3", "3 2 1 0 2 2 4 1", ["3 2 1", "0", "2 2 4", "1"]),
        ("good-till-bad", "3 2 1 0 2 2 4 0 1", ["3 2 1", "0", "2 2 4 0", "1"]),
        ("gain-3", "3 2 1 0 2 2 2 2 4 1 0 0", ["2.22", "1.58", "3", "0.415"]),
        ("if-good-x3", "3 0 2 1", ["3 × 3", "0", "2 × 3", "1"]),
    ],
)
def test_a_cell_holds_a_label_that_was_bought_and_an_arrow_what_a_ranker_trains_on(scheme, grades, trained):
    figure = figures.overlap.bought_labels(EXAMPLE, [scheme])
    (ax,) = figure.axes
    count = len(grades.split())
    assert texts(ax) == [*grades.split(), "trains on", *(f"→ {labels}" for labels in trained)]
    instances = len(" ".join(trained).replace(" × 3", "").split())
    assert ax.get_title() == f"{scheme}\n{count} labels bought\n{instances} training instances"


def test_a_pair_with_a_gap_is_asked_of_the_judges_that_it_has():
    ax = figures.overlap.bought_labels(np.array([[-1, 3, 2]]), ["3-overlap"]).axes[0]
    assert texts(ax) == ["3", "2", "trains on", "→ 3 2"]


def test_names_do_not_cover_each_other_or_other_points():
    ax = plt.figure(figsize=(6, 4)).add_subplot()
    x, y = np.repeat([1.0, 1.1], 4), np.tile([1.0, 1.03, 1.06, 1.09], 2)
    ax.set(xlim=(0, 2), ylim=(0, 2))
    look.write_names(ax, x, y, [f"if-good-{i}" for i in range(8)])
    ax.figure.canvas.draw()
    boxes = [Text.get_window_extent(text) for text in ax.texts]
    assert not any(first.overlaps(second) for first, second in itertools.combinations(boxes, 2))
    assert not any(box.contains(*ax.transData.transform(point)) for box in boxes for point in zip(x, y, strict=True))
    assert all(ax.bbox.contains(*corner) for box in boxes for corner in box.corners())


def test_the_same_thing_has_the_same_colour():
    families = {"baseline": "one label", "11-overlap": "all labels", "if-good-4": "selective", "mean-3": "mean"}
    assert all(overlap.family(name).startswith(family) for name, family in families.items())
