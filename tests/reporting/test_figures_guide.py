"""The pictures of the guide."""

import pandas as pd
import pytest
from matplotlib.colors import to_hex

from helpers.reporting.figures import guide

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
