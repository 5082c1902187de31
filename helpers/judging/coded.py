"""A long frame of judgments as arrays: positions of pairs, judges and queries, so that sums over them are fast."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from helpers.datasets.collection import offsets_of
from helpers.judging.formats.people import MODEL
from helpers.judging.judgments import without_missing


@dataclass(frozen=True, eq=False)
class Coded:
    """Judgments, one a pair of query and document and judge, and what their positions stand for.

    Attributes
    ----------
    pair, judge, grade : (n,) of every judgment: position in pairs, position in judges, grade
    pairs : frame query, doc; the pairs of a query stand together
    offsets : (n_queries + 1,) query q owns pairs offsets[q]:offsets[q + 1]
    queries, judges : names
    values : (n_grades,) the grades that occur, rising
    """

    pair: np.ndarray
    judge: np.ndarray
    grade: np.ndarray
    pairs: pd.DataFrame
    offsets: np.ndarray
    queries: np.ndarray
    judges: np.ndarray
    values: np.ndarray

    @property
    def level(self) -> np.ndarray:
        """(n,) position of every judgment's grade in values."""
        return np.searchsorted(self.values, self.grade)

    @property
    def votes(self) -> np.ndarray:
        """(n_pairs, n_grades) how often each grade was given to a pair."""
        size = len(self.pairs) * len(self.values)
        cells = np.bincount(self.pair * len(self.values) + self.level, minlength=size)
        return cells.reshape(len(self.pairs), -1)

    def by_judge(self) -> csr_array:
        """(n_judges, n_pairs) 1 + the grade that a judge gave to a pair; what is not stored was not judged."""
        cells = self.judge, self.pair
        return csr_array((self.grade + 1, cells), shape=(len(self.judges), len(self.pairs)))


def coded(frame: pd.DataFrame) -> Coded:
    """The judgments of a long frame as arrays; queries in the order of the frame, judges in that of their first.

    Parameters
    ----------
    frame : query, doc, assessor, grade; an assessor judges a pair once, and a missing grade is no judgment

    Raises
    ------
    ValueError
        as `without_missing`, or when the frame is empty, or an assessor judges a pair twice.

    Examples
    --------
    >>> rows = [("q", "a", "Ann", 2), ("r", "a", "Ann", 0), ("q", "b", "Bob", 1), ("q", "a", "Bob", 2)]
    >>> labels = coded(pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"]))
    >>> labels.pair, labels.judge, labels.offsets, labels.votes.tolist()
    (array([0, 2, 1, 0]), array([0, 0, 1, 1]), array([0, 2, 3]), [[0, 0, 2], [0, 1, 0], [1, 0, 0]])
    """
    frame = without_missing(frame)
    if frame.empty:
        raise ValueError("frame has no judgment, expected at least one")
    query, queries = pd.factorize(frame["query"])
    doc, docs = pd.factorize(frame["doc"])
    judge, judges = pd.factorize(frame["assessor"])
    keys, first, pair = np.unique(query * len(docs) + doc, return_index=True, return_inverse=True)
    if len(np.unique(pair * len(judges) + judge)) < len(frame):
        raise ValueError("frame: an assessor judges a pair of query and document twice, expected once")
    offsets = offsets_of(np.bincount(keys // len(docs)))
    pairs = frame[["query", "doc"]].iloc[first].reset_index(drop=True)
    grade = frame["grade"].to_numpy()
    return Coded(pair, judge, grade, pairs, offsets, np.asarray(queries), np.asarray(judges), np.unique(grade))


def is_model(assessor: str) -> bool:
    """Whether an assessor is a machine: the names of those that a tool's export marks as such begin with "model: "."""
    return assessor.startswith(MODEL)
