"""The figures of study 5, the label budget."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.ticker import LogLocator

from helpers.reporting.figures.look import ACROSS, COLOURS, in_rows, name_ends, plain_ticks, titled

BEST = {"best, people": COLOURS[0], "best, machine first": COLOURS[2]}
SHOWN_RULES = ("fifty queries to depth 20", "twice the depth of the page", "three opinions and a majority")
RULE_COLOURS = (COLOURS[1], COLOURS[4], COLOURS[3])
HIGHEST = 0.6  # difference in nDCG above which a plan need not be shown
GOALS = {"measure": COLOURS[0], "train": COLOURS[1]}
OF_COLLECTIONS = (COLOURS[0], COLOURS[1], COLOURS[2], COLOURS[4])  # three that are stored, and the reader's


def budget_lines(curve: pd.DataFrame, best: pd.Series, budget: float, cutoff: int, title: str) -> plt.Figure:
    """The difference that each plan sees, by budget; the recommended one is marked."""
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
    plain_ticks(ax.xaxis, LogLocator(subs=(1, 2, 5)), "{:,.0f}")
    plain_ticks(ax.yaxis, LogLocator(subs=(1, 2, 5)), "{:.3g}")
    ax.set_ylim(top=min(HIGHEST, ax.get_ylim()[1]))
    name_ends(ax, ends, colours)
    ax.set_title(title, loc="left", fontsize="medium")
    return figure


def depth_worth(table: pd.DataFrame, title: str) -> plt.Figure:
    """What a query judged to each depth is worth of one judged whole, with its interval, a line a collection."""
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
    plain_ticks(ax.xaxis, LogLocator(subs=(1, 2, 5)), "{:,.0f}")
    ax.legend(loc="lower right", frameon=True)
    ax.set_title(title, loc="left", fontsize="medium")
    return figure


def machine_prices(pairs: pd.DataFrame, ratio: float, title: str) -> plt.Figure:
    """How many pairs of systems a machine pays for at which price."""
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
    """How much larger the differences are that each rule of thumb sees, a row a rule, a dot a collection."""
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
    plain_ticks(ax.xaxis, LogLocator(subs=(1, 2, 5)), "{:.3g}")
    ax.legend(loc="upper right", frameon=True)
    ax.set_title(title, loc="left", fontsize="medium")
    return figure


def cost_curves(table: pd.DataFrame, title: str) -> plt.Figure:
    """nDCG of a trained ranker by depth where every point costs the same, a panel a collection."""
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
        plain_ticks(ax.xaxis, [2, 4, 8, 16, 32, 64, 128], "{:,.0f}")
    for ax in axes[::ACROSS]:
        ax.set_ylabel("test nDCG of the ranker")
    axes[0].legend(loc="best", frameon=True, fontsize="small")
    figure.supxlabel("judged documents a query", fontsize="medium")
    return titled(figure, title)


def both_goals(table: pd.DataFrame, title: str) -> plt.Figure:
    """The best depth by the price of a query for both goals, a line for each pilot, and one to train with its band."""
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
    plain_ticks(ax.xaxis, table["cost"].unique(), "{:,.0f}")
    plain_ticks(ax.yaxis, LogLocator(subs=(1, 2, 5)), "{:,.0f}")
    name_ends(ax, ends, colours)
    ax.set_title(title, loc="left", fontsize="medium")
    return figure
