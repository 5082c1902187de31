"""The exact ceiling: sums of binomials, integrated over the order of ties."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numba import njit

from helpers.judging.ceilings._problem import problem

NEGLIGIBLE = 1e-20  # a binomial is followed to both sides until its masses are this small
STEP = 8  # quadrature comes with 8, 16, 24, … nodes


def exact(
    counts: np.ndarray, confusion: np.ndarray, k: int | None = None, *, gain: str = "exponential"
) -> float | np.ndarray:
    """Expected nDCG@k of a ranking by the training assessor's labels, exactly.

    Let every document have an independent uniform number that breaks ties. A document with label j and number u stands
    behind any document of grade h with probability p_h(u) = P(label > j | h) + u P(label = j | h), so behind
    X = sum_h Binomial(n_h - [h = i], p_h(u)) documents if its own grade is i. Hence

        E[DCG@k] = sum_i n_i gain(i) sum_j C[i, j] * integral over u from 0 to 1 of E[discount(1 + X)].

    The integrand is a polynomial in u, of degree below the number of documents: Gauss-Legendre quadrature, with as many
    nodes as an error of 1e-11 needs. Only X < k matters, so the distribution is a product of n_grades power series cut
    off at k, however long the list. Time grows with n_labels * n_grades * k^2, memory with k.

    Parameters
    ----------
    counts, confusion, k, gain : as in `helpers.judging.ceilings`, errors too

    Returns
    -------
    float for the counts of one query, (n_queries,) for those of many

    Examples
    --------
    One relevant document of two: told apart with probability .64, mistaken with .04, tied with .32. So it is first with
    .64 + .16, and .8 * 1 + .2 / log2(3) = .9262.

    >>> round(exact([1, 1], [[0.8, 0.2], [0.2, 0.8]]), 4)
    0.9262
    >>> exact([[1, 1], [2, 0]], [[1, 0], [0, 1]])
    array([ 1., nan])
    """
    task = problem(counts, confusion, k, gain)
    tied = min(task.profiles.sum(axis=1).max(), _reach(len(task.discounts)))
    rule = _quadrature(math.ceil(_nodes(tied) / STEP))
    return task.ndcg(_dcg(task.profiles, task.matrices, task.gains, task.discounts, *rule))


@lru_cache(maxsize=8)
def _quadrature(n_sizes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gauss-Legendre nodes and weights on [0, 1] in sets of STEP, 2 STEP, …, and the row where each set starts."""
    sizes = STEP * np.arange(1, n_sizes + 1)
    rules = [np.polynomial.legendre.leggauss(size) for size in sizes]
    nodes = np.concatenate([(1 + x) / 2 for x, _ in rules])
    weights = np.concatenate([w / 2 for _, w in rules])
    return nodes, weights, np.concatenate([[0], sizes.cumsum()])


@njit(cache=True)
def _nodes(tied):
    """Nodes that integrate over the order of so many expected ties to 1e-11, found by trial."""
    return 6 + 3 * math.sqrt(tied)


@njit(cache=True)
def _reach(k):
    """Expected number of documents ahead from which a rank up to k has a probability below 1e-17 (Chernoff)."""
    return (4.5 + math.sqrt(4.5**2 + k)) ** 2 + 1


@njit(cache=True)
def _dcg(profiles, matrices, gains, discounts, nodes, weights, starts):
    """(n_queries,) expected DCG."""
    dcg = np.zeros(len(profiles))
    series = np.empty((3, len(discounts)))
    for q in range(len(profiles)):
        counts, matrix = profiles[q], matrices[q if len(matrices) > 1 else 0]
        ranks = discounts[: counts.sum()]
        ahead = np.zeros(len(counts))
        for label in range(matrix.shape[1] - 1, -1, -1):
            tied = matrix[:, label].copy()
            dcg[q] += _label_dcg(counts, ahead, tied, gains, ranks, nodes, weights, starts, series)
            ahead += tied
    return dcg


