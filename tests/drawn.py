"""What a figure shows, read back from its artists: the numbers of its title, dots, lines, bars and segments."""

import re

import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex

NUMBER = re.compile(r"(?<![@\w.])[-+]?(?:\d[\d,]*)?\.?\d+")
RANGE = re.compile(rf"({NUMBER.pattern}(?: to {NUMBER.pattern})?)( %)?")


def written(figure):
    """The numbers of a title, as they are written."""
    return NUMBER.findall(figure.get_suptitle())


def numbers(figure):
    """The numbers of a title, per cent as shares."""
    found = RANGE.findall(figure.get_suptitle())
    values = [float(n.replace(",", "")) / (100 if unit else 1) for part, unit in found for n in NUMBER.findall(part)]
    assert values
    return values


def dots(ax):
    """Where the dots of a panel stand: (n, 2) of each that were drawn together."""
    return [np.asarray(found.get_offsets()) for found in ax.collections if isinstance(found, PathCollection)]


def marked(ax, marker="o"):
    """(n, 2) of what is drawn as lines with that marker, NaN left out."""
    found = [np.column_stack(line.get_data()).astype(float) for line in ax.lines if line.get_marker() == marker]
    places = np.concatenate(found) if found else np.empty((0, 2))
    return places[~np.isnan(places).any(axis=1)]


def segments(ax):
    """The two ends of every interval that is drawn as one of many lines."""
    return [ends for found in ax.collections if hasattr(found, "get_segments") for ends in found.get_segments()]


def lines(ax):
    """(n, 2) of each line of more than a point."""
    return [np.asarray(line.get_xydata()) for line in ax.lines if len(line.get_xdata()) > 1]


def by_colour(ax, style=None):
    """Colour -> (n, 2) of its lines, of one style if given, but for the line of no difference."""
    found = {}
    for line in ax.lines:
        points = np.asarray(line.get_xydata())
        if len(points) and not np.array_equal(points[:, 1], [0, 0]) and style in (None, line.get_linestyle()):
            found.setdefault(to_hex(line.get_color()), []).append(points)
    return {tint: np.concatenate(parts) for tint, parts in found.items()}
