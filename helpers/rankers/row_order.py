"""One order of rows for all: what a ranker learns does not depend on the order in which documents are stored."""

from __future__ import annotations

import numpy as np
from numba import njit

from helpers.datasets.collection import Collection

START, FACTOR, HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93), np.uint64(32)


def one_order(collection: Collection, weights: np.ndarray | None = None) -> np.ndarray:
    """(n_docs,) rows of the queries' documents in an order that follows from these alone.

    Sums of floats and ranks of tied scores depend on the order of rows, and so would a ranker. Documents stand by a
    hash of their features, which says nothing of their grades; where features are equal, by grade and weight; and
    where these are equal too, documents can be exchanged.

    Parameters
    ----------
    collection : the queries
    weights : (n_docs,) of their documents, or None

    >>> toy = Collection([[1.0], [2.0], [3.0]], [0, 2, 1], [0, 3])
    >>> given = (toy, toy.take_rows([0, 2, 1]))
    >>> one, other = (c.take_rows(one_order(c)) for c in given)
    >>> bool((one.features == other.features).all() and (one.grades == other.grades).all())
    True
    """
    features = np.ascontiguousarray(collection.features).view(np.ndarray)
    keys = [] if weights is None else [weights]
    return np.lexsort((*keys, collection.grades, _hashes(features.view(np.uint32)), collection.query_index))


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
