"""One look for every figure, and the same colour for the same thing everywhere."""

from __future__ import annotations

import seaborn as sns

COLOURS = sns.color_palette("colorblind")


def set_look() -> None:
    """The look of every figure: white, light grid, colours that a colour-blind reader can tell apart."""
    sns.set_theme(context="notebook", style="whitegrid", palette="colorblind")
