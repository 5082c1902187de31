"""The figures of study 4, queries versus depth."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.colors import ListedColormap
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from helpers.datasets.collection import Collection
from helpers.reporting.figures.look import COLOURS, in_rows, wrap

SAMPLED = {"queries": COLOURS[0], "documents": COLOURS[1]}
CHOICES = {"random": COLOURS[1], "mixed": COLOURS[4], "top": COLOURS[2]}
UNJUDGED = "#e4e4e4"
NDCG = "test NDCG@10"


def judged_documents(whole: Collection, samples: dict[str, Collection]) -> plt.Figure:
    """Which documents of a small collection are judged: a row for each query, a cell for each document.

    Parameters
    ----------
    whole : its first feature must hold the row number of every document
    samples : title -> sample drawn from `whole`
    """
    n_grades = int(whole.grades.max()) + 1
    colours = ListedColormap([UNJUDGED, *sns.color_palette("flare", n_grades)])
    figure, axes = plt.subplots(1, len(samples), figsize=(4 * len(samples), 3.4), sharey=True, layout="constrained")
    for ax, (title, sample) in zip(axes, samples.items(), strict=True):
        grades = np.full((whole.n_queries, whole.group.max()), np.nan)
        rows = sample.features[:, 0].astype(int)
        query = whole.query_index[rows]
        grades[query, rows - whole.offsets[query]] = sample.grades
        cells = np.nan_to_num(grades + 1, nan=0)
        sns.heatmap(cells, ax=ax, cmap=colours, vmin=-0.5, vmax=n_grades + 0.5, cbar=False, linewidths=1.5, square=True)
        ax.set(
            title=f"{title}:\n{sample.n_docs} judgments", xlabel="document of the query", xticklabels=[], yticklabels=[]
        )
    axes[0].set_ylabel("query")
    handles = [plt.Rectangle((0, 0), 1, 1, color=colour) for colour in colours.colors]
    names = ["not judged", *(f"grade {grade}" for grade in range(n_grades))]
    figure.legend(handles, names, loc="outside lower center", ncols=n_grades + 1, frameon=False)
    return figure


def percent_curves(runs: pd.DataFrame) -> sns.FacetGrid:
    """Test NDCG@10 by the share of the judgments kept, for sampled queries and sampled documents (Figure 1).

    Parameters
    ----------
    runs : frame ranker, queries, documents, ndcg, of a sweep over `protocol.percent_grid`
    """
    long = percent_lines(runs)
    grid = _ndcg_lines(long, "percent", "sampled", SAMPLED)
    grid.set_axis_labels("judgments kept [% of the training set]", NDCG)
    return grid


def percent_lines(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs of the first experiment as points of two curves; runs on everything belong to both."""
    return pd.concat(
        [
            runs[runs["documents"] == 1].assign(sampled="queries", percent=lambda f: 100 * f["queries"]),
            runs[runs["queries"] == 1].assign(sampled="documents", percent=lambda f: 100 * f["documents"]),
        ],
        ignore_index=True,
    )


def halving_curves(runs: pd.DataFrame) -> sns.FacetGrid:
    """Test NDCG@10 by the number of judgments, halving queries or halving documents (Figure 2).

    Beside every point stands what is left: documents a query on the curve that halves documents, queries on the other;
    above the higher of two points of equal cost and below the lower one.

    Parameters
    ----------
    runs : frame ranker, queries, documents, judgments, ndcg, of a sweep over `protocol.pool_grid`
    """
    long = halving_lines(runs)
    grid = _ndcg_lines(long, "judgments", "sampled", SAMPLED)
    grid.set(xscale="log")
    grid.set_axis_labels("judgments [queries × documents a query]", NDCG)
    means = long.groupby(["ranker", "sampled", "judgments", "left"], as_index=False)["ndcg"].mean()
    for ranker, ax in grid.axes_dict.items():
        powers_of_two(ax.xaxis, long["judgments"])
        ax.tick_params(axis="x", rotation=30)
        own = means[means["ranker"] == ranker]
        higher = own.groupby("judgments")["ndcg"].transform("max")
        for point, highest in zip(own.itertuples(), higher, strict=True):
            above = point.ndcg == highest if point.judgments < own["judgments"].max() else point.sampled == "documents"
            ax.annotate(
                point.left, (point.judgments, point.ndcg), xytext=(0, 8 if above else -14), textcoords="offset points",
                ha="center", color=SAMPLED[point.sampled], size=9,
            )  # fmt: skip
    return grid


