"""One grade from the labels of several judges: majority, mean, highest, Dawid and Skene's model, and a tool's rule."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from helpers import checks
from helpers.judging.schemes import AGGREGATES

TOP = 3
"""Highest labels of which Quepid takes the lowest, from its release 8.5 on."""


def aggregate(rule: str, labels: np.ndarray, judges: np.ndarray) -> np.ndarray:
    """(n_pairs,) float64 grade of each pair by a rule of RULES.

    Parameters
    ----------
    rule : "majority" as `schemes.majority_vote`; "mean"; "highest"; "Dawid-Skene", the most probable grade; "lowest of
        the three highest" as `lowest_of_highest`
    labels, judges : (n_pairs, m) grades and who gave them, -1 where a pair has fewer, as `judgments.Coded.labels`

    Raises
    ------
    ValueError
        when there is no such rule.

    Examples
    --------
    >>> labels, judges = np.array([[0, 3, 3], [2, 1, -1]]), np.array([[0, 1, 2], [0, 1, -1]])
    >>> {rule: aggregate(rule, labels, judges).tolist() for rule in ("majority", "mean", "highest", QUEPID)}
    {'majority': [3.0, 2.0], 'mean': [2.0, 1.5], 'highest': [3.0, 2.0], 'lowest of the three highest': [0.0, 1.0]}
    """
    checks.one_of("rule", rule, RULES)
    return RULES[rule](labels, judges).astype(np.float64)


def lowest_of_highest(labels: np.ndarray, top: int = TOP) -> np.ndarray:
    """(n_pairs,) the lowest of the `top` highest labels of each pair, of all where it has no more.

    That is what Quepid does with the ratings of a book. Of up to three labels it is the lowest, of more it is the third
    highest: the more judges a pair has beyond three, the higher is its grade.

    >>> lowest_of_highest(np.array([[0, 2, 3, -1], [0, 2, 3, 3], [1, -1, -1, -1]]))
    array([0, 2, 1])
    """
    falling = -np.sort(-labels, axis=1)
    given = np.minimum((labels >= 0).sum(axis=1), top)
    return falling[np.arange(len(labels)), given - 1]


def rounded(grades: np.ndarray) -> np.ndarray:
    """Whole grades for nDCG; halves go up, as the higher of two grades wins a tie of votes.

    >>> rounded(np.array([0.5, 1.4, 2.5]))
    array([1, 1, 3])
    """
    return np.floor(grades + 0.5).astype(np.int64)


def _mean(labels: np.ndarray) -> np.ndarray:
    given = labels >= 0
    return np.where(given, labels, 0).sum(axis=1) / given.sum(axis=1)


QUEPID = "lowest of the three highest"
RULES: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "majority": AGGREGATES["majority"],
    "mean": lambda labels, judges: _mean(labels),
    "highest": AGGREGATES["highest"],
    "Dawid-Skene": AGGREGATES["dawid-skene"],
    QUEPID: lambda labels, judges: lowest_of_highest(labels),
}
