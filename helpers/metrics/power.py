"""How many queries it takes to see a difference, also with a machine's labels beside people's."""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import numpy as np
from numpy.polynomial import Chebyshev
from scipy import optimize, stats

from helpers.metrics.significance import t_half

LEVEL = 0.05
_POWER = 0.8
FEWEST = 2
FEWEST_CORRECTED = 3
SETTLED = 20_000
"""Degrees of freedom from which the noncentrality is taken for that of the normal distribution."""

_EXACT = 30  # degrees of freedom above which the noncentrality is read off a polynomial


def power(difference: float, sd: float, n: int, *, level: float = LEVEL) -> float:
    """Chance that the two-sided paired t-test of n queries rejects, where the mean difference is as given.

    t then has a noncentral t distribution with n - 1 degrees of freedom and noncentrality difference sqrt(n) / sd.

    Parameters
    ----------
    difference : true mean over queries
    sd : standard deviation of the differences between queries
    n : queries, at least 2
    level : of the test

    Raises
    ------
    ValueError
        when n is below 2 or sd is not above 0.

    Examples
    --------
    >>> round(power(0.05, 0.2, 50), 2)
    0.41
    """
    if n < FEWEST or not sd > 0:
        raise ValueError(f"n is {n} and sd is {sd}, expected at least {FEWEST} queries and a spread above 0")
    return _power(difference * math.sqrt(n) / sd, n - 1, level)


@functools.cache
def noncentrality(freedom: int, *, level: float = LEVEL, wanted: float = _POWER) -> float:
    """The noncentrality at which the two-sided t-test with so many degrees of freedom has the wanted power."""
    if freedom <= _EXACT:
        return _noncentrality(freedom, level, wanted)
    return float(_smooth(level, wanted)(1 / min(freedom, SETTLED)))


def _noncentrality(freedom: float, level: float, wanted: float) -> float:
    edge = stats.t.ppf(1 - level / 2, freedom)
    found = optimize.brentq(lambda shift: _power(shift, freedom, level) - wanted, 0, 1.6 * edge + 2, xtol=1e-12)
    return float(found)


@functools.cache
def _smooth(level: float, wanted: float) -> Chebyshev:
    """The noncentrality as a polynomial in 1 / freedom, which is within 1e-9 of it."""
    ends = [1 / SETTLED, 1 / _EXACT]
    return Chebyshev.interpolate(lambda x: np.array([_noncentrality(1 / v, level, wanted) for v in x]), 8, domain=ends)


def detectable(sd: float, n: int, *, level: float = LEVEL, wanted: float = _POWER) -> float:
    """The mean difference that n queries detect with the wanted power.

    Parameters
    ----------
    sd : standard deviation of the differences between queries
    n : queries, at least 2
    level, wanted : of the test, and its power

    Examples
    --------
    >>> round(detectable(0.2, 34), 3)
    0.099
    """
    return noncentrality(n - 1, level=level, wanted=wanted) * sd / math.sqrt(n)


def queries_needed(sd: float, difference: float, *, level: float = LEVEL, wanted: float = _POWER) -> int:
    """The fewest queries that detect a difference with the wanted power.

    Parameters
    ----------
    sd : standard deviation of the differences between queries
    difference : to be detected, above 0
    level, wanted : of the test, and its power

    Raises
    ------
    ValueError
        when the difference is not above 0.

    Examples
    --------
    >>> [queries_needed(0.2, d) for d in (0.1, 0.05, 0.02)]
    [34, 128, 787]
    """
    if not difference > 0:
        raise ValueError(f"difference is {difference}, expected above 0")
    # below what is needed, as the noncentrality of more freedom is lower
    n = max(FEWEST, int((noncentrality(SETTLED, level=level, wanted=wanted) * sd / difference) ** 2))
    while detectable(sd, n, level=level, wanted=wanted) > difference:
        n += 1
    return n


class Powered(NamedTuple):
    """The mean over queries by people's labels, corrected by a machine's, with its interval and standard error."""

    estimate: float
    low: float
    high: float
    error: float
    people_error: float  # of the mean over the n queries alone
    bias: float  # mean of f - y over the n queries: what the machine's own mean is off
    bias_low: float
    bias_high: float
    rho: float  # correlation of y and f; NaN where one of them is the same for all queries
    weight: float  # lambda, 0 where rho is NaN
    n: int  # queries that people judged
    N: int  # queries that the machine judged


