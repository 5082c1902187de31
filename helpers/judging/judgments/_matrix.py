"""All labels of a long frame, a row for each pair of query and document."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from helpers.judging.judgments._frames import HIGHEST, without_missing


@dataclass(frozen=True, eq=False)
class LabelMatrix:
    """The labels that several judges gave to pairs of a query and a document, one row a pair.

    Attributes
    ----------
    labels : (n_pairs, m) int8 grades, packed to the left; -1 where a pair has fewer than m
    judges : (n_pairs, m) int64 positions in names of those who gave them; -1 where there is no label
    pairs : frame query, doc of the rows
    names : the judges
    """

    labels: np.ndarray
    judges: np.ndarray
    pairs: pd.DataFrame
    names: list[str]


def label_matrix(frame: pd.DataFrame) -> LabelMatrix:
    """All labels of a long frame by pair of query and document; pairs, judges and a pair's labels in its order.

    Raises
    ------
    ValueError
        when the frame is empty, or a grade is not from 0 to 127.

    Examples
    --------
    >>> rows = [("q", "a", "Ann", 2), ("q", "b", "Ann", 0), ("q", "a", "Bob", 1)]
    >>> matrix = label_matrix(pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"]))
    >>> matrix.labels
    array([[ 2,  1],
           [ 0, -1]], dtype=int8)
    >>> matrix.judges
    array([[ 0,  1],
           [ 0, -1]])
    """
    frame = without_missing(frame)
    if frame.empty:
        raise ValueError("frame has no judgment, expected at least one")
    grades = frame["grade"].to_numpy()
    if grades.min() < 0 or grades.max() > HIGHEST:
        raise ValueError(f"frame has grades from {grades.min()} to {grades.max()}, expected 0 to {HIGHEST}")
    by_pair = frame.groupby(["query", "doc"], sort=False)
    cells = by_pair.ngroup().to_numpy(), by_pair.cumcount().to_numpy()
    judge, names = pd.factorize(frame["assessor"])
    shape = tuple(int(axis.max()) + 1 for axis in cells)
    labels, judges = np.full(shape, -1, dtype=np.int8), np.full(shape, -1, dtype=np.int64)
    labels[cells], judges[cells] = grades, judge
    pairs = frame[["query", "doc"]].drop_duplicates(ignore_index=True)
    return LabelMatrix(labels, judges, pairs, list(names))
