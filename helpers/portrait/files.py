"""A portrait: statistics of a collection that suffice to draw one like it, in a small file that can be shared."""

from __future__ import annotations

import builtins
import json
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from helpers import paths

TEXTS = ("name", "source")
SUFFIX = "-portrait"  # of a data set that is drawn from a portrait


@dataclass(frozen=True)
class Portrait:
    """Statistics of a collection; see the package for the model that they belong to.

    Varying features are those with more than one value; graded features those that vary within some query.

    name, source : what to call it, and what it was measured on
    grade_counts : (n_queries, n_grades) documents of each grade, for every query
    curve_sizes : (n_features,) knots of each marginal distribution
    curve_scores, curve_values : (sum of curve_sizes,) the knots, feature after feature
    varying, graded : (n_features,) masks
    normalised : (n_features,) mask: lowest value 0 and highest 1 in every query where it varies
    whole : (n_features,) mask: whole numbers only
    constant_share : (n_features,) share of queries in which the feature is constant
    query_factor : (n_varying, any) query effects have covariance query_factor @ query_factor.T
    components, shift, position, slope, spread : see `effects.Effects`, for graded features
    strength : factor on the shift, matched to the nDCG@10 of a linear ranker
    """

    name: str
    source: str
    grade_counts: np.ndarray
    curve_sizes: np.ndarray
    curve_scores: np.ndarray
    curve_values: np.ndarray
    varying: np.ndarray
    graded: np.ndarray
    normalised: np.ndarray
    whole: np.ndarray
    constant_share: np.ndarray
    query_factor: np.ndarray
    components: np.ndarray
    shift: np.ndarray
    position: np.ndarray
    slope: np.ndarray
    spread: np.ndarray
    strength: float = 1.0

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
    """Names of the portraits that come with the project."""
    return sorted(path.stem for path in _folder().glob("*.npz"))


def open(name: str) -> Portrait:
    """A portrait that comes with the project.

    Raises
    ------
    ValueError
        when there is none of that name; the message lists those there are.
    """
    if name not in names():
        raise ValueError(f"there is no portrait {name!r}, expected one of {', '.join(names())}")
    return load(_folder() / f"{name}.npz")


def named(dataset: str) -> Portrait | None:
    """The portrait that a data set "<name>-portrait" is drawn from, None for a data set that is no portrait.

    >>> named("ohsumed-portrait").name, named("ohsumed")
    ('ohsumed', None)

    Raises
    ------
    ValueError
        when there is no portrait of that name.
    """
    return open(dataset.removesuffix(SUFFIX)) if dataset.endswith(SUFFIX) else None


def save(portrait: Portrait, path: str | Path) -> Path:
    """Write a portrait to a file, complete or not at all, and return its path."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    parts = asdict(portrait)
    texts = json.dumps({text: parts.pop(text) for text in TEXTS})
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez_compressed(file, texts=texts, **parts)
        os.chmod(beside, 0o644)
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise
    return path


def load(path: str | Path) -> Portrait:
    """Read a portrait from a file.

    Raises
    ------
    ValueError
        when the file holds something else.
    FileNotFoundError
        when there is no such file.
    """
    try:
        with builtins.open(path, "rb") as file, np.load(file) as parts:
            arrays = {part: parts[part] for part in parts.files}
        texts = json.loads(str(arrays.pop("texts")))
        return Portrait(**texts, **arrays | {"strength": float(arrays["strength"])})
    except (BadZipFile, EOFError, KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{path}: expected a portrait, a file that portrait.save has written") from error


def _folder() -> Path:
    return paths.project("data") / "portraits"
