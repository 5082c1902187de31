"""A mean over queries that people judged, made more precise by a machine that judged more of them.

y_q is a score of query q by people's labels, f_q the same score by a machine's, correlated with rho over queries.
People judged n queries, the machine N, the same n among them. With lambda = rho sd_y / sd_f the estimate

    mean_n(y) + lambda (mean_N(f) - mean_n(f))

has no bias, whatever the bias of the machine, and the variance sd_y^2 ((1 - rho^2) / n + rho^2 / N): a regression
estimator (Cochran 1977, Sampling Techniques), lately called prediction-powered (Angelopoulos et al. 2023).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import stats

FEWEST = 3


class Powered(NamedTuple):
    """The mean over queries by people's labels, corrected by a machine's.

    Attributes
    ----------
    estimate, low, high : the corrected mean and its interval
    error : its standard error
    people_error : that of the mean over the n queries alone
    bias, bias_low, bias_high : mean of f - y over the n queries, and its interval: what the machine's own mean is off
    rho : correlation of y and f; NaN where one of them is the same for all queries
    weight : lambda, 0 where rho is NaN
    n, N : queries that people judged, and that the machine judged
    """

    estimate: float
    low: float
    high: float
    error: float
    people_error: float
    bias: float
    bias_low: float
    bias_high: float
    rho: float
    weight: float
    n: int
    N: int


def powered_mean(people: np.ndarray, machine: np.ndarray, everywhere: np.ndarray, *, level: float = 0.95) -> Powered:
    """The corrected mean, with an interval of the t distribution with n - 2 degrees of freedom.

    lambda is estimated on the n queries; the residual variance is divided by n - 2 for it.

    Parameters
    ----------
    people, machine : (n,) y and f of the queries that both judged
    everywhere : (N,) f of all queries that the machine judged, the n among them
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
    if y.shape != f.shape or y.ndim != 1 or len(y) < FEWEST or len(all_f) < len(y):
        raise ValueError(
            f"people {y.shape}, machine {f.shape}, everywhere {all_f.shape}: expected (n,), (n,) and (N,), n at least "
            f"{FEWEST} and N at least n"
        )
    if np.isnan(np.concatenate([y, f, all_f])).any():
        raise ValueError("people, machine or everywhere has NaN, expected only queries with a value")
    n = len(y)
    rho = np.corrcoef(y, f)[0, 1] if np.ptp(y) > 0 and np.ptp(f) > 0 else np.nan
    weight = 0.0 if np.isnan(rho) else rho * y.std() / f.std()
    residual = ((y - y.mean() - weight * (f - f.mean())) ** 2).sum() / (n - 2)
    error = np.sqrt(residual / n + weight**2 * all_f.var(ddof=1) / len(all_f))
    estimate = y.mean() + weight * (all_f.mean() - f.mean())
    wide = stats.t.ppf((1 + level) / 2, n - 2) * error
    off = (f - y).mean()
    off_wide = stats.t.ppf((1 + level) / 2, n - 1) * (f - y).std(ddof=1) / np.sqrt(n)
    errors = (float(error), float(y.std(ddof=1) / np.sqrt(n)))
    biases = (float(off), float(off - off_wide), float(off + off_wide))
    ends = (float(estimate - wide), float(estimate + wide))
    return Powered(float(estimate), *ends, *errors, *biases, float(rho), float(weight), n, len(all_f))


def pays_below(rho: float | np.ndarray) -> float | np.ndarray:
    """The price of a machine's query, as a share of a person's, below which a machine first pays: at given rho > 0.

    At the best shares the variance times the cost is (sqrt(1 - rho^2) + rho sqrt(ratio))^2 that of people alone.

    >>> pays_below(np.array([0.3, 0.5, 0.7, 0.8, 0.9])).round(3)
    array([0.024, 0.072, 0.167, 0.25 , 0.393])
    """
    rho = np.asarray(rho, dtype=np.float64)
    ratio = ((1 - np.sqrt(1 - rho**2)) / rho) ** 2
    return float(ratio) if ratio.ndim == 0 else ratio
