"""What the figures of study 1 show, and that their axes say so."""

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from matplotlib.text import Text

from helpers.judging.pool import Settings
from helpers.reporting import figures
from helpers.reporting.figures import overlap, schemes
from helpers.reporting.figures.names import write_names

pytestmark = pytest.mark.usefixtures("closed_figures")

EXAMPLE = np.array([[3, 2, 1, 2], [0, 2, 2, 2], [2, 2, 4, 0], [1, 0, 0, 0]])


def axes_labels(figure):
    return [(ax.get_xlabel(), ax.get_ylabel()) for ax in figure.axes]


def texts(ax):
    return [text.get_text() for text in ax.texts]


def legend(figure):
    return [text.get_text() for text in figure.legends[0].texts]


def points(collection):
    return [tuple(np.round(point, 6)) for point in collection.get_offsets()]


@pytest.mark.parametrize(
    ("scheme", "grades", "trained"),
    [
        ("baseline", "3 0 2 1", ["3", "0", "2", "1"]),
        ("if-good-3", "3 2 1 0 2 2 4 1", ["3 2 1", "0", "2 2 4", "1"]),
        ("good-till-bad", "3 2 1 0 2 2 4 0 1", ["3 2 1", "0", "2 2 4 0", "1"]),
        ("mv3", "3 2 1 0 2 2 2 2 4 1 0 0", ["2", "2", "2", "0"]),
        ("gain-3", "3 2 1 0 2 2 2 2 4 1 0 0", ["2.22", "1.58", "3", "0.415"]),
        ("if-good-x3", "3 0 2 1", ["3 × 3", "0", "2 × 3", "1"]),
    ],
)
def test_a_cell_holds_a_label_that_was_bought_and_an_arrow_what_a_ranker_trains_on(scheme, grades, trained):
    figure = figures.bought_labels(EXAMPLE, [scheme])
    (ax,) = figure.axes
    count = len(grades.split())
    assert texts(ax) == [*grades.split(), "trains on", *(f"→ {labels}" for labels in trained)]
    instances = len(" ".join(trained).replace(" × 3", "").split())
    assert ax.get_title() == f"{scheme}\n{count} labels bought\n{instances} training instances"
    assert axes_labels(figure) == [("judge, in the order asked", "pair")]
    assert legend(figure) == ["grade 0", "grade 1", "grade 2", "grade 3", "grade 4", "not bought"]


def test_a_bought_label_stands_in_its_pairs_row_and_its_judges_column():
    (ax,) = figures.bought_labels(EXAMPLE, ["if-good-3"]).axes
    cells = {text.get_position(): text.get_text() for text in ax.texts if text.get_text().isdigit()}
    assert cells[2.5, 2.5] == "4"
    assert (1.5, 1.5) not in cells
    shown = ax.collections[0].get_array()
    assert shown.mask.tolist() == [[False, False, False, True], [False, True, True, True]] * 2


def test_what_is_bought_has_a_title():
    assert figures.bought_labels(EXAMPLE, ["baseline"], "a title").get_suptitle() == "a title"


def test_a_pair_with_a_gap_is_asked_of_the_judges_that_it_has():
    ax = figures.bought_labels(np.array([[-1, 3, 2]]), ["3-overlap"]).axes[0]
    assert texts(ax) == ["3", "2", "trains on", "→ 3 2"]


def fitted(*label_sets):
    rows = [
        (label_set, setting, quantity, printed, printed + 0.5, used)
        for label_set in label_sets
        for quantity, values in {"labeling_overhead": (1, 3), "fair_to_good_ratio": (3.7, 4.5)}.items()
        for setting, printed, used in zip(("baseline", "mv3"), values, (False, True), strict=True)
    ]
    return pd.DataFrame(rows, columns=["label_set", "setting", "quantity", "printed", "fitted", "used"])


