"""The figures of study 2: ceilings of lists and collections, real judges beside predictions, machine labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.colors import to_hex

from helpers.judging import ceilings
from helpers.judging.confusion import majority, ordinal_confusion
from helpers.reporting.figures.look import COLOURS, in_rows, plain_ticks

if TYPE_CHECKING:
    import ipywidgets as widgets

METHODS = {"exact": COLOURS[0], "simulated": COLOURS[1], "approximate": COLOURS[2]}
PREDICTIONS = {
    "pooled": "matrix of these assessors, other queries",
    "elsewhere": "matrix from elsewhere",
    "varying": "matrices that vary between queries",
    "own": "the query's own matrix, from its other documents",
}
MANY_PAIRS = 12  # beyond which pairs of assessors are not told apart

POOLED, OWN, LINE = COLOURS[0], COLOURS[1], "black"
PREDICTED = {"pooled": "one matrix for all queries", "own": "the query's own matrix"}
MARGIN = 0.02  # of nDCG, around the points of a panel


def label_draws(ndcg: np.ndarray, exact: float, k: int) -> plt.Figure:
    """nDCG@k of one query under many drawn labellings, and how their mean approaches the exact ceiling."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 3.8), layout="constrained")
    sns.histplot(ndcg, bins=30, ax=left, color=METHODS["simulated"], stat="percent")
    left.set(xlabel=f"nDCG@{k} of one labelling", ylabel="labellings [%]")
    n = np.arange(1, len(ndcg) + 1)
    right.plot(n, ndcg.cumsum() / n, color=METHODS["simulated"], label="mean of the first draws")
    right.set(xscale="log", xlabel="labellings drawn", ylabel=f"mean nDCG@{k}")
    left.axvline(exact, color=METHODS["exact"], linewidth=2)
    right.axhline(exact, color=METHODS["exact"], linewidth=2, label="exact ceiling")
    right.legend(frameon=False)
    return figure


def limit_scatter(table: pd.DataFrame, predictions: Sequence[str] = ("pooled", "elsewhere"), k: int = 10) -> plt.Figure:
    """Real against predicted limits (Figure 1 of the paper): a small dot a query, a large one the mean of a pair."""
    known = table.dropna(subset="real").assign(pair=lambda t: t["testing"] + " tests " + t["training"])
    few = known["pair"].nunique() <= MANY_PAIRS
    figure, axes = in_rows(len(predictions), (5.2, 5), legend=2.5 * few, across=len(predictions), sharey=True)
    style = {"hue": "pair", "palette": "husl"} if few else {"color": COLOURS[0]}
    for name, ax in zip(predictions, axes, strict=True):
        ax.plot([0, 1], [0, 1], color="0.4", linestyle="--", linewidth=1, zorder=3)
        sns.scatterplot(known, x=name, y="real", ax=ax, s=12, alpha=0.3, linewidth=0, legend=False, **style)
        means = known.groupby("pair", sort=False)[[name, "real"]].mean().reset_index()
        last = few and ax is axes[-1]
        sns.scatterplot(means, x=name, y="real", ax=ax, s=110, edgecolor="black", legend=last, zorder=4, **style)
        ax.set(title=PREDICTIONS[name], xlabel=f"predicted nDCG@{k}", ylabel=f"real nDCG@{k}", xlim=(0, 1), ylim=(0, 1))
        ax.set_aspect("equal")
    if few:
        sns.move_legend(axes[-1], "center left", bbox_to_anchor=(1, 0.5), title="assessors", frameon=False)
    return figure


