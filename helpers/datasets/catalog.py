"""Real data sets by name, or a user's own by path, found on disk once and read with their official splits."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import numpy as np
import pandas as pd

from helpers import files, paths
from helpers.datasets import fetch as fetching
from helpers.datasets import letor, sampling
from helpers.datasets.collection import Collection, concatenate
from helpers.datasets.runs import joining
from helpers.datasets.runs.joining import RunPlace
from helpers.datasets.sources import DATA_SETS, DataSet, is_list

WORDS = {"train": ["train"], "validation": ["vali", "valid", "validation"], "test": ["test"]}
PATTERNS = ("{}.txt", "rank.{}", "set1.{}.txt")  # LETOR, MSLR, Istella; LightGBM; Yahoo
COMPRESSIONS = ("", ".gz", ".bz2", ".xz")
INNER_FOLDERS = (".", "QueryLevelNorm", "sample")  # OHSUMED's, Istella's
FEATURES = "features.txt"  # in a folder of a judged collection
N_PARTS = 5


def names() -> list[str]:
    """Names that `load`, `splits` and `fetch` take.

    >>> "ohsumed" in names()
    True
    """
    return list(DATA_SETS)


def load(name: str | Path, fold: int | None = None, split: str | None = None) -> Collection:
    r"""A set, or a split of one of its folds, from the data directory.

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

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "mine.txt").write_text("1 qid:7 1:0.5\n0 qid:7 1:0.25\n")
    ...     load(f"{folder}/mine.txt").grades.tolist()
    [1, 0]
    """
    if not (is_list(name) or paths.named(name).exists()):
        _data_set(name)
    place = _place(name)
    parts = _parts(place, fold)
    if split is not None and split not in parts:
        raise ValueError(f"split is {split!r}, expected one of {', '.join(parts)} in {place.name}")
    return concatenate([part for own, part in parts.items() if split in (None, own)])


def splits(
    dataset: str | Path, fold: int = 1, rng: np.random.Generator | None = None
) -> tuple[Collection, Collection, Collection]:
    r"""Training, validation and test queries of a named set, of LETOR files, or of qrels and runs.

    What is missing is drawn by query at random: a quarter of the training queries for validation, and where nothing
    divides the queries, as of a single file, 60 % for training, 20 % for validation, 20 % for test. All have the same
    number of features.

    Parameters
    ----------
    dataset : a name; the path of a LETOR file, or of a folder of them: FoldK/train.txt, vali.txt and test.txt, five
        FoldK/test.txt alone, which take turns in LETOR's `sampling.circle`, or one file of each, packed ones as well;
        the path of a folder that holds qrels* (or qrels.train* and qrels.test*) and runs/; or a list of paths, such as
        "qrels.txt,runs/"
    fold : from 1
    rng : generator for what is drawn

    Raises
    ------
    ValueError
        when there is no such fold, or something is to be drawn without rng or from too few queries.
    FileNotFoundError
        when the data is not here.

    Examples
    --------
    Nothing divides five queries of a file, so that 3, 1 and 1 are drawn.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "mine.txt").write_text("".join(f"1 qid:{q} 1:0.5\n" for q in range(5)))
    ...     [part.n_queries for part in splits(f"{folder}/mine.txt", rng=np.random.default_rng(0))]
    [3, 1, 1]
    """
    parts = _parts(_place(dataset), fold)
    if "whole" in parts:
        return tuple(sampling.divide(parts["whole"], (0.6, 0.2, 0.2), rng))
    if "validation" not in parts:
        parts["train"], parts["validation"] = sampling.divide(parts["train"], (0.75, 0.25), rng)
    return parts["train"], parts["validation"], parts["test"]


def fold_numbers(dataset: str | Path) -> list[int]:
    """Numbers of the official folds of a data set, told by its files; none where it has one split or is one file."""
    return _place(dataset).numbers()


def check_one_assessor(dataset: str | Path, mixing: str) -> None:
    """Raise ValueError where two assessors labelled training and test queries, two qrels, for what would mix them."""
    place = _place(dataset)
    if isinstance(place, RunPlace) and len(place.qrels) == 2:
        raise ValueError(
            f"{dataset}: one assessor labelled its training queries and another its test queries, which {mixing} "
            "would mix: expected the qrels of one of them, QRELS,RUNS/"
        )


def is_judged(dataset: str | Path) -> bool:
    """Whether `dataset` is, or names, a judged collection: judgments* beside features.txt, or beside qrels and runs."""
    if is_list(dataset):
        return False
    place = _official(DATA_SETS[dataset]) if dataset in DATA_SETS else _absolute(dataset)
    return bool(place and _is_judged(place))


def judged_files(dataset: str | Path, tested_by: str = "") -> tuple[Collection, list[Path], str]:
    """Features of a judged collection, its files of judgments, and the file of qrels that tests, "" where none does:
    one by its name or by what stands between "qrels." and the ending, in any case. An assessor is in no file."""
    place = _directory(dataset) if dataset in DATA_SETS else _absolute(dataset)
    judgments, features = _judgments(place), _first_file(place, FEATURES)
    if features:
        return _named(letor.cached(features), place.name), judgments, ""
    qrels = {path.name: path for path in sorted(place.glob("qrels*")) if path.is_file()}
    called = {name: name.removeprefix("qrels").strip(".").partition(".")[0] for name in qrels}
    wanted = [name for name in qrels if tested_by and tested_by.casefold() in (name, called[name].casefold())]
    if len(qrels) > 1 and len(wanted) != 1:
        known = ", ".join(called[name] or name for name in qrels)
        raise ValueError(
            f"{place}: {len(qrels)} files of qrels and tested_by is {tested_by!r}, expected one file, or in study "
            f"01 tested_by, one of {known}"
        )
    [own] = wanted or qrels
    return joining.of_folder(place, [own], place.name).read(), judgments, own if wanted else ""


def notes(dataset: str | Path) -> list[str]:
    r"""What the readers left out of a data set, and how they read odd files, in sentences.

    Parameters
    ----------
    dataset : as `splits` takes it

    Raises
    ------
    FileNotFoundError
        when the data is not here.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "qrels.txt").write_text("7 0 a 1\n7 0 b 0\n")
    ...     Path(folder, "runs").mkdir()
    ...     _ = Path(folder, "runs", "mine.txt").write_text("7 Q0 a 1 2.5 mine\n7 Q0 c 2 1.5 mine\n")
    ...     print(*notes(folder), sep="\n")
    Not judged of the first 10 documents of each query: mine 50.0 %.
    1 of 2 judged pairs are left out, as no run retrieved them.
    """
    return _place(dataset).notes()


def sources() -> pd.DataFrame:
    """Frame name, title, source, terms, here of all data sets, a row for each name."""
    rows = [(name, s.title, s.source, s.terms, bool(_official(s) or _archive(s))) for name, s in DATA_SETS.items()]
    return pd.DataFrame(rows, columns=["name", "title", "source", "terms", "here"])


def fetch(name: str) -> Path:
    """The folder of a set, which is downloaded if it is not here and can be.

    Raises
    ------
    ValueError
        when there is no such name, or what was downloaded is not what was expected.
    OSError
        when the set cannot be downloaded; the message says where to get it and where to put it.

    Examples
    --------
    Downloaded once, and found from then on:

        fetch("clueweb09-webis")
    """
    data_set = _data_set(name)
    if data_set.download and not (_official(data_set) or _archive(data_set)):
        try:
            fetching.download(data_set, paths.user_data() / data_set.folders[0])
        except OSError as error:
            raise OSError(f"{error}; {_by_hand(data_set)}") from error
    return _directory(name)


@dataclass(frozen=True)
class _LetorPlace:
    """A file of LETOR text, or a folder of such files."""

    name: str
    path: Path
    n_features: int | None = None

    @property
    def where(self) -> str:
        return f"{self.path} is a single file, which" if self.path.is_file() else str(self.path)

    def numbers(self) -> list[int]:
        return [] if self.path.is_file() else _folds(_folder(self.path))

    def parts(self, fold: int) -> dict[str, Collection]:
        """The splits of a fold; {"whole": all queries} of a single file."""
        found = {"whole": [self.path]} if self.path.is_file() else _split_files(_folder(self.path), fold)
        return _read(found, self.name, self.n_features)

    def notes(self) -> list[str]:
        """How its features count, where that is odd."""
        if letor.counts_from_0(next(iter(_parts(self).values()))):
            return [f"{self.path.name}: its features count from 0, so that feature 0 is in the first column."]
        return []


@dataclass(frozen=True)
class _JudgedPlace:
    """A folder of several people's labels."""

    name: str
    where: str

    def numbers(self) -> list[int]:
        return []

    def parts(self, fold: int) -> NoReturn:
        raise ValueError(
            f"{self.where} is a judged collection, of several people's labels: expected one grade a document"
        )

    def notes(self) -> list[str]:
        """What grade a document has."""
        return [
            f"{self.name}: a document has the majority of its people's labels, of grades as frequent the more relevant."
        ]


