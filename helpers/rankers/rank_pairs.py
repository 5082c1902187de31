"""The compiled part of RankSVM: sums over all pairs of documents of a query, without making the pairs.

Of two documents of a query with grades l_i > l_j, scores s_i, s_j and weights v_i, v_j, the pair is *active* where
s_i - s_j < 1. While the active pairs stay the same, the sum of v_i v_j (1 - s_i + s_j)^2 is s'Ls - 2 b's + m: L the
Laplacian of the graph of active pairs, b what a document's active pairs weigh where it is the better one less where it
is the worse one, m what all weigh (Chapelle and Keerthi 2010). In the order of the scores, the active partners of a
document in each grade are those up to, or from, a place that only moves on: running sums are enough (Lee and Lin 2014),
O(n log n) for the order of n documents, then O(n * grades). No sum is reordered (no fastmath, one thread); numba's
cache notices changes in a function's own file only.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from helpers.datasets.collection import Collection
from helpers.rankers.base import relative_weights

_BLOCK = 256  # documents taken as float64 at a time


class GradedLists(NamedTuple):
    """What the pairs need to know of the labels."""

    offsets: np.ndarray  # (n_queries + 1,)
    levels: np.ndarray  # (n_docs,) place of the grade among those that occur, from 0
    weights: np.ndarray  # (n_docs,)
    n_levels: int


class ActivePairs(NamedTuple):
    """The pairs that cost something at some scores; a place is a rank by rising score, queries one after the other."""

    order: np.ndarray  # (n_docs,) row of the document at each place
    first: np.ndarray  # (n_docs,) by place: from here on, documents of lower grade are active partners
    stop: np.ndarray  # (n_docs,) by place: up to here, documents of higher grade are active partners
    degree: np.ndarray  # (n_docs,) by row: what its active pairs weigh, the diagonal of L
    balance: np.ndarray  # (n_docs,) by row: b


def graded_lists(collection: Collection, weights: np.ndarray | None) -> GradedLists:
    """The collection's labels as pairs use them; weights (n_docs,), of which only ratios matter, or None for 1."""
    grades, levels = np.unique(collection.grades, return_inverse=True)
    weights = relative_weights(weights, collection.n_docs)
    return GradedLists(np.array(collection.offsets), levels.astype(np.uint8), weights, len(grades))


@njit(cache=True, error_model="numpy")
def active_pairs(scores, lists):
    """The pairs that are active at these scores."""
    order, first, stop = np.empty((3, len(scores)), np.uint32)
    for q in range(len(lists.offsets) - 1):
        start, end = lists.offsets[q], lists.offsets[q + 1]
        order[start:end] = start + np.argsort(scores[start:end])
        low = high = start
        for place in range(start, end):
            score = scores[order[place]]
            while score - scores[order[low]] >= 1:
                low += 1
            while high < end and scores[order[high]] - score < 1:
                high += 1
            first[place], stop[place] = low, high
    ones = np.ones(len(scores))
    lower, higher = _partner_sums(ones, ActivePairs(order, first, stop, ones, ones), lists)
    return ActivePairs(order, first, stop, lists.weights * (lower + higher), lists.weights * (lower - higher))


@njit(cache=True, error_model="numpy")
def laplacian_product(values, active, lists):
    """(n_docs,) Lu of values u: for each document the sum of v_i v_j (u_i - u_j) over its active pairs."""
    lower, higher = _partner_sums(values, active, lists)
    return active.degree * values - lists.weights * (lower + higher)


@njit(cache=True, error_model="numpy")
def _partner_sums(values, active, lists):
    """(n_docs,) sums of v_j u_j over the active partners of lower grade, and (n_docs,) over those of higher grade."""
    # partners only join, none leaves, so nothing is ever subtracted
    lower, higher = np.empty_like(values), np.empty_like(values)
    for q in range(len(lists.offsets) - 1):
        start, end = lists.offsets[q], lists.offsets[q + 1]
        below, above = np.zeros(lists.n_levels), np.zeros(lists.n_levels)  # sums of lower and of higher grades
        joined = end
        for place in range(end - 1, start - 1, -1):
            while joined > active.first[place]:
                joined -= 1
                row = active.order[joined]
                for level in range(lists.levels[row] + 1, lists.n_levels):
                    below[level] += lists.weights[row] * values[row]
            row = active.order[place]
            lower[row] = below[lists.levels[row]]
        for place in range(start, end):
            while joined < active.stop[place]:
                row = active.order[joined]
                for level in range(lists.levels[row]):
                    above[level] += lists.weights[row] * values[row]
                joined += 1
            row = active.order[place]
            higher[row] = above[lists.levels[row]]
    return lower, higher


@njit(cache=True, error_model="numpy")
def all_pairs_product(features, order, lists):
    """(n_features, n_features) X'LX of features X, all pairs active: the sum of v_i v_j (x_i - x_j)(x_i - x_j)'."""
    product = np.zeros((features.shape[1], features.shape[1]))
    for q in range(len(lists.offsets) - 1):
        start, end = lists.offsets[q], lists.offsets[q + 1]
        mean, weight, sums = _level_sums(features, order[start:end], start, lists)
        weight_of_others, sums_of_others = weight.sum() - weight, sums.sum(axis=0) - sums
        for d in range(start, end, _BLOCK):
            rows = features[order[d : min(d + _BLOCK, end)]] - mean
            laplacian = np.empty_like(rows)
            for i in range(len(rows)):
                level = lists.levels[d + i]
                laplacian[i] = lists.weights[d + i] * (weight_of_others[level] * rows[i] - sums_of_others[level])
            product += rows.T @ laplacian
    return product


@njit(cache=True, error_model="numpy")
def _level_sums(features, rows, start, lists):
    """(n_features,) mean of a query's rows x; (n_levels,) weights and (n_levels, n_features) sums of v (x - mean)."""
    mean = np.zeros(features.shape[1])
    for row in rows:
        mean += features[row]
    mean /= len(rows)
    weight, sums = np.zeros(lists.n_levels), np.zeros((lists.n_levels, len(mean)))
    for d in range(start, start + len(rows)):
        weight[lists.levels[d]] += lists.weights[d]
        sums[lists.levels[d]] += lists.weights[d] * (features[rows[d - start]] - mean)
    return mean, weight, sums
