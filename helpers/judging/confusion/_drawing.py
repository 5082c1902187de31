"""What is drawn with confusion matrices: labels of assessors, and the matrices of a pool."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from helpers.judging.confusion._matrices import checked


def draw_labels(grades: np.ndarray, confusion: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Labels that an assessor, or every judge of a pool, gives to documents with these grades, independently.

    Parameters
    ----------
    grades : (…) the testing assessor's grades
    confusion : (n_testing, n_training), or (n_judges, n_testing, n_training) for a pool
    rng : draws the labels

    Returns
    -------
    int8 labels of the shape of grades; for a pool with one more axis, n_judges, at the end

    Raises
    ------
    ValueError
        when a row is no distribution, or a grade has no row or one of NaN.

    Examples
    --------
    >>> draw_labels([0, 1, 1], [[0, 1], [1, 0]], np.random.default_rng(0))
    array([1, 0, 0], dtype=int8)
    """
    grades, confusion = np.asarray(grades), checked(confusion)
    _check_rows(grades, confusion)
    position = rng.random(grades.shape + confusion.shape[:-2])
    labels = np.zeros(position.shape, dtype=np.int8)
    for border in np.moveaxis(confusion.cumsum(axis=-1)[..., :-1], -1, 0):
        labels += position >= border.T[grades]
    return labels


def draw_pool(
    confusion: np.ndarray, n: int, concentration: float | Sequence[float], rng: np.random.Generator
) -> np.ndarray:
    """(n, n_testing, n_training) matrices that differ: row i of each is Dirichlet(concentration * row i of confusion).

    They stand for the judges of a pool, or for queries of different difficulty (`disagreement`). A cell c has
    the variance c (1 - c) / (concentration + 1) between them.

    Parameters
    ----------
    confusion : (n_testing, n_training) probabilities, the mean of what is drawn
    n : number of matrices
    concentration : above 0; one number, or (n_testing,), one for each row
    rng : draws the rows

    Raises
    ------
    ValueError
        when a row is no distribution, or a concentration is not above 0.

    >>> draw_pool([[1, 0], [0.2, 0.8]], 2, 1e9, np.random.default_rng(0)).round(2)
    array([[[1. , 0. ],
            [0.2, 0.8]],
    <BLANKLINE>
           [[1. , 0. ],
            [0.2, 0.8]]])
    """
    confusion = checked(confusion)
    parameters = np.asarray(concentration, dtype=np.float64)[..., None] * confusion
    if not np.all(np.asarray(concentration) > 0):
        raise ValueError(f"concentration is {concentration}, expected numbers above 0")
    pool = np.full((n, *confusion.shape), np.nan)
    for i in np.flatnonzero(~np.isnan(confusion).any(axis=1)):
        pool[:, i] = rng.dirichlet(parameters[i], size=n)
    return pool


def _check_rows(grades: np.ndarray, confusion: np.ndarray) -> None:
    known = ~np.isnan(confusion).any(axis=-1).reshape(-1, confusion.shape[-2]).any(axis=0)
    if grades.size and (grades.min() < 0 or grades.max() >= len(known)):
        raise ValueError(
            f"grades run from {grades.min()} to {grades.max()}, expected 0 to {len(known) - 1}: rows of confusion"
        )
    unknown = np.flatnonzero(~known & (np.bincount(grades.ravel(), minlength=len(known)) > 0))
    if len(unknown):
        raise ValueError(f"confusion: row {unknown[0]} is unknown (NaN), but documents have grade {unknown[0]}")
