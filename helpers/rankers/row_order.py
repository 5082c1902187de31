"""One order of documents for all: what a ranker learns does not depend on the order in which they are stored."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from helpers.datasets.collection import Collection

START, FACTOR, HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93), np.uint64(32)


class OrderedLists(NamedTuple):
    """Judged documents of queries in one order. Features stay where they are: in memory that processes may share."""

    features: np.ndarray  # (n_docs, n_features) in the order in which they were given, not to be written
    order: np.ndarray  # (n_docs,) row of `features` that belongs to each document; unsigned, as numba likes it
    labels: Collection  # the documents' grades, without features
    weights: np.ndarray | None  # (n_docs,) of the documents, or None for 1


def in_one_order(collection: Collection, weights: np.ndarray | None = None) -> OrderedLists:
    """The queries with their documents in an order that follows from these alone.

    Sums of floats and ranks of tied scores depend on the order of documents, and so would a ranker. They stand by a
    hash of their features, which says nothing of their grades; where features are equal, by grade and weight; and
    where these are equal too, documents can be exchanged.

    Parameters
    ----------
    collection : the queries
    weights : (n_docs,) of their documents, or None

    >>> toy = Collection([[1.0], [2.0], [3.0]], [0, 2, 1], [0, 3])
    >>> one, other = (in_one_order(toy.take_rows(rows)) for rows in ([0, 1, 2], [2, 0, 1]))
    >>> bool((one.features[one.order] == other.features[other.order]).all())
    True
    """
    features = read_only(np.ascontiguousarray(collection.features))
    keys = [] if weights is None else [weights]
    order = np.lexsort((*keys, collection.grades, _hashes(features.view(np.uint32)), collection.query_index))
    labels = Collection(np.empty((collection.n_docs, 0), np.float32), collection.grades[order], collection.offsets)
    return OrderedLists(features, order.astype(np.uint32), labels, None if weights is None else weights[order])


def read_only(features: np.ndarray) -> np.ndarray:
    """The features, not to be written: arrays in memory and mapped files are then the same to numba, compiled once."""
    view = features.view(np.ndarray)
    view.flags.writeable = False
    return view


def every_row(features: np.ndarray) -> np.ndarray:
    """(n_docs,) numbers of the rows of features (n_docs, n_features), as they stand.

    >>> every_row(np.zeros((3, 1)))
    array([0, 1, 2], dtype=uint32)
    """
    return np.arange(len(features), dtype=np.uint32)


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
