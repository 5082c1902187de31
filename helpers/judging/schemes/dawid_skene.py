"""Dawid and Skene's model: who is right about a pair, and how each judge errs, estimated together."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.special import softmax

from helpers.judging.confusion import probabilities
from helpers.judging.schemes.matrix import checked

SMOOTHING = 1.0  # labels of each true grade that a judge is lent, spread as those of all judges together
TOLERANCE = 1e-3  # of a posterior probability
MAX_ITERATIONS = 50


def dawid_skene(
    labels: np.ndarray, judges: np.ndarray | None, n_grades: int, *, max_iterations: int = MAX_ITERATIONS
) -> np.ndarray:
    """Probabilities of the true grade of each pair, by expectation maximisation (Dawid and Skene 1979).

    A pair has true grade t with probability p_t, and then judge j says l with probability π_j(l | t), independently of
    the other judges. From the shares of the votes q_i(t), two steps alternate until no q changes by 0.001:

        p_t = mean of q_i(t)    π_j(l | t) = (n_j(l, t) + w π(l | t)) / (Σ_l n_j(l, t) + w)
        q_i(t) ∝ p_t Π_j π_j(l_ij | t)

    n_j(l, t) is the sum of q_i(t) over the pairs to which j gives l, and π(l | t) the share of l among all judges'
    labels of true grade t. The weight w is that of one label, so that a judge of few labels counts as an average one
    and has no chance of 0 where others have more. It is not in the paper, which has w = 0.

    Parameters
    ----------
    labels : (n_docs, m) grades from 0 to n_grades - 1, -1 where there is no label; every pair has one
    judges : (n_docs, m) who gives each label; None where a column is a judge
    n_grades : size of the scale
    max_iterations : most times that the two steps are done

    Returns
    -------
    (n_docs, n_grades) float64, rows of sum 1

    Raises
    ------
    ValueError
        when a pair has no label, a label is not on the scale, or shapes do not fit together.

    Examples
    --------
    Two judges agree and the third says the opposite; so its 1, where it is alone, stands for a 0.

    >>> labels = [[0, 0, 1], [1, 1, 0]] * 50 + [[-1, -1, 1]]
    >>> dawid_skene(labels, None, 2)[[0, 1, -1]].round(1)
    array([[1., 0.],
           [0., 1.],
           [1., 0.]])
    """
    given = _given(*checked(labels, judges), n_grades)
    votes = given @ np.tile(np.eye(n_grades), (given.shape[1] // n_grades, 1))
    posterior = votes / votes.sum(axis=1, keepdims=True)
    for _ in range(max_iterations):
        previous, posterior = posterior, _expectation(given, *_maximisation(given, posterior))
        if np.abs(posterior - previous).max() < TOLERANCE:
            break
    return posterior


def _given(labels: np.ndarray, judges: np.ndarray, n_grades: int) -> csr_array:
    """(n_docs, n_judges * n_grades) how often each judge gives each grade to a pair."""
    wrong = np.argwhere(labels >= n_grades)
    if len(wrong):
        raise ValueError(f"labels: pair {wrong[0][0]} has {labels[tuple(wrong[0])]}, expected less than {n_grades}")
    given = labels >= 0
    names, judge = np.unique(judges[given], return_inverse=True)
    ends = np.append(0, given.sum(axis=1).cumsum())
    columns = judge * n_grades + labels[given]
    return csr_array((np.ones(len(columns)), columns, ends), shape=(len(labels), len(names) * n_grades))


def _maximisation(given: csr_array, posterior: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n_grades,) prior and (n_judges, n_grades, n_grades) confusion matrices, rows are true grades; 0 for none."""
    n_grades = posterior.shape[1]
    counts = (given.T @ posterior).reshape(-1, n_grades, n_grades).swapaxes(1, 2)
    pooled = np.nan_to_num(probabilities(counts.sum(axis=0)))
    return posterior.mean(axis=0), np.nan_to_num(probabilities(counts + SMOOTHING * pooled))


def _expectation(given: csr_array, prior: np.ndarray, confusion: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore"):  # what never happens has the logarithm -inf
        log_prior, log_confusion = np.log(prior), np.log(confusion)
    by_label = log_confusion.swapaxes(1, 2).reshape(-1, len(prior))
    return softmax(given @ by_label + log_prior, axis=1)
