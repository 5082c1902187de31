"""Majorities of judges: of votes, and as a confusion matrix."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
from scipy.special import gammaln

from helpers.judging.confusion._matrices import checked, probabilities


def majority_grade(votes: np.ndarray) -> np.ndarray:
    """Majority of the votes (…, n_grades) given to each grade: the most frequent grade.

    Of t grades that tie, sorted from the most to the least relevant, it is the one at position ceil(t / 2)
    (Yang et al. 2010, section 4.1.2).

    >>> majority_grade([[1, 2, 2, 0, 0], [1, 0, 1, 0, 1]])
    array([2, 2])
    """
    votes = np.asarray(votes)
    best = votes == votes.max(axis=-1, keepdims=True)
    passed = best[..., ::-1].cumsum(axis=-1)
    position = (passed[..., -1:] + 1) // 2
    return votes.shape[-1] - 1 - (passed == position).argmax(axis=-1)


def ballots(m: int, n_grades: int) -> np.ndarray:
    """(n_ways, n_grades) every way to spread m votes over the grades.

    >>> ballots(2, 2)
    array([[2, 0],
           [1, 1],
           [0, 2]])
    """
    cast = np.array(list(combinations_with_replacement(range(n_grades), m)))
    return (cast[:, :, None] == np.arange(n_grades)).sum(axis=1)


def majority(confusion: np.ndarray, m: int) -> np.ndarray:
    """Confusion matrix of the majority of m judges who share one matrix and err independently given the testing grade.

    Row i sums, over all ways to spread m votes over the grades, the multinomial probability of the votes under row i
    of the single judge; each goes to the column of its `majority_grade`.

    Parameters
    ----------
    confusion : (…, n_grades, n_grades) probabilities of the single judge; rows of NaN stay NaN
    m : number of judges, from 1 up

    Raises
    ------
    ValueError
        when a row is no distribution, or m is no whole number from 1 up.

    Examples
    --------
    Two of three judges who are each right with probability .8: .8^3 + 3 * .8^2 * .2 = .896.

    >>> majority([[0.8, 0.2], [0.2, 0.8]], 3).round(4)
    array([[0.896, 0.104],
           [0.104, 0.896]])
    """
    confusion = checked(confusion)
    if m < 1 or m != int(m):
        raise ValueError(f"m is {m}, expected a whole number of judges of at least 1")
    n_grades = confusion.shape[-1]
    votes = ballots(int(m), n_grades)
    winners = np.eye(n_grades)[majority_grade(votes)]
    known = np.nan_to_num(confusion, nan=1 / n_grades)
    orders = np.exp(gammaln(m + 1) - gammaln(votes + 1).sum(axis=1))
    chances = orders * (known[..., None, :] ** votes).prod(axis=-1)
    return np.where(np.isnan(confusion), np.nan, probabilities(chances @ winners))
