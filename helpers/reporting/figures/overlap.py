"""The figures of study 1 that show how well rankers do that train on overlapping labels, as its paper has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.lines import Line2D

from helpers.judging import schemes
from helpers.reporting.figures.look import in_rows
from helpers.reporting.figures.schemes import FAMILIES, LABELS, PRINTED, scheme_colour

NDCG = "ndcg@3"
TEST_NDCG = "test NDCG@3"
GAIN = "NDCG@3 over the baseline [points of .01]"
SOURCES = {"paper": PRINTED, "slides": PRINTED | {"marker": "x", "color": "0.5"}}
TILL_BAD = "good-till-bad"


def setting_gains(beside: pd.DataFrame) -> plt.Figure:
    """Gains over the baseline, ours beside the printed ones, settings in the paper's order (Tables 1 to 5).

    Parameters
    ----------
    beside : frame of `tables.beside_printed`
    """
    height = 0.33 * beside["setting"].nunique() + 1.6
    figure, panels = by_ranker(beside, (5.2, height), sharex=True)
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
    """What every scheme gains over one label, with its interval, against the labels that it buys.

    Filled points lie on the Pareto front: nothing else is at least as good for fewer labels. Schemes of nearly one
    price stand side by side, and each has its name above its interval, so that nothing hides anything.

    Parameters
    ----------
    plane : frame of `tables.plane`
    titles : ranker -> what its panel is called; the ranker's name where there is none
    """
    figure, panels = by_ranker(plane, (7, 4.8), sharey=True)
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


def spread(places: Sequence[float], apart: float = 0.11) -> np.ndarray:
    """Rising places, moved to the right where they would be closer than that to the one before.

    Parameters
    ----------
    places : (n,) in rising order
    apart : least distance of two

    >>> spread([0.0, 0.0, 1.0], apart=0.1)
    array([0. , 0.1, 1. ])
    """
    moved = list(places)
    for i in range(1, len(moved)):
        moved[i] = max(moved[i], moved[i - 1] + apart)
    return np.array(moved)


def by_ranker(table: pd.DataFrame, size: tuple[float, float], legend: float = 0, **shared) -> tuple[plt.Figure, list]:
    """A figure with a titled panel for each ranker, and (panel, rows of the table) of each.

    Parameters
    ----------
    table : frame with a column ranker
    size, legend, shared : as `look.in_rows` takes them
    """
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
