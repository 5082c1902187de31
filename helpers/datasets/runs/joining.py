"""Qrels and runs joined to a collection: rankers that learn on it learn to fuse the runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

import numpy as np
import pandas as pd
import pyarrow as pa

from helpers import checks, texts
from helpers.datasets.collection import Collection, offsets_of
from helpers.datasets.runs.trec import NUMBER, Lists, Qrels, codes, lists, name_of, nearly_joined, positions, read_qrels

PAIRS = ("retrieved", "judged")
LEAST_SHARE = 0.5
FEATURES = ("score", "reciprocal rank", "retrieved")
TOP = 10  # first documents of a list of which it is told how many nobody judged
QUERY, DOCUMENT = ("query", "qid"), ("document", "doc", "docid")
YEAR = "year"
NO_FEATURES = ("grade", YEAR)


def read(
    qrels: str | Path | Sequence[str | Path],
    run_files: Sequence[str | Path],
    *,
    features: str | Path | None = None,
    pairs: str = "retrieved",
    negative: str = "drop",
    least_share: float = LEAST_SHARE,
) -> Collection:
    r"""The collection that judgments and the runs of several systems make.

    Its rows are judged pairs of a query and a document, in the order of their ids (by code points); its features are
    three of every run, in the order of the runs' names: "<run> score", scaled to 0 to 1 within the query's list,
    "<run> reciprocal rank", and "<run> retrieved", 1 or 0, all 0 where the run did not retrieve the document; then
    those of the CSV file. A run's list is in the order of trec_eval (see `runs.lists`); the order of files and of lines
    changes nothing.

    Parameters
    ----------
    qrels : a file of lines query, anything, document, grade, or several that have no query in common
    run_files : files of lines query, anything, document, rank, score, tag; a run is called as its file is, without .run
    features : a CSV file of more features, with columns query, document and one for each; grade and year are none
    pairs : "retrieved" takes the judged pairs that a run retrieved, "judged" all
    negative : "drop" leaves out pairs with a grade below 0, "refuse" refuses them
    least_share : a run with documents for a smaller share of the judged queries is left out

    Raises
    ------
    ValueError
        naming file and line: another number of fields, a grade that is no whole number up to 127, a rank or score that
        is no number, a pair given twice, no pair of the qrels; or when two runs have one name, or none has documents
        for enough queries.
    OSError
        when a file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     qrels, run = Path(folder, "qrels.txt"), Path(folder, "bm25.run")
    ...     _ = qrels.write_text("q1 0 a 2\nq1 0 b 0\nq1 0 c 1\n")
    ...     _ = run.write_text("q1 Q0 b 1 5.0 t\nq1 Q0 a 2 4.0 t\n")
    ...     collection = read(qrels, [run])
    >>> collection
    Collection 'qrels.txt': 1 queries, 2 documents, 3 features, grades 0-2
    >>> collection.features, collection.doc_ids
    (array([[0. , 0.5, 1. ],
           [1. , 1. , 1. ]], dtype=float32), array(['a', 'b'], dtype='<U1'))
    >>> collection.feature_names.tolist()
    ['bm25 score', 'bm25 reciprocal rank', 'bm25 retrieved']
    """
    how = {"features": features, "pairs": pairs, "negative": negative, "least_share": least_share}
    return read_noted(qrels, run_files, **how)[0]


def read_noted(
    qrels: str | Path | Sequence[str | Path],
    run_files: Sequence[str | Path],
    *,
    features: str | Path | None = None,
    pairs: str = "retrieved",
    negative: str = "drop",
    least_share: float = LEAST_SHARE,
) -> tuple[Collection, list[str]]:
    """The same with notes: what was left out, how odd files were read, and how much of the runs nobody judged."""
    checks.one_of("pairs", pairs, PAIRS)
    if not 0 <= least_share <= 1:
        raise ValueError(f"least_share is {least_share}, expected a share of queries from 0 to 1")
    qrels = [qrels] if isinstance(qrels, str | Path) else list(qrels)
    known = read_qrels(qrels, negative)
    runs, short = _covering([read_run(path, known) for path in _by_name(run_files)], known, least_share)
    more = [_statistics(features, known)] if features else []
    rows = np.ones(len(known.keys), bool) if pairs == "judged" else _retrieved(runs, len(known.keys))
    collection = _joined(known, runs, more, np.flatnonzero(rows), Path(qrels[0]).name)
    notes = [note for source in (known, *runs) for note in source.notes]
    unjudged = note_of_unjudged([(run.name, run.unjudged) for run in runs])
    return collection, [*notes, *short, unjudged, *_not_retrieved(known, rows), *_without_statistics(more, rows)]


def _by_name(run_files: Sequence[str | Path]) -> list[Path]:
    """The files in the order of the runs' names; ValueError where there is none, or two have one name."""
    paths = sorted((Path(path) for path in run_files), key=lambda path: (name_of(path), path))
    if not paths:
        raise ValueError("run_files is empty, expected at least one run")
    for one, other in pairwise(paths):
        if name_of(one) == name_of(other):
            raise ValueError(f"{one} and {other} are both called {name_of(one)}, expected different names")
    return paths


