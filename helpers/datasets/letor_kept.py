"""What was read of LETOR text, kept in little memory until it is known how large the feature array is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from helpers.datasets import memory
from helpers.datasets.letor_lines import Block
from helpers.datasets.letor_scan import scatter


class Kept(NamedTuple):
    """A block whose features are dense or entries, whichever takes less memory.

    Attributes
    ----------
    grades, run_starts, query_ids, doc_ids : as in `Block`
    first, last : the lowest and the highest index of a feature; -1 where there is none
    dense : (n_docs, last + 1) float32, a column for each index from 0; None where they are entries
    entries : stops, index and value as in `Block`; None where they are dense
    """

    grades: np.ndarray
    run_starts: np.ndarray
    query_ids: list[str]
    doc_ids: np.ndarray | None
    first: int
    last: int
    dense: np.ndarray | None
    entries: tuple[np.ndarray, np.ndarray, np.ndarray] | None

    def put(self, features: np.ndarray, rows: np.ndarray, base: int) -> None:
        """Write the features of each document into its row.

        Parameters
        ----------
        features : (any, n_features) zeros, wide enough for `last`
        rows : (n_docs,) row of each document
        base : the index of the first column, 0 or 1
        """
        if self.entries is None:
            columns = self.dense[:, base:]
            features[rows, : columns.shape[1]] = columns
        else:
            stops, index, value = self.entries
            scatter(features, rows, stops, index - base, value)


def keep(block: Block) -> Kept:
    """A block in memory of its own, which is free as soon as the block is dropped.

    Parameters
    ----------
    block : of `letor_lines.parse`

    Examples
    --------
    >>> from helpers.datasets.letor_lines import parse
    >>> keep(parse(b"2 1:0.5 3:1\\n0 1:3\\n")).dense
    array([[0. , 0.5, 0. , 1. ],
           [0. , 3. , 0. , 0. ]], dtype=float32)
    >>> keep(parse(b"2 1:0.5 900:1\\n")).dense is None
    True
    """
    n_docs, last = len(block.grades), int(block.index.max(initial=-1))
    first = int(block.index.min()) if len(block.index) else -1
    entries = block.stops, block.index, block.value
    if n_docs * (last + 1) * block.value.itemsize > sum(part.nbytes for part in entries):
        return Kept(*block[:4], first, last, None, tuple(map(memory.copied, entries)))
    dense = memory.zeros((n_docs, last + 1), np.float32)
    scatter(dense, np.arange(n_docs), *entries)
    return Kept(*block[:4], first, last, dense, None)
