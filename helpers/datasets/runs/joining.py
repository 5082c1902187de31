"""Qrels and runs joined to a collection: rankers that learn on it learn to fuse the runs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa

from helpers import checks, texts
from helpers.datasets.collection import Collection, offsets_of
from helpers.datasets.runs import qrels as judged
from helpers.datasets.runs import run as retrieved
from helpers.datasets.runs import statistics
from helpers.datasets.runs.qrels import Qrels
from helpers.datasets.runs.run import FEATURES, Run

PAIRS = ("retrieved", "judged")
LEAST_SHARE = 0.5


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
    features : a CSV file of more features (see `runs.statistics.read`)
    pairs : "retrieved" takes the judged pairs that a run retrieved, "judged" all
    negative : "drop" leaves out pairs with a grade below 0, "refuse" refuses them
    least_share : a run with documents for a smaller share of the judged queries is left out

    Raises
    ------
    ValueError
        naming file and line: what `runs.qrels.read`, `runs.run.read` and `runs.statistics.read` refuse; or when two
        runs have one name, or none has documents for enough queries.
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
    """The same with notes: what was left out, how odd files were read, and how much of the runs nobody judged.

    Parameters
    ----------
    qrels, run_files, features, pairs, negative, least_share : as `read` takes them

    Raises
    ------
    ValueError, OSError
        as `read`.
    """
    checks.one_of("pairs", pairs, PAIRS)
    if not 0 <= least_share <= 1:
        raise ValueError(f"least_share is {least_share}, expected a share of queries from 0 to 1")
    qrels = [qrels] if isinstance(qrels, str | Path) else list(qrels)
    known = judged.read(qrels, negative)
    runs, short = _covering([retrieved.read(path, known) for path in _by_name(run_files)], known, least_share)
    more = [statistics.read(features, known)] if features else []
    rows = np.ones(len(known.keys), bool) if pairs == "judged" else _retrieved(runs, len(known.keys))
    collection = _joined(known, runs, more, np.flatnonzero(rows), Path(qrels[0]).name)
    notes = [note for source in (known, *runs) for note in source.notes]
    unjudged = retrieved.note_of_unjudged([(run.name, run.unjudged) for run in runs])
    return collection, [*notes, *short, unjudged, *_not_retrieved(known, rows), *_without_statistics(more, rows)]


def _by_name(run_files: Sequence[str | Path]) -> list[Path]:
    """The files in the order of the runs' names; ValueError where there is none, or two have one name."""
    paths = sorted((Path(path) for path in run_files), key=lambda path: (retrieved.name_of(path), path))
    if not paths:
        raise ValueError("run_files is empty, expected at least one run")
    for one, other in pairwise(paths):
        if retrieved.name_of(one) == retrieved.name_of(other):
            raise ValueError(f"{one} and {other} are both called {retrieved.name_of(one)}, expected different names")
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


def _joined(
    qrels: Qrels, runs: list[Run], more: list[statistics.Statistics], rows: np.ndarray, name: str
) -> Collection:
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


def _without_statistics(more: list[statistics.Statistics], rows: np.ndarray) -> list[str]:
    """A note on the rows whose further features are unknown."""
    missing = [int(np.sum(rows & ~each.has)) for each in more]
    return [f"{n:,} of {int(rows.sum()):,} rows have no more features than those of runs: 0." for n in missing if n]
