"""The pictures of the guide."""

import pandas as pd
import pytest
from matplotlib.colors import to_hex

from helpers.reporting.figures import guide, ledger

pytestmark = pytest.mark.usefixtures("closed_figures")


def test_a_row_has_its_dot_and_its_interval_and_is_open_where_it_is_synthetic():
    rows = pd.DataFrame({"name": ["a", "b"], "value": [1.0, 2.0], "low": 0.5, "high": 3.0, "real": [True, False]})
    [ax] = guide.intervals(rows, "b is larger", "size [m]", neutral=0).axes
    lines, dots = ax.collections
    assert dots.get_offsets().tolist() == [[1.0, 1.0], [2.0, 0.0]]
    assert to_hex(dots.get_facecolors()[1]) == "#ffffff" != to_hex(dots.get_facecolors()[0])
    assert [segment[:, 0].tolist() for segment in lines.get_segments()] == [[0.5, 3.0], [0.5, 3.0]]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]
    assert ax.get_title(loc="left") == "b is larger"
    assert ax.get_xlabel() == "size [m]; open: synthetic"


def test_an_axis_of_depths_has_plain_numbers():
    rows = pd.DataFrame({"name": ["a"], "value": [8.0], "low": 2.0, "high": 64.0, "real": True})
    figure = guide.intervals(rows, "t", "documents", log=True)
    figure.canvas.draw()
    assert "16" in [label.get_text() for label in figure.axes[0].get_xticklabels()]


def verdicts(*rows):
    return pd.DataFrame(rows, columns=["study", "claim", "data", "ranker", "verdict", "rests_on"])


def cells(figure):
    """(left, width, colour, hatch) of every verdict that was drawn."""
    patches = figure.axes[0].patches
    return [(p.get_x(), p.get_width(), to_hex(p.get_facecolor()), p.get_hatch()) for p in patches]


def test_a_ledger_has_a_part_for_each_ranker_and_tells_verdicts_without_their_colours():
    figure = ledger.ledger(
        verdicts(
            ("04", "A", "x", "R", "reproduced", "real"),
            ("04", "A", "x", "S", "not reproduced", "real"),
            ("04", "B", "x", "", "undecided", "real"),
        ),
        {"04": "Deep?"},
        "Mixed",
    )
    hatched, dark, light = cells(figure)
    assert hatched[1] == dark[1] == pytest.approx(light[1] / 2)
    assert [bool(hatched[3]), bool(dark[3]), bool(light[3])] == [True, False, False]
    assert len({hatched[2], dark[2], light[2]}) == 3
    said = [text.get_text() for text in figure.axes[0].texts]
    assert {"Mixed", "04  Deep?", "A", "B", "x"} <= set(said)


def test_what_does_not_rest_on_real_data_stands_apart_on_the_right_under_the_same_name():
    figure = ledger.ledger(
        verdicts(
            ("03", "A", "five", "R", "reproduced", "real"),
            ("03", "B", "five", "R", "reproduced", "hangs on TD2003"),
            ("03", "B", "drawn", "R", "undecided", "synthetic"),
        ),
        {},
        "t",
    )
    lefts = sorted(cell[0] for cell in cells(figure))
    assert lefts[1] - lefts[0] > 1.5  # a gap
    assert [text.get_text() for text in figure.axes[0].texts].count("five") == 2
