"""The figures of study 1 of what overlapping labels are worth to rankers, as its paper has them and beyond it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.colors import ListedColormap
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator

from helpers.judging import schemes
from helpers.judging.pool import Settings
from helpers.reporting.figures.look import ACROSS, COLOURS, in_rows, plain_ticks
from helpers.reporting.figures.schemes import FAMILIES, LABELS, PRINTED, family_handles, scheme_colour

NDCG = "ndcg@3"
TEST_NDCG = "test NDCG@3"
GAIN = "NDCG@3 over the baseline [points of .01]"
SOURCES = {"paper": PRINTED, "slides": PRINTED | {"marker": "x", "color": "0.5"}}
TILL_BAD = "good-till-bad"
DASHES = ("-", "--", ":")  # tell schemes of one family apart
JUDGES = "osD^v"

# scheme that trains on each of its labels -> the one that trains on their mean gain
USES = {"if-good-3": "if-good-gain-3", "3-overlap": "gain-3"}

# the colour of each way to double a budget; that of queries and of documents as in study 4
WAYS = {"another query": COLOURS[0], "another document": COLOURS[1], "another judge": COLOURS[2]}


def setting_gains(beside: pd.DataFrame) -> plt.Figure:
    """Gains over the baseline, ours beside the printed ones, settings in the paper's order (Tables 1 to 5)."""
    height = 0.33 * beside["setting"].nunique() + 1.6
    figure, panels = _by_ranker(beside, (5.2, height), sharex=True)
    for ax, rows in panels:
        rows = rows.sort_values("paper", na_position="first")
        ax.axvline(0, color="0.6", linewidth=1)
        places = np.arange(len(rows))
        colours = [scheme_colour(setting) for setting in rows["setting"]]
        ax.scatter(100 * rows["ours"], places, s=80, color=colours, zorder=3)
        for source in rows.columns.intersection(list(SOURCES)):
            ax.plot(100 * rows[source], places, **SOURCES[source], zorder=4)
        ax.set_yticks(places, rows["setting"])
        ax.set_xlabel(f"gain in {GAIN}")
    handles = [Line2D([], [], linestyle="", marker="o", markersize=9, color="0.4", label="ours")]
    handles += [Line2D([], [], label=source, **SOURCES[source]) for source in SOURCES if source in beside]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False)
    return figure


def if_good_curves(runs: pd.DataFrame) -> sns.FacetGrid:
    """NDCG@3 by the k of if-good-k, and good-till-bad beside it (Figures 4 to 6): means over draws, 95 % intervals."""
    places = _if_good_places(runs["setting"].unique())
    shown = runs[runs["setting"].isin(places)].assign(
        k=lambda f: f["setting"].map(places),
        scheme=lambda f: np.where(f["setting"] == TILL_BAD, TILL_BAD, "if-good-k"),
        panel=lambda f: f["label_set"] + ", " + f["ranker"],
    )
    grid = sns.relplot(
        shown, x="k", y=NDCG, style="scheme", markers={"if-good-k": "o", TILL_BAD: "s"}, dashes=False,
        color=FAMILIES["selective"], col="panel", col_wrap=min(3, shown["panel"].nunique()), kind="line",
        errorbar=("ci", 95), seed=0, err_style="bars", err_kws={"linewidth": 2}, linewidth=0, markersize=9,
        height=3.6, aspect=1.2, legend=False, facet_kws={"sharex": False, "sharey": False},
    )  # fmt: skip
    names = {place: setting.removeprefix("if-good-").replace("-", "-\n", 1) for setting, place in places.items()}
    for panel, ax in grid.axes_dict.items():
        rows = shown[shown["panel"] == panel]
        ax.axhline(rows.loc[rows["setting"] == "baseline", NDCG].mean(), color=FAMILIES["one label"], linestyle="--")
        found = sorted(rows["k"].unique())
        ax.set_xticks(found, [names[place] for place in found])
        ax.set(title=panel, xlabel="k of if-good-k", ylabel=TEST_NDCG)
    return grid.tight_layout()


def cost_plane(plane: pd.DataFrame, titles: Mapping[str, str] | None = None) -> plt.Figure:
    """What every scheme gains over one label, with its interval, against the labels that it buys; filled on the front:
    nothing else is at least as good for fewer labels.
    """
    figure, panels = _by_ranker(plane, (7, 4.8), sharey=True)
    lowest, highest = 100 * np.fmin(0, plane["low"].min()), 100 * np.fmax(0, plane["high"].max())
    room = highest - lowest + 0.1
    panels[0][0].set_ylim(lowest - 0.08 * room, highest + 0.48 * room)
    for ax, rows in panels:
        ranker, rows = rows["ranker"].iloc[0], rows.sort_values("labels", kind="stable")
        gains = 100 * rows[["difference", "low", "high"]].fillna(0).to_numpy()
        x, colours = spread(np.log(rows["labels"])), [scheme_colour(setting) for setting in rows["setting"]]
        ax.axhline(0, color=FAMILIES["one label"], linestyle="--", zorder=1)
        ax.vlines(x, gains[:, 1], gains[:, 2], color=colours, linewidth=2)
        fills = [colour if on else "white" for colour, on in zip(colours, rows["efficient"], strict=True)]
        ax.scatter(x, gains[:, 0], s=50, color=fills, edgecolors=colours, linewidths=2, zorder=3)
        for place, setting, top in zip(x, rows["setting"], gains[:, 2], strict=True):
            ax.annotate(setting, (place, top), (0, 5), textcoords="offset points", rotation=90, size=9, ha="center")
        ticks = [ticked for ticked in LABELS if ticked <= rows["labels"].max()]
        ax.set(xticks=np.log(ticks), xticklabels=[f"{tick:g}" for tick in ticks], xlim=(-0.2, x.max() + 0.2))
        ax.set(title=(titles or {}).get(ranker, ranker), xlabel="labels bought a pair", ylabel=f"gain in {GAIN}")
    return figure