def powered_mean(people: np.ndarray, machine: np.ndarray, everywhere: np.ndarray, *, level: float = 0.95) -> Powered:
    """A mean over queries that people judged, made more precise by a machine that judged more of them.

    y_q is a score of query q by people's labels, f_q by a machine's, correlated with rho. Of n queries that people
    judged among N that the machine judged the estimate mean_n(y) + lambda (mean_N(f) - mean_n(f)), lambda = rho sd_y /
    sd_f, has no bias, whatever the machine's, and the variance sd_y^2 ((1 - rho^2) / n + rho^2 / N): a regression
    estimator (Cochran 1977), lately called prediction-powered (Angelopoulos et al. 2023). lambda is estimated on the n
    queries, so that the residual variance and the t distribution have n - 2 degrees of freedom.

    Parameters
    ----------
    people, machine : (n,) y and f of the queries that both judged; (…, n) for several means, which then are (…,) each
    everywhere : (N,) or (…, N) f of all queries that the machine judged, the n among them
    level : coverage of the intervals

    Raises
    ------
    ValueError
        when people and machine have different shapes, there are fewer than 3 of them, everywhere has fewer than they,
        or a value is NaN.

    Examples
    --------
    The machine is .1 too high everywhere and otherwise right, so its difference between samples is what counts: the
    three queries of people have mean .4, and the machine says that all five lie .1 higher than these.

    >>> found = powered_mean([0.2, 0.4, 0.6], [0.3, 0.5, 0.7], [0.3, 0.5, 0.7, 0.7, 0.8])
    >>> round(found.estimate, 3), round(found.bias, 3), round(found.weight, 3)
    (0.5, 0.1, 1.0)
    """
    y, f, all_f = (np.asarray(values, dtype=np.float64) for values in (people, machine, everywhere))
    n, total = (values.shape[-1] if values.ndim else 0 for values in (y, all_f))
    if y.shape != f.shape or y.shape[:-1] != all_f.shape[:-1] or not FEWEST_CORRECTED <= n <= total:
        raise ValueError(
            f"people {y.shape}, machine {f.shape}, everywhere {all_f.shape}: expected (n,), (n,) and (N,), n at least "
            f"{FEWEST_CORRECTED} and N at least n"
        )
    if np.isnan(np.concatenate([y, f, all_f], axis=-1)).any():
        raise ValueError("people, machine or everywhere has NaN, expected only queries with a value")
    mean, mean_f = y.mean(axis=-1), f.mean(axis=-1)
    off_y, off_f = y - mean[..., None], f - mean_f[..., None]
    varies = (np.ptp(y, axis=-1) > 0) & (np.ptp(f, axis=-1) > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        rho = np.where(varies, (off_y * off_f).mean(axis=-1) / (y.std(axis=-1) * f.std(axis=-1)), np.nan)
        weight = np.where(varies, rho * y.std(axis=-1) / f.std(axis=-1), 0.0)
    residual = ((off_y - weight[..., None] * off_f) ** 2).sum(axis=-1) / (n - 2)
    error = np.sqrt(residual / n + weight**2 * all_f.var(axis=-1, ddof=1) / total)
    estimate = mean + weight * (all_f.mean(axis=-1) - mean_f)
    wide = t_half(error, n - 2, level)
    off = mean_f - mean
    off_wide = t_half((f - y).std(axis=-1, ddof=1) / np.sqrt(n), n - 1, level)
    found = (
        *(estimate, estimate - wide, estimate + wide, error, y.std(axis=-1, ddof=1) / np.sqrt(n)),
        *(off, off - off_wide, off + off_wide, rho, weight),
    )
    return Powered(*(part if y.ndim > 1 else float(part) for part in found), n, total)


def pays_below(rho: float | np.ndarray) -> float | np.ndarray:
    """The price of a machine's query, as a share of a person's, below which a machine first pays: at given rho > 0.

    At the best shares the variance times the cost is (sqrt(1 - rho^2) + rho sqrt(ratio))^2 that of people alone.

    >>> pays_below(np.array([0.3, 0.5, 0.7, 0.8, 0.9])).round(3)
    array([0.024, 0.072, 0.167, 0.25 , 0.393])
    """
    rho = np.asarray(rho, dtype=np.float64)
    ratio = ((1 - np.sqrt(1 - rho**2)) / rho) ** 2
    return float(ratio) if ratio.ndim == 0 else ratio


def _power(shift: float, freedom: int, level: float) -> float:
    edge = stats.t.ppf(1 - level / 2, freedom)
    return float(stats.nct.sf(edge, freedom, shift) + stats.nct.sf(edge, freedom, -shift))  # its cdf is NaN far below
