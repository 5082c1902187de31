"""Qrels, what assessors said of documents: lines of query, iteration, document and grade."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import compute

from helpers import checks, texts
from helpers.datasets.runs.lines import Lines

FIELDS = ("query", "iteration", "document", "grade")
HIGHEST_GRADE = 127
NEGATIVE = ("drop", "refuse")


class Ids(NamedTuple):
    """Ids, each once, and their forms of `texts.folded`."""

    ids: pa.Array
    forms: pa.Array


@dataclass(frozen=True)
class Qrels:
    """Judged pairs of a query and a document, by query and then by document, each once.

    Attributes
    ----------
    queries, documents : pyarrow arrays of str, sorted by code points; each is in a pair
    keys : (n_pairs,) int64, rising: number of the query times the number of documents, plus number of the document
    grades : (n_pairs,) int8, from 0 to 127
    notes : sentences that say what was left out, and why
    """

    queries: pa.Array
    documents: pa.Array
    keys: np.ndarray
    grades: np.ndarray
    notes: tuple[str, ...] = ()

    @cached_property
    def ids(self) -> list[Ids]:
        """The queries and the documents with the forms in which `texts.alike` compares them."""
        return _ids(self.queries, self.documents)

    @property
    def query(self) -> np.ndarray:
        """(n_pairs,) number of each pair's query."""
        return self.keys // len(self.documents)

    @property
    def document(self) -> np.ndarray:
        """(n_pairs,) number of each pair's document."""
        return self.keys % len(self.documents)

    def find(self, query: np.ndarray, document: np.ndarray) -> np.ndarray:
        """(n,) positions among the pairs of n other pairs, -1 where nobody judged them.

        Parameters
        ----------
        query, document : (n,) int64 positions among the queries and documents, -1 for others
        """
        keys = _keys(query, document, len(self.documents))
        rising = np.argsort(keys)  # the search is several times as fast in order
        places = np.empty_like(keys)
        places[rising] = np.minimum(np.searchsorted(self.keys, keys[rising]), len(self.keys) - 1)
        return np.where(self.keys[places] == keys, places, -1)


def read(paths: Sequence[str | Path], negative: str = "drop") -> Qrels:
    r"""The pairs that one file judges, or several together.

    Parameters
    ----------
    paths : files as `texts.read` takes them, of four fields parted by blanks or tabs: query, anything, document, grade
    negative : "drop" leaves out pairs of a grade below 0 (-1 is often not judged, -2 spam), "refuse" refuses them

    Raises
    ------
    ValueError
        naming file and line: another number of fields, a grade that is not a whole number up to 127, a pair that has
        another grade in an earlier line, a query that an earlier file has; or when no pair is left.
    OSError
        when a file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "qrels.txt"
    ...     _ = path.write_text("q2 0 b 1\nq1 0 b 0\nq1 0 a 2\nq1 0 c -1\n")
    ...     qrels = read([path])
    >>> qrels.queries.to_pylist(), qrels.documents.to_pylist(), qrels.grades, qrels.keys
    (['q1', 'q2'], ['a', 'b'], array([2, 0, 1], dtype=int8), array([0, 1, 3]))
    >>> qrels.notes
    ('qrels.txt: 1 of 4 lines have a grade below 0 and are left out.',)
    """
    checks.one_of("negative", negative, NEGATIVE)
    files = [_File(path, negative) for path in paths]
    _refuse_shared(files)
    queries = compute.unique(pa.concat_arrays([file.queries for file in files]))
    if not len(queries):
        raise ValueError(f"{texts.shown(paths)}: no pair has a grade of 0 or above, expected at least one")
    queries = in_order(queries)
    documents = in_order(compute.unique(pa.concat_arrays([file.documents for file in files])))
    keys = [_keys(numbers(f.queries, queries), numbers(f.documents, documents), len(documents)) for f in files]
    places = [file.once(own) for file, own in zip(files, keys, strict=True)]
    keys = np.concatenate([own[kept] for own, kept in zip(keys, places, strict=True)])
    grades = np.concatenate([file.grades[kept] for file, kept in zip(files, places, strict=True)])
    order = np.argsort(keys)
    notes = [note for file in files for note in file.notes]
    for one, other in combinations(files, 2):
        names = one.lines.path.name, other.lines.path.name
        notes += nearly_joined(*names, (one.queries, one.documents), _ids(other.queries, other.documents))
    return Qrels(queries, documents, keys[order], grades[order].astype(np.int8), tuple(notes))


