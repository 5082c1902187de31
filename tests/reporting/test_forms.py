"""The forms that figures have, their palette, and their titles and texts, on tables made by hand."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from drawn import dots, numbers, segments
from IPython.core.formatters import DisplayFormatter
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex

from helpers.reporting import figures, verdicts
from helpers.reporting.figures import forms, look

pytestmark = pytest.mark.usefixtures("closed_figures")
WHITE = "#ffffff"


def faces(dots):
    return [to_hex(face) for face in dots.get_facecolor()]


def ticks(axis):
    axis.figure.canvas.draw()
    return [label.get_text() for label in axis.get_ticklabels()]


def test_a_colour_goes_by_name_and_a_portrait_has_that_of_its_original():
    assert look.colour("td2003-portrait") == look.colour("td2003")
    assert look.colour("mine", "black") == "black"
    with pytest.raises(ValueError, match="no colour for 'mine', expected one of"):
        look.colour("mine")


def test_what_has_no_colour_of_its_own_gets_one_that_nothing_else_there_has():
    given = look.colours(["mine", "LambdaMART", "yours", "LambdaMART"])
    assert given["LambdaMART"] == look.colour("LambdaMART")
    assert len({to_hex(tint) for tint in given.values()}) == len(given) == 3


def test_rankers_and_what_a_budget_buys_are_told_apart():
    for names in (["LambdaRank", "LambdaMART", "RankSVM", "RankBoost", "ListNet", "AdaRank"],
                  ["queries", "documents", "judges"], verdicts.WORDS):  # fmt: skip
        assert len({to_hex(look.colour(name)) for name in names}) == len(names)


def test_a_title_is_made_smaller_to_fit_and_one_that_does_not_is_an_error_in_tests_and_broken_elsewhere(monkeypatch):
    figure, _ = plt.subplots(figsize=(4, 2), layout="constrained")
    assert look.headed(figure, "As wide as that")._suptitle.get_fontsize() == 12
    wide = "A title that fits a little smaller than it was to be"
    assert look.headed(figure, wide)._suptitle.get_fontsize() < 12
    with pytest.raises(ValueError, match="times the width"):
        look.headed(figure, wide * 2)
    monkeypatch.delenv("LABEL_STUDIES_TITLES")
    assert "\n" in look.headed(figure, wide * 2).get_suptitle()


def test_what_a_figure_says_to_those_who_cannot_see_it_goes_with_its_picture():
    figure, _ = plt.subplots(figsize=(1, 1))
    _, metadata = DisplayFormatter().format(figures.described(figure, "Two bars."))
    assert metadata["image/png"] == {"alt": "Two bars."}
    assert figures.headed(figure, "T").alt == "T"


def test_dollars_in_a_title_are_no_formula():
    figure, _ = plt.subplots(figsize=(4, 2))
    assert look.headed(figure, "$5 to $9").get_suptitle() == r"\$5 to \$9"


def test_panels_stand_three_in_a_row_and_have_names():
    figure, axes = figures.panels(list("abcd"), 2)
    assert (figure.get_size_inches().tolist(), len(figure.axes)) == ([9.5, 4.0], 4)
    assert [ax.get_title() for ax in axes] == list("abcd")


def test_ticks_of_a_logarithmic_axis_are_plain_numbers_at_what_was_tried_or_at_powers():
    _, ax = plt.subplots()
    figures.log_ticks(ax.xaxis, [5, 10, 50])
    figures.log_ticks(ax.yaxis, range(1, 1001), 10)
    assert ticks(ax.xaxis) == ["5", "10", "50"]
    assert ticks(ax.yaxis)[:4] == ["1", "10", "100", "1,000"]


def lines():
    rows = {"x": [1, 2, 8, 1, 2, 8], "y": [1.0, 2, 3, 2, 3, 4], "of": ["LambdaRank"] * 3 + ["b"] * 3}
    frame = pd.DataFrame(rows)
    return frame.assign(low=frame["y"] - 0.5, high=frame["y"] + 0.5, few=frame["x"] == 8)


def test_curves_have_a_line_for_each_hue_and_none_crosses_a_gap():
    [ax] = figures.curves(lines(), "x", "y", "of", base=2).axes
    assert [line.get_xdata().tolist() for line in ax.lines] == [[1, 2, 8]] * 2
    assert to_hex(ax.lines[0].get_color()) == to_hex(look.colour("LambdaRank"))
    assert [text.get_text() for text in ax.figure.legends[0].get_texts()] == ["LambdaRank", "b"]
    _, ax = plt.subplots()
    forms.line(ax, lines()[:3], "x", "y", "black", gap=3, hollow="few")
    assert [line.get_xdata().tolist() for line in ax.lines] == [[1, 2], [8]]
    assert faces(ax.collections[0]).index(WHITE) == 2


def test_curves_have_their_intervals_as_bars_and_a_panel_for_each_name():
    axes = figures.curves(lines(), "x", "y", "of", panel="of", band="bars").axes
    assert [ax.get_title() for ax in axes] == ["LambdaRank", "b"]
    bars = axes[1].collections[0].get_segments()
    assert [segment[:, 1].tolist() for segment in bars] == [[1.5, 2.5], [2.5, 3.5], [3.5, 4.5]]


def rows(**columns):
    frame = {"name": ["a", "b"], "value": [1.0, 2.0], "low": 0.5, "high": 3.0}
    return pd.DataFrame(frame | columns)


def test_a_row_has_its_dot_and_its_interval_and_is_hollow_where_it_is_synthetic():
    [ax] = figures.intervals(rows(real=[True, False]), "size [m]", at=0).axes
    bars, dots = ax.collections
    assert dots.get_offsets().tolist() == [[1.0, 0.0], [2.0, 1.0]]
    assert faces(dots)[1] == WHITE != faces(dots)[0]
    assert [segment[:, 0].tolist() for segment in bars.get_segments()] == [[0.5, 3.0], [0.5, 3.0]]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]
    assert ax.get_xlabel() == "size [m]; hollow: synthetic"


def test_rows_of_two_hues_stand_beside_each_other():
    [ax] = figures.intervals(rows(name="a", by=["x", "y"]), "size", hue="by").axes
    places = [drawn.get_offsets().tolist() for drawn in ax.collections if isinstance(drawn, PathCollection)]
    assert places == [[[1.0, -0.25]], [[2.0, 0.25]]]
    assert ticks(ax.yaxis) == ["a"]


def test_worlds_stand_on_each_other_where_they_are_alike_and_their_mean_has_its_interval_by_hand():
    """Of .01, .012 and -.04 the mean is -.006; its standard error of .0170, times Student's 4.303, is .0732."""
    figure = figures.worlds([0.01, 0.012, -0.04], "gain")
    [ax] = figure.axes
    assert np.concatenate(dots(ax)).tolist() == [[-0.04, 1], [0.01, 1], [0.012, 2]]
    [bar] = segments(ax)
    assert bar[:, 0] == pytest.approx([-0.006 - 0.07320, -0.006 + 0.07320], abs=1e-4)
    assert numbers(figure) == pytest.approx([-0.04, 0.012, 3, -0.006, *bar[:, 0]], abs=5e-4)
    assert "2 of them above 0" in figure.alt


