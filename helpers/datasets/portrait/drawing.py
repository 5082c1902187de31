"""Collections drawn from a portrait, the same to the last bit on every processor.

Scores are rounded and compared on their way to values, so a last bit could decide. A matrix product by BLAS adds in an
order, and numpy may fuse multiplication and addition, as the processor suits it: there is no BLAS here. Each sum is
taken in the order that is written (no fastmath, one thread), each product rounded before it is added.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numba import njit

from helpers.datasets.collection import Collection, offsets_of
from helpers.datasets.portrait.files import Portrait

BLOCK = 1 << 15  # documents drawn at a time, which bounds the memory beside the result
TILE = 1024  # columns of a product that are summed at a time, few enough to stay near the processor


def draw(
    portrait: Portrait,
    n_queries: int,
    rng: np.random.Generator,
    *,
    min_docs: int | None = None,
    name: str | None = None,
    slopes: float = 1.0,
) -> Collection:
    """A synthetic collection of n_queries queries that has the portrait's statistics.

    Grade counts are those of the portrayed queries, in random order, each used once before any is used again.

    Parameters
    ----------
    portrait : what is to be matched
    n_queries : at least 1
    rng : draws grades and features
    min_docs : only queries with at least that many documents
    name : of the collection, by default "like" and the portrait's name
    slopes : factor on what is specific to a query of how features go with grades: above 1 queries differ more from one
        another than those portrayed, at 0 what is learned of one holds for all

    Raises
    ------
    ValueError
        when n_queries is below 1, slopes below 0, or no portrayed query has min_docs documents.

    Examples
    --------
    >>> from helpers.datasets import portrait
    >>> collection = draw(portrait.open("mslr-sample"), 3, np.random.default_rng(0), min_docs=5)
    >>> collection.n_queries, bool(collection.group.min() >= 5)
    (3, True)
    """
    if n_queries < 1:
        raise ValueError(f"n_queries is {n_queries}, expected at least 1")
    if not slopes >= 0:
        raise ValueError(f"slopes is {slopes}, expected a number from 0")
    portrait = replace(portrait, slope=np.float32(slopes) * portrait.slope)
    counts = _grade_counts(portrait, n_queries, rng, min_docs or 1)
    offsets = offsets_of(counts.sum(axis=1))
    grades = np.repeat(np.tile(np.arange(counts.shape[1], dtype=np.int8), n_queries), counts.ravel())
    grades = grades[np.lexsort((rng.random(len(grades)), np.repeat(np.arange(n_queries), np.diff(offsets))))]
    features = np.empty((len(grades), portrait.n_features), dtype=np.float32)
    for queries in _blocks(offsets):
        rows = slice(offsets[queries.start], offsets[queries.stop])
        inner = offsets[queries.start : queries.stop + 1] - offsets[queries.start]
        scores = _scores(portrait, grades[rows], inner, rng)
        features[rows] = _values(portrait, scores, inner)
    return Collection(features, grades, offsets, name=f"like {portrait.name}" if name is None else name)


def _grade_counts(portrait: Portrait, n_queries: int, rng: np.random.Generator, min_docs: int) -> np.ndarray:
    group = portrait.grade_counts.sum(axis=1)
    candidates = np.flatnonzero(group >= min_docs)
    if len(candidates) == 0:
        raise ValueError(
            f"min_docs is {min_docs}, but the longest query of {portrait.name} has {group.max()} documents"
        )
    rounds = -(-n_queries // len(candidates))
    order = np.concatenate([rng.permutation(candidates) for _ in range(rounds)])
    return portrait.grade_counts[order[:n_queries]]


def _blocks(offsets: np.ndarray) -> Iterator[slice]:
    """Runs of queries with about BLOCK documents together."""
    start, n_queries = 0, len(offsets) - 1
    while start < n_queries:
        stop = max(start + 1, int(np.searchsorted(offsets, offsets[start] + BLOCK, side="right")) - 1)
        yield slice(start, stop)
        start = stop


def _scores(portrait: Portrait, grades: np.ndarray, offsets: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Latent scores (n_varying, n_docs) with mean 0 and variance 1."""
    n_queries, group = len(offsets) - 1, np.diff(offsets)
    scatter = rng.standard_normal((len(grades), len(portrait.components)), dtype=np.float32)
    scatter *= portrait.spread[grades]
    slopes = rng.standard_normal((n_queries, len(portrait.components)), dtype=np.float32) * portrait.slope
    scatter += portrait.position[grades][:, None] * np.repeat(slopes, group, axis=0)
    effects = rng.standard_normal((n_queries, portrait.query_factor.shape[1]), dtype=np.float32)
    scores = np.repeat(product(portrait.query_factor, effects.T), group, axis=1)
    along = product(portrait.components.T, scatter.T)
    scores[portrait.graded[portrait.varying]] += along + _shift(portrait).T[:, grades]
    scores /= _deviation(portrait)[:, None]
    return scores


