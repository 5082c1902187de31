"""Checks of the exercises of study 3: each says whether an answer is right, and gives nothing away."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from helpers.judging import noise
from helpers.reporting.exercises import told
from helpers.studies.robustness.tables import REAL

CLEAN, NOISY = (1, 0, 0), (1, 1, 0)  # grades and labels of the three documents of exercise 2

ROUNDED = 0.006  # how far an answer that was rounded to two digits may be off


def check_1(answer: Any, explained: pd.DataFrame) -> None:
    """What pNoise explains less what dNoise does, mean over rankers, on real collections."""
    rows = explained[(explained["over"] == REAL) & (explained["by"] == "difference")]
    hint = "take the mean of `explained` over the rows `difference` of that `over`."
    told(answer, rows["explained"].mean(), within=ROUNDED, hint=hint)


def check_2(answer: Any) -> None:
    """The pNoise of three documents."""
    hint = "count the pairs that the labels order, and take half of those that the grades tie."
    told(answer, noise.pnoise(CLEAN, NOISY, [0, 3]), within=ROUNDED, hint=hint)


def check_3(answer: Any) -> None:
    """Labels of two documents of grades 1 and 0 at which pNoise is as high as it can be."""
    told(answer, [0, 1], hint="every pair that the labels order is to be the wrong way round.")


def check_4(answer: Any) -> None:
    """Which of three queries of 100 documents bears most noise: by its name."""
    queries = {"one relevant": [99, 1], "two halves": [50, 50], "ten grades": [10] * 10}
    best = min(queries, key=lambda name: noise.expected_pnoise(queries[name], 0.1))
    told(answer, best, hint="compare their expected pNoise at one dNoise, such as .1.")


def check_5(answer: Any) -> None:
    """The dNoise at which a query with one relevant document among 100 reaches a pNoise of .4."""
    hint = "`noise.dnoise_at` inverts `noise.expected_pnoise`."
    told(answer, noise.dnoise_at([99, 1], noise.TURNING), within=ROUNDED / 2, hint=hint)


def check_6(answer: Any, falls: pd.DataFrame) -> None:
    """The data set with the widest step in pNoise between neighbouring levels."""
    means = falls.groupby(["dataset", "dnoise"])["pnoise"].mean()
    widest = {name: np.diff(np.sort(values)).max() for name, values in means.groupby("dataset")}
    told(answer, max(widest, key=widest.get), hint="sort the pNoise of each data set, and take differences.")


def check_7(answer: Any, kept: pd.DataFrame) -> None:
    """The ranker that gains most from 1,500 training queries in place of 250, at the highest dNoise."""
    rows = kept[kept["dnoise"] == kept["dnoise"].max()].pivot(index="ranker", columns="queries", values="relative")
    told(answer, (rows[1500] - rows[250]).idxmax(), hint="subtract what is kept with 250 from what is kept with 1,500.")
