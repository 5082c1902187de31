"""What the tables of study 4 say, in sentences and titles: how deep to judge, which documents, what it depends on."""

from __future__ import annotations

import numpy as np
import pandas as pd

from helpers.metrics.significance import t_half
from helpers.reporting.answers import counted, interval, listed, number, share, signed
from helpers.reporting.verdicts import REAL, basis_of
from helpers.studies.depth.protocol import PAPER

# choices of the documents that are judged, beside random ones
CHOSEN = {"top": "judging the top of a first stage", "mixed": "judging half from its top and half at random"}
MOST = 0.5  # share of samples from which on the lowest rate is said to have been chosen too often


def worst(losses: pd.DataFrame) -> pd.DataFrame:
    """What a depth that all afford loses at worst over rankers, budgets and data: frame cost, documents, loss."""
    cases = [name for name in ("data", "ranker", "budget") if name in losses]
    tables = losses.pivot_table(values="loss", index="documents", columns=["cost", *cases])
    rows = []
    for cost, table in tables.T.groupby("cost"):
        lost = table.dropna(axis=1).max()
        rows += [(cost, depth, loss) for depth, loss in lost.items()]
    return pd.DataFrame(rows, columns=["cost", "documents", "loss"])


def least_lost(losses: pd.DataFrame, margin: float) -> str:
    """The depth that loses least at worst where queries are free, and whether that matters: a title."""
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
    """For each cost of a query the depth that loses least at worst, and what half and twice of it lose."""
    said = [_advised(cost, rows.set_index("documents")["loss"], margin) for cost, rows in worst(losses).groupby("cost")]
    if not said:
        return "At no cost of a query do all budgets afford the same depth."
    return " ".join(said) + " A loss is the largest over the rankers and the budgets."


def no_width(best: pd.DataFrame) -> str:
    """What it means where only one depth is within the margin of the best."""
    narrow = int(np.isclose(best["shallowest"], best["deepest"]).sum())
    if not narrow:
        return "No band has zero width: at each budget and cost several depths are as good as the best."
    return (
        f"In {narrow} of {counted(len(best), 'case')} the band has no width: the budget buys only one depth that was "
        "measured, or every other depth loses more than the margin. It does not mean that the best depth is known "
        "exactly; its interval, `low` to `high`, says how well it is."
    )


def width(rows: pd.DataFrame, margin: float) -> str:
    """How far the intervals of a run of one's own reach."""
    if rows.empty:
        return "Nothing was compared: too few test queries have a value."
    half = ((rows["high"] - rows["low"]) / 2).median()
    wide = "wider than" if half > margin else "within"
    return f"Half an interval is {number(half)} in the median, {wide} the margin of {number(margin)}."


def chosen(table: pd.DataFrame) -> str:
    """What it gains to judge what a first stage puts on top, or half of it and half at random: a sentence."""
    if table.empty:
        return "Nothing was compared but random choices."
    said = [f"{words} gains {_gain(table[table['choice'] == name])}" for name, words in CHOSEN.items()]
    return (
        f"Rather than as many documents at random, {'; '.join(said)}, in the mean over "
        f"{counted(table['data'].nunique(), 'collection')} with their 95 % interval, each of which is the mean of its "
        f"depths and rankers. {_farthest(table)}"
    )


def whether_chosen(table: pd.DataFrame) -> str:
    """What each choice gains over random documents, in the mean over collections: a title."""
    top, half = (_gain(table[table["choice"] == name]) for name in CHOSEN)
    many = counted(table["data"].nunique(), "collection")
    return f"Over random documents, mean of {many}: the top gains {top}, half of it {half}"


def rates(runs: pd.DataFrame) -> str:
    """Which learning rates were chosen on small and on large samples, and whether lower ones are missing."""
    kept = runs.dropna(subset="rate")
    said = [_chosen(ranker, own) for ranker, own in kept.groupby("ranker", sort=False)]
    return f"Mean learning rates: {' '.join(said)}" if said else "No ranker here has a learning rate."


