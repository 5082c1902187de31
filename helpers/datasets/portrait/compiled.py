"""The compiled part of drawing: products and curves whose every bit is the same on every processor.

A matrix product by BLAS adds in an order, and numpy may fuse multiplication and addition, as the processor suits it.
Here each sum is taken in the order that is written (no fastmath, one thread), and each product is rounded before it
is added, so that rounding or comparing what comes out gives the same everywhere.
"""

from __future__ import annotations

import numpy as np
from numba import njit

TILE = 1024  # columns of a product that are summed at a time, few enough to stay near the processor


def product(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The matrix product left @ right, each entry summed over the columns of left from first to last.

    Parameters
    ----------
    left : (n, m)
    right : (m, k)

    Returns
    -------
    (n, k) array of the type, float32 or float64, that holds the entries of both; the sums are of that type too

    >>> product(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[10.0], [1.0]]))
    array([[12.],
           [34.]])
    """
    dtype = np.result_type(left, right)
    result = np.zeros((left.shape[0], right.shape[1]), dtype)
    _add_product(np.ascontiguousarray(left, dtype), np.ascontiguousarray(right, dtype), result)
    return result


@njit(cache=True)
def _add_product(left, right, result):
    """Add left @ right to the result, in place."""
    for start in range(0, right.shape[1], TILE):
        for i in range(left.shape[0]):
            row = result[i, start : start + TILE]
            for j in range(left.shape[1]):
                factor, addend = left[i, j], right[j, start : start + TILE]
                for c in range(len(row)):
                    row[c] += factor * addend[c]


@njit(cache=True, error_model="numpy")
def interpolated(scores, knots, heights):
    """Heights of a rising curve at the scores, by straight lines between its knots and level beyond them.

    Parameters
    ----------
    scores : (n,) where to read the curve off
    knots, heights : (m,) the curve; where knots are equal it steps, and has the last of their heights

    Returns
    -------
    (n,) float64

    >>> interpolated(np.array([-1.0, 0.5, 1.0, 3.0]), np.array([0.0, 1.0, 1.0, 2.0]), np.array([0.0, 4.0, 6.0, 7.0]))
    array([0., 2., 6., 7.])
    """
    values = np.empty(len(scores))
    for i in range(len(scores)):
        upper = np.searchsorted(knots, scores[i], side="right")
        if upper == 0 or upper == len(knots):
            values[i] = heights[min(upper, len(knots) - 1)]
            continue
        lower = upper - 1
        rise = (np.float64(heights[upper]) - heights[lower]) / (np.float64(knots[upper]) - knots[lower])
        values[i] = rise * (np.float64(scores[i]) - knots[lower]) + heights[lower]
    return values
