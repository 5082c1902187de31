"""How well features and their sums rank each query; by feature, from orders of documents made once for a data set.

Orders do not depend on labels. Those of the data set used last are remembered in this process, for the next fit on the
same features. They are only a guess: every use compares neighbouring values, and where these changed orders are anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit

from helpers import metrics
from helpers.datasets.collection import Collection
from helpers.rankers.base import OrderedLists, gains_of
from helpers.rankers.lambdarank import judged_lists

_CROWD = 64  # most documents with scores in one of the intervals for which insertion is fast
_remembered: dict[tuple, list[np.ndarray]] = {}  # of the data set used last


class Measure(NamedTuple):
    """A measure of a ranked list as a sum over its documents, and what the sum is divided by."""

    gains: np.ndarray  # (n_docs,) for precisions 1 of a relevant document, else 0
    steps: np.ndarray  # (longest list + 1,) 0 and the cumulative sums of the discounts, or of 1 / rank
    precision: bool
    best: np.ndarray  # (n_queries,) the sum of the best order, 1 where that is 0


def measure(
    collection: Collection, name: str, labels_per_grade: int = 1, gains: Sequence[float] | None = None
) -> Measure:
    """Average precision ("MAP", a grade >= 1 is relevant) or NDCG@10 ("NDCG") of labels."""
    longest, ones = int(collection.group.max()), np.ones(collection.n_queries)
    if name == "MAP":
        relevant = (gains_of(collection.grades, labels_per_grade, gains) >= 1).astype(np.float64)
        counts = np.add.reduceat(relevant, collection.offsets[:-1])
        return Measure(relevant, _cumulative(1 / np.arange(1.0, longest + 1)), True, np.maximum(counts, 1))
    lists = judged_lists(collection, None, 10, labels_per_grade, gains)
    worth = np.empty(collection.n_docs)
    worth[lists.places] = lists.gains
    return Measure(worth, _cumulative(lists.discounts), False, ones)


def _cumulative(steps: np.ndarray) -> np.ndarray:
    return np.concatenate([[0.0], np.cumsum(steps)])


def by_feature(lists: OrderedLists, measure: Measure) -> np.ndarray:
    """(n_features, n_queries) measure of each query ranked by falling feature, the mean over all orders of ties."""
    key = lists.features.shape[1], lists.labels.group.tobytes()
    orders = _remembered.get(key)
    sums = None if orders is None else _sums(lists, measure, orders)
    if sums is None:
        orders = _orders(lists)
        sums = _sums(lists, measure, orders)
        _remembered.clear()
        _remembered[key] = orders
    return (sums / measure.best[:, None]).T


def by_scores(collection: Collection, measure: Measure, scores: np.ndarray) -> np.ndarray:
    """(n_queries,) measure of each query ranked by falling scores, the mean over all orders of ties."""
    offsets = np.array(collection.offsets)
    return _sums_by_scores(scores, offsets, measure.gains, measure.steps, measure.precision) / measure.best


def _orders(lists: OrderedLists) -> list[np.ndarray]:
    """For each query (n_features, n_docs of it) places of its documents by falling feature, in as few bytes as do."""
    n_features, offsets, group = lists.features.shape[1], lists.labels.offsets, lists.labels.group
    orders = [np.empty((n_features, n), np.min_scalar_type(n - 1)) for n in group]
    starts = np.repeat(offsets[:-1], group)
    for feature in range(n_features):
        places = metrics.ranking(lists.features[lists.order, feature], offsets) - starts
        for order, start in zip(orders, offsets[:-1].tolist(), strict=True):
            order[feature] = places[start : start + order.shape[1]]
    return orders


def _sums(lists: OrderedLists, measure: Measure, orders: list[np.ndarray]) -> np.ndarray | None:
    """(n_queries, n_features) sums of the measure, or None if an order is not that of the features."""
    offsets = lists.labels.offsets.tolist()
    sums = np.empty((len(orders), lists.features.shape[1]))
    for start, stop, order, values in zip(offsets[:-1], offsets[1:], orders, sums, strict=True):
        rows, gains = lists.order[start:stop], measure.gains[start:stop]
        if not _query_sums(lists.features, rows, order, gains, measure.steps, measure.precision, values):
            return None
    return sums


@njit(cache=True, error_model="numpy")
def _query_sums(features, rows, order, gains, steps, precision, values):
    """Fill values (n_features,) of the query with these rows; whether features fall in the order given for them."""
    column = np.empty(len(rows), features.dtype)
    for f in range(len(values)):
        for d in range(len(column)):
            column[d] = features[rows[d], f]
        values[f] = _list_sum(column, order[f], gains, steps, precision)
        if values[f] < 0:
            return False
    return True


@njit(cache=True, error_model="numpy")
def _list_sum(scores, places, gains, steps, precision):
    """Sum of the measure over one list, the mean over all orders of ties, or -1 if scores rise somewhere in it."""
    start, gain, above, total = 0, 0.0, 0.0, 0.0
    score = scores[places[0]]
    for i in range(len(places)):
        following = scores[places[i]]
        if following != score:
            if following > score:
                return -1.0
            total += _expected(gain, above, start, i, steps, precision)
            start, gain, above, score = i, 0.0, above + gain, following
        gain += gains[places[i]]
    return total + _expected(gain, above, start, len(places), steps, precision)


@njit(cache=True, error_model="numpy")
def _expected(gain, above, start, stop, steps, precision):
    """Expected part of tied documents, of that gain together, that share the ranks start + 1 to stop."""
    n, step = stop - start, steps[stop] - steps[start]
    if n == 1:
        return gain * (above + 1) * step if precision else gain * step
    if not precision:
        return gain / n * step
    share = (gain - 1) / (n - 1)
    return gain / n * ((above + 1) * step + share * (n - (start + 1) * step))


@njit(cache=True, error_model="numpy")
def _sums_by_scores(scores, offsets, gains, steps, precision):
    """(n_queries,) sums of the measure."""
    longest = np.diff(offsets).max()
    places, ends, placed = np.empty(longest, np.uint32), np.empty(longest, np.uint32), np.empty(longest)
    sums = np.empty(len(offsets) - 1)
    for q in range(len(sums)):
        start, stop = offsets[q], offsets[q + 1]
        listed, order = scores[start:stop], places[: stop - start]
        if _deal(listed, order, ends[: stop - start]) > _CROWD:
            order[:] = np.argsort(-listed)
        else:
            _insert(listed, order, placed)
        sums[q] = _list_sum(listed, order, gains[start:stop], steps, precision)
    return sums


@njit(cache=True, error_model="numpy")
def _deal(scores, places, ends):
    """Fill places by falling score, in any order within each of n equal intervals; the most that one holds."""
    low, high = scores[0], scores[0]
    for score in scores:
        low, high = min(low, score), max(high, score)
    scale = (len(scores) - 1) / (high - low) if low < high else 0.0
    ends[:] = 0
    for score in scores:
        ends[np.uint32((high - score) * scale)] += 1
    end, most = np.uint32(0), np.uint32(0)
    for i in range(len(ends)):
        most, end = max(most, ends[i]), end + ends[i]
        ends[i] = end
    for d in range(len(scores)):
        interval = np.uint32((high - scores[d]) * scale)
        ends[interval] -= np.uint32(1)
        places[ends[interval]] = d
    return most


@njit(cache=True, error_model="numpy")
def _insert(scores, places, placed):
    """Sort places by falling score, by insertion; placed is room for the scores."""
    for i in range(len(places)):
        d, j = places[i], i
        score = scores[d]
        while j > 0 and placed[j - 1] < score:
            placed[j], places[j] = placed[j - 1], places[j - 1]
            j -= 1
        placed[j], places[j] = score, d
