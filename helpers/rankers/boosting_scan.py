"""The compiled part of RankBoost: bins of features, potentials of documents, and the search for a weak ranker.

No sum is reordered (no fastmath, one thread), so equal input gives equal weak rankers, bit for bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

BINS = 256  # so many values are distinguished in a feature: what a byte can number
LOWEST = -600.0  # a score further below its query's best counts as this, so that no exponential is 0 or infinite


class JudgedDocuments(NamedTuple):
    """What the pair distribution needs to know of the labels."""

    grades: np.ndarray  # (n_docs,) uint8, numbered from 0 without gaps
    n_grades: int
    weights: np.ndarray  # (n_docs,)
    offsets: np.ndarray  # (n_queries + 1,)


@njit(cache=True, error_model="numpy")
def bin_numbers(column, thresholds, bins):
    """Fill bins (n_docs,) with the number of thresholds, which rise, that each value of the column exceeds."""
    for d in range(len(column)):
        value, low, length = column[d], 0, len(thresholds)
        while length > 0:
            half = length >> 1
            exceeds = thresholds[low + half] < value
            low = low + half + 1 if exceeds else low
            length = length - half - 1 if exceeds else half
        bins[d] = low


@njit(cache=True, error_model="numpy")
def potentials(scores, documents):
    """(n_docs,) share of the pair distribution in which a document is the better one, less that in which the worse.

    Parameters
    ----------
    scores : (n_docs,)
    documents : JudgedDocuments, of the same order
    """
    values, total = np.empty(len(scores)), 0.0
    for q in range(len(documents.offsets) - 1):
        part = slice(documents.offsets[q], documents.offsets[q + 1])
        total += _query_potentials(
            scores[part], documents.grades[part], documents.weights[part], documents.n_grades, values[part]
        )
    return values / total if total > 0 else np.zeros(len(scores))


@njit(cache=True, error_model="numpy")
def _query_potentials(scores, grades, weights, n_grades, values):
    """Fill the potentials of a query before they are normalised, and return the weight of all its pairs.

    A pair with grades l_i > l_j weighs w_i exp(-s_i) * w_j exp(s_j), a product: sums of both factors by grade do for
    all pairs.
    """
    rising, falling, best = np.empty(len(scores)), np.empty(len(scores)), scores.max()
    above, below = np.zeros(n_grades), np.zeros(n_grades)
    for d in range(len(scores)):
        strength = np.exp(max(scores[d] - best, LOWEST))
        rising[d], falling[d] = weights[d] * strength, weights[d] / strength
        above[grades[d]] += falling[d]
        below[grades[d]] += rising[d]
    total = _to_strict_sums(above, below)
    for d in range(len(scores)):
        values[d] = falling[d] * below[grades[d]] - rising[d] * above[grades[d]]
    return total


@njit(cache=True, error_model="numpy")
def _to_strict_sums(above, below):
    """Turn sums by grade into sums over all higher and over all lower grades; return the sum over pairs of grades."""
    total, lower, higher = 0.0, 0.0, 0.0
    for grade in range(len(below)):
        total += above[grade] * lower
        below[grade], lower = lower, lower + below[grade]
    for grade in range(len(above) - 1, -1, -1):
        above[grade], higher = higher, higher + above[grade]
    return total


@njit(cache=True, error_model="numpy")
def strongest(bins, potentials, both_directions):
    """Feature, threshold number t and r of the weak ranker with the largest r, or |r|: 1 for bins above t, else 0.

    r is the sum of the potentials of the documents that it puts above the others. Of equally strong ones, it is the
    first feature's with the highest threshold.

    Parameters
    ----------
    bins : (n_features, n_docs) uint8, as `bin_numbers` fills them
    potentials : (n_docs,) of that function
    both_directions : whether a weak ranker may also put low values above, so that |r| counts
    """
    feature, threshold, strength = 0, 0, 0.0
    for first in range(0, len(bins), 4):
        histograms = _histograms(bins[first : first + 4], potentials)
        for f in range(min(4, len(bins) - first)):
            r = 0.0
            for t in range(BINS - 2, -1, -1):
                r += histograms[f, t + 1]
                if (abs(r) if both_directions else r) > abs(strength):
                    feature, threshold, strength = first + f, t, r
    return feature, threshold, strength


@njit(cache=True, error_model="numpy")
def _histograms(bins, potentials):
    """(4, BINS) sums of the potentials in each bin of up to four features: at once, in half the time of one by one."""
    sums, last = np.zeros((4, BINS)), len(bins) - 1
    first, second, third, fourth = bins[0], bins[min(1, last)], bins[min(2, last)], bins[last]
    of_first, of_second, of_third, of_fourth = sums[0], sums[1], sums[2], sums[3]
    for d in range(len(potentials)):
        potential = potentials[d]
        of_first[first[d]] += potential
        of_second[second[d]] += potential
        of_third[third[d]] += potential
        of_fourth[fourth[d]] += potential
    return sums
