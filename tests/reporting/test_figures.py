"""What the figures show, and that their axes say so."""

import itertools

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

from helpers import rankers
from helpers.datasets import sampling
from helpers.datasets.collection import Collection
from helpers.reporting import figures
from helpers.reporting.figures import depth

pytestmark = pytest.mark.usefixtures("closed_figures")


TWO = ("LambdaRank", "LambdaMART")


def runs_of(cells, choices=("random",), names=TWO):
    rows = [
        {"ranker": ranker, "queries": n, "documents": d, "choice": choice, "repeat": repeat, "ndcg": 0.1 * d + 0.01 * n}
        for ranker, (n, d), choice, repeat in itertools.product(names, cells, choices, range(2))
    ]
    return pd.DataFrame(rows)


def line_of(ax, colour):
    [line] = [line for line in ax.lines if mpl.colors.same_color(line.get_color(), colour) and len(line.get_xdata())]
    return line


def test_runs_on_everything_end_both_curves_of_the_first_experiment():
    lines = figures.percent_lines(runs_of([(0.5, 1.0), (1.0, 0.5), (1.0, 1.0)]))
    points = set(zip(lines["sampled"], lines["percent"], strict=True))
    assert points == {("queries", 50), ("queries", 100), ("documents", 50), ("documents", 100)}


def test_only_the_edges_of_the_grid_are_the_papers_second_figure():
    lines = figures.halving_lines(runs_of(itertools.product([4, 8], [2, 4])))
    points = set(zip(lines["sampled"], lines["judgments"], lines["left"], strict=True))
    assert points == {("queries", 16, 4), ("queries", 32, 8), ("documents", 16, 2), ("documents", 32, 4)}


def test_the_same_colour_means_the_same_sampling_in_both_figures():
    percent = figures.percent_curves(runs_of([(0.5, 1.0), (1.0, 0.5), (1.0, 1.0)])).axes_dict["LambdaRank"]
    halving = figures.halving_curves(runs_of(itertools.product([4, 8], [2, 4]))).axes_dict["LambdaRank"]
    assert line_of(percent, depth.SAMPLED["documents"]).get_ydata() == pytest.approx([0.06, 0.11])
    assert line_of(halving, depth.SAMPLED["documents"]).get_ydata() == pytest.approx([0.28, 0.48])
    assert depth.CHOICES["random"] == depth.SAMPLED["documents"]


def test_axes_name_what_they_show_with_its_unit():
    grid = runs_of(itertools.product([4, 8], [2, 4]))
    best = pd.DataFrame({"ranker": "LambdaRank", "budget": [64, 64], "cost": [0.0, 4.0], "documents": [4.0, 8.0]})
    best = best.assign(shallowest=[2.0, 4.0], deepest=[8.0, 16.0])
    shown = {
        "judgments kept [% of the training set]": figures.percent_curves(runs_of([(0.5, 1.0), (1.0, 1.0), (1.0, 0.5)])),
        "judgments [queries × documents a query]": figures.halving_curves(grid),
        "judged documents a query": figures.choice_curves(runs_of([(8, 2), (8, 4)], ["random", "top", "mixed"])),
    }
    for label, facets in shown.items():
        assert {ax.get_xlabel() for ax in facets.axes.flat} == {label}
        assert facets.axes[0, 0].get_ylabel() == "test NDCG@10"
    depths = figures.best_depths(best)
    assert depths.axes[0, 0].get_xlabel() == "cost of a query before its first judgment [judgments]"
    assert [text.get_text() for text in depths.legend.get_texts()] == ["64 judgments"]


def test_of_two_points_of_equal_cost_the_higher_has_its_number_above():
    runs = runs_of(itertools.product([4, 8], [2, 4]), names=["LambdaRank"])
    ax = figures.halving_curves(runs).axes_dict["LambdaRank"]
    # at 16 judgments 4 queries of 4 documents have .44, and 8 queries of 2 have .28
    places = {(text.get_text(), round(text.xy[1], 2)): text.xyann[1] for text in ax.texts}
    assert places["4", 0.44] > 0 > places["2", 0.28]


def differences_of(**columns):
    table = {"data": "mq2008", "ranker": "LambdaRank", "at": [10.0, 50.0], "difference": [0.01, 0.002]}
    return pd.DataFrame(table | {"low": [0.005, -0.004], "high": [0.015, 0.008]} | columns)


def test_differences_stand_beside_the_margin_with_their_intervals_and_those_below_the_floor_are_hollow():
    table = differences_of(shallow=[True, False])
    [ax] = figures.differences(table, "data", "ranker", "judgments kept [%]", "Nothing", 0.005).axes
    bars = [segment for lines in ax.collections for segment in getattr(lines, "get_segments", list)()]
    assert sorted((bar[0][1], bar[1][1]) for bar in bars) == [(-0.004, 0.008), (0.005, 0.015)]
    faces = [tuple(dots.get_facecolor()[0][:3]) for dots in ax.collections if hasattr(dots, "get_sizes")]
    assert faces.count((1.0, 1.0, 1.0)) == 1
    assert ax.get_xlabel() == "judgments kept [%]"
    assert ax.figure.get_suptitle() == "Nothing"