def depends(table: pd.DataFrame) -> str:
    """Whether keeping documents gains more where queries differ more: a title."""
    # clear is a difference at the largest slopes whose interval lies above that at the portrait's own
    drawn = table.dropna(subset="slopes")
    drawn = drawn[drawn["at"] == drawn["at"].min()]
    if drawn["slopes"].nunique() < 2:
        return "How much queries differ was not varied"
    ends = [drawn[drawn["slopes"] == s].set_index("ranker") for s in (drawn["slopes"].min(), drawn["slopes"].max())]
    few, many = ends[0], ends[1].loc[ends[0].index]
    more = list(few.index[many["low"] > few["high"]])
    less = list(few.index[many["high"] < few["low"]])
    if len(more) == len(few):
        return "The more queries differ from one another, the more it pays to keep many of them"
    if not more and not less:
        return "How much queries differ from one another does not clearly decide"
    said = [f"more with {listed(more)}"] * bool(more) + [f"less with {listed(less)}"] * bool(less)
    return f"Where queries differ more, keeping many of them pays {' and '.join(said)}"


def on_map(collections: pd.DataFrame, drawn: pd.DataFrame) -> str:
    """Where the real collections lie between the portrait as it is and one whose queries differ more."""
    real = collections[collections["data"].map(basis_of) == REAL].sort_values("heterogeneity")
    scale = drawn.groupby("slopes")["heterogeneity"].mean()
    if real.empty:
        return "No real collection was measured."
    placed = {row.data: _place(row.heterogeneity, scale) for row in real.itertuples()}
    said = listed(f"{name} ({number(real.set_index('data').loc[name, 'heterogeneity'])}, {place})"
                  for name, place in placed.items())  # fmt: skip
    return f"How much queries differ, and the factor on the portrait's slopes that it is like: {said}."


def in_short(judged: pd.DataFrame, family: str, unit: str) -> str:
    """What claims that differ in one number came to, for a title."""
    rows = judged[judged["claim"].str.match(rf"{family}\d")]
    said = [f"{signed(row.measured)} at {row.claim.removeprefix(family)}{unit}" for row in rows.itertuples()]
    return f"{listed(said)}, {PAPER} pooled over real collections"


def _gain(rows: pd.DataFrame) -> str:
    """The mean over collections, and its interval where there are two or more."""
    by_collection = rows.groupby("data")["difference"].mean()
    if len(by_collection) < 2:
        return signed(by_collection.mean())
    half = t_half(by_collection.sem(), len(by_collection) - 1)
    return f"{signed(by_collection.mean())} ({interval(by_collection.mean() - half, by_collection.mean() + half)})"


def _farthest(table: pd.DataFrame) -> str:
    row = table.loc[table["difference"].abs().idxmax()]
    return (
        f"The largest difference is {signed(row['difference'])} ({interval(row['low'], row['high'])}): "
        f"{row['choice']}, {counted(int(row['documents']), 'document')} a query, {row['ranker']} on {row['data']}."
    )


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
    start = "Where queries are free" if cost == 0 else f"Where a query costs {counted(int(cost), 'judgment')}"
    best = lost.idxmin()
    beside = [depth for depth in (best / 2, best * 2) if depth in lost.index]
    others = listed(f"{depth:.0f}{' lose' * (i == 0)} {number(lost[depth])}" for i, depth in enumerate(beside))
    small = " That is within the margin." if beside and lost[beside].max() <= margin else ""
    rest = f"; {others}" if beside else ", the only depth that all budgets afford"
    return f"{start}, take {best:.0f} documents (loses {number(lost[best])} at most){rest}.{small}"


def _place(value: float, scale: pd.Series) -> str:
    """The factor on the slopes at which the portrait has that heterogeneity."""
    ordered = scale.sort_values()
    if value < ordered.iloc[0]:
        return f"below {ordered.index[0]:g}"
    if value > ordered.iloc[-1]:
        return f"above {ordered.index[-1]:g}"
    return f"{np.interp(value, ordered.to_numpy(), ordered.index.to_numpy()):.1f}"
