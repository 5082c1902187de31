"""The figures of study 4: queries versus depth, and what shallow judging gains or loses beside a margin."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.colors import ListedColormap
from matplotlib.lines import Line2D

from helpers.datasets.collection import Collection
from helpers.reporting.figures.look import (
    ACROSS,
    COLOURS,
    UNJUDGED,
    in_rows,
    plain_ticks,
    powers_of_two,
    titled,
    wrap,
    write_names,
)

SAMPLED = {"queries": COLOURS[0], "documents": COLOURS[1]}
CHOICES = {"random": COLOURS[1], "mixed": COLOURS[4], "top": COLOURS[2]}
NDCG = "test NDCG@10"
LINES = tuple(COLOURS[n] for n in (0, 1, 2, 4, 3, 5))  # colours of the lines of a panel, in their order
TICKS = (0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24)  # of a short logarithmic axis

GAIN, LOSS = "gain of shallow judging\n[test NDCG@10]", "lost against the best depth\n[test NDCG@10]"


def judged_documents(whole: Collection, samples: dict[str, Collection]) -> plt.Figure:
    """Which documents of a small collection are judged: a row for each query, a cell for each document."""
    n_grades = int(whole.grades.max()) + 1
    colours = ListedColormap([UNJUDGED, *sns.color_palette("flare", n_grades)])
    figure, axes = in_rows(len(samples), (4, 3.4), across=len(samples), sharey=True)
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
    """Test NDCG@10 by the share of the judgments kept, for sampled queries and sampled documents (Figure 1)."""
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
    """Test NDCG@10 by the number of judgments, halving queries or documents (Figure 2); beside points what is left."""
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
    """Mean test NDCG@10 for every number of queries and depth; cells on a falling diagonal cost the same."""
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
    """Test NDCG@10 by depth, for documents chosen at random, from the top of a first stage, or half and half."""
    grid = _ndcg_lines(runs, "documents", "choice", CHOICES)
    grid.set(xscale="log")
    grid.set_axis_labels("judged documents a query", NDCG)
    for ax in grid.axes_dict.values():
        powers_of_two(ax.xaxis, runs["documents"])
    return grid


def best_depths(table: pd.DataFrame) -> sns.FacetGrid:
    """Best depth by the cost of a query, a line a budget; the band holds depths that lose less than the margin."""
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


def heterogeneity_map(table: pd.DataFrame, title: str, margin: float) -> plt.Figure:
    """What keeping documents gains over queries, by how much queries differ, a panel for each ranker: lines join the
    portrait at growing slopes, a named point is a real collection.
    """
    names = list(table["ranker"].unique())
    figure, axes = in_rows(len(names), (6.2, 4.8), sharey=True)
    colours = dict(zip(sorted(table["at"].unique()), LINES, strict=False))
    for name, ax in zip(names, axes, strict=True):
        own = table[table["ranker"] == name]
        _ground(ax, (-margin, margin))
        for (at, is_real), rows in own.groupby(["at", own["slopes"].isna()]):
            style = ("D", "none", False) if is_real else ("o", "-", True)
            _bars(ax, rows, "heterogeneity", colours[at], *style)
        ax.set(title=name, xlabel="heterogeneity [own direction of a query / common direction]")
        _short_log(ax, own["heterogeneity"])
        real = own[own["slopes"].isna()]
        write_names(ax, *(real[column].tolist() for column in ("heterogeneity", "difference", "data")))
    axes[0].set_ylabel("documents less queries [test NDCG@10]")
    shares = {f"{at:.0f} % of the judgments": (colour, "s", "none", None) for at, colour in colours.items()}
    kinds = {"portrait, its slopes times 1, 2, 4 (synthetic)": ("0.3", "o", "-", "white")}
    return _finished(figure, title, shares | kinds | {"real collection": ("0.3", "D", "none", None)})


def differences(
    table: pd.DataFrame, panel: str, line: str, label: str, title: str, margin: float, gain: str = GAIN
) -> plt.Figure:
    """What shallow judging gains over what it is held against, a panel for each of one column, a line for another;
    hollow points are below the paper's floor, the grey band is the margin.
    """
    panels, lines = list(table[panel].unique()), list(table[line].unique())
    figure, axes = in_rows(len(panels), (4.4, 3.1), sharey=True)
    for name, ax in zip(panels, axes, strict=True):
        own = table[table[panel] == name]
        _ground(ax, (-margin, margin))
        for colour, rows in _side_by_side(own, line, lines, "at"):
            _bars(ax, rows, "at", colour, "o", "-")
        ax.set(xscale="log", title=name, xlabel=label)
        plain_ticks(ax.xaxis, own["at"].unique())
    _label_rows(axes, gain)
    return _finished(figure, title, {str(name): (LINES[n], "o", "-", None) for n, name in enumerate(lines)})


def losses(table: pd.DataFrame, title: str, margin: float) -> plt.Figure:
    """What each depth loses against the best one of the same budget, a line for each cost of a query; a panel for each
    collection and ranker, at its largest budget and on an axis of its own.
    """
    panels = list(table.groupby(["data", "ranker"], sort=False))
    costs = sorted(table["cost"].unique())
    figure, axes = in_rows(len(panels), (4.4, 3.4))
    for ((data, ranker), own), ax in zip(panels, axes, strict=True):
        own = own[own["budget"] == own["budget"].max()].assign(difference=own["loss"])
        _ground(ax, (0, margin))
        for colour, rows in _side_by_side(own, "cost", costs, "documents"):
            _bars(ax, rows, "documents", colour, "o", "-")
        ax.set(xscale="log", title=f"{data}\n{ranker}, {own['budget'].max():,} judgments", xlabel="documents a query")
        powers_of_two(ax.xaxis, own["documents"])
    _label_rows(axes, LOSS)
    names = ["a query is free" if cost == 0 else f"a query costs {cost:.0f} judgments" for cost in costs]
    return _finished(figure, title, {name: (LINES[n], "o", "-", None) for n, name in enumerate(names)})


def over_runs(table: pd.DataFrame, title: str) -> plt.Figure:
    """What every ranker gains over the best single run and over fusion without labels, a panel for each collection."""
    names, overs = list(table["ranker"].unique()), list(table["over"].unique())
    figure, axes = in_rows(table["dataset"].nunique(), (5.4, 0.34 * len(names) + 1.1), across=2, sharey=True)
    for (dataset, own), ax in zip(table.groupby("dataset", sort=False), axes, strict=True):
        ax.axvline(0, color="0.4", linewidth=0.8)
        for number, rows in enumerate(own[own["over"] == over] for over in overs):
            heights = rows["ranker"].map(names.index) + 0.3 * (number - (len(overs) - 1) / 2)
            ax.hlines(heights, rows["low"], rows["high"], color=LINES[number], linewidth=1.6)
            ax.plot(rows["ndcg"], heights, "o", color=LINES[number], markersize=5)
        ax.set(title=dataset, yticks=range(len(names)), yticklabels=names, xlabel="gain in test NDCG@10")
    axes[0].invert_yaxis()
    return _finished(figure, title, {f"over {over}": (LINES[n], "o", "-", None) for n, over in enumerate(overs)})


def _ground(ax: plt.Axes, band: tuple[float, float]) -> None:
    """The grey band of what counts as nothing, and the line at 0."""
    ax.axhspan(*band, color="0.9", zorder=0)
    ax.axhline(0, color="0.4", linewidth=0.8)


def _side_by_side(rows: pd.DataFrame, line: str, lines: Sequence, x: str) -> Iterable[tuple]:
    """The colour and the rows of every line, moved a little so that no bar hides another."""
    for number, name in enumerate(lines):
        own = rows[rows[line] == name]
        yield LINES[number % len(LINES)], own.assign(**{x: own[x] * 1.06 ** (number - (len(lines) - 1) / 2)})


def _bars(
    ax: plt.Axes, rows: pd.DataFrame, x: str, colour: object, marker: str, line: str, hollow: bool = False
) -> None:
    """Points with bars from low to high; hollow where `rows` says that they are shallow, or all of them."""
    rows = rows.sort_values(x)
    ax.vlines(rows[x], rows["low"], rows["high"], color=colour, linewidth=1.2, alpha=0.7)
    ax.plot(rows[x], rows["difference"], color=colour, linestyle=line, linewidth=1.2, alpha=0.8)
    empty = rows["shallow"] if "shallow" in rows else pd.Series(hollow, index=rows.index)
    for is_empty, part in rows.groupby(empty):
        face = "white" if is_empty else colour
        ax.scatter(part[x], part["difference"], marker=marker, s=34, edgecolor=colour, facecolor=face, zorder=3)


def _short_log(ax: plt.Axes, values: pd.Series) -> None:
    low, high = values.min() * 0.93, values.max() * 1.08
    ax.set(xscale="log", xlim=(low, high))
    plain_ticks(ax.xaxis, [tick for tick in TICKS if low <= tick <= high])


def _label_rows(axes: Sequence[plt.Axes], label: str) -> None:
    for ax in axes[::ACROSS]:
        ax.set_ylabel(label)


def _finished(figure: plt.Figure, title: str, entries: dict[str, tuple]) -> plt.Figure:
    """The figure with its title, and a legend of colour, marker, line and face for each name."""
    handles = [
        Line2D([], [], color=colour, marker=marker, linestyle=line, markerfacecolor=face or colour)
        for colour, marker, line, face in entries.values()
    ]
    figure.legend(handles, list(entries), loc="outside lower center", ncols=3, frameon=False)
    return titled(figure, title)