def _shift(portrait: Portrait) -> np.ndarray:
    """(n_grades, n_graded) mean score of each grade, with mean 0 over documents."""
    shift = portrait.shift - product(portrait.grade_shares[None], portrait.shift)
    return (portrait.strength * shift).astype(np.float32)


def _deviation(portrait: Portrait) -> np.ndarray:
    """(n_varying,) standard deviation over documents that the parts of the model give together."""
    shares, position = portrait.grade_shares[None], portrait.position[:, None]
    along = product(shares, portrait.spread**2) + product(shares, position**2) * portrait.slope**2
    variance = product(portrait.query_factor**2, np.ones((portrait.query_factor.shape[1], 1)))[:, 0]
    between = product(along, portrait.components**2) + product(shares, _shift(portrait) ** 2)
    variance[portrait.graded[portrait.varying]] += between[0]
    return np.sqrt(variance)


def _values(portrait: Portrait, scores: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Feature values (n_docs, n_features) of the scores."""
    values = np.empty((portrait.n_features, scores.shape[1]), dtype=np.float32)
    row_of = np.cumsum(portrait.varying) - 1
    for j in range(portrait.n_features):
        knots, heights = portrait.curve(j)
        if not portrait.varying[j]:
            values[j] = heights[0]
            continue
        values[j] = _interpolated(scores[row_of[j]], knots, heights)
        if portrait.whole[j]:
            np.rint(values[j], out=values[j])
        if portrait.normalised[j]:  # the highest score of every query is 1 and the lowest 0, where the values differ
            low, high = (_of_query(values[j], side, offsets) for side in (np.minimum, np.maximum))
            for side, value in ((np.maximum, 1), (np.minimum, 0)):
                values[j][(low < high) & (scores[row_of[j]] == _of_query(scores[row_of[j]], side, offsets))] = value
    return values.T


def _of_query(values: np.ndarray, side: np.ufunc, offsets: np.ndarray) -> np.ndarray:
    """The lowest, or highest, value of each document's query."""
    return np.repeat(side.reduceat(values, offsets[:-1]), np.diff(offsets))


def product(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The matrix product left @ right, each entry summed over the columns of left from first to last."""
    dtype = np.result_type(left, right)
    result = np.zeros((left.shape[0], right.shape[1]), dtype)
    _add_product(np.ascontiguousarray(left, dtype), np.ascontiguousarray(right, dtype), result)
    return result


@njit(cache=True)
def _add_product(left, right, result):
    """Add left @ right to the result, in place."""
    for start in range(0, right.shape[1], TILE):
        for i in range(left.shape[0]):
            row = result[i, start : start + TILE]
            for j in range(left.shape[1]):
                factor, addend = left[i, j], right[j, start : start + TILE]
                for c in range(len(row)):
                    row[c] += factor * addend[c]


@njit(cache=True, error_model="numpy")
def _interpolated(scores, knots, heights):
    """Heights (n,) float64 of a rising curve: straight between its knots, level beyond them, the last at a step."""
    values = np.empty(len(scores))
    for i in range(len(scores)):
        upper = np.searchsorted(knots, scores[i], side="right")
        if upper == 0 or upper == len(knots):
            values[i] = heights[min(upper, len(knots) - 1)]
            continue
        lower = upper - 1
        rise = (np.float64(heights[upper]) - heights[lower]) / (np.float64(knots[upper]) - knots[lower])
        values[i] = rise * (np.float64(scores[i]) - knots[lower]) + heights[lower]
    return values
