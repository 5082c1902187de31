"""Noise in labels (dNoise) and the noise that it makes in pairs of documents (pNoise), by Niu et al. 2014.

dNoise is the share of documents with a wrong label; pNoise the share of wrong preferences among the document pairs
that a labelling orders. A pair is *inverse* where the clean grades have it the other way round, and *new* where they
have a tie; a new pair counts half, as either order is as good as the other:

    pNoise = (N_inverse + N_new / 2) / N_all
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq

from helpers.judging.confusion import check_known, checked
from helpers.metrics.ranking import checked_offsets

LEAST_DNOISE = 1e-9  # stands for 0, where grades that are all equal order no pair and pNoise is not defined


def inject(grades: np.ndarray, dnoise: float, n_grades: int, rng: np.random.Generator) -> np.ndarray:
    """(n_docs,) int8 labels that are wrong with probability dnoise, every other grade as likely.

    Niu et al. 2014, section 3.1. Noise of another shape is `confusion.draw_labels` with its confusion matrix.

    Parameters
    ----------
    grades : (n_docs,) whole numbers from 0 to n_grades - 1
    dnoise : from 0 to 1
    n_grades : at least 2
    rng : draws which labels are wrong, and what they become

    Raises
    ------
    ValueError
        when dnoise is no probability, n_grades is below 2, or a grade is not below n_grades.

    Examples
    --------
    >>> inject([0, 1, 1, 0], 1.0, 2, np.random.default_rng(0))
    array([1, 0, 0, 1], dtype=int8)
    """
    grades = _checked_grades("grades", grades)
    _check_noise(dnoise, n_grades)
    if grades.size and grades.max() >= n_grades:
        raise ValueError(f"n_grades is {n_grades}, but there is a grade {grades.max()}: expected more")
    steps = rng.integers(1, n_grades, len(grades)) * (rng.random(len(grades)) < dnoise)
    return ((grades + steps) % n_grades).astype(np.int8)


def uniform(n_grades: int, dnoise: float) -> np.ndarray:
    """Confusion matrix (n_grades, n_grades) of `inject`: 1 - dnoise on the diagonal, dnoise / (n_grades - 1) off it.

    >>> uniform(3, 0.5)
    array([[0.5 , 0.25, 0.25],
           [0.25, 0.5 , 0.25],
           [0.25, 0.25, 0.5 ]])
    """
    _check_noise(dnoise, n_grades)
    return np.where(np.eye(n_grades, dtype=bool), 1 - dnoise, dnoise / (n_grades - 1))


def partly(confusion: np.ndarray, share: float) -> np.ndarray:
    """Confusion matrix when an assessor labels a share of the documents, and the others keep their grade.

    (1 - share) I + share * confusion, so that one assessor gives a row of noise levels from none to all of theirs.
    """
    confusion = checked(confusion)
    if not 0 <= share <= 1:
        raise ValueError(f"share is {share}, expected a number from 0 to 1")
    return (1 - share) * np.eye(len(confusion)) + share * confusion


def pnoise(clean: np.ndarray, noisy: np.ndarray, offsets: np.ndarray) -> float:
    """Share of wrong preferences among the pairs that noisy labels order: (N_inverse + N_new / 2) / N_all.

    Counted from a table a query, how many documents have clean grade a and noisy label b, without going through
    pairs: O(n_docs + n_queries n_grades^3). Over the pairs of all queries together; NaN where the labels order no pair.

    Parameters
    ----------
    clean, noisy : (n_docs,) grades and labels, whole numbers from 0 to 127
    offsets : (n_queries + 1,) query q owns rows offsets[q]:offsets[q + 1]

    Raises
    ------
    ValueError
        when lengths and offsets do not fit together, or a grade is not a whole number from 0 to 127.

    Examples
    --------
    Five ordered pairs, grades 2, 1, 1, 0 with labels 2, 0, 1, 0: all are right but the new one of the two 1s.

    >>> pnoise([2, 1, 1, 0], [2, 0, 1, 0], [0, 4])
    0.1
    """
    clean, noisy = _checked_grades("clean", clean), _checked_grades("noisy", noisy)
    if clean.shape != noisy.shape:
        raise ValueError(f"clean has {len(clean)} grades, noisy {len(noisy)}: expected one of each a document")
    offsets, n_grades = checked_offsets(offsets, len(clean)), 1 + int(max(clean.max(), noisy.max()))
    query, cells = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets)), (len(offsets) - 1, n_grades, n_grades)
    tables = np.bincount(np.ravel_multi_index((query, clean, noisy), cells), minlength=np.prod(cells)).reshape(cells)
    tables = tables.astype(np.float64)
    return _wrong_share((tables @ np.tri(n_grades, k=-1) @ tables.swapaxes(1, 2)).sum(axis=0))


def expected_pnoise(grade_counts: np.ndarray, noise: float | np.ndarray) -> float:
    """Exact pNoise, expected wrong preferences over expected preferences, from the number of documents of each grade.

    With P[a, b] the probability that a document of grade a gets a higher label than one of grade b, and n_ab the
    ordered pairs of two documents of a query with grades a and b, summed over queries:

        (sum over a < b of n_ab P[a, b] + 1/2 sum over a of n_aa P[a, a]) / (sum over a, b of n_ab P[a, b])

    What `pnoise` counts after a draw differs from it by chance, and on average by what a ratio of means differs from a
    mean of ratios, which vanishes as collections grow. NaN where no pair can be ordered.

    Parameters
    ----------
    grade_counts : (n_grades,) of one query, or (n_queries, n_grades); means and shares of a query's documents will do
        in place of counts where only these are known
    noise : dNoise, uniform over the other grades as in `inject`; or a confusion matrix (n_grades, n_labels)

    Raises
    ------
    ValueError
        when a count is negative, noise is neither a probability nor a confusion matrix with a row for every grade, or
        documents have a grade whose row is NaN.

    Examples
    --------
    A good document and a bad one, each label wrong with probability .1: they are ordered rightly with probability
    .9^2, wrongly with .1^2, so that pNoise is .01 / .82.

    >>> round(expected_pnoise([1, 1], 0.1), 4)
    0.0122
    """
    counts = np.atleast_2d(np.asarray(grade_counts, dtype=np.float64))
    if counts.ndim != 2 or not (counts >= 0).all():
        raise ValueError(f"grade_counts is {grade_counts}, expected (n_grades,) or (n_queries, n_grades) from 0 up")
    totals = counts.sum(axis=0)
    confusion = uniform(len(totals), noise) if np.ndim(noise) == 0 else checked(noise)
    if confusion.ndim != 2 or len(confusion) != len(totals):
        raise ValueError(f"noise has shape {confusion.shape}, expected a row for each of {len(totals)} grades")
    check_known("noise", ~np.isnan(confusion).any(axis=1), totals)
    confusion = np.nan_to_num(confusion)
    higher = confusion @ np.tri(confusion.shape[1], k=-1) @ confusion.T
    return _wrong_share((counts.T @ counts - np.diag(totals)) * higher)


def dnoise_at(grade_counts: np.ndarray, pnoise: float) -> float:
    """The dNoise, uniform over the other grades, at which the expected pNoise is so high: `expected_pnoise` inverted.

    pNoise rises with dNoise, and is one half at dNoise (n_grades - 1) / n_grades, where labels mean nothing. NaN where
    no dNoise is enough, or no pair can be ordered; ValueError when pnoise is outside 0 to 1, or as `expected_pnoise`.

    Parameters
    ----------
    grade_counts : as for `expected_pnoise`
    pnoise : from 0 to 1

    Examples
    --------
    Where one document in a hundred is relevant, 3.9 % wrong labels make 40 % wrong pairs; with as many relevant
    documents as others, pNoise is dNoise.

    >>> round(dnoise_at([9900, 100], 0.4), 3), round(dnoise_at([5000, 5000], 0.4), 3)
    (0.039, 0.4)
    """
    if not 0 <= pnoise <= 1:
        raise ValueError(f"pnoise is {pnoise}, expected a number from 0 to 1")
    if expected_pnoise(grade_counts, LEAST_DNOISE) >= pnoise:
        return 0.0
    if not expected_pnoise(grade_counts, 1.0) >= pnoise:
        return np.nan
    return float(brentq(lambda dnoise: expected_pnoise(grade_counts, dnoise) - pnoise, LEAST_DNOISE, 1.0))


def _wrong_share(ordered: np.ndarray) -> float:
    """Share of wrong ones among (n_grades, n_grades) pairs of a document with a higher label and one with a lower, by
    the grades of both: all where its grade is lower, and half where it is the same."""
    wrong, of_all = np.triu(ordered, 1).sum() + np.trace(ordered) / 2, ordered.sum()
    return float(wrong / of_all) if of_all > 0 else np.nan


def _check_noise(dnoise: float, n_grades: int) -> None:
    if n_grades < 2:
        raise ValueError(f"n_grades is {n_grades}, expected at least 2, so that a label can be wrong")
    if not 0 <= dnoise <= 1:
        raise ValueError(f"dnoise is {dnoise}, expected a number from 0 to 1")


def _checked_grades(argument: str, grades: np.ndarray) -> np.ndarray:
    grades = np.asarray(grades)
    if grades.ndim != 1 or grades.dtype.kind not in "iu" or (grades < 0).any() or (grades > 127).any():
        raise ValueError(f"{argument} is {grades}, expected whole numbers from 0 to 127, one for each document")
    return grades.astype(np.int64)


TURNING = 0.4
"""The pNoise that Niu et al. call the turning point where they speak of data sets (section 4.2)."""
