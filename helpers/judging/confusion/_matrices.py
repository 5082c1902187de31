"""Confusion matrices from counts, as given, or of a judge who is right so often."""

from __future__ import annotations

import numpy as np


def probabilities(counts: np.ndarray) -> np.ndarray:
    """Confusion matrices from counts (…, n_testing, n_training): each row divided by its sum, NaN where that is zero.

    >>> probabilities([[1, 3], [0, 0]])
    array([[0.25, 0.75],
           [ nan,  nan]])
    """
    counts = np.asarray(counts, dtype=np.float64)
    totals = counts.sum(axis=-1, keepdims=True)
    return np.divide(counts, totals, out=np.full_like(counts, np.nan), where=totals > 0)


def checked(confusion: np.ndarray) -> np.ndarray:
    """The confusion (…, n_testing, n_training) as float64; ValueError unless rows are probabilities or all NaN."""
    confusion = np.asarray(confusion, dtype=np.float64)
    if confusion.ndim < 2:
        raise ValueError(f"confusion has shape {confusion.shape}, expected (testing grades, training grades)")
    unknown = np.isnan(confusion).all(axis=-1)
    wrong = ~unknown & ~((confusion >= 0).all(axis=-1) & np.isclose(confusion.sum(axis=-1), 1, rtol=0, atol=1e-8))
    if wrong.any():
        row = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise ValueError(
            f"confusion: row {row[-1] if len(row) == 1 else row} is {confusion[row].tolist()}, "
            "expected probabilities that sum to 1"
        )
    return confusion


def ordinal_confusion(n_grades: int, accuracy: float, leniency: float = 0.0) -> np.ndarray:
    """(n_grades, n_grades) matrix of an assessor who errs by small steps.

    Right with probability `accuracy`; of the wrong grades, each step further off is half as probable, and those above
    the right one are (1 + leniency) / (1 - leniency) times as probable as those below.

    >>> ordinal_confusion(3, 0.7).round(2)
    array([[0.7 , 0.2 , 0.1 ],
           [0.15, 0.7 , 0.15],
           [0.1 , 0.2 , 0.7 ]])

    Raises
    ------
    ValueError
        when accuracy is not a probability, or leniency not between -1 and 1.
    """
    if not 0 <= accuracy <= 1 or not -1 < leniency < 1:
        raise ValueError(
            f"accuracy is {accuracy} and leniency {leniency}, expected a probability, and more than -1 and less than 1"
        )
    step = np.arange(n_grades) - np.arange(n_grades)[:, None]
    wrong = probabilities(np.where(step == 0, 0, 0.5 ** np.abs(step) * (1 + leniency * np.sign(step))))
    return accuracy * np.eye(n_grades) + (1 - accuracy) * wrong