_Place = _LetorPlace | RunPlace | _JudgedPlace


def _place(dataset: str | Path) -> _Place:
    """Where a data set stands, asked once for all that is to be known of it."""
    if dataset in DATA_SETS:
        directory, data_set = _directory(dataset), DATA_SETS[dataset]
        if directory.is_file() or _first_folder(directory):
            return _LetorPlace(dataset, directory, data_set.n_features)
        if _is_judged(directory):
            return _JudgedPlace(dataset, dataset)
        return joining.of_folder(directory, data_set.qrels, dataset)
    if is_list(dataset):
        return joining.of_list(str(dataset))
    path = _absolute(dataset)
    if _is_judged(path):
        return _JudgedPlace(path.name, str(dataset))
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file or folder, and no data set either ({', '.join(DATA_SETS)})")
    return joining.of_folder(path) if joining.is_folder(path) else _LetorPlace(path.name, files.regular(path))


def _parts(place: _Place, fold: int | None = None) -> dict[str, Collection]:
    """The queries of each split of a fold, by default the first, or {"whole": all} where nothing divides them."""
    numbers = place.numbers()
    if fold is not None and fold not in (numbers or [1]):
        has = f"folds {numbers}" if numbers else "no folds, only 1"
        raise ValueError(f"fold is {fold}, but {place.where} has {has}")
    return place.parts(fold or next(iter(numbers), 1))


