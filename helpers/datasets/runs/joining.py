"""Qrels and runs joined to a collection on which rankers learn to fuse the runs: read, found, divided into splits."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from helpers import checks, files, texts
from helpers.datasets import sampling
from helpers.datasets.collection import Collection, cache_entry, from_cache, into_cache, offsets_of
from helpers.datasets.runs.trec import (
    FEATURES,
    NEGATIVE,
    Qrels,
    Run,
    by_name,
    note_of_unjudged,
    positions,
    read_qrels,
    read_run,
)
from helpers.datasets.sources import EXPECTED, absolute

PAIRS = ("retrieved", "judged")
LEAST_SHARE = 0.5
QUERY, DOCUMENT = ("query", "qid"), ("document", "doc", "docid")
YEAR = "year"
NO_FEATURES = ("grade", YEAR)

RUNS, FEATURE_FILE, FOLD_FILES = "runs", "features.csv", ("folds.json", "folds/all_queries.json")
CACHE_FORMAT = 1  # to be raised when the same files would be read differently
WORDS = {
    "train": ("train_qids", "training", "train"),
    "validation": ("dev", "vali", "valid", "validation"),
    "test": ("test", "testing", "test_qids"),
}
INNER = "predict"  # of capreolus, which keeps the queries of validation and test there

Division = dict[str, set[str]]
"""Split -> ids of its queries."""


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
    return read_noted(qrels, run_files, features, pairs, negative, least_share)[0]


def read_noted(
    qrels: str | Path | Sequence[str | Path],
    run_files: Sequence[str | Path],
    features: str | Path | None = None,
    pairs: str = "retrieved",
    negative: str = "drop",
    least_share: float = LEAST_SHARE,
) -> tuple[Collection, list[str]]:
    """The same with notes: what was left out, how odd files were read, and how much of the runs nobody judged."""
    checks.one_of("pairs", pairs, PAIRS)
    checks.one_of("negative", negative, NEGATIVE)
    if not 0 <= least_share <= 1:
        raise ValueError(f"least_share is {least_share}, expected a share of queries from 0 to 1")
    qrels = [qrels] if isinstance(qrels, str | Path) else list(qrels)
    return _read(qrels, run_files, features, pairs, negative, least_share)


def _read(
    qrels: list[str | Path],
    run_files: Sequence[str | Path],
    features: str | Path | None,
    pairs: str = "retrieved",
    negative: str = "drop",
    least_share: float = LEAST_SHARE,
) -> tuple[Collection, list[str]]:
    known = read_qrels(qrels, negative)
    runs, short = _covering([read_run(path, known) for path in by_name(run_files)], known, least_share)
    more = _more_features(features, known)
    rows = np.full(len(known.keys), pairs == "judged")
    for run in runs:
        rows[run.pairs] = True
    collection = _joined(known, runs, more, np.flatnonzero(rows), Path(qrels[0]).name)
    notes = [note for source in (known, *runs) for note in source.notes]
    notes += [*short, note_of_unjudged([(run.name, run.unjudged) for run in runs]), *_not_retrieved(known, rows)]
    n_without = int(np.isnan(more.to_numpy()[rows]).any(axis=1).sum())
    if n_without:
        notes.append(f"{n_without:,} of {int(rows.sum()):,} rows have no more features than those of runs: 0.")
    return collection, notes


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


def _joined(qrels: Qrels, runs: list[Run], more: pd.DataFrame, rows: np.ndarray, name: str) -> Collection:
    width, row = len(FEATURES) * len(runs), np.empty(len(qrels.keys), np.int64)
    row[rows] = np.arange(len(rows))
    features = np.zeros((len(rows), width + more.shape[1]), np.float32)
    for column, run in zip(range(0, width, len(FEATURES)), runs, strict=True):
        features[row[run.pairs], column : column + len(FEATURES)] = run.features
    features[:, width:] = np.nan_to_num(more.to_numpy()[rows])
    names = [f"{run.name} {feature}" for run in runs for feature in FEATURES] + list(more)
    queries, group = np.unique(qrels.query[rows], return_counts=True)
    query_ids, doc_ids = _ids(qrels.queries, queries), _ids(qrels.documents, qrels.document[rows])
    return Collection(features, qrels.grades[rows], offsets_of(group), query_ids, doc_ids, name, names)


def _ids(ids: pa.Array, taken: np.ndarray) -> list[str]:
    return ids.take(pa.array(taken)).to_pylist()


def _not_retrieved(qrels: Qrels, rows: np.ndarray) -> list[str]:
    """A note on the pairs, and queries, that no run retrieved and that are therefore left out."""
    if rows.all():
        return []
    n, lost = len(rows), np.setdiff1d(qrels.query, qrels.query[rows])
    said = f"{int(n - rows.sum()):,} of {n:,} judged pairs are left out, as no run retrieved them"
    ids = texts.shown(_ids(qrels.queries, lost))
    return [f"{said}, and with them {len(lost):,} queries: {ids}." if len(lost) else f"{said}."]


def _more_features(path: str | Path | None, qrels: Qrels) -> pd.DataFrame:
    """A float32 column for each feature that a CSV file has of the pairs of qrels, NaN where it has not the pair."""
    if path is None:
        return pd.DataFrame(index=range(len(qrels.keys)), dtype=np.float32)
    frame = _table(path)
    queries, documents = (pa.array(frame[_key(path, frame, kind)], pa.string()) for kind in (QUERY, DOCUMENT))
    names = [name for name in frame.columns if name not in (*QUERY, *DOCUMENT, *NO_FEATURES)]
    if not names:
        raise ValueError(f"{path}: columns {texts.shown(frame.columns)}, expected a feature among them")
    pairs = pd.Series(qrels.find(positions(queries, qrels.queries), positions(documents, qrels.documents)), frame.index)
    pairs = pairs[pairs >= 0]
    if pairs.duplicated().any():
        line = pairs.index[pairs.duplicated()][0]
        raise ValueError(f"{path}, line {line}: a pair that an earlier line has, expected each once")
    if pairs.empty:
        raise ValueError(f"{path}: no pair of the qrels, expected ids as they have them")
    more = pd.DataFrame({name: _numbers(path, frame[name]) for name in names}, frame.index)
    return more.loc[pairs.index].set_axis(pairs).reindex(range(len(qrels.keys)))


def _table(path: str | Path) -> pd.DataFrame:
    return texts.table(path, ",", ("query", "document", "…"))


def _key(path: str | Path, frame: pd.DataFrame, kind: tuple[str, ...]) -> str:
    found = [name for name in kind if name in frame]
    if len(found) != 1:
        raise ValueError(f"{path}: columns {texts.shown(frame.columns)}, expected one of {', '.join(kind)} among them")
    return found[0]


def _numbers(path: str | Path, column: pd.Series) -> np.ndarray:
    with np.errstate(over="ignore"):
        values = texts.numbers(pa.array(column, pa.string())).astype(np.float32)
    wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        found = texts.shown([column.iloc[wrong[0]]])
        raise ValueError(f"{path}, line {column.index[wrong[0]]}: {column.name} {found!r}, expected a finite number")
    return values


@dataclass(frozen=True)
class RunPlace:
    """The files that make a collection, under its name."""

    name: str
    qrels: list[Path]  # one file, or two: of training and of testing
    runs: Path  # folder of run files
    features: Path | None = None  # CSV file of more features
    folds: Path | None = None  # JSON file of official folds

    @property
    def where(self) -> str:
        """What a refusal calls it."""
        return self.name

    def read(self) -> Collection:
        """Its collection, read once and from then on mapped from the user's cache."""
        entry = self._entry()
        collection = from_cache(entry)
        if collection is None:
            collection = into_cache(_read(self.qrels, files.of_runs(self.runs), self.features)[0], entry, self._entry())
        collection.name = self.name
        return collection

    def notes(self) -> list[str]:
        """Sentences that say what was left out of it, and how odd files were read; the files are read for them."""
        return _read(self.qrels, files.of_runs(self.runs), self.features)[1]

    def numbers(self) -> list[int]:
        """Numbers of the official folds, from 1; none where there are none, or a single split."""
        return list(range(1, len(self._divisions) + 1)) if len(self._divisions) > 1 else []

    def parts(self, fold: int) -> dict[str, Collection]:
        """The queries of each split of a fold, or {"whole": all} where no file divides them."""
        divisions, collection = self._divisions, self.read()
        return self._divided(collection, divisions[fold - 1]) if divisions else {"whole": collection}

    def _entry(self) -> Path:
        more = [self.features] if self.features else []
        room = ("runs", CACHE_FORMAT, *(path.resolve() for path in (*self.qrels, self.runs, *more)), self.name)
        return cache_entry(room, [*self.qrels, *files.of_runs(self.runs), *more])

    def _divided(self, collection: Collection, division: Division) -> dict[str, Collection]:
        has = {split: np.isin(collection.query_ids, sorted(ids)) for split, ids in division.items()}
        times = np.sum(list(has.values()), axis=0)
        if np.any(times != 1):
            query = np.flatnonzero(times != 1)[0]
            found = f"{times[query]} of the splits {', '.join(has)} have query {collection.query_ids[query]}"
            raise ValueError(f"{self.folds or self.features}: {found}, expected each query in one")
        for split, queries in has.items():
            if not queries.any():
                raise ValueError(f"{self.folds or self.features}: no {split} query is in {self.name}, expected one")
        return {split: collection.take_queries(queries) for split, queries in has.items()}

    @cached_property
    def _divisions(self) -> list[Division]:
        """The divisions that the files give, fold after fold: by qrels of training and of testing, by a file of folds,
        which may have queries that the collection has not, or by years of features."""
        if len(self.qrels) == 2:
            sides = (set(read_qrels([path]).queries.to_pylist()) for path in self.qrels)
            return [dict(zip(("train", "test"), sides, strict=True))]
        if self.folds:
            return _of_file(self.folds)
        return _by_year(self.features) if self.features else []


