"""Which judges gave many labels."""

from __future__ import annotations

import numpy as np


def busy_judges(judges: np.ndarray, fewest: int) -> np.ndarray:
    """Judges who gave at least so many labels.

    Parameters
    ----------
    judges : who gave each label, -1 where there is none
    fewest : labels, from 2 up

    Raises
    ------
    ValueError
        when fewest is below 2, or no judge gave that many.

    >>> busy_judges(np.array([[0, 1], [0, -1]]), 2)
    array([0])
    """
    counts = np.bincount(judges[judges >= 0])
    owners = np.flatnonzero(counts >= fewest)
    if fewest < 2 or not len(owners):
        raise ValueError(
            f"fewest is {fewest}, expected from 2 to {counts.max(initial=0)}, what the busiest judge labelled"
        )
    return owners
