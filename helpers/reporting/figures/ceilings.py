"""The figures of study 2 that answer: own matrices beside one for all, ceilings of collections, machine labels."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.colors import to_hex
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from helpers.reporting.figures.look import COLOURS

POOLED, OWN, LEARNED = COLOURS[0], COLOURS[1], "black"
PREDICTED = {"pooled": "one matrix for all queries", "own": "the query's own matrix"}
MARGIN = 0.02  # of nDCG, around the points of a panel
LETTERS = 10  # of a title, to an inch


def headed(figure: plt.Figure, title: str) -> plt.Figure:
    """The figure with its finding above it.

    Parameters
    ----------
    figure : what was drawn
    title : broken into lines
    """
    figure.suptitle(textwrap.fill(title, round(LETTERS * figure.get_figwidth())), fontsize=12)
    figure.get_layout_engine().set(h_pad=0.1)
    return figure


def own_beside_pooled(real: Mapping[str, pd.DataFrame], k: int, titles: Mapping[str, str]) -> plt.Figure:
    """Real nDCG of pairs of judges beside two predictions of it: a panel for each pool, a point a pair.

    Parameters
    ----------
    real : pool -> frame testing, training, real, pooled, own
    k : cut-off, for the names of the axes
    titles : pool -> who the judges are
    """
    figure, axes = plt.subplots(1, len(real), figsize=(3.6 * len(real), 4.4), squeeze=False, layout="constrained")
    for (name, table), ax in zip(real.items(), axes[0], strict=True):
        means = table.dropna(subset="real").groupby(["testing", "training"])[["real", "pooled", "own"]].mean()
        ax.hlines(means["real"], means["pooled"], means["own"], color="0.75", linewidth=1, zorder=1)
        ax.scatter(means["pooled"], means["real"], s=36, facecolor="white", edgecolor=POOLED, label=PREDICTED["pooled"])
        ax.scatter(means["own"], means["real"], s=36, color=OWN, marker="D", label=PREDICTED["own"])
        ends = means.to_numpy().min() - MARGIN, means.to_numpy().max() + MARGIN
        ax.plot(ends, ends, color="0.4", linestyle="--", linewidth=1, zorder=0)
        ax.set(xlim=ends, ylim=ends, aspect="equal", xlabel=f"predicted nDCG@{k}")
        ax.locator_params(nbins=5)
        ax.set_title(titles[name], fontsize=11)
    axes[0, 0].set_ylabel(f"real nDCG@{k}")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False)
    return figure


def habit_scatter(panels: Mapping[str, tuple[pd.DataFrame, str]], k: int) -> plt.Figure:
    """Real against predicted nDCG of simulated judges: a small dot a query, a large one a pair of judges.

    Parameters
    ----------
    panels : title -> frame of `protocol.limits_table`, and which of its columns is the prediction
    k : cut-off, for the names of the axes
    """
    figure, axes = plt.subplots(1, len(panels), figsize=(4.2 * len(panels), 4.6), sharey=True, layout="constrained")
    for (title, (table, prediction)), ax in zip(panels.items(), np.atleast_1d(axes), strict=True):
        known = table.dropna(subset="real")
        means = known.groupby(["testing", "training"])[["real", prediction]].mean()
        ax.plot([0, 1], [0, 1], color="0.4", linestyle="--", linewidth=1, zorder=3)
        ax.scatter(known[prediction], known["real"], s=8, color="0.7", alpha=0.4, linewidth=0)
        ax.scatter(means[prediction], means["real"], s=70, color=POOLED, edgecolor="black", zorder=4)
        ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", xlabel=f"predicted nDCG@{k}")
        ax.set_title(title, fontsize=11)
    np.atleast_1d(axes)[0].set_ylabel(f"real nDCG@{k}")
    return figure


def ceiling_strips(
    ceilings: Mapping[str, pd.DataFrame], learned: pd.DataFrame, kinds: Mapping[str, str], k: int
) -> plt.Figure:
    """Ceilings of collections under every matrix, a row a collection, beside the best learned nDCG.

    Parameters
    ----------
    ceilings : collection -> frame matrix, exact
    learned : frame dataset, ndcg, low, high; a collection that it has not has no bar
    kinds : matrix -> who disagrees in it, of which there are at most five
    k : cut-off, for the name of the axis
    """
    names = list(dict.fromkeys(kinds.values()))
    figure, ax = plt.subplots(figsize=(10, 1.2 + 0.55 * len(ceilings)), layout="constrained")
    for row, (collection, table) in enumerate(ceilings.items()):
        own = learned[learned["dataset"] == collection].nlargest(1, "ndcg")
        for best in own.itertuples():
            label = _once(ax, "best learned ranker")
            ax.hlines(row + 0.32, best.low, best.high, color=LEARNED, linewidth=1.5)
            ax.plot(best.ndcg, row + 0.32, "|", color=LEARNED, markersize=11, mew=2.5, label=label)
        for number, kind in enumerate(names):
            of_kind = table[table["matrix"].map(kinds) == kind]
            height = np.full(len(of_kind), row - 0.26 + 0.16 * number)
            ax.scatter(of_kind["exact"], height, s=34, color=COLOURS[number], alpha=0.85, label=_once(ax, kind))
    ax.set(yticks=range(len(ceilings)), yticklabels=list(ceilings), xlim=(0, 1), xlabel=f"mean nDCG@{k}")
    ax.invert_yaxis()
    figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=5, frameon=False)
    return figure


def runs_beside_limit(runs: pd.DataFrame, k: int) -> plt.Figure:
    """Every run less the ranking that is perfect for one person, when another tests: a row a run, the best first.

    Parameters
    ----------
    runs : frame run, family, difference, low, high, of at most six families; the interval is a line, and filled is
        where it lies above 0
    k : cut-off, for the name of the axis
    """
    figure, ax = plt.subplots(figsize=(9, 0.6 + 0.115 * len(runs)), layout="constrained")
    rows = runs.sort_values("difference", ascending=False, ignore_index=True)
    for colour, (family, own) in zip(COLOURS, rows.groupby("family"), strict=False):
        above = own["low"] > 0
        ax.hlines(own.index, own["low"], own["high"], color=colour, linewidth=1, alpha=0.6)
        faces = np.where(above, to_hex(colour), "white")
        ax.scatter(own["difference"], own.index, s=26, color=faces, edgecolor=[colour], zorder=3)
        ax.plot([], [], "o", color=colour, label=family)
    ax.axvline(0, color=LEARNED, linewidth=1)
    ax.set(yticks=[], ylim=(len(rows), -1), xlabel=f"nDCG@{k} less that of a ranking which is perfect for one person")
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    return figure


def label_curves(curves: pd.DataFrame, names: Mapping[str, str]) -> plt.Figure:
    """What rankers learn from more labelled queries, a line for each kind of labels, and its interval.

    Parameters
    ----------
    curves : frame ranker, labels, queries, ndcg, low, high; a panel for each ranker
    names : labels -> what to write in the colour of their line
    """
    rankers = list(curves["ranker"].unique())
    figure, axes = plt.subplots(1, len(rankers), figsize=(7.5 * len(rankers), 4.4), sharey=True, layout="constrained")
    for ranker, ax in zip(rankers, np.atleast_1d(axes), strict=True):
        for number, (labels, name) in enumerate(names.items()):
            own = curves[(curves["ranker"] == ranker) & (curves["labels"] == labels)].sort_values("queries")
            ax.errorbar(
                own["queries"] * (1 + 0.03 * (number - 1)), own["ndcg"], color=COLOURS[number], marker="o", capsize=3,
                yerr=[own["ndcg"] - own["low"], own["high"] - own["ndcg"]], elinewidth=0.8,
            )  # fmt: skip
            place = {"transform": ax.transAxes, "ha": "right", "fontsize": 11}
            ax.text(0.98, 0.05 + 0.07 * number, name, color=COLOURS[number], **place)
        ax.set(xscale="log", xlabel="labelled queries, one in four for validation", title=ranker)
        ax.xaxis.set_major_locator(FixedLocator(sorted(curves["queries"].unique())))
        ax.xaxis.set_minor_locator(NullLocator())
        ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0f}"))
    np.atleast_1d(axes)[0].set_ylabel("NDCG@10 on queries of a person")
    return figure


def _once(ax: plt.Axes, label: str) -> str:
    """The label for the first of several marks of a kind, an empty one for the others."""
    return "_" if label in ax.get_legend_handles_labels()[1] else label
