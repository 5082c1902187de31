"""Real data sets by name, found under the data directory, with their official splits."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
import pandas as pd

from helpers import paths, texts
from helpers.datasets import archives, folds, letor, lists
from helpers.datasets.collection import Collection, concatenate
from helpers.datasets.runs import division, source
from helpers.datasets.runs.source import Source
from helpers.datasets.sources import DATA_SETS, DataSet

T = TypeVar("T")


def names() -> list[str]:
    """Names that `load`, `splits` and `fetch` take."""
    return list(DATA_SETS)


def load(name: str | Path, fold: int | None = None, split: str | None = None) -> Collection:
    """A set, or a split of one of its folds, from the data directory.

    Parameters
    ----------
    name : one of `names`, or a path or paths as `splits` takes them
    fold : 1 to 5, by default the first there is
    split : "train", "validation" or "test"; by default the whole set, every query once

    Raises
    ------
    ValueError
        when there is no such name, fold or split.
    FileNotFoundError
        when the set is not here; the message says how to get it and where to put it.
    """
    if not (lists.is_list(name) or paths.named(name).exists()):
        _data_set(name)
    return concatenate(list(_parts(name, fold, split).values()))


def splits(
    dataset: str | Path, fold: int = 1, rng: np.random.Generator | None = None
) -> tuple[Collection, Collection, Collection]:
    """Training, validation and test queries of a named set, of LETOR files (see `folds.files`), or of qrels and runs.

    What is missing is drawn by query at random: a quarter of the training queries for validation, and where nothing
    divides the queries, as of a single file, 60 % for training, 20 % for validation, 20 % for test. All have the same
    number of features.

    Parameters
    ----------
    dataset : a name; the path of a LETOR file, or of a folder of them; the path of a folder that holds qrels* and runs/
        (see `runs.source.of_folder`); or a list of paths, such as "qrels.txt,runs/" (see `runs.source.of_list`)
    fold : from 1
    rng : generator for what is drawn

    Raises
    ------
    ValueError
        when there is no such fold, or something is to be drawn without rng or from too few queries.
    FileNotFoundError
        when the data is not here.
    """
    parts = _parts(dataset, fold)
    if "whole" in parts:
        return tuple(folds.draw(parts["whole"], (0.6, 0.2, 0.2), rng))
    if "validation" not in parts:
        parts["train"], parts["validation"] = folds.draw(parts["train"], (0.75, 0.25), rng)
    return parts["train"], parts["validation"], parts["test"]


def fold_numbers(dataset: str | Path) -> list[int]:
    """Numbers of the official folds of a data set, told by its files; none where it has a single split or is one file.

    Parameters
    ----------
    dataset : as `splits` takes it

    Raises
    ------
    FileNotFoundError
        when the data is not here.
    """
    if is_judged(dataset):
        return []
    place = _place_of(dataset)
    if isinstance(place, Source):
        return division.numbers(place)
    return [] if place.is_file() else folds.numbers(place)


def has_two_assessors(dataset: str | Path) -> bool:
    """Whether one assessor labelled the training queries of a data set and another its test queries: two qrels.

    Parameters
    ----------
    dataset : as `splits` takes it

    Raises
    ------
    FileNotFoundError
        when the data is not here.
    """
    place = None if is_judged(dataset) else _place_of(dataset)
    return isinstance(place, Source) and len(place.qrels) == 2


def is_judged(dataset: str | Path) -> bool:
    """Whether `dataset` is a folder, or names one, that holds judgments* beside features.txt, or beside qrels and runs.

    Such a folder is a judged collection, which `judged.read` reads.
    """
    return _judged_place(dataset) is not None


def judged_files(dataset: str | Path, tested_by: str = "") -> tuple[Collection, list[Path], str]:
    """Features of a judged collection, its files of judgments, and the file of qrels that tests, "" where none does.

    Parameters
    ----------
    dataset : the folder, of which `is_judged` is true
    tested_by : a file of qrels by its name, that between "qrels." and the ending in any case; or an assessor

    Raises
    ------
    ValueError, OSError
        when there are several files of qrels and tested_by is none of them, or a file cannot be read.
    """
    place = _judged_place(dataset)
    judgments, features = _judgments(place), _features(place)
    if features:
        collection = letor.cached(features)
        collection.name = place.name
        return collection, judgments, ""
    qrels = {path.name: path for path in sorted(place.glob("qrels*")) if path.is_file()}
    called = {name: name.removeprefix("qrels").strip(".").partition(".")[0] for name in qrels}
    wanted = [name for name in qrels if tested_by and tested_by.casefold() in (name, called[name].casefold())]
    if len(qrels) > 1 and len(wanted) != 1:
        known = ", ".join(called[name] or name for name in qrels)
        raise ValueError(
            f"{place}: {len(qrels)} files of qrels and tested_by is {tested_by!r}, expected one file, or tested_by one "
            f"of {known}"
        )
    [own] = wanted or qrels
    return replace(source.of_folder(place, (own,)), name=place.name).read(), judgments, own if wanted else ""


def notes(dataset: str | Path) -> list[str]:
    """What the readers left out of a data set, and how they read odd files, in sentences.

    Parameters
    ----------
    dataset : as `splits` takes it

    Raises
    ------
    FileNotFoundError
        when the data is not here.
    """
    if is_judged(dataset):
        name = _judged_place(dataset).name
        return [f"{name}: a document has the majority of its people's labels, of grades as frequent the more relevant."]
    place = _place_of(dataset)
    if isinstance(place, Source):
        return place.notes()
    counts_from_0 = letor.counts_from_0(next(iter(_parts(dataset, None).values())))
    return [f"{place.name}: its features count from 0, so that feature 0 is in the first column."] * counts_from_0


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


def _parts(dataset: str | Path, fold: int | None, split: str | None = None) -> dict[str, Collection]:
    """The splits of a fold, or one of them; {"whole": all queries} where nothing divides them."""
    if is_judged(dataset):
        raise ValueError(f"{dataset} is a judged collection, of several people's labels: expected one grade a document")
    place = _place_of(dataset)
    name, n_features = (dataset, DATA_SETS[dataset].n_features) if dataset in DATA_SETS else (place.name, None)
    if isinstance(place, Source):
        return _chosen(division.parts(place, fold), split, name)
    if place.is_file():
        return _chosen({"whole": _of_file(place, fold, name)}, split, name)
    return folds.read(_chosen(folds.files(place, fold), split, name), name, n_features)


def _chosen(parts: dict[str, T], split: str | None, name: str) -> dict[str, T]:
    """All parts where no split is named, or that part alone."""
    if split is None:
        return parts
    if split not in parts:
        raise ValueError(f"split is {split!r}, expected one of {', '.join(parts)} in {name}")
    return {split: parts[split]}


def _place_of(dataset: str | Path) -> Path | Source:
    """Qrels and runs, or a file or folder of LETOR text."""
    if lists.is_list(dataset):
        return source.of_list(str(dataset))
    named = DATA_SETS.get(dataset)
    place = _directory(dataset) if named else _path(dataset)
    if not source.is_folder(place):
        return place
    return replace(source.of_folder(place, named.qrels), name=dataset) if named else source.of_folder(place)


def _judged_place(dataset: str | Path) -> Path | None:
    """The folder of a judged collection; None where it is no such."""
    if lists.is_list(dataset):
        return None
    place = _place(DATA_SETS[dataset]) if dataset in DATA_SETS else Path(os.path.abspath(paths.named(dataset)))
    return place if place and _judgments(place) and (_features(place) or source.is_folder(place)) else None


def _judgments(place: Path) -> list[Path]:
    """Files of judgments in a folder, in the order of their names."""
    return sorted(path for path in place.glob("judgments*") if path.is_file())


def _features(place: Path) -> Path | None:
    """The file of features in a folder of a judged collection."""
    return next(filter(Path.is_file, (place / f"features.txt{end}" for end in folds.COMPRESSIONS)), None)


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
        if place.is_file() or source.is_folder(place) or _features(place):
            return place
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
    beside = f", and beside it {data_set.beside}" if data_set.beside else ""
    return f"get {data_set.archive or 'the files'} from {data_set.source} ({terms}) {unpacked}{beside}"


def _path(dataset: str | Path) -> Path:
    path = Path(os.path.abspath(paths.named(dataset)))
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file or folder, and no data set either ({', '.join(DATA_SETS)})")
    return texts.regular(path)


def _of_file(path: Path, fold: int | None, name: str) -> Collection:
    if fold not in (None, 1):
        raise ValueError(f"fold is {fold}, but {path} is a single file, expected 1")
    collection = letor.cached(path)
    collection.name = name
    return collection
