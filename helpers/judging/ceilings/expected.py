"""The ceilings themselves: exactly, in the paper's closed form, and by drawing labels.

All kernels of numba that call each other are here.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numba import njit

from helpers import checks
from helpers.judging.confusion import checked, draw_labels
from helpers.metrics import discounts, gains

NEGLIGIBLE = 1e-20  # a binomial is followed to both sides until its masses are this small
STEP = 8  # quadrature comes with 8, 16, 24, … nodes
SIGMAS = 6.0  # how far from its mean a Gaussian is followed
LABELS_AT_ONCE = 1 << 18


class _Problem(NamedTuple):
    """Arguments as arrays: profiles (n_queries, n_grades), one matrix or one a query, discounts up to the cut-off."""

    profiles: np.ndarray
    matrices: np.ndarray
    gains: np.ndarray
    discounts: np.ndarray
    single: bool

    def ndcg(self, dcg: np.ndarray) -> float | np.ndarray:
        """The dcg (n_queries,) over that of the ideal list, NaN where that is 0; a float for a single query."""
        ends = np.minimum(self.profiles[:, ::-1].cumsum(axis=1), len(self.discounts))
        ideal = np.diff(_summed(self.discounts)[ends], axis=1, prepend=0) @ self.gains[::-1]
        values = np.divide(dcg, ideal, out=np.full(len(dcg), np.nan), where=ideal > 0)
        return float(values[0]) if self.single else values


def _problem(counts: np.ndarray, confusion: np.ndarray, k: int | None, gain: str) -> _Problem:
    """The arguments of a ceiling, checked; rows of confusion that are unknown and not needed are filled evenly."""
    counts, confusion = whole("counts", counts), checked(confusion)
    many = counts.ndim == 2 and confusion.shape[:-2] in [(), counts.shape[:1]]
    if not (many or (counts.ndim == 1 and confusion.ndim == 2)) or confusion.shape[-2] != counts.shape[-1]:
        raise ValueError(
            f"counts has shape {counts.shape}, confusion {confusion.shape}: expected (n_grades,) or "
            "(n_queries, n_grades), and (n_grades, n_labels) or (n_queries, n_grades, n_labels)"
        )
    profiles, matrices = np.atleast_2d(counts), confusion.reshape(-1, *confusion.shape[-2:])
    unknown = np.isnan(matrices).any(axis=-1)
    for q, i in np.argwhere(unknown & (profiles > 0)):
        raise ValueError(
            f"confusion: row {i} is unknown (NaN), but query {q} has {profiles[q, i]} documents of grade {i}"
        )
    lengths = profiles.sum(axis=1)
    if not lengths.all() or not len(lengths):
        found = f"query {lengths.argmin()} has no document" if len(lengths) else "there is no query"
        raise ValueError(f"counts: {found}, expected at least one")
    checks.cutoff("k", k)
    ranks = discounts(int(lengths.max() if k is None else min(k, lengths.max())))  # no more than the longest list has
    known = np.where(unknown[..., None], 1 / matrices.shape[-1], matrices)
    return _Problem(profiles, known, gains(np.arange(counts.shape[-1]), gain), ranks, counts.ndim == 1)


def whole(argument: str, counts: np.ndarray) -> np.ndarray:
    """The counts as int64, or ValueError that names the argument unless they are whole numbers from 0 up."""
    array = np.asarray(counts, dtype=np.float64)
    for place in np.argwhere(~((array >= 0) & (array == np.floor(array)) & np.isfinite(array))).tolist():
        raise ValueError(f"{argument} has {array[tuple(place)]} at {tuple(place)}, expected whole numbers from 0 up")
    return array.astype(np.int64)


def _summed(discounts: np.ndarray) -> np.ndarray:
    """Sums of the first 0, 1, 2, … discounts."""
    return np.concatenate([[0.0], np.cumsum(discounts)])


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
    task = _problem(counts, confusion, k, gain)
    tied = min(task.profiles.sum(axis=1).max(), _reach(len(task.discounts)))
    rule = _quadrature(math.ceil(_nodes(tied) / STEP))
    return task.ndcg(_exact_dcg(task.profiles, task.matrices, task.gains, task.discounts, *rule))


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
def _exact_dcg(profiles, matrices, gains, discounts, nodes, weights, starts):
    """(n_queries,) expected DCG."""
    dcg = np.zeros(len(profiles))
    series = np.empty((3, len(discounts)))
    factorials = np.array([math.lgamma(n + 1) for n in range(profiles.max() + 1)])  # their logarithms
    for q in range(len(profiles)):
        counts, matrix = profiles[q], matrices[q if len(matrices) > 1 else 0]
        ranks = discounts[: counts.sum()]
        ahead = np.zeros(len(counts))
        for label in range(matrix.shape[1] - 1, -1, -1):
            tied = matrix[:, label].copy()
            dcg[q] += _label_dcg(counts, ahead, tied, gains, ranks, nodes, weights, starts, series, factorials)
            ahead += tied
    return dcg


@njit(cache=True)
def _label_dcg(counts, ahead, tied, gains, ranks, nodes, weights, starts, series, factorials):
    """Expected DCG of the documents with one label: documents of grade h have it with probability tied[h], a higher one
    with ahead[h]."""
    room = _reach(len(ranks)) - (counts * ahead).sum()
    n_tied = (counts * tied).sum()
    if n_tied == 0 or room <= 0:
        return 0.0
    end = min(1.0, room / n_tied)  # beyond this u no document reaches the cut-off
    size = math.ceil(min(_nodes(end * n_tied), counts.sum() // 2 + 1) / STEP)  # the latter for any polynomial
    total, values, chances = 0.0, counts * gains * tied, np.empty(len(counts))
    for node in range(starts[size - 1], starts[size]):
        for grade in range(len(counts)):
            chances[grade] = min(ahead[grade] + end * nodes[node] * tied[grade], 1.0)
        total += end * weights[node] * _discounted(counts, chances, values, ranks, series, factorials)
    return total


@njit(cache=True)
def _discounted(counts, chances, values, ranks, series, factorials):
    """sum_i values[i] E[discount(1 + X_i)], X_i of all documents but one of grade i standing ahead."""
    k = len(ranks)
    everyone, others, masses = series[0], series[1], series[2]
    everyone[0], others[0] = 1.0, 0.0
    first, length = 0, 1
    for grade in range(len(counts)):
        if counts[grade] == 0:
            continue
        start, n_masses = _binomial(masses[:k], counts[grade] - 1, chances[grade], factorials)
        first += start
        if first >= k:
            return 0.0
        length = min(length, k - first)
        _multiply(everyone, length, masses, n_masses, k - first)
        _multiply(others, length, masses, n_masses, k - first)
        length = min(length + n_masses - 1, k - first)
        _multiply_by_one(others, length, chances[grade], k - first)
        for x in range(length):
            others[x] += values[grade] * everyone[x]
        _multiply_by_one(everyone, length, chances[grade], k - first)
        length = min(length + 1, k - first)
    total = 0.0
    for x in range(length):
        total += others[x] * ranks[first + x]
    return total


@njit(cache=True)
def _binomial(masses, n, p, factorials):
    """Write the masses of Binomial(n, p) that count to the start of masses: the number of the first, and how many."""
    if n == 0 or p <= 0 or p >= 1:
        masses[0] = 1.0
        return n if p >= 1 else 0, 1
    odds = p / (1 - p)
    low = high = min(int((n + 1) * p), n, len(masses) - 1)
    choices = factorials[n] - factorials[low] - factorials[n - low]
    masses[low] = math.exp(choices + low * math.log(p) + (n - low) * math.log1p(-p))
    while low > 0 and masses[low] > NEGLIGIBLE:
        masses[low - 1] = masses[low] * low / ((n - low + 1) * odds)
        low -= 1
    while high < min(n, len(masses) - 1) and masses[high] > NEGLIGIBLE:
        masses[high + 1] = masses[high] * (n - high) / (high + 1) * odds
        high += 1
    if low > 0:
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
    task = _problem(counts, confusion, k, gain)
    return task.ndcg(_closed_dcg(task.profiles, task.matrices, task.gains, _summed(task.discounts)))


@njit(cache=True)
def _closed_dcg(profiles, matrices, gains, sums):
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
    total, mass, k = 0.0, 0.0, len(sums) - 1
    for last in _around(mean, variance, others.sum()):
        weight = _unit_mass(last, mean, variance)
        given = (others * tied).sum() + slope * (last - mean)
        for s in _around(given, spread, last):
            share = weight * _unit_mass(s, given, spread)
            mass += share
            total += share * ((sums[min(last + 1, k)] - sums[min(last - s, k)]) / (s + 1))
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
    task = _problem(counts, confusion, k, gain)
    matrices = np.broadcast_to(task.matrices, (len(task.profiles), *task.matrices.shape[1:]))
    means, errors = np.empty((2, len(task.profiles)))
    for q, (profile, matrix) in enumerate(zip(task.profiles, matrices, strict=True)):
        dcg = _drawn_dcg(profile, matrix, task, draws, rng)
        means[q], errors[q] = dcg.mean(), dcg.std(ddof=1) / math.sqrt(draws)
    return task.ndcg(means), task.ndcg(errors)


def _drawn_dcg(
    profile: np.ndarray, matrix: np.ndarray, task: _Problem, draws: int, rng: np.random.Generator
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
