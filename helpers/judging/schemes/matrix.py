"""Label matrices: (n_docs, n_judges) grades from 0 that judges give to pairs of query and document, -1 where none."""

from __future__ import annotations

import numpy as np


def checked(labels: np.ndarray, judges: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The labels as int8 and judges of the same shape, or ValueError where they are no such matrix.

    Parameters
    ----------
    labels : (n_docs, n_judges) grades up to 127, -1 where there is none; at least one in every row
    judges : of that shape, who gave each label; None is the number of the column
    """
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


def votes(labels: np.ndarray, n_grades: int | None = None) -> np.ndarray:
    """(n_docs, n_grades) how often each grade is among the labels of a pair; None is up to the highest label.

    Parameters
    ----------
    labels : (n_docs, n_judges) grades, -1 where there is none
    n_grades : size of the scale

    Raises
    ------
    ValueError
        when a label is not below n_grades.

    >>> votes(np.array([[1, 0, 1], [2, -1, -1]]))
    array([[1, 2, 0],
           [0, 0, 1]])
    """
    highest = int(labels.max(initial=-1))
    n_grades = highest + 1 if n_grades is None else n_grades
    if highest >= n_grades:
        raise ValueError(f"labels go up to {highest}, expected at most {n_grades - 1}: n_grades is {n_grades}")
    return np.stack([(labels == grade).sum(axis=1) for grade in range(n_grades)], axis=1)