def test_a_map_has_its_numbers():
    ax = figures.heat(pd.DataFrame([[0.1, 0.25]], index=["r"], columns=["c", "d"]), "share")
    assert [text.get_text() for text in ax.texts] == ["0.10", "0.25"]
    assert ax.collections[0].colorbar.ax.get_ylabel() == "share"


def effects(**columns):
    given = {"claim": "R2", "collection": ["a", "b", "c", "d"], "basis": ["real"] * 3 + ["portrait"], "se": 0.002}
    given |= {"ranker": "LambdaRank", "measure": "NDCG@10", "effect": [0.001, 0.002, 0.003, 0.02]}
    frame = pd.DataFrame(given | columns)
    return frame.assign(low=frame["effect"] - 0.004, high=frame["effect"] + 0.004, queries=10, draws=5)


def test_a_claim_has_its_collections_portraits_hollow_and_its_pooled_effect():
    judged = verdicts.verdicts(effects())
    figure = figures.forest(judged, effects())
    [ax] = figure.axes
    collections, diamond = [dots for dots in ax.collections if isinstance(dots, PathCollection)][:2]
    assert collections.get_offsets()[:, 0].tolist() == [0.001, 0.002, 0.003, 0.02]
    assert [face == WHITE for face in faces(collections)] == [False, False, False, True]
    assert diamond.get_offsets()[0, 0] == pytest.approx(judged["measured"].item())
    assert "R2" in ax.get_yticklabels()[0].get_text()
    assert any("holds" in text.get_text() for text in ax.texts)
    assert "within .005 of 0" in ax.get_xlabel()
    assert "holds" in figure.alt


def test_words_over_the_margin_are_told_by_their_colours():
    words = verdicts.by_margin(effects(), np.array([0.0, 0.01]))
    ax = figures.strip(words, "t").axes[0]
    assert [to_hex(bar.get_facecolor()) for bar in ax.patches] == [to_hex(look.colour(word)) for word in words.iloc[0]]
