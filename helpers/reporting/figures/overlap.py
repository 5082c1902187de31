"""The figures of study 1 that show how well rankers do that train on overlapping labels."""

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
from helpers.reporting.figures.look import in_rows
from helpers.reporting.figures.names import write_names
from helpers.reporting.figures.schemes import FAMILIES, LABELS, PRINTED, family_handles, plain_log_axis, scheme_colour

NDCG = "ndcg@3"
TEST_NDCG = "test NDCG@3"
GAIN = "NDCG@3 over the baseline [points of .01]"
SOURCES = {"paper": PRINTED, "slides": PRINTED | {"marker": "x", "color": "0.5"}}
TILL_BAD = "good-till-bad"
DASHES = ("-", "--", ":")  # tell schemes of one family apart
JUDGES = "osD^v"

MACHINE = "0.25"
ROUTES = {
    "person": FAMILIES["one label"],
    "machine": MACHINE,
    "machine, person where good": MACHINE,
    "both where good": FAMILIES["selective"],
    "both": FAMILIES["all labels"],
}
"""The colour of each of `spending_trial.ROUTES`: that of the scheme by which a person is asked."""


def setting_gains(beside: pd.DataFrame) -> plt.Figure:
    """Gains over the baseline, ours beside the printed ones, settings in the paper's order (Tables 1 to 5).

    Parameters
    ----------
    beside : frame of `tables.beside_printed`
    """
    height = 0.33 * beside["setting"].nunique() + 1.6
    figure, panels = _panels(beside, (5.2, height), sharex=True)
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
    """NDCG@3 by the k of if-good-k, and good-till-bad beside it (Figures 4 to 6): means over draws, 95 % intervals.

    Parameters
    ----------
    runs : frame label_set, ranker, setting, draw, ndcg@3; the baseline is k = 1, settings of other kinds are left out
    """
    places = _if_good_places(runs["setting"].unique())
    shown = runs[runs["setting"].isin(places)].assign(
        k=lambda f: f["setting"].map(places),
        scheme=lambda f: np.where(f["setting"] == TILL_BAD, TILL_BAD, "if-good-k"),
        panel=lambda f: f["label_set"] + ", " + f["ranker"],
    )
    grid = sns.relplot(
        shown, x="k", y=NDCG, style="scheme", markers={"if-good-k": "o", TILL_BAD: "s"}, dashes=False,
        color=FAMILIES["selective"], col="panel", col_wrap=min(3, shown["panel"].nunique()), kind="line",
        errorbar=("ci", 95), seed=0, err_style="bars", markersize=9, height=3.6, aspect=1.2, legend=False,
        facet_kws={"sharex": False, "sharey": False},
    )  # fmt: skip
    names = {place: setting.removeprefix("if-good-").replace("-", "-\n", 1) for setting, place in places.items()}
    for panel, ax in grid.axes_dict.items():
        rows = shown[shown["panel"] == panel]
        ax.axhline(rows.loc[rows["setting"] == "baseline", NDCG].mean(), color=FAMILIES["one label"], linestyle="--")
        found = sorted(rows["k"].unique())
        ax.set_xticks(found, [names[place] for place in found])
        ax.set(title=panel, xlabel="k of if-good-k", ylabel=TEST_NDCG)
    return grid.tight_layout()


def cost_plane(plane: pd.DataFrame) -> plt.Figure:
    """Accuracy against labels bought, and the Pareto front as steps.

    Parameters
    ----------
    plane : frame of `tables.plane`
    """
    figure, panels = _panels(plane, (7, 5.2), legend=2.4)
    for ax, rows in panels:
        front = rows[rows["efficient"]].sort_values("labels")
        steps = [*front["labels"], 1.6 * rows["labels"].max()], [*front[NDCG], front[NDCG].max()]
        ax.step(*steps, where="post", color="0.5", linewidth=1.5, zorder=1)
        ax.scatter(rows["labels"], rows[NDCG], s=60, color=[scheme_colour(s) for s in rows["setting"]], zorder=3)
        plain_log_axis(ax, LABELS)
        ax.set(xlabel="labels bought a pair", ylabel=TEST_NDCG, xlim=(0.7, 1.6 * rows["labels"].max()))
        ax.margins(y=0.12)
    handles = [*family_handles(plane["setting"]), Line2D([], [], color="0.5", label="Pareto front")]
    figure.legend(handles=handles, loc="outside right upper", frameon=False)
    for ax, rows in panels:
        write_names(ax, rows["labels"].to_numpy(), rows[NDCG].to_numpy(), rows["setting"].to_list())
    return figure


def budget_curves(table: pd.DataFrame) -> plt.Figure:
    """NDCG@3 by budget, a line for each setting; filled where it differs clearly from one label for more queries.

    Parameters
    ----------
    table : frame of `tables.budget_table`
    """
    figure, panels = _panels(table, (5.2, 4.2), legend=1.8)
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


