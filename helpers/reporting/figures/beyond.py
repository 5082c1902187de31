"""The figures of study 1 that go beyond its paper: what labels are worth, for which judges, and against what else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.colors import ListedColormap
from matplotlib.lines import Line2D

from helpers.judging import schemes
from helpers.judging.pool import Settings
from helpers.reporting.figures.look import ACROSS, COLOURS, in_rows
from helpers.reporting.figures.overlap import NDCG, TEST_NDCG, by_ranker
from helpers.reporting.figures.schemes import FAMILIES, family_handles, plain_log_axis, scheme_colour

DASHES = ("-", "--", ":")  # tell schemes of one family apart
JUDGES = "osD^v"

USES = {"if-good-3": "if-good-gain-3", "3-overlap": "gain-3"}
"""Scheme that trains on each of its labels -> the one that trains on their mean gain."""

WAYS = {"another query": COLOURS[0], "another document": COLOURS[1], "another judge": COLOURS[2]}
"""The colour of each way to double a budget; that of queries and of documents as in study 4."""


def same_labels(planes: Mapping[str, pd.DataFrame], title: str = "") -> plt.Figure:
    """What the same labels gain over one label when each is trained on, and when their mean is: a panel for each run.

    Below each pair stand the labels that are bought, and how far the mean of a document's labels lies from the truth.

    Parameters
    ----------
    planes : name of the data -> frame of `tables.plane`
    title : above the panels
    """
    rows = [
        (data, ranker, table) for data, plane in planes.items() for ranker, table in plane.groupby("ranker", sort=False)
    ]
    figure, axes = in_rows(len(rows), (4.4, 3.3))
    for ax, (data, ranker, table) in zip(axes, rows, strict=True):
        known = table.set_index("setting")
        there = {schemes.current(name): name for name in known.index}
        pairs = [(copies, there[mean]) for copies, mean in USES.items() if {copies, mean} <= set(there)]
        ax.axhline(0, color=FAMILIES["one label"], linestyle="--", zorder=1)
        for place, settings in enumerate(pairs):
            for side, setting in zip((-0.12, 0.12), settings, strict=True):
                _bar(ax, place + side, known.loc[setting], scheme_colour(setting))
        names = [_bought_by(copies, known) for copies, _ in pairs]
        ax.set(title=f"{data}, {ranker}", xticks=range(len(pairs)), xticklabels=names, xlim=(-0.5, len(pairs) - 0.5))
        ax.grid(visible=False, axis="x")
    _label_outer(axes, "gain over one label\n[points of .01 NDCG@3]")
    dots = [(FAMILIES["selective"], "each of if-good-3's labels"), (FAMILIES["all labels"], "each of three labels")]
    dots += [(FAMILIES["mean, Dawid-Skene"], "their mean")]
    figure.legend(handles=_dots(dots), loc="outside lower center", ncols=len(dots), frameon=False)
    figure.suptitle(title)
    return figure


def ways_to_double(tables: Mapping[str, pd.DataFrame], title: str = "") -> plt.Figure:
    """What doubling a budget gains as queries, as documents and as judges, by what it is doubled from.

    Parameters
    ----------
    tables : name of the data -> frame of `tables.three_ways`
    title : above the panels
    """
    rows = [
        (data, ranker, rows) for data, table in tables.items() for ranker, rows in table.groupby("ranker", sort=False)
    ]
    across = 2 if len(rows) in (2, 4) else ACROSS
    figure, axes = in_rows(len(rows), (6.2, 3.5), across=across, sharey=True)
    for ax, (data, ranker, table) in zip(axes, rows, strict=True):
        places = {at: place for place, at in enumerate(dict.fromkeys(table["at"]))}
        ax.axhline(0, color="0.6", linewidth=1, zorder=1)
        for shift, (way, colour) in zip((-0.2, 0, 0.2), WAYS.items(), strict=True):
            for _, row in table[table["question"] == way].iterrows():
                _bar(ax, places[row["at"]] + shift, row, colour)
        names = [at.replace(", ", ",\n").replace("documents", "docs") for at in places]
        ax.set(title=f"{data}, {ranker}", xticks=range(len(places)), xticklabels=names)
        ax.tick_params(axis="x", labelsize=9)
        ax.grid(visible=False, axis="x")
    _label_outer(axes, "NDCG@3 gained by twice\nthe budget [points of .01]")
    figure.legend(
        handles=_dots((colour, way) for way, colour in WAYS.items()), loc="outside lower center", ncols=3, frameon=False
    )
    figure.suptitle(title)
    return figure


def budget_curves(table: pd.DataFrame) -> plt.Figure:
    """NDCG@3 by budget, a line for each setting; filled where it differs clearly from one label for more queries.

    Parameters
    ----------
    table : frame of `tables.budget_table`
    """
    figure, panels = by_ranker(table, (5.2, 4.2), legend=1.8)
    looks = _looks(table["setting"].unique())
    for ax, rows in panels:
        for setting, points in rows.sort_values("budget").groupby("setting", sort=False):
            ax.plot("budget", NDCG, data=points, label=setting, **looks[setting])
            clear = points[_clear(points)]
            ax.plot("budget", NDCG, "o", data=clear, color=looks[setting]["color"], markersize=8)
        ax.set(xlabel="budget [labels for each pair of the label set]", ylabel=TEST_NDCG)
        plain_log_axis(ax, table["budget"].unique())
    handles = [Line2D([], [], label=setting, **look) for setting, look in looks.items()]
    handles.append(Line2D([], [], linestyle="", marker="o", color="0.4", label="clearly other\nthan the baseline"))
    figure.legend(handles=handles, loc="outside right upper", frameon=False)
    return figure


def judge_map(table: pd.DataFrame, judges: Mapping[str, Settings], title: str = "") -> plt.Figure:
    """The setting that wins at equal cost, and its lead over one label, by the noise of judges.

    A star: the 95 % interval of the lead leaves zero out.

    Parameters
    ----------
    table : frame of `tables.map_table`
    judges : name -> settings, whose noises are marked
    title : above the map
    """
    figure, ax = plt.subplots(figsize=(7.5, 5), layout="constrained")
    wins = table[table["wins"]].drop_duplicates(["noise_irrelevant", "noise_relevant"])
    _winners(ax, wins)
    for (name, settings), marker in zip(judges.items(), cycle(JUDGES), strict=False):
        ax.plot(
            settings.noise_irrelevant, settings.noise_relevant, marker, color="white", mec="black", mew=1.5,
            markersize=9, linestyle="", label=name,
        )  # fmt: skip
    ax.set(xlabel="noise about irrelevant documents [grades]", ylabel="noise about relevant documents [grades]")
    ax.set_title(title)
    handles = family_handles(wins["setting"], "s") + ax.get_legend_handles_labels()[0]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False)
    return figure


def _bar(ax: plt.Axes, place: float, row: pd.Series, colour: tuple) -> None:
    """A difference [points] with its interval."""
    ax.vlines(place, 100 * row["low"], 100 * row["high"], color=[colour], linewidth=2)
    ax.plot(place, 100 * row["difference"], "o", color=colour, markersize=7)


def _dots(named: Iterable[tuple[tuple, str]]) -> list[Line2D]:
    return [Line2D([], [], linestyle="", marker="o", color=colour, label=name) for colour, name in named]


def _label_outer(axes: np.ndarray, label: str) -> None:
    """Write the label of the vertical axis at the panels on the left."""
    for ax in axes:
        if ax.get_subplotspec().is_first_col():
            ax.set_ylabel(label)


def _bought_by(setting: str, known: pd.DataFrame) -> str:
    row = known.loc[setting]
    return f"labels of {setting}:\n{row['labels']:.2f} a pair,\nsquared error {row['squared_error']:.2f}"


def _looks(settings: Iterable[str]) -> dict[str, dict]:
    """Colour, dashes and open marker of each setting's line."""
    looks, used = {}, []
    for setting in settings:
        colour = scheme_colour(setting)
        dashes = DASHES[used.count(colour) % len(DASHES)]
        looks[setting] = {"color": colour, "linestyle": dashes, "marker": "o", "markersize": 8, "mfc": "white"}
        used.append(colour)
    return looks