def test_printed_costs_stand_beside_fitted_ones_filled_where_they_were_fitted_to():
    figure = figures.fitted_costs(fitted("clean07", "clean+"))
    assert [ax.get_title() for ax in figure.axes] == ["clean07", "clean07", "clean+", "clean+"]
    assert [label for label, _ in axes_labels(figure)[2:]] == [
        "labels bought a pair",
        "Fair- training labels for each Good+ one",
    ]
    printed, baseline, majority = figure.axes[1].lines
    assert list(printed.get_xdata()) == [3.7, 4.5]
    assert (list(baseline.get_xdata()), baseline.get_fillstyle()) == ([4.2], "none")
    assert (list(majority.get_xdata()), majority.get_fillstyle()) == ([5.0], "full")
    assert legend(figure) == ["printed", "fitted to it", "predicted"]


def test_settings_run_downwards_in_every_panel_and_one_label_set_is_enough():
    for ax in figures.fitted_costs(fitted("clean07")).axes:
        bottom, top = ax.get_ylim()
        assert bottom > top


def test_a_scheme_has_the_colour_of_its_family():
    names = {
        "baseline": "one label",
        "1-overlap": "one label",
        "11-overlap": "all labels",
        "mv3": "majority",
        "highest-3": "highest",
        "if-good-4": "selective",
        "good-till-bad": "selective",
        "if-good-x3": "weights",
        "mean-3": "mean, Dawid-Skene",
        "if-good-mean-3": "mean, Dawid-Skene",
        "gain-3": "mean, Dawid-Skene",
        "dawid-skene-3": "mean, Dawid-Skene",
    }
    assert {name: schemes.family(name) for name in names} == names
    assert len({to_rgb(colour) for colour in schemes.FAMILIES.values()}) == len(schemes.FAMILIES)
    assert schemes.scheme_colour("mv3") == schemes.FAMILIES["majority"]


def gains(**columns):
    rows = {"ranker": "LambdaRank", "setting": ["baseline", "mv3", "if-good-3"], "ours": [0, 0.01, 0.02]}
    return pd.DataFrame(rows | columns)


def test_gains_are_in_points_and_in_the_papers_order():
    figure = figures.setting_gains(gains(paper=[0, 0.03, 0.01], slides=[0, 0.02, 0.01]))
    (ax,) = figure.axes
    assert [label.get_text() for label in ax.get_yticklabels()] == ["baseline", "if-good-3", "mv3"]
    assert points(ax.collections[0]) == [(0, 0), (2, 1), (1, 2)]
    assert [list(line.get_xdata()) for line in ax.lines[1:]] == [[0, 1, 3], [0, 1, 2]]
    assert ax.get_xlabel() == "gain in NDCG@3 over the baseline [points of .01]"
    assert legend(figure) == ["ours", "paper", "slides"]


def test_gains_without_slides_or_with_settings_that_were_not_printed():
    figure = figures.setting_gains(gains(paper=[0, np.nan, 0.01]))
    (ax,) = figure.axes
    assert [label.get_text() for label in ax.get_yticklabels()] == ["mv3", "baseline", "if-good-3"]
    assert legend(figure) == ["ours", "paper"]


def test_a_panel_for_each_ranker_in_the_order_of_the_frame():
    both = pd.concat([gains(paper=0.0), gains(paper=0.0).assign(ranker="LambdaMART")])
    assert [ax.get_title() for ax in figures.setting_gains(both).axes] == ["LambdaRank", "LambdaMART"]


def runs(label_set, ndcg, ranker="LambdaRank", draws=(-0.01, 0.01)):
    rows = [
        (label_set, ranker, setting, draw, mean + away)
        for setting, mean in ndcg.items()
        for draw, away in enumerate(draws)
    ]
    return pd.DataFrame(rows, columns=["label_set", "ranker", "setting", "draw", "ndcg@3"])


