"""The verdicts on all claims as one picture."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.patches import Patch, Rectangle

from helpers.reporting.answers import REAL
from helpers.reporting.verdicts import VERDICTS

LOOKS = {
    "reproduced": {"facecolor": "#0b559f", "hatch": ""},
    "undecided": {"facecolor": "#e6e6e6", "hatch": ""},
    "not reproduced": {"facecolor": "#f4a261", "hatch": "////"},
}
"""A verdict is dark, light, or hatched, so that it can be told without its colour."""

WIDE = 72
"""Letters of a claim in a line."""

TITLE = 52
"""Letters of a study's title in a line."""

GAP = 0.6
"""Between verdicts that rest on real data and others, in cells."""

WIDTH, HEIGHT, LABEL = 0.42, 0.26, 4.9
"""Inches of a cell, and of the claim in front of it."""

HEAD = 3.2
"""Heights of cells above the claims of a study, for its title and the names of its data sets."""

NAME = 2
"""Widths of cells that the name of the last data set takes."""


def ledger(verdicts: pd.DataFrame, titles: Mapping[str, str], title: str) -> plt.Figure:
    """Every claim by the data that it was measured on: a cell for each, divided where several rankers were tried.

    Verdicts that rest on real data stand on the left, those that do not on the right.

    Parameters
    ----------
    verdicts : frame study, claim, data, ranker, verdict, rests_on, of `claims.ledger`
    titles : study -> its title
    title : the finding
    """
    frame = verdicts.assign(real=verdicts["rests_on"] == REAL)
    columns = {study: _columns(rows) for study, rows in frame.groupby("study")}
    across = max(places[-1] for _, places in columns.values()) + NAME
    down = sum(HEAD + rows["claim"].nunique() for _, rows in frame.groupby("study")) + 2
    figure, ax = plt.subplots(figsize=(LABEL + WIDTH * across, HEIGHT * down))
    figure.subplots_adjust(left=LABEL / (LABEL + WIDTH * across), right=1, bottom=0, top=1)
    ax.set(xlim=(0, across), ylim=(down, 0))
    ax.axis("off")
    ax.text(-LABEL / WIDTH + 0.1, 0.6, title, size=11, va="center")
    _legend(ax)
    top = 2.0
    for study, rows in frame.groupby("study"):
        top = _study(ax, rows, top, f"{study}  {titles.get(study, '')}", *columns[study])
    return figure


def _columns(rows: pd.DataFrame) -> tuple[list[tuple[bool, str]], list[float]]:
    """(whether real, data set) of each column of a study, real first, and where it stands, in cells."""
    keys = sorted(set(zip(~rows["real"], rows["data"], strict=True)))
    found = [(not other, data) for other, data in keys]
    apart = GAP * any(real for real, _ in found)
    return found, [place + (0 if real else apart) for place, (real, _) in enumerate(found)]


def _study(
    ax: plt.Axes, rows: pd.DataFrame, top: float, title: str, columns: list[tuple[bool, str]], places: list[float]
) -> float:
    """Draw a study from that height on, and return where it ends."""
    ax.text(-LABEL / WIDTH + 0.1, top + HEAD - 0.8, textwrap.fill(title, TITLE), size=10, weight="bold", va="center")
    for (real, data), place in zip(columns, places, strict=True):
        ax.text(
            place + 0.35, top + HEAD - 0.1, data, size=8, rotation=35, va="bottom", color="black" if real else "#8a4b00"
        )
    top += HEAD
    for claim, found in rows.groupby("claim", sort=False):
        ax.text(
            -0.15,
            top + 0.5,
            textwrap.fill(claim, WIDE, break_on_hyphens=False),
            size=8,
            ha="right",
            va="center",
            linespacing=0.95,
        )
        for key, cell in found.groupby(["real", "data"]):
            _cell(ax, places[columns.index(key)], top, cell["verdict"].sort_values(key=lambda v: v.map(VERDICTS.index)))
        top += 1
    return top


def _cell(ax: plt.Axes, left: float, top: float, verdicts: pd.Series) -> None:
    """A cell of one part for each ranker."""
    width = 0.9 / len(verdicts)
    for part, verdict in enumerate(verdicts):
        place = (left + 0.05 + part * width, top + 0.08)
        ax.add_patch(Rectangle(place, width, 0.84, edgecolor="white", linewidth=0.6, **LOOKS[verdict]))


def _legend(ax: plt.Axes) -> None:
    handles = [Patch(edgecolor="white", label=verdict, **look) for verdict, look in LOOKS.items()]
    handles += [
        Patch(facecolor="none", edgecolor="none", label="black: real data"),
        Patch(facecolor="none", edgecolor="none", label="brown: synthetic in part or whole"),
    ]
    ax.legend(
        handles=handles,
        loc="upper left",
        bbox_to_anchor=(-LABEL / WIDTH + 0.1, 1.2),
        bbox_transform=ax.transData,
        ncols=len(handles),
        frameon=False,
        fontsize=8,
        borderpad=0,
        handlelength=1.6,
        columnspacing=1.2,
    )
