"""The figures of study 5, the label budget."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter, NullLocator

from helpers.reporting.figures.look import ACROSS, COLOURS, in_rows

BEST = {"best, people": COLOURS[0], "best, machine first": COLOURS[2]}
SHOWN_RULES = ("fifty queries to depth 20", "twice the depth of the page", "three opinions and a majority")
RULE_COLOURS = (COLOURS[1], COLOURS[4], COLOURS[3])
HIGHEST = 0.6
"""Difference in nDCG above which a plan need not be shown."""

GOALS = {"measure": COLOURS[0], "train": COLOURS[1]}
OF_COLLECTIONS = (COLOURS[0], COLOURS[1], COLOURS[2], COLOURS[4])
"""Three that are stored, and the reader's."""


def budget_lines(curve: pd.DataFrame, best: pd.Series, budget: float, cutoff: int, title: str) -> plt.Figure:
    """The difference that each plan sees, by budget; the recommended one is marked.

    Parameters
    ----------
    curve : frame budget, plan, reach
    best : the recommended plan, with its reach
    budget : that is spent
    cutoff : of nDCG
    title : what the figure shows
    """
    figure, ax = plt.subplots(figsize=(9.5, 5), layout="constrained")
    colours = BEST | dict(zip(SHOWN_RULES, RULE_COLOURS, strict=True))
    ends = {}
    for name, colour in colours.items():
        line = curve[curve["plan"] == name].sort_values("budget")
        if len(line):
            ax.plot(line["budget"], line["reach"], color=colour, linestyle="-" if name in BEST else "--")
            ends[name] = (line["budget"].iloc[-1], line["reach"].iloc[-1])
    ax.scatter([budget], [best["reach"]], s=90, color="black", zorder=5)
    ax.annotate("recommended", (budget, best["reach"]), (-6, -16), textcoords="offset points", ha="right")
    ax.set(xscale="log", yscale="log", xlabel="budget [in the unit of the costs]")
    ax.set_ylabel(f"smallest difference seen, with bias [nDCG@{cutoff}]")
    _plain(ax.xaxis, "{:,.0f}")
    _plain(ax.yaxis, "{:.3g}")
    ax.set_ylim(top=min(HIGHEST, ax.get_ylim()[1]))
    _name_ends(ax, ends, colours)
    ax.set_title(title, loc="left", fontsize="medium")
    return figure


def depth_worth(table: pd.DataFrame, title: str) -> plt.Figure:
    """What a query judged to each depth is worth of one judged whole, with its interval, a line a collection.

    Parameters
    ----------
    table : frame collection, depth, worth, low, high
    title : what the figure shows
    """
    figure, ax = plt.subplots(figsize=(9, 4.4), layout="constrained")
    names = list(table["collection"].unique())
    colours = dict(zip(names, OF_COLLECTIONS, strict=False))
    for shift, (name, rows) in enumerate(table.groupby("collection", sort=False)):
        x = rows["depth"] * 1.03 ** (shift - 1)
        ax.errorbar(
            x, rows["worth"], (rows["worth"] - rows["low"], rows["high"] - rows["worth"]), color=colours[name],
            marker="o", markersize=4, elinewidth=0.8, label=name,
        )  # fmt: skip
    ax.axhline(1, color="0.5", linewidth=0.8)
    ax.set(xscale="log", xlabel="judged documents a query", ylabel="worth of a query [share of one judged whole]")
    ax.set_ylim(0, min(1.6, table["high"].max() * 1.05))
    _plain(ax.xaxis, "{:,.0f}")
    ax.legend(loc="lower right", frameon=True)
    ax.set_title(title, loc="left", fontsize="medium")
    return figure


def machine_prices(pairs: pd.DataFrame, ratio: float, title: str) -> plt.Figure:
    """How many pairs of systems a machine pays for at which price.

    Parameters
    ----------
    pairs : frame with `below`, the price at which it first pays, as a share of a person's
    ratio : the machine's price now
    title : what the figure shows
    """
    figure, ax = plt.subplots(figsize=(9, 3.8), layout="constrained")
    prices = np.sort(pairs["below"])
    ax.plot(prices, 100 * (1 - np.arange(len(prices)) / len(prices)), color=COLOURS[2])
    ax.axvline(ratio, color="black", linewidth=1)
    ax.annotate(f" a machine now, {ratio:.2g}", (ratio, 8), ha="left")
    ax.set(xlabel="price of a judgment by a machine [share of a person's]", ylim=(0, 103), xlim=(0, None))
    ax.set_ylabel("pairs of systems for which it pays [%]")
    ax.set_title(title, loc="left", fontsize="medium")
    return figure


