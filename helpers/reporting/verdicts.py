"""Verdicts on claims, computed from a table of comparisons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from helpers import checks

MARGIN = 0.005
"""NDCG below which a difference is taken for none, unless a claim or a caller sets another."""

LEVEL = 0.05
"""Of a verdict: intervals are at 95 %, and Holm's correction starts from it."""

VERDICTS = ("not reproduced", "undecided", "reproduced")

COLUMNS = [
    "claim", "source", "published", "where", "ranker", "measured", "low", "high", "expected", "verdict", "rests_on"
]  # fmt: skip

Numbers = np.ndarray


@dataclass(frozen=True)
class Says:
    """What a claim says of a difference that lies between low and high, arrays, when less than a margin is none.

    Attributes
    ----------
    holds, fails : (low, high, margin) -> how far the interval lies on the side that bears the claim out, and on the
        side that speaks against it; above 0 where all of it does
    words : the side that bears the claim out, "{margin}" standing for the margin
    """

    holds: Callable[[Numbers, Numbers, float], Numbers]
    fails: Callable[[Numbers, Numbers, float], Numbers]
    words: str


SAYS = {
    "better": Says(lambda low, high, margin: low, lambda low, high, margin: margin - high, "above 0"),
    "worse": Says(lambda low, high, margin: -high, lambda low, high, margin: low + margin, "below 0"),
    "as good": Says(lambda low, high, margin: margin - high, lambda low, high, margin: low, "below {margin}"),
    "at most": Says(lambda low, high, margin: margin - high, lambda low, high, margin: low - margin, "below {margin}"),
    "above": Says(lambda low, high, margin: low - margin, lambda low, high, margin: margin - high, "above {margin}"),
    "near": Says(
        lambda low, high, margin: margin - np.maximum(-low, high),
        lambda low, high, margin: np.maximum(low, -high) - margin,
        "within {margin} of 0",
    ),
}
"""Of a difference, the first of two less the second: "better" is above 0 and "worse" below it; "as good" and "at most"
are no higher than the margin, of which "as good" fails with any difference above 0 and "at most" with one above the
margin; "above" is above the margin; "near" is within the margin on both sides."""


@dataclass(frozen=True)
class Claim:
    """One statement of a paper, what it was made for, and the rows of a comparison table that it speaks of.

    Attributes
    ----------
    claim, source, published : the statement, where it stands, what is printed there
    question : rows of the comparison table with this `question`
    says : what it says of their differences, a key of SAYS
    at : only rows with these values of `at`; all of them where empty
    margin : difference that is taken for none
    some : whether the paper says it of some of the settings, not of each of them
    data : data sets that it was made for, or that stand in for these; every one where empty
    rankers : those that it was made for; every one where empty
    setting : how a value of `at` is worded, "{at}" standing for it
    by_construction : data sets to which the printed number was fitted
    per_ranker : whether it depends on a ranker; where not, it is judged once

    Raises
    ------
    ValueError
        when `says` is none of SAYS.
    """

    claim: str
    source: str
    published: str
    question: str
    says: str
    at: tuple[int | str, ...] = ()
    margin: float = MARGIN
    some: bool = False
    data: tuple[str, ...] = ()
    rankers: tuple[str, ...] = ()
    setting: str = "{at}"
    by_construction: tuple[str, ...] = ()
    per_ranker: bool = True

    def __post_init__(self) -> None:
        checks.one_of("says", self.says, SAYS)

    def made_for(self, data: str | None) -> bool:
        """Whether it speaks of a data set, or of one whose name is not given, None."""
        return not self.data or data is None or data in self.data


def speaks_of(claim: Claim, results: pd.DataFrame) -> pd.DataFrame:
    """The comparisons that a claim speaks of; without a ranker where it depends on none, and each then once.

    Parameters
    ----------
    claim : its question, `at` and rankers choose
    results : columns ranker, question, at
    """
    rows = results[results["question"] == claim.question]
    if claim.at:
        rows = rows[rows["at"].astype(str).isin([str(at) for at in claim.at])]
    if claim.rankers:
        rows = rows[rows["ranker"].isin(claim.rankers)]
    if not claim.per_ranker:
        rows = rows.drop_duplicates([column for column in ("at", "without") if column in rows]).assign(ranker="")
    return rows


def judged(claim: Claim, rows: pd.DataFrame, margin: float | None = None) -> dict:
    """The verdict on a claim, and the comparison that decides it.

    An interval that bears a claim out does not speak against it, too, though less than the margin may be shown. What
    needs every setting needs each 95 % interval; what one setting of several suffices for needs that setting's
    interval at the level of Holm's first step, .05 by the number of settings. That is to be reproduced for a claim of
    each setting, and to fail for one of some; the other way round for the other verdict. The wider interval is the 95 %
    interval stretched, on each side, as a normal distribution has it.

    Parameters
    ----------
    claim : what it says
    rows : comparisons that it speaks of, columns at, difference, low, high
    margin : difference that is taken for none; None is the claim's own

    Returns
    -------
    where, measured, low, high, verdict : `low` and `high` at the level that decided; the setting is of those with the
        verdict that bears out a failure or a claim of some the best, a claim of each the least
    """
    if rows.empty:
        return {"where": "", "measured": np.nan, "low": np.nan, "high": np.nan, "verdict": "undecided"}
    said, margin = SAYS[claim.says], claim.margin if margin is None else margin
    interval, wider = rows[["low", "high"]].to_numpy(float).T, _at_holms_level(rows)
    holds = said.holds(*interval, margin)
    held = holds > 0
    of_each = np.where(held, -np.inf, said.fails(*interval, margin)) if claim.some else holds
    of_one = said.holds(*wider, margin) if claim.some else np.where(held, -np.inf, said.fails(*wider, margin))
    needs_all, needs_one = VERDICTS[::2] if claim.some else VERDICTS[::-2]
    if (of_each > 0).all():
        return _decided(claim, rows, int(np.argmin(of_each)), interval, needs_all)
    verdict = needs_one if (of_one > 0).any() else "undecided"
    left = np.where(of_each > 0, -np.inf, np.nan_to_num(of_one, nan=-np.inf))
    return _decided(claim, rows, int(np.argmax(left)), wider, verdict)


def _at_holms_level(rows: pd.DataFrame) -> Numbers:
    """(2, n) bounds at the level .05 / n, from those at .05 by a normal distribution on either side."""
    difference, low, high = rows[["difference", "low", "high"]].to_numpy(float).T
    stretch = stats.norm.isf(LEVEL / 2 / len(rows)) / stats.norm.isf(LEVEL / 2)
    return np.stack([difference - stretch * (difference - low), difference + stretch * (high - difference)])


def _decided(claim: Claim, rows: pd.DataFrame, number: int, bounds: Numbers, verdict: str) -> dict:
    row = rows.iloc[number]
    where = claim.setting.format(at=row["at"]) + (f" (of {len(rows)})" if len(rows) > 1 else "")
    low, high = bounds[:, number]
    return {"where": where, "measured": row["difference"], "low": low, "high": high, "verdict": verdict}
