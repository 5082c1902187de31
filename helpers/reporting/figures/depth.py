"""The figures of study 4: which documents are judged, what many shallow queries gain, and the paper's two curves."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.colors import ListedColormap

from helpers.datasets.collection import Collection
from helpers.metrics.significance import t_half
from helpers.reporting.answers import signed
from helpers.reporting.figures.forms import legend, line, log_ticks, panels, zero_line
from helpers.reporting.figures.look import colour, colours, headed, write_names

NDCG = "test NDCG@10"
GAIN = "gain of many shallow queries\n[test NDCG@10]"
LINES = {"queries": ("-", "+"), "documents": (":", "o")}  # as the paper draws them
SKETCH = "NDCG@10, a sketch:\nonly its order is printed"
FEWEST = 3  # draws that have a band
TIE = 1e-9  # by which documents are taken to be above queries where both are the same runs
TINTS = {
    "all documents, which cost more": colour("documents"), "fewer queries, at the same cost": colour("queries"),
    "top": colour("chosen"), "mixed": colour("weights"), "0 judgments": "0.7", "8 judgments": "0.45",
    "64 judgments": "0.1",
}  # fmt: skip


def judged_documents(whole: Collection, samples: dict[str, Collection], title: str = "") -> plt.Figure:
    """Which documents of a small collection are judged: a row for each query, a cell for each document."""
    n_grades = int(whole.grades.max()) + 1
    tints = ListedColormap([colour("unjudged"), *sns.color_palette("flare", n_grades)])
    names = [f"{name}:\n{sample.n_docs} judgments" for name, sample in samples.items()]
    figure, axes = panels(names, 3.4, width=4 * len(samples), sharey=True)
    for ax, sample in zip(axes, samples.values(), strict=True):
        grades = np.full((whole.n_queries, whole.group.max()), np.nan)
        rows = sample.features[:, 0].astype(int)
        query = whole.query_index[rows]
        grades[query, rows - whole.offsets[query]] = sample.grades
        look = {"cmap": tints, "vmin": -0.5, "vmax": n_grades + 0.5, "linewidths": 1.5}
        sns.heatmap(np.nan_to_num(grades + 1, nan=0), ax=ax, cbar=False, square=True, **look)
        ax.set(xlabel="document of the query", xticks=[], yticks=[])
    axes[0].set_ylabel("query")
    names = ["not judged", *(f"grade {grade}" for grade in range(n_grades))]
    legend(figure, dict(zip(names, tints.colors, strict=True)), "", "s")
    said = (f"{name}: {sample.n_docs} documents of {sample.n_queries} queries" for name, sample in samples.items())
    return headed(figure, title, f"Squares that are judged. {'; '.join(said)}.")


def gains(shares: pd.DataFrame, pooled: pd.DataFrame, title: str, own: pd.DataFrame | None = None) -> plt.Figure:
    """What many shallow queries gain over few whole ones, by the share of the judgments, a panel for each ranker: faint
    a line for each collection, its points hollow below the floor; thick what they come to; a star is one's own run.
    """
    names = list(pooled["ranker"].unique())
    figure, axes = panels(names, 3.8, sharey=True)
    tints = colours(shares["data"])
    for name, ax in zip(names, axes, strict=True):
        zero_line(ax)
        for collection, rows in shares[shares["ranker"] == name].groupby("data", sort=False):
            line(ax, rows.sort_values("at"), "at", "difference", (*tints[collection], 0.45), hollow="shallow")
        rows = pooled[pooled["ranker"] == name]
        ends = (rows["measured"] - rows["low"], rows["high"] - rows["measured"])
        ax.errorbar(rows["at"], rows["measured"], ends, color=colour("text"), marker="D", linewidth=2.4, zorder=2)
        if own is not None:
            mine = own[own["ranker"] == name]
            ends = (mine["difference"] - mine["low"], mine["high"] - mine["difference"])
            look = {"fmt": "*", "markersize": 15, "color": colour("text"), "zorder": 5}
            ax.errorbar(mine["at"] * 1.04, mine["difference"], ends, **look)
        log_ticks(ax.xaxis, shares["at"])
        ax.set_xlabel("judgments kept [%]")
    axes[0].set_ylabel(GAIN)
    entries = {"pooled, 95 %": {"color": colour("text"), "marker": "D"}, **tints}
    entries["below 8 documents"] = {"linestyle": "", "color": colour("line"), "markerfacecolor": "white"}
    if own is not None:
        entries["your run"] = {"linestyle": "", "marker": "*", "markersize": 13, "color": colour("text")}
    legend(figure, entries)
    said = (f"{signed(row.measured)} at {row.at:g} % with {row.ranker}" for row in pooled.itertuples())
    many = shares["data"].nunique()
    star = "" if own is None else f"{title}. "
    return headed(figure, title, f"{star}Gains on {many} collections by the judgments kept; pooled: {', '.join(said)}.")


def curves(drawn: dict[str, pd.DataFrame], title: str = "", across: int = 3) -> plt.Figure:
    """Test NDCG@10 of sampled queries and of sampled documents, as the paper's Figures 1 and 2 draw them, a panel for
    each frame of `tables.by_ranker` or `tables.sketch`; bands are 95 % over draws, of three and more.
    """
    figure, axes = panels(list(drawn), 3.1, across=across)
    labelled = int(any("repeat" not in runs for runs in drawn.values()))  # column right of the sketches
    for ax, runs in zip(axes, drawn.values(), strict=True):
        x = "percent" if "percent" in runs else "judgments"
        means = {name: _means(runs[runs["sampled"] == name], x) for name in LINES}
        for name, (style, marker) in LINES.items():
            own, tint = means[name], colour(name)
            ax.plot(own[x], own["ndcg"], color=tint, linestyle=style, marker=marker, markersize=7, mew=1.8)
            if own["count"].min() >= FEWEST:
                ax.fill_between(own[x], own["low"], own["high"], color=tint, alpha=0.13, linewidth=0)
            if "left" in runs:
                other = means["queries" if name == "documents" else "documents"].set_index(x)["ndcg"]
                _write_left(ax, own, x, tint, other if name == "queries" else other - TIE)
        if x == "judgments":
            log_ticks(ax.xaxis, runs[x], shape="{:,.0f}")
            ax.tick_params(axis="x", rotation=30)
            ax.margins(y=0.14)
        ax.set_xlabel("judgments kept [%]" if x == "percent" else "queries × documents")
        if "repeat" not in runs:
            ax.set(yticks=[], ylabel=SKETCH)
        elif ax.get_subplotspec().colspan.start == labelled:
            ax.set_ylabel(NDCG)
    entries = {f"{name} sampled": (name, *look) for name, look in LINES.items()}
    looks = {n: {"color": colour(name), "linestyle": s, "marker": m} for n, (name, s, m) in entries.items()}
    legend(figure, looks)
    return headed(figure, title, f"{NDCG} of sampled queries and of sampled documents: {', '.join(drawn)}. {title}.")


def heterogeneity_map(table: pd.DataFrame, title: str, margin: float) -> plt.Figure:
    """What keeping documents gains over queries, by how much queries differ, a panel for each ranker: lines join the
    portrait at growing slopes, a named point is a real collection.
    """
    names = list(table["ranker"].unique())
    figure, axes = panels(names, 4.4, sharey=True)
    tints = colours(f"{at:g} % kept" for at in sorted(table["at"].unique()))
    for name, ax in zip(names, axes, strict=True):
        own = table[table["ranker"] == name].assign(hollow=lambda rows: rows["slopes"].notna())
        zero_line(ax, margin=margin)
        for (at, drawn), rows in own.groupby(["at", "hollow"]):
            tint, rows = tints[f"{at:g} % kept"], rows.sort_values("heterogeneity")
            line(ax, rows, "heterogeneity", "difference", tint, "bars", hollow="hollow", gap=np.inf if drawn else 0)
        ax.set(xlabel="heterogeneity [own direction / common one]")
        log_ticks(ax.xaxis, [1, 2, 3, 4, 6, 8])
        real = own[~own["hollow"]]
        write_names(ax, *(real[column].tolist() for column in ("heterogeneity", "difference", "data")))
    axes[0].set_ylabel("documents less queries\n[test NDCG@10]")
    portrait = {"color": colour("line"), "markerfacecolor": "white"}
    legend(figure, tints | {"portrait, slopes × 1, 2, 4": portrait})
    real = table[table["slopes"].isna()]
    said = (f"{row.data} {signed(row.difference)} with {row.ranker}" for row in real.itertuples())
    return headed(figure, title, f"Gain of documents by how much queries differ: {', '.join(said)}.")


def differences(
    table: pd.DataFrame, panel: str, hue: str, axis: str, title: str, margin: float, label: str = GAIN
) -> plt.Figure:
    """Differences with their intervals, by `at`: a panel for each of one column, a line for each of another, moved a
    little so that no bar hides another; hollow points are below the paper's floor, the grey band is the margin.
    """
    figure, axes = panels(list(table[panel].unique()), 3, sharey=True)
    tints = {name: TINTS.get(name) or tint for name, tint in colours(table[hue]).items()}
    for (_, own), ax in zip(table.groupby(panel, sort=False), axes, strict=True):
        zero_line(ax, margin=margin)
        for number, (name, rows) in enumerate(own.groupby(hue, sort=False)):
            moved = rows.sort_values("at").assign(at=lambda r, n=number: r["at"] * 1.07**n)
            line(ax, moved, "at", "difference", tints[name], "bars", hollow="shallow" if "shallow" in moved else "")
        log_ticks(ax.xaxis, own["at"])
        ax.set_xlabel(axis)
        if ax.get_subplotspec().is_first_col():
            ax.set_ylabel(label, fontsize=10)
    legend(figure, tints)
    return headed(figure, title, f"{title}. Lines: {', '.join(tints)}; panels: {', '.join(table[panel].unique())}.")


def _means(rows: pd.DataFrame, x: str) -> pd.DataFrame:
    """Means over draws with their 95 % interval, none of a single draw."""
    keys = [x, "left"] if "left" in rows else [x]
    means = rows.groupby(keys)["ndcg"].agg(["mean", "sem", "count"]).reset_index()
    half = t_half(means["sem"].fillna(0), (means["count"] - 1).clip(1))
    return means.assign(ndcg=means["mean"], low=means["mean"] - half, high=means["mean"] + half)


def _write_left(ax: plt.Axes, means: pd.DataFrame, x: str, tint: object, other: pd.Series) -> None:
    """What is left beside each point: above it where the other line is lower at the same cost, else below it."""
    for at, ndcg, left in means[[x, "ndcg", "left"]].itertuples(index=False):
        place = {"xytext": (0, 7 if ndcg > other.get(at, 0) else -14), "textcoords": "offset points", "ha": "center"}
        ax.annotate(f"{left:g}", (at, ndcg), color=tint, size=8, **place)
