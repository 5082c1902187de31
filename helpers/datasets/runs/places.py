"""Where the files of a collection of runs stand, a folder or a list of paths, and how they divide its queries."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from helpers import texts
from helpers.datasets import kept, sampling
from helpers.datasets.collection import Collection
from helpers.datasets.runs import joining, trec
from helpers.datasets.sources import EXPECTED, absolute

RUNS, FEATURES, FOLDS = "runs", "features.csv", ("folds.json", "folds/all_queries.json")
CACHE_FORMAT = 1  # to be raised when the same files would be read differently
WORDS = {
    "train": ("train_qids", "training", "train"),
    "validation": ("dev", "vali", "valid", "validation"),
    "test": ("test", "testing", "test_qids"),
}
INNER = "predict"  # of capreolus, which keeps the queries of validation and test there

Division = dict[str, set[str]]
"""Split -> ids of its queries."""


@dataclass(frozen=True)
class RunPlace:
    """The files that make a collection, under its name."""

    name: str
    qrels: list[Path]  # one file, or two: of training and of testing
    runs: Path  # folder of run files
    features: Path | None = None  # CSV file of more features
    folds: Path | None = None  # JSON file of official folds

    @property
    def run_files(self) -> list[Path]:
        """The files in the folder of runs, hidden ones left out; FileNotFoundError where there is none."""
        found = sorted(path for path in self.runs.iterdir() if path.is_file() and not path.name.startswith("."))
        if not found:
            raise FileNotFoundError(f"{self.runs}: no file, expected one for each run")
        return found

    def read(self) -> Collection:
        """Its collection, read once and from then on mapped from the user's cache (see `kept.cached`)."""
        own = [*self.qrels, self.runs, *filter(None, [self.features])]
        room = ("runs", CACHE_FORMAT, *(path.resolve() for path in own), self.name)
        collection = kept.cached(room, self._files, lambda: self._read()[0])
        collection.name = self.name
        return collection

    def notes(self) -> list[str]:
        """Sentences that say what was left out of it, and how odd files were read; the files are read for them."""
        return self._read()[1]

    def numbers(self) -> list[int]:
        """Numbers of the official folds, from 1; none where there are none, or a single split."""
        divisions = self._divisions()
        return list(range(1, len(divisions) + 1)) if len(divisions) > 1 else []

    def parts(self, fold: int | None = None, split: str | None = None) -> dict[str, Collection]:
        """The queries of each split of a fold, whichever is wanted, or {"whole": all} where no file divides them."""
        # By qrels of training and of testing, by a file of folds, or by years of features, each tested once in LETOR's
        # circle of years. A file of folds may have queries that the collection has not.
        divisions = self._divisions()
        if fold is not None and fold not in range(1, max(1, len(divisions)) + 1):
            found = f"folds {list(range(1, len(divisions) + 1))}" if len(divisions) > 1 else "no folds, only 1"
            raise ValueError(f"fold is {fold}, but {self.name} has {found}")
        collection = self.read()
        return self._divided(collection, divisions[(fold or 1) - 1]) if divisions else {"whole": collection}

    def _files(self) -> list[Path]:
        return [*self.qrels, *self.run_files, *filter(None, [self.features])]

    def _read(self) -> tuple[Collection, list[str]]:
        return joining.read_noted(self.qrels, self.run_files, features=self.features)

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

    def _divisions(self) -> list[Division]:
        """The divisions that the files give, fold after fold."""
        if len(self.qrels) == 2:
            sides = (set(trec.read_qrels([path]).queries.to_pylist()) for path in self.qrels)
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
    features, folds = ([place / own for own in names] for names in ([FEATURES], FOLDS))
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
    years = joining.years(path)
    if years is None:
        return []
    known = sorted(set(years.values()))
    of = {year: {query for query, own in years.items() if own == year} for year in known}
    return [
        {"train": set().union(*(of[year] for year in training)), "validation": of[validation], "test": of[test]}
        for training, validation, test in sampling.circle(known)
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
