"""Qrels and runs as TREC has them, the one reader of each: judged pairs, and lists in the order of trec_eval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from pathlib import Path
from typing import NoReturn

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import compute

from helpers import files, texts
from helpers.datasets.collection import majority_grade

QRELS_FIELDS = ("query", "iteration", "document", "grade")
RUN_FIELDS = ("query", "Q0", "document", "rank", "score", "tag")
RUN_SUFFIXES = (".run", ".txt", ".tsv", ".res", ".trec")
HIGHEST_GRADE = 127
NEGATIVE = ("drop", "refuse")
FEATURES = ("score", "reciprocal rank", "retrieved")
TOP = 10  # first documents of a list of which it is told how many nobody judged


Ids = tuple[pa.Array, pa.Array]
"""Ids, each once, and their forms of `texts.folded`."""


@dataclass(frozen=True)
class Qrels:
    """Judged pairs of a query and a document, by query and then by document, each once."""

    queries: pa.Array  # of str, sorted by code points, as documents; each is in a pair
    documents: pa.Array
    keys: np.ndarray  # (n_pairs,) int64, rising: number of the query x how many documents + number of the document
    grades: np.ndarray  # (n_pairs,) int8, from 0 to 127
    notes: tuple[str, ...] = ()  # sentences that say what was left out, and why

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
        """(n,) positions of pairs of ids, each given by its position or -1, among the judged ones; -1 for others."""
        keys = np.where((query < 0) | (document < 0), -1, query * len(self.documents) + document)
        return self._index.get_indexer(keys)

    @cached_property
    def _index(self) -> pd.Index:
        return pd.Index(self.keys)


def read_qrels(paths: Sequence[str | Path], negative: str = "drop") -> Qrels:
    """The pairs that one file judges, or several together, which have no query in common; grades below 0 (-1 is often
    not judged, -2 spam) are left out where negative is "drop", and refused at "refuse"."""
    files = [_File(path, negative) for path in paths]
    for earlier, file in combinations(files, 2):
        shared = np.flatnonzero(positions(file.queries, compute.unique(earlier.queries)) >= 0)
        if len(shared):
            wrong = f"query {file.queries[shared[0]]} is in {earlier.lines.path} as well"
            file.lines.refuse(file.rows[shared[0]], f"{wrong}, expected each query in one file")
    queries = compute.unique(pa.concat_arrays([file.queries for file in files]))
    if not len(queries):
        raise ValueError(f"{texts.shown(paths)}: no pair has a grade of 0 or above, expected at least one")
    queries = _in_order(queries)
    documents = _in_order(compute.unique(pa.concat_arrays([file.documents for file in files])))
    keys = [positions(f.queries, queries) * len(documents) + positions(f.documents, documents) for f in files]
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
    """Notes on ids of queries and documents that two files write nearly alike, as `texts.alike` tells them."""
    notes = []
    for kind, own, (known, forms) in zip(("queries", "documents"), its, those, strict=True):
        new = _only(own, known)
        own_forms = texts.folded(new)
        near = known.filter(compute.is_in(forms, value_set=own_forms))
        ids = [_only(near, own), new.filter(compute.is_in(own_forms, value_set=texts.folded(near)))]
        sources = np.repeat([1, 0], list(map(len, ids)))
        pairs = texts.alike(pa.concat_arrays(ids).to_numpy(zero_copy_only=False), sources)
        if pairs:
            example = " and ".join(map(repr, pairs[0]))
            notes.append(f"{one} and {other}: {len(pairs):,} {kind} are nearly alike ({example}), and not joined.")
    return notes


def _ids(queries: pa.Array, documents: pa.Array) -> list[Ids]:
    return [(ids, texts.folded(ids)) for ids in map(compute.unique, (queries, documents))]


def _only(ids: pa.Array, others: pa.Array) -> pa.Array:
    """Those ids, each once, that are not among the others."""
    ids = compute.unique(ids)
    return ids.filter(compute.invert(compute.is_in(ids, value_set=others)))


def _in_order(ids: pa.Array) -> pa.Array:
    """The ids sorted by code points."""
    return ids.take(compute.sort_indices(ids))


def positions(ids: pa.Array, known: pa.Array) -> np.ndarray:
    """(n,) int64 positions of ids among those known, -1 where an id is unknown."""
    return compute.fill_null(compute.index_in(ids, value_set=known), -1).to_numpy().astype(np.int64)


class _File:
    """The lines of one file whose grade is 0 or above, and notes on them."""

    def __init__(self, path: str | Path, negative: str):
        self.lines = texts.Lines(path, QRELS_FIELDS, QRELS_FIELDS)
        grades, lowest = self.lines.whole_numbers("grade"), 0 if negative == "refuse" else -HIGHEST_GRADE
        wrong = np.flatnonzero((grades < lowest) | (grades > HIGHEST_GRADE))
        if len(wrong):
            found = self.lines.shown("grade", wrong[0])
            self.lines.refuse(wrong[0], f"grade {found}, expected a whole number from {lowest} to {HIGHEST_GRADE}")
        self.rows, self.notes = np.flatnonzero(grades >= 0), []
        self.grades = grades[self.rows]
        self.queries, self.documents = (self.lines.columns[name].take(self.rows) for name in ("query", "document"))
        if n := len(grades) - len(self.rows):
            name = self.lines.path.name
            self.notes.append(f"{name}: {n:,} of {len(grades):,} lines have a grade below 0 and are left out.")

    def once(self, keys: np.ndarray) -> np.ndarray:
        """Positions of the first line of each pair, which has the majority of the grades that several people gave.

        People are told apart by names, no numbers, in the second field; ValueError where one gave two grades.
        """
        kept, pair = np.unique(keys, return_index=True, return_inverse=True)[1:]
        if np.any(self.grades != self.grades[kept][pair]):
            people = compute.dictionary_encode(self.lines.columns["iteration"].take(self.rows))
            # a number is that of an iteration or a subtopic
            if not compute.any(compute.match_substring_regex(people.dictionary, r"^\d+$")).as_py():
                self._take_majority(kept, pair, people.indices.to_numpy())
                return kept
        self._refuse_contrary(kept, pair)
        if len(kept) < len(keys):
            self.notes.append(f"{self.lines.path.name}: {len(keys) - len(kept):,} lines repeat an earlier one.")
        return kept

    def _take_majority(self, kept: np.ndarray, pair: np.ndarray, people: np.ndarray) -> None:
        _, first, own = np.unique(np.stack([pair, people]), axis=1, return_index=True, return_inverse=True)
        self._refuse_contrary(first, own.ravel())
        many = np.bincount(pair[first], minlength=len(kept)) > 1
        voted = first[many[pair[first]]]
        place = np.cumsum(many) - 1
        votes = np.zeros((many.sum(), int(self.grades.max()) + 1), int)
        np.add.at(votes, (place[pair[voted]], self.grades[voted]), 1)
        self.grades[kept[many]] = majority_grade(votes)
        self.notes.append(
            f"{self.lines.path.name}: several people judged {many.sum():,} of {len(kept):,} pairs, which have the "
            "majority of their grades, of grades as frequent the more relevant."
        )

    def _refuse_contrary(self, kept: np.ndarray, pair: np.ndarray) -> None:
        """Raise ValueError where a line has another grade than the first of its pair."""
        contrary = np.flatnonzero(self.grades != self.grades[kept][pair])
        if len(contrary):
            row, first = contrary[0], kept[pair[contrary[0]]]
            before = f"it is {self.grades[first]} in line {self.lines.number(self.rows[first])}"
            pair = f"query {self.queries[row]}, document {self.documents[row]}"
            self.lines.refuse(self.rows[row], f"{pair} has grade {self.grades[row]}, but {before}, expected one grade")


@dataclass(frozen=True)
class Lists:
    """What a run retrieved, a query's list after the other, each in the order of trec_eval."""

    name: str  # of its file, endings left out
    queries: pa.DictionaryArray  # (n,) of str
    documents: pa.DictionaryArray
    scores: np.ndarray  # (n,) float64, falling within a list
    starts: np.ndarray  # (n_queries,) where each list begins
    notes: tuple[str, ...]  # sentences that say how it was read

    def places(self) -> np.ndarray:
        """(n,) place of each document in its query's list, from 1."""
        n = len(self.scores)
        return np.arange(1, n + 1) - np.repeat(self.starts, np.diff(self.starts, append=n))

    def frame(self, most: int) -> pd.DataFrame:
        """Frame query, doc, score of the first documents of each list, at most so many, in their order."""
        rows = np.flatnonzero(self.places() <= most)
        query, doc = (ids.take(pa.array(rows)).to_pylist() for ids in (self.queries, self.documents))
        return pd.DataFrame({"query": query, "doc": doc, "score": self.scores[rows]})


