"""How deep to judge, in sentences computed from the tables of study 4: for a budget, and which documents."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from helpers.reporting.answers import counted, interval, listed, number, share, signed

CHOSEN = {"top": "judging the top of a first stage", "mixed": "judging half from its top and half at random"}
"""Choices of the documents that are judged, beside random ones."""

MOST = 0.5
"""Share of samples from which on the lowest rate is said to have been chosen too often."""


def worst(losses: pd.DataFrame) -> pd.DataFrame:
    """What a depth loses at worst over rankers, budgets and collections: frame cost, documents, loss.

    Only depths count that every ranker, budget and collection affords at the cost.

    Parameters
    ----------
    losses : frame of `allocation.losses`, with a column data or without
    """
    cases = [name for name in ("data", "ranker", "budget") if name in losses]
    tables = losses.pivot_table(values="loss", index="documents", columns=["cost", *cases])
    rows = []
    for cost, table in tables.T.groupby("cost"):
        lost = table.dropna(axis=1).max()
        rows += [(cost, depth, loss) for depth, loss in lost.items()]
    return pd.DataFrame(rows, columns=["cost", "documents", "loss"])


def title(losses: pd.DataFrame, margin: float) -> str:
    """The depth that loses least at worst where queries are free, and whether that matters: a title.

    Parameters
    ----------
    losses : of one collection, frame of `allocation.losses`
    margin : NDCG that counts as no loss
    """
    table = worst(losses)
    table = table[table["cost"] == table["cost"].min()]
    if len(table) < 2:
        return "No two depths can be compared at every budget"
    best, other = table.loc[table["loss"].idxmin()], table.loc[table["loss"].idxmax()]
    if other["loss"] <= margin:
        low, high = table["documents"].min(), table["documents"].max()
        return f"Depth hardly matters: from {low:.0f} to {high:.0f} documents lose {number(other['loss'])} at most"
    return (
        f"{best['documents']:.0f} documents a query lose {number(best['loss'])} at most, "
        f"{other['documents']:.0f} up to {number(other['loss'])}"
    )


def advice(losses: pd.DataFrame, margin: float) -> str:
    """For each cost of a query the depth that loses least at worst, and what half and twice of it lose.

    Parameters
    ----------
    losses : of one collection, frame of `allocation.losses`
    margin : NDCG that counts as no loss
    """
    said = [_advised(cost, rows.set_index("documents")["loss"], margin) for cost, rows in worst(losses).groupby("cost")]
    if not said:
        return "At no cost of a query do all budgets afford the same depth."
    return " ".join(said) + " A loss is the largest over the rankers and the budgets."


def no_width(best: pd.DataFrame) -> str:
    """What it means where only one depth is within the margin of the best.

    Parameters
    ----------
    best : frame of `allocation.best_depths`
    """
    narrow = int(np.isclose(best["shallowest"], best["deepest"]).sum())
    if not narrow:
        return "No band has zero width: at each budget and cost several depths are as good as the best."
    return (
        f"In {narrow} of {counted(len(best), 'case')} the band has no width: the budget buys only one depth that was "
        "measured, or every other depth loses more than the margin. It does not mean that the best depth is known "
        "exactly; its interval, `low` to `high`, says how well it is."
    )


def width(rows: pd.DataFrame, margin: float) -> str:
    """How far the intervals of a run of one's own reach.

    Parameters
    ----------
    rows : frame low, high, of `tables.comparisons`
    margin : NDCG that counts as no difference

    >>> width(pd.DataFrame({"low": [-0.01, -0.03], "high": [0.01, 0.01]}), 0.005)
    'Half an interval is .015 in the median, wider than the margin of .005.'
    """
    if rows.empty:
        return "Nothing was compared: too few test queries have a value."
    half = ((rows["high"] - rows["low"]) / 2).median()
    wide = "wider than" if half > margin else "within"
    return f"Half an interval is {number(half)} in the median, {wide} the margin of {number(margin)}."


def chosen(table: pd.DataFrame) -> str:
    """What it gains to judge what a first stage puts on top, or half of it and half at random: a sentence.

    Parameters
    ----------
    table : frame data, ranker, choice, documents, difference, low, high, of `tables.chosen` with a column data
    """
    if table.empty:
        return "Nothing was compared but random choices."
    said = [f"{words} gains {_gain(table[table['choice'] == name])}" for name, words in CHOSEN.items()]
    return (
        f"Rather than as many documents at random, {'; '.join(said)}, in the mean over "
        f"{counted(table['data'].nunique(), 'collection')} with their 95 % interval, each of which is the mean of its "
        f"depths and rankers. {_farthest(table)}"
    )


def whether_chosen(table: pd.DataFrame) -> str:
    """What each choice gains over random documents, in the mean over collections: a title.

    Parameters
    ----------
    table : as in `chosen`

    >>> whether_chosen(pd.DataFrame({"data": ["a", "b"] * 2, "choice": ["top"] * 2 + ["mixed"] * 2,
    ...                              "difference": [-0.03, -0.01, 0.02, 0.02]}))
    'Over random documents, mean of 2 collections: the top gains -.020 (-.147 to .107), half of it +.020 (.020 to .020)'
    """
    top, half = (_gain(table[table["choice"] == name]) for name in CHOSEN)
    many = counted(table["data"].nunique(), "collection")
    return f"Over random documents, mean of {many}: the top gains {top}, half of it {half}"


def _gain(rows: pd.DataFrame) -> str:
    """The mean over collections, and its interval where there are two or more."""
    by_collection = rows.groupby("data")["difference"].mean()
    if len(by_collection) < 2:
        return signed(by_collection.mean())
    half = stats.t.ppf(0.975, len(by_collection) - 1) * by_collection.sem()
    return f"{signed(by_collection.mean())} ({interval(by_collection.mean() - half, by_collection.mean() + half)})"


def _farthest(table: pd.DataFrame) -> str:
    row = table.loc[table["difference"].abs().idxmax()]
    return (
        f"The largest difference is {signed(row['difference'])} ({interval(row['low'], row['high'])}): "
        f"{row['choice']}, {counted(int(row['documents']), 'document')} a query, {row['ranker']} on {row['data']}."
    )


def rates(runs: pd.DataFrame) -> str:
    """Which learning rates were chosen where little was trained on, and where much, and whether lower ones are missing.

    Parameters
    ----------
    runs : frame ranker, judgments, rate
    """
    kept = runs.dropna(subset="rate")
    said = [_chosen(ranker, own) for ranker, own in kept.groupby("ranker", sort=False)]
    return f"Mean learning rates: {' '.join(said)}" if said else "No ranker here has a learning rate."


def _chosen(ranker: str, runs: pd.DataFrame) -> str:
    half = runs["judgments"].median()
    few, many = (runs.loc[part, "rate"].mean() for part in (runs["judgments"] <= half, runs["judgments"] > half))
    lowest = float((runs["rate"] == runs["rate"].min()).mean())
    missing = f", the lowest one tried in {share(lowest)} of them, so that a still lower one might do better"
    return (
        f"{ranker} {few:.4g} on the smaller half of the samples and {many:.4g} on the larger"
        f"{missing if lowest > MOST and runs['rate'].nunique() > 1 else ''}."
    )


def _advised(cost: float, lost: pd.Series, margin: float) -> str:
    """
    >>> _advised(8, pd.Series({16.0: 0.004, 32.0: 0.001, 64.0: 0.02}), 0.005)
    'Where a query costs 8 judgments, take 32 documents (loses .001 at most); 16 lose .004 and 64 .020.'
    """
    start = "Where queries are free" if cost == 0 else f"Where a query costs {counted(int(cost), 'judgment')}"
    best = lost.idxmin()
    beside = [depth for depth in (best / 2, best * 2) if depth in lost.index]
    others = listed(f"{depth:.0f}{' lose' * (i == 0)} {number(lost[depth])}" for i, depth in enumerate(beside))
    small = " That is within the margin." if beside and lost[beside].max() <= margin else ""
    rest = f"; {others}" if beside else ", the only depth that all budgets afford"
    return f"{start}, take {best:.0f} documents (loses {number(lost[best])} at most){rest}.{small}"
