"""Where the files of a collection of runs stand: a folder, or a list of paths."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from helpers import texts
from helpers.datasets import cache, lists
from helpers.datasets.collection import Collection
from helpers.datasets.runs import joining

RUNS, FEATURES, FOLDS = "runs", "features.csv", ("folds.json", "folds/all_queries.json")
CACHE_FORMAT = 1  # to be raised when the same files would be read differently


@dataclass(frozen=True)
class Source:
    """Files that make a collection.

    Attributes
    ----------
    name : what to call the collection
    qrels : one file, or two: of training and of testing
    runs : folder of run files
    features : CSV file of more features, where there is one
    folds : JSON file of official folds, where there is one
    """

    name: str
    qrels: tuple[Path, ...]
    runs: Path
    features: Path | None = None
    folds: Path | None = None

    @property
    def run_files(self) -> list[Path]:
        """The files in the folder of runs, hidden ones left out; FileNotFoundError where there is none."""
        found = sorted(path for path in self.runs.iterdir() if path.is_file() and not path.name.startswith("."))
        if not found:
            raise FileNotFoundError(f"{self.runs}: no file, expected one for each run")
        return found

    def read(self) -> Collection:
        """Its collection, read once and from then on mapped from the user's cache (see `cache.kept`).

        Raises
        ------
        ValueError, OSError
            as `runs.read` and `cache.kept`.
        """
        own = [*self.qrels, self.runs, *filter(None, [self.features])]
        room = ("runs", CACHE_FORMAT, *(path.resolve() for path in own), self.name)
        collection = cache.kept(
            room, lambda: [*self.qrels, *self.run_files, *filter(None, [self.features])], self._read
        )
        collection.name = self.name
        return collection

    def notes(self) -> list[str]:
        """Sentences that say what was left out of it, and how odd files were read; the files are read for them.

        Raises
        ------
        ValueError, OSError
            as `runs.read`.
        """
        return joining.read_noted(self.qrels, self.run_files, features=self.features)[1]

    def _read(self) -> Collection:
        return joining.read(self.qrels, self.run_files, features=self.features)


def of_list(dataset: str) -> Source:
    """What a list of paths names: qrels, or those of training and those of testing, and a folder of runs.

    Parameters
    ----------
    dataset : paths parted by commas; one that ends in .csv is of features, one in .json of folds

    Raises
    ------
    ValueError
        when it names something else.
    FileNotFoundError
        when a path is not here.
    """
    paths = [Path(part) for part in lists.absolute(dataset).split(",")]
    if judged := [path.name for path in paths if path.name.startswith("judgments")]:
        raise ValueError(
            f"dataset is {dataset!r}, expected no {judged[0]}: judgments of several people stand in a folder beside "
            "features.txt, or are the parameter judgments of study 01"
        )
    folders = [path for path in paths if path.is_dir()]
    features, folds = ([path for path in paths if texts.suffix(path) == end] for end in (".csv", ".json"))
    qrels = [path for path in paths if path not in [*folders, *features, *folds]]
    if len(folders) != 1 or len(qrels) not in (1, 2) or len(features) > 1 or len(folds) > 1:
        raise ValueError(f"dataset is {dataset!r}, expected {lists.EXPECTED}")
    return Source(qrels[0].name, tuple(qrels), folders[0], *(next(iter(own), None) for own in (features, folds)))


def is_folder(place: Path) -> bool:
    """Whether the folder `place` holds qrels and a folder of runs."""
    return (place / RUNS).is_dir() and any(place.glob("qrels*"))


def of_folder(place: Path, qrels: tuple[str, ...] = ()) -> Source:
    """What a folder holds: one file qrels*, or qrels.train* and qrels.test*, beside a folder of runs.

    Parameters
    ----------
    place : the folder; features.csv, and folds.json or folds/all_queries.json, are taken where they are there
    qrels : names of the files of qrels, where others are there too

    Raises
    ------
    ValueError
        when there are other files of qrels.
    FileNotFoundError
        when one of the names is not there.
    """
    files = [place / name for name in qrels] or _qrels(place)
    for path in files:
        if not path.is_file():
            raise FileNotFoundError(f"{path}: no such file")
    features, folds = ([place / name for name in names] for names in ([FEATURES], FOLDS))
    first = (next(filter(Path.is_file, paths), None) for paths in (features, folds))
    return Source(place.name, tuple(files), place / RUNS, *first)


def _qrels(place: Path) -> list[Path]:
    found = sorted(path for path in place.glob("qrels*") if path.is_file())
    if len(found) == 1:
        return found
    pair = [[path for path in found if path.name.startswith(f"qrels.{part}")] for part in ("train", "test")]
    if len(found) == 2 and all(len(own) == 1 for own in pair):
        return [own[0] for own in pair]
    names = ", ".join(path.name for path in found)
    raise ValueError(
        f"{place}: found {names}, expected one file of qrels, or qrels.train and qrels.test, or {lists.EXPECTED}"
    )
