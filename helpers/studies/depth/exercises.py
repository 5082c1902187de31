"""Checks of the exercises of study 4: each says whether an answer is right, and gives nothing away."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any

import numpy as np
import pandas as pd

from helpers.datasets import sampling
from helpers.datasets.collection import Collection
from helpers.metrics import significance
from helpers.reporting.exercises import told

SHARE, SEED = 1 / 2, 9  # of exercise 1, and of the draw of the notebook's samples
WANTED = 0.005  # half an interval, of exercise 2
PART, WORLDS = 1 / 5, 10  # of exercise 3
RANKER, DEPTH = "LambdaMART", "R5-2"  # of exercise 4
COST, ASKED = 64, ("microblog", "ohsumed")  # of exercise 5


def pairs(sample: Collection) -> int:
    """Pairs of documents of one query that differ in grade: what a ranker of pairs learns from.

    >>> pairs(Collection(np.zeros((5, 1)), [0, 1, 2, 0, 0], [0, 3, 5]))
    3
    """
    counts = sample.grade_counts(int(sample.grades.max()) + 1)
    return int((counts.sum(axis=1) ** 2 - (counts**2).sum(axis=1)).sum() // 2)


def check_1(answer: Any, toy: Collection) -> None:
    """Pairs of different grades in each of the two samples of the notebook's small collection, at half of it."""
    kept = [keep(toy, SHARE, np.random.default_rng(SEED)) for keep in (sampling.queries, sampling.documents)]
    told(
        answer, [pairs(sample) for sample in kept], hint="set `share = 1 / 2`, run both cells, and read the two counts."
    )


def check_2(answer: Any, gains: np.ndarray) -> None:
    """Worlds that it takes until half an interval is as short as asked for."""
    found = significance.paired_t(gains, np.zeros(len(gains)))
    expected = ceil(len(gains) * ((found.high - found.low) / 2 / WANTED) ** 2)
    told(answer, expected, within=1, hint="an interval shrinks with the root of the number of worlds.")


def check_3(answer: Any, gain: Callable[[int, float], float]) -> None:
    """The mean gain of ten worlds at a fifth of the judgments."""
    trained = range(WORLDS if answer is not ... else 0)  # nothing is trained for who has no answer yet
    expected = float(np.mean([gain(world, PART) for world in trained] or [0.0]))
    told(answer, expected, within=0.0006, hint="set `kept = 1 / 5`, and take the mean over worlds 0 to 9.")


def check_4(answer: Any, effects: pd.DataFrame) -> None:
    """What another ranker loses with two documents a query, pooled over the real collections."""
    rows = effects.query("claim == @DEPTH and ranker == @RANKER and basis == 'real'")
    told(
        answer, significance.pool(rows["effect"], rows["se"]).effect, within=0.0006, hint="change the line `ranker =`."
    )


def check_5(answer: Any, losses: pd.DataFrame) -> None:
    """The best depths of two collections where a query costs as much as sixty-four judgments."""
    rows = losses[losses["cost"] == COST]
    rows = rows[rows["budget"] == rows.groupby("data")["budget"].transform("max")]
    best = rows.loc[rows.groupby("data")["loss"].idxmin()].set_index("data")["documents"]
    told(answer, [int(best[name]) for name in ASKED], hint="change the line `cost =`, and read the table.")


def small_collection() -> Collection:
    """Eight queries of twelve documents, graded 0 to 2 by lot."""
    grades = np.random.default_rng(SEED).choice(3, 96, p=[0.6, 0.3, 0.1])
    return Collection(np.arange(96)[:, None], grades, np.arange(0, 97, 12))
