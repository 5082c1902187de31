"""One look for every figure, and the same colour for the same thing everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

COLOURS = sns.color_palette("colorblind")
ACROSS = 3
"""Panels in a row, so that those of six rankers can be read."""


def set_look() -> None:
    """The look of every figure: white, light grid, colours that a colour-blind reader can tell apart.

    From then on a dollar in a table is a dollar too, and begins no formula.
    """
    sns.set_theme(context="notebook", style="whitegrid", palette="colorblind")
    pd.set_option("display.html.use_mathjax", False, "styler.html.mathjax", False)


def unread(text: str) -> str:
    r"""The text as matplotlib takes it where its dollars are dollars, and begin no formula.

    >>> unread("$5 to $9")
    '\\$5 to \\$9'
    """
    return str(text).replace("$", r"\$")


def save(drawn: Figure | sns.FacetGrid, path: str | Path) -> None:
    """Write what was drawn to the file at path and close it, so that a notebook does not show it once more."""
    drawn.savefig(path, dpi=100)
    plt.close(drawn.figure)


def whose(drawn: Figure | sns.FacetGrid, data: str) -> Figure | sns.FacetGrid:
    """What was drawn, with a line above it that says of which data it is."""
    drawn.figure.text(0, 1.01, f"data: {unread(data)}", fontsize="small", color="0.35", ha="left", va="bottom")
    return drawn


def wrap(panels: int) -> int | None:
    """Panels in a row of a grid of that many panels, as seaborn's `col_wrap`: ACROSS where there are more, else all.

    >>> wrap(2), wrap(6)
    (None, 3)
    """
    return ACROSS if panels > ACROSS else None


def in_rows(
    n: int, size: tuple[float, float], legend: float = 0, across: int = ACROSS, **options: Any
) -> tuple[plt.Figure, np.ndarray]:
    """A figure of panels in rows, and its axes.

    Parameters
    ----------
    n : number of panels
    size : width and height of each [inches]
    legend : width that is kept on the right for one [inches]
    across : most panels of a row
    options : of matplotlib's `subplots`

    >>> figure, axes = in_rows(4, (2, 1))
    >>> figure.get_size_inches(), len(axes), len(figure.axes)
    (array([6., 2.]), 4, 4)
    """
    across, down = min(n, across), -(-n // across)
    figure, axes = plt.subplots(
        down,
        across,
        figsize=(size[0] * across + legend, size[1] * down),
        squeeze=False,
        layout="constrained",
        **options,
    )
    for empty in axes.ravel()[n:]:
        empty.remove()
    return figure, axes.ravel()[:n]