def rule_losses(table: pd.DataFrame, title: str) -> plt.Figure:
    """How much larger the differences are that each rule of thumb sees, a row a rule, a dot a collection.

    Parameters
    ----------
    table : frame collection, rule, worse
    title : what the figure shows
    """
    order = table.groupby("rule")["worse"].mean().sort_values(ascending=False).index
    names = list(table["collection"].unique())
    figure, ax = plt.subplots(figsize=(9.5, 1.2 + 0.5 * len(order)), layout="constrained")
    for shift, name in enumerate(names):
        rows = table[table["collection"] == name].set_index("rule").reindex(order)
        places = np.arange(len(order)) + 0.2 * (shift - (len(names) - 1) / 2)
        ax.scatter(1 + rows["worse"], places, color=OF_COLLECTIONS[shift], label=name, zorder=3)
    ax.axvline(1, color="0.5", linewidth=0.8)
    ax.set(xscale="log", yticks=range(len(order)), yticklabels=order)
    ax.set_xlabel("smallest difference seen, over that of the best plan at the same cost [times]")
    _plain(ax.xaxis, "{:.3g}")
    ax.legend(loc="upper right", frameon=True)
    ax.set_title(title, loc="left", fontsize="medium")
    return figure


def cost_curves(table: pd.DataFrame, title: str) -> plt.Figure:
    """nDCG of a trained ranker by depth where every point costs the same, a panel a collection.

    Parameters
    ----------
    table : frame ranker, collection, depth, ndcg, low, high
    title : what the figure shows
    """
    names = list(table["collection"].unique())
    figure, axes = in_rows(len(names), (4.4, 3.2))
    colours = dict(zip(sorted(table["ranker"].unique()), COLOURS, strict=False))
    for name, ax in zip(names, axes, strict=True):
        for ranker, rows in table[table["collection"] == name].groupby("ranker", sort=False):
            ax.fill_between(rows["depth"], rows["low"], rows["high"], color=colours[ranker], alpha=0.15)
            ax.plot(rows["depth"], rows["ndcg"], color=colours[ranker], label=ranker)
            best = rows.loc[rows["ndcg"].idxmax()]
            ax.scatter([best["depth"]], [best["ndcg"]], color=colours[ranker], zorder=3)
        ax.set(xscale="log", title=name)
        ax.xaxis.set_major_locator(FixedLocator([2, 4, 8, 16, 32, 64, 128]))
        ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        ax.xaxis.set_minor_locator(NullLocator())
    for ax in axes[::ACROSS]:
        ax.set_ylabel("test nDCG of the ranker")
    axes[0].legend(loc="best", frameon=True, fontsize="small")
    figure.supxlabel("judged documents a query", fontsize="medium")
    figure.suptitle(title, x=0.01, ha="left", fontsize="medium")
    return figure


def both_goals(table: pd.DataFrame, title: str) -> plt.Figure:
    """The best depth by the price of a query for both goals, a line for each pilot, and one to train with its band.

    Parameters
    ----------
    table : frame cost, goal, data, depth, low, high
    title : what the figure shows
    """
    figure, ax = plt.subplots(figsize=(9.5, 4.8), layout="constrained")
    ends, colours = {}, {}
    for (goal, data), rows in table.groupby(["goal", "data"], sort=False):
        style = "-" if goal == "measure" else "--"
        ax.plot(rows["cost"], rows["depth"], style, color=GOALS[goal], marker="o", markersize=4, alpha=0.8)
        ax.fill_between(rows["cost"], rows["low"], rows["high"], color=GOALS[goal], alpha=0.15)
        name = f"to {goal}: {data}"
        ends[name], colours[name] = (rows["cost"].iloc[-1], rows["depth"].iloc[-1]), GOALS[goal]
    ax.set(xscale="symlog", yscale="log", xlabel="price of a query [judgments by a person]")
    ax.set_ylabel("best depth [documents a query]")
    ax.xaxis.set_major_locator(FixedLocator(sorted(table["cost"].unique())))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    _plain(ax.yaxis, "{:,.0f}")
    _name_ends(ax, ends, colours)
    ax.set_title(title, loc="left", fontsize="medium")
    return figure


def _plain(axis: object, shape: str) -> None:
    """Ticks at 1, 2 and 5 of a logarithmic axis, as plain numbers."""
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: shape.format(value)))
    axis.set_minor_formatter(NullFormatter())


def _name_ends(ax: plt.Axes, ends: dict[str, tuple[float, float]], colours: dict) -> None:
    """Names at the ends of lines, right of the axes, moved apart where they would lie on each other."""
    ax.margins(x=0.02)
    ax.figure.canvas.draw()
    lowest = -np.inf
    for name, (x, y) in sorted(ends.items(), key=lambda end: end[1][1]):
        height = ax.transData.transform((x, y))[1]
        lowest = max(height, lowest + 13 * ax.figure.dpi / 72)
        ax.annotate(
            f" {name}", (x, y), (4, (lowest - height) * 72 / ax.figure.dpi), textcoords="offset points",
            color=colours[name], va="center", size=10, annotation_clip=False,
        )  # fmt: skip
