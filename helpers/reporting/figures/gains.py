"""What shallow judging gains or loses, in study 4: differences with their intervals beside a margin."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from helpers.reporting.figures.depth import powers_of_two
from helpers.reporting.figures.look import ACROSS, COLOURS, in_rows
from helpers.reporting.figures.names import write_names

LINES = tuple(COLOURS[n] for n in (0, 1, 2, 4, 3, 5))
"""Colours of the lines of a panel, in their order."""

TICKS = (0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24)
"""Of a short logarithmic axis."""

GAIN, LOSS = "gain of shallow judging\n[test NDCG@10]", "lost against the best depth\n[test NDCG@10]"


def heterogeneity_map(table: pd.DataFrame, title: str, margin: float) -> plt.Figure:
    """What keeping documents gains over keeping queries, by how much queries differ, a panel for each ranker.

    Lines join the portrait at growing slopes, a line for each share; a point with a name is a real collection, in the
    colour of the share at which it was measured. The grey band is the margin.

    Parameters
    ----------
    table : frame data, ranker, at, slopes, heterogeneity, difference, low, high, of `heterogeneity.points`
    title : what it shows
    margin : NDCG that counts as no difference
    """
    names = list(table["ranker"].unique())
    figure, axes = in_rows(len(names), (6.2, 4.8), sharey=True)
    colours = dict(zip(sorted(table["at"].unique()), LINES, strict=False))
    for name, ax in zip(names, axes, strict=True):
        own = table[table["ranker"] == name]
        _ground(ax, (-margin, margin))
        for (at, is_real), rows in own.groupby(["at", own["slopes"].isna()]):
            style = ("D", "none", False) if is_real else ("o", "-", True)
            _bars(ax, rows, "heterogeneity", colours[at], *style)
        ax.set(title=name, xlabel="heterogeneity [own direction of a query / common direction]")
        _short_log(ax, own["heterogeneity"])
        real = own[own["slopes"].isna()]
        write_names(ax, *(real[column].tolist() for column in ("heterogeneity", "difference", "data")))
    axes[0].set_ylabel("documents less queries [test NDCG@10]")
    shares = {f"{at:.0f} % of the judgments": (colour, "s", "none", None) for at, colour in colours.items()}
    kinds = {"portrait, its slopes times 1, 2, 4 (synthetic)": ("0.3", "o", "-", "white")}
    return _finished(figure, title, shares | kinds | {"real collection": ("0.3", "D", "none", None)})


def differences(
    table: pd.DataFrame, panel: str, line: str, label: str, title: str, margin: float, gain: str = GAIN
) -> plt.Figure:
    """What shallow judging gains over what it is held against, a panel for each of one column, a line for another.

    Bars are 95 % intervals; hollow points are below the paper's floor; the grey band is the margin.

    Parameters
    ----------
    table : frame at, difference, low, high, shallow or not, and the columns of panels and lines
    panel, line : names of these columns
    label : of the horizontal axis
    title : what it shows
    margin : NDCG that counts as no difference
    gain : label of the vertical axes
    """
    panels, lines = list(table[panel].unique()), list(table[line].unique())
    figure, axes = in_rows(len(panels), (4.4, 3.1), sharey=True)
    for name, ax in zip(panels, axes, strict=True):
        own = table[table[panel] == name]
        _ground(ax, (-margin, margin))
        for colour, rows in _side_by_side(own, line, lines, "at"):
            _bars(ax, rows, "at", colour, "o", "-")
        ax.set(xscale="log", title=name, xlabel=label)
        _ticks(ax, sorted(own["at"].unique()))
    _label_rows(axes, gain)
    return _finished(figure, title, {str(name): (LINES[n], "o", "-", None) for n, name in enumerate(lines)})


def losses(table: pd.DataFrame, title: str, margin: float) -> plt.Figure:
    """What each depth loses against the best one of the same budget, a line for each cost of a query.

    A panel for each collection and ranker, at its largest budget and on an axis of its own, as a small run has wide
    intervals; bars are 95 % intervals, the grey band is the margin.

    Parameters
    ----------
    table : frame data, ranker, budget, cost, documents, loss, low, high, of `allocation.losses` with a column data
    title : what it shows
    margin : NDCG that counts as no loss
    """
    panels = list(table.groupby(["data", "ranker"], sort=False))
    costs = sorted(table["cost"].unique())
    figure, axes = in_rows(len(panels), (4.4, 3.4))
    for ((data, ranker), own), ax in zip(panels, axes, strict=True):
        own = own[own["budget"] == own["budget"].max()].assign(difference=own["loss"])
        _ground(ax, (0, margin))
        for colour, rows in _side_by_side(own, "cost", costs, "documents"):
            _bars(ax, rows, "documents", colour, "o", "-")
        ax.set(xscale="log", title=f"{data}\n{ranker}, {own['budget'].max():,} judgments", xlabel="documents a query")
        powers_of_two(ax.xaxis, own["documents"])
    _label_rows(axes, LOSS)
    names = ["a query is free" if cost == 0 else f"a query costs {cost:.0f} judgments" for cost in costs]
    return _finished(figure, title, {name: (LINES[n], "o", "-", None) for n, name in enumerate(names)})


def over_runs(table: pd.DataFrame, title: str) -> plt.Figure:
    """What every ranker gains over the best single run and over fusion without labels, a panel for each collection.

    Bars are 95 % intervals over queries.

    Parameters
    ----------
    table : frame dataset, ranker, over, ndcg, low, high of differences, of `learnable.compared`
    title : what it shows
    """
    names, overs = list(table["ranker"].unique()), list(table["over"].unique())
    figure, axes = in_rows(table["dataset"].nunique(), (5.4, 0.34 * len(names) + 1.1), across=2, sharey=True)
    for (dataset, own), ax in zip(table.groupby("dataset", sort=False), axes, strict=True):
        ax.axvline(0, color="0.4", linewidth=0.8)
        for number, rows in enumerate(own[own["over"] == over] for over in overs):
            heights = rows["ranker"].map(names.index) + 0.3 * (number - (len(overs) - 1) / 2)
            ax.hlines(heights, rows["low"], rows["high"], color=LINES[number], linewidth=1.6)
            ax.plot(rows["ndcg"], heights, "o", color=LINES[number], markersize=5)
        ax.set(title=dataset, yticks=range(len(names)), yticklabels=names, xlabel="gain in test NDCG@10")
    axes[0].invert_yaxis()
    return _finished(figure, title, {f"over {over}": (LINES[n], "o", "-", None) for n, over in enumerate(overs)})


def _ground(ax: plt.Axes, band: tuple[float, float]) -> None:
    """The grey band of what counts as nothing, and the line at 0."""
    ax.axhspan(*band, color="0.9", zorder=0)
    ax.axhline(0, color="0.4", linewidth=0.8)


def _side_by_side(rows: pd.DataFrame, line: str, lines: Sequence, x: str) -> Iterable[tuple]:
    """The colour and the rows of every line, moved a little so that no bar hides another."""
    for number, name in enumerate(lines):
        own = rows[rows[line] == name]
        yield LINES[number % len(LINES)], own.assign(**{x: own[x] * 1.06 ** (number - (len(lines) - 1) / 2)})


def _bars(
    ax: plt.Axes, rows: pd.DataFrame, x: str, colour: object, marker: str, line: str, hollow: bool = False
) -> None:
    """Points with bars from low to high; hollow where `rows` says that they are shallow, or all of them."""
    rows = rows.sort_values(x)
    ax.vlines(rows[x], rows["low"], rows["high"], color=colour, linewidth=1.2, alpha=0.7)
    ax.plot(rows[x], rows["difference"], color=colour, linestyle=line, linewidth=1.2, alpha=0.8)
    empty = rows["shallow"] if "shallow" in rows else pd.Series(hollow, index=rows.index)
    for is_empty, part in rows.groupby(empty):
        face = "white" if is_empty else colour
        ax.scatter(part[x], part["difference"], marker=marker, s=34, edgecolor=colour, facecolor=face, zorder=3)


def _short_log(ax: plt.Axes, values: pd.Series) -> None:
    low, high = values.min() * 0.93, values.max() * 1.08
    ax.set(xscale="log", xlim=(low, high))
    _ticks(ax, [tick for tick in TICKS if low <= tick <= high])


def _ticks(ax: plt.Axes, ticks: Sequence[float]) -> None:
    """Ticks of the horizontal axis, as plain numbers."""
    ax.xaxis.set_major_locator(FixedLocator(ticks))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def _label_rows(axes: Sequence[plt.Axes], label: str) -> None:
    for ax in axes[::ACROSS]:
        ax.set_ylabel(label)


def _finished(figure: plt.Figure, title: str, entries: dict[str, tuple]) -> plt.Figure:
    """The figure with its title, and a legend of colour, marker, line and face for each name."""
    handles = [
        Line2D([], [], color=colour, marker=marker, linestyle=line, markerfacecolor=face or colour)
        for colour, marker, line, face in entries.values()
    ]
    figure.legend(handles, list(entries), loc="outside lower center", ncols=3, frameon=False)
    figure.suptitle(title, x=0.01, ha="left", fontsize="medium")
    return figure