def collections_by(table: pd.DataFrame, facts: Mapping[str, str], title: str) -> plt.Figure:
    """What several labels gain on each collection against what the collection is like: a panel a fact, a point each.

    Parameters
    ----------
    table : frame collection, label (of what is held against one label), effect, low, high, and a column a fact
    facts : column -> what its axis is called
    title : the finding
    """
    figure, axes = plt.subplots(1, len(facts), figsize=(2.6 * len(facts), 4.2), sharey=True, layout="constrained")
    colours = dict(zip(dict.fromkeys(table["collection"]), COLOURS, strict=False))
    markers = dict(zip(dict.fromkeys(table["label"]), ("o", "D"), strict=False))
    for ax, (fact, name) in zip(np.atleast_1d(axes), facts.items(), strict=True):
        ax.axhline(0, color=FAMILIES["one label"], linestyle="--", zorder=1)
        for row in table.to_dict("records"):
            first = row["label"] == next(iter(markers))
            x, colour = row[fact] * (1 if first else 1.03), colours[row["collection"]]
            ax.vlines(x, 100 * row["low"], 100 * row["high"], color=colour, linewidth=1)
            face = colour if first else "white"
            ax.scatter(
                x, 100 * row["effect"], s=40, marker=markers[row["label"]], color=face, edgecolors=[colour], zorder=3
            )
        if table[fact].max() > 10 * table[fact].min():
            ax.set_xscale("log")
            plain_ticks(ax.xaxis, LogLocator(subs=(1, 3)))
        ax.set_xlabel(name, size=10)
        ax.tick_params(labelsize=9)
    np.atleast_1d(axes)[0].set_ylabel("gain over one label\n[points of NDCG@3]", size=10)
    handles = [Line2D([], [], marker="s", linestyle="", color=colour, label=name) for name, colour in colours.items()]
    handles += [
        Line2D(
            [], [], marker=marker, linestyle="", color="0.4", label=name, fillstyle="full" if marker == "o" else "none"
        )
        for name, marker in markers.items()
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False, fontsize=9)
    figure.suptitle(textwrap.fill(title, 110), x=0, ha="left", size="medium")
    return figure


def spread(places: Sequence[float], apart: float = 0.11) -> np.ndarray:
    """Rising places, moved to the right where they would be closer than that to the one before."""
    moved = list(places)
    for i in range(1, len(moved)):
        moved[i] = max(moved[i], moved[i - 1] + apart)
    return np.array(moved)


def _by_ranker(table: pd.DataFrame, size: tuple[float, float], legend: float = 0, **shared) -> tuple[plt.Figure, list]:
    """A figure with a titled panel for each ranker, and (panel, rows of the table) of each."""
    rankers = list(table.groupby("ranker", sort=False))
    figure, axes = in_rows(len(rankers), size, legend, **shared)
    for (ranker, _), ax in zip(rankers, axes, strict=True):
        ax.set_title(ranker)
    return figure, [(ax, rows) for (_, rows), ax in zip(rankers, axes, strict=True)]


def _if_good_places(settings: Iterable[str]) -> dict[str, int]:
    """Place on the axis of k of the settings that have one; that of good-till-bad is the last."""
    parsed = {setting: schemes.parse(schemes.current(setting)) for setting in settings}
    places = {s: scheme.k for s, scheme in parsed.items() if scheme.kind == "if-good" or s == "baseline"}
    return places | ({TILL_BAD: max(places.values()) + 1} if TILL_BAD in parsed else {})


def same_labels(planes: Mapping[str, pd.DataFrame], title: str = "") -> plt.Figure:
    """What the same labels gain over one label when each is trained on, and when their mean is: a panel a run."""
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
    """What doubling a budget gains as queries, as documents and as judges, by what it is doubled from."""
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
    """NDCG@3 by budget, a line for each setting; filled where it differs clearly from one label for more queries."""
    figure, panels = _by_ranker(table, (5.2, 4.2), legend=1.8)
    looks = _looks(table["setting"].unique())
    for ax, rows in panels:
        for setting, points in rows.sort_values("budget").groupby("setting", sort=False):
            ax.plot("budget", NDCG, data=points, label=setting, **looks[setting])
            clear = points[_clear(points)]
            ax.plot("budget", NDCG, "o", data=clear, color=looks[setting]["color"], markersize=8)
        ax.set(xlabel="budget [labels for each pair of the label set]", ylabel=TEST_NDCG)
        ax.set_xscale("log")
        plain_ticks(ax.xaxis, table["budget"].unique())
    handles = [Line2D([], [], label=setting, **look) for setting, look in looks.items()]
    handles.append(Line2D([], [], linestyle="", marker="o", color="0.4", label="clearly other\nthan the baseline"))
    figure.legend(handles=handles, loc="outside right upper", frameon=False)
    return figure


def judge_map(table: pd.DataFrame, judges: Mapping[str, Settings], title: str = "") -> plt.Figure:
    """The setting that wins at equal cost, and its lead over one label (a star: clearly), by the noise of judges."""
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
