"""The ceiling by the paper's closed form: documents ahead and documents tied as a Gaussian pair."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from helpers.judging.ceilings._problem import problem, summed

SIGMAS = 6.0  # how far from its mean a Gaussian is followed


def approximate(
    counts: np.ndarray, confusion: np.ndarray, k: int | None = None, *, gain: str = "exponential"
) -> float | np.ndarray:
    """Expected nDCG@k by the closed form of Metrikov et al.: h documents ahead and s tied are jointly Gaussian.

    For a document of label j, with G_h = P(label >= j | h) and c_h = P(label = j | h), sums over the other documents
    (n_h of grade h) give h + s and s the means sum n G and sum n c, the variances sum n G (1 - G) and sum n c (1 - c),
    and the covariance sum n c (1 - G). A whole number has the mass of the unit interval around it; what falls outside
    0 <= s <= h + s < n goes to those inside in proportion. A document has the mean discount of the ranks h + 1 to
    h + s + 1. Our copy of the paper prints the mean of s; the other moments are derived.

    Parameters
    ----------
    counts, confusion, k, gain : as in `helpers.judging.ceilings`, errors too

    Returns
    -------
    float for the counts of one query, (n_queries,) for those of many

    Examples
    --------
    >>> approximate([1, 1], [[1, 0], [0, 1]])
    1.0
    """
    task = problem(counts, confusion, k, gain)
    return task.ndcg(_dcg(task.profiles, task.matrices, task.gains, summed(task.discounts)))


@njit(cache=True)
def _dcg(profiles, matrices, gains, sums):
    """(n_queries,) approximate DCG; sums[r] adds the discounts of the first r ranks."""
    dcg = np.zeros(len(profiles))
    for q in range(len(profiles)):
        counts, matrix = profiles[q], matrices[q if len(matrices) > 1 else 0]
        reached = np.zeros(len(counts))
        for label in range(matrix.shape[1] - 1, -1, -1):
            tied = matrix[:, label].copy()
            reached = np.minimum(reached + tied, 1.0)
            for grade in np.flatnonzero(counts * gains * tied):
                others = counts.copy()
                others[grade] -= 1
                weight = counts[grade] * gains[grade] * tied[grade]
                dcg[q] += weight * _mean_discount(others, reached, tied, sums)
    return dcg


@njit(cache=True)
def _mean_discount(others, reached, tied, sums):
    """Mean discount of a document; each other one has a label as high with probability reached, the same with tied."""
    mean, variance = (others * reached).sum(), (others * reached * (1 - reached)).sum()
    slope = (others * tied * (1 - reached)).sum() / variance if variance > 0 else 0.0
    spread = max(0.0, (others * tied * (1 - tied)).sum() - slope**2 * variance)
    total = mass = 0.0
    for last in _around(mean, variance, others.sum()):
        weight = _unit_mass(last, mean, variance)
        given = (others * tied).sum() + slope * (last - mean)
        for s in _around(given, spread, last):
            share = weight * _unit_mass(s, given, spread)
            mass += share
            total += share * _shared(sums, last - s, last + 1)
    return total / mass


@njit(cache=True)
def _around(mean, variance, most):
    """Whole numbers from 0 to most that a Gaussian reaches."""
    width = SIGMAS * math.sqrt(variance) + 0.5
    return range(max(0, math.floor(mean - width)), min(most, math.ceil(mean + width)) + 1)


@njit(cache=True)
def _unit_mass(x, mean, variance):
    """Mass of a Gaussian from x - 1/2 to x + 1/2."""
    scale = math.sqrt(2 * max(variance, 1e-12))
    return (math.erf((x + 0.5 - mean) / scale) - math.erf((x - 0.5 - mean) / scale)) / 2


@njit(cache=True)
def _shared(sums, ahead, last):
    """Mean discount of the ranks ahead + 1 to last; sums[r] adds the discounts of the first r ranks, to the cut-off."""
    k = len(sums) - 1
    return (sums[min(last, k)] - sums[min(ahead, k)]) / (last - ahead)
