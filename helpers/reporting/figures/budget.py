"""The figures of study 5, the label budget."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.ticker import LogLocator

from helpers.reporting.figures import forms
from helpers.reporting.figures.look import PINK, RED, SKY, WIDTH, colour, headed, name_ends, plain_ticks

BEST = {"best, people": colour("people"), "best, machine first": colour("machine")}
SHOWN_RULES = {
    "fifty queries to depth 20": PINK,
    "twice the depth of the page": SKY,
    "three opinions and a majority": RED,
}
HIGHEST = 0.6  # difference in nDCG above which a plan need not be shown


def budget_lines(curve: pd.DataFrame, best: pd.Series, budget: float, cutoff: int, title: str) -> plt.Figure:
    """The difference that each plan sees, by budget; the recommended one is marked."""
    figure, ax = plt.subplots(figsize=(WIDTH, 5), layout="constrained")
    tints, ends = BEST | SHOWN_RULES, {}
    for name, tint in tints.items():
        line = curve[curve["plan"] == name].sort_values("budget")
        if len(line):
            ax.plot(line["budget"], line["reach"], color=tint, linestyle="-" if name in BEST else "--")
            ends[name] = (line["budget"].iloc[-1], line["reach"].iloc[-1])
    ax.scatter([budget], [best["reach"]], s=90, color="black", zorder=5)
    ax.annotate("recommended", (budget, best["reach"]), (-6, -16), textcoords="offset points", ha="right")
    ax.set(xscale="log", yscale="log", xlabel="budget [in the unit of the costs]")
    ax.set_ylabel(f"smallest difference seen, with bias [nDCG@{cutoff}]")
    _short_ticks(ax.xaxis, "{:,.0f}")
    _short_ticks(ax.yaxis)
    ax.set_ylim(top=min(HIGHEST, ax.get_ylim()[1]))
    name_ends(ax, ends, tints)
    alt = f"Smallest difference seen against the budget, a line for each: {'; '.join(ends)}."
    return headed(figure, title, alt)


def depth_worth(table: pd.DataFrame, title: str) -> plt.Figure:
    """What a query judged to each depth is worth of one judged whole, with its interval, a line a collection."""
    figure = forms.curves(table, "depth", "worth", "collection", band="bars", base=2, height=4.4)
    [ax] = figure.axes
    forms.zero_line(ax, 1)
    ax.set(xlabel="judged documents a query", ylabel="worth of a query [share]")
    ax.set_ylim(0, min(1.6, table["high"].max() * 1.05))
    return headed(figure, title, f"Worth of a query against its depth, a line a pilot. {title}")


def machine_prices(pairs: pd.DataFrame, ratio: float, title: str) -> plt.Figure:
    """How many pairs of systems a machine pays for at which price."""
    figure, ax = plt.subplots(figsize=(WIDTH, 3.8), layout="constrained")
    prices = np.sort(pairs["below"])
    ax.plot(prices, 100 * (1 - np.arange(len(prices)) / len(prices)), color=colour("machine"))
    ax.axvline(ratio, color="black", linewidth=1)
    ax.annotate(f" a machine now, {ratio:.2g}", (ratio, 8), ha="left")
    ax.set(xlabel="price of a judgment by a machine [share of a person's]", ylim=(0, 103), xlim=(0, None))
    ax.set_ylabel("pairs for which it pays [%]")
    return headed(figure, title, "The share of pairs of systems for which a machine pays, falling with its price.")


def rule_losses(table: pd.DataFrame, title: str) -> plt.Figure:
    """How much larger the differences are that each rule of thumb sees, a row a rule by its median, a dot a collection.

    A rule that some collections cannot follow says how many can.
    """
    found, collections = table.groupby("rule")["worse"].agg(["median", "size"]), table["collection"].nunique()
    names = {
        rule: rule if size == collections else f"{rule} ({size} of {collections})"
        for rule, size in found.sort_values("median")["size"].items()
    }
    shown = pd.Categorical(table["rule"].map(names), names.values())
    rows = table.assign(name=shown, value=1 + table["worse"], low=np.nan, high=np.nan)
    axis = "smallest difference seen, over that of the best plan at this cost [times]"
    figure = forms.intervals(rows.sort_values("name", kind="stable"), axis, hue="collection", at=1)
    figure.axes[0].set_xscale("log")
    plain_ticks(figure.axes[0].xaxis, LogLocator(subs=(1, 1.5, 2, 3, 5)))
    return headed(figure, title, f"A row a rule of thumb, the best first, a dot a collection. {title}")


def cost_curves(table: pd.DataFrame, best: pd.DataFrame, title: str) -> plt.Figure:
    """nDCG of a trained ranker by depth where every point costs the same, a panel a collection; the best are dots."""
    figure = forms.curves(table, "depth", "ndcg", "ranker", panel="collection", base=2, dots=False)
    palette = forms.colours(table["ranker"])
    for ax, name in zip(figure.axes, dict.fromkeys(table["collection"]), strict=True):
        top = best[best["collection"] == name]
        ax.scatter(top["depth"], top["ndcg"], c=[palette[ranker] for ranker in top["ranker"]], zorder=3)
        ax.set(xlabel="judged documents a query", ylabel=ax.get_ylabel() and "test nDCG of the ranker")
    alt = f"nDCG against depth at one cost, a line a ranker, its best depth marked. {title}"
    return headed(figure, title.removesuffix("."), alt)


def both_goals(table: pd.DataFrame, title: str) -> plt.Figure:
    """The best depth by the price of a query for both goals, a line for each pilot, and one to train with its band."""
    figure, ax = plt.subplots(figsize=(WIDTH, 4.8), layout="constrained")
    ends, tints = {}, {}
    for (goal, data), rows in table.groupby(["goal", "data"], sort=False):
        style, name = "-" if goal == "measure" else "--", f"to {goal}: {data}"
        ax.plot(rows["cost"], rows["depth"], style, color=colour(goal), marker="o", markersize=4, alpha=0.8)
        ax.fill_between(rows["cost"], rows["low"], rows["high"], color=colour(goal), alpha=0.15)
        ends[name], tints[name] = (rows["cost"].iloc[-1], rows["depth"].iloc[-1]), colour(goal)
    ax.set(xscale="symlog", yscale="log", xlabel="price of a query [judgments by a person]")
    ax.set_ylabel("best depth [documents a query]")
    plain_ticks(ax.xaxis, table["cost"].unique(), "{:,.0f}")
    _short_ticks(ax.yaxis, "{:,.0f}")
    name_ends(ax, ends, tints)
    return headed(figure, title, f"Best depth against the price of a query, a line for each: {'; '.join(ends)}.")


def _short_ticks(axis: plt.Axes, shape: str = "{:.3g}") -> None:
    """Plain ticks at 1, 2 and 5 of every power of ten."""
    plain_ticks(axis, LogLocator(subs=(1, 2, 5)), shape)