def _absolute(dataset: str | Path) -> Path:
    return Path(os.path.abspath(paths.named(dataset)))


def _is_judged(place: Path) -> bool:
    return bool(_judgments(place) and (_first_file(place, FEATURES) or joining.is_folder(place)))


def _judgments(place: Path) -> list[Path]:
    """Files of judgments in a folder, in the order of their names."""
    return sorted(path for path in place.glob("judgments*") if path.is_file())


def _data_set(name: str) -> DataSet:
    if name not in DATA_SETS:
        raise ValueError(f"there is no data set {name!r}, expected one of {', '.join(DATA_SETS)}")
    return DATA_SETS[name]


def _directory(name: str) -> Path:
    """The folder that holds the set; its archive is unpacked where only that is here."""
    data_set = DATA_SETS[name]
    if place := _official(data_set):
        return place
    if archive := _archive(data_set):
        known = archive.name == data_set.archive  # another one was packed by somebody else
        fetching.unpack(archive, _unpacked(data_set), data_set.sha256 if known else "")
        if place := _official(data_set):
            return place
        raise FileNotFoundError(f"{archive} was unpacked to {_unpacked(data_set)}, but {data_set.holds} is not there")
    way = f"`label-studies fetch {name}` gets it" if data_set.download else _by_hand(data_set)
    raise FileNotFoundError(f"{name} is not here: {way}")


