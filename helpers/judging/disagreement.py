"""Disagreement that differs between queries: a confusion matrix for every query, drawn around the common one.

Row i of the matrix of a query is Dirichlet(a_i * pooled row i); its counts are then Dirichlet-multinomial.
`concentration` finds a_i from the counts of many queries, `per_query` the matrix of each (empirical Bayes).

An assessor who is stricter on one query and milder on another spoils neither ranking, but the pooled matrix takes both
for error: its ceiling is too low. Where nothing is known of a query, average its ceiling over matrices drawn by
``confusion.draw_pool(pooled, n, concentration, rng)``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import gammaln

from helpers.judging.confusion import checked, probabilities

CONCENTRATIONS = (1e-2, 1e6)


def concentration(counts: np.ndarray) -> np.ndarray:
    """How alike the queries are: the a_i of highest marginal likelihood, the pooled rows taken as known.

    Small where every query has its own habits; near CONCENTRATIONS[1] where the counts differ no more than chance lets
    them, or cannot tell. The likelihood of row i is the product over queries of

        Gamma(a) / Gamma(a + N_q) * product over j of Gamma(a c_j + N_qj) / Gamma(a c_j)

    with N_qj the query's counts, N_q their sum, c_j the pooled row (Minka 2000, Estimating a Dirichlet distribution).

    Parameters
    ----------
    counts : (n_queries, n_grades, n_labels) double judgments

    Returns
    -------
    (n_grades,) within CONCENTRATIONS

    Examples
    --------
    Six queries of two judgments, four of them unanimous: (a/2 + 1)^4 (a/2)^2 / (a + 1)^6 is highest at a = 2.

    >>> concentration([[[2, 0]], [[2, 0]], [[0, 2]], [[0, 2]], [[1, 1]], [[1, 1]]]).round(3)
    array([2.])
    """
    counts = np.asarray(counts, dtype=np.float64)
    return np.array([_row_concentration(counts[:, i]) for i in range(counts.shape[1])])


def per_query(counts: np.ndarray, pooled: np.ndarray, concentration: Sequence[float]) -> np.ndarray:
    """Posterior mean of every query's matrix, (N_q[i, j] + a_i C[i, j]) / (N_q[i] + a_i).

    Documents that are counted here make a ceiling for the same documents look better than it is: count other documents
    of the query.

    Parameters
    ----------
    counts : (n_queries, n_grades, n_labels) double judgments
    pooled : (n_grades, n_labels), or (n_queries, n_grades, n_labels) that leaves out the query itself
    concentration : (n_grades,) the a_i

    Returns
    -------
    (n_queries, n_grades, n_labels)

    Examples
    --------
    >>> per_query([[[2, 0]], [[0, 0]]], [[0.5, 0.5]], [2])
    array([[[0.75, 0.25]],
    <BLANKLINE>
           [[0.5 , 0.5 ]]])
    """
    prior = checked(pooled) * np.asarray(concentration, dtype=np.float64)[:, None]
    return probabilities(np.asarray(counts) + prior)


def _row_concentration(counts: np.ndarray) -> float:
    """The a of one row, from its counts (n_queries, n_labels)."""
    counts = counts[:, counts.any(axis=0)]
    if counts.shape[1] < 2:
        return CONCENTRATIONS[1]
    totals, pooled = counts.sum(axis=1), counts.sum(axis=0) / counts.sum()

    def loss(log_a: float) -> float:
        a = np.exp(log_a)
        query = gammaln(a) - gammaln(a + totals)
        cells = gammaln(a * pooled + counts) - gammaln(a * pooled)
        return -(query.sum() + cells.sum())

    best = minimize_scalar(loss, bounds=np.log(CONCENTRATIONS), method="bounded", options={"xatol": 1e-6})
    return float(np.exp(best.x))
