"""A judged collection: features and grades of documents, grouped by query; saved as arrays, mapped again, cached."""

from __future__ import annotations

import hashlib
import json
import mmap
import shutil
import zlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd

from helpers.files import new_folder, remove_abandoned
from helpers.metrics.ranking import checked_offsets
from helpers.paths import user_cache

HEAD = "collection.json"  # of a saved collection: the checksum of each array
CHUNK = 2**20
BLOCK = 2**24  # bytes of a mapped file that `taken` reads before the system has their pages back


class Collection:
    """Queries, their documents, and what is known of each document.

    Query ``q`` owns rows ``offsets[q]:offsets[q + 1]``, so that all documents of a query stand together.

    Parameters
    ----------
    features : (n_docs, n_features) float32
    grades : (n_docs,) int8, relevance grades from 0 to 127
    offsets : (n_queries + 1,) int64, rising strictly from 0 to n_docs: every query has a document
    query_ids : sequence of n_queries str, by default "1", "2", …
    doc_ids : sequence of n_docs str, or None where the source names no documents
    name : what to call the collection in a table or a figure
    feature_names : sequence of n_features str, or None where the source names no features

    Raises
    ------
    ValueError
        when shapes, order or grades do not fit together; the message names the argument.

    Examples
    --------
    >>> c = Collection([[1.0], [2.0], [3.0]], [0, 2, 1], [0, 2, 3], name="toy")
    >>> c
    Collection 'toy': 2 queries, 3 documents, 1 features, grades 0-2
    >>> c.group
    array([2, 1])
    >>> c.grade_counts(3)
    array([[1, 0, 1],
           [0, 1, 0]])
    """

    def __init__(
        self,
        features: np.ndarray,
        grades: np.ndarray,
        offsets: np.ndarray,
        query_ids: Sequence[str] | None = None,
        doc_ids: Sequence[str] | None = None,
        name: str = "",
        feature_names: Sequence[str] | None = None,
    ):
        self.features = _as_features(features)
        self.grades = _as_grades(grades)
        self.offsets = checked_offsets(offsets, len(self.grades))
        if len(self.features) != len(self.grades):
            raise ValueError(
                f"features has {len(self.features)} rows, grades has {len(self.grades)}: one of each a document"
            )
        self.query_ids = _as_ids("query_ids", query_ids, self.n_queries)
        if self.query_ids is None:
            self.query_ids = np.arange(1, self.n_queries + 1).astype(str)
        self.doc_ids = _as_ids("doc_ids", doc_ids, self.n_docs)
        self.name = name
        self.feature_names = _as_ids("feature_names", feature_names, self.n_features)

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return len(self.offsets) - 1

    @property
    def n_docs(self) -> int:
        """Number of documents, each counted once for every query that it was judged for."""
        return len(self.grades)

    @property
    def n_features(self) -> int:
        """Number of features of a document."""
        return self.features.shape[1]

    @property
    def group(self) -> np.ndarray:
        """(n_queries,) documents per query, as LightGBM takes them."""
        return np.diff(self.offsets)

    @property
    def query_index(self) -> np.ndarray:
        """(n_docs,) number of the query that each row belongs to."""
        return np.repeat(np.arange(self.n_queries), self.group)

    def grade_counts(self, n_grades: int) -> np.ndarray:
        """(n_queries, n_grades) documents of each grade; an error where a grade is n_grades or above."""
        highest = int(self.grades.max())
        if highest >= n_grades:
            raise ValueError(
                f"n_grades is {n_grades}, but the collection has grade {highest}: expected at least {highest + 1}"
            )
        cells = np.bincount(self.query_index * n_grades + self.grades, minlength=self.n_queries * n_grades)
        return cells.reshape(self.n_queries, n_grades)

    def take_queries(self, indices: np.ndarray) -> Collection:
        """Those queries with all their documents, in the order given (a mask keeps the collection's order)."""
        indices = np.arange(self.n_queries)[indices]
        if len(indices) == 0:
            raise ValueError("take_queries: no query is left, expected at least one")
        group = self.group[indices]
        starts = np.repeat(self.offsets[indices] - offsets_of(group)[:-1], group)
        rows = starts + np.arange(group.sum())
        return self._take(rows, group, self.query_ids[indices])

    def take_rows(self, rows: np.ndarray) -> Collection:
        """Those documents (a mask or row numbers), queries in their old order, without queries left empty."""
        rows = np.arange(self.n_docs)[rows]
        if len(rows) == 0:
            raise ValueError("take_rows: no document is left, expected at least one")
        query = self.query_index[rows]
        order = np.argsort(query, kind="stable")
        group = np.bincount(query, minlength=self.n_queries)
        kept = group > 0
        return self._take(rows[order], group[kept], self.query_ids[kept])

    def with_grades(self, grades: np.ndarray) -> Collection:
        """The same documents with other grades, sharing the feature array."""
        return self._with(grades=grades)

    _directory: Path | None = None

    @classmethod
    def mapped(cls, directory: Path, name: str | None = None) -> Collection:
        """What `save` wrote, its files as they are; a copy sent to another process is mapped there again."""
        parts = {path.stem: np.load(path, mmap_mode="r") for path in directory.glob("*.npy")}
        saved_as = parts.pop("name")[0]
        collection = cls(**parts, name=str(saved_as) if name is None else name)
        collection._directory = directory.absolute()
        return collection

    def unmapped(self) -> Collection:
        """The same, sent and compared by its contents where this one is by its place."""
        return self._with()

    def __reduce__(self):
        if self._directory is not None:
            return Collection.mapped, (self._directory, self.name)
        return super().__reduce__()

    def __repr__(self) -> str:
        return (
            f"Collection {self.name!r}: {self.n_queries:,} queries, {self.n_docs:,} documents, "
            f"{self.n_features} features, grades {self.grades.min()}-{self.grades.max()}"
        )

    def _take(self, rows: np.ndarray, group: np.ndarray, query_ids: np.ndarray) -> Collection:
        doc_ids = None if self.doc_ids is None else self.doc_ids[rows]
        parts = {"features": taken(self.features, rows), "grades": self.grades[rows], "offsets": offsets_of(group)}
        return self._with(**parts, query_ids=query_ids, doc_ids=doc_ids)

    def _with(self, **changed: np.ndarray | None) -> Collection:
        return Collection(**{part: value for part, value in vars(self).items() if part != "_directory"} | changed)


