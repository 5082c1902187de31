"""The figures of study 3, data robustness."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.colors import ListedColormap

from helpers.judging.noise import TURNING
from helpers.reporting.figures.look import COLOURS

PAIRS = {"right": COLOURS[2], "new": COLOURS[1], "inverse": COLOURS[3], "lost": "#bbbbbb", "tied": "#eeeeee"}
"""What a labelling makes of a pair of documents."""

DATA_SETS = {
    "ohsumed": COLOURS[7],
    "td2003": COLOURS[1],
    "mslr-web10k": COLOURS[0],
    "mslr-sample": COLOURS[0],
    "mq2008": COLOURS[2],
    "clueweb09-webis": COLOURS[4],
}
OTHER = COLOURS[5]
BY = {"pNoise": COLOURS[0], "dNoise": COLOURS[1], "difference": COLOURS[7]}
JUDGES = {"WEB5_truth_vs_worker": COLOURS[8], "RAG25_NIST_vs_UMBRELA2": COLOURS[9]}


def broken_pairs(clean: Sequence[int], noisy: Sequence[int]) -> plt.Figure:
    """Which pairs of one query's documents a wrong label breaks: before and after.

    A pair of a row and a column is *right* where both grades order it alike, *inverse* where the labels have it the
    other way round, *new* where the grades tie, *lost* where the labels do, *tied* where both do.

    Parameters
    ----------
    clean : label of each document
    noisy : the same with one wrong label
    """
    figure, axes = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
    names = list(PAIRS)
    hidden = np.tri(len(clean), dtype=bool).T
    for ax, (title, labels) in zip(axes, {"clean": clean, "one wrong label": noisy}.items(), strict=True):
        kinds = [[names.index(_kind(clean, labels, i, j)) for j in range(len(clean))] for i in range(len(clean))]
        sns.heatmap(
            np.array(kinds), mask=hidden, ax=ax, cmap=ListedColormap(list(PAIRS.values())), vmin=-0.5,
            vmax=len(names) - 0.5, cbar=False, linewidths=2, square=True, xticklabels=labels, yticklabels=labels,
        )  # fmt: skip
        ax.set(title=title, xlabel="label of the one document", ylabel="label of the other")
        ax.tick_params(axis="y", rotation=0)
    handles = [plt.Rectangle((0, 0), 1, 1, color=colour) for colour in PAIRS.values()]
    figure.legend(handles, names, loc="outside lower center", ncols=len(names), frameon=False)
    return figure


def fall_curves(falls: pd.DataFrame, by: str, performance: str, label: str) -> sns.FacetGrid:
    """Performance by the noise in documents or in pairs, a panel for each ranker (Figures 1 and 2 of the paper).

    Parameters
    ----------
    falls : frame of `tables.falls`
    by : "dnoise" or "pnoise"
    performance : "performance" or "relative", whose interval is drawn
    label : of the vertical axis
    """
    palette = data_set_colours(falls["dataset"].unique())
    grid = sns.relplot(
        falls, x=by, y=performance, hue="dataset", palette=palette, style="dataset", markers=True, dashes=False,
        col="ranker", col_wrap=min(3, falls["ranker"].nunique()), kind="line", errorbar=None, height=3.6, aspect=1.1,
    )  # fmt: skip
    if performance == "relative":
        for ranker, ax in grid.axes_dict.items():
            for name, rows in falls[falls["ranker"] == ranker].groupby("dataset"):
                ax.fill_between(rows[by], rows["low"], rows["high"], color=palette[name], alpha=0.15)
    return grid.set_titles("{col_name}").set_axis_labels(_noise(by), label)


def expected_curves(exact: pd.DataFrame, runs: pd.DataFrame | None = None) -> plt.Figure:
    """Exact pNoise by dNoise (Figure 3 of the paper), and on it what was counted in drawn labels.

    Parameters
    ----------
    exact : frame dataset, dnoise, pnoise
    runs : frame dataset, fold, level, draw, dnoise, pnoise of drawn labels; None is none
    """
    figure, ax = plt.subplots(figsize=(8, 4.6), layout="constrained")
    palette = data_set_colours(exact["dataset"].unique())
    sns.lineplot(exact, x="dnoise", y="pnoise", hue="dataset", palette=palette, errorbar=None, ax=ax)
    if runs is not None:
        counted = runs.drop_duplicates(["dataset", "fold", "level", "draw"])
        sns.scatterplot(
            counted, x="dnoise", y="pnoise", hue="dataset", palette=palette, ax=ax, s=14, alpha=0.5, legend=False
        )
    ax.axhline(TURNING, color="0.4", linestyle="--", linewidth=1)
    ax.annotate(f"pNoise {TURNING}", (0, TURNING), xytext=(0, 4), textcoords="offset points", size=9)
    ax.set(xlabel=_noise("dnoise"), ylabel=_noise("pnoise"))
    sns.move_legend(ax, "center left", bbox_to_anchor=(1, 0.5), frameon=False)
    return figure


def explained_shares(table: pd.DataFrame) -> plt.Figure:
    """Share of the variance that one curve for all data sets explains, over pNoise and over dNoise, by ranker.

    Parameters
    ----------
    table : frame of `tables.explained`
    """
    shown = table[table["by"] != "difference"]
    figure, ax = plt.subplots(figsize=(8, 0.55 * shown["ranker"].nunique() + 1.6), layout="constrained")
    rankers = list(shown["ranker"].unique())
    for offset, by in ((-0.12, "pNoise"), (0.12, "dNoise")):
        rows = shown[shown["by"] == by]
        height = [rankers.index(name) + offset for name in rows["ranker"]]
        ax.hlines(height, rows["low"], rows["high"], color=BY[by], linewidth=3, alpha=0.5)
        ax.plot(rows["explained"], height, "o", color=BY[by], label=f"over {by}")
    ax.set(xlabel="variance explained by one curve for all data sets [share]", xlim=(min(0, shown["low"].min()), 1))
    ax.set_yticks(range(len(rankers)), rankers)
    ax.invert_yaxis()
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2, frameon=False)
    return figure


def turning_points(table: pd.DataFrame) -> plt.Figure:
    """The pNoise at which the common curve turns, with its 95 % interval, by ranker and over all.

    Parameters
    ----------
    table : frame of `tables.turning_points`
    """
    figure, ax = plt.subplots(figsize=(8, 0.45 * len(table) + 1.4), layout="constrained")
    ax.axvline(TURNING, color="0.4", linestyle="--", linewidth=1, label=f"pNoise {TURNING}")
    ax.hlines(
        table["ranker"],
        table["turning_point_low"],
        table["turning_point_high"],
        color=COLOURS[0],
        linewidth=3,
        alpha=0.5,
    )
    ax.plot(table["turning_point"], table["ranker"], "o", color=COLOURS[0], label="turning point")
    ax.set(xlabel=_noise("pnoise"), xlim=(0, 0.55))
    ax.invert_yaxis()
    ax.legend(loc="lower left")
    return figure


def against_curve(table: pd.DataFrame) -> sns.FacetGrid:
    """Relative performance under the noise of real judges, beside what the curve of uniform noise says of it.

    Parameters
    ----------
    table : frame of `tables.against_curve`
    """
    names = {name: colour for name, colour in JUDGES.items() if name in set(table["judge"])}
    grid = sns.relplot(
        table, x="predicted", y="relative", hue="judge", palette=names, style="dataset", col="ranker",
        col_wrap=min(3, table["ranker"].nunique()), kind="scatter", s=60, height=3.4, aspect=1.05,
    )  # fmt: skip
    for ax in grid.axes_dict.values():
        ax.axline((1, 1), slope=1, color="0.4", linestyle="--", linewidth=1)
    return grid.set_titles("{col_name}").set_axis_labels(
        "by the curve of uniform noise", "measured [share of noise-free]"
    )


def dnoise_map(table: pd.DataFrame) -> plt.Figure:
    """The dNoise needed to reach the turning pNoise, by grades, share of relevant documents, and documents a query.

    Parameters
    ----------
    table : frame of `tables.dnoise_map`
    """
    depths = sorted(table["documents"].unique())
    figure, axes = plt.subplots(
        1, len(depths), figsize=(4.2 * len(depths), 3.4), sharey=True, squeeze=False, layout="constrained"
    )
    for depth, ax in zip(depths, axes[0], strict=True):
        wide = table[table["documents"] == depth].pivot(index="relevant", columns="grades", values="dnoise")
        sns.heatmap(
            wide.sort_index(ascending=False), ax=ax, annot=True, fmt=".2f", cmap="viridis", vmin=0, vmax=0.8,
            cbar=depth == depths[-1], cbar_kws={"label": f"dNoise at pNoise {TURNING}"},
        )  # fmt: skip
        ax.set(title=f"{depth:,} documents a query", xlabel="grades", ylabel="share of relevant documents")
    return figure


def data_set_colours(names: Sequence[str]) -> dict[str, tuple]:
    """The colour of each of the names of data sets; a portrait has that of its original, a reader's own set its own."""
    return {name: DATA_SETS.get(name.removesuffix("-portrait"), OTHER) for name in names}


def _kind(clean: Sequence[int], labels: Sequence[int], i: int, j: int) -> str:
    graded, labelled = np.sign(clean[i] - clean[j]), np.sign(labels[i] - labels[j])
    if labelled == 0:
        return "lost" if graded else "tied"
    if graded == 0:
        return "new"
    return "right" if graded == labelled else "inverse"


def _noise(by: str) -> str:
    return {"dnoise": "dNoise [share of documents]", "pnoise": "pNoise [share of ordered pairs]"}[by]
