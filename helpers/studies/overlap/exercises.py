"""Whether the answers to the exercises of notebook 01 are right; each check tells no more than that and a hint."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from helpers.judging import schemes
from helpers.reporting.exercises import told
from helpers.studies.overlap import protocol, titles

PERFECT, COST = 0.2, 2.5
"""Share of Good+ where judges agree perfectly, and a cost of good-till-bad, of which exercises speak."""

VARIANCE = 0.48
"""Of the error of one label, in grades squared."""


def check_1(answer: Any, labels: np.ndarray, good: int = schemes.GOOD) -> None:
    """How many labels if-good-3 buys of the documents of one query."""
    bought = schemes.collect("if-good-3", labels, None, good=good).labels_bought
    told(answer, bought, hint=f"a document whose first label is {good} or more has three labels, any other has one.")


def check_2(answer: Any) -> None:
    """What if-good-3 costs where judges agree perfectly and a share PERFECT of the pairs is Good+."""
    cost = schemes.expected_cost("if-good-3", [PERFECT])
    told(answer, cost, within=0.005, hint="every pair has one label, and a fifth of them has two more.")


def check_3(answer: Any) -> None:
    """The share of Good+ among the training labels of if-good-3, where judges agree as in `check_2`."""
    share = schemes.expected_good_share("if-good-3", np.full(3, PERFECT))
    told(answer, share, within=0.005, hint="divide the Good+ labels a pair by all labels a pair.")


def check_4(answer: Any) -> None:
    """The most Fair- labels for each Good+ one that good-till-bad can collect at COST labels a pair."""
    told(answer, 1 / (COST - 1), within=0.005, hint="at most one label of a pair is Fair-, all others are Good+.")


def check_5(answer: Any, plane: pd.DataFrame, ranker: str) -> None:
    """The cheapest scheme that clearly gains over one label."""
    expected = titles.cheapest(plane, ranker)
    told(answer, expected, hint="its interval lies above the dashed line, and those of cheaper schemes do not.")


def check_6(answer: Any) -> None:
    """The variance of the mean of three labels whose errors are independent, each of VARIANCE."""
    told(answer, VARIANCE / 3, within=0.005, hint="variances of independent errors add up; then divide by 3 squared.")


def check_7(answer: Any, table: pd.DataFrame) -> None:
    """For how many kinds of judges if-good-3 is clearly behind one label at equal cost."""
    behind = int((table.loc[table["setting"] == "if-good-3", "high"] < 0).sum())
    told(answer, behind, hint="only intervals that lie below zero as a whole count.")


def check_8(answer: Any, plane: pd.DataFrame) -> None:
    """How many queries of Clean07 could have one label a document for what if-good-3 costs on its training queries."""
    labels = plane.loc[plane["setting"] == "if-good-3", "labels"].iloc[0]
    queries = protocol.LABEL_SETS["clean07"].queries
    told(
        answer,
        labels * queries,
        within=0.01 * queries,
        hint="a query costs if-good-3 as many times what one label costs.",
    )
