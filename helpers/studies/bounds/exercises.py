"""Whether the answers to the exercises of study 2 are right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from helpers.judging import ceilings
from helpers.judging.confusion import majority, ordinal_confusion, probabilities
from helpers.reporting.exercises import told

ROUNDED = 0.0051
"""By how much an answer may be off that was rounded to two decimals."""

STEP, CONCENTRATION, HALF, RIGHT = 2, 30, 0.002, 0.6
"""Of exercise 1 the steps of both judges, of 2 a half-width, of 3 the habits, of 4 how often both are right."""

WORLDS = 20


def check_1(answer: Any, profile: Sequence[int], k: int) -> None:
    """What one matrix says of a query with a strict judge and one with a lenient judge, both by two steps."""
    n = len(profile)
    grades = np.repeat(np.arange(n), profile)
    labels = [np.clip(grades + step, 0, n - 1) for step in (-STEP, STEP)]
    counts = np.zeros((n, n))
    np.add.at(counts, (np.tile(grades, 2), np.concatenate(labels)), 1)
    expected = ceilings.exact(profile, probabilities(counts), k)
    told(answer, expected, ROUNDED, "the number stands in the column `pooled`.")


def check_2(answer: Any, gains: Sequence[float]) -> None:
    """How many worlds make the interval of their mean HALF wide to each side."""
    expected = (1.96 * np.std(gains, ddof=1) / HALF) ** 2
    told(answer, expected, 0.05 * expected, "an interval is 1.96 standard deviations over the root of how many.")


def check_3(answer: Any, saved: Callable[[int, float], float]) -> None:
    """What a query's own matrix saves in worlds where queries are nearly alike."""
    expected = 0.0 if answer is ... else np.mean([saved(world, CONCENTRATION) for world in range(WORLDS)])
    told(answer, expected, 0.00051, "take the mean over the same worlds, with other habits.")


def check_4(answer: Any, profile: Sequence[int], k: int) -> None:
    """What large errors cost beside small ones that are as frequent."""
    n = len(profile)
    small, large = (ceilings.exact(profile, m, k) for m in (ordinal_confusion(n, RIGHT), far_off(n, RIGHT)))
    told(answer, small - large, ROUNDED, "take the ceiling under small errors less that under large ones.")


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


def check_5(answer: Any, profile: Sequence[int], confusion: np.ndarray, k: int) -> None:
    """What the majority of three judges adds to the ceiling of one."""
    one, three = (ceilings.exact(profile, matrix, k) for matrix in (confusion, majority(confusion, 3)))
    told(answer, three - one, ROUNDED, "take the ceiling under `majority(matrix, 3)` less that under `matrix`.")
