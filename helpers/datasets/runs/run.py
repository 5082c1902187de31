"""A run, the documents that a system retrieved: lines of query, Q0, document, rank, score and tag."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import compute

from helpers import texts
from helpers.datasets.runs.lines import Lines
from helpers.datasets.runs.qrels import Qrels, in_order, nearly_joined, numbers

FIELDS = ("query", "Q0", "document", "rank", "score", "tag")
FEATURES = ("score", "reciprocal rank", "retrieved")
RUN_SUFFIXES = (".run", ".txt", ".tsv", ".res", ".trec")
TOP = 10
"""First documents of a list of which it is told how many nobody judged."""


@dataclass(frozen=True)
class Lists:
    """What a run retrieved, a query's list after the other, each in the order of trec_eval.

    Attributes
    ----------
    name : of its file, endings left out
    queries, documents : (n,) pyarrow dictionary arrays of str
    scores : (n,) float64, falling within a list
    starts : (n_queries,) where each list begins
    notes : sentences that say how it was read
    """

    name: str
    queries: pa.DictionaryArray
    documents: pa.DictionaryArray
    scores: np.ndarray
    starts: np.ndarray
    notes: tuple[str, ...]

    def places(self) -> np.ndarray:
        """(n,) place of each document in its query's list, from 1."""
        n = len(self.scores)
        return np.arange(1, n + 1) - np.repeat(self.starts, np.diff(self.starts, append=n))

    def frame(self, most: int) -> pd.DataFrame:
        """Frame query, doc, score of the first documents of each list, at most so many, in their order."""
        rows = np.flatnonzero(self.places() <= most)
        query, doc = (ids.take(pa.array(rows)).to_pylist() for ids in (self.queries, self.documents))
        return pd.DataFrame({"query": query, "doc": doc, "score": self.scores[rows]})


@dataclass(frozen=True)
class Run:
    """What a run says of judged pairs.

    Attributes
    ----------
    name : of its file, endings left out
    pairs : (n,) int64, those judged pairs that it retrieved, as positions in the qrels
    scores : (n,) float32, from 0 for the lowest score of a query's list to 1 for the highest
    reciprocal_ranks : (n,) float32, 1 for the first document of a query's list
    n_queries : of the qrels, those for which it retrieved a document, judged or not
    unjudged : share of the first TOP documents of these queries that are not in the qrels
    notes : sentences that say how it was read
    """

    name: str
    pairs: np.ndarray
    scores: np.ndarray
    reciprocal_ranks: np.ndarray
    n_queries: int
    unjudged: float
    notes: tuple[str, ...]

    def features(self) -> np.ndarray:
        """(n, 3) float32 of FEATURES for the pairs that it retrieved."""
        return np.column_stack([self.scores, self.reciprocal_ranks, np.ones(len(self.pairs), np.float32)])


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
    lines = Lines(path, FIELDS, ("query", "document", "rank", "score"))
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
    return Lists(name_of(path), queries.take(rows), documents.take(rows), scores[order], starts, notes)


def read(path: str | Path, qrels: Qrels) -> Run:
    r"""What a run says of the pairs of qrels.

    Lowest and highest score, and the place in the list, are those among all documents that the file has for the query,
    judged or not, and so is what is not judged of the first TOP: of a file that was reduced to judged documents, among
    these. In a list of equal scores all have a scaled score of 1.

    Parameters
    ----------
    path : file as `lists` takes it
    qrels : judged pairs

    Raises
    ------
    ValueError
        as `lists`; also naming the file: no query, or no pair, that the qrels have.
    OSError
        when the file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> from helpers.datasets.runs import qrels
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     judged, path = Path(folder) / "qrels", Path(folder) / "bm25.run"
    ...     _ = judged.write_text("q1 0 a 2\nq1 0 b 0\n")
    ...     _ = path.write_text("q1 Q0 x 1 9 t\nq1 Q0 b 2 6 t\nq1 Q0 a 3 5 t\n")
    ...     run = read(path, qrels.read([judged]))
    >>> run.name, run.pairs, run.scores
    ('bm25', array([0, 1]), array([0.  , 0.25], dtype=float32))
    >>> run.reciprocal_ranks, round(run.unjudged, 2)
    (array([0.33333334, 0.5       ], dtype=float32), 0.33)
    """
    found = lists(path)
    queries, documents = (
        numbers(ids.dictionary, known)
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
    return Run(
        found.name,
        pairs[rows],
        _scaled(found.starts, found.scores)[rows].astype(np.float32),
        (1 / place)[rows].astype(np.float32),
        int(np.sum(queries >= 0)),
        float(np.mean(pairs[(place <= TOP) & (query >= 0)] < 0)),
        found.notes + tuple(nearly),
    )


def note_of_unjudged(shares: Sequence[tuple[str, float]], top: int = TOP) -> str:
    """A sentence on the share of the first documents that nobody judged, for each run that has any.

    Parameters
    ----------
    shares : name of each run, and its share
    top : of so many first documents of each judged query

    Examples
    --------
    >>> note_of_unjudged([("bm25", 0.0), ("dense", 0.62), ("sparse", 0.004)])
    'Not judged of the first 10 documents of each query: dense 62.0 %, sparse 0.4 %; none of 1 other run.'
    >>> note_of_unjudged([("bm25", 0.0), ("dense", 0.0)], 5)
    'Not judged of the first 5 documents of each query: none of 2 runs.'
    """
    said = [f"{name} {100 * share:.1f} %" for name, share in shares if share]
    others = len(shares) - len(said)
    none = f"none of {others}{' other' if said else ''} run{'' if others == 1 else 's'}"
    listed = "; ".join(part for part in (", ".join(said), none if others else "") if part)
    return f"Not judged of the first {top} documents of each query: {listed}."


def name_of(path: str | Path) -> str:
    """The name of a run's file at `path` without the endings of packed files and of runs.

    >>> name_of("runs/bm25.b0.4.run.gz"), name_of("input.bm25")
    ('bm25.b0.4', 'input.bm25')
    """
    path = Path(path)
    name = path.stem if path.suffix in texts.PACKED_SUFFIXES else path.name
    return Path(name).stem if Path(name).suffix in RUN_SUFFIXES else name


def _codes(ids: pa.DictionaryArray) -> np.ndarray:
    """(n,) int64 positions of ids in their dictionary."""
    return ids.indices.to_numpy().astype(np.int64)


def _refuse_twice(lines: Lines, keys: np.ndarray) -> None:
    if not np.all(np.diff(np.sort(keys))):
        first, pair = np.unique(keys, return_index=True, return_inverse=True)[1:]
        row = np.flatnonzero(first[pair] != np.arange(len(keys)))[0]
        found = f"query {lines.columns['query'][row]}, document {lines.columns['document'][row]}"
        lines.refuse(row, f"{found} is in line {lines.number(first[pair[row]])} already, expected each pair once")


def _order(query: np.ndarray, scores: np.ndarray, documents: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """(n,) lines by query, by falling score and by falling document id, and where each query starts among them."""
    later = np.diff(query)
    is_in_order = np.all((later > 0) | (later == 0) & (scores[1:] <= scores[:-1]))  # as most files are
    order = np.arange(len(query)) if is_in_order else np.lexsort((-scores, query))
    same = (np.diff(query[order]) == 0) & (scores[order][1:] == scores[order][:-1])
    tied = np.flatnonzero(np.append(same, False) | np.append(False, same))
    rows = order[tied]
    ids = documents.take(pa.array(rows))
    falling = -numbers(ids, in_order(compute.unique(ids)))
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
