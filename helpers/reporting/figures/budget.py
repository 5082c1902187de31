"""The figures of study 5, the label budget."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from helpers.reporting.figures import forms
from helpers.reporting.figures.look import BLUE, GREY, RED, WIDTH, colour, colours, headed, plain_ticks

PROMISED, BAND = {"power": 0.8, "cover": 0.95}, {"power": (0.76, 0.84), "cover": (0.93, 0.97)}
"""What a plan promises, and how far off is near enough."""

STRICT = {"power": "power, once", "cover": "cover, raw"}
"""The same where queries held back are drawn without replacement, or as if they were all there are."""


def seen_by_budget(rows: pd.DataFrame, cutoff: int, title: str) -> plt.Figure:
    """The difference that the advice sees at each budget, with its interval; the reader's own budget is marked."""
    figure, ax = plt.subplots(figsize=(WIDTH, 4.2), layout="constrained")
    tint, rows = colour("measure"), rows.sort_values("budget")
    forms.line(ax, rows, "budget", "seen", tint, "band")
    for row in rows[rows["this"]].itertuples():
        ax.vlines(row.budget, row.low, row.high, color="black", linewidth=1.2)
        ax.scatter(row.budget, row.seen, s=100, color="black", zorder=4)
        said = f"{row.queries:,} queries to depth {row.depth}"
        ax.annotate(said, (row.budget, row.seen), (10, 8), textcoords="offset points", weight="bold")
    ax.set(ylim=(0, None), xlabel="budget [in the unit of the costs]")
    ax.set_ylabel(f"difference seen [nDCG@{cutoff}]")
    forms.log_ticks(ax.xaxis, rows["budget"].iloc[::2], shape="{:,.0f}")
    mark = {"color": "black", "linestyle": ""}
    forms.legend(figure, {"the advice, with its 95 % interval": tint, "this budget": mark})
    said = "; ".join(f"{row.seen:.3f} for {row.budget:,.0f}" for row in rows.itertuples())
    return headed(figure, title, f"Smallest difference seen against the budget, falling: {said}.")


def worlds(found: np.ndarray, seen: np.ndarray, true: float, title: str) -> plt.Figure:
    """The mean differences of many worlds as a histogram, those that the test sees apart from the others."""
    figure, [ax] = forms.panels([""], 3.2)
    looks = {"not seen": (~seen, GREY), "seen": (seen, BLUE)}
    ax.hist([found[rows] for rows, _ in looks.values()], bins=40, stacked=True,
            color=[tint for _, tint in looks.values()])  # fmt: skip
    ax.axvline(true, color="black", linewidth=1.2)
    ax.set(xlabel="mean difference of a world's queries [nDCG@10]", ylabel="worlds")
    entries = {name: {"color": tint, "linestyle": "", "marker": "s"} for name, (_, tint) in looks.items()}
    forms.legend(figure, entries | {"the true difference": {"color": "black", "marker": ""}})
    return headed(figure, title, f"Histogram of {len(found)} mean differences, of which {seen.sum()} are seen.")


def promised(rows: pd.DataFrame, title: str) -> plt.Figure:
    """What plans promised and kept on queries held back: a panel for power and one for the interval, a row a pilot.

    Hollow is what is kept by STRICT.
    """
    panels = {"power [share of tests]": "power", "true in the interval [share of plans]": "cover"}
    figure, axes = forms.panels(list(panels), 1.3 + 0.4 * rows["name"].nunique(), across=2, sharey=True)
    names = list(dict.fromkeys(rows["name"]))
    tints = {"as chosen": RED, "corrected": BLUE}
    for ax, what in zip(axes, panels.values(), strict=True):
        ax.axvline(PROMISED[what], color="black", linewidth=1)
        ax.axvspan(*BAND[what], color=colour("band"), zorder=0)
        for (how, tint), step in zip(tints.items(), (-0.14, 0.14), strict=True):
            own = rows[(rows["how"] == how) & (rows["what"] == what)]
            places = [names.index(name) + step for name in own["name"]]
            ax.hlines(places, own["low"], own["high"], color=tint, linewidth=1.8)
            ax.scatter(own["kept"], places, s=42, color=tint, zorder=3)
        strict = rows[(rows["how"] == "corrected") & (rows["what"] == STRICT[what])]
        places = [names.index(name) + 0.32 for name in strict["name"]]
        ax.scatter(strict["kept"], places, s=34, facecolors="white", edgecolors=[BLUE], zorder=3)
        ax.set_yticks(range(len(names)), names)
        ax.set_ylim(len(names) - 0.5, -0.5)
        ax.locator_params(axis="x", nbins=5)
        ax.grid(axis="y", visible=False)
    looks = {how: {"color": tint, "linestyle": ""} for how, tint in tints.items()}
    looks["corrected, strictly"] = looks["corrected"] | {"markerfacecolor": "white"}
    forms.legend(figure, looks | {"promised": {"color": "black", "marker": ""}})
    return headed(figure, title, f"A row a kind of pilots, a dot what its plans kept, grey what was wanted. {title}")


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


def trained(rows: pd.DataFrame, title: str) -> plt.Figure:
    """nDCG of a trained ranker by depth where all points of a line cost the same, a panel a collection.

    A ring marks twice the page, where the money buys it.
    """
    money = [f"{100 * share:.0f} % of what the pool costs" for share in rows["share"]]
    rows = rows.assign(money=money)
    figure = forms.curves(rows, "depth", "ndcg", "money", panel="collection", band="", base=2, height=2.6)
    for ax, name in zip(figure.axes, dict.fromkeys(rows["collection"]), strict=True):
        own = rows[(rows["collection"] == name) & rows["twice"]]
        ax.scatter(own["depth"], own["ndcg"], s=130, facecolors="none", edgecolors="black", linewidths=1.6, zorder=4)
        ax.set(xlabel="judged documents a query", ylabel=ax.get_ylabel() and "test nDCG@10")
        plain_ticks(ax.xaxis, [2, 8, 32, 128], "{:,.0f}")
    figure.legends[0].remove()
    ring = {"color": "black", "linestyle": "", "markerfacecolor": "none"}
    forms.legend(figure, colours(rows["money"]) | {"twice the page": ring})
    return headed(figure, title, f"nDCG against depth at one cost, a line a budget, a panel a collection. {title}")