def _covering(runs: list[Run], qrels: Qrels, least_share: float) -> tuple[list[Run], list[str]]:
    """Runs with documents for enough queries, and notes on the others."""
    n = len(qrels.queries)
    kept = [run for run in runs if run.n_queries >= least_share * n]
    has = {run.name: f"documents for {run.n_queries:,} of {n:,} judged queries" for run in runs}
    if not kept:
        name, found = next(iter(has.items()))
        raise ValueError(f"{name} has {found}, and no run has more, expected a share of at least {least_share}")
    short = [run.name for run in runs if run.n_queries < least_share * n]
    return kept, [f"{name}: left out, as it has {has[name]}, a share below {least_share}." for name in short]


def _retrieved(runs: list[Run], n_pairs: int) -> np.ndarray:
    """(n_pairs,) whether a run retrieved each pair."""
    rows = np.zeros(n_pairs, bool)
    for run in runs:
        rows[run.pairs] = True
    return rows


def _joined(qrels: Qrels, runs: list[Run], more: list[_Statistics], rows: np.ndarray, name: str) -> Collection:
    width, row = len(FEATURES) * len(runs), np.empty(len(qrels.keys), np.int64)
    row[rows] = np.arange(len(rows))
    features = np.zeros((len(rows), width + sum(len(each.names) for each in more)), np.float32)
    for column, run in zip(range(0, width, len(FEATURES)), runs, strict=True):
        features[row[run.pairs], column : column + len(FEATURES)] = run.features()
    for each in more:
        features[:, width:] = each.values[rows]
    names = [f"{run.name} {feature}" for run in runs for feature in FEATURES] + [n for each in more for n in each.names]
    queries, group = np.unique(qrels.query[rows], return_counts=True)
    ids, documents = (
        _texts(ids, taken) for ids, taken in ((qrels.queries, queries), (qrels.documents, qrels.document[rows]))
    )
    return Collection(features, qrels.grades[rows], offsets_of(group), ids, documents, name, names)


def _texts(ids: pa.Array, taken: np.ndarray) -> np.ndarray:
    return np.array(ids.take(pa.array(taken)).to_pylist(), dtype=str)


def _not_retrieved(qrels: Qrels, rows: np.ndarray) -> list[str]:
    """A note on the pairs, and queries, that no run retrieved and that are therefore left out."""
    if rows.all():
        return []
    n, lost = len(rows), np.setdiff1d(qrels.query, qrels.query[rows])
    said = f"{int(n - rows.sum()):,} of {n:,} judged pairs are left out, as no run retrieved them"
    ids = texts.shown(qrels.queries.take(pa.array(lost)).to_pylist())
    return [f"{said}, and with them {len(lost):,} queries: {ids}." if len(lost) else f"{said}."]


def _without_statistics(more: list[_Statistics], rows: np.ndarray) -> list[str]:
    """A note on the rows whose further features are unknown."""
    missing = [int(np.sum(rows & ~each.has)) for each in more]
    return [f"{n:,} of {int(rows.sum()):,} rows have no more features than those of runs: 0." for n in missing if n]


