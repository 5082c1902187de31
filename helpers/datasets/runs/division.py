"""Training, validation and test queries of a collection of runs, as its files divide them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from helpers import texts
from helpers.datasets import folds
from helpers.datasets.collection import Collection
from helpers.datasets.runs import qrels, statistics
from helpers.datasets.runs.source import Source

WORDS = {
    "train": ("train_qids", "training", "train"),
    "validation": ("dev", "vali", "valid", "validation"),
    "test": ("test", "testing", "test_qids"),
}
INNER = "predict"  # of capreolus, which keeps the queries of validation and test there

Division = dict[str, set[str]]
"""Split -> ids of its queries."""


def numbers(source: Source) -> list[int]:
    """Numbers of the official folds, from 1; none where there are none, or a single split.

    Parameters
    ----------
    source : where the files are

    Raises
    ------
    ValueError, OSError
        as `parts`.
    """
    divisions = _official(source)
    return list(range(1, len(divisions) + 1)) if len(divisions) > 1 else []


def parts(source: Source, fold: int | None = None) -> dict[str, Collection]:
    """The queries of each split of a fold, or {"whole": all queries} where the files do not divide them.

    They are divided by qrels of training and of testing, by a file of folds, or by the years that the CSV file of
    features has: each year is tested once, in LETOR's `circle` of years. A file of folds is JSON: for each fold, in
    their order, lists of query ids under train (training, train_qids), validation (vali, valid, dev), if there is one,
    and test (testing); the last two may stand under "predict". It may have queries that the collection has not.

    Parameters
    ----------
    source : where the files are
    fold : from 1, or None for the first there is

    Raises
    ------
    ValueError
        when there is no such fold, or a file of folds is none, or leaves out a query or has it in two splits.
    OSError
        when a file cannot be read.
    """
    divisions = _official(source)
    if fold is not None and fold not in range(1, max(1, len(divisions)) + 1):
        found = f"folds {list(range(1, len(divisions) + 1))}" if len(divisions) > 1 else "no folds, only 1"
        raise ValueError(f"fold is {fold}, but {source.name} has {found}")
    collection = source.read()
    if not divisions:
        return {"whole": collection}
    return _divided(collection, divisions[(fold or 1) - 1], source)


def _divided(collection: Collection, division: Division, source: Source) -> dict[str, Collection]:
    has = {split: np.isin(collection.query_ids, sorted(ids)) for split, ids in division.items()}
    times = np.sum(list(has.values()), axis=0)
    if np.any(times != 1):
        query = np.flatnonzero(times != 1)[0]
        found = f"{times[query]} of the splits {', '.join(has)} have query {collection.query_ids[query]}"
        raise ValueError(f"{source.folds or source.features}: {found}, expected each query in one")
    for split, queries in has.items():
        if not queries.any():
            raise ValueError(f"{source.folds or source.features}: no {split} query is in {source.name}, expected one")
    return {split: collection.take_queries(queries) for split, queries in has.items()}


def _official(source: Source) -> list[Division]:
    """The divisions that the files give, fold after fold."""
    if len(source.qrels) == 2:
        return [_by_qrels(source)]
    if source.folds:
        return _of_file(source.folds)
    return _by_year(source.features) if source.features else []


def _by_qrels(source: Source) -> Division:
    sides = (set(qrels.read([path]).queries.to_pylist()) for path in source.qrels)
    return dict(zip(("train", "test"), sides, strict=True))


def _by_year(path: Path) -> list[Division]:
    years = statistics.years(path)
    if years is None:
        return []
    known = sorted(set(years.values()))
    circle = folds.circle(known)
    of = {year: {query for query, own in years.items() if own == year} for year in known}
    return [
        {"train": set().union(*(of[year] for year in training)), "validation": of[validation], "test": of[test]}
        for training, validation, test in circle
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
