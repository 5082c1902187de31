"""Names beside points, where they do not lie on each other."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.text import Text
from matplotlib.transforms import Bbox

RADIUS = 6  # of a point, in points of 1/72 inch
PLACES = [
    (side * across, up)
    for across, ups in ((8, (-8, 8, 0)), (0, (12, -12)), (8, (16, -16, 24, -24, 34, -34)), (20, (44, -44, 56, -56)))
    for up in ups
    for side in ((1, -1) if across else (0,))
]
"""Offsets of a name from its point, the best first: at a slant, where steps and bars through the point do not run."""

ALIGNED = {1: "left", 0: "center", -1: "right"}
"""Which part of a name an offset to the right, to neither side or to the left puts there."""


def write_names(ax: plt.Axes, x: Sequence[float], y: Sequence[float], names: Sequence[str], size: float = 9) -> None:
    """Write a name beside each point, at the first of PLACES that covers no point and no other name, or the least.

    To be called when the figure is otherwise complete, as places are measured on it.

    Parameters
    ----------
    ax : where the points are
    x, y : (n,) of the points
    names : a text for each point
    size : of the letters, in points
    """
    ax.figure.canvas.draw()
    dots = ax.figure.dpi / 72
    centres = ax.transData.transform(np.column_stack([x, y]))
    taken = [Bbox([centre - RADIUS * dots, centre + RADIUS * dots]) for centre in centres]
    for i in np.argsort(-centres[:, 1], kind="stable"):
        text = ax.annotate(
            names[i], (x[i], y[i]), PLACES[0], textcoords="offset points", size=size, va="center", in_layout=False,
            arrowprops={"arrowstyle": "-", "color": "0.6", "linewidth": 0.7, "shrinkA": 0, "shrinkB": 3},
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1, "alpha": 0.75},
        )  # fmt: skip
        extent = Text.get_window_extent(text)
        boxes = [_box(centres[i], np.multiply(place, dots), extent) for place in PLACES]
        best = np.argmin([_covered(box, taken[:i] + taken[i + 1 :], ax.bbox) for box in boxes])
        text.set(position=PLACES[best], horizontalalignment=ALIGNED[np.sign(PLACES[best][0])])
        taken.append(boxes[best])


def write_at_ends(
    ax: plt.Axes, x: Sequence[float], y: Sequence[float], names: Sequence[str], colours: Sequence, apart: float = 0.055
) -> None:
    """Write the name of each line to the right of its end, in its colour, the names one above the other.

    To be called when the limits of the axes are set.

    Parameters
    ----------
    ax : where the lines are
    x, y : (n,) of the ends
    names, colours : one for each line
    apart : least distance of two names, as a share of the height of the axes
    """
    low, high = ax.get_ylim()
    order = np.argsort(y, kind="stable")
    steps = apart * (high - low) * np.arange(len(order))
    heights = np.maximum.accumulate(np.asarray(y)[order] - steps) + steps
    for i, height in zip(order, heights, strict=True):
        ax.annotate(names[i], (x[i], height), (6, 0), textcoords="offset points", size=9, va="center", color=colours[i])


def _box(centre: np.ndarray, offset: np.ndarray, extent: Bbox) -> Bbox:
    """What a name of that extent covers at an offset from its point."""
    left = {1: 0, 0: -extent.width / 2, -1: -extent.width}[np.sign(offset[0])]
    return Bbox.from_bounds(*(centre + offset + (left, -extent.height / 2)), extent.width, extent.height)


def _covered(box: Bbox, others: Sequence[Bbox], inside: Bbox) -> float:
    """Area of a box that lies on others or outside the axes."""
    shared = [Bbox.intersection(box, other) for other in (*others, inside)]
    areas = [common.width * common.height if common else 0.0 for common in shared]
    return sum(areas[:-1]) + box.width * box.height - areas[-1]