def _official(data_set: DataSet) -> Path | None:
    """The first of its folders that holds it."""
    for place in (paths.user_data() / folder for folder in data_set.folders):
        if place.is_file() or _first_folder(place) or _first_file(place, FEATURES) or joining.is_folder(place):
            return place
    return None


def _unpacked(data_set: DataSet) -> Path:
    return paths.user_data() / Path(data_set.folders[0]).parts[0]


def _archive(data_set: DataSet) -> Path | None:
    unpacked = _unpacked(data_set)
    candidates = (unpacked.with_name(unpacked.name + end) for end in fetching.SUFFIXES)
    return next(filter(Path.is_file, candidates), None)


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


def _named(collection: Collection, name: str) -> Collection:
    collection.name = name
    return collection


def _read(found: dict[str, list[Path]], name: str, n_features: int | None) -> dict[str, Collection]:
    """A collection for each split, all as wide as the widest file, and counted from 0 where one of them is."""
    files = {path: letor.cached(path, n_features) for split in found.values() for path in split}
    from_0 = any(map(letor.counts_from_0, files.values()))  # a file may lack the first feature: zeros may be left out
    widest = n_features or max(own.n_features + (from_0 > letor.counts_from_0(own)) for own in files.values())
    for path, own in files.items():
        if own.n_features < widest or letor.counts_from_0(own) < from_0:
            files[path] = letor.cached(path, widest, 0 if from_0 else None)
    return {split: _named(concatenate([files[path] for path in own]), name) for split, own in found.items()}


def _folder(directory: Path) -> Path:
    folder = _first_folder(directory)
    if folder is None:
        expected = "Fold1 to Fold5, files as train.txt and test.txt, or qrels* and runs/"
        found = sorted(path.name for path in directory.iterdir())
        shown = ", ".join(found[:8] + ["…"] * (len(found) > 8)) or "nothing"
        raise FileNotFoundError(f"{directory}: expected {expected}, found {shown}")
    return folder


def _first_folder(directory: Path) -> Path | None:
    """The folder of folds or files: this one or one in it; programs that unpack often add one of the same name."""
    roots = (directory, directory / directory.name)
    candidates = (root / inner for root in roots for inner in INNER_FOLDERS)
    return next((folder for folder in candidates if _folds(folder) or _is_split(folder)), None)


def _folds(folder: Path) -> list[int]:
    found = (re.fullmatch(r"Fold([1-9])", path.name) for path in folder.glob("Fold*"))
    return sorted(int(name[1]) for name in found if name)


def _is_split(folder: Path) -> bool:
    return {"train", "test"} <= _single_files(folder).keys()


def _single_files(folder: Path) -> dict[str, list[Path]]:
    """The file of each split, under the first pattern of names that any has."""
    for pattern in PATTERNS:
        found = {split: _first_file(folder, *map(pattern.format, words)) for split, words in WORDS.items()}
        if any(found.values()):
            return {split: [path] for split, path in found.items() if path}
    return {}


def _first_file(folder: Path, *names: str) -> Path | None:
    """The first of the names that the folder has, packed or not."""
    return next(filter(Path.is_file, (folder / (name + end) for name in names for end in COMPRESSIONS)), None)


def _split_files(folder: Path, fold: int) -> dict[str, list[Path]]:
    """Files of "train", "validation" (where there is one) and "test"; together they hold every query once."""
    own = folder / f"Fold{fold}" if _folds(folder) else folder
    if _is_split(own):
        return _single_files(own)
    tests = []
    for part in (folder / f"Fold{number}" for number in range(1, N_PARTS + 1)):
        if "test" not in (found := _single_files(part)):
            raise FileNotFoundError(f"{part}: expected train.txt and test.txt, or test.txt in each of five folds")
        tests += found["test"]
    training, validation, test = sampling.circle(tests)[fold - 1]
    return {"train": training, "validation": [validation], "test": [test]}
