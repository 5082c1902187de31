"""One grade from the labels of several judges: majority, mean, highest, Dawid and Skene's model, and a tool's rule.

Label matrices are (n_docs, m) grades from 0 that judges give to pairs of query and document, -1 where none.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_array
from scipy.special import softmax

from helpers import checks
from helpers.datasets.collection import majority_grade
from helpers.judging.confusion import probabilities

TOP = 3
"""Highest labels of which Quepid takes the lowest, from its release 8.5 on."""

SMOOTHING = 1.0  # labels of each true grade that a judge is lent, spread as those of all judges together
TOLERANCE = 1e-3  # of a posterior probability
MAX_ITERATIONS = 50


def aggregate(rule: str, labels: np.ndarray, judges: np.ndarray) -> np.ndarray:
    """(n_pairs,) float64 grade of each pair by a rule of RULES.

    Parameters
    ----------
    rule : "majority" as `majority_vote`; "mean"; "highest"; "Dawid-Skene", the most probable grade; "lowest of
        the three highest" as `lowest_of_highest`
    labels, judges : (n_pairs, m) grades and who gave them, -1 where a pair has fewer, as `judgments.Coded.labels`

    Raises
    ------
    ValueError
        when there is no such rule.

    Examples
    --------
    >>> labels, judges = np.array([[0, 3, 3], [2, 1, -1]]), np.array([[0, 1, 2], [0, 1, -1]])
    >>> {rule: aggregate(rule, labels, judges).tolist() for rule in ("majority", "mean", "highest", QUEPID)}
    {'majority': [3.0, 2.0], 'mean': [2.0, 1.5], 'highest': [3.0, 2.0], 'lowest of the three highest': [0.0, 1.0]}
    """
    checks.one_of("rule", rule, RULES)
    return RULES[rule](labels, judges).astype(np.float64)


def lowest_of_highest(labels: np.ndarray, top: int = TOP) -> np.ndarray:
    """(n_pairs,) the lowest of the `top` highest labels of each pair, of all where it has no more.

    That is what Quepid does with the ratings of a book. Of up to three labels it is the lowest, of more it is the third
    highest: the more judges a pair has beyond three, the higher is its grade.

    >>> lowest_of_highest(np.array([[0, 2, 3, -1], [0, 2, 3, 3], [1, -1, -1, -1]]))
    array([0, 2, 1])
    """
    falling = -np.sort(-labels, axis=1)
    given = np.minimum((labels >= 0).sum(axis=1), top)
    return falling[np.arange(len(labels)), given - 1]


def rounded(grades: np.ndarray) -> np.ndarray:
    """Whole grades for nDCG; halves go up, as the higher of two grades wins a tie of votes."""
    return np.floor(grades + 0.5).astype(np.int64)


def majority_vote(labels: np.ndarray) -> np.ndarray:
    """(n_docs,) int8 majority of the labels of each pair, of labels that tie the one that `majority_grade` takes."""
    return majority_grade(votes(checked_labels(labels)[0])).astype(np.int8)


def mean(labels: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(n_docs,) mean of the values of the labels that a pair has."""
    given = labels >= 0
    return np.where(given, values, 0).sum(axis=1) / given.sum(axis=1)


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
    given = _given(*checked_labels(labels, judges), n_grades)
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


def votes(labels: np.ndarray, n_grades: int | None = None) -> np.ndarray:
    """(n_docs, n_grades) how often each grade is among the labels of a pair; None is up to the highest label."""
    highest = int(labels.max(initial=-1))
    n_grades = highest + 1 if n_grades is None else n_grades
    if highest >= n_grades:
        raise ValueError(f"labels go up to {highest}, expected at most {n_grades - 1}: n_grades is {n_grades}")
    return np.stack([(labels == grade).sum(axis=1) for grade in range(n_grades)], axis=1)


def checked_labels(labels: np.ndarray, judges: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The labels as int8 and who gave each, None by the column, or ValueError where they are no such matrix."""
    labels = np.asarray(labels)
    if labels.ndim != 2 or labels.size == 0:
        raise ValueError(f"labels has shape {labels.shape}, expected (n_docs, n_judges), at least one of each")
    wrong = np.argwhere(~((labels >= -1) & (labels <= 127) & (labels == np.floor(labels))))
    if len(wrong):
        raise ValueError(f"labels: pair {wrong[0][0]} has {labels[tuple(wrong[0])]}, expected -1 or a grade to 127")
    empty = np.flatnonzero((labels < 0).all(axis=1))
    if len(empty):
        raise ValueError(f"labels: pair {empty[0]} has no label, expected at least one")
    judges = np.broadcast_to(np.arange(labels.shape[1]), labels.shape) if judges is None else np.asarray(judges)
    if judges.shape != labels.shape:
        raise ValueError(f"judges has shape {judges.shape}, expected that of labels, {labels.shape}")
    return labels.astype(np.int8, copy=False), judges


QUEPID = "lowest of the three highest"
RULES: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "majority": lambda labels, judges: majority_vote(labels),
    "mean": lambda labels, judges: mean(labels, labels),
    "highest": lambda labels, judges: labels.max(axis=1),
    "Dawid-Skene": lambda labels, judges: dawid_skene(labels, judges, int(labels.max()) + 1).argmax(axis=1),
    QUEPID: lambda labels, judges: lowest_of_highest(labels),
}
