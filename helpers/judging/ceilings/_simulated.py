"""The ceiling by drawing labels, as the paper describes it."""

from __future__ import annotations

import math

import numpy as np

from helpers.judging.ceilings._problem import Problem, problem
from helpers.judging.confusion import draw_labels

LABELS_AT_ONCE = 1 << 18


def simulated(
    counts: np.ndarray,
    confusion: np.ndarray,
    k: int | None = None,
    *,
    draws: int,
    rng: np.random.Generator,
    gain: str = "exponential",
) -> tuple[float, float] | tuple[np.ndarray, np.ndarray]:
    """Mean nDCG@k over labellings drawn at random, and the standard error of that mean.

    Parameters
    ----------
    counts, confusion, k, gain : as in `helpers.judging.ceilings`, errors too
    draws : labellings of each query, at least 2
    rng : draws the labels and the order of equal ones

    Returns
    -------
    mean, standard error : floats for the counts of one query, (n_queries,) for those of many

    Raises
    ------
    ValueError
        as `helpers.judging.ceilings` says, or when there are fewer than two draws.

    Examples
    --------
    >>> mean, error = simulated([1, 1], [[0.8, 0.2], [0.2, 0.8]], draws=10_000, rng=np.random.default_rng(0))
    >>> abs(mean - 0.9262) < 4 * error < 0.01
    True
    """
    if draws < 2:
        raise ValueError(f"draws is {draws}, expected at least 2")
    task = problem(counts, confusion, k, gain)
    matrices = np.broadcast_to(task.matrices, (len(task.profiles), *task.matrices.shape[1:]))
    means, errors = np.empty((2, len(task.profiles)))
    for q, (profile, matrix) in enumerate(zip(task.profiles, matrices, strict=True)):
        dcg = _drawn_dcg(profile, matrix, task, draws, rng)
        means[q], errors[q] = dcg.mean(), dcg.std(ddof=1) / math.sqrt(draws)
    return task.ndcg(means), task.ndcg(errors)


def _drawn_dcg(
    profile: np.ndarray, matrix: np.ndarray, task: Problem, draws: int, rng: np.random.Generator
) -> np.ndarray:
    """(draws,) DCG of one query, ranked by newly drawn labels each time."""
    grades = np.repeat(np.flatnonzero(profile), profile[profile > 0])
    ranks = task.discounts[: len(grades)]
    at_once = max(1, LABELS_AT_ONCE // len(grades))
    dcg = np.empty(draws)
    for start in range(0, draws, at_once):
        lists = np.tile(grades, (min(at_once, draws - start), 1))
        labels = draw_labels(lists, matrix, rng)
        order = np.argsort(-(labels + rng.random(labels.shape)), axis=1)[:, : len(ranks)]
        dcg[start : start + at_once] = task.gains[grades[order]] @ ranks
    return dcg