def is_folder(place: Path) -> bool:
    """Whether the folder `place` holds qrels and a folder of runs."""
    return (place / RUNS).is_dir() and any(place.glob("qrels*"))


def of_folder(place: Path, qrels: Sequence[str] = (), name: str = "") -> RunPlace:
    """What a folder holds, under its name or that one: the qrels named, or one, or qrels.train* and qrels.test*."""
    files = [place / own for own in qrels] or _qrels(place)
    for path in files:
        if not path.is_file():
            raise FileNotFoundError(f"{path}: no such file")
    features, folds = ([place / own for own in names] for names in ([FEATURE_FILE], FOLD_FILES))
    first = (next(filter(Path.is_file, candidates), None) for candidates in (features, folds))
    return RunPlace(name or place.name, files, place / RUNS, *first)


def of_list(dataset: str) -> RunPlace:
    """What a list of paths names: qrels, one or two, a folder of runs, and perhaps .csv of features, .json of folds."""
    paths = [Path(part) for part in absolute(dataset).split(",")]
    if judged := [path.name for path in paths if path.name.startswith("judgments")]:
        raise ValueError(
            f"dataset is {dataset!r}, expected no {judged[0]}: judgments of several people stand in a folder beside "
            "features.txt, or are the parameter judgments of study 01"
        )
    folders = [path for path in paths if path.is_dir()]
    features, folds = ([path for path in paths if texts.suffix(path) == end] for end in (".csv", ".json"))
    qrels = [path for path in paths if path not in [*folders, *features, *folds]]
    if len(folders) != 1 or len(qrels) not in (1, 2) or len(features) > 1 or len(folds) > 1:
        raise ValueError(f"dataset is {dataset!r}, expected {EXPECTED}")
    return RunPlace(qrels[0].name, qrels, folders[0], *(next(iter(own), None) for own in (features, folds)))


