"""Paired tests over queries, bootstrap intervals, effects of a crossed design and their pool, Holm's correction.

A query that a metric skips is NaN. It is left out here too, and must be NaN on both sides of a comparison.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy  # whose parts are loaded when they are used: that takes a second

LEVEL = 0.95
_ROUNDING = 1e-12  # relative difference up to which two values are the same number
_BATCH = 2**20  # resampled values held in memory at a time


class PairedTest(NamedTuple):
    """Mean of a - b over n queries, its 95 % interval, and the two-sided p-value of no difference."""

    difference: float
    low: float
    high: float
    p_value: float
    n: int


def paired_t(a: np.ndarray, b: np.ndarray) -> PairedTest:
    """Student's paired t-test of the values of two rankers, with the interval of the t distribution.

    Parameters
    ----------
    a, b : (n_queries,) values of the same queries in the same order, NaN where a query is skipped

    Returns
    -------
    PairedTest; where every query differs by the same amount, p is 0, or 1 if that amount is 0

    Raises
    ------
    ValueError
        when shapes differ, a query is NaN on one side only, or fewer than two queries are left.

    Examples
    --------
    Differences 1, 2, 3: mean 2, standard error 1/sqrt(3), t = 3.46 with two degrees of freedom.

    >>> test = paired_t([2, 4, 6], [1, 2, 3])
    >>> test.difference, test.n, round(test.p_value, 4)
    (2.0, 3, 0.0742)
    """
    differences = _differences(a, b)
    *found, p_value, n = t_tests(differences[None])
    return PairedTest(*(float(part[0]) for part in (*found, p_value)), n)


def t_tests(differences: np.ndarray) -> PairedTest:
    """What `paired_t` says of each row of differences (n_tests, n_queries), none of them NaN: (n_tests,) each."""
    n, mean = differences.shape[1], differences.mean(axis=1)
    same = np.ptp(differences, axis=1) <= _ROUNDING * np.abs(differences).max(axis=1)
    error = np.where(same, 0.0, differences.std(axis=1, ddof=1) / np.sqrt(n))
    half = t_half(error, n - 1)
    return PairedTest(mean, mean - half, mean + half, t_p_value(mean, error, n - 1), n)


def paired_permutation(a: np.ndarray, b: np.ndarray, *, draws: int, rng: np.random.Generator) -> PairedTest:
    """Permutation test of the values of two rankers: if neither is better, each difference may change its sign.

    p is twice the smaller share of the draws, the observed one counted among them, that reach the observed mean
    (Fisher 1935; for retrieval: Smucker, Allan and Carterette 2007). The interval is `bootstrap_interval`'s.

    Parameters
    ----------
    a, b : (n_queries,) values of the same queries in the same order, NaN where a query is skipped
    draws : number of random sign changes, and of bootstrap samples

    Raises
    ------
    ValueError
        when shapes differ, a query is NaN on one side only, fewer than two queries are left, or draws is below 2.

    Examples
    --------
    Five queries, each better in a: of the 32 patterns of signs 2 are as extreme, 2/32 = .0625.

    >>> test = paired_permutation(np.full(5, 0.5), np.zeros(5), draws=100_000, rng=np.random.default_rng(0))
    >>> test.difference, round(test.p_value, 2)
    (0.5, 0.06)
    """
    _check(draws)
    differences = _differences(a, b)

    def signed(size: tuple[int, ...]) -> np.ndarray:
        return np.where(rng.integers(2, size=size, dtype=bool), differences, -differences)

    test = scipy.stats.monte_carlo_test(
        differences, signed, np.mean, vectorized=True, n_resamples=draws, batch=max(1, _BATCH // len(differences))
    )
    low, high = bootstrap_interval(differences, level=LEVEL, draws=draws, rng=rng)
    return PairedTest(float(differences.mean()), low, high, float(test.pvalue), len(differences))


def bootstrap_interval(
    values: np.ndarray, *, level: float = LEVEL, draws: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Percentile bootstrap interval of the mean over queries (Efron 1979).

    Parameters
    ----------
    values : (n_queries,) NaN where a query is skipped
    level : coverage, between 0 and 1
    draws : number of bootstrap samples

    Returns
    -------
    low, high : the same number twice where all values are equal

    Raises
    ------
    ValueError
        when values is not one-dimensional, fewer than two of them are numbers, draws is below 2, or level is not
        between 0 and 1.

    Examples
    --------
    >>> bootstrap_interval([0.5, 0.5, np.nan], draws=100, rng=np.random.default_rng(0))
    (0.5, 0.5)
    """
    _check(draws, level)
    kept = _without_skipped("values", np.asarray(values, dtype=np.float64))
    interval = scipy.stats.bootstrap(
        (kept,),
        np.mean,
        n_resamples=draws,
        batch=max(1, _BATCH // len(kept)),
        confidence_level=level,
        method="percentile",
        rng=rng,
    ).confidence_interval
    return float(interval.low), float(interval.high)


def crossed_interval(
    first: np.ndarray, second: np.ndarray, *, level: float = LEVEL, draws: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Percentile bootstrap interval of mean(first) - mean(second), over repeats and over queries.

    The queries, which both sides share, and the repeats of each side are drawn anew independently (the pigeonhole
    bootstrap, Owen 2007), so that the interval speaks of other queries and of other training samples. One repeat
    shows no spread between repeats, and adds none.

    Parameters
    ----------
    first, second : (n_repeats, n_queries) the same queries; the number of repeats may differ
    level : coverage, between 0 and 1
    draws : number of bootstrap samples; memory is draws * n_queries numbers

    Returns
    -------
    low, high

    Raises
    ------
    ValueError
        when the queries are not as many on both sides, a value is NaN, draws is below 2, or level is not between 0
        and 1.

    Examples
    --------
    >>> crossed_interval(np.full((3, 9), 0.75), np.full((2, 9), 0.5), draws=100, rng=np.random.default_rng(0))
    (0.25, 0.25)
    """
    _check(draws, level)
    first, second = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if first.ndim != 2 or second.ndim != 2 or first.shape[1] != second.shape[1]:
        raise ValueError(f"first is {first.shape}, second {second.shape}: expected (n_repeats, n_queries) of both")
    for argument, values in (("first", first), ("second", second)):
        if np.isnan(values).any():
            raise ValueError(f"{argument} has NaN: expected only queries that no repeat skips")
    queries = bootstrap_counts(first.shape[1], draws, rng)
    means = [
        (queries @ side.T * bootstrap_counts(len(side), draws, rng)).sum(axis=1) / side.size for side in (first, second)
    ]
    low, high = np.quantile(means[0] - means[1], [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


class Effect(NamedTuple):
    """A mean difference with its standard error and 95 % interval, and the queries and draws that it stands on."""

    effect: float
    se: float
    low: float
    high: float
    queries: int
    draws: int


def crossed_effect(by_query: np.ndarray, by_draw: np.ndarray, residual: float) -> Effect:
    """The mean of differences over queries crossed with draws, whose error counts both.

    Each query was met by each draw (a training sample, or labels drawn anew). Of the variance of the mean
    s2_query / n_queries + s2_draw / n_draws + s2_residual / (n_queries n_draws) the means by query hold the first and
    the last part, those by draw the second and the last; the last is counted once (Brennan 2001, two-way random
    effects). The interval is Student's, with the degrees of freedom of Satterthwaite (1946). One draw shows no spread
    between draws, and adds none.

    Parameters
    ----------
    by_query : (n_queries,) differences, means over draws
    by_draw : (n_draws,) differences, means over queries
    residual : s2_residual / (n_queries n_draws), as `crossed_means` gives it

    Raises
    ------
    ValueError
        when fewer than two queries are given, no draw is, or a value is NaN.

    Examples
    --------
    Queries 1 and 3, draws 2 and 2, nothing left: the variance of the mean is that of the queries, 2 / 2.

    >>> crossed_effect([1, 3], [2, 2], 0.0)[:2]
    (2.0, 1.0)
    """
    sides = {"by_query": np.asarray(by_query, np.float64), "by_draw": np.asarray(by_draw, np.float64)}
    for name, least in (("by_query", 2), ("by_draw", 1)):
        values = sides[name]
        if values.ndim != 1 or len(values) < least or np.isnan(values).any():
            raise ValueError(f"{name} has shape {values.shape}: expected at least {least} numbers, and no NaN")
    parts = [(values.var(ddof=1) / len(values), len(values) - 1) for values in sides.values() if len(values) > 1]
    variance = max(sum(part for part, _ in parts) - residual, max(part for part, _ in parts))
    mean, se = float(sides["by_query"].mean()), float(np.sqrt(variance))
    freedom = sum(part for part, _ in parts) ** 2 / sum(part**2 / n for part, n in parts) if variance else np.inf
    half = float(t_half(se, freedom))
    return Effect(mean, se, mean - half, mean + half, len(sides["by_query"]), len(sides["by_draw"]))


def crossed_means(differences: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """What `crossed_effect` takes: means by query and by draw, and the residual's part of the variance of the mean.

    Parameters
    ----------
    differences : (n_draws, n_queries)

    Examples
    --------
    >>> by_query, by_draw, residual = crossed_means([[0, 2], [2, 4]])
    >>> by_query.tolist(), by_draw.tolist(), residual
    ([1.0, 3.0], [1.0, 3.0], 0.0)
    """
    values = np.asarray(differences, dtype=np.float64)
    by_query, by_draw = values.mean(axis=0), values.mean(axis=1)
    left = values - by_query - by_draw[:, None] + values.mean()
    freedom = (values.shape[0] - 1) * (values.shape[1] - 1)
    return by_query, by_draw, float((left**2).sum() / freedom / values.size) if freedom else 0.0


class Pooled(NamedTuple):
    """A mean effect over collections, its 95 % interval, their spread tau, and where one more is expected."""

    effect: float
    low: float
    high: float
    tau: float
    prediction_low: float
    prediction_high: float


def pool(effects: np.ndarray, errors: np.ndarray) -> Pooled:
    """A random-effects mean of the effects of independent collections (Paule and Mandel 1982; Hartung and Knapp 2001).

    tau2 is what makes the weighted sum of squares its expectation, k - 1. The interval is Hartung and Knapp's, with
    k - 1 degrees of freedom, and never narrower than that of the fixed-effect mean. The prediction interval (Higgins,
    Thompson and Spiegelhalter 2009) has k - 2.

    Parameters
    ----------
    effects, errors : (k,) effects and their standard errors, k at least 3

    Raises
    ------
    ValueError
        when shapes differ, fewer than three are given, or an error is not above 0.

    Examples
    --------
    Three alike: no spread, the interval is the fixed-effect one, .1 ± 1.96 x .03 / sqrt(3).

    >>> [round(value, 3) for value in pool([0.1, 0.1, 0.1], [0.03, 0.03, 0.03])]
    [0.1, 0.066, 0.134, 0.0, -0.12, 0.32]
    """
    effects, errors = np.asarray(effects, np.float64), np.asarray(errors, np.float64)
    if effects.shape != errors.shape or effects.ndim != 1 or len(effects) < 3 or not (errors > 0).all():
        raise ValueError(f"effects {effects}, errors {errors}: expected as many of both, at least 3, errors above 0")
    k = len(effects)

    def mean(tau2: float) -> tuple[float, np.ndarray]:
        weights = 1 / (errors**2 + tau2)
        return float(weights @ effects / weights.sum()), weights

    def excess(tau2: float) -> float:
        center, weights = mean(tau2)
        return float(weights @ (effects - center) ** 2) - (k - 1)

    tau2 = scipy.optimize.brentq(excess, 0, k * np.ptp(effects) ** 2 + 1e-12) if excess(0) > 0 else 0.0
    center, weights = mean(tau2)
    se = np.sqrt(weights @ (effects - center) ** 2 / (k - 1) / weights.sum())
    fixed = 1 / np.sqrt((1 / errors**2).sum())
    half = max(t_half(se, k - 1), scipy.stats.norm.ppf((1 + LEVEL) / 2) * fixed)
    further = t_half(np.sqrt(tau2 + max(se, fixed) ** 2), k - 2)
    ends = (center - half, center + half, np.sqrt(tau2), center - further, center + further)
    return Pooled(center, *map(float, ends))


def holm(p_values: np.ndarray) -> np.ndarray:
    """p-values adjusted for their number, so that the chance of any false alarm stays below alpha (Holm 1979).

    The i-th smallest of m becomes the largest of (m - j + 1) * p_j over j = 1 to i, and at most 1.

    Parameters
    ----------
    p_values : (m,) from 0 to 1

    Raises
    ------
    ValueError
        when a p-value is NaN or outside 0 to 1.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03, 0.005]).round(2)
    array([0.03, 0.06, 0.06, 0.02])
    """
    p_values = np.asarray(p_values, dtype=np.float64)
    wrong = np.flatnonzero(~((p_values >= 0) & (p_values <= 1)))
    if len(wrong):
        raise ValueError(f"p_values: number {wrong[0]} is {p_values[wrong[0]]}, expected a number from 0 to 1")
    order = np.argsort(p_values)
    stepped = p_values[order] * np.arange(len(p_values), 0, -1)
    adjusted = np.empty_like(p_values)
    adjusted[order] = np.minimum(np.maximum.accumulate(stepped), 1)
    return adjusted


def measured(per_query: Sequence[Sequence[float]]) -> np.ndarray:
    """(n_runs, n_measured) values of runs for the queries that have one in all of them, which are NaN elsewhere."""
    values = np.asarray(per_query, dtype=np.float64)
    return values[:, ~np.isnan(values).any(axis=0)]


def bootstrap_counts(n: int, draws: int, rng: np.random.Generator) -> np.ndarray:
    """(draws, n) how often each of n things comes up in n draws with replacement, float64."""
    return rng.multinomial(n, np.full(n, 1 / n), size=draws).astype(np.float64)


def ends(drawn: np.ndarray) -> np.ndarray:
    """(2, ...) ends of the 95 % interval of what was drawn, along the first axis, without NaN; NaN where all are."""
    known = np.isfinite(drawn)
    some = known.any(axis=0)
    found = np.nanquantile(np.where(known, drawn, np.where(some, np.nan, 0.0)), [0.025, 0.975], axis=0)
    return np.where(some, found, np.nan)


def jackknife_variance(without: np.ndarray) -> np.ndarray:
    """Variance of an estimate from its values with one of n left out at a time, along the first axis."""
    return (len(without) - 1) * without.var(axis=0)


def t_half(error: float | np.ndarray, freedom: float, level: float = LEVEL) -> float | np.ndarray:
    """Half the width of Student's interval of what has this standard error, with so many degrees of freedom."""
    return scipy.stats.t.ppf((1 + level) / 2, freedom) * error


