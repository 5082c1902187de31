"""What a plan may promise: the difference that it sees, corrected for the choice and for what the pilot does not know.

A plan sees the difference that its queries detect with power .8, two-sided at 5 %, by the spread that the pilot shows.
Promised is more. The logarithm of a spread is told too low by its own jackknife bias. The plan was chosen for being
low: the pilot's queries are drawn anew, the choice is made again, and held against a plan that nobody chose, on the
queries that were not drawn; .632 of what it loses there is the optimism, as such a sample has that part of the queries
(Efron 1983). And power is concave in what is promised: promised is the difference at which the mean power over what is
not known of the spread, Student's with its jackknife error, is .8.

The samples are the same for every seed, and in an order of the queries that their values alone give, so that the same
pilot is told the same. Plans are arrays by name, of which cell, queries (for people) and machine_queries (0 without
one) say what they are.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from scipy import stats
from scipy.interpolate import CubicSpline
from scipy.optimize import elementwise

from helpers.metrics import power
from helpers.metrics.significance import bootstrap_counts, jackknife_variance, t_half
from helpers.studies.budget.resampling import LEAST_SLOPE, Measured, Spread, spread, spreads

DRAWS = 200
ENOUGH = 50
"""Queries of a pilot from which a choice is made on it at all."""

FIXED_DEPTH = 10
MOST_RHO = 0.999
FEW, NO_GAIN = "few queries", "no gain"
Plans = Mapping[str, np.ndarray]
_SEED = 632  # of the samples, no Generator that is passed in: another seed shall not advise another plan
_NEW = 0.632
_POWER = 0.8
_WIDEST = 3.0
_NODES = (np.arange(128) + 0.5) / 128


class Choice(NamedTuple):
    """Which plan is advised, and what choosing is worth."""

    row: int
    gain: float  # mean logarithm of what the chosen plan sees over what the fixed one does, on queries not chosen by
    optimism: float  # of the logarithm of what the chosen plan sees
    why: str  # FEW or NO_GAIN where the fixed plan is advised, else empty


@functools.lru_cache(maxsize=256)
def samples(measured: Measured) -> tuple[Spread, Spread]:
    """The spread in samples of the pilot's queries (..., DRAWS): drawn with replacement, and those not drawn."""
    n = measured.n_queries
    keys = np.concatenate([measured.square.sum(axis=1), (measured.whole**2).sum(axis=0)[None]]).round(9)
    drawn = np.empty((DRAWS, n))
    drawn[:, np.lexsort(keys)] = bootstrap_counts(n, DRAWS, np.random.default_rng(_SEED))
    return spread(measured, drawn), spread(measured, drawn == 0)


def seen(found: Spread, plans: Plans) -> np.ndarray:
    """(n_plans, n_pairs, ...) difference seen by people alone, or by the regression of them on the machine.

    Infinite where judging so shows next to nothing of a difference, or its bias is not known.
    """
    cells, people, everywhere = (plans[name] for name in ("cell", "queries", "machine_queries"))
    sd, slope = found.sd[cells], found.slope[cells]
    freedom = np.where(everywhere > 0, people - 2, people - 1)
    wide = np.array([power.noncentrality(int(f)) for f in freedom])
    n, everywhere, wide = (v.reshape(-1, *[1] * (sd.ndim - 1)) for v in (people, everywhere, wide))
    rho = np.where(everywhere > 0, np.clip(found.rho[cells], 0, MOST_RHO), 0)
    error = np.sqrt((1 - rho**2) / n + rho**2 / np.maximum(everywhere, 1))
    return np.where((slope > LEAST_SLOPE) & (sd > 0), sd * wide * error, np.inf)


def reach(found: Spread, plans: Plans) -> np.ndarray:
    """(n_plans, ...) what plans are chosen by, the median over pairs: seen, and the size of the bias with its error."""
    size = np.hypot(found.bias, found.error)[plans["cell"]]
    there = seen(found, plans)
    return np.median(np.where(np.isfinite(there), there + size, np.inf), axis=1)


def told(measured: Measured, plans: Plans) -> dict[str, np.ndarray]:
    """What plans that nobody chose see, the median over pairs: `apparent` by the spread that the pilot shows, `low` to
    `high` corrected, and `seen`, promised; NaN where a query is needed to tell it."""
    apparent, without = (np.median(seen(part, plans), axis=1) for part in spreads(measured))
    freedom = measured.n_queries - 1
    with np.errstate(invalid="ignore"):
        logs = np.log(without)
        error = np.sqrt(jackknife_variance(logs.T))
        middle = apparent * np.exp(-freedom * (logs.mean(axis=1) - np.log(apparent)))
    wide, more = t_half(error, freedom), margin(error, freedom)
    ends = {"low": middle * np.exp(-wide), "high": middle * np.exp(wide)}
    return {"seen": middle * np.exp(more), **ends, "apparent": apparent}


def margin(error: np.ndarray, freedom: int) -> np.ndarray:
    """The logarithm that a promise is above what is seen, so that the mean power is .8 where that has such an error.

    Student's distribution of the error by its quantiles, power by the normal distribution; NaN of no error. Nothing
    unknown, nothing above; at an error of .2 the promise is 3 % higher:

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


def choice(measured: Measured, plans: Plans, fixed: int) -> Choice:
    """The plan with the least reach where choosing so gains anything over the fixed one, else that: row numbers."""
    if measured.n_queries < ENOUGH:
        return Choice(fixed, math.nan, 0.0, FEW)
    chosen = np.argmin(reach(samples(measured)[0], plans), axis=0)
    there = [np.median(seen(part, plans), axis=1) for part in samples(measured)]
    with np.errstate(invalid="ignore"):  # of what the chosen plan of each sample sees over what the fixed one does
        inside, outside = (np.log(sees[chosen, np.arange(DRAWS)]) - np.log(sees[fixed]) for sees in there)
    known = np.isfinite(inside) & np.isfinite(outside)
    gain = float(outside[known].mean()) if known.any() else math.nan
    if not gain < 0:
        return Choice(fixed, gain, 0.0, NO_GAIN)
    best = int(np.argmin(reach(spreads(measured)[0], plans)))
    return Choice(best, gain, _NEW * float((outside - inside)[known].mean()), "")
