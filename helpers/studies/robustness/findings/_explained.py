"""Whether pNoise explains more than dNoise of what rankers lose, and on which collections."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from helpers.reporting.answers import UNKNOWN, counted, listed, number, share
from helpers.studies.robustness.counterparts import ALL, INSTEAD, WITHOUT

ALONE = "One data set alone cannot tell pNoise from dNoise, as each follows from the other."


def ahead(explained: pd.DataFrame) -> tuple[int, int, int]:
    """With how many rankers pNoise explains clearly more than dNoise, with how many clearly less, and of how many.

    Parameters
    ----------
    explained : frame of `tables.explained`; clearly is that the whole interval of the difference says so

    >>> ahead(pd.DataFrame({"by": "difference", "low": [0.1, -0.1, -0.3], "high": [0.2, 0.1, -0.2]}))
    (1, 1, 3)
    """
    rows = explained[explained["by"] == "difference"]
    return int((rows["low"] > 0).sum()), int((rows["high"] < 0).sum()), len(rows)


def of_data_sets(explained: pd.DataFrame, data: str) -> str:
    """What one curve explains on some data sets, over pNoise and over dNoise.

    Parameters
    ----------
    explained : frame of `tables.explained`
    data : what the data sets are called

    >>> table = pd.DataFrame({"ranker": "A", "by": ["pNoise", "dNoise", "difference"], "explained": [0.9, 0.1, 0.8],
    ...                       "low": 0.5, "high": 0.95})
    >>> of_data_sets(table, "five data sets")  # doctest: +NORMALIZE_WHITESPACE
    'Five data sets: one curve over pNoise explains 90 % of what differs, one over dNoise 10 %; pNoise explains clearly
    more with 1 of 1 ranker.'
    """
    more, less, rankers = ahead(explained)
    spans = {by: _span(explained.loc[explained["by"] == by, "explained"]) for by in ("pNoise", "dNoise")}
    behind = f", and clearly less with {less}" if less else ""
    return (
        f"{data[0].upper()}{data[1:]}: one curve over pNoise explains {spans['pNoise']} of what differs, one over "
        f"dNoise {spans['dNoise']}; pNoise explains clearly more with {more or 'none'} of "
        f"{counted(rankers, 'ranker')}{behind}."
    )


def hangs(explained: pd.DataFrame) -> str:
    """Whether it hangs on TD2003 that pNoise explains more than dNoise: a title.

    Parameters
    ----------
    explained : frame of `tables.explained` with a column `over`, as `counterparts.tables` gives it
    """
    most = {over: _most(explained[explained["over"] == over]) for over in (ALL, WITHOUT, INSTEAD)}
    if not most[ALL]:
        return "Even with TD2003 pNoise does not clearly explain more than dNoise"
    if most[WITHOUT]:
        return "pNoise explains more than dNoise, with TD2003 and without it"
    if most[INSTEAD]:
        return "pNoise explains more than dNoise where some data set has few relevant documents, TD2003 or a real one"
    return "pNoise explains more than dNoise with TD2003 only, and no real collection takes its place"


def colleague(explained: pd.DataFrame) -> str:
    """What a reader would repeat to a colleague.

    Parameters
    ----------
    explained : as in `hangs`
    """
    most = {over: _most(explained[explained["over"] == over]) for over in (ALL, WITHOUT, INSTEAD)}
    if not most[ALL]:
        return "Counting wrong pairs tells no more about what noise will do than counting wrong documents does."
    if most[WITHOUT]:
        return "Count wrong pairs, not wrong documents: they tell what noise will do on every collection tried here."
    if most[INSTEAD]:
        return "Where few documents are relevant count wrong pairs, not wrong documents; elsewhere both tell the same."
    real = explained[(explained["over"] == INSTEAD) & (explained["by"] == "difference")]
    less = list(real.loc[real["high"] < 0, "ranker"])
    return (
        "Counting wrong pairs tells more than counting wrong documents on one synthetic collection; on the real ones "
        f"it was not shown to tell more{f', and told clearly less with {listed(less)}' if less else ''}."
    )


def live(tables: Mapping[str, pd.DataFrame]) -> str:
    """What the live runs say of pNoise and dNoise.

    Parameters
    ----------
    tables : of `runs.tables`
    """
    falls, explained = tables["falls"], tables["explained"]
    names = list(falls["dataset"].unique())
    highest = falls[falls["dnoise"] == falls["dnoise"].max()]
    kept = [f"{_span(rows['relative'])} on {name}" for name, rows in highest.groupby("dataset", sort=False)]
    level = number(highest["dnoise"].iloc[0], 1)
    said = f"Of their NDCG@10 without noise rankers keep {listed(kept)} at the highest dNoise, {level}."
    if len(names) == 1:
        return f"{said} {ALONE}"
    whole = explained[explained["without"].fillna("") == ""]
    return f"{said} {of_data_sets(whole, counted(len(names), 'data set'))}"


def _most(explained: pd.DataFrame) -> bool:
    """Whether pNoise explains clearly more than dNoise with most rankers."""
    more, _, rankers = ahead(explained)
    return more > rankers / 2


def _span(values: pd.Series) -> str:
    """The smallest and the largest of some shares."""
    low, high = share(values.min()), share(values.max())
    if UNKNOWN in (low, high):
        return f"an {UNKNOWN} share"
    return high if low == high else f"{low.removesuffix(' %')} to {high}"