@dataclass(frozen=True)
class Run:
    """What a run says of judged pairs."""

    name: str
    pairs: np.ndarray  # (n,) int64, those that it retrieved, as positions in the qrels
    scores: np.ndarray  # (n,) float32, from 0 for the lowest score of a query's list to 1 for the highest
    reciprocal_ranks: np.ndarray  # (n,) float32, 1 for the first document of a query's list
    n_queries: int  # of the qrels, those for which it retrieved a document, judged or not
    unjudged: float  # share of the first TOP documents of these queries that are not in the qrels
    notes: tuple[str, ...]

    def features(self) -> np.ndarray:
        """(n, 3) float32 of FEATURES for the pairs that it retrieved."""
        return np.column_stack([self.scores, self.reciprocal_ranks, np.ones(len(self.pairs), np.float32)])


def read_run(path: str | Path, qrels: Qrels) -> Run:
    """What a run says of the pairs of qrels; its places are those among all documents of the file, judged or not."""
    found = lists(path)
    queries, documents = (
        positions(ids.dictionary, known)
        for ids, known in ((found.queries, qrels.queries), (found.documents, qrels.documents))
    )
    query, place = queries[codes(found.queries)], found.places()
    pairs = qrels.find(query, documents[codes(found.documents)])
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


@dataclass(frozen=True)
class _Statistics:
    """Features of judged pairs, from a CSV file."""

    names: tuple[str, ...]
    values: np.ndarray  # (n_pairs, n_features) float32, 0 for pairs that the file does not have
    has: np.ndarray  # (n_pairs,) whether it has the pair


def _statistics(path: str | Path, qrels: Qrels) -> _Statistics:
    """What a CSV file says of the pairs of qrels; of other pairs it may say something too."""
    frame = _table(path)
    ids = [pa.array(frame[_key(path, frame, kind)], pa.string()) for kind in (QUERY, DOCUMENT)]
    names = tuple(name for name in frame.columns if name not in (*QUERY, *DOCUMENT, *NO_FEATURES))
    if not names:
        raise ValueError(f"{path}: columns {texts.shown(frame.columns)}, expected a feature among them")
    pairs = qrels.find(positions(ids[0], qrels.queries), positions(ids[1], qrels.documents))
    judged = pairs >= 0
    _refuse_pair_twice(path, frame, pairs)
    if not judged.any():
        raise ValueError(f"{path}: no pair of the qrels, expected ids as they have them")
    values = np.zeros((len(qrels.keys), len(names)), np.float32)
    for column, name in enumerate(names):
        values[pairs[judged], column] = _numbers(path, frame[name])[judged]
    has = np.zeros(len(values), bool)
    has[pairs[judged]] = True
    return _Statistics(names, values, has)


def years(path: str | Path) -> dict[str, str] | None:
    """Query -> year, where the CSV file has a column of that name."""
    frame = _table(path)
    if YEAR not in frame:
        return None
    queries = frame[_key(path, frame, QUERY)]
    first = frame[YEAR].groupby(queries).transform("first")
    contrary = frame.index[frame[YEAR] != first]
    if len(contrary):
        line = contrary[0]
        found = f"query {queries[line]} has year {frame[YEAR][line]}, and {first[line]} before"
        raise ValueError(f"{path}, line {line}: {found}, expected one year for each query")
    return dict(zip(queries, first, strict=True))


def _table(path: str | Path) -> pd.DataFrame:
    return texts.table(path, ",", ("query", "document", "…"))


def _key(path: str | Path, frame: pd.DataFrame, kind: tuple[str, ...]) -> str:
    found = [name for name in kind if name in frame]
    if len(found) != 1:
        raise ValueError(f"{path}: columns {texts.shown(frame.columns)}, expected one of {', '.join(kind)} among them")
    return found[0]


def _numbers(path: str | Path, column: pd.Series) -> np.ndarray:
    fits = column.str.fullmatch(NUMBER).to_numpy(bool)
    values = np.full(len(column), np.nan, np.float32)
    with np.errstate(over="ignore"):
        values[fits] = column[fits].astype(float)
    wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        found = texts.shown([column.iloc[wrong[0]]])
        raise ValueError(f"{path}, line {column.index[wrong[0]]}: {column.name} {found!r}, expected a finite number")
    return values


def _refuse_pair_twice(path: str | Path, frame: pd.DataFrame, pairs: np.ndarray) -> None:
    twice = np.flatnonzero(pd.Series(pairs).duplicated() & (pairs >= 0))
    if len(twice):
        raise ValueError(f"{path}, line {frame.index[twice[0]]}: a pair that an earlier line has, expected each once")
