"""What the figures of study 3 show, and that their axes say so."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PathCollection, PolyCollection

from helpers.reporting import figures
from helpers.reporting.figures.robustness import DATA_SETS, OTHER, PAIRS, data_set_colours

pytestmark = pytest.mark.usefixtures("closed_figures")


def labels(figure):
    return [(ax.get_xlabel(), ax.get_ylabel()) for ax in figure.axes]


def test_a_wrong_label_breaks_the_pairs_it_should():
    figure = figures.broken_pairs([2, 1, 0, 0], [2, 1, 0, 2])
    before, after = (np.asarray(ax.collections[0].get_array().filled(-1)).reshape(4, 4) for ax in figure.axes[:2])
    names = list(PAIRS)
    assert names[int(before[3, 2])] == "tied"
    assert [names[int(kind)] for kind in after[3, :3]] == ["lost", "inverse", "new"]
    assert names[int(after[1, 0])] == "right"


def falls():
    rows = [
        (ranker, name, level, 2 * level, 0.4 - level / 2, 1 - level, 0.9 - level, 1.0)
        for ranker in ("RankSVM", "AdaRank")
        for name in ("ohsumed", "td2003-portrait")
        for level in (0.0, 0.1, 0.2)
    ]
    columns = ["ranker", "dataset", "dnoise", "pnoise", "performance", "relative", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def test_falls_have_a_panel_for_each_ranker_and_a_colour_for_each_data_set():
    grid = figures.fall_curves(falls(), "dnoise", "performance", "test NDCG@10")
    assert list(grid.axes_dict) == ["RankSVM", "AdaRank"]
    first, second = grid.axes_dict.values()
    assert (first.get_xlabel(), first.get_ylabel()) == ("dNoise [share of documents]", "test NDCG@10")
    assert second.lines[0].get_ydata() == pytest.approx([0.4, 0.35, 0.3])
    relative = figures.fall_curves(falls(), "pnoise", "relative", "share").axes_dict["AdaRank"]
    assert relative.lines[0].get_xdata() == pytest.approx([0, 0.2, 0.4])
    assert len(bands(relative)) == 2


def bands(ax):
    return [drawn for drawn in ax.collections if isinstance(drawn, PolyCollection)]


def test_no_line_and_no_band_crosses_a_gap():
    steep = falls().assign(pnoise=lambda table: table["dnoise"].map({0.0: 0.0, 0.1: 0.43, 0.2: 0.47}))
    axes = figures.fall_curves(steep, "pnoise", "relative", "share").axes_dict["AdaRank"]
    assert {tuple(line.get_xdata()) for line in axes.lines} == {(0.0,), (0.43, 0.47)}
    points = next(drawn for drawn in axes.collections if isinstance(drawn, PathCollection))
    assert len(points.get_offsets()) == 6  # of both data sets, the one before the gap too


def test_a_title_says_what_was_found():
    figure = figures.fall_curves(falls(), "pnoise", "relative", "share", "All fall").figure
    assert figure.get_suptitle() == "All fall"


def test_sizes_have_a_panel_a_level_and_a_named_line_a_ranker():
    kept = pd.DataFrame(
        {
            "queries": [250, 1500] * 6,
            "ranker": np.repeat(["RankSVM", "mine"], 6),
            "dnoise": np.tile(np.repeat([0.0, 0.2, 0.4], 2), 2),
            "relative": 0.9,
            "low": 0.8,
            "high": 1.0,
        }
    )
    figure = figures.size_curves(kept, "More helps")
    assert [ax.get_title() for ax in figure.axes] == ["dNoise 0.2", "dNoise 0.4"]
    assert figure.axes[0].get_ylabel() == "NDCG@10 [share of noise-free]"
    assert {text.get_text() for text in figure.axes[1].texts} == {"RankSVM", "mine"}
    assert len(figure.axes[1].lines) == 2


def test_a_portrait_has_the_colour_of_its_original():
    colours = data_set_colours(["td2003-portrait", "td2003", "mine"])
    assert colours == {"td2003-portrait": DATA_SETS["td2003"], "td2003": DATA_SETS["td2003"], "mine": OTHER}


def test_exact_curves_and_counted_draws_share_an_axis():
    exact = pd.DataFrame({"dataset": "ohsumed", "dnoise": [0.0, 0.5], "pnoise": [0.0, 0.4]})
    runs = pd.DataFrame(
        {"dataset": "ohsumed", "ranker": ["A", "B"], "fold": 1, "level": 0.5, "draw": 0, "dnoise": 0.49, "pnoise": 0.41}
    )
    figure = figures.expected_curves(exact, runs)
    assert labels(figure) == [("dNoise [share of documents]", "pNoise [share of ordered pairs]")]
    assert figure.axes[0].collections[0].get_offsets().tolist() == [[0.49, 0.41]]


def test_names_at_the_ends_of_curves_stand_apart():
    exact = pd.DataFrame({"dataset": ["a", "b", "c"] * 2, "dnoise": [0, 0, 0, 0.5, 0.5, 0.5]})
    exact["pnoise"] = [0, 0, 0, 0.41, 0.42, 0.5]
    (ax,) = figures.expected_curves(exact).axes
    low, high = ax.get_ylim()
    heights = {text.get_text(): text.xy[1] for text in ax.texts if text.get_text() in "abc"}
    assert heights["a"] == pytest.approx(0.41)
    assert heights["b"] - heights["a"] == pytest.approx(0.055 * (high - low))
    assert heights["c"] == pytest.approx(0.5)


def test_shares_and_turning_points_are_drawn_with_their_intervals():
    shares = pd.DataFrame(
        {"ranker": "A", "by": ["pNoise", "dNoise", "difference"], "explained": [0.8, 0.3, 0.5], "low": 0.2, "high": 0.9}
    )
    figure = figures.explained_shares(shares)
    assert figure.get_supxlabel() == "variance explained by one curve for all data sets [share]"
    assert [line.get_xdata()[0] for line in figure.axes[0].lines] == [0.8, 0.3]
    both = pd.concat([shares.assign(over="with"), shares.assign(over="without", explained=0.4)])
    panels = figures.explained_shares(both, "over", "It hangs").axes
    assert [ax.get_title() for ax in panels] == ["with", "without"]
    assert [line.get_xdata()[0] for line in panels[1].lines] == [0.4, 0.4]
    turning = pd.DataFrame(
        {"ranker": ["A", "all"], "turning_point": [0.4, 0.45], "turning_point_low": 0.3, "turning_point_high": 0.5}
    )
    turning = pd.concat([turning.assign(without=np.nan), turning.assign(without="TD2003", turning_point=0.32)])
    figure = figures.turning_points(turning)
    assert labels(figure)[0][0] == "pNoise [share of ordered pairs]"
    assert [list(line.get_xdata()) for line in figure.axes[0].lines[1:]] == [[0.4, 0.45], [0.32, 0.32]]
    assert [text.get_text() for text in figure.legends[0].texts] == ["of all data sets", "without TD2003"]


def test_a_long_title_ends_before_the_legend_beside_it():
    shares = pd.DataFrame({"ranker": "A", "by": ["pNoise", "dNoise"], "explained": 0.5, "low": 0.2, "high": 0.9})
    figure = figures.explained_shares(shares, title="one curve explains a share " * 6)
    figure.draw_without_rendering()
    title, legend = figure._suptitle.get_window_extent(), figure.legends[0].get_window_extent()
    assert title.x1 < legend.x0


def test_judges_stand_beside_the_curve_and_shapes_on_a_map():
    table = pd.DataFrame(
        {"ranker": "A", "dataset": "ohsumed", "judge": "WEB5_truth_vs_worker", "predicted": [0.9], "relative": [0.8]}
    )
    axes = figures.against_curve(table).axes_dict["A"]
    assert axes.collections[0].get_offsets().tolist() == [[0.9, 0.8]]
    assert axes.get_ylabel() == "measured [share of noise-free]"
    shapes = pd.DataFrame(
        {"grades": [2, 3, 2, 3], "relevant": 0.1, "documents": [20, 20, 100, 100], "dnoise": [0.1, 0.2, 0.1, 0.2]}
    )
    figure = figures.dnoise_map(shapes)
    assert [ax.get_title() for ax in figure.axes[:2]] == ["20 documents a query", "100 documents a query"]
    assert [text.get_text() for text in figure.axes[0].texts] == ["0.10", "0.20"]
