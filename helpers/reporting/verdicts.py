"""Verdicts on claims, computed from a table of comparisons."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

MARGIN = 0.005
"""NDCG below which a difference is taken for none, unless a claim or a caller sets another."""

VERDICTS = ("not reproduced", "undecided", "reproduced")
"""From the worst: that of a claim about several settings is the worst that one of them has."""

COLUMNS = ["claim", "source", "published", "ranker", "measured", "low", "high", "verdict"]


@dataclass(frozen=True)
class Claim:
    """One statement of a paper, and the rows of a comparison table that it speaks of.

    Attributes
    ----------
    claim, source, published : the statement, where it stands, what is printed there
    question : rows of the comparison table with this `question`
    better : True where the paper says that the first of the two compared is better at all those rows; False where
        it says that the second is as good as the first
    at : only rows with these values of `at`; all of them where empty
    margin : difference that is taken for none
    """

    claim: str
    source: str
    published: str
    question: str
    better: bool
    at: tuple[int, ...] = ()
    margin: float = MARGIN


def _measured(claim: Claim, results: pd.DataFrame) -> pd.DataFrame:
    """The comparisons that a claim speaks of."""
    rows = results[results["question"] == claim.question]
    return rows[rows["at"].isin(claim.at)] if claim.at else rows


def _judged(claim: Claim, rows: pd.DataFrame, margin: float | None) -> dict:
    if rows.empty:
        return {"measured": np.nan, "low": np.nan, "high": np.nan, "verdict": "undecided"}
    judge, margin = _better if claim.better else _as_good, claim.margin if margin is None else margin
    found = np.array([judge(low, high, margin) for low, high in zip(rows["low"], rows["high"], strict=True)])
    verdict = next(worst for worst in VERDICTS if worst in found)
    deciding = rows[found == verdict]
    against = np.argmin(deciding["low"].to_numpy()) if claim.better else np.argmax(deciding["high"].to_numpy())
    decisive = deciding.iloc[against]
    return {
        "measured": decisive["difference"],
        "low": decisive["low"],
        "high": decisive["high"],
        "verdict": verdict,
    }


def _better(low: float, high: float, margin: float) -> str:
    if low > 0:
        return "reproduced"
    return "not reproduced" if high < margin else "undecided"


def _as_good(low: float, high: float, margin: float) -> str:
    if high < margin:
        return "reproduced"
    return "not reproduced" if low > 0 else "undecided"