def concatenate(collections: Sequence[Collection]) -> Collection:
    """The queries of all, one collection after the other, under the first one's name; a single one as it is.

    Document ids are kept where every collection has them, names of features where all have the same.

    Parameters
    ----------
    collections : one or more

    Raises
    ------
    ValueError
        when the numbers of features differ, or there is nothing to concatenate.

    Examples
    --------
    >>> c = Collection([[1.0], [2.0], [3.0]], [0, 2, 1], [0, 2, 3])
    >>> concatenate([c.take_queries([1]), c]).offsets
    array([0, 1, 3, 4])
    """
    widths = {collection.n_features for collection in collections}
    if len(widths) != 1:
        raise ValueError(f"collections have {sorted(widths)} features, expected one number, the same in all")
    if len(collections) == 1:
        return collections[0]

    def joined(part: str) -> np.ndarray | None:
        parts = [getattr(collection, part) for collection in collections]
        return None if any(own is None for own in parts) else np.concatenate(parts)

    names = collections[0].feature_names
    return Collection(
        **{part: joined(part) for part in ("features", "grades", "query_ids", "doc_ids")},
        offsets=offsets_of(joined("group")),
        name=collections[0].name,
        feature_names=names if all(np.array_equal(own.feature_names, names) for own in collections) else None,
    )


def describe(collections: Mapping[str, Collection]) -> pd.DataFrame:
    """Sizes and grades of collections by name: queries, documents, documents a query, features, % of each grade.

    >>> toy = Collection([[1.0], [2.0], [3.0]], [1, 0, 0], [0, 1, 3])
    >>> describe({"toy": toy})[["queries", "a query", "grade 1 [%]"]]
         queries  a query  grade 1 [%]
    toy        2      1.5         33.3
    """
    n_grades = 1 + max(int(collection.grades.max()) for collection in collections.values())
    rows = {}
    for name, collection in collections.items():
        shares = 100 * collection.grade_counts(n_grades).sum(axis=0) / collection.n_docs
        sizes = {"queries": collection.n_queries, "documents": collection.n_docs}
        sizes |= {"a query": round(collection.n_docs / collection.n_queries, 1), "features": collection.n_features}
        rows[name] = sizes | {f"grade {grade} [%]": round(share, 1) for grade, share in enumerate(shares)}
    return pd.DataFrame.from_dict(rows, orient="index").astype({"queries": int, "documents": int, "features": int})


def offsets_of(group: np.ndarray) -> np.ndarray:
    """(n_queries + 1,) offsets of queries that have group[q] documents each."""
    return np.concatenate([[0], np.cumsum(group)]).astype(np.int64)