def t_p_value(mean: np.ndarray, error: np.ndarray, freedom: float) -> np.ndarray:
    """Two-sided p-values of means with these standard errors; where that is 0 it is 0, or 1 if the mean is 0, too."""
    t = np.divide(np.abs(mean), error, out=np.where(mean == 0, 0.0, np.inf), where=error > 0)
    return 2 * scipy.stats.t.sf(t, freedom)


def _differences(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a - b without the queries that both skip; what is only rounding counts as 0."""
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if a.shape != b.shape:
        raise ValueError(f"a has shape {a.shape}, b {b.shape}: expected a value of both for every query")
    lone = np.flatnonzero(np.isnan(a) != np.isnan(b))
    if len(lone):
        q = lone[0]
        raise ValueError(f"query {q} has {a[q]} in a and {b[q]} in b: expected NaN in both or in neither")
    return _without_skipped("a and b", np.where(np.isclose(a, b, rtol=_ROUNDING, atol=0), 0.0, a - b))


def _without_skipped(argument: str, values: np.ndarray) -> np.ndarray:
    if values.ndim != 1:
        raise ValueError(f"{argument}: shape is {values.shape}, expected (n_queries,)")
    kept = values[~np.isnan(values)]
    if len(kept) < 2:
        raise ValueError(f"{argument}: {len(kept)} queries have a value, expected at least 2")
    return kept


def _check(draws: int, level: float = LEVEL) -> None:
    if draws < 2 or draws != int(draws):
        raise ValueError(f"draws is {draws}, expected a whole number of at least 2")
    if not 0 < level < 1:
        raise ValueError(f"level is {level}, expected a number between 0 and 1")
