"""The figures of study 3, data robustness."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.colors import ListedColormap
from matplotlib.legend import Legend

from helpers.judging.noise import TURNING
from helpers.reporting.figures.look import COLOURS, in_rows, titled, write_at_ends, write_names

# what a labelling makes of a pair of documents
PAIRS = {"right": COLOURS[2], "new": COLOURS[1], "inverse": COLOURS[3], "lost": "#bbbbbb", "tied": "#eeeeee"}

DATA_SETS = {
    "ohsumed": COLOURS[7],
    "td2003": COLOURS[1],
    "mslr-web10k": COLOURS[0],
    "mslr-sample": COLOURS[0],
    "mq2008": COLOURS[2],
    "clueweb09-webis": COLOURS[4],
    "robust04": COLOURS[3],
    "dbpedia-entity": COLOURS[6],
    "microblog": COLOURS[9],
}
OTHER = COLOURS[5]
BY = {"pNoise": COLOURS[0], "dNoise": COLOURS[1], "difference": COLOURS[7]}
RANKERS = dict(
    zip(("RankSVM", "RankBoost", "ListNet", "AdaRank", "LambdaMART", "LambdaRank"), COLOURS[:6], strict=True)
)
# what curves are fitted to
LEFT_OUT = {"": "of all data sets", "TD2003": "without TD2003", "synthetic": "of real ones"}
GAP = 0.2  # no line joins neighbouring levels that are further apart than this
WIDE = 70  # letters in a line of a title over 8 inches
JUDGES = {"WEB5_truth_vs_worker": COLOURS[8], "RAG25_NIST_vs_UMBRELA2": COLOURS[9]}


def broken_pairs(clean: Sequence[int], noisy: Sequence[int], title: str = "") -> plt.Figure:
    """Which pairs of one query's documents a wrong label breaks: right where both order them alike, inverse where the
    other way round, new where the grades tie, lost where the labels do, tied where both do.
    """
    figure, axes = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
    names = list(PAIRS)
    hidden = np.tri(len(clean), dtype=bool).T
    for ax, (name, labels) in zip(axes, {"clean": clean, "one wrong label": noisy}.items(), strict=True):
        kinds = [[names.index(_kind(clean, labels, i, j)) for j in range(len(clean))] for i in range(len(clean))]
        sns.heatmap(
            np.array(kinds), mask=hidden, ax=ax, cmap=ListedColormap(list(PAIRS.values())), vmin=-0.5,
            vmax=len(names) - 0.5, cbar=False, linewidths=2, square=True, xticklabels=labels, yticklabels=labels,
        )  # fmt: skip
        ax.set(title=name, xlabel="label of the one document", ylabel="label of the other")
        ax.tick_params(axis="y", rotation=0)
    handles = [plt.Rectangle((0, 0), 1, 1, color=colour) for colour in PAIRS.values()]
    figure.legend(handles, names, loc="outside lower center", ncols=len(names), frameon=False)
    return _titled(figure, title)


def fall_curves(falls: pd.DataFrame, by: str, performance: str, label: str, title: str = "") -> sns.FacetGrid:
    """Performance by the noise in documents or in pairs, a panel for each ranker (Figures 1 and 2 of the paper)."""
    palette = data_set_colours(falls["dataset"].unique())
    grid = sns.relplot(
        falls, x=by, y=performance, hue="dataset", palette=palette, style="dataset",
        col="ranker", col_wrap=min(3, falls["ranker"].nunique()), kind="scatter", s=30, height=3.2, aspect=1.1,
    )  # fmt: skip
    for ranker, ax in grid.axes_dict.items():
        for name, rows in falls[falls["ranker"] == ranker].groupby("dataset"):
            for piece in _pieces(rows.sort_values(by), by):
                ax.plot(piece[by], piece[performance], color=palette[name], linewidth=1.5)
                if performance == "relative":
                    ax.fill_between(piece[by], piece["low"], piece["high"], color=palette[name], alpha=0.15)
    grid.set_titles("{col_name}").set_axis_labels(_noise(by), label)
    if performance == "relative":
        grid.set(ylim=(0, falls["relative"].max() + 0.1))
    _titled(grid.figure, title, y=1.02)
    return grid


def expected_curves(exact: pd.DataFrame, runs: pd.DataFrame | None = None, title: str = "") -> plt.Figure:
    """Exact pNoise by dNoise (Figure 3 of the paper), and on it what was counted in drawn labels."""
    figure, ax = plt.subplots(figsize=(8.5, 4.6), layout="constrained")
    palette = data_set_colours(exact["dataset"].unique())
    sns.lineplot(exact, x="dnoise", y="pnoise", hue="dataset", palette=palette, errorbar=None, ax=ax, legend=False)
    if runs is not None:
        counted = runs.drop_duplicates(["dataset", "fold", "level", "draw"])
        sns.scatterplot(
            counted, x="dnoise", y="pnoise", hue="dataset", palette=palette, ax=ax, s=14, alpha=0.5, legend=False
        )
    ax.axhline(TURNING, color="0.4", linestyle="--", linewidth=1)
    ax.annotate(f"pNoise {TURNING}", (0.12, TURNING), xytext=(0, -11), textcoords="offset points", size=9)
    ax.set(xlabel=_noise("dnoise"), ylabel=_noise("pnoise"), xlim=(-0.01, 1.35 * exact["dnoise"].max()))
    ends = exact.sort_values("dnoise").groupby("dataset", sort=False).tail(1)
    columns = [ends[column].tolist() for column in ("dnoise", "pnoise", "dataset")]
    write_at_ends(ax, *columns, [palette[name] for name in ends["dataset"]])
    return _titled(figure, title)


def explained_shares(table: pd.DataFrame, over: str = "", title: str = "") -> plt.Figure:
    """Share of the variance that one curve for all data sets explains, over pNoise and over dNoise, by ranker."""
    shown = table[table["by"].isin(["pNoise", "dNoise"])]
    panels = dict(list(shown.groupby(over, sort=False))) if over else {"": shown}
    rankers = list(shown["ranker"].unique())
    size = 3.6, 0.5 * len(rankers) + 1.9
    figure, axes = in_rows(len(panels), size, legend=2, across=len(panels), sharex=True, sharey=True)
    for ax, (name, rows) in zip(axes, panels.items(), strict=True):
        _shares(ax, rows, rankers)
        ax.set(title=name, xlim=(min(0, shown["low"].min()), 1))
    axes[0].set_yticks(range(len(rankers)), rankers)
    axes[0].invert_yaxis()
    figure.supxlabel("variance explained by one curve for all data sets [share]", size="medium")
    legend = figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right upper", frameon=False)
    return _titled(figure, title, beside=legend)


def size_curves(kept: pd.DataFrame, title: str = "") -> plt.Figure:
    """What rankers keep of their performance by the number of training queries, a panel for each level of noise."""
    levels = sorted(level for level in kept["dnoise"].unique() if level > 0)
    figure, axes = in_rows(len(levels), (5.2, 4.4), across=len(levels), sharex=True, sharey=True)
    for ax, level in zip(axes, levels, strict=True):
        at_level = kept[kept["dnoise"] == level]
        for shift, (ranker, rows) in enumerate(at_level.groupby("ranker", sort=False)):
            x, colour = rows["queries"] * 1.03 ** (shift - 2.5), RANKERS.get(ranker, OTHER)
            ax.plot(x, rows["relative"], "o-", color=colour, markersize=5)
            ax.vlines(x, rows["low"], rows["high"], color=colour, alpha=0.4, linewidth=2)
        sizes = sorted(kept["queries"].unique())
        ax.set(title=f"dNoise {level:g}", xlabel="training queries", xscale="log", xlim=(sizes[0] / 1.3, sizes[-1] * 3))
        ax.set_xticks(sizes, [f"{size:,}" for size in sizes])
        ax.minorticks_off()
    axes[0].set_ylabel("NDCG@10 [share of noise-free]")
    _titled(figure, title)
    for ax, level in zip(axes, levels, strict=True):
        ends = kept[kept["dnoise"] == level].sort_values("queries").drop_duplicates("ranker", keep="last")
        write_names(ax, *(ends[column].tolist() for column in ("queries", "relative", "ranker")))
    return figure


def turning_points(table: pd.DataFrame, title: str = "") -> plt.Figure:
    """The pNoise at which the common curve turns, with its 95 % interval, by ranker and over all."""
    rankers = list(table["ranker"].unique())
    figure, ax = plt.subplots(figsize=(8.5, 0.55 * len(rankers) + 1.6), layout="constrained")
    ax.axvline(TURNING, color="0.4", linestyle="--", linewidth=1)
    ax.annotate(f"pNoise {TURNING}", (TURNING, 1), xytext=(-3, -10), xycoords=("data", "axes fraction"),
                textcoords="offset points", size=9, ha="right")  # fmt: skip
    for number, (without, rows) in enumerate(table.fillna({"without": ""}).groupby("without", sort=False)):
        height = [rankers.index(name) + 0.22 * (number - 0.5) for name in rows["ranker"]]
        ax.hlines(
            height, rows["turning_point_low"], rows["turning_point_high"], color=COLOURS[number], linewidth=3, alpha=0.5
        )
        ax.plot(rows["turning_point"], height, "o", color=COLOURS[number], label=LEFT_OUT[without])
    ax.set(xlabel=_noise("pnoise"), xlim=(0, 0.55))
    ax.set_yticks(range(len(rankers)), rankers)
    ax.invert_yaxis()
    legend = figure.legend(loc="outside right upper", frameon=False)
    return _titled(figure, title, beside=legend)


def against_curve(table: pd.DataFrame, title: str = "") -> sns.FacetGrid:
    """Relative performance under the noise of real judges, beside what the curve of uniform noise says of it."""
    names = {name: colour for name, colour in JUDGES.items() if name in set(table["judge"])}
    grid = sns.relplot(
        table, x="predicted", y="relative", hue="judge", palette=names, style="dataset", col="ranker",
        col_wrap=min(3, table["ranker"].nunique()), kind="scatter", s=60, height=3.4, aspect=1.05,
    )  # fmt: skip
    for ax in grid.axes_dict.values():
        ax.axline((1, 1), slope=1, color="0.4", linestyle="--", linewidth=1)
    grid.set_titles("{col_name}").set_axis_labels("by the curve of uniform noise", "measured [share of noise-free]")
    _titled(grid.figure, title, y=1.02)
    return grid


def dnoise_map(table: pd.DataFrame, title: str = "") -> plt.Figure:
    """The dNoise needed to reach the turning pNoise, by grades, share of relevant documents, and documents a query."""
    depths = sorted(table["documents"].unique())
    figure, axes = in_rows(len(depths), (4.2, 3.4), across=len(depths), sharey=True)
    for depth, ax in zip(depths, axes, strict=True):
        wide = table[table["documents"] == depth].pivot(index="relevant", columns="grades", values="dnoise")
        sns.heatmap(
            wide.sort_index(ascending=False), ax=ax, annot=True, fmt=".2f", cmap="viridis", vmin=0, vmax=0.8,
            cbar=depth == depths[-1], cbar_kws={"label": f"dNoise at pNoise {TURNING}"},
        )  # fmt: skip
        ax.set(title=f"{depth:,} documents a query", xlabel="grades", ylabel="share of relevant documents")
    return _titled(figure, title)


def data_set_colours(names: Sequence[str]) -> dict[str, tuple]:
    """The colour of each of the names of data sets; a portrait has that of its original, a reader's own set its own."""
    return {name: DATA_SETS.get(name.removesuffix("-portrait"), OTHER) for name in names}


