"""A run, the documents that a system retrieved: lines of query, Q0, document, rank, score and tag."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import compute

from helpers import texts
from helpers.datasets.runs.lines import Lines
from helpers.datasets.runs.qrels import Qrels, in_order, nearly_joined, numbers

FIELDS = ("query", "Q0", "document", "rank", "score", "tag")
FEATURES = ("score", "reciprocal rank", "retrieved")
RUN_SUFFIXES = (".run", ".txt", ".tsv", ".res", ".trec")


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
    notes : sentences that say how it was read
    """

    name: str
    pairs: np.ndarray
    scores: np.ndarray
    reciprocal_ranks: np.ndarray
    n_queries: int
    notes: tuple[str, ...]

    def features(self) -> np.ndarray:
        """(n, 3) float32 of FEATURES for the pairs that it retrieved."""
        return np.column_stack([self.scores, self.reciprocal_ranks, np.ones(len(self.pairs), np.float32)])


def read(path: str | Path, qrels: Qrels) -> Run:
    r"""What a run says of the pairs of qrels.

    A query's list is in the order of trec_eval: by score, and at equal scores by document id, the last one first. The
    ranks in the file are not used, but where the scores give no order: where each is the rank itself, or all scores of
    every query are equal, the list is by rank, and minus the rank is the score. Lowest and highest score, and the place
    in the list, are those among all documents that the file has for the query, judged or not: of a file that was
    reduced to judged documents, among these. In a list of equal scores all have a scaled score of 1.

    Parameters
    ----------
    path : file as `texts.read` takes it, of six fields parted by blanks or tabs
    qrels : judged pairs

    Raises
    ------
    ValueError
        naming file and line: another number of fields, a rank that is not a whole number, a score that is not a finite
        one, a pair that an earlier line has; naming the file: no query, or no pair, that the qrels have.
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
    >>> run.reciprocal_ranks
    array([0.33333334, 0.5       ], dtype=float32)
    """
    lines = Lines(path, FIELDS, ("query", "document", "rank", "score"))
    ranks, scores = lines.whole_numbers("rank"), lines.numbers("score")
    queries, documents = compute.dictionary_encode(lines.columns["query"]), lines.columns["document"]
    query, document = queries.indices.to_numpy().astype(np.int64), _numbers(documents, qrels.documents)
    _refuse_twice(lines, query * (document.max() + 1) + document)
    order, starts = _order(query, scores, documents)
    by_rank = _give_no_order(ranks, scores, order, starts)
    if by_rank:
        scores = -ranks.astype(np.float64)
        order, starts = _order(query, scores, documents)
    notes = (f"{lines.path.name}: its scores give no order, so it goes by rank.",) if by_rank else ()
    notes += _contradictions(lines.path.name, starts, ranks[order], scores[order])
    ids = queries.dictionary, documents
    notes += tuple(nearly_joined(lines.path.name, "qrels", ids, qrels.ids))
    pairs = _judged(lines, qrels, numbers(queries.dictionary, qrels.queries)[query], document)
    place = pairs[order] >= 0
    found = np.argsort(pairs[order][place])
    return Run(
        name_of(path),
        pairs[order][place][found],
        _scaled(starts, scores[order])[place][found].astype(np.float32),
        (1 / _places(starts, len(order)))[place][found].astype(np.float32),
        int(np.sum(numbers(queries.dictionary, qrels.queries) >= 0)),
        notes,
    )


def name_of(path: str | Path) -> str:
    """The name of a run's file at `path` without the endings of packed files and of runs.

    >>> name_of("runs/bm25.b0.4.run.gz"), name_of("input.bm25")
    ('bm25.b0.4', 'input.bm25')
    """
    path = Path(path)
    name = path.stem if path.suffix in texts.PACKED_SUFFIXES else path.name
    return Path(name).stem if Path(name).suffix in RUN_SUFFIXES else name


def _numbers(ids: pa.Array, known: pa.Array) -> np.ndarray:
    """(n,) int64 positions of ids among those known; ids that are unknown have the numbers after these."""
    places = numbers(ids, known)
    unknown = np.flatnonzero(places < 0)
    places[unknown] = len(known) + compute.dictionary_encode(ids.take(pa.array(unknown))).indices.to_numpy()
    return places


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


def _judged(lines: Lines, qrels: Qrels, query: np.ndarray, document: np.ndarray) -> np.ndarray:
    """(n,) position in the qrels of each line's pair, -1 where nobody judged it.

    Of queries and documents the numbers in the qrels are given; those that these have not are below 0, or too high.
    """
    document = np.where(document < len(qrels.documents), document, -1)
    pairs = qrels.find(query, document)
    if np.all(pairs < 0):
        kind, known, name = ("query", qrels.queries, "query")
        if np.any(query >= 0):
            kind, known, name = ("judged document", qrels.documents, "document")
        raise ValueError(
            f"{lines.path}: no {kind} of the qrels, expected ids such as {texts.shown(known[:1].to_pylist())}, found "
            f"ids such as {texts.shown(lines.columns[name][:1].to_pylist())}"
        )
    return pairs


def _scaled(starts: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """(n,) scores of queries, in falling order, between 0 and 1; 1 where those of a query are all the same."""
    lengths = np.diff(starts, append=len(scores))
    highest, lowest = scores[starts], scores[starts + lengths - 1]
    half = np.repeat(highest / 2 - lowest / 2, lengths)  # a difference of finite scores may not be finite
    return np.divide(scores / 2 - np.repeat(lowest / 2, lengths), half, out=np.ones(len(scores)), where=half > 0)


def _places(starts: np.ndarray, n: int) -> np.ndarray:
    """(n,) place of each line in its query's list, from 1."""
    return np.arange(1, n + 1) - np.repeat(starts, np.diff(starts, append=n))
