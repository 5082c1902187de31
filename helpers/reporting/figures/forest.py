"""The pictures of claims: pooled effects over their collections, verdicts by the margin, answers of the guide."""

from __future__ import annotations

import textwrap

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import LogLocator

from helpers.reporting.answers import number
from helpers.reporting.figures.look import COLOURS, plain_ticks
from helpers.reporting.verdicts import PORTRAIT, WORDS, effect

ROW, AROUND, WIDTH = 0.46, 0.75, 9.5  # inches of a claim, of the axis and title of a panel, and of the figure

LETTERS = 56  # of a claim in a line
LOOKS = dict(zip(WORDS, (COLOURS[0], COLOURS[3], "0.75", "0.92"), strict=True))  # word of a verdict -> colour

ANSWER, AXIS = 0.3, 1.1  # inches of a row of an answer, and of the title and axis around them


def forest(judged: pd.DataFrame, effects: pd.DataFrame, title: str = "") -> plt.Figure:
    """Every claim as a row: its collections as dots, what they come to as a diamond, the margin as a band.

    Claims that are measured alike share an axis. A dot is filled where its collection is real and hollow where it is
    drawn from a portrait; a cross is what the paper prints.

    Parameters
    ----------
    judged : of `verdicts.verdicts`
    effects : that they were made from
    title : the finding

    Examples
    --------
    >>> from helpers.reporting.verdicts import EFFECTS, REAL, effect_row, verdicts
    >>> from helpers.metrics.significance import Effect
    >>> rows = [effect_row("Y1", "clean07", REAL, "both rankers", Effect(0.01, 0.002, 0.006, 0.014, 500, 10))]
    >>> effects = pd.DataFrame(rows, columns=EFFECTS)
    >>> figure = forest(verdicts(effects), effects, "More labels a pair help")
    >>> figure.get_suptitle()
    'More labels a pair help'
    >>> plt.close(figure)
    """
    parts = [rows for _, rows in judged.groupby(["measure", "margin", "value"], sort=False)]
    heights = [AROUND + ROW * len(rows) for rows in parts]
    figure, axes = plt.subplots(
        len(parts), 1, figsize=(WIDTH, sum(heights) + 0.3), height_ratios=heights, squeeze=False, layout="constrained"
    )
    for ax, rows in zip(axes[:, 0], parts, strict=True):
        _panel(ax, rows, effects)
    _legend(axes[0, 0])
    figure.suptitle(textwrap.fill(title, 2 * LETTERS), x=0, ha="left", size="medium")
    return figure


def _panel(ax: plt.Axes, rows: pd.DataFrame, effects: pd.DataFrame) -> None:
    for place, row in zip(range(len(rows) - 1, -1, -1), rows.to_dict("records"), strict=True):
        of_claim = effects[(effects["claim"] == row["claim"]) & (effects["ranker"].fillna("") == row["rankers"])]
        for hollow, found in of_claim.groupby(of_claim["basis"] == PORTRAIT):
            spread = place + 0.24 + np.linspace(-0.1, 0.1, len(found)) * (len(found) > 1)
            ax.hlines(spread, found["low"], found["high"], color="0.7", linewidth=0.8)
            face = "white" if hollow else "0.35"
            ax.scatter(found["effect"], spread, s=16, facecolors=face, edgecolors="0.35", linewidths=0.9, zorder=3)
        ax.plot([row["low"], row["high"]], [place - 0.14] * 2, color=COLOURS[0], linewidth=2.4)
        face = "white" if row["rests_on"] == PORTRAIT else COLOURS[0]
        ax.scatter(row["measured"], place - 0.14, s=60, marker="D", color=face, edgecolors=COLOURS[0], zorder=4)
        if not np.isnan(row["printed_effect"]):
            ax.scatter(row["printed_effect"], place - 0.14, s=48, marker="x", color=COLOURS[3], zorder=5)
        ax.annotate(
            f"{row['verdict']}\n{effect(row)}", (1.01, place), xycoords=("axes fraction", "data"), size=8, va="center"
        )
    margin, value = rows["margin"].iloc[0], rows["value"].iloc[0]
    if margin:
        ax.axvspan(value - margin, value + margin, color="0.92", zorder=0)
    ax.axvline(value, color="0.4", linewidth=0.9)
    names = [textwrap.fill(f"{row.claim}  {row.words}", LETTERS) for row in rows.itertuples()]
    ax.set_yticks(range(len(rows) - 1, -1, -1), names, size=8)
    ax.set_ylim(-0.6, len(rows) - 0.4)
    band = f"; grey: within {number(margin)} of {number(value) if value else 0}" if margin else ""
    ax.set_xlabel(f"{rows['measure'].iloc[0]}{band}", size=9)
    ax.tick_params(axis="x", labelsize=8)
    ax.grid(axis="y", visible=False)


def _legend(ax: plt.Axes) -> None:
    looks = [
        ("D", COLOURS[0], COLOURS[0], "pooled"),
        ("o", "0.35", "0.35", "a real collection"),
        ("o", "white", "0.35", "drawn from a portrait"),
        ("x", COLOURS[3], COLOURS[3], "printed"),
    ]
    handles = [
        Line2D([], [], linestyle="", marker=marker, markerfacecolor=face, markeredgecolor=edge, label=name)
        for marker, face, edge, name in looks
    ]
    ax.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=4, frameon=False, fontsize=8)


def strip(words: pd.DataFrame, title: str, axis: str = "difference in NDCG that counts as none") -> plt.Figure:
    """The verdict on each claim over the margin: a row a claim, a colour a word.

    Parameters
    ----------
    words : of `verdicts.by_margin`: claims by margins, evenly spaced
    title : the finding
    axis : what the margin is, and its unit

    Examples
    --------
    >>> words = pd.DataFrame([["holds", "cannot tell"]], index=["Half trains as well"], columns=[0.0, 0.005])
    >>> figure = strip(words, "The wider, the less is told")
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['Half trains as well']
    >>> plt.close(figure)
    """
    figure, ax = plt.subplots(figsize=(WIDTH, 0.24 * len(words) + 1.2), layout="constrained")
    step = words.columns[1] - words.columns[0]
    for place, (_, row) in enumerate(words.iterrows()):
        for margin, found in row.items():
            ax.barh(place, step, left=margin - step / 2, height=0.86, color=LOOKS[found])
    ax.set_yticks(range(len(words)), [textwrap.shorten(name, 2 * LETTERS) for name in words.index], size=7)
    ax.set_ylim(len(words) - 0.4, -0.6)
    ax.set_xlim(words.columns[0] - step / 2, words.columns[-1] + step / 2)
    ax.set_xlabel(axis, size=9)
    ax.grid(visible=False)
    handles = [Patch(color=colour, label=name) for name, colour in LOOKS.items()]
    ax.legend(handles=handles, loc="lower right", bbox_to_anchor=(1, 1), ncols=len(handles), frameon=False, fontsize=8)
    figure.suptitle(title, x=0, ha="left", size="medium")
    return figure


def intervals(
    rows: pd.DataFrame, title: str, axis: str, *, neutral: float | None = None, log: bool = False
) -> plt.Figure:
    """A dot and a line for each row; filled where it rests on real data, open where it is synthetic."""
    figure, ax = plt.subplots(figsize=(8.5, ANSWER * len(rows) + AXIS), layout="constrained")
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
        plain_ticks(ax.xaxis, LogLocator(2))
    ax.grid(axis="y", visible=False)
    ax.set_title(title, loc="left", fontsize="medium", wrap=True)
    return figure
