"""The few forms that most figures have: panels, claims and other rows with intervals, curves, worlds, maps, verdicts.

None sets a title: `look.headed` does, last. A frame is drawn as it is; what is left out of it, its caller says.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axis import Axis
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from scipy import stats

from helpers.reporting.answers import number, ranged, signed
from helpers.reporting.figures.look import ACROSS, WIDTH, colour, colours, described, headed, plain_ticks, unread
from helpers.reporting.verdicts import PORTRAIT, WORDS, effect

ROW, AROUND = 0.46, 0.75  # inches of a claim, and of the axis of a panel
LETTERS = 56  # of a claim in a line
LEGEND = {"loc": "outside lower center", "frameon": False, "fontsize": 10}


def panels(
    names: Sequence[str], height: float = 3.0, *, across: int = ACROSS, width: float = WIDTH, **options: Any
) -> tuple[plt.Figure, list[plt.Axes]]:
    """A figure with a panel for each name, which is its title, in rows of as many as `across`, and the panels."""
    across = min(len(names), across)
    down = -(-len(names) // across)
    figure, grid = plt.subplots(
        down, across, figsize=(width, height * down), squeeze=False, layout="constrained", **options
    )
    for empty in grid.ravel()[len(names) :]:
        empty.remove()
    for name, ax in zip(names, grid.ravel(), strict=False):
        ax.set_title(unread(name), fontsize=11)
    return figure, list(grid.ravel()[: len(names)])


def log_ticks(axis: Axis, values: Iterable[float], base: float = 2, shape: str = "{:,.4g}") -> None:
    """A logarithmic axis with plain numbers: at the values, or where these are many or odd at powers of the base."""
    held = np.unique(np.asarray(list(values), float))
    held = held[held > 0]
    powers = float(base) ** np.arange(-20, 40)
    powers = powers[(powers > 0.99 * held[0]) & (powers < 1.01 * held[-1])]
    many = len(held) > 8 or not np.allclose(held, held.round(2))
    axis.axes.set(**{f"{axis.axis_name}scale": "log"})
    plain_ticks(axis, powers if many and len(powers) > 1 else held, shape)


def legend(figure: plt.Figure, entries: dict[str, Any], line: str = "-", marker: str = "o", across: int = 5) -> None:
    """A legend below the panels, so many in a row: name -> colour, or a dict of what else its line has."""
    looks = [look if isinstance(look, dict) else {"color": look} for look in entries.values()]
    handles = [Line2D([], [], **({"linestyle": line, "marker": marker} | look)) for look in looks]
    figure.legend(handles, [unread(name) for name in entries], ncols=min(len(entries), across), **LEGEND)


def zero_line(ax: plt.Axes, at: float = 0.0, margin: float = 0.0, *, upright: bool = False) -> None:
    """The line of no difference, and the grey band of what counts as none."""
    line, span = (ax.axvline, ax.axvspan) if upright else (ax.axhline, ax.axhspan)
    line(at, color=colour("line"), linewidth=0.9, zorder=1)
    if margin:
        span(at - margin, at + margin, color=colour("band"), zorder=0)


def curves(
    table: pd.DataFrame,
    x: str,
    y: str,
    hue: str,
    *,
    band: str = "band",
    panel: str = "",
    base: float = 0,
    dots: bool = True,
    height: float = 3.2,
    **options: Any,
) -> plt.Figure:
    """A line for each hue through its points, with their intervals.

    Parameters
    ----------
    table : a row a point
    x, y, hue : columns
    band : intervals, of columns low and high, as a "band" or as "bars"; "" for none
    panel : column with a panel for each of its values
    base : of a logarithmic x; 0 for none
    dots : whether points are marked
    height, options : of panels

    Examples
    --------
    >>> table = pd.DataFrame({"judges": [1, 2], "ndcg": [0.5, 0.6], "ranker": "LambdaRank"})
    >>> figure = curves(table, "judges", "ndcg", "ranker", band="")
    >>> figure.axes[0].lines[0].get_ydata().tolist()
    [0.5, 0.6]
    >>> plt.close(figure)
    """
    names = list(dict.fromkeys(table[panel])) if panel else [""]
    figure, axes = panels(names, height, **options)
    palette = colours(table[hue])
    for name, ax in zip(names, axes, strict=True):
        shown = table[table[panel] == name] if panel else table
        for label, rows in shown.groupby(hue, sort=False):
            line(ax, rows.sort_values(x), x, y, palette[label], band, dots=dots)
        ax.set_xlabel(x)
        if ax.get_subplotspec().is_first_col():
            ax.set_ylabel(y)
        if base:
            log_ticks(ax.xaxis, shown[x], base)
    if len(palette) > 1:
        legend(figure, palette, marker="o" if dots else "")
    return figure


def line(
    ax: plt.Axes,
    rows: pd.DataFrame,
    x: str,
    y: str,
    tint: Any,
    band: str = "",
    *,
    hollow: str = "",
    gap: float = np.inf,
    dots: bool = True,
) -> None:
    """One line of `curves`; none joins points further apart than a gap, and those of which `hollow` is true are."""
    for _, piece in rows.groupby((rows[x].diff() > gap).cumsum()):
        ax.plot(piece[x], piece[y], color=tint, linewidth=1.6)
        if band == "band":
            ax.fill_between(piece[x], piece["low"], piece["high"], color=tint, alpha=0.15, linewidth=0)
    if band == "bars":
        ax.vlines(rows[x], rows["low"], rows["high"], color=tint, linewidth=1.2, alpha=0.7)
    if dots:
        faces = ["white" if is_hollow else tint for is_hollow in (rows[hollow] if hollow else [False] * len(rows))]
        ax.scatter(rows[x], rows[y], s=30, facecolors=faces, edgecolors=[tint], zorder=3)


def heat(wide: pd.DataFrame, label: str, ax: plt.Axes | None = None, **options: Any) -> plt.Axes:
    """A map of numbers with each written into its cell, and a bar that says what they are."""
    ax = ax or plt.subplots(figsize=(WIDTH, 1.6 + 0.4 * len(wide)), layout="constrained")[1]
    look = {"annot": True, "fmt": ".2f", "cmap": "crest", "cbar_kws": {"label": label}, "linewidths": 0.5}
    sns.heatmap(wide, ax=ax, **(look | options))
    ax.tick_params(axis="y", rotation=0)
    return ax


def intervals(rows: pd.DataFrame, axis: str, *, hue: str = "", at: float | None = None) -> plt.Figure:
    """A row for each name: a dot with its interval.

    Parameters
    ----------
    rows : frame name, value, low, high; `real`, where it is there, says which dots are filled
    axis : what the values are, and their unit
    hue : column with a colour for each of its values
    at : line of no difference

    Examples
    --------
    >>> rows = pd.DataFrame({"name": ["chorus"], "value": [0.8], "low": [0.7], "high": [0.9]})
    >>> figure = intervals(rows, "nDCG@10")
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['chorus']
    >>> plt.close(figure)
    """
    names = list(dict.fromkeys(rows["name"]))
    palette = colours(rows[hue]) if hue else {"": colour("measured")}
    figure, ax = plt.subplots(
        figsize=(WIDTH, 1.4 + 0.32 * len(names) * max(1, 0.5 * len(palette))), layout="constrained"
    )
    if at is not None:
        zero_line(ax, at, upright=True)
    steps = np.linspace(-0.25, 0.25, len(palette)) if len(palette) > 1 else [0.0]
    for (label, tint), step in zip(palette.items(), steps, strict=True):
        own = rows[rows[hue] == label] if hue else rows
        places = [names.index(name) + step for name in own["name"]]
        ax.hlines(places, own["low"], own["high"], color=[tint], linewidth=1.8)
        faces = [tint if real else "white" for real in own.get("real", [True] * len(own))]
        ax.scatter(own["value"], places, s=42, c=faces, edgecolors=[tint], linewidths=1.6, zorder=3)
    ax.set_yticks(range(len(names)), [unread(name) for name in names])
    ax.set_ylim(len(names) - 0.4, -0.6)
    hollow = "; hollow: synthetic" if "real" in rows and not rows["real"].all() else ""
    ax.set_xlabel(axis + hollow)
    ax.grid(axis="y", visible=False)
    if len(palette) > 1:
        legend(figure, palette)
    return figure


def worlds(values: Sequence[float], size: str, step: float = 0.01, digits: int = 3) -> plt.Figure:
    """What synthetic worlds say of a difference: a dot each, on each other within a step, and below them their mean."""
    values = np.sort(values)
    mean, places = values.mean(), pd.Series(np.round(values / step))
    low, high = stats.t.interval(0.95, len(values) - 1, mean, stats.sem(values))
    figure, [ax] = panels([""], 2.8)
    zero_line(ax, upright=True)
    heights = 1 + places.groupby(places).cumcount()
    ax.scatter(values, heights, s=60, color=colour("ours"), zorder=3)
    ax.errorbar(mean, -1, xerr=high - mean, color=colour("text"), marker="D", capsize=4)
    ax.set(xlabel=size, yticks=[], ylim=(-2, heights.max() + 1))
    ax.grid(axis="y", visible=False)
    mark = {"color": colour("text"), "marker": "D"}
    legend(figure, {"a world": {"color": colour("ours"), "linestyle": ""}, "their mean, 95 %": mark})
    ends = f"{signed(values[0], digits)} to {signed(values[-1], digits)}"
    title = f"One world says anything from {ends}; {len(values)} say {ranged(mean, low, high, digits)}"
    return headed(figure, title, f"{title}. Dots of worlds, {np.sum(values > 0)} of them above 0, and their mean.")


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
        len(parts), 1, figsize=(WIDTH, sum(heights) + 0.7), height_ratios=heights, squeeze=False, layout="constrained"
    )
    for ax, rows in zip(axes[:, 0], parts, strict=True):
        _claims(ax, rows, effects)
    entries = {
        "pooled": {"marker": "D", "color": colour("ours")}, "a real collection": {"color": "0.35"},
        "drawn from a portrait": {"color": "0.35", "markerfacecolor": "white"},
    }  # fmt: skip
    if judged["printed_effect"].notna().any():
        entries["printed"] = {"marker": "x", "color": colour("printed")}
    legend(figure, entries, line="")
    said = "; ".join(f"{row['words']}: {row['verdict']}, {effect(row)}" for row in judged.to_dict("records"))
    return headed(figure, title, said) if title else described(figure, said)


def _claims(ax: plt.Axes, rows: pd.DataFrame, effects: pd.DataFrame) -> None:
    margin, value = rows["margin"].iloc[0], rows["value"].iloc[0]
    zero_line(ax, value, margin if margin > 0 else 0, upright=True)
    for place, row in enumerate(rows.to_dict("records")):
        own = effects[(effects["claim"] == row["claim"]) & (effects["ranker"].fillna("") == row["rankers"])]
        spread = place - 0.24 + np.linspace(-0.1, 0.1, len(own)) * (len(own) > 1)
        ax.hlines(spread, own["low"], own["high"], color="0.7", linewidth=0.8)
        faces = np.where(own["basis"] == PORTRAIT, "white", "0.35")
        ax.scatter(own["effect"], spread, s=16, c=faces, edgecolors="0.35", linewidths=0.9, zorder=3)
        ours = colour("ours")
        ax.plot([row["low"], row["high"]], [place + 0.14] * 2, color=ours, linewidth=2.4)
        face = "white" if row["rests_on"] == PORTRAIT else ours
        ax.scatter(row["measured"], place + 0.14, s=60, marker="D", color=face, edgecolors=[ours], zorder=4)
        ax.scatter(row["printed_effect"], place + 0.14, s=48, marker="x", color=colour("printed"), zorder=5)
        said = f"{row['verdict']}\n{effect(row)}"
        ax.annotate(said, (1.01, place), xycoords=("axes fraction", "data"), size=9, va="center")
    names = [textwrap.fill(f"{row.claim}  {row.words}", LETTERS) for row in rows.itertuples()]
    ax.set_yticks(range(len(rows)), names, size=9)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    band = f"; grey: within {number(margin)} of {number(value) if value else 0}" if margin else ""
    ax.set_xlabel(f"{rows['measure'].iloc[0]}{band}", size=9)
    ax.tick_params(axis="x", labelsize=9)
    ax.grid(axis="y", visible=False)


def strip(words: pd.DataFrame, title: str) -> plt.Figure:
    """The verdict on each claim over the margin: a row a claim, a colour a word.

    Parameters
    ----------
    words : of `verdicts.by_margin`: claims by margins, evenly spaced
    title : the finding

    Examples
    --------
    >>> words = pd.DataFrame([["holds", "cannot tell"]], index=["Half trains as well"], columns=[0.0, 0.005])
    >>> figure = strip(words, "The wider, the less is told")
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['Half trains as well']
    >>> plt.close(figure)
    """
    figure, ax = plt.subplots(figsize=(WIDTH, 0.24 * len(words) + 1.6), layout="constrained")
    step = words.columns[1] - words.columns[0]
    for place, row in enumerate(words.itertuples(index=False)):
        tints = [colour(found) for found in row]
        ax.barh([place] * len(tints), step, left=words.columns - step / 2, height=0.86, color=tints)
    ax.set_yticks(range(len(words)), [textwrap.shorten(name, 2 * LETTERS) for name in words.index], size=8)
    ax.set_ylim(len(words) - 0.4, -0.6)
    ax.set_xlim(words.columns[0] - step / 2, words.columns[-1] + step / 2)
    ax.set_xlabel("difference in NDCG that counts as none", size=9)
    ax.grid(visible=False)
    figure.legend(handles=[Patch(color=colour(name), label=name) for name in WORDS], ncols=len(WORDS), **LEGEND)
    return headed(figure, title)
