"""How much the differences of a cell vary between queries, in units of the whole judgment, with intervals.

Judged less, a difference shrinks: y = slope x r + error. A difference of the whole judgment is seen as slope times as
much, so that its spread in units of the whole judgment is sd(y) / slope, and a query judged to a depth at which that is
1.4 times the whole one's is worth half a query.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import stats

from helpers.studies.budget.resampling import Cell

LEVEL = 0.95
LEAST_SLOPE = 0.05
"""Below which judging shows next to nothing of a difference, and is no plan."""


class Spread(NamedTuple):
    """Of one cell, or of many samples of its queries: arrays of the same shape.

    Attributes
    ----------
    sd : standard deviation between queries in units of the whole judgment
    slope : what is seen of a difference
    bias : mean of y / slope - r
    rho : correlation of y and f over queries; NaN without a machine
    """

    sd: np.ndarray
    slope: np.ndarray
    bias: np.ndarray
    rho: np.ndarray


def spread(cell: Cell, queries: np.ndarray | slice = slice(None)) -> Spread:
    """The spread of a cell over some of its queries, in rows.

    The variance over queries of one subset of people, averaged over subsets drawn for each query by itself.

    Parameters
    ----------
    cell : values by query
    queries : (..., n) row numbers, the last axis a sample of queries; all queries once
    """
    y, square, r = cell.y[queries], cell.square[queries], cell.whole[queries]
    n = y.shape[-1]
    within = (square - y**2).sum(axis=-1)
    total = (square.sum(axis=-1) - (y.sum(axis=-1) ** 2 + within) / n) / (n - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = (y * r).sum(axis=-1) / (r**2).sum(axis=-1)
        rho = np.full_like(slope, np.nan)
        if cell.machine is not None:
            f = cell.machine[queries]
            common = ((y - y.mean(axis=-1, keepdims=True)) * f).sum(axis=-1) / (n - 1)
            rho = common / np.sqrt(total * f.var(axis=-1, ddof=1))
        sd = np.sqrt(np.maximum(total, 0)) / slope
        return Spread(sd, slope, y.mean(axis=-1) / slope - r.mean(axis=-1), rho)


def left_out(n: int) -> np.ndarray:
    """(n, n - 1) row numbers: all but one, for each one.

    >>> left_out(3).tolist()
    [[1, 2], [0, 2], [0, 1]]
    """
    return np.array([np.delete(np.arange(n), q) for q in range(n)])


def interval(cell: Cell, of: Callable[[Spread], np.ndarray], log: bool = False) -> tuple[float, float]:
    """The jackknife interval over queries of something computed of the spread (Miller 1974), by t with n - 1 degrees.

    Parameters
    ----------
    cell : values by query
    of : the quantity, for spreads of any shape
    log : on the logarithm, for what is above 0
    """
    value, error = jackknife(cell, of, log)
    wide = stats.t.ppf((1 + LEVEL) / 2, len(cell.y) - 1) * error
    ends = np.array([value - wide, value + wide])
    low, high = np.exp(ends) if log else ends
    return float(low), float(high)


def jackknife(cell: Cell, of: Callable[[Spread], np.ndarray], log: bool = False) -> tuple[float, float]:
    """The value of `interval` and its standard error, both of the logarithm where asked for.

    Parameters
    ----------
    cell, of : as for `interval`
    log : whether value and error are those of the logarithm
    """
    n = len(cell.y)
    scale = np.log if log else np.asarray
    with np.errstate(divide="ignore", invalid="ignore"):  # where hardly a query differs there is no interval: NaN
        value, without = scale(of(spread(cell))), scale(of(spread(cell, left_out(n))))
        error = np.sqrt((n - 1) * without.var())
    return float(value), float(error)


@functools.lru_cache(maxsize=4096)
def bias_size(cell: Cell) -> float:
    """The size of a cell's bias as far as its pilot knows it: the root of the square of bias and standard error.

    A pilot that by luck shows none at a depth where it could not see any is not believed.
    """
    value, error = jackknife(cell, lambda seen: seen.bias)
    return float(np.hypot(value, error))


def between_and_judge(cell: Cell, judges: int) -> tuple[float, float]:
    """Variance between queries and that which judges add, of a cell of single opinions of so many judges.

    Raises
    ------
    ValueError
        when there are no two judges.
    """
    if judges < 2:
        raise ValueError("pilot: no document was judged by two people, so that what judges add cannot be told")
    within = float((cell.square - cell.y**2).mean() * judges / (judges - 1))
    return float(cell.y.var(ddof=1) - within / judges), within