def lists(path: str | Path) -> Lists:
    r"""A run in the order of trec_eval: by score, and at equal scores by document id, the last one first.

    The ranks in the file are not used, but where the scores give no order: where each is the rank itself, or all scores
    of every query are equal, the list is by rank, and minus the rank is the score. Ranks that contradict the scores
    are told in a note.

    Parameters
    ----------
    path : file as `texts.read` takes it, of six fields parted by blanks or tabs

    Raises
    ------
    ValueError
        naming file and line: another number of fields, a rank that is not a whole number, a score that is not a finite
        one, a pair that an earlier line has.
    OSError
        when the file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "bm25.run"
    ...     _ = path.write_text("q1 Q0 a 1 5 t\nq1 Q0 b 2 9 t\nq1 Q0 c 3 5 t\n")
    ...     found = lists(path)
    >>> found.frame(2)
      query doc  score
    0    q1   b    9.0
    1    q1   c    5.0
    >>> found.notes
    ('bm25.run: ranks contradict scores in 1 of 1 queries; it goes by score, as trec_eval does.',)
    """
    lines = texts.Lines(path, RUN_FIELDS, ("query", "document", "rank", "score"))
    ranks, scores = lines.whole_numbers("rank"), lines.numbers("score")
    queries, documents = (compute.dictionary_encode(lines.columns[name]) for name in ("query", "document"))
    query, document = _codes(queries), _codes(documents)
    _refuse_twice(lines, query * len(documents.dictionary) + document)
    order, starts = _order(query, scores, lines.columns["document"])
    by_rank = _give_no_order(ranks, scores, order, starts)
    if by_rank:
        scores = -ranks.astype(np.float64)
        order, starts = _order(query, scores, lines.columns["document"])
    notes = (f"{lines.path.name}: its scores give no order, so it goes by rank.",) if by_rank else ()
    notes += _contradictions(lines.path.name, starts, ranks[order], scores[order])
    rows = pa.array(order)
    return Lists(_name_of(path), queries.take(rows), documents.take(rows), scores[order], starts, notes)