def halving_lines(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs on the two edges of the second experiment's grid, as points of two curves; `left` is what remains."""
    n_queries, n_docs = runs["queries"].max(), runs["documents"].max()
    edges = pd.concat(
        [
            runs[runs["documents"] == n_docs].assign(sampled="queries", left=lambda f: f["queries"]),
            runs[runs["queries"] == n_queries].assign(sampled="documents", left=lambda f: f["documents"]),
        ],
        ignore_index=True,
    )
    return edges.assign(judgments=edges["queries"] * edges["documents"])


def surface(runs: pd.DataFrame) -> plt.Figure:
    """Mean test NDCG@10 for every number of queries and depth; cells on a falling diagonal cost the same.

    Parameters
    ----------
    runs : frame ranker, queries, documents, ndcg, of a sweep over `protocol.pool_grid`
    """
    names = list(runs["ranker"].unique())
    figure, axes = in_rows(len(names), (7, 4.4))
    cells = runs.groupby(["ranker", "queries", "documents"])["ndcg"].mean()
    for name, ax in zip(names, axes, strict=True):
        means = runs[runs["ranker"] == name].pivot_table(values="ndcg", index="documents", columns="queries")
        sns.heatmap(
            means.sort_index(ascending=False), ax=ax, annot=True, fmt=".3f", cmap="viridis",
            vmin=cells.min(), vmax=cells.max(), annot_kws={"size": 9}, cbar_kws={"label": NDCG},
        )  # fmt: skip
        ax.set(title=name, xlabel="training queries", ylabel="judged documents a query")
    return figure


def choice_curves(runs: pd.DataFrame) -> sns.FacetGrid:
    """Test NDCG@10 by depth, for documents chosen at random, from the top of a first stage, or half and half.

    Parameters
    ----------
    runs : frame ranker, documents, choice, ndcg, of a sweep over `protocol.choice_grid`
    """
    grid = _ndcg_lines(runs, "documents", "choice", CHOICES)
    grid.set(xscale="log")
    grid.set_axis_labels("judged documents a query", NDCG)
    for ax in grid.axes_dict.values():
        powers_of_two(ax.xaxis, runs["documents"])
    return grid


def best_depths(table: pd.DataFrame) -> sns.FacetGrid:
    """Best depth by the cost of a query, a line for each budget; the band holds depths that lose less than the margin.

    Parameters
    ----------
    table : frame ranker, budget, cost, documents, shallowest, deepest as `allocation.best_depths` gives it
    """
    budgets = sorted(table["budget"].unique())
    colours = dict(zip(budgets, sns.color_palette("crest", len(budgets)), strict=True))
    grid = sns.FacetGrid(table, col="ranker", col_wrap=wrap(table["ranker"].nunique()), height=4.4, aspect=1.25)
    for name, ax in grid.axes_dict.items():
        for budget, rows in table[table["ranker"] == name].groupby("budget"):
            ax.fill_between(rows["cost"], rows["shallowest"], rows["deepest"], color=colours[budget], alpha=0.13)
            ax.plot(rows["cost"], rows["documents"], color=colours[budget], marker="o", label=f"{budget:,} judgments")
        ax.set_xscale("symlog", base=2, linthresh=1)
        ax.set_yscale("log", base=2)
        powers_of_two(ax.xaxis, table["cost"])
        powers_of_two(ax.yaxis, table[["shallowest", "deepest"]].to_numpy().ravel())
    grid.set_titles("{col_name}")
    grid.set_axis_labels("cost of a query before its first judgment [judgments]", "best depth [documents a query]")
    lines, labels = grid.axes_dict[table["ranker"].iloc[0]].get_legend_handles_labels()
    grid.add_legend(dict(zip(labels, lines, strict=True)), title="budget")
    return grid


def _ndcg_lines(long: pd.DataFrame, x: str, hue: str, palette: dict) -> sns.FacetGrid:
    """A line for each hue through means over the repeats, with their 95 % interval, a panel for each ranker."""
    grid = sns.relplot(
        long, x=x, y="ndcg", hue=hue, hue_order=list(palette), palette=palette, style=hue, markers=True, dashes=False,
        col="ranker", col_wrap=wrap(long["ranker"].nunique()), kind="line", errorbar=("ci", 95), seed=0, height=4.2,
        aspect=1.25,
    )  # fmt: skip
    return grid.set_titles("{col_name}")


def powers_of_two(axis, values: pd.Series | np.ndarray) -> None:
    """Ticks at the powers of two that the values span (and at 0 where they hold it), written as plain numbers.

    Parameters
    ----------
    axis : of matplotlib
    values : that it shows
    """
    values = np.asarray(values, float)
    positive = values[values > 0]
    exponents = np.arange(np.floor(np.log2(positive.min())), np.ceil(np.log2(positive.max())) + 1)
    ticks = 2.0**exponents
    axis.set_major_locator(FixedLocator([0, *ticks] if (values == 0).any() else ticks))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
