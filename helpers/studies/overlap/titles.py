"""What the figures of study 1 show, in titles computed from the tables that are drawn."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from helpers.judging import schemes
from helpers.reporting.answers import counted, listed, signed
from helpers.studies.overlap.tables import WAYS

POINTS = 100  # a point is a hundredth of NDCG


def points(row: Mapping) -> str:
    """A difference with its interval, in points.

    >>> points({"effect": 0.0213, "low": 0.0104, "high": 0.0322})
    '+2.13 (1.04 to 3.22)'
    """
    found = (POINTS * row[name] for name in ("effect", "low", "high"))
    effect, low, high = (signed(value, 2 + (abs(value) >= 1)) for value in found)
    return f"{effect} ({low.lstrip('+')} to {high.lstrip('+')})"


def answered(gains: pd.DataFrame) -> str:
    """Which uses of several labels clearly beat one label, pooled over real collections."""
    pooled = gains[gains["kind"] == "pooled"]
    clear, of = pooled.loc[pooled["low"] > 0, "use"], gains.loc[gains["kind"] == "real", "where"].nunique()
    beats = (
        f"{listed(clear)} clearly beat{'s' * (len(clear) == 1)}" if len(clear) else "no use of several clearly beats"
    )
    return f"Pooled over {counted(of, 'real collection')}, {beats} one label"


def own(rows: pd.DataFrame) -> str:
    """What if-good-k gains in a reader's run, with each ranker."""
    said = [f"{points(row)} with {row['where'].removeprefix('yours, ')}" for row in rows.to_dict("records")]
    return f"Your if-good-k gains, in points, {listed(said)}" if said else "Your run has no if-good-k beside one label"


def bought(labels: np.ndarray, k: int, good: int = schemes.GOOD) -> str:
    """What if-good-k buys of a few documents beside k labels of each."""
    some, every = (
        schemes.collect(name, labels, None, good=good).labels_bought for name in (f"if-good-{k}", f"{k}-overlap")
    )
    return f"Of {counted(len(labels), 'document')} if-good-{k} buys {counted(some, 'label')}, {k} of each are {every}"


def judge_map(table: pd.DataFrame) -> str:
    """For how many kinds of judges one label of more queries wins."""
    wins = table[table["wins"]].drop_duplicates(["noise_irrelevant", "noise_relevant"])
    one = int((wins["setting"] == "baseline").sum())
    return f"At equal cost one label, of more queries, wins for {one} of {counted(len(wins), 'kind')} of judges"


def ways(tables: Mapping[str, pd.DataFrame]) -> str:
    """What each way of doubling a budget gains, on average over all that it is doubled from."""
    means = pd.concat(tables.values()).groupby("question")["difference"].mean()
    said = [f"{way} {signed(POINTS * means[way], 2)}" for way in WAYS]
    return f"Twice the budget gains on average, in points: {listed(said)}"