def read_runs(runs: str) -> list[Lists]:
    r"""The runs that are to be compared, each in the order of trec_eval, by name.

    Parameters
    ----------
    runs : a folder, all of whose files are runs but hidden ones, or files or folders separated by commas

    Raises
    ------
    ValueError, OSError
        as `lists`; or where there are fewer than two runs, or two have one name.
    FileNotFoundError
        when a file or folder is not there, or a folder has no file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("words.run", "bm25.run"):
    ...         _ = (Path(folder) / name).write_text("q1 Q0 a 1 5 t\n")
    ...     [run.name for run in read_runs(folder)]
    ['bm25', 'words']
    """
    places = texts.named(runs)
    if absent := [place for place in places if not place.exists()]:
        raise FileNotFoundError(f"runs: {absent[0]}: no such file or folder")
    found = by_name([file for place in places for file in (files.of_runs(place) if place.is_dir() else [place])])
    if len(found) < 2:
        raise ValueError(f"runs is {runs!r}, one run, expected two or more: a folder, or files separated by commas")
    return [lists(file) for file in found]


def by_name(run_files: Sequence[str | Path]) -> list[Path]:
    """The files in the order of the runs' names; ValueError where there is none, or two have one name."""
    files = sorted((Path(path) for path in run_files), key=lambda path: (_name_of(path), path))
    if not files:
        raise ValueError("run_files is empty, expected at least one run")
    for one, other in pairwise(files):
        if _name_of(one) == _name_of(other):
            raise ValueError(f"{one} and {other} are both called {_name_of(one)}, expected different names")
    return files


def _name_of(path: str | Path) -> str:
    """The name of a run's file without the endings of packed files and of runs."""
    path = Path(path)
    name = path.stem if path.suffix in texts.PACKED_SUFFIXES else path.name
    return Path(name).stem if Path(name).suffix in RUN_SUFFIXES else name


def _codes(ids: pa.DictionaryArray) -> np.ndarray:
    """(n,) int64 positions of ids in their dictionary."""
    return ids.indices.to_numpy().astype(np.int64)


def _refuse_twice(lines: texts.Lines, keys: np.ndarray) -> None:
    again = np.flatnonzero(pd.Series(keys).duplicated())
    if len(again):
        row, first = again[0], np.flatnonzero(keys == keys[again[0]])[0]
        found = f"query {lines.columns['query'][row]}, document {lines.columns['document'][row]}"
        lines.refuse(row, f"{found} is in line {lines.number(first)} already, expected each pair once")


