"""How well a ceiling is known when its confusion matrix was estimated from a sample of double judgments."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

from helpers import checks
from helpers.judging.ceilings.expected import exact, whole
from helpers.judging.confusion import probabilities

PRIOR = 0.1  # documents added to every cell
ALLOCATIONS = ("random", "best")
SMALL_STEP = 1e-6  # for derivatives of the ceiling, a polynomial in the entries of the matrix


def interval(
    counts: np.ndarray,
    confusion_counts: np.ndarray,
    k: int | None = None,
    *,
    level: float = 0.95,
    draws: int,
    rng: np.random.Generator,
    gain: str = "exponential",
) -> tuple[float, float]:
    """Credible interval of the ceiling, averaged over the queries, given the counts that its matrix comes from.

    Row i of the matrix is drawn `draws` times from Dirichlet(confusion_counts[i] + PRIOR). All queries share each draw:
    more queries do not make the matrix better known. The prior is small, as Jeffreys's .5 would outweigh what is seen
    of rare grades: in a trial with 100 documents in five grades its 95 % intervals covered less than 80 %.

    Judgments within a query resemble each other (`disagreement`), so that few queries teach less than as many
    single documents. Counts of every query apart allow for that: whole queries are weighed at random, by a uniform
    Dirichlet (the Bayesian bootstrap, Rubin 1981), and their sum takes the place of the rows drawn above.

    Parameters
    ----------
    confusion_counts : (n_grades, n_labels) doubly judged documents, whole numbers; or (n_judged_queries, n_grades,
        n_labels), the counts of every query, whichever queries they are
    level : probability of the interval, above 0 and below 1
    draws : matrices, from 1 up
    rng : draws them
    counts, k, gain : as in `helpers.judging.ceilings`; queries without a gain are left out of the average

    Returns
    -------
    low, high

    Raises
    ------
    ValueError
        as `helpers.judging.ceilings` says, or when the level is no probability between 0 and 1, or no query has a gain.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> [round(end, 2) for end in interval([5, 5], [[80, 20], [20, 80]], draws=400, rng=rng)]
    [0.88, 0.94]
    """
    judged = whole("confusion_counts", confusion_counts)
    if not 0 < level < 1:
        raise ValueError(f"level is {level}, expected a probability above 0 and below 1")
    if judged.ndim == 3:
        weights = len(judged) * rng.dirichlet(np.ones(len(judged)), size=draws)
        drawn = np.tensordot(weights, judged, axes=1) + PRIOR
    else:
        drawn = rng.standard_gamma(judged + PRIOR, size=(draws, *judged.shape))
    ceilings = [_mean(counts, confusion, k, gain) for confusion in probabilities(drawn)]
    low, high = np.quantile(ceilings, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def double_judgments(
    counts: np.ndarray,
    confusion: np.ndarray,
    k: int | None = None,
    *,
    half_width: float = 0.01,
    level: float = 0.95,
    allocation: str = "random",
    gain: str = "exponential",
) -> np.ndarray:
    """How many documents of each testing grade need a second assessor before `interval` is about ± half_width.

    Let D_ij be the slope of the ceiling as row i moves towards certainty of label j, and v_i = sum_j C[i, j] D_ij^2.
    With N_i documents of grade i the ceiling has the variance sum_i v_i / N_i (delta method), and the half-width is
    norm.ppf((1 + level) / 2) times its root: half of it takes 4 times as many documents.

    Parameters
    ----------
    confusion : (n_grades, n_labels), one matrix, a first guess
    half_width : of the interval, in nDCG
    level : probability of the interval
    allocation : "random" takes documents as the grades occur in counts; "best" makes their sum smallest, N_i in
        proportion to the root of v_i (Neyman 1934): few documents of the many irrelevant ones
    counts, k, gain : as in `helpers.judging.ceilings`; queries without a gain are left out of the average

    Returns
    -------
    (n_grades,) whole numbers

    Raises
    ------
    ValueError
        as `helpers.judging.ceilings` says, or when the allocation is unknown.

    Examples
    --------
    Two documents, one relevant: the latter is first with probability (C_00 + C_11) / 2, and that is worth
    1 - 1/log2(3) = .3691. D is .1845 * .2 for the right label and -.1845 * .8 for the wrong one, so v is .16 * .1845^2,
    and N = 2 * v * (1.96 / .01)^2 for either grade.

    >>> double_judgments([1, 1], [[0.8, 0.2], [0.2, 0.8]])
    array([419, 419])
    """
    checks.one_of("allocation", allocation, ALLOCATIONS)
    totals = np.atleast_2d(counts).sum(axis=0)
    variances = _row_variances(counts, confusion, k, gain)
    weights = np.sqrt(variances) if allocation == "best" else totals / totals.sum()
    used = weights > 0
    needed = (norm.ppf((1 + level) / 2) / half_width) ** 2 * (variances[used] / weights[used]).sum()
    return np.ceil(needed * weights).astype(np.int64)


def _row_variances(counts: np.ndarray, confusion: np.ndarray, k: int | None, gain: str) -> np.ndarray:
    """(n_grades,) variance of the mean ceiling if one document of a grade, and all of the others, were judged."""
    start, confusion = _mean(counts, confusion, k, gain), np.asarray(confusion, dtype=np.float64)
    if confusion.ndim != 2:
        raise ValueError(f"confusion has shape {confusion.shape}, expected one matrix for all queries")
    variances = np.zeros(len(confusion))
    for i, j in np.argwhere(confusion > 0):
        moved = confusion.copy()
        moved[i] += SMALL_STEP * (np.eye(len(moved[i]))[j] - moved[i])
        slope = (_mean(counts, moved, k, gain) - start) / SMALL_STEP
        variances[i] += confusion[i, j] * slope**2
    return variances


def _mean(counts: np.ndarray, confusion: np.ndarray, k: int | None, gain: str) -> float:
    """Mean ceiling of the queries that have one, or ValueError where none has."""
    ceilings = np.atleast_1d(exact(counts, confusion, k, gain=gain))
    if np.isnan(ceilings).all():
        raise ValueError("counts: no query has a document with a gain, expected at least one")
    return float(ceilings[~np.isnan(ceilings)].mean())
