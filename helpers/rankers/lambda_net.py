"""The compiled part of LambdaRank: the net, its lambdas and its steps.

No sum is reordered (no fastmath, one thread), so equal input gives equal weights and scores, bit for bit. Numba's
cache notices changes in a function's own file only.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

_BLOCK = 128  # documents scored at a time
_LOWEST = -600.0  # a score further below its query's best counts as this, so that its exponential stays above 0


class Net(NamedTuple):
    """Score of a document x: sum_u output[u] tanh(hidden[u, -1] + sum_f hidden[u, f] (x[f] - mean[f]) scale[f])."""

    # an output bias would cancel in every pair, so there is none
    mean: np.ndarray  # (n_features,)
    scale: np.ndarray  # (n_features,) 1 / standard deviation, 0 for a constant feature
    hidden: np.ndarray  # (hidden_units, n_features + 1), the bias in the last column
    output: np.ndarray  # (hidden_units,)


class JudgedLists(NamedTuple):
    """What the lambdas need to know of the labels, documents standing query by query, by falling grade."""

    places: np.ndarray  # (n_docs,) their places in the collection; unsigned, for which numba indexes faster
    offsets: np.ndarray  # (n_queries + 1,)
    gains: np.ndarray  # (n_docs,) gain / ideal DCG@k of the query
    lower: np.ndarray  # (n_docs,) where the query's lower grades begin, or the query's end
    weights: np.ndarray  # (n_docs,)
    discounts: np.ndarray  # (longest list,) by rank, 0 below k


def initial_net(features: np.ndarray, order: np.ndarray, hidden_units: int, rng: np.random.Generator) -> Net:
    """A net before training: normal hidden weights of standard deviation .1 / sqrt(n_features), the rest 0."""
    mean, scale = _standardisation(features, order)
    hidden = np.zeros((hidden_units, len(mean) + 1))
    hidden[:, :-1] = rng.normal(scale=0.1 / np.sqrt(len(mean)), size=(hidden_units, len(mean)))
    return Net(mean, scale, hidden, np.zeros(hidden_units))


@njit(cache=True, error_model="numpy")
def _standardisation(features, order):
    """(n_features,) means and (n_features,) reciprocal standard deviations, 0 where a feature is constant."""
    mean = np.zeros(features.shape[1])
    for row in order:
        mean += features[row]
    mean /= len(features)
    variance = np.zeros(len(mean))
    for row in order:
        variance += (features[row] - mean) ** 2
    variance /= len(features)
    return mean, np.where(variance > 0, 1 / np.sqrt(variance), 0.0)


@njit(cache=True, error_model="numpy")
def train_epoch(features, order, lists, queries, net, rate):
    """Change the net by one step for each of the queries, in their order."""
    for q in queries:
        start, stop = lists.offsets[q], lists.offsets[q + 1]
        places = lists.places[start:stop]
        rows = order[places]
        hidden = _hidden_outputs(features, rows, net)
        scores = _output(hidden, net)
        discounts = _discounts(scores, places - start, lists.discounts)
        lambdas = _lambdas(scores, discounts, lists, start, stop)
        _step(features, rows, hidden, lambdas, net, rate)


@njit(cache=True, error_model="numpy")
def score_rows(features, rows, net):
    """(n_rows,) scores; each depends on its own row only, to the last bit."""
    scores = np.empty(len(rows))
    for start in range(0, len(rows), _BLOCK):
        scores[start : start + _BLOCK] = _output(_hidden_outputs(features, rows[start : start + _BLOCK], net), net)
    return scores


@njit(cache=True, error_model="numpy")
def _hidden_outputs(features, rows, net):
    """(hidden_units, n_rows) outputs of the tanh units."""
    n_units, n_features, n = len(net.hidden), features.shape[1], len(rows)
    sums, column = np.empty((n_units, n)), np.empty(n)
    for u in range(n_units):
        sums[u] = net.hidden[u, n_features]
    for f in range(n_features):
        for d in range(n):
            column[d] = (features[rows[d], f] - net.mean[f]) * net.scale[f]
        for u in range(n_units):
            weight = net.hidden[u, f]
            for d in range(n):
                sums[u, d] += weight * column[d]
    return np.tanh(sums)


@njit(cache=True, error_model="numpy")
def _output(hidden, net):
    """(n_rows,) scores."""
    scores = np.zeros(hidden.shape[1])
    for u in range(len(hidden)):
        scores += net.output[u] * hidden[u]
    return scores


@njit(cache=True, error_model="numpy")
def _discounts(scores, places, discount_at):
    """(n_rows,) discounts of the documents' ranks, equal scores in input order, where documents have these places."""
    in_order = np.empty_like(scores)
    in_order[places] = -scores
    ranking = np.argsort(in_order, kind="mergesort")
    in_order[ranking] = discount_at[: len(scores)]
    return in_order[places]


@njit(cache=True, error_model="numpy")
def _lambdas(scores, discounts, lists, start, stop):
    """(n_rows,) lambdas, positive for documents that should rise."""
    # 1 / (1 + exp(s_i - s_j)) is strength_j / (strength_i + strength_j): an exponential a document, not a pair
    gains, lower = lists.gains[start:stop], lists.lower[start:stop] - start
    strengths = np.exp(np.maximum(scores - scores.max(), _LOWEST))
    lambdas, pushes = np.zeros_like(scores), np.empty_like(scores)
    for i in range(len(scores)):
        gain, discount, strength = gains[i], discounts[i], strengths[i]
        for j in range(lower[i], len(scores)):
            delta = (gain - gains[j]) * abs(discount - discounts[j])
            pushes[j] = delta * strengths[j] / (strength + strengths[j])
            lambdas[j] -= pushes[j]
        for j in range(lower[i], len(scores)):
            lambdas[i] += pushes[j]
    return lambdas * lists.weights[start:stop]


@njit(cache=True, error_model="numpy")
def _step(features, rows, hidden, lambdas, net, rate):
    """Move the net's weights along the lambdas' gradient; `hidden` is overwritten."""
    n_units, n_features = len(hidden), features.shape[1]
    for u in range(n_units):
        weight, change, bias_change = net.output[u], 0.0, 0.0
        for d in range(len(rows)):
            change += rate * lambdas[d] * hidden[u, d]
            hidden[u, d] = rate * lambdas[d] * weight * (1 - hidden[u, d] ** 2)
            bias_change += hidden[u, d]
        net.output[u] += change
        net.hidden[u, n_features] += bias_change
    inputs = np.empty(n_features)
    for d in range(len(rows)):
        row = features[rows[d]]
        for f in range(n_features):
            inputs[f] = (row[f] - net.mean[f]) * net.scale[f]
        for u in range(n_units):
            change, weights = hidden[u, d], net.hidden[u]
            for f in range(n_features):
                weights[f] += change * inputs[f]