def test_the_baseline_is_k_1_and_good_till_bad_the_last_place():
    means = {"if-good-3": 0.5, "baseline": 0.4, "mv3": 0.9, "if-good-2": 0.45, "good-till-bad": 0.48}
    grid = figures.if_good_curves(pd.concat([runs("clean07", means), runs("clean+", {"baseline": 0.3})]))
    assert list(grid.axes_dict) == ["clean07, LambdaRank", "clean+, LambdaRank"]
    first, second = grid.axes_dict.values()
    curves = [(list(line.get_xdata()), pytest.approx(list(line.get_ydata()))) for line in first.lines]
    assert ([1, 2, 3], [0.4, 0.45, 0.5]) in curves
    assert ([4], [0.48]) in curves
    assert curves[-1] == ([0, 1], [0.4, 0.4])
    assert [label.get_text() for label in first.get_xticklabels()] == ["baseline", "2", "3", "good-\ntill-bad"]
    assert [label.get_text() for label in second.get_xticklabels()] == ["baseline"]
    assert (first.get_xlabel(), first.get_ylabel()) == ("k of if-good-k", "test NDCG@3")


def test_one_draw_has_a_curve_without_intervals():
    grid = figures.if_good_curves(runs("clean+", {"baseline": 0.4, "if-good-2": 0.5}, draws=(0,)))
    (ax,) = grid.axes_dict.values()
    assert list(ax.lines[0].get_ydata()) == [0.4, 0.5]


def plane(**columns):
    frame = pd.DataFrame(
        {
            "ranker": "LambdaMART",
            "setting": ["baseline", "3-overlap", "if-good-3", "mv3", "if-good-mean-3", "mean-3"],
            "labels": [1.0, 3.0, 1.4, 3.0, 1.4, 3.0],
            "squared_error": [0.5, 0.2, 0.3, 0.2, 0.3, 0.2],
            "difference": [np.nan, 0.02, 0.03, 0.01, -0.01, 0.025],
            "efficient": [True, False, True, False, False, False],
        }
    )
    return frame.assign(low=frame["difference"] - 0.004, high=frame["difference"] + 0.005, **columns)


def test_every_scheme_of_the_plane_has_a_point_an_interval_and_a_name_above_it():
    figure = figures.cost_plane(plane(), {"LambdaMART": "LambdaMART: all is well"})
    (ax,) = figure.axes
    bars, marks = ax.collections
    named = dict(zip(texts(ax), points(marks), strict=True))
    assert {name: y for name, (_, y) in named.items()} == pytest.approx(
        {"baseline": 0, "if-good-3": 3, "if-good-mean-3": -1, "3-overlap": 2, "mv3": 1, "mean-3": 2.5}
    )
    ends = dict(zip(texts(ax), (segment[:, 1] for segment in bars.get_segments()), strict=True))
    np.testing.assert_allclose(ends["mv3"], [0.6, 1.5])
    assert {text.get_text(): text.xy for text in ax.texts}["mv3"] == pytest.approx((named["mv3"][0], 1.5))
    assert ax.get_title() == "LambdaMART: all is well"
    assert axes_labels(figure) == [("labels bought a pair", "gain in NDCG@3 over the baseline [points of .01]")]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "1.5", "2", "3"]


def test_schemes_of_one_price_stand_side_by_side_and_those_on_the_front_are_filled():
    (ax,) = figures.cost_plane(plane()).axes
    marks = ax.collections[1]
    x = marks.get_offsets()[:, 0]
    assert np.diff(np.sort(x)).min() > 0.1
    assert x.min() == 0  # the logarithm of one label
    filled = [name for name, colour in zip(texts(ax), marks.get_facecolors(), strict=True) if colour[:3].sum() < 3]
    assert filled == ["baseline", "if-good-3"]
    assert ax.get_title() == "LambdaMART"


def test_no_interval_of_any_ranker_is_cut():
    high = plane(ranker="RankSVM").assign(high=0.2)
    for rows in ([high, plane()], [plane(), high]):
        for ax in figures.cost_plane(pd.concat(rows)).axes:
            assert ax.get_ylim()[0] < -1.4
            assert ax.get_ylim()[1] > 20


def test_where_nothing_could_be_held_against_one_label_the_plane_is_empty_but_drawn():
    alone = plane().assign(difference=np.nan, low=np.nan, high=np.nan)
    assert np.isfinite(figures.cost_plane(alone).axes[0].get_ylim()).all()


