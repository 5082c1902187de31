"""How deep to judge, in sentences computed from the tables of study 4: for a budget, and which documents."""

from __future__ import annotations

import numpy as np
import pandas as pd

from helpers.reporting.answers import counted, interval, listed, number, share, signed
from helpers.studies.depth.findings import count

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


def chosen(table: pd.DataFrame, margin: float) -> str:
    """How often it helps to judge what a first stage puts on top, or half of it and half at random: a sentence.

    Parameters
    ----------
    table : frame data, ranker, choice, documents, difference, low, high, of `tables.chosen` with a column data
    margin : NDCG that counts as no difference
    """
    if table.empty:
        return "Nothing was compared but random choices."
    said = [f"{words} {_apart(table[table['choice'] == name], margin)}" for name, words in CHOSEN.items()]
    return f"Rather than as many documents at random, {'; '.join(said)}. {_farthest(table)}"


def whether_chosen(table: pd.DataFrame) -> str:
    """Which choice is more often clearly ahead of random documents, and which more often clearly behind: a title.

    Parameters
    ----------
    table : frame choice, low, high, of `tables.chosen`

    >>> whether_chosen(pd.DataFrame({"choice": ["top", "mixed"], "low": [-0.2, 0.1], "high": [-0.1, 0.2]}))
    'Clearly ahead of random documents, and behind: the top in 0 and 1 of 1 case, half of it in 1 and 0 of 1 case'
    """
    said = []
    for name, words in (("top", "the top"), ("mixed", "half of it")):
        rows = table[table["choice"] == name]
        ends = f"{(rows['low'] > 0).sum()} and {(rows['high'] < 0).sum()}"
        said.append(f"{words} in {ends} of {counted(len(rows), 'case')}")
    return f"Clearly ahead of random documents, and behind: {', '.join(said)}"


def _apart(rows: pd.DataFrame, margin: float) -> str:
    said = count(rows, margin)
    return (
        f"is clearly ahead in {said.ahead or 'none'} of {counted(said.of, 'case')} and clearly behind in "
        f"{said.behind or 'none'} ({said.small} within {number(margin)})"
    )


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


def _gained(by_depth: pd.Series) -> str:
    """
    >>> _gained(pd.Series({8: 0.01, 2: 0.03}))
    '+.010 at 8 and +.030 at 2 documents'
    """
    ends = by_depth.sort_index().iloc[[-1, 0]] if len(by_depth) > 1 else by_depth
    return f"{listed(f'{signed(gain)} at {depth:.0f}' for depth, gain in ends.items())} documents"