def _order(query: np.ndarray, scores: np.ndarray, documents: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """(n,) lines by query, by falling score and by falling document id, and where each query starts among them."""
    later = np.diff(query)
    is_in_order = np.all((later > 0) | (later == 0) & (scores[1:] <= scores[:-1]))  # as most files are
    order = np.arange(len(query)) if is_in_order else np.lexsort((-scores, query))
    same = (np.diff(query[order]) == 0) & (scores[order][1:] == scores[order][:-1])
    tied = np.flatnonzero(np.append(same, False) | np.append(False, same))
    rows = order[tied]
    ids = documents.take(pa.array(rows))
    falling = -positions(ids, _in_order(compute.unique(ids)))
    order[tied] = rows[np.lexsort((falling, -scores[rows], query[rows]))]
    return order, np.flatnonzero(np.diff(query[order], prepend=-1))


def _give_no_order(ranks: np.ndarray, scores: np.ndarray, order: np.ndarray, starts: np.ndarray) -> bool:
    """Whether scores of lines in that order are the ranks, or all the same in every query."""
    ends = np.append(starts[1:], len(order)) - 1
    flat = np.array_equal(scores[order[starts]], scores[order[ends]])
    return len(order) > len(starts) and (flat or np.array_equal(ranks, scores))


def _contradictions(name: str, starts: np.ndarray, ranks: np.ndarray, scores: np.ndarray) -> tuple[str, ...]:
    """A note where, in a query, a document of a lower score has a rank before one of a higher score."""
    first = np.append(True, scores[1:] != scores[:-1])
    first[starts] = True
    groups = np.flatnonzero(first)
    before, after = np.maximum.reduceat(ranks, groups)[:-1], np.minimum.reduceat(ranks, groups)[1:]
    contrary = groups[1:][(before > after) & ~np.isin(groups[1:], starts)]
    n = len(np.unique(np.searchsorted(starts, contrary, side="right")))
    said = f"{name}: ranks contradict scores in {n:,} of {len(starts):,} queries; it goes by score, as trec_eval does."
    return (said,) if n else ()


@dataclass(frozen=True)
class Run:
    """What a run says of judged pairs."""

    name: str
    pairs: np.ndarray  # (n,) int64, those that it retrieved, as positions in the qrels
    features: np.ndarray  # (n, 3) float32 of FEATURES
    n_queries: int  # of the qrels, those for which it retrieved a document, judged or not
    unjudged: float  # share of the first TOP documents of these queries that are not in the qrels
    notes: tuple[str, ...]


def read_run(path: str | Path, qrels: Qrels) -> Run:
    """What a run says of the pairs of qrels; its places are those among all documents of the file, judged or not."""
    found = lists(path)
    queries, documents = (
        positions(ids.dictionary, known)
        for ids, known in ((found.queries, qrels.queries), (found.documents, qrels.documents))
    )
    query, place = queries[_codes(found.queries)], found.places()
    pairs = qrels.find(query, documents[_codes(found.documents)])
    if np.all(pairs < 0):
        _refuse_unknown(path, found, qrels, "document" if np.any(query >= 0) else "query")
    ids = found.queries.dictionary, found.documents.dictionary
    nearly = nearly_joined(Path(path).name, "qrels", ids, qrels.ids)
    rows = np.flatnonzero(pairs >= 0)
    rows = rows[np.argsort(pairs[rows])]
    features = np.column_stack([_scaled(found.starts, found.scores)[rows], (1 / place)[rows], np.ones(len(rows))])
    return Run(
        found.name,
        pairs[rows],
        features.astype(np.float32),
        int(np.sum(queries >= 0)),
        float(np.mean(pairs[(place <= TOP) & (query >= 0)] < 0)),
        found.notes + tuple(nearly),
    )


def note_of_unjudged(shares: Sequence[tuple[str, float]], top: int = TOP) -> str:
    """A sentence on the share of the first `top` documents of each query that nobody judged, run by run."""
    said = [f"{name} {100 * share:.1f} %" for name, share in shares if share]
    others = len(shares) - len(said)
    none = f"none of {others}{' other' if said else ''} run{'' if others == 1 else 's'}"
    listed = "; ".join(part for part in (", ".join(said), none if others else "") if part)
    return f"Not judged of the first {top} documents of each query: {listed}."


def _refuse_unknown(path: str | Path, found: Lists, qrels: Qrels, kind: str) -> NoReturn:
    """Raise ValueError with an id of the qrels and one of the run, "query" or "document"."""
    known, own = (qrels.queries, found.queries) if kind == "query" else (qrels.documents, found.documents)
    raise ValueError(
        f"{path}: no {'judged ' if kind == 'document' else ''}{kind} of the qrels, expected ids such as "
        f"{texts.shown(known[:1].to_pylist())}, found ids such as {texts.shown(own.dictionary[:1].to_pylist())}"
    )


def _scaled(starts: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """(n,) scores of queries, in falling order, between 0 and 1; 1 where those of a query are all the same."""
    lengths = np.diff(starts, append=len(scores))
    highest, lowest = scores[starts], scores[starts + lengths - 1]
    half = np.repeat(highest / 2 - lowest / 2, lengths)  # a difference of finite scores may not be finite
    return np.divide(scores / 2 - np.repeat(lowest / 2, lengths), half, out=np.ones(len(scores)), where=half > 0)