@pytest.mark.parametrize("places", [[0.0, 0.0, 0.0], [0.0, 0.2, 0.25, 3.0], [1.0]])
def test_places_that_are_spread_keep_their_order_and_their_distance(places):
    moved = overlap.spread(places, 0.1)
    assert (np.diff(moved) >= 0.1 - 1e-12).all()
    assert (moved >= places).all()
    np.testing.assert_array_equal(overlap.spread(moved, 0.1), moved)


def test_the_same_labels_stand_beside_each_other_trained_on_and_averaged():
    both = pd.concat([plane(), plane(ranker="RankSVM")])
    figure = figures.same_labels({"here": both, "there": plane().query("setting != 'mean-3'")}, "a title")
    assert [ax.get_title() for ax in figure.axes] == ["here, LambdaMART", "here, RankSVM", "there, LambdaMART"]
    first, _, last = figure.axes
    assert [line.get_ydata()[0] for line in first.lines[1:]] == pytest.approx([3, -1, 2, 2.5])
    colours = [to_rgb(line.get_color()) for line in first.lines[1:]]
    assert colours[1] == colours[3] == to_rgb(schemes.scheme_colour("mean-3"))
    assert colours[0] == to_rgb(schemes.scheme_colour("if-good-3"))
    assert len(last.lines) == 3  # without mean-3 there is one pair
    assert [label.get_text() for label in last.get_xticklabels()] == [
        "labels of if-good-3:\n1.40 a pair,\nsquared error 0.30"
    ]
    assert figure.get_suptitle() == "a title"
    assert legend(figure) == ["each of if-good-3's labels", "each of three labels", "their mean"]


def doublings(ranker):
    rows = [
        (ranker, way, at, gain + shift, gain + shift - 0.01, gain + shift + 0.02)
        for at, shift in (("4 documents, 1 label", 0), ("8 documents, 2 labels", 0.1))
        for way, gain in (("another query", 0.03), ("another document", 0.02), ("another judge", 0.01))
    ]
    rows.append((ranker, "another judge or another query", "4 documents, 1 label", -0.02, -0.03, 0.01))
    return pd.DataFrame(rows, columns=["ranker", "question", "at", "difference", "low", "high"])


def test_each_way_to_double_a_budget_has_a_point_at_each_start():
    tables = {"here": pd.concat([doublings("LambdaRank"), doublings("RankSVM")])}
    figure = figures.ways_to_double(tables, "a title")
    assert [ax.get_title() for ax in figure.axes] == ["here, LambdaRank", "here, RankSVM"]
    ax = figure.axes[0]
    by_colour = {}
    for line in ax.lines[1:]:
        by_colour.setdefault(line.get_color(), []).append(round(line.get_ydata()[0], 6))
    assert by_colour == {
        figures.WAYS["another query"]: [3, 13],
        figures.WAYS["another document"]: [2, 12],
        figures.WAYS["another judge"]: [1, 11],
    }
    np.testing.assert_allclose(ax.collections[0].get_segments()[0][:, 1], [2, 5])
    assert [label.get_text() for label in ax.get_xticklabels()] == ["4 docs,\n1 label", "8 docs,\n2 labels"]
    assert legend(figure) == ["another query", "another document", "another judge"]
    assert figure.get_suptitle() == "a title"


def test_names_do_not_cover_each_other_or_other_points():
    ax = plt.figure(figsize=(6, 4)).add_subplot()
    x, y = np.repeat([1.0, 1.1], 4), np.tile([1.0, 1.03, 1.06, 1.09], 2)
    ax.set(xlim=(0, 2), ylim=(0, 2))
    write_names(ax, x, y, [f"if-good-{i}" for i in range(8)])
    ax.figure.canvas.draw()
    boxes = [Text.get_window_extent(text) for text in ax.texts]
    assert not any(first.overlaps(second) for first, second in combinations(boxes, 2))
    assert not any(box.contains(*ax.transData.transform(point)) for box in boxes for point in zip(x, y, strict=True))
    assert all(ax.bbox.contains(*corner) for box in boxes for corner in box.corners())