def judge_map(table: pd.DataFrame, judges: Mapping[str, Settings]) -> plt.Figure:
    """The setting that wins at equal cost, and what if-good-3 gains, by the noise of judges.

    A star: the 95 % interval of the difference from the baseline leaves zero out.

    Parameters
    ----------
    table : frame of `tables.map_table`
    judges : name -> settings, whose noises are marked
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(14, 5.8), sharey=True, layout="constrained")
    wins = table[table["wins"]].drop_duplicates(["noise_irrelevant", "noise_relevant"])
    _winners(left, wins)
    _gain_map(right, table[table["setting"] == "if-good-3"])
    for ax in (left, right):
        for (name, settings), marker in zip(judges.items(), cycle(JUDGES), strict=False):
            ax.plot(
                settings.noise_irrelevant, settings.noise_relevant, marker, color="white", mec="black", mew=1.5,
                markersize=9, linestyle="", label=name,
            )  # fmt: skip
        ax.set(xlabel="noise about irrelevant documents [grades]")
    left.set_ylabel("noise about relevant documents [grades]")
    handles = family_handles(wins["setting"], "s") + left.get_legend_handles_labels()[0]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False)
    return figure


def machine_routes(table: pd.DataFrame) -> plt.Figure:
    """NDCG@3 against the labels of a person, by the route that labels take between a machine and a person.

    Routes that ask a person for as many labels stand close beside each other.

    Parameters
    ----------
    table : frame of `tables.machine_table`
    """
    figure, panels = _panels(table.assign(place=_side_by_side), (6, 4.6))
    for ax, rows in panels:
        alone = rows.loc[rows["setting"] == "person", NDCG].iloc[0]
        colours = [ROUTES[route] for route in rows["setting"]]
        ax.axhline(alone, color=ROUTES["person"], linestyle="--", zorder=1)
        ax.vlines(rows["place"], alone + rows["low"], alone + rows["high"], color=colours, linewidth=2)
        ax.scatter(rows["place"], rows[NDCG], s=70, color=colours, zorder=3)
        ax.set(xlabel="labels of a person a pair", ylabel=TEST_NDCG, xlim=(-0.08, 1.45))
    bar = Line2D([], [], color="0.4", linewidth=2, label="95 % interval of the difference from a person alone")
    figure.legend(handles=[bar], loc="outside lower center", frameon=False)
    for ax, rows in panels:
        write_names(ax, rows["place"].to_numpy(), rows[NDCG].to_numpy(), rows["setting"].to_list())
    return figure


def _panels(table: pd.DataFrame, size: tuple[float, float], legend: float = 0, **shared) -> tuple[plt.Figure, list]:
    """A figure with a titled panel of that size for each ranker, room for a legend on the right, and (panel, rows)."""
    rankers = list(table.groupby("ranker", sort=False))
    figure, axes = in_rows(len(rankers), size, legend, **shared)
    for (ranker, _), ax in zip(rankers, axes, strict=True):
        ax.set_title(ranker)
    return figure, [(ax, rows) for (_, rows), ax in zip(rankers, axes, strict=True)]


def _if_good_places(settings: Iterable[str]) -> dict[str, int]:
    """Place on the axis of k of the settings that have one; that of good-till-bad is the last."""
    parsed = {setting: schemes.parse(setting) for setting in settings}
    places = {s: scheme.k for s, scheme in parsed.items() if scheme.kind == "if-good" or s == "baseline"}
    return places | ({TILL_BAD: max(places.values()) + 1} if TILL_BAD in parsed else {})


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


def _side_by_side(table: pd.DataFrame) -> pd.Series:
    """Person labels, a little more for each route before that has as many, so that their bars do not coincide."""
    same = table.groupby(["ranker", table["person_labels"].round(3)]).cumcount()
    return table["person_labels"] + 0.03 * same


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
    _write_cells(
        ax, wins, [setting + lead for setting, lead in zip(wins["setting"], leads, strict=True)], wins["clear"]
    )
    ax.set_title(f"best setting at equal cost, and its lead\nin {GAIN}", fontsize=11)


def _gain_map(ax: plt.Axes, rows: pd.DataFrame) -> None:
    cells = 100 * _cells(rows, "difference")
    widest = np.abs(cells.to_numpy()).max()
    mesh = ax.pcolormesh(
        cells.columns, cells.index, cells, cmap="vlag", vmin=-widest, vmax=widest, alpha=0.7, edgecolor="white"
    )
    _write_cells(ax, rows, [f"{round(100 * gain, 1) + 0.0:+.1f}" for gain in rows["difference"]], _clear(rows))
    ax.set_title("what if-good-3 gains at equal cost\n(* 95 % interval leaves zero out)", fontsize=11)
    ax.figure.colorbar(mesh, ax=ax, label=GAIN)


def _cells(rows: pd.DataFrame, values: str) -> pd.DataFrame:
    return rows.pivot(index="noise_relevant", columns="noise_irrelevant", values=values)


def _write_cells(ax: plt.Axes, rows: pd.DataFrame, texts: Iterable[str], clear: Iterable[bool]) -> None:
    """Texts at the foot of the cells, so that a mark in the middle does not hide them, with a star where clear."""
    step = np.diff(np.unique(rows["noise_relevant"])).min()
    for x, y, text, star in zip(rows["noise_irrelevant"], rows["noise_relevant"], texts, clear, strict=True):
        ax.text(x, y - 0.45 * step, text + (" *" if star else ""), ha="center", va="bottom", size=10)
    ax.set(xticks=rows["noise_irrelevant"].unique(), yticks=rows["noise_relevant"].unique())
    ax.grid(visible=False)