@njit(cache=True)
def _label_dcg(counts, ahead, tied, gains, ranks, nodes, weights, starts, series):
    """Expected DCG of the documents with one label: documents of grade h have it with probability tied[h], a higher one
    with ahead[h]."""
    room = _reach(len(ranks)) - (counts * ahead).sum()
    n_tied = (counts * tied).sum()
    if n_tied == 0 or room <= 0:
        return 0.0
    end = min(1.0, room / n_tied)  # beyond this u no document reaches the cut-off
    size = math.ceil(min(_nodes(end * n_tied), counts.sum() // 2 + 1) / STEP)  # the latter for any polynomial
    total = 0.0
    for node in range(starts[size - 1], starts[size]):
        u = end * nodes[node]
        chances = np.minimum(ahead + u * tied, 1.0)
        total += end * weights[node] * _discounted(counts, chances, counts * gains * tied, ranks, series)
    return total


@njit(cache=True)
def _discounted(counts, chances, values, ranks, series):
    """sum_i values[i] E[discount(1 + X_i)], X_i of all documents but one of grade i standing ahead.

    `everyone` is the distribution of the number ahead of all documents so far, `others` the sum of values[i] times that
    without one document of grade i: the product rule, (f g)' = f' g + f g', grade by grade. Both start at rank `first`.
    """
    k = len(ranks)
    everyone, others, masses = series[0], series[1], series[2]
    everyone[0], others[0] = 1.0, 0.0
    first, length = 0, 1
    for grade in range(len(counts)):
        if counts[grade] == 0:
            continue
        start, n_masses = _binomial(masses[:k], counts[grade] - 1, chances[grade])
        first += start
        if first >= k:
            return 0.0
        length = min(length, k - first)
        _multiply(everyone, length, masses, n_masses, k - first)
        _multiply(others, length, masses, n_masses, k - first)
        length = min(length + n_masses - 1, k - first)
        _multiply_by_one(others, length, chances[grade], k - first)
        others[:length] += values[grade] * everyone[:length]
        _multiply_by_one(everyone, length, chances[grade], k - first)
        length = min(length + 1, k - first)
    return (others[:length] * ranks[first : first + length]).sum()


@njit(cache=True)
def _binomial(masses, n, p):
    """Write the masses of Binomial(n, p) that count to the start of masses: the number of the first, and how many."""
    if n == 0 or p <= 0 or p >= 1:
        masses[0] = 1.0
        return n if p >= 1 else 0, 1
    odds = p / (1 - p)
    low = high = min(int((n + 1) * p), n, len(masses) - 1)
    choices = math.lgamma(n + 1) - math.lgamma(low + 1) - math.lgamma(n - low + 1)
    masses[low] = math.exp(choices + low * math.log(p) + (n - low) * math.log1p(-p))
    while low > 0 and masses[low] > NEGLIGIBLE:
        masses[low - 1] = masses[low] * low / ((n - low + 1) * odds)
        low -= 1
    while high < min(n, len(masses) - 1) and masses[high] > NEGLIGIBLE:
        masses[high + 1] = masses[high] * (n - high) / (high + 1) * odds
        high += 1
    masses[: high - low + 1] = masses[low : high + 1].copy()
    return low, high - low + 1


@njit(cache=True)
def _multiply(series, length, factor, n_factor, room):
    """Multiply a power series of so many terms by another, in place, keeping the first `room` terms."""
    new_length = min(length + n_factor - 1, room)
    series[length:new_length] = 0.0
    for x in range(new_length - 1, -1, -1):
        term = 0.0
        for y in range(max(0, x - length + 1), min(n_factor, x + 1)):
            term += series[x - y] * factor[y]
        series[x] = term


@njit(cache=True)
def _multiply_by_one(series, length, p, room):
    """Multiply a power series of so many terms by 1 - p + p z, one more document, in place."""
    if length < room:
        series[length] = p * series[length - 1]
    for x in range(length - 1, 0, -1):
        series[x] = (1 - p) * series[x] + p * series[x - 1]
    series[0] *= 1 - p
