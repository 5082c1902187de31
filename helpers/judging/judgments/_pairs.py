"""Where two assessors differ: the documents that both judged, and counts of their grades."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from helpers import checks
from helpers.judging.judgments._frames import LONG, without_missing


def paired(frame: pd.DataFrame, testing: str | Iterable[str], training: str | Iterable[str]) -> pd.DataFrame:
    """Documents judged by both assessors, the rows of a query together.

    Either may be a group of assessors: then every pair of two judges counts, one from each group.

    Returns
    -------
    frame query, doc, testing, training: the last two are the grades

    Raises
    ------
    ValueError
        when the frame has no such assessor, or no document was judged by both.

    Examples
    --------
    >>> frame = pd.DataFrame([("q", "a", "Ann", 2), ("q", "a", "Bob", 1), ("q", "b", "Bob", 0)], columns=LONG)
    >>> paired(frame, "Ann", "Bob")
      query doc  testing  training
    0     q   a        2         1
    """
    frame = without_missing(frame)
    first, second = _judged_by(frame, "testing", testing), _judged_by(frame, "training", training)
    both = first.merge(second, on=["query", "doc"], suffixes=("_1", "_2"))
    both = both[both["assessor_1"] != both["assessor_2"]].sort_values("query", kind="stable", ignore_index=True)
    if both.empty:
        raise ValueError(
            f"{testing} has {len(first)} judgments and {training} {len(second)}, none of the same query and document: "
            "expected an overlap"
        )
    return both.rename(columns={"grade_1": "testing", "grade_2": "training"})[["query", "doc", "testing", "training"]]


def confusion_counts(
    frame: pd.DataFrame, testing: str | Iterable[str], training: str | Iterable[str], n_grades: int
) -> np.ndarray:
    """(n_grades, n_grades) documents by testing grade (row) and training grade (column); errors as in `paired`.

    >>> frame = pd.DataFrame([("q", "a", "Ann", 2), ("q", "a", "Bob", 1), ("q", "b", "Bob", 0)], columns=LONG)
    >>> confusion_counts(frame, "Ann", "Bob", 3)
    array([[0, 0, 0],
           [0, 0, 0],
           [0, 1, 0]])
    """
    return query_confusion_counts(paired(frame, testing, training), n_grades).sum(axis=0)


def query_confusion_counts(pairs: pd.DataFrame, n_grades: int) -> np.ndarray:
    """(n_queries, n_grades, n_grades) confusion counts of every query, from what `paired` returns.

    Queries are in the order of the frame. Summed over the last axis this is every query's profile of testing grades;
    ``counts.sum(axis=0) - counts`` counts all queries but one.

    Parameters
    ----------
    pairs : frame query, testing, training
    n_grades : size of the scale

    Raises
    ------
    ValueError
        when a grade is missing, no whole number, or not below n_grades.

    >>> pairs = pd.DataFrame({"query": ["q", "q", "r"], "testing": [0, 1, 1], "training": [0, 0, 1]})
    >>> counts = query_confusion_counts(pairs, 2)
    >>> (counts.sum(axis=0) - counts)[0]
    array([[0, 0],
           [0, 1]])
    """
    given = pairs[["testing", "training"]].to_numpy(np.float64, na_value=np.nan)
    if (given != np.floor(given)).any():
        raise ValueError("pairs: a grade is missing or no whole number, expected those of documents that both judged")
    grades = given.astype(np.int64)
    if grades.max() >= n_grades:
        raise ValueError(f"n_grades is {n_grades}, but a document has grade {grades.max()}")
    query, queries = pd.factorize(pairs["query"])
    cells = np.ravel_multi_index((query, *grades.T), (len(queries), n_grades, n_grades))
    return np.bincount(cells, minlength=len(queries) * n_grades**2).reshape(-1, n_grades, n_grades)


def _judged_by(frame: pd.DataFrame, argument: str, assessors: str | Iterable[str]) -> pd.DataFrame:
    names = [assessors] if isinstance(assessors, str) else list(assessors)
    known = frame["assessor"].unique()
    for name in names:
        checks.one_of(argument, name, known)
    return frame.loc[frame["assessor"].isin(names), LONG]