def test_the_map_names_each_real_collection_once_and_joins_the_portrait():
    real = differences_of(slopes=np.nan, heterogeneity=[2.0, 3.0], data=["mq2008", "robust04"])
    drawn = differences_of(slopes=[1.0, 4.0], heterogeneity=[2.0, 6.0], at=10.0, data="portrait")
    [ax] = figures.heterogeneity_map(pd.concat([drawn, real]), "More", 0.005).axes
    assert sorted(text.get_text() for text in ax.texts) == ["mq2008", "robust04"]
    assert [2.0, 6.0] in [list(line.get_xdata()) for line in ax.lines]
    assert "heterogeneity" in ax.get_xlabel()


def test_losses_are_those_at_the_largest_budget():
    table = pd.DataFrame({"data": "a", "ranker": "LambdaRank", "budget": [64, 256, 256], "cost": 0})
    table = table.assign(documents=[8.0, 8.0, 16.0], loss=[0.5, 0.0, 0.01], low=0.0, high=0.02)
    [ax] = figures.losses(table, "Nothing", 0.005).axes
    heights = [height for line in ax.lines for height in line.get_ydata()]
    assert 0.01 in heights
    assert 0.5 not in heights
    assert "256 judgments" in ax.get_title()


def test_gains_over_runs_stand_in_the_row_of_their_ranker():
    rows = {"dataset": ["a", "a", "b"], "ranker": ["CombSUM", "RankSVM", "RankSVM"], "over": "best run"}
    table = pd.DataFrame(rows | {"ndcg": [-0.01, 0.02, 0.03], "low": 0.0, "high": 0.04})
    first, second = figures.over_runs(table, "Nothing").axes
    assert [label.get_text() for label in first.get_yticklabels()] == ["CombSUM", "RankSVM"]
    points = [sorted(zip(*ax.lines[-1].get_data(), strict=True)) for ax in (first, second)]
    assert points == [[(-0.01, 0), (0.02, 1)], [(0.03, 1)]]
    assert (first.get_title(), second.get_title()) == ("a", "b")


def test_the_surface_has_a_cell_for_each_number_of_queries_and_depth_on_one_scale():
    figure = figures.surface(runs_of(itertools.product([4, 8], [2, 4])))
    maps = [ax for ax in figure.axes if ax.get_title()]
    assert [ax.get_title() for ax in maps] == ["LambdaRank", "LambdaMART"]
    assert [text.get_text() for text in maps[0].texts] == ["0.440", "0.480", "0.240", "0.280"]
    assert maps[0].collections[0].get_clim() == maps[1].collections[0].get_clim() == pytest.approx((0.24, 0.48))


def test_six_rankers_have_a_panel_each_three_in_a_row():
    grid = runs_of(itertools.product([4, 8], [2, 4]), names=rankers.NAMES)
    surfaces = [ax for ax in figures.surface(grid).axes if ax.get_title()]
    assert [ax.get_title() for ax in surfaces] == list(rankers.NAMES)
    lines = figures.halving_curves(grid).axes_dict
    assert list(lines) == list(rankers.NAMES)
    for axes in (surfaces, list(lines.values())):
        assert len({round(ax.get_position().y0, 2) for ax in axes}) == 2


def test_judged_documents_are_coloured_and_the_others_grey(rng):
    toy = Collection(np.arange(8)[:, None], [0, 1, 0, 1, 0, 1, 0, 1], [0, 4, 8])
    figure = figures.judged_documents(toy, {"all": toy, "half": sampling.documents(toy, 0.5, rng)})
    shown = [np.asarray(ax.collections[0].get_array()).ravel() for ax in figure.axes]
    assert shown[0].tolist() == [1, 2, 1, 2, 1, 2, 1, 2]
    assert (shown[1] == 0).sum() == 4
    assert figure.axes[1].get_title() == "half:\n4 judgments"


@pytest.mark.parametrize("draw", [lambda: mpl.pyplot.figure(), lambda: figures.percent_curves(runs_of([(1.0, 1.0)]))])
def test_a_figure_that_is_saved_is_not_left_open_for_a_notebook_to_show_again(draw, tmp_path):
    figures.save(draw(), tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size > 0
    assert not mpl.pyplot.get_fignums()


def test_a_figure_says_of_which_data_it_is():
    drawn = figures.whose(figures.percent_curves(runs_of([(1.0, 1.0)])), "mine.txt")
    assert [text.get_text() for text in drawn.figure.texts] == ["data: mine.txt"]


def test_dollars_in_names_are_no_formula_in_a_figure():
    names = ["$5 to $9", "a$b$", "plain"]
    rows = {"difference": [0.1, 0.2, 0.3], "difference_low": 0.0, "difference_high": 0.4, "model": False}
    drawn = figures.replacement_rows(pd.DataFrame({"judge": names, **rows}), 10, "of $5 and $9")
    pairs = {"first": names, "second": names[::-1], "documents": 20, "weighted_kappa": 0.5, "chance": 0.4, "equal": 0.6}
    both = figures.judge_agreement(pd.DataFrame(pairs), "of $5 and $9")
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