def _clear(rows: pd.DataFrame) -> pd.Series:
    """Where the interval of a difference leaves zero out."""
    return (rows["low"] > 0) | (rows["high"] < 0)


def _winners(ax: plt.Axes, wins: pd.DataFrame) -> None:
    families = list(FAMILIES.values())
    codes = wins.assign(code=[families.index(scheme_colour(setting)) for setting in wins["setting"]])
    colours = sns.color_palette(families).as_hex()
    cells = _cells(codes, "code")
    ax.pcolormesh(
        cells.columns, cells.index, cells, cmap=ListedColormap(colours), vmin=-0.5,
        vmax=len(families) - 0.5, alpha=0.55, edgecolor="white",
    )  # fmt: skip
    leads = ["" if np.isnan(lead) else f" {100 * lead:+.1f}" for lead in wins["difference"]]
    names = wins["setting"].replace("baseline", "one label")
    _write_cells(ax, wins, [name + lead for name, lead in zip(names, leads, strict=True)], wins["clear"])


def _cells(rows: pd.DataFrame, values: str) -> pd.DataFrame:
    return rows.pivot(index="noise_relevant", columns="noise_irrelevant", values=values)


def _write_cells(ax: plt.Axes, rows: pd.DataFrame, texts: Iterable[str], clear: Iterable[bool]) -> None:
    """Texts at the foot of the cells, so that a mark in the middle does not hide them, with a star where clear."""
    step = np.diff(np.unique(rows["noise_relevant"])).min()
    for x, y, text, star in zip(rows["noise_irrelevant"], rows["noise_relevant"], texts, clear, strict=True):
        ax.text(x, y - 0.45 * step, text + (" *" if star else ""), ha="center", va="bottom", size=10)
    ax.set(xticks=rows["noise_irrelevant"].unique(), yticks=rows["noise_relevant"].unique())
    ax.grid(visible=False)
