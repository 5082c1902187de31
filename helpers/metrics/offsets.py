"""Where the documents of each query stand: query q owns rows offsets[q] to offsets[q + 1] - 1."""

from __future__ import annotations

import numpy as np


def checked_offsets(offsets: np.ndarray, n_docs: int | None = None) -> np.ndarray:
    """The offsets as int64, not copied where they are that; ValueError unless they rise strictly from 0 to n_docs.

    Parameters
    ----------
    offsets : (n_queries + 1,) whole numbers
    n_docs : number of documents; None where the offsets alone tell it

    >>> checked_offsets([0, 2, 1, 3], 3)
    Traceback (most recent call last):
        ...
    ValueError: offsets: query 1 runs from row 2 to 1, expected at least one document
    """
    given = np.asanyarray(offsets)
    if given.ndim != 1:
        raise ValueError(f"offsets has shape {given.shape}, expected 1 dimension")
    if given.dtype.kind not in "iuf":
        raise ValueError(f"offsets holds {given.dtype}, expected whole numbers")
    with np.errstate(invalid="ignore"):
        whole = given.astype(np.int64, copy=False)
    if (whole != given).any():
        raise ValueError(f"offsets holds {given[whole != given][0]}, expected whole numbers")
    if len(whole) < 2 or whole[0] != 0 or n_docs not in (None, whole[-1]):
        ends = f"{whole[0]} to {whole[-1]}" if len(whole) else "nothing"
        expected = "" if n_docs is None else f", {n_docs}"
        raise ValueError(f"offsets run from {ends}, expected from 0 to the number of documents{expected}")
    falls = np.flatnonzero(whole[1:] <= whole[:-1])
    if len(falls):
        q = int(falls[0])
        raise ValueError(
            f"offsets: query {q} runs from row {whole[q]} to {whole[q + 1]}, expected at least one document"
        )
    return whole
