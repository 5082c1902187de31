"""Checks of the exercises of study 4: each says whether an answer is right, and gives nothing away."""

from __future__ import annotations

from math import ceil, comb
from typing import Any

import pandas as pd

from helpers.reporting.exercises import told
from helpers.studies.depth import tables

# of the collection of exercise 1, and the share of its judgments that can be paid
QUERIES, DOCUMENTS, SHARE = 40, 25, 0.2

TOY_QUERIES, TOY_DOCUMENTS, TOY_SHARE = 8, 12, 0.25  # of the collection that the notebook draws

BUDGET, COST, DEPTHS = 8192, 64, (16, 128)  # of exercises 6 and 7, in judgments, and the depths that are asked for


def check_1(answer: Any) -> None:
    """Queries that are left when a share of the queries is kept, and documents a query when one of the documents is."""
    expected = [round(SHARE * QUERIES), round(SHARE * DOCUMENTS)]
    told(answer, expected, hint="both samples cost a fifth of all judgments.")


def check_2(answer: Any) -> None:
    """Pairs of judged documents of one query, in the two samples of the notebook."""
    whole, part = comb(TOY_DOCUMENTS, 2), comb(round(TOY_SHARE * TOY_DOCUMENTS), 2)
    expected = [round(TOY_SHARE * TOY_QUERIES) * whole, TOY_QUERIES * part]
    told(answer, expected, hint="n documents of a query are n (n - 1) / 2 pairs, and pairs lie within a query.")


def check_3(answer: Any, shares: pd.DataFrame) -> None:
    """The real collection with the largest difference at a share that leaves eight documents a query or more."""
    rows = shares[~shares["shallow"]]
    expected = rows.loc[rows["difference"].idxmax(), "data"]
    told(answer, expected, hint="leave out the rows that are `shallow`, and take the largest `difference`.")


def check_4(answer: Any, depths: pd.DataFrame) -> None:
    """The depth at which shallow judging trails fewer queries at the same cost most, in the mean over the rows."""
    means = depths[depths["question"] == tables.EITHER].groupby("at")["difference"].mean()
    told(answer, int(means.idxmin()), hint="take the mean `difference` of each `at`; the lowest is what is asked for.")


def check_6(answer: Any) -> None:
    """Whole queries that a budget buys at each of two depths, where a query has a price."""
    expected = [BUDGET // (COST + depth) for depth in DEPTHS]
    told(answer, expected, hint="a query costs its price and one for each of its documents.")


def check_7(answer: Any) -> None:
    """The price of a query at which one of 16 documents costs half of one of 128."""
    shallow, deep = DEPTHS
    told(answer, deep - 2 * shallow, hint=f"solve (c + {deep}) / (c + {shallow}) = 2.")


def check_5(answer: Any, half: float, margin: float, draws: int) -> None:
    """Draws that it takes for half an interval to fit the margin, were draws all that counts."""
    expected = ceil(draws * (half / margin) ** 2)
    told(answer, expected, within=1, hint="an interval shrinks with the root of the number of draws.")