def ceiling_rows(tables: Mapping[str, pd.DataFrame], learned: pd.DataFrame, k: int = 10) -> plt.Figure:
    """The ceiling under every matrix with its interval, beside the best learned nDCG: a panel for each collection."""
    heights = [1 + len(table) for table in tables.values()]
    figure, axes = plt.subplots(
        len(tables), 1, figsize=(10, 0.3 * sum(heights) + 1.5), sharex=True, layout="constrained",
        gridspec_kw={"height_ratios": heights}, squeeze=False,
    )  # fmt: skip
    for (name, table), ax in zip(tables.items(), axes[:, 0], strict=True):
        best = learned[learned["dataset"] == name].nlargest(1, "ndcg").iloc[0]
        rows = table.sort_values("exact", ascending=False)
        ax.axvspan(best["low"], best["high"], color=COLOURS[3], alpha=0.15)
        ax.axvline(best["ndcg"], color=COLOURS[3], label="best learned ranker")
        ax.hlines(rows["matrix"], rows["low"], rows["high"], color=METHODS["exact"], linewidth=3, alpha=0.5)
        ax.plot(rows["exact"], rows["matrix"], "o", color=METHODS["exact"], label="exact ceiling")
        tick = {"color": METHODS["approximate"], "markersize": 12, "mew": 2}
        ax.plot(rows["approximate"], rows["matrix"], "|", label="approximation", **tick)
        ax.set(title=f"{name}: best learned is {best['ranker']}", xlim=(0, 1))
        ax.tick_params(axis="y", labelsize=9)
        ax.margins(y=0.5 / len(rows))
    axes[-1, 0].set_xlabel(f"mean nDCG@{k} over queries that have a relevant document")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
    return figure


def length_curves(table: pd.DataFrame) -> plt.Figure:
    """Ceiling, and error of the approximation, by the length of the list, a line for each cut-off."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.2), layout="constrained")
    shown = table.rename(columns={"cutoff": "cut-off"}).astype({"cut-off": str})
    _lines(shown, "length", "exact", "cut-off", left, palette="viridis")
    _lines(shown, "length", "error", "cut-off", right, palette="viridis", legend=False)
    left.set(ylabel="mean exact ceiling [nDCG]", ylim=(0, 1))
    right.set(yscale="log", ylabel="mean |approximate - exact| [nDCG]")
    for ax in (left, right):
        _lengths(ax, table["length"])
    return figure


def method_times(table: pd.DataFrame) -> plt.Figure:
    """Time of one ceiling by each method and the length of the list."""
    shown = table.assign(milliseconds=1e3 * table["seconds"])
    ax = _lines(shown, "length", "milliseconds", "method", palette=METHODS)
    ax.set(yscale="log", ylabel="time of one ceiling [ms]")
    _lengths(ax, table["length"])
    return ax.figure


def majority_curves(table: pd.DataFrame, k: int = 10) -> plt.Figure:
    """Mean ceiling by the number of judges whose majority trains."""
    ax = _lines(table, "judges", "ceiling", "collection")
    ax.set(xlabel="judges whose majority is the training label", ylabel=f"mean ceiling [nDCG@{k}]")
    ax.set_xticks(sorted(table["judges"].unique()))
    return ax.figure


def double_judgment_curves(table: pd.DataFrame) -> plt.Figure:
    """Half-width of a ceiling's interval by the documents judged twice."""
    ax = _lines(table, "documents", "half_width", "allocation")
    ax.set(xscale="log", xlabel="documents judged by a second assessor")
    ax.set(yscale="log", ylabel="half-width of the 95 % interval [nDCG]")
    plain_ticks(ax.yaxis, table["half_width"].unique(), "± {:g}")
    return ax.figure