def nearly_joined(one: str, other: str, its: Sequence[pa.Array], those: Sequence[Ids]) -> list[str]:
    """Notes on ids of queries and of documents that two files write nearly alike, as `texts.alike` tells them.

    Parameters
    ----------
    one, other : what the files are called
    its, those : ids of queries and of documents in the one and in the other
    """
    notes = []
    for kind, own, known in zip(("queries", "documents"), its, those, strict=True):
        new = _only(own, known.ids)
        forms = texts.folded(new)
        near = known.ids.filter(compute.is_in(known.forms, value_set=forms))
        ids = [_only(near, own), new.filter(compute.is_in(forms, value_set=texts.folded(near)))]
        sources = np.repeat([1, 0], list(map(len, ids)))
        pairs = texts.alike(pa.concat_arrays(ids).to_numpy(zero_copy_only=False), sources)
        if pairs:
            example = " and ".join(map(repr, pairs[0]))
            notes.append(f"{one} and {other}: {len(pairs):,} {kind} are nearly alike ({example}), and not joined.")
    return notes


def _ids(queries: pa.Array, documents: pa.Array) -> list[Ids]:
    return [Ids(ids, texts.folded(ids)) for ids in map(compute.unique, (queries, documents))]


def _only(ids: pa.Array, others: pa.Array) -> pa.Array:
    """Those ids, each once, that are not among the others."""
    ids = compute.unique(ids)
    return ids.filter(compute.invert(compute.is_in(ids, value_set=others)))


def in_order(ids: pa.Array) -> pa.Array:
    """The ids sorted by code points."""
    return ids.take(compute.sort_indices(ids))


def numbers(ids: pa.Array, known: pa.Array) -> np.ndarray:
    """(n,) int64 positions of ids among those known, -1 where an id is unknown."""
    return compute.fill_null(compute.index_in(ids, value_set=known), -1).to_numpy().astype(np.int64)


class _File:
    """The lines of one file whose grade is 0 or above, and notes on them."""

    def __init__(self, path: str | Path, negative: str):
        self.lines = Lines(path, FIELDS, ("query", "document", "grade"))
        grades = self.lines.whole_numbers("grade")
        self._check(grades, negative)
        self.rows = np.flatnonzero(grades >= 0)
        self.grades = grades[self.rows]
        self.queries, self.documents = (self.lines.columns[name].take(self.rows) for name in ("query", "document"))
        self.notes = self._left_out()

    def once(self, keys: np.ndarray) -> np.ndarray:
        """Positions of the first line of each pair; ValueError where a later line has another grade."""
        kept, pair = np.unique(keys, return_index=True, return_inverse=True)[1:]
        contrary = np.flatnonzero(self.grades != self.grades[kept][pair])
        if len(contrary):
            row, first = contrary[0], kept[pair[contrary[0]]]
            before = f"it is {self.grades[first]} in line {self.lines.number(self.rows[first])}"
            pair = f"query {self.queries[row]}, document {self.documents[row]}"
            self.lines.refuse(self.rows[row], f"{pair} has grade {self.grades[row]}, but {before}, expected one grade")
        if len(kept) < len(keys):
            self.notes.append(f"{self.lines.path.name}: {len(keys) - len(kept):,} lines repeat an earlier one.")
        return kept

    def _check(self, grades: np.ndarray, negative: str) -> None:
        lowest = 0 if negative == "refuse" else -HIGHEST_GRADE
        wrong = np.flatnonzero((grades < lowest) | (grades > HIGHEST_GRADE))
        if len(wrong):
            found = self.lines.shown("grade", wrong[0])
            self.lines.refuse(wrong[0], f"grade {found}, expected a whole number from {lowest} to {HIGHEST_GRADE}")

    def _left_out(self) -> list[str]:
        n = len(self.lines) - len(self.rows)
        place = self.lines.path.name
        return [f"{place}: {n:,} of {len(self.lines):,} lines have a grade below 0 and are left out."] if n else []


def _refuse_shared(files: Sequence[_File]) -> None:
    """Raise ValueError where two files judge the same query."""
    for number, file in enumerate(files):
        for earlier in files[:number]:
            shared = np.flatnonzero(numbers(file.queries, compute.unique(earlier.queries)) >= 0)
            if len(shared):
                query = file.queries[shared[0]]
                wrong = f"query {query} is in {earlier.lines.path} as well, expected each query in one file"
                file.lines.refuse(file.rows[shared[0]], wrong)


def _keys(query: np.ndarray, document: np.ndarray, n_documents: int) -> np.ndarray:
    """Numbers of pairs, -1 where query or document has none."""
    return np.where((query < 0) | (document < 0), -1, query * n_documents + document)