def taken(array: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """A copy of these rows of an array; pages of a file mapped to be read are given back once they are copied."""
    # Pages of such a file count as memory of the process until the system wants them back: a copy would take twice.
    # Pages that are not mapped to be read hold what stands in no file.
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    is_read = isinstance(owner, np.memmap) and owner.mode == "r"
    if not is_read or array.nbytes <= BLOCK or not hasattr(mmap, "MADV_DONTNEED"):
        return array[rows]
    copy = np.empty((len(rows), *array.shape[1:]), array.dtype)
    step = max(1, BLOCK * len(array) // array.nbytes)
    for start in range(0, len(rows), step):
        copy[start : start + step] = array[rows[start : start + step]]
        owner.base.madvise(mmap.MADV_DONTNEED)
    return copy


def _as_features(value: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        features = np.asanyarray(value).astype(np.float32, copy=False)
    if features.ndim != 2:
        raise ValueError(f"features has shape {features.shape}, expected 2 dimensions")
    return features


def _as_grades(value: np.ndarray) -> np.ndarray:
    grades = np.asanyarray(value)
    if grades.ndim != 1 or len(grades) == 0:
        raise ValueError(f"grades has shape {grades.shape}, expected one grade for each of at least one document")
    wrong = np.flatnonzero(~((grades >= 0) & (grades <= 127) & (grades == np.floor(grades))))
    if len(wrong):
        raise ValueError(f"grades: row {wrong[0]} has {grades[wrong[0]]}, expected a whole number from 0 to 127")
    return grades.astype(np.int8, copy=False)


def _as_ids(argument: str, ids: Sequence[str] | None, expected: int) -> np.ndarray | None:
    if ids is None:
        return None
    ids = np.asanyarray(ids).astype(str, copy=False)
    if ids.shape != (expected,):
        raise ValueError(f"{argument} has shape {ids.shape}, expected ({expected},)")
    return ids


def save(collection: Collection, directory: str | Path) -> Path:
    """Write a collection to a new directory that `open_saved` maps into memory, complete or not at all."""
    directory = Path(directory)
    with new_folder(directory) as folder:
        for part, value in (vars(collection) | {"name": [collection.name], "_directory": None}).items():
            if value is not None:
                np.save(folder / f"{part}.npy", value)
        (folder / HEAD).write_text(_checksums(folder))
    return directory


def open_saved(directory: str | Path) -> Collection:
    """A saved collection, its arrays mapped read-only; ValueError where a file is not as its checksum tells."""
    directory = Path(directory)
    if not (directory / HEAD).is_file():
        raise FileNotFoundError(f"{directory}: no saved collection here, expected {HEAD} and arrays")
    if (directory / HEAD).read_bytes() != _checksums(directory).encode():
        raise ValueError(f"{directory}: not as it was saved, expected files whose checksums stand in {HEAD}")
    return Collection.mapped(directory)


def cache_entry(room: Sequence[object], files: Iterable[Path], variant: str = "all") -> Path:
    """Where the user's cache has what is read from files as they are now: the room is the kind of data and what names
    its source, the variant one of several collections of the same files."""
    kind, *source = room
    states = [(path.name, status.st_size, status.st_mtime_ns) for path in files for status in [path.stat()]]
    return user_cache() / str(kind) / _hash(source) / f"{_hash(chain(*states))}-{variant}"


def from_cache(entry: Path) -> Collection | None:
    """The collection that is kept there; None where there is none, or somebody damaged it or cleared part of it."""
    if entry.exists():
        try:
            return open_saved(entry)
        except (OSError, ValueError):
            shutil.rmtree(entry, ignore_errors=True)
    return None


def into_cache(collection: Collection, entry: Path, now: Path) -> Collection:
    """The collection kept at its entry, mapped from there; another one now shows that its files have changed since."""
    # What is there of the files as they were before goes when they are read again, a day later at the earliest, and so
    # does what a process that died left behind. Processes may do this at the same time.
    if now != entry:
        raise ValueError(f"{collection.name} was changed while it was read, expected a file at rest")
    try:
        save(collection, entry)
    except OSError as error:
        if not entry.exists():  # where it does, another process has just saved the same
            raise OSError(f"{error}: set LABEL_STUDIES_CACHE to a folder that can be written") from error
    state = entry.name.partition("-")[0]
    remove_abandoned([other for other in entry.parent.iterdir() if not other.name.startswith(state)])
    return open_saved(entry)


def _hash(parts: Iterable[object]) -> str:
    return hashlib.sha256("\n".join(map(str, parts)).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _checksums(directory: Path) -> str:
    """The checksums of the arrays in a folder as text."""
    checksums = {}
    for path in sorted(directory.glob("*.npy")):
        with path.open("rb") as file:
            checksums[path.name] = 0
            while chunk := file.read(CHUNK):
                checksums[path.name] = zlib.crc32(chunk, checksums[path.name])
    return json.dumps(checksums)


def majority_grade(votes: np.ndarray) -> np.ndarray:
    """Majority of the votes (…, n_grades) given to each grade: the most frequent grade.

    Of t grades that tie, sorted from the most to the least relevant, it is the one at position ceil(t / 2)
    (Yang et al. 2010, section 4.1.2).

    >>> majority_grade([[1, 2, 2, 0, 0], [1, 0, 1, 0, 1]])
    array([2, 2])
    """
    votes = np.asarray(votes)
    best = votes == votes.max(axis=-1, keepdims=True)
    passed = best[..., ::-1].cumsum(axis=-1)
    position = (passed[..., -1:] + 1) // 2
    return votes.shape[-1] - 1 - (passed == position).argmax(axis=-1)