def explorer(profile: Sequence[int], confusion: np.ndarray, k: int) -> plt.Figure:
    """A confusion matrix, and the ceiling of one query under it at every cut-off, marked at k."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
    _confusion(left, confusion)
    cutoffs = np.arange(1, min(sum(profile), 50) + 1)
    values = [ceilings.exact(profile, confusion, int(cutoff)) for cutoff in cutoffs]
    right.plot(cutoffs, values, color=METHODS["exact"])
    marked = min(k, len(cutoffs))
    right.plot(marked, values[marked - 1], "o", color=METHODS["exact"], markersize=10)
    right.annotate(f"{values[marked - 1]:.3f}", (marked, values[marked - 1]), xytext=(8, 8), textcoords="offset points")
    right.set(ylim=(0, 1), xlabel="cut-off [rank]", ylabel="exact ceiling [nDCG]")
    return figure


def sliders(profile: Sequence[int]) -> widgets.interactive:
    """Sliders for accuracy, leniency, judges and cut-off above the ceiling of one query, for JupyterLab.

    Parameters
    ----------
    profile : (n_grades,) documents of each grade

    Examples
    --------
    In a notebook, of a query with 50 documents of grade 0, 30 of 1 and 20 of 2:

        sliders([50, 30, 20])
    """
    import ipywidgets as widgets  # of a class alone

    def show(accuracy: float, leniency: float, judges: int, cutoff: int) -> None:
        plt.show(explorer(profile, majority(ordinal_confusion(len(profile), accuracy, leniency), judges), cutoff))

    return widgets.interactive(
        show,
        accuracy=widgets.FloatSlider(0.6, min=0.2, max=1, step=0.05),
        leniency=widgets.FloatSlider(0, min=-0.9, max=0.9, step=0.1),
        judges=widgets.SelectionSlider(options=(1, 3, 5, 7, 9, 11)),
        cutoff=widgets.IntSlider(10, min=1, max=50),
    )


def _lines(table: pd.DataFrame, x: str, y: str, hue: str, ax: plt.Axes | None = None, **look: Any) -> plt.Axes:
    """Marked lines, a colour for each hue, in a figure of their own where no axes are given."""
    ax = ax or plt.subplots(figsize=(7, 4.2), layout="constrained")[1]
    return sns.lineplot(table, x=x, y=y, hue=hue, style=hue, markers=True, dashes=False, ax=ax, **look)


def _confusion(ax: plt.Axes, matrix: np.ndarray) -> None:
    sns.heatmap(
        100 * matrix, ax=ax, annot=True, fmt=".0f", cmap="Blues", vmin=0, vmax=100, square=True,
        cbar_kws={"label": "documents of the row [%]"},
    )  # fmt: skip
    ax.set(xlabel="label by the training assessor", ylabel="grade by the testing assessor")


def _lengths(ax: plt.Axes, lengths: pd.Series) -> None:
    ax.set(xscale="log", xlabel="documents in the list")
    plain_ticks(ax.xaxis, lengths.unique(), "{:,.0f}")


def own_beside_pooled(real: Mapping[str, pd.DataFrame], k: int, titles: Mapping[str, str]) -> plt.Figure:
    """Real nDCG of pairs of judges beside two predictions of it: a panel for each pool, a point a pair."""
    figure, axes = in_rows(len(real), (3.6, 4.4), across=len(real))
    for (name, table), ax in zip(real.items(), axes, strict=True):
        means = table.dropna(subset="real").groupby(["testing", "training"])[["real", "pooled", "own"]].mean()
        ax.hlines(means["real"], means["pooled"], means["own"], color="0.75", linewidth=1, zorder=1)
        ax.scatter(means["pooled"], means["real"], s=36, facecolor="white", edgecolor=POOLED, label=PREDICTED["pooled"])
        ax.scatter(means["own"], means["real"], s=36, color=OWN, marker="D", label=PREDICTED["own"])
        ends = means.to_numpy().min() - MARGIN, means.to_numpy().max() + MARGIN
        ax.plot(ends, ends, color="0.4", linestyle="--", linewidth=1, zorder=0)
        ax.set(xlim=ends, ylim=ends, aspect="equal", xlabel=f"predicted nDCG@{k}")
        ax.locator_params(nbins=5)
        ax.set_title(titles[name], fontsize=11)
    axes[0].set_ylabel(f"real nDCG@{k}")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False)
    return figure


def habit_scatter(panels: Mapping[str, tuple[pd.DataFrame, str]], k: int) -> plt.Figure:
    """Real against predicted nDCG of simulated judges: a small dot a query, a large one a pair of judges."""
    figure, axes = in_rows(len(panels), (4.2, 4.6), across=len(panels), sharey=True)
    for (title, (table, prediction)), ax in zip(panels.items(), axes, strict=True):
        known = table.dropna(subset="real")
        means = known.groupby(["testing", "training"])[["real", prediction]].mean()
        ax.plot([0, 1], [0, 1], color="0.4", linestyle="--", linewidth=1, zorder=3)
        ax.scatter(known[prediction], known["real"], s=8, color="0.7", alpha=0.4, linewidth=0)
        ax.scatter(means[prediction], means["real"], s=70, color=POOLED, edgecolor="black", zorder=4)
        ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", xlabel=f"predicted nDCG@{k}")
        ax.set_title(title, fontsize=11)
    axes[0].set_ylabel(f"real nDCG@{k}")
    return figure


def ceiling_strips(
    ceilings: Mapping[str, pd.DataFrame], learned: pd.DataFrame, kinds: Mapping[str, str], k: int
) -> plt.Figure:
    """Ceilings of collections under every matrix, a row a collection, beside the best learned nDCG."""
    names = list(dict.fromkeys(kinds.values()))
    figure, ax = plt.subplots(figsize=(10, 1.2 + 0.55 * len(ceilings)), layout="constrained")
    for row, (collection, table) in enumerate(ceilings.items()):
        own = learned[learned["dataset"] == collection].nlargest(1, "ndcg")
        for best in own.itertuples():
            label = _once(ax, "best learned ranker")
            ax.hlines(row + 0.32, best.low, best.high, color=LINE, linewidth=1.5)
            ax.plot(best.ndcg, row + 0.32, "|", color=LINE, markersize=11, mew=2.5, label=label)
        for number, kind in enumerate(names):
            of_kind = table[table["matrix"].map(kinds) == kind]
            height = np.full(len(of_kind), row - 0.26 + 0.16 * number)
            ax.scatter(of_kind["exact"], height, s=34, color=COLOURS[number], alpha=0.85, label=_once(ax, kind))
    ax.set(yticks=range(len(ceilings)), yticklabels=list(ceilings), xlim=(0, 1), xlabel=f"mean nDCG@{k}")
    ax.invert_yaxis()
    figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=5, frameon=False)
    return figure


def runs_beside_limit(runs: pd.DataFrame, k: int) -> plt.Figure:
    """Every run less the ranking that is perfect for one person, when another tests: a row a run, the best first."""
    figure, ax = plt.subplots(figsize=(9, 0.6 + 0.115 * len(runs)), layout="constrained")
    rows = runs.sort_values("difference", ascending=False, ignore_index=True)
    for colour, (family, own) in zip(COLOURS, rows.groupby("family"), strict=False):
        above = own["low"] > 0
        ax.hlines(own.index, own["low"], own["high"], color=colour, linewidth=1, alpha=0.6)
        faces = np.where(above, to_hex(colour), "white")
        ax.scatter(own["difference"], own.index, s=26, color=faces, edgecolor=[colour], zorder=3)
        ax.plot([], [], "o", color=colour, label=family)
    ax.axvline(0, color=LINE, linewidth=1)
    ax.set(yticks=[], ylim=(len(rows), -1), xlabel=f"nDCG@{k} less that of a ranking which is perfect for one person")
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    return figure


def label_curves(curves: pd.DataFrame, names: Mapping[str, str]) -> plt.Figure:
    """What rankers learn from more labelled queries, a line for each kind of labels, and its interval."""
    rankers = list(curves["ranker"].unique())
    figure, axes = in_rows(len(rankers), (7.5, 4.4), across=len(rankers), sharey=True)
    for ranker, ax in zip(rankers, axes, strict=True):
        for number, (labels, name) in enumerate(names.items()):
            own = curves[(curves["ranker"] == ranker) & (curves["labels"] == labels)].sort_values("queries")
            ax.errorbar(
                own["queries"] * (1 + 0.03 * (number - 1)), own["ndcg"], color=COLOURS[number], marker="o", capsize=3,
                yerr=[own["ndcg"] - own["low"], own["high"] - own["ndcg"]], elinewidth=0.8,
            )  # fmt: skip
            place = {"transform": ax.transAxes, "ha": "right", "fontsize": 11}
            ax.text(0.98, 0.05 + 0.07 * number, name, color=COLOURS[number], **place)
        ax.set(xscale="log", xlabel="labelled queries, one in four for validation", title=ranker)
        plain_ticks(ax.xaxis, curves["queries"].unique(), "{:.0f}")
    axes[0].set_ylabel("NDCG@10 on queries of a person")
    return figure


def _once(ax: plt.Axes, label: str) -> str:
    """The label for the first of several marks of a kind, an empty one for the others."""
    return "_" if label in ax.get_legend_handles_labels()[1] else label
