"""Shallow judging against fewer queries, and against all documents, by depth, in words."""

from __future__ import annotations

import pandas as pd

from helpers.reporting.answers import listed
from helpers.studies.depth.findings._shares import NOTHING, cases, count
from helpers.studies.depth.protocol import FLOOR

ALL, EITHER = "all documents or fewer", "fewer queries or documents"
"""Questions of the second experiment."""


def by_depth(comparisons: pd.DataFrame) -> pd.DataFrame:
    """Shallow judging less what it is held against, by depth: rows of the second experiment, `against` in words.

    Parameters
    ----------
    comparisons : frame of `tables.comparisons`, with a column data
    """
    words = {ALL: "all documents, which cost more", EITHER: "fewer queries, at the same cost"}
    rows = comparisons[comparisons["question"].isin(words)]
    turned = {"difference": -rows["difference"], "low": -rows["high"], "high": -rows["low"]}
    return rows.assign(**turned, against=rows["question"].map(words), at=rows["at"].astype(float))


def depths(rows: pd.DataFrame, margin: float) -> str:
    """From which depth down shallow judging clearly loses to fewer queries at the same cost: a title.

    Parameters
    ----------
    rows : of `by_depth`
    margin : as in `count`
    """
    either = rows[rows["question"] == EITHER]
    deep, floor = either[either["at"] >= FLOOR], either[either["at"] < FLOOR]
    if deep.empty:
        return f"{NOTHING} at {FLOOR} documents a query or more"
    above, below = count(deep, margin), count(floor, margin)
    said = f"At {FLOOR} documents or more, many shallow queries lead clearly in {above.ahead} of {cases(above.of)}"
    behind = f"{said} and trail in {above.behind or 'none'}"
    return behind + (f"; below {FLOOR} they trail in {below.behind or 'none'} of {below.of}" if below.of else "")


def enough(rows: pd.DataFrame, margin: float) -> str:
    """For each collection and ranker the shallowest depth that does not clearly lose to judging all documents.

    Parameters
    ----------
    rows : of `by_depth`
    margin : as in `count`; a loss that is clear and larger than this counts
    """
    against_all = rows[rows["question"] == ALL]
    said = []
    for data, own in against_all.groupby("data", sort=False):
        found = [f"{_shallowest(part, margin)} with {ranker}" for ranker, part in own.groupby("ranker", sort=False)]
        said.append(f"on {data} {listed(found)}")
    if not said:
        return "No depth was held against all documents."
    return f"The fewest documents a query that do not clearly lose to all of them are {'; '.join(said)}."


def _shallowest(rows: pd.DataFrame, margin: float) -> str:
    """The lowest depth from which on upwards no depth loses clearly and more than the margin."""
    ordered = rows.sort_values("at", ascending=False)
    loses = (ordered["high"] < 0) & (ordered["difference"] < -margin)
    kept = ordered.loc[~loses.cummax(), "at"]
    return f"{kept.iloc[-1]:.0f}" if len(kept) else f"more than {ordered['at'].iloc[0]:.0f}"
