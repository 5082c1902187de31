"""Where the documents of each query stand: query q owns rows offsets[q] to offsets[q + 1] - 1."""

from __future__ import annotations

import numpy as np


def check_offsets(offsets: np.ndarray, n_docs: int) -> None:
    """Raise ValueError unless offsets rise strictly from 0 to n_docs."""
    if len(offsets) < 2 or offsets[0] != 0 or offsets[-1] != n_docs:
        ends = f"{offsets[0]} to {offsets[-1]}" if len(offsets) else "nothing"
        raise ValueError(f"offsets run from {ends}, expected from 0 to the number of documents, {n_docs}")
    falls = np.flatnonzero(np.diff(offsets) <= 0)
    if len(falls):
        q = int(falls[0])
        raise ValueError(
            f"offsets: query {q} runs from row {offsets[q]} to {offsets[q + 1]}, expected at least one document"
        )