def _titled(figure: plt.Figure, title: str, y: float | None = None, beside: Legend | None = None) -> plt.Figure:
    """The figure with a title at its left, in lines of at most `WIDE` letters; as it is where there is none."""
    if title:
        above = {} if y is None else {"y": y, "va": "bottom"}
        taken = beside.get_window_extent().width / figure.dpi if beside else 0
        letters = int(WIDE * (figure.get_figwidth() - taken) / 8)
        kept = title.replace(" %", "\N{NO-BREAK SPACE}%")
        titled(figure, kept, letters, "large", **above)
    return figure


def _pieces(rows: pd.DataFrame, by: str) -> list[pd.DataFrame]:
    """Runs of levels that are at most `GAP` apart."""
    return [piece for _, piece in rows.groupby((rows[by].diff() > GAP).cumsum())]


def _shares(ax: plt.Axes, rows: pd.DataFrame, rankers: Sequence[str]) -> None:
    """Dots and intervals of one panel."""
    for offset, by in ((-0.14, "pNoise"), (0.14, "dNoise")):
        own = rows[rows["by"] == by]
        height = [rankers.index(name) + offset for name in own["ranker"]]
        ax.hlines(height, own["low"], own["high"], color=BY[by], linewidth=3, alpha=0.5)
        ax.plot(own["explained"], height, "o", color=BY[by], label=f"over {by}")


def _kind(clean: Sequence[int], labels: Sequence[int], i: int, j: int) -> str:
    graded, labelled = np.sign(clean[i] - clean[j]), np.sign(labels[i] - labels[j])
    if labelled == 0:
        return "lost" if graded else "tied"
    if graded == 0:
        return "new"
    return "right" if graded == labelled else "inverse"


def _noise(by: str) -> str:
    return {"dnoise": "dNoise [share of documents]", "pnoise": "pNoise [share of ordered pairs]"}[by]
