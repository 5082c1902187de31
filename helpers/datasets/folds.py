"""Training, validation and test queries of a set: official folds, single splits, or drawn at random."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np

from helpers.datasets import letor
from helpers.datasets.collection import Collection, concatenate

WORDS = {"train": ["train"], "validation": ["vali", "valid", "validation"], "test": ["test"]}
PATTERNS = ("{}.txt", "rank.{}", "set1.{}.txt")  # LETOR, MSLR, Istella; LightGBM; Yahoo
COMPRESSIONS = ("", ".gz", ".bz2", ".xz")
INNER_FOLDERS = (".", "QueryLevelNorm", "sample")  # OHSUMED's, Istella's
N_PARTS = 5

Part = TypeVar("Part")


def circle(parts: Sequence[Part]) -> list[tuple[list[Part], Part, Part]]:
    """Training parts, validation part and test part of every fold, as LETOR divides a collection (Qin et al. 2010).

    Of its parts S1 to S5, FoldK of LETOR trains on SK and the next two, validates on the one after them and tests on
    the last: each part is tested once, those that follow it train, and the one before it validates.

    Parameters
    ----------
    parts : in a circle, at least two; those of training are two fewer

    Returns
    -------
    list : one (training, validation, test) for each part, in the order in which the parts are tested

    Examples
    --------
    >>> circle(["S5", "S1", "S2", "S3", "S4"])[0]
    (['S1', 'S2', 'S3'], 'S4', 'S5')
    """
    turned = [[*parts[k:], *parts[:k]] for k in range(len(parts))]
    return [(training, validation, test) for test, *training, validation in turned]


def numbers(directory: Path) -> list[int]:
    """Numbers of the official folds that a folder holds, as `files` takes them; none where it holds a single split.

    Parameters
    ----------
    directory : a folder as `files` takes it

    Raises
    ------
    FileNotFoundError
        when the folder holds neither folds nor the files of a split.
    """
    return _folds(_folder(directory))


def files(directory: Path, fold: int | None = None) -> dict[str, list[Path]]:
    """Files of the splits "train", "validation" (where there is one) and "test"; together they hold every query once.

    Read are FoldK/train.txt, vali.txt and test.txt; five FoldK/test.txt alone, disjoint, which take turns in LETOR's
    `circle`; and a folder without folds that holds one file of each. Compressed files as well.

    Parameters
    ----------
    directory : the folder
    fold : 1 to 5, or None for the first there is

    Raises
    ------
    FileNotFoundError
        when the folder does not hold such files.
    ValueError
        when the fold is not there.
    """
    folder = _folder(directory)
    folds = _folds(folder)
    if fold is not None and fold not in (folds or [1]):
        raise ValueError(f"fold is {fold}, but {directory} has {f'folds {folds}' if folds else 'no folds, only 1'}")
    return _fold_files(folder, fold or folds[0]) if folds else _split_files(folder)


def read(found: dict[str, list[Path]], name: str, n_features: int | None = None) -> dict[str, Collection]:
    """A collection for each split, all with the same number of features, counted from 0 in all files where one does.

    Parameters
    ----------
    found : split -> its files, as `files` gives them
    name : of each collection
    n_features : of all documents; None is as many as the file with most features has
    """
    paths = [path for split in found.values() for path in split]
    collections = [letor.cached(path, n_features) for path in paths]
    if any(map(letor.counts_from_0, collections)):  # a file may lack the first feature, as zeros may be left out
        collections = [letor.cached(path, n_features, base=0) for path in paths]
    base = 0 if letor.counts_from_0(collections[0]) else None
    widest = max(collection.n_features for collection in collections)
    equal = (
        c if c.n_features == widest else letor.cached(p, widest, base) for p, c in zip(paths, collections, strict=True)
    )
    splits = {split: concatenate(list(islice(equal, len(own)))) for split, own in found.items()}
    for collection in splits.values():
        collection.name = name
    return splits


def draw(collection: Collection, shares: Sequence[float], rng: np.random.Generator | None) -> list[Collection]:
    """Divide the queries at random into collections of those shares, each of at least one query.

    Parameters
    ----------
    collection : whose queries are divided
    shares : of the queries, which add up to 1
    rng : draws which queries go where; None is an error that says so

    >>> c = Collection([[1.0], [2.0], [3.0], [4.0]], [0, 1, 2, 3], [0, 1, 2, 3, 4])
    >>> [part.n_queries for part in draw(c, [0.6, 0.2, 0.2], np.random.default_rng(1))]
    [2, 1, 1]

    Raises
    ------
    ValueError
        when there are fewer queries than shares, or no generator to draw with.
    """
    n = collection.n_queries
    if n < len(shares):
        raise ValueError(f"{collection.name} has {n} queries, expected at least {len(shares)} to divide")
    if rng is None:
        raise ValueError(f"rng is None, expected a numpy Generator: queries of {collection.name} are divided at random")
    sizes = [max(1, round(share * n)) for share in shares[1:]]
    cuts = np.cumsum([n - sum(sizes), *sizes[:-1]])
    return [collection.take_queries(np.sort(part)) for part in np.split(rng.permutation(n), cuts)]


def _folder(directory: Path) -> Path:
    """The folder of folds or files: this one or one in it; programs that unpack often add one of the same name."""
    roots = (directory, directory / directory.name)
    for folder in (root / inner for root in roots for inner in INNER_FOLDERS):
        if _folds(folder) or _is_split(folder):
            return folder
    expected = "Fold1 to Fold5, files as train.txt and test.txt, or qrels* and runs/"
    raise FileNotFoundError(f"{directory}: expected {expected}, found {_contents(directory)}")


def _folds(folder: Path) -> list[int]:
    names = (re.fullmatch(r"Fold([1-9])", path.name) for path in folder.glob("Fold*"))
    return sorted(int(name[1]) for name in names if name)


def _is_split(folder: Path) -> bool:
    return {"train", "test"} <= _split_files(folder).keys()


def _split_files(folder: Path) -> dict[str, list[Path]]:
    """The file of each split, under the first pattern of names that any has."""
    for pattern in PATTERNS:
        found = {split: _first_file(folder, pattern, words) for split, words in WORDS.items()}
        if any(found.values()):
            return {split: [path] for split, path in found.items() if path}
    return {}


def _first_file(folder: Path, pattern: str, words: list[str]) -> Path | None:
    places = (folder / (pattern.format(word) + end) for word in words for end in COMPRESSIONS)
    return next(filter(Path.is_file, places), None)


def _fold_files(folder: Path, fold: int) -> dict[str, list[Path]]:
    if _is_split(folder / f"Fold{fold}"):
        return _split_files(folder / f"Fold{fold}")
    tests = [_test_part(folder / f"Fold{number}") for number in range(1, N_PARTS + 1)]
    training, validation, test = circle(tests)[fold - 1]
    return {"train": training, "validation": [validation], "test": [test]}


def _test_part(folder: Path) -> Path:
    part = _split_files(folder).get("test")
    if part is None:
        raise FileNotFoundError(f"{folder}: expected train.txt and test.txt, or test.txt in each of five folds")
    return part[0]


def _contents(directory: Path) -> str:
    names = sorted(path.name for path in directory.iterdir())
    return ", ".join(names[:8] + ["…"] * (len(names) > 8)) or "nothing"
