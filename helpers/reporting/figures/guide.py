"""The picture of an answer: what was measured, with intervals, a row each."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from helpers.reporting.figures.look import COLOURS

ROW, AROUND = 0.3, 1.1
"""Inches of a row, and of the title and axis around them."""


def intervals(
    rows: pd.DataFrame, title: str, axis: str, *, neutral: float | None = None, log: bool = False
) -> plt.Figure:
    """A dot and a line for each row; filled where it rests on real data, open where it is synthetic.

    Parameters
    ----------
    rows : frame name, value, low, high, real
    title : the finding
    axis : what is measured, and its unit
    neutral : value at which nothing is gained or lost, marked by a line
    log : whether the axis is logarithmic
    """
    figure, ax = plt.subplots(figsize=(8.5, ROW * len(rows) + AROUND), layout="constrained")
    places = range(len(rows) - 1, -1, -1)
    if neutral is not None:
        ax.axvline(neutral, color="0.4", linewidth=1)
    ax.hlines(places, rows["low"], rows["high"], color=COLOURS[0], linewidth=1.8)
    filled = [COLOURS[0] if real else "white" for real in rows["real"]]
    ax.scatter(rows["value"], places, s=42, color=filled, edgecolors=COLOURS[0], linewidths=1.6, zorder=3)
    ax.set_yticks(places, rows["name"])
    ax.set_ylim(-0.6, len(rows) - 0.4)
    ax.set_xlabel(f"{axis}{'' if rows['real'].all() else '; open: synthetic'}")
    if log:
        ax.set_xscale("log", base=2)
        ax.xaxis.set_major_locator(LogLocator(2))
        ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        ax.xaxis.set_minor_formatter(NullFormatter())
    ax.grid(axis="y", visible=False)
    ax.set_title(title, loc="left", fontsize="medium", wrap=True)
    return figure
