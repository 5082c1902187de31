"""The figures of study 2, disagreement bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from helpers.judging import ceilings
from helpers.reporting.figures.look import COLOURS

METHODS = {"exact": COLOURS[0], "simulated": COLOURS[1], "approximate": COLOURS[2]}
PREDICTIONS = {
    "pooled": "matrix of these assessors, other queries",
    "elsewhere": "matrix from elsewhere",
    "varying": "matrices that vary between queries",
    "own": "the query's own matrix, from its other documents",
}
LEARNED = COLOURS[3]
MANY_PAIRS = 12  # beyond which pairs of assessors are not told apart


def label_draws(ndcg: np.ndarray, exact: float, k: int) -> plt.Figure:
    """nDCG@k of one query under many drawn labellings, and how their mean approaches the exact ceiling.

    Parameters
    ----------
    ndcg : (n_draws,) nDCG@k of each labelling
    exact : the exact ceiling
    k : cut-off, for the names of the axes
    """
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
    """Real against predicted limits (Figure 1 of the paper): a small dot a query, a large one the mean of a pair.

    Parameters
    ----------
    table : frame testing, training, real, and the columns of predictions
    predictions : columns, a panel for each
    k : cut-off, for the names of the axes
    """
    known = table.dropna(subset="real").assign(pair=lambda t: t["testing"] + " tests " + t["training"])
    few = known["pair"].nunique() <= MANY_PAIRS
    width = 5.2 * len(predictions) + 2.5 * few
    figure, axes = plt.subplots(
        1, len(predictions), figsize=(width, 5), sharey=True, squeeze=False, layout="constrained"
    )
    style = {"hue": "pair", "palette": "husl"} if few else {"color": COLOURS[0]}
    for name, ax in zip(predictions, axes[0], strict=True):
        ax.plot([0, 1], [0, 1], color="0.4", linestyle="--", linewidth=1, zorder=3)
        sns.scatterplot(known, x=name, y="real", ax=ax, s=12, alpha=0.3, linewidth=0, legend=False, **style)
        means = known.groupby("pair", sort=False)[[name, "real"]].mean().reset_index()
        last = few and ax is axes[0, -1]
        sns.scatterplot(means, x=name, y="real", ax=ax, s=110, edgecolor="black", legend=last, zorder=4, **style)
        ax.set(title=PREDICTIONS[name], xlabel=f"predicted nDCG@{k}", ylabel=f"real nDCG@{k}", xlim=(0, 1), ylim=(0, 1))
        ax.set_aspect("equal")
    if few:
        sns.move_legend(axes[0, -1], "center left", bbox_to_anchor=(1, 0.5), title="assessors", frameon=False)
    return figure


def ceiling_rows(tables: Mapping[str, pd.DataFrame], learned: pd.DataFrame, k: int = 10) -> plt.Figure:
    """The ceiling under every matrix with its interval, beside the best learned nDCG: a panel for each collection.

    Parameters
    ----------
    tables : collection -> frame of `collection_ceilings.ceilings_table`
    learned : frame of `baselines.means`
    k : cut-off, for the name of the axis
    """
    heights = [1 + len(table) for table in tables.values()]
    figure, axes = plt.subplots(
        len(tables), 1, figsize=(10, 0.3 * sum(heights) + 1.5), sharex=True, layout="constrained",
        gridspec_kw={"height_ratios": heights}, squeeze=False,
    )  # fmt: skip
    for (name, table), ax in zip(tables.items(), axes[:, 0], strict=True):
        best = learned[learned["dataset"] == name].nlargest(1, "ndcg").iloc[0]
        rows = table.sort_values("exact", ascending=False)
        ax.axvspan(best["low"], best["high"], color=LEARNED, alpha=0.15)
        ax.axvline(best["ndcg"], color=LEARNED, label="best learned ranker")
        ax.hlines(rows["matrix"], rows["low"], rows["high"], color=METHODS["exact"], linewidth=3, alpha=0.5)
        ax.plot(rows["exact"], rows["matrix"], "o", color=METHODS["exact"], label="exact ceiling")
        ax.plot(
            rows["approximate"],
            rows["matrix"],
            "|",
            color=METHODS["approximate"],
            markersize=12,
            mew=2,
            label="approximation",
        )
        ax.set(title=f"{name}: best learned is {best['ranker']}", xlim=(0, 1))
        ax.tick_params(axis="y", labelsize=9)
        ax.margins(y=0.5 / len(rows))
    axes[-1, 0].set_xlabel(f"mean nDCG@{k} over queries that have a relevant document")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
    return figure


def length_curves(table: pd.DataFrame) -> plt.Figure:
    """Ceiling, and error of the approximation, by the length of the list, a line for each cut-off.

    Parameters
    ----------
    table : frame length, cutoff, exact, error: means over lists
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.2), layout="constrained")
    shown = table.rename(columns={"cutoff": "cut-off"}).astype({"cut-off": str})
    style = {
        "x": "length",
        "hue": "cut-off",
        "style": "cut-off",
        "markers": True,
        "dashes": False,
        "palette": "viridis",
    }
    sns.lineplot(shown, y="exact", ax=left, **style)
    sns.lineplot(shown, y="error", ax=right, legend=False, **style)
    left.set(ylabel="mean exact ceiling [nDCG]", ylim=(0, 1))
    right.set(yscale="log", ylabel="mean |approximate - exact| [nDCG]")
    for ax in (left, right):
        _lengths(ax, table["length"])
    return figure


