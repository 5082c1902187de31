"""The compiled part of linear rankers: scores, scales of features, and ListNet's steps.

No sum is reordered (no fastmath, one thread), so equal input gives equal results, bit for bit; features stay float32
and every sum is float64. Rows go by their numbers. Numba's cache notices changes in a function's own file only.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit


@njit(cache=True, error_model="numpy")
def linear_scores(features, rows, weights):
    """(n_rows,) scores; each depends on its own row only, to the last bit."""
    scores = np.empty(len(rows))
    for d in range(len(rows)):
        row, score = features[rows[d]], 0.0
        for f in range(len(weights)):
            score += row[f] * weights[f]
        scores[d] = score
    return scores


@njit(cache=True, error_model="numpy")
def weighted_sum(features, rows, values):
    """(n_features,) sum of the rows, each times its value, added up one by one."""
    total = np.zeros(features.shape[1])
    for d in range(len(rows)):
        row, value = features[rows[d]], values[d]
        for f in range(len(total)):
            total[f] += value * row[f]
    return total


@njit(cache=True, error_model="numpy")
def feature_scales(features, rows, weights, offsets):
    """(n_features,) 1 / root mean square distance of a feature from its mean in the query, 0 where it never varies."""
    squares = np.zeros(features.shape[1])
    for q in range(len(offsets) - 1):
        start, stop = offsets[q], offsets[q + 1]
        # distances are taken from the heaviest document, so that those of a constant feature are 0 to the last bit
        heaviest = features[rows[start + weights[start:stop].argmax()]].astype(np.float64)
        total, mean = 0.0, np.zeros(features.shape[1])
        for d in range(start, stop):
            total += weights[d]
            mean += weights[d] * (features[rows[d]] - heaviest)
        mean /= total if total > 0 else 1.0
        for d in range(start, stop):
            squares += weights[d] * (features[rows[d]] - heaviest - mean) ** 2
    return np.where(squares > 0, np.sqrt(weights.sum() / squares), 0.0)


class TopOneLists(NamedTuple):
    """What ListNet needs to know of the labels."""

    offsets: np.ndarray  # (n_queries + 1,)
    targets: np.ndarray  # (n_docs,) by its label, how likely the document is the first of its query
    weights: np.ndarray  # (n_docs,)


@njit(cache=True, error_model="numpy")
def top_one_epoch(features, order, lists, queries, coef, rates):
    """Change the weights of the features by one step for each of the queries, in their order."""
    for q in queries:
        start, stop = lists.offsets[q], lists.offsets[q + 1]
        rows = order[start:stop]
        guesses = _top_one(linear_scores(features, rows, coef), lists.weights[start:stop])
        coef += rates * weighted_sum(features, rows, lists.targets[start:stop] - guesses)


@njit(cache=True, error_model="numpy")
def top_one_probabilities(scores, weights, offsets):
    """(n_docs,) how likely each document is the first of its query; NaN where all of a query weigh 0."""
    probabilities = np.empty_like(scores)
    for q in range(len(offsets) - 1):
        start, stop = offsets[q], offsets[q + 1]
        probabilities[start:stop] = _top_one(scores[start:stop], weights[start:stop])
    return probabilities


@njit(cache=True, error_model="numpy")
def _top_one(scores, weights):
    """(n,) weight times exp(score) of the documents of a query, divided by the sum."""
    logits = scores + np.log(weights)
    strengths = np.exp(logits - logits.max())
    return strengths / strengths.sum()
