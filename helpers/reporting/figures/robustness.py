"""The figures of study 3, data robustness."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.colors import ListedColormap

from helpers.judging.noise import TURNING
from helpers.reporting.figures.forms import curves, heat, legend, panels
from helpers.reporting.figures.look import GREEN, ORANGE, RED, colour, colours, headed

# what a labelling makes of a pair of documents
PAIRS = {"right": GREEN, "new": ORANGE, "inverse": RED, "lost": "#bbbbbb", "tied": "#eeeeee"}
JUDGES = {"WEB5_truth_vs_worker": "people", "RAG25_NIST_vs_UMBRELA2": "machine"}
MEASURES = {"NDCG@10": "-", "MAP": ":"}
GAP = 0.2  # no line joins neighbouring levels that are further apart in pNoise than this
NOISE = {"dnoise": "dNoise [share of documents]", "pnoise": "pNoise [share of ordered pairs]"}
KEPT = "NDCG@10 [share of noise-free]"
TESTED = "on clean test labels"


def broken_pairs(clean: Sequence[int], noisy: Sequence[int], title: str) -> plt.Figure:
    """Which pairs of one query's documents wrong labels break: right where both order them alike, inverse where the
    other way round, new where the grades tie, lost where the labels do, tied where both do.
    """
    figure, axes = panels(["clean labels", "noisy labels"], 4.0)
    names = list(PAIRS)
    for ax, labels in zip(axes, (clean, noisy), strict=True):
        graded, labelled = (np.sign(np.subtract.outer(each, each)) for each in (clean, labels))
        right, new, inverse, lost, tied = range(len(names))
        kept = np.where(graded == 0, tied, right)
        kinds = np.select([labelled == graded, graded == 0, labelled == 0], [kept, new, lost], inverse)
        sns.heatmap(
            kinds, mask=np.triu(np.ones_like(kinds)) > 0, ax=ax, cmap=ListedColormap(list(PAIRS.values())), vmin=-0.5,
            vmax=len(names) - 0.5, cbar=False, linewidths=2, square=True, xticklabels=labels, yticklabels=labels,
        )  # fmt: skip
        ax.set(xlabel="label of the one document", ylabel="label of the other")
        ax.tick_params(axis="y", rotation=0)
        ax.grid(visible=False)
    legend(figure, PAIRS, "", "s")
    found = [names[kind] for kind in kinds[np.tril_indices(len(clean), -1)]]
    said = ", ".join(f"{found.count(name)} {name}" for name in names)
    return headed(figure, title, f"A square for each pair of {len(clean)} documents; with the noisy labels {said}.")


def together(kept: pd.DataFrame, fits: dict, title: str, own: pd.DataFrame | None = None) -> plt.Figure:
    """What is kept of performance in every version of collections, over each noise in `fits`, with the fitted curve.

    Frames have columns dataset, dnoise, pnoise, relative, and the first `kept`; `own` are dots of a reader's run.
    """
    shares, shapes = sorted(kept["kept"].unique()), dict(zip(kept["dataset"].unique(), "osD^v", strict=False))
    tints = dict(zip(shares, sns.color_palette("flare_r", len(shares)), strict=True))
    figure, axes = panels([""] * len(fits), 4.0, across=2, sharey=True)
    for ax, (by, fit) in zip(axes, fits.items(), strict=True):
        for (name, share), rows in kept.groupby(["dataset", "kept"], sort=False):
            ax.scatter(rows[by], rows["relative"], s=28, color=tints[share], marker=shapes[name], alpha=0.8)
        x = np.linspace(0, kept[by].max(), 200)
        ax.plot(x, fit.at(x), color=colour("text"), linewidth=2)
        ax.set_xlabel(NOISE[by])
        for row in () if own is None else own.itertuples():
            at = getattr(row, by), row.relative
            ax.plot(*at, "*", markersize=16, color=colour("ours"), markeredgecolor="white")
            ax.annotate(
                f"your run, {row.dataset}", at, (-10, 0), textcoords="offset points", ha="right", va="center", size=9
            )
    axes[0].set_ylabel(KEPT)
    entries = {f"{100 * share:g} % of relevant kept": tint for share, tint in tints.items()}
    entries |= {name: {"color": colour("line"), "marker": shape} for name, shape in shapes.items()}
    entries["one curve for all"] = {"color": colour("text"), "linestyle": "-", "marker": ""}
    legend(figure, entries, "")
    return headed(figure, title, f"{title}: {len(kept)} dots, a collection with some relevant documents at one dNoise.")


def by_noise(table: pd.DataFrame, by: str, title: str) -> plt.Figure:
    """NDCG@10 and MAP over one noise, a panel a ranker, as the paper draws its Figures 1 and 2.

    Columns ranker, dataset, dnoise, pnoise, and those of MEASURES.
    """
    rankers = list(table["ranker"].unique())
    names = [f"({letter}) {ranker}" for letter, ranker in zip("abcdef", rankers, strict=False)]
    figure, axes = panels(names, 3.0, across=2, sharex=True, sharey=True)
    tints = colours(table["dataset"])
    for ax, ranker in zip(axes, rankers, strict=True):
        _performance(ax, table[table["ranker"] == ranker], by, tints)
        ax.set(xlabel=NOISE[by], ylabel=TESTED)
        ax.label_outer()
    legend(figure, tints | _styles(), marker="")
    return headed(figure, title, f"Test performance over {NOISE[by]}, a panel for each of {len(rankers)} rankers.")


def in_three(table: pd.DataFrame, printed: pd.DataFrame, title: str) -> plt.Figure:
    """One ranker's performance over dNoise, pNoise over dNoise, and performance over pNoise: Figures 1a, 3 and 2a.

    The first frame as in `by_noise`; `printed` has dataset, dnoise, pnoise as the printed shares of grades make them.
    """
    ranker = table["ranker"].iloc[0]
    names = [f"Figure 1 (a): {ranker}", "Figure 3", f"Figure 2 (a): {ranker}"]
    figure, (left, middle, right) = panels(names, 4.0)
    tints = colours(table["dataset"])
    for ax, by in ((left, "dnoise"), (right, "pnoise")):
        _performance(ax, table, by, tints)
        ax.set(xlabel=NOISE[by], ylabel=TESTED, ylim=(0, None))
    for rows, style in ((table, "."), (printed, "--")):
        for name, own in rows.groupby("dataset", sort=False):
            middle.plot(own["dnoise"], own["pnoise"], style, color=tints.get(name) or colour(name))
    middle.axhline(TURNING, color=colour("line"), linewidth=1)
    middle.set(xlabel=NOISE["dnoise"], ylabel=NOISE["pnoise"])
    legend(
        figure, tints | _styles() | {"by the printed grades": {"color": colour("line"), "linestyle": "--"}}, marker=""
    )
    return headed(figure, title, f"{title}; the middle panel draws pNoise over dNoise, a line a data set.")


def size_curves(kept: pd.DataFrame, title: str) -> plt.Figure:
    """What rankers keep of their performance by the number of training queries, a panel for each level of noise."""
    noisy = kept[kept["dnoise"] > 0]
    shown = noisy.assign(panel=[f"dNoise {level:g}" for level in noisy["dnoise"]])
    shown = shown.rename(columns={"queries": "training queries", "relative": KEPT})
    figure = curves(
        shown, "training queries", KEPT, "ranker", band="bars", panel="panel", base=2, height=4, sharey=True
    )
    return headed(figure, title, f"{title}: a line a ranker over the number of training queries.")


def against_curve(table: pd.DataFrame, title: str) -> plt.Figure:
    """Performance kept under the noise of real judges, beside what the curve of uniform noise says of it."""
    figure, (ax,) = panels([""], 4.2)
    for judge, name in JUDGES.items():
        rows = table[table["judge"] == judge]
        ax.scatter(rows["predicted"], rows["relative"], s=24, color=colour(name), edgecolor="white", linewidth=0.4)
    ax.axline((1, 1), slope=1, color=colour("line"), linestyle="--", linewidth=1)
    ax.set(xlabel="said by the curve of uniform noise", ylabel=KEPT)
    dashed = {"color": colour("line"), "linestyle": "--", "marker": ""}
    legend(figure, {name: colour(name) for name in JUDGES.values()} | {"as uniform noise": dashed}, "")
    return headed(figure, title, f"{title}: {len(table)} dots beside the line of equal values.")


def dnoise_map(table: pd.DataFrame, title: str) -> plt.Figure:
    """The dNoise needed to reach the turning pNoise, by grades, share of relevant documents, and documents a query."""
    depths = sorted(table["documents"].unique())
    figure, axes = panels([f"{depth:,} documents a query" for depth in depths], 3.6, sharey=True)
    for depth, ax in zip(depths, axes, strict=True):
        wide = table[table["documents"] == depth].pivot(index="relevant", columns="grades", values="dnoise")
        heat(
            wide.sort_index(ascending=False),
            f"dNoise at pNoise {TURNING}",
            ax,
            vmin=0,
            vmax=0.8,
            cbar=depth == depths[-1],
        )
        ax.set(xlabel="grades", ylabel="share of relevant documents")
        ax.label_outer()
    return headed(figure, title, f"{title}, in maps of grades by share of relevant documents.")


def _performance(ax: plt.Axes, table: pd.DataFrame, by: str, tints: dict) -> None:
    """Lines of MEASURES by data set; over pNoise, levels that are further apart than GAP are not joined."""
    for name, rows in table.sort_values("dnoise").groupby("dataset", sort=False):
        pieces = (rows["pnoise"].diff() > GAP).cumsum() * (by == "pnoise")
        for measure, style in MEASURES.items():
            for _, piece in rows.groupby(pieces):
                ax.plot(piece[by], piece[measure], style, marker=".", color=tints[name])


def _styles() -> dict[str, dict]:
    return {measure: {"color": colour("line"), "linestyle": style} for measure, style in MEASURES.items()}
