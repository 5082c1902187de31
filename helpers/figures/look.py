"""One look for every figure, and the same colour for the same thing everywhere."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import seaborn as sns
from matplotlib.figure import Figure

COLOURS = sns.color_palette("colorblind")


def set_look() -> None:
    """The look of every figure: white, light grid, colours that a colour-blind reader can tell apart."""
    sns.set_theme(context="notebook", style="whitegrid", palette="colorblind")


def save(drawn: Figure | sns.FacetGrid, path: str | Path) -> None:
    """Write a figure to a file and close it, so that a notebook does not show it once more."""
    drawn.savefig(path, dpi=100)
    plt.close(drawn.figure)


def whose(drawn: Figure | sns.FacetGrid, data: str) -> Figure | sns.FacetGrid:
    """The figure, with a line above it that says of which data it is."""
    drawn.figure.text(0, 1.01, f"data: {data}", fontsize="small", color="0.35", ha="left", va="bottom")
    return drawn
