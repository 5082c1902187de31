"""What a paired t-test over queries can see: its power, the difference it detects, the queries it needs.

Of n queries with differences of standard deviation sd and mean d, t has a noncentral t distribution with n - 1 degrees
of freedom and noncentrality d sqrt(n) / sd.
"""

from __future__ import annotations

import functools
import math

from scipy import optimize, stats

LEVEL = 0.05
POWER = 0.8
FEWEST = 2
SETTLED = 20_000
"""Degrees of freedom from which the noncentrality is taken for that of the normal distribution."""


def power(difference: float, sd: float, n: int, *, level: float = LEVEL) -> float:
    """Chance that the two-sided paired t-test of n queries rejects, where the mean difference is as given.

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


def noncentrality(freedom: int, *, level: float = LEVEL, wanted: float = POWER) -> float:
    """The noncentrality at which the two-sided t-test has the wanted power.

    Parameters
    ----------
    freedom : degrees of freedom, at least 1
    level, wanted : of the test, and its power

    Examples
    --------
    With many queries z_.975 + z_.8 = 1.960 + .842.

    >>> round(noncentrality(10_000), 2), round(noncentrality(9), 2)
    (2.8, 3.15)
    """
    return _noncentrality(min(freedom, SETTLED), level, wanted)


def detectable(sd: float, n: int, *, level: float = LEVEL, wanted: float = POWER) -> float:
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


def queries_needed(sd: float, difference: float, *, level: float = LEVEL, wanted: float = POWER) -> int:
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
    n = max(FEWEST, int((noncentrality(SETTLED, level=level, wanted=wanted) * sd / difference) ** 2))
    while detectable(sd, n, level=level, wanted=wanted) > difference:
        n += 1
    while n > FEWEST and detectable(sd, n - 1, level=level, wanted=wanted) <= difference:
        n -= 1
    return n


def _power(shift: float, freedom: int, level: float) -> float:
    edge = stats.t.ppf(1 - level / 2, freedom)
    return float(stats.nct.sf(edge, freedom, shift) + stats.nct.sf(edge, freedom, -shift))  # its cdf is NaN far below


@functools.cache
def _noncentrality(freedom: int, level: float, wanted: float) -> float:
    edge = stats.t.ppf(1 - level / 2, freedom)
    return float(optimize.brentq(lambda shift: _power(shift, freedom, level) - wanted, 0, 1.6 * edge + 2, xtol=1e-10))
