"""One order of rows for all: what a ranker learns does not depend on the order in which documents are stored."""

from __future__ import annotations

import numpy as np
from numba import njit

from helpers.datasets.collection import Collection

START, FACTOR, HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93), np.uint64(32)


def in_one_order(collection: Collection, weights: np.ndarray | None = None) -> tuple[Collection, np.ndarray | None]:
    """The queries with their documents in an order that follows from these alone, and their weights.

    Sums of floats and ranks of tied scores depend on the order of rows, and so would a ranker. Documents stand by a
    hash of their features, which says nothing of their grades; where features are equal, by grade and weight; and
    where these are equal too, documents can be exchanged.

    Parameters
    ----------
    collection : the queries
    weights : (n_docs,) of their documents, or None

    >>> toy = Collection([[1.0], [2.0], [3.0]], [0, 2, 1], [0, 3])
    >>> one, other = (in_one_order(toy.take_rows(rows))[0] for rows in ([0, 1, 2], [2, 0, 1]))
    >>> bool((one.features == other.features).all() and (one.grades == other.grades).all())
    True
    """
    features = np.ascontiguousarray(collection.features).view(np.ndarray)
    keys = [] if weights is None else [weights]
    rows = np.lexsort((*keys, collection.grades, _hashes(features.view(np.uint32)), collection.query_index))
    return collection.take_rows(rows), None if weights is None else weights[rows]


@njit(cache=True)
def _hashes(words):
    """(n_rows,) hashes of the rows of 32-bit words (n_rows, n_words), each of which changes all 64 bits."""
    hashes = np.empty(len(words), np.uint64)
    for row in range(len(words)):
        value = START
        for column in range(words.shape[1]):
            value = (value ^ np.uint64(words[row, column])) * FACTOR
            value ^= value >> HALF
        hashes[row] = value * FACTOR
    return hashes