def against(cells, settings, ndcg, low, high):
    """A frame of the tables that hold differences from the baseline, the first of the settings, in every cell."""
    return pd.DataFrame(
        [
            cell
            | {"setting": setting, "ndcg@3": value, "difference": value - ndcg[0] if i else np.nan}
            | {"low": low[i], "high": high[i]}
            for cell in cells
            for i, (setting, value) in enumerate(zip(settings, ndcg, strict=True))
        ]
    )


def test_a_line_for_each_setting_by_budget_filled_where_it_clearly_differs():
    cells = [{"ranker": "LambdaRank", "budget": budget} for budget in (1.0, 0.125)]
    table = against(
        cells, ["baseline", "if-good-2", "if-good-3"], [0.4, 0.5, 0.41], [np.nan, 0.05, -0.1], [np.nan, 0.2, 0.1]
    )
    figure = figures.budget_curves(table)
    (ax,) = figure.axes
    lines = {line.get_label(): line for line in ax.lines if line.get_marker() == "o" and line.get_linestyle() != "None"}
    assert list(lines) == ["baseline", "if-good-2", "if-good-3"]
    assert list(lines["if-good-3"].get_xdata()) == [0.125, 1.0]
    assert list(lines["if-good-3"].get_ydata()) == [0.41, 0.41]
    assert lines["if-good-2"].get_linestyle() != lines["if-good-3"].get_linestyle()
    assert lines["if-good-2"].get_color() == lines["if-good-3"].get_color()
    filled = [list(line.get_ydata()) for line in ax.lines if line.get_linestyle() == "None"]
    assert filled == [[], [0.5, 0.5], []]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["0.125", "1"]
    assert axes_labels(figure) == [("budget [labels for each pair of the label set]", "test NDCG@3")]
    assert legend(figure) == ["baseline", "if-good-2", "if-good-3", "clearly other\nthan the baseline"]


def judged():
    cells = [{"noise_irrelevant": x, "noise_relevant": y} for x in (0.5, 1.0) for y in (0.25, 0.5)]
    table = against(cells, ["baseline", "if-good-3"], [0.4, 0.42], [np.nan, 0.01], [np.nan, 0.03])
    table["wins"] = table["setting"] == "if-good-3"
    first = (table["noise_irrelevant"] == 0.5) & (table["noise_relevant"] == 0.25)
    table.loc[first, ["difference", "low"]] = [-0.01, -0.02]
    table.loc[first & (table["setting"] == "baseline"), "difference"] = np.nan
    table.loc[first, "wins"] = table["setting"] == "baseline"
    return table.assign(clear=lambda t: t["low"] > 0)


def test_a_cell_names_its_winner_and_lead():
    figure = figures.judge_map(judged(), {}, "a title")
    (ax,) = figure.axes
    winners = {tuple(np.round(text.get_position(), 4)): text.get_text() for text in ax.texts}
    assert winners[0.5, 0.1375] == "one label"
    assert winners[1.0, 0.3875] == "if-good-3 +2.0 *"
    assert axes_labels(figure)[0] == (
        "noise about irrelevant documents [grades]",
        "noise about relevant documents [grades]",
    )
    assert ax.get_title() == "a title"


def test_a_cell_has_the_colour_of_its_winners_family():
    left = figures.judge_map(judged(), {}).axes[0]
    mesh = left.collections[0]
    found = mesh.cmap(mesh.norm(mesh.get_array()))[..., :3]
    expected = [schemes.scheme_colour(setting) for setting in ("baseline", "if-good-3")]
    np.testing.assert_allclose(found[0], expected, atol=0.01)


def test_judges_stand_at_their_noises_even_beyond_the_outer_cells_middle():
    judges = {"clean07": Settings(0, 0.6, 0.3, 0), "clean+": Settings(0, 1.05, 0.45, 0)}
    figure = figures.judge_map(judged(), judges)
    for ax in figure.axes:
        marks = {line.get_label(): (*line.get_xdata(), *line.get_ydata()) for line in ax.lines}
        assert marks == {"clean07": (0.6, 0.3), "clean+": (1.05, 0.45)}
        assert ax.get_xlim()[0] <= 0.25
        assert ax.get_xlim()[1] >= 1.05
    assert legend(figure) == ["one label", "selective", "clean07", "clean+"]