def _qrels(place: Path) -> list[Path]:
    found = sorted(path for path in place.glob("qrels*") if path.is_file())
    if len(found) == 1:
        return found
    pair = [[path for path in found if path.name.startswith(f"qrels.{part}")] for part in ("train", "test")]
    if len(found) == 2 and all(len(own) == 1 for own in pair):
        return [own[0] for own in pair]
    names = ", ".join(path.name for path in found)
    raise ValueError(
        f"{place}: found {names}, expected one file of qrels, or qrels.train and qrels.test, or {EXPECTED}"
    )


def _by_year(path: Path) -> list[Division]:
    """Each year that a CSV file has of its queries, if it has, is tested once in LETOR's circle."""
    frame = _table(path)
    if YEAR not in frame:
        return []
    queries = frame[_key(path, frame, QUERY)]
    first = frame[YEAR].groupby(queries).transform("first")
    if (frame[YEAR] != first).any():
        line = frame.index[frame[YEAR] != first][0]
        found = f"query {queries[line]} has year {frame[YEAR][line]}, and {first[line]} before"
        raise ValueError(f"{path}, line {line}: {found}, expected one year for each query")
    years = {year: set(own) for year, own in queries.groupby(frame[YEAR])}
    if len(years) in (1, 2):
        found = f"{YEAR} is {' or '.join(years)} in every line"
        raise ValueError(
            f"{path}: {found}, expected three years at least, for training, validation and test, or no {YEAR}"
        )
    return [
        {"train": set().union(*training), "validation": validation, "test": test}
        for training, validation, test in sampling.circle(list(years.values()))
    ]


def _of_file(path: Path) -> list[Division]:
    try:
        content = json.loads(texts.read(path))
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"{path}: no JSON ({error}), expected an object of folds") from error
    if not isinstance(content, dict) or not content:
        raise ValueError(f"{path}: {type(content).__name__}, expected an object of folds")
    return [_of_fold(path, name, fold) for name, fold in content.items()]


def _of_fold(path: Path, name: str, fold: Any) -> Division:
    lists = {**fold, **fold[INNER]} if isinstance(fold, dict) and isinstance(fold.get(INNER), dict) else fold
    if not isinstance(lists, dict):
        raise ValueError(f"{path}: fold {name!r} is {type(fold).__name__}, expected an object of lists of query ids")
    found = {split: next((lists[word] for word in words if word in lists), None) for split, words in WORDS.items()}
    division = {split: ids for split, ids in found.items() if ids is not None}
    for split, ids in division.items():
        if not isinstance(ids, list) or not all(isinstance(query, str) for query in ids):
            raise ValueError(f"{path}: fold {name!r}: {split} is no list of texts, expected query ids")
    if not {"train", "test"} <= division.keys():
        raise ValueError(
            f"{path}: fold {name!r} has {', '.join(lists)}, expected lists of query ids for train and test"
        )
    return {split: set(ids) for split, ids in division.items()}
