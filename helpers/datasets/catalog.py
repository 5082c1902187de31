"""Real data sets by name, found under the data directory, with their official splits."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pandas as pd

from helpers import paths
from helpers.datasets import archives, folds, letor
from helpers.datasets.collection import Collection, concatenate
from helpers.datasets.sources import DATA_SETS, DataSet


def names() -> list[str]:
    """Names that `load`, `splits` and `fetch` take."""
    return list(DATA_SETS)


def load(name: str, fold: int | None = None, split: str | None = None) -> Collection:
    """A set, or a split of one of its folds, from the data directory.

    Parameters
    ----------
    fold : 1 to 5, by default the first there is
    split : "train", "validation" or "test"; by default the whole set, every query once

    Raises
    ------
    ValueError
        when there is no such name, fold or split.
    FileNotFoundError
        when the set is not here; the message says how to get it and where to put it.
    """
    data_set = _data_set(name)
    found = folds.files(_directory(name), fold)
    if split is not None:
        if split not in found:
            raise ValueError(f"split is {split!r}, expected one of {', '.join(found)} in {name}")
        found = {split: found[split]}
    return concatenate(list(folds.read(found, name, data_set.n_features).values()))


def splits(
    dataset: str | Path, fold: int = 1, rng: np.random.Generator | None = None
) -> tuple[Collection, Collection, Collection]:
    """Training, validation and test queries of a named set, a folder (see `folds.files`) or one LETOR file.

    What is missing is drawn by query at random: a quarter of the training queries for validation, and of a single
    file 60 % for training, 20 % for validation, 20 % for test. All have the same number of features.

    Parameters
    ----------
    dataset : a name, or a path
    fold : 1 to 5
    rng : generator for what is drawn

    Raises
    ------
    ValueError
        when there is no such fold, or something is to be drawn without rng or from too few queries.
    FileNotFoundError
        when the data is not here.
    """
    if dataset in DATA_SETS:
        place, name, n_features = _directory(dataset), dataset, DATA_SETS[dataset].n_features
    else:
        place, n_features = _path(dataset), None
        name = place.name
    if place.is_file():
        return _of_file(place, fold, rng)
    parts = folds.read(folds.files(place, fold), name, n_features)
    if "validation" not in parts:
        parts["train"], parts["validation"] = folds.draw(parts["train"], (0.75, 0.25), rng)
    return parts["train"], parts["validation"], parts["test"]


def fold_numbers(dataset: str | Path) -> list[int]:
    """Numbers of the official folds of a data set, told by its files; none where it has a single split or is one file.

    Parameters
    ----------
    dataset : a name, or a path, as `splits` takes it

    Raises
    ------
    FileNotFoundError
        when the data is not here.
    """
    place = _directory(dataset) if dataset in DATA_SETS else _path(dataset)
    return [] if place.is_file() else folds.numbers(place)


def sources() -> pd.DataFrame:
    """One row for each name: name, title, source, terms, and whether it is here."""
    rows = [(name, s.title, s.source, s.terms, _is_here(s)) for name, s in DATA_SETS.items()]
    return pd.DataFrame(rows, columns=["name", "title", "source", "terms", "here"])


def fetch(name: str) -> Path:
    """The folder of a set, which is downloaded if it is not here and can be.

    Raises
    ------
    ValueError
        when there is no such name, or what was downloaded is not what was expected.
    OSError
        when the set cannot be downloaded; the message says where to get it and where to put it.
    """
    data_set = _data_set(name)
    if data_set.download and not _is_here(data_set):
        try:
            data_set.download(paths.user_data() / data_set.folders[0])
        except OSError as error:
            raise OSError(f"{error}; {_by_hand(data_set)}") from error
    return _directory(name)


def _data_set(name: str) -> DataSet:
    if name not in DATA_SETS:
        raise ValueError(f"there is no data set {name!r}, expected one of {', '.join(DATA_SETS)}")
    return DATA_SETS[name]


def _directory(name: str) -> Path:
    """The folder that holds the set; its archive is unpacked where only that is here."""
    data_set = DATA_SETS[name]
    archive = _archive(data_set)
    if not _place(data_set) and archive:
        archives.unpack(archive, _unpacked(data_set))
    place = _place(data_set)
    if place:
        return place
    if archive:
        raise FileNotFoundError(f"{archive} was unpacked to {_unpacked(data_set)}, but {data_set.holds} is not there")
    way = f"`label-studies fetch {name}` gets it" if data_set.download else _by_hand(data_set)
    raise FileNotFoundError(f"{name} is not here: {way}")


def _place(data_set: DataSet) -> Path | None:
    for place in (paths.user_data() / folder for folder in data_set.folders):
        try:
            folds.files(place)
        except FileNotFoundError:
            continue
        return place
    return None


def _unpacked(data_set: DataSet) -> Path:
    return paths.user_data() / Path(data_set.folders[0]).parts[0]


def _archive(data_set: DataSet) -> Path | None:
    unpacked = _unpacked(data_set)
    places = (unpacked.with_name(unpacked.name + end) for end in archives.SUFFIXES)
    return next(filter(Path.is_file, places), None)


def _is_here(data_set: DataSet) -> bool:
    return bool(_place(data_set) or _archive(data_set))


def _by_hand(data_set: DataSet) -> str:
    """How a person gets the set, and where to put it."""
    data = paths.user_data()
    wanted = data / data_set.folders[0] / data_set.holds
    terms = data_set.terms + (f"; sha256 {data_set.sha256}" if data_set.sha256 else "")
    unpacked = f"so that {wanted} is there"
    if data_set.archive.endswith(".rar"):
        unpacked = f"and unpack it by hand, as Python opens no .rar, {unpacked}"
    elif data_set.archive:
        unpacked = f"and put it into {data}, or unpack it {unpacked}"
    return f"get {data_set.archive or 'the files'} from {data_set.source} ({terms}) {unpacked}"


def _path(dataset: str | Path) -> Path:
    path = Path(os.path.abspath(Path(dataset).expanduser()))
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file or folder, and no data set either ({', '.join(DATA_SETS)})")
    return path


def _of_file(path: Path, fold: int, rng: np.random.Generator | None) -> tuple[Collection, Collection, Collection]:
    if fold != 1:
        raise ValueError(f"fold is {fold}, but {path} is a single file, expected 1")
    collection = letor.cached(path)
    collection.name = path.name
    return tuple(folds.draw(collection, (0.6, 0.2, 0.2), rng))
