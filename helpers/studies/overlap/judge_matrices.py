"""Confusion matrices, kept with the project, by which all judges of study 1 may err in place of a pool."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from helpers.engine import results
from helpers.judging.confusion import load_confusions, probabilities

CELL = re.compile(r"\d+ \d+")
"""The name of a column that counts how often one grade met another."""


def known() -> dict[str, np.ndarray]:
    """Name -> (n_grades, n_grades) chance of each label for a document of each true grade.

    They are the matrices of `data/confusion`, then, by the name of the data set, those of real judges that study 2
    stores query by query, here the sum over all queries and ordered pairs of judges.
    """
    counted = {name: tables["counts"] for name, tables in results.stored("02").items() if "counts" in tables}
    return {name: matrix.probabilities for name, matrix in load_confusions().items()} | {
        name: probabilities(summed(counts)) for name, counts in counted.items()
    }


def summed(counts: pd.DataFrame) -> np.ndarray:
    """(n_grades, n_grades) how often a label (column) was given to a document of a grade (row), all lines together.

    Parameters
    ----------
    counts : frame with a column "i j" for each grade i and label j, numbered from 0

    Examples
    --------
    >>> summed(pd.DataFrame({"query": ["q", "r"], "0 0": [3, 1], "0 1": [1, 0], "1 0": [0, 2], "1 1": [5, 1]}))
    array([[4, 1],
           [2, 6]])
    """
    cells = counts[[column for column in counts if CELL.fullmatch(column)]].sum()
    size = 1 + max(int(grade) for column in cells.index for grade in column.split())
    return np.array([[cells[f"{i} {j}"] for j in range(size)] for i in range(size)])


def chosen(name: str, n_grades: int, whose: str) -> np.ndarray:
    """The matrix of that name.

    Parameters
    ----------
    name : a key of `known`
    n_grades : that the true grades have
    whose : the data set that has these grades

    Raises
    ------
    ValueError
        when there is none of that name, or its judges know another number of grades; the message names those that fit.

    Examples
    --------
    >>> chosen("relish", 3, "ohsumed-portrait").round(2)
    array([[0.65, 0.28, 0.07],
           [0.2 , 0.57, 0.23],
           [0.05, 0.24, 0.71]])
    """
    matrices = known()
    if name in matrices and len(matrices[name]) == n_grades:
        return matrices[name]
    if name in matrices:
        found = f"a matrix of {len(matrices[name])} grades, but {whose} has {n_grades}"
    else:
        found = f"the name of no matrix; {whose} has {n_grades} grades"
    raise ValueError(f"judges is {name!r}, {found}: expected {fitting(n_grades)}")


def fitting(n_grades: int) -> str:
    """The names of the matrices of so many grades, for a message.

    Parameters
    ----------
    n_grades : of the data set

    Examples
    --------
    >>> fitting(5)
    'RAG25_NIST_vs_UMBRELA2, WEB5_truth_vs_worker, WEB5_worker_vs_worker_orderedpairs'
    >>> fitting(2)
    'another data set, as no matrix has 2 grades'
    """
    names = [name for name, matrix in known().items() if len(matrix) == n_grades]
    return ", ".join(names) or f"another data set, as no matrix has {n_grades} grades"
