"""Whether the answers to the exercises of study 2 are right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from helpers.judging import ceilings
from helpers.judging.confusion import majority, ordinal_confusion, probabilities
from helpers.reporting.exercises import told
from helpers.studies.bounds import collection_ceilings
from helpers.studies.bounds.findings import ALL
from helpers.studies.bounds.protocol import NEAR

ROUNDED = 0.0051
"""By how much an answer may be off that was rounded to two decimals."""

RIGHT = 0.6
"""How often both assessors of exercise 2 are right."""


def check_1(answer: Any, profile: Sequence[int], confusion: np.ndarray) -> None:
    """The ceiling of the query at rank 1."""
    told(answer, ceilings.exact(profile, confusion, 1), ROUNDED, "the third argument is the cut-off.")


def check_2(answer: Any, profile: Sequence[int]) -> None:
    """Which of two assessors who are right equally often one would rather train on: "small" or "large" errors."""
    matrices = {"small": ordinal_confusion(len(profile), RIGHT), "large": far_off(len(profile), RIGHT)}
    values = {name: ceilings.exact(profile, matrix, 10) for name, matrix in matrices.items()}
    told(answer, max(values, key=values.get), hint="compare the ceilings under both matrices.")


def far_off(n_grades: int, accuracy: float) -> np.ndarray:
    """(n_grades, n_grades) matrix of an assessor who is right that often and else errs far: `ordinal_confusion` turned.

    >>> far_off(3, 0.7).round(2)
    array([[0.7 , 0.07, 0.23],
           [0.15, 0.7 , 0.15],
           [0.23, 0.07, 0.7 ]])
    """
    right = np.eye(n_grades)
    return accuracy * right + (1 - accuracy) * probabilities(
        ordinal_confusion(n_grades, accuracy)[:, ::-1] * (1 - right)
    )


def check_3(answer: Any, profile: Sequence[int], confusion: np.ndarray) -> None:
    """The cut-off of 1, 10 and the whole list with the highest ceiling."""
    values = {k: ceilings.exact(profile, confusion, k) for k in (1, 10, int(np.sum(profile)))}
    told(answer, max(values, key=values.get), hint="compute the ceiling at each of the three.")


def check_4(answer: Any, profile: Sequence[int], confusion: np.ndarray, judges: int) -> None:
    """What the majority of several judges adds to the ceiling of one."""
    one, many = (ceilings.exact(profile, matrix, 10) for matrix in (confusion, majority(confusion, judges)))
    told(answer, many - one, ROUNDED, "take the ceiling under `majority(matrix, judges)` less that under `matrix`.")


def check_5(answer: Any, known: pd.DataFrame) -> None:
    """The judges for whom the interval is wholly on the side of the query's own matrix."""
    told(answer, set(known.loc[known["low"] > 0, "judges"]), hint="its lower end must be above 0.")


def check_6(answer: Any, ceilings: pd.DataFrame, learned: pd.DataFrame, collection: str) -> None:
    """Under how many matrices the best ranker of a collection has room."""
    room = int((ceilings["exact"] - collection_ceilings.best(learned, collection) > NEAR).sum())
    told(answer, room, hint=f"count the ceilings that are more than {NEAR} above the best learned value.")


def check_7(answer: Any, worth: pd.DataFrame, price: float) -> None:
    """What machine-labelled queries cost that train as well as one of a person, beside that one."""
    row = worth[worth["ranker"] == ALL].nlargest(1, "queries").iloc[0]
    hint = "divide how many are needed by how many the person labelled, times the price."
    told(answer, float(row["needed"] / row["queries"] * price), ROUNDED, hint)
