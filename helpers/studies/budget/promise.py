"""What a plan may promise: the difference that it sees, corrected for the choice and for what the pilot does not know.

A plan sees the difference that its queries detect with power .8, two-sided at 5 %, by the spread that the pilot shows.
Promised is more. The logarithm of a spread is told too low by its own jackknife bias. The plan was chosen for being
low: the pilot's queries are drawn anew, the choice is made again, and held against a plan that nobody chose, on the
queries that were not drawn; .632 of what it loses there is the optimism, as such a sample has that part of the queries
(Efron 1983). And power is concave in what is promised: promised is the difference at which the mean power over what is
not known of the spread, Student's with its jackknife error, is .8.

The samples are the same for every seed, and in an order of the queries that their values alone give, so that the same
pilot is told the same.
"""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import numpy as np
from scipy import stats
from scipy.interpolate import CubicSpline
from scipy.optimize import elementwise

from helpers.metrics import power
from helpers.metrics.significance import bootstrap_counts, jackknife_variance
from helpers.studies.budget.resampling import LEAST_SLOPE, Measured, Spread, spread

DRAWS = 200
ENOUGH = 50
"""Queries of a pilot from which a choice is made on it at all."""

FIXED_DEPTH = 10
MOST_RHO = 0.999
_SEED = 632  # of the samples, no Generator that is passed in: another seed shall not advise another plan
_NEW = 0.632
_POWER = 0.8
_WIDEST = 3.0
_NODES = (np.arange(128) + 0.5) / 128


class Shapes(NamedTuple):
    """Plans, an array of each: the number of their cell, queries for people, and for a machine (0 without one)."""

    cells: np.ndarray
    people: np.ndarray
    everywhere: np.ndarray


class Samples(NamedTuple):
    """The spread of all cells and pairs, (n_cells, n_pairs, ...): of a pilot, and of samples of its queries."""

    whole: Spread
    without: Spread  # (..., n_queries) a query left out
    inside: Spread  # (..., DRAWS) drawn with replacement
    outside: Spread  # (..., DRAWS) those that were not drawn


class Told(NamedTuple):
    """What plans see, arrays (n_plans,)."""

    apparent: np.ndarray  # by the spread that the pilot shows
    middle: np.ndarray  # corrected
    error: np.ndarray  # of the logarithm; NaN where a query is needed to tell it
    seen: np.ndarray  # promised


class Choice(NamedTuple):
    """Which plan is advised, and what choosing is worth."""

    row: int
    gain: float  # mean logarithm of what the chosen plan sees over what the fixed one does, on queries not chosen by
    optimism: float  # of the logarithm of what the chosen plan sees
    why: str  # FEW or NO_GAIN where the fixed plan is advised, else empty


FEW, NO_GAIN = "few queries", "no gain"


@functools.lru_cache(maxsize=256)
def samples(measured: Measured) -> Samples:
    """The spreads of a pilot and of its samples; those that are drawn only where a choice may be made."""
    cells, n = measured.stacked, measured.n_queries
    whole, without = spread(cells), spread(cells, 1 - np.eye(n))
    if n < ENOUGH:
        return Samples(whole, without, whole, whole)
    keys = np.concatenate([cells.square.sum(axis=1), (cells.whole[0] ** 2).sum(axis=0)[None]]).round(9)
    drawn = np.empty((DRAWS, n))
    drawn[:, np.lexsort(keys)] = bootstrap_counts(n, DRAWS, np.random.default_rng(_SEED))
    return Samples(whole, without, spread(cells, drawn), spread(cells, drawn == 0))


def seen(found: Spread, shapes: Shapes) -> np.ndarray:
    """(n_plans, n_pairs, ...) difference seen by people alone, or by the regression of them on the machine.

    Infinite where judging so shows next to nothing of a difference, or its bias is not known.
    """
    sd, slope = found.sd[shapes.cells], found.slope[shapes.cells]
    freedom = np.where(shapes.everywhere > 0, shapes.people - 2, shapes.people - 1)
    wide = np.array([power.noncentrality(int(f)) for f in freedom])
    n, everywhere, wide = (v.reshape(-1, *[1] * (sd.ndim - 1)) for v in (shapes.people, shapes.everywhere, wide))
    rho = np.where(everywhere > 0, np.clip(found.rho[shapes.cells], 0, MOST_RHO), 0)
    error = np.sqrt((1 - rho**2) / n + rho**2 / np.maximum(everywhere, 1))
    return np.where((slope > LEAST_SLOPE) & (sd > 0), sd * wide * error, np.inf)


