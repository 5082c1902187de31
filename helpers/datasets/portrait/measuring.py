"""The portrait of a collection."""

from __future__ import annotations

import numpy as np

from helpers.datasets.collection import Collection
from helpers.datasets.portrait import effects, strength
from helpers.datasets.portrait.curves import curve
from helpers.datasets.portrait.files import Portrait
from helpers.datasets.portrait.scores import normal_scores

FEWEST_QUERIES = 10
MOST_DOCS = 100_000  # of a larger collection, queries with about so many documents are drawn to measure features on


def measure(
    collection: Collection, name: str, rng: np.random.Generator | None = None, *, source: str | None = None
) -> Portrait:
    """Statistics of a collection from which `draw` makes others like it.

    No row can be read off a portrait: it holds quantiles, values that at least five documents share (five queries,
    of a feature that is constant within queries), means, covariances, and of every query how many documents it has
    of each grade. The means of a grade that hardly any document has are means of few.

    Parameters
    ----------
    name : what to call it
    rng : for ties, drawn scores and the trial collections that the strength is matched on; None draws the same each
        time, so that a collection has one portrait
    source : what it was measured on, for whoever gets the file; by default the collection's name and size

    Raises
    ------
    ValueError
        when there are fewer than 10 queries, only one grade, or no feature that varies within a query.
    """
    rng = np.random.default_rng(0) if rng is None else rng
    grade_counts = collection.grade_counts(int(collection.grades.max()) + 1)
    sample = _sample(collection, rng)
    _check(sample, name)
    portrait = Portrait(
        name=name,
        source=str(collection) if source is None else source,
        grade_counts=grade_counts.astype(np.int32),
        **_marginals(sample),
        **_kinds(sample),
        **_latent(sample, rng),
    )
    return strength.matched(portrait, strength.cross_validated(sample), sample.n_queries, rng)


def _sample(collection: Collection, rng: np.random.Generator) -> Collection:
    if collection.n_docs <= MOST_DOCS:
        return collection
    order = rng.permutation(collection.n_queries)
    fitting = np.searchsorted(np.cumsum(collection.group[order]), MOST_DOCS)
    return collection.take_queries(np.sort(order[: max(fitting, FEWEST_QUERIES)]))


def _check(collection: Collection, name: str) -> None:
    if collection.n_queries < FEWEST_QUERIES:
        raise ValueError(f"{name} has {collection.n_queries} queries, expected at least {FEWEST_QUERIES} to portray it")
    if collection.grades.min() == collection.grades.max():
        raise ValueError(f"{name} has grade {collection.grades[0]} only, expected at least two grades")
    if not _kinds(collection)["graded"].any():
        raise ValueError(f"{name} has no feature that varies within a query, expected at least one")


def _marginals(collection: Collection) -> dict[str, np.ndarray]:
    """Curves of all features; one that is constant within queries has one value a query."""
    graded = _kinds(collection)["graded"]
    by_query = collection.features[collection.offsets[:-1]]
    columns = (collection.features[:, j] if graded[j] else by_query[:, j] for j in range(collection.n_features))
    scores, values = zip(*map(curve, columns), strict=True)
    return {
        "curve_sizes": np.array([len(knots) for knots in scores], dtype=np.int32),
        "curve_scores": np.concatenate(scores).astype(np.float32),
        "curve_values": np.concatenate(values).astype(np.float32),
    }


def _kinds(collection: Collection) -> dict[str, np.ndarray]:
    """Masks of features."""
    features, starts = collection.features, collection.offsets[:-1]
    low, high = np.minimum.reduceat(features, starts), np.maximum.reduceat(features, starts)
    constant = low == high
    return {
        "varying": low.min(axis=0) < high.max(axis=0),
        "graded": ~constant.all(axis=0),
        "normalised": ~constant.all(axis=0) & (constant | ((low == 0) & (high == 1))).all(axis=0),
        "whole": (features == np.rint(features)).all(axis=0),
    }


def _latent(collection: Collection, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Parts of the model of the scores of varying features."""
    kinds = _kinds(collection)
    graded = kinds["graded"][kinds["varying"]]
    context = np.eye(int(collection.grades.max()) + 1)[collection.grades][:, 1:]
    scores = normal_scores(collection.features[:, kinds["varying"]], context, graded, rng)
    found = effects.estimate(scores[:, graded], collection)
    scores[:, graded] -= found.shift[collection.grades]
    scatter = np.zeros((len(graded), len(graded)))
    scatter[np.ix_(graded, graded)] = found.components.T @ found.components
    parts = vars(found) | {"query_factor": _factor(effects.query_covariance(scores, scatter, collection))}
    return {part: array.astype(np.float32) for part, array in parts.items()}


def _factor(covariance: np.ndarray) -> np.ndarray:
    """A with A @ A.T the covariance, without the directions in which its estimate is negative."""
    variances, directions = np.linalg.eigh(covariance)
    positive = variances > 1e-6
    return directions[:, positive] * np.sqrt(variances[positive])
