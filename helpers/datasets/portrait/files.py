"""A portrait: statistics of a collection that suffice to draw one like it, in a small file that can be shared."""

from __future__ import annotations

import hashlib
import io
import json
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from helpers import checks, files, paths

TEXTS = ("name", "source")
SUFFIX = "-portrait"  # of a data set that is drawn from a portrait
FILE_SUFFIX = ".npz"
CHECKSUM_LENGTH = 64  # bytes at the end of a file
COMMENT_LENGTH = CHECKSUM_LENGTH.to_bytes(2, "little")  # with which a zip archive announces a comment at its end


@dataclass(frozen=True)
class Portrait:
    """Statistics of a collection; see the package for the model that they belong to.

    Varying features are those with more than one value; graded features those that vary within some query."""

    name: str
    source: str  # what it was measured on
    grade_counts: np.ndarray  # (n_queries, n_grades) documents of each grade, for every query
    curve_sizes: np.ndarray  # (n_features,) knots of each marginal distribution
    curve_scores: np.ndarray  # (sum of curve_sizes,) the knots, feature after feature
    curve_values: np.ndarray
    varying: np.ndarray  # (n_features,) masks
    graded: np.ndarray
    normalised: np.ndarray  # lowest value 0 and highest 1 in every query where it varies
    whole: np.ndarray  # whole numbers only
    query_factor: np.ndarray  # (n_varying, any) query effects have covariance query_factor @ query_factor.T
    components: np.ndarray  # (n_graded, n_graded) rows; the scatter of graded features has covariance rows.T @ rows
    shift: np.ndarray  # (n_grades, n_graded) mean score of a grade, less that of grade 0
    position: np.ndarray  # (n_grades,) grades, centred and in units of their standard deviation
    slope: np.ndarray  # (n_graded,) standard deviation between queries of the slope along a component
    spread: np.ndarray  # (n_grades, n_graded) standard deviation of the scatter of a grade along a component
    strength: float = 1.0  # factor on the shift, matched to the nDCG@10 of a ranker

    @property
    def n_features(self) -> int:
        """Number of features of a document."""
        return len(self.curve_sizes)

    @property
    def grade_shares(self) -> np.ndarray:
        """(n_grades,) share of documents of each grade."""
        return self.grade_counts.sum(axis=0) / self.grade_counts.sum()

    def curve(self, feature: int) -> tuple[np.ndarray, np.ndarray]:
        """Knots (scores, values) of the marginal distribution of a feature."""
        stop = int(self.curve_sizes[: feature + 1].sum())
        knots = slice(stop - int(self.curve_sizes[feature]), stop)
        return self.curve_scores[knots], self.curve_values[knots]

    def __repr__(self) -> str:
        n_queries, n_grades = self.grade_counts.shape
        return (
            f"Portrait {self.name!r} of {n_queries:,} queries, {self.grade_counts.sum():,} documents, "
            f"{self.n_features} features, grades 0-{n_grades - 1}"
        )


def names() -> list[str]:
    """Names of the portraits that come with the project.

    >>> "mslr-sample" in names()
    True
    """
    return sorted(path.stem for path in _folder().glob("*.npz"))


def open(name: str) -> Portrait:
    """A portrait that comes with the project.

    Raises
    ------
    ValueError
        when there is none of that name; the message lists those there are.

    Examples
    --------
    >>> open("mslr-sample").n_features
    136
    """
    checks.one_of("portrait", name, names())
    return load(_folder() / f"{name}.npz")


def named(dataset: str) -> Portrait | None:
    """The portrait that a data set is drawn from, None for a data set that is no portrait.

    Parameters
    ----------
    dataset : "<name>-portrait", for one that comes with the project, or the path to a portrait file, which ends in
        .npz; anything else is no portrait

    Raises
    ------
    ValueError
        when there is no portrait of that name, or the file holds something else.
    FileNotFoundError
        when there is no such file.

    Examples
    --------
    >>> named("ohsumed-portrait").name, named("ohsumed")
    ('ohsumed', None)
    """
    if dataset.endswith(FILE_SUFFIX):
        return load(paths.named(dataset))
    return open(dataset.removesuffix(SUFFIX)) if dataset.endswith(SUFFIX) else None


def check_place(path: str | Path) -> None:
    """Raise ValueError, or OSError, where `save` could not write a portrait that `named` finds."""
    path = Path(path)
    if path.suffix != FILE_SUFFIX:
        raise ValueError(f"{path}: expected a file name that ends in {FILE_SUFFIX}")
    if path.is_dir():
        raise IsADirectoryError(f"{path}: found a folder, expected a file")
    files.check_links(path.parent)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise OSError(f"{path}: cannot be written: {error}") from error


def save(portrait: Portrait, path: str | Path) -> Path:
    """Write a portrait to a file that `numpy.load` opens, complete or not at all, and return its path.

    The last 64 bytes of the file, a comment to numpy, are the SHA-256 of the rest.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(open("mslr-sample"), Path(folder) / "mine.npz").name
    'mine.npz'
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    arrays = asdict(portrait)
    texts = json.dumps({text: arrays.pop(text) for text in TEXTS})
    content = io.BytesIO()
    np.savez_compressed(content, texts=texts, **arrays)
    body = content.getvalue()[: -len(COMMENT_LENGTH)] + COMMENT_LENGTH
    with files.replacing(path, "wb") as file:
        file.write(body + _checksum(body))
    return path


def load(path: str | Path) -> Portrait:
    """The portrait in the file at path.

    Raises
    ------
    ValueError
        when the file holds something else, or not all to the last bit that `save` wrote, or is no regular file.
    FileNotFoundError
        when there is no such file.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     load(save(open("mslr-sample"), Path(folder) / "mine.npz")).name
    'mslr-sample'
    """
    content = files.regular(path).read_bytes()
    if content[-CHECKSUM_LENGTH:] != _checksum(content[:-CHECKSUM_LENGTH]):
        raise ValueError(
            f"{path}: expected a portrait, as `label-studies portrait` writes it; this file is another, of an earlier "
            "release, or damaged: it does not end in the checksum of its contents"
        )
    with np.load(io.BytesIO(content)) as parts:
        arrays = dict(parts)
    try:
        texts = json.loads(str(arrays.pop("texts")))
        return Portrait(**texts, **arrays | {"strength": float(arrays["strength"])})
    except (KeyError, TypeError) as error:
        raise ValueError(f"{path}: expected a portrait of this release, found parts of another: {error}") from error


def _checksum(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()


def _folder() -> Path:
    return paths.project("data") / "portraits"