def reach(found: Spread, shapes: Shapes) -> np.ndarray:
    """(n_plans, ...) what plans are chosen by, the median over pairs: seen, and the size of the bias with its error."""
    size = np.hypot(found.bias, found.error)[shapes.cells]
    there = seen(found, shapes)
    return np.median(np.where(np.isfinite(there), there + size, np.inf), axis=1)


def told(found: Samples, shapes: Shapes) -> Told:
    """What plans see that nobody chose, the median over pairs."""
    n = found.without.sd.shape[-1]
    apparent, without = (np.median(seen(part, shapes), axis=1) for part in (found.whole, found.without))
    with np.errstate(invalid="ignore"):
        logs = np.log(without)
        bias = (n - 1) * (logs.mean(axis=1) - np.log(apparent))
        error = np.sqrt(jackknife_variance(logs.T))
        middle = apparent * np.exp(-bias)
    return Told(apparent, middle, error, middle * np.exp(margin(error, n - 1)))


def margin(error: np.ndarray, freedom: int) -> np.ndarray:
    """The logarithm that a promise is above what is seen, so that the mean power is .8 where that has such an error.

    Student's distribution of the error by its quantiles, power by the normal distribution.

    Parameters
    ----------
    error : (n,) standard errors of logarithms, NaN where there is none
    freedom : their degrees of freedom

    Examples
    --------
    Nothing unknown, nothing above; at an error of .2 the promise is 3 % higher.

    >>> margin(np.array([0.0, 0.2]), 49).round(2)
    array([0.  , 0.03])
    """
    found = _margins(freedom)(np.clip(np.nan_to_num(error), 0, _WIDEST))
    return np.where(np.isfinite(error), found, np.nan)


@functools.cache
def _margins(freedom: int) -> CubicSpline:
    """The margin by the error, up to _WIDEST."""
    edge, wide = stats.norm.ppf(_POWER), power.noncentrality(power.SETTLED)
    quantiles, errors = stats.t.ppf(_NODES, freedom), np.linspace(0, _WIDEST, 61)

    def short(shift: np.ndarray, error: np.ndarray) -> np.ndarray:
        off = shift - quantiles.reshape(-1, *[1] * np.ndim(shift)) * error
        return stats.norm.cdf(edge + wide * np.expm1(off)).mean(axis=0) - _POWER

    ends = (np.full_like(errors, -0.01), 1 + quantiles[-1] * errors)
    return CubicSpline(errors, elementwise.find_root(short, ends, args=(errors,)).x)


def choice(found: Samples, shapes: Shapes, fixed: int) -> Choice:
    """The plan with the least reach where choosing so gains anything over the fixed one, else that: row numbers."""
    best = int(np.argmin(reach(found.whole, shapes)))
    if found.without.sd.shape[-1] < ENOUGH:
        return Choice(fixed, math.nan, 0.0, FEW)
    chosen = np.argmin(reach(found.inside, shapes), axis=0)
    inside, outside = (_over(part, shapes, chosen, fixed) for part in (found.inside, found.outside))
    known = np.isfinite(inside) & np.isfinite(outside)
    gain = float(outside[known].mean()) if known.any() else math.nan
    if not gain < 0:
        return Choice(fixed, gain, 0.0, NO_GAIN)
    return Choice(best, gain, _NEW * float((outside - inside)[known].mean()), "")


def _over(found: Spread, shapes: Shapes, chosen: np.ndarray, fixed: int) -> np.ndarray:
    """(DRAWS,) logarithm of what the chosen plan of each sample sees over what the fixed one does."""
    there = np.median(seen(found, shapes), axis=1)
    with np.errstate(invalid="ignore"):
        return np.log(there[chosen, np.arange(len(chosen))]) - np.log(there[fixed])