def method_times(table: pd.DataFrame) -> plt.Figure:
    """Time of one ceiling by each method and the length of the list.

    Parameters
    ----------
    table : frame of `list_ceilings.method_table`
    """
    figure, ax = plt.subplots(figsize=(7, 4.2), layout="constrained")
    shown = table.assign(milliseconds=1e3 * table["seconds"])
    sns.lineplot(
        shown,
        x="length",
        y="milliseconds",
        hue="method",
        style="method",
        palette=METHODS,
        markers=True,
        dashes=False,
        ax=ax,
    )
    ax.set(yscale="log", ylabel="time of one ceiling [ms]")
    _lengths(ax, table["length"])
    return figure


def majority_curves(table: pd.DataFrame, k: int = 10) -> plt.Figure:
    """Mean ceiling by the number of judges whose majority trains.

    Parameters
    ----------
    table : frame judges, ceiling, collection
    k : cut-off, for the name of the axis
    """
    figure, ax = plt.subplots(figsize=(7, 4.2), layout="constrained")
    sns.lineplot(
        table, x="judges", y="ceiling", hue="collection", style="collection", markers=True, dashes=False, ax=ax
    )
    ax.set(xlabel="judges whose majority is the training label", ylabel=f"mean ceiling [nDCG@{k}]")
    ax.set_xticks(sorted(table["judges"].unique()))
    return figure


def double_judgment_curves(table: pd.DataFrame) -> plt.Figure:
    """Half-width of a ceiling's interval by the documents judged twice.

    Parameters
    ----------
    table : frame half_width, documents, allocation
    """
    figure, ax = plt.subplots(figsize=(7, 4.2), layout="constrained")
    sns.lineplot(
        table, x="documents", y="half_width", hue="allocation", style="allocation", markers=True, dashes=False, ax=ax
    )
    ax.set(
        xscale="log",
        yscale="log",
        xlabel="documents judged by a second assessor",
        ylabel="half-width of the 95 % interval [nDCG]",
    )
    ax.yaxis.set_major_locator(FixedLocator(sorted(table["half_width"].unique())))
    ax.yaxis.set_minor_locator(NullLocator())
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"± {value:g}"))
    return figure


def explorer(profile: Sequence[int], confusion: np.ndarray, k: int) -> plt.Figure:
    """A confusion matrix, and the ceiling of one query under it at every cut-off, marked at k.

    Parameters
    ----------
    profile : (n_grades,) documents of each grade
    confusion : (n_grades, n_grades) probabilities
    k : cut-off that is marked
    """
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


def _confusion(ax: plt.Axes, matrix: np.ndarray) -> None:
    sns.heatmap(
        100 * matrix, ax=ax, annot=True, fmt=".0f", cmap="Blues", vmin=0, vmax=100, square=True,
        cbar_kws={"label": "documents of the row [%]"},
    )  # fmt: skip
    ax.set(xlabel="label by the training assessor", ylabel="grade by the testing assessor")


def _lengths(ax: plt.Axes, lengths: pd.Series) -> None:
    ax.set(xscale="log", xlabel="documents in the list")
    ax.xaxis.set_major_locator(FixedLocator(sorted(lengths.unique())))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
