"""The portrait of a collection: curves, normal scores, what these owe to grade and query, and how strongly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy.special import ndtr, ndtri
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from helpers import metrics
from helpers.datasets.collection import Collection
from helpers.datasets.portrait.drawing import draw
from helpers.datasets.portrait.files import Portrait
from helpers.metrics.significance import jackknife_variance

FEWEST_QUERIES = 10
MOST_DOCS = 100_000  # of a larger collection, queries with about so many documents are drawn to measure features on

LEVELS = np.concatenate([[0.001, 0.0025, 0.005], np.arange(1, 100) / 100, [0.995, 0.9975, 0.999]])
POINT_MASS = 0.005  # a value that this share of the documents has is a step of the curve
POOLED = 5  # documents behind the mean that stands for an extreme, and beyond the outermost quantile
FARTHEST = 4.5  # score that stands for infinity
SWEEPS = 10
RIDGE = 1e-3  # keeps the precision matrix finite where one feature repeats another
LEAST_VARIANCE = 1e-4  # along any component of the scatter, in squared score units
TINY = 1e-9

N_FOLDS = 5
FIRST_RANGE = 3.0  # doubled while the wanted figure is beyond it
WIDEST_RANGE = 12.0
HALVINGS = 8
MOST_DRAWS = 10
DRAWN_DOCS = 200_000  # in all trial collections of one strength together


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

    Examples
    --------
    For a file that can be handed on where the collection cannot; this takes seconds to minutes:

        save(measure(collection, "mine"), "mine.npz")
    """
    rng = np.random.default_rng(0) if rng is None else rng
    grade_counts = collection.grade_counts(int(collection.grades.max()) + 1)
    sample = _sample(collection, rng)
    kinds = _kinds(sample)
    _check(sample, name, kinds["graded"])
    portrait = Portrait(
        name=name,
        source=str(collection) if source is None else source,
        grade_counts=grade_counts.astype(np.int32),
        **_marginals(sample, kinds["graded"]),
        **kinds,
        **_latent(sample, kinds["varying"], kinds["graded"], rng),
    )
    return matched(portrait, cross_validated(sample), sample.n_queries, rng)


def _sample(collection: Collection, rng: np.random.Generator) -> Collection:
    if collection.n_docs <= MOST_DOCS:
        return collection
    order = rng.permutation(collection.n_queries)
    fitting = np.searchsorted(np.cumsum(collection.group[order]), MOST_DOCS)
    return collection.take_queries(np.sort(order[: max(fitting, FEWEST_QUERIES)]))


def _check(collection: Collection, name: str, graded: np.ndarray) -> None:
    if collection.n_queries < FEWEST_QUERIES:
        raise ValueError(f"{name} has {collection.n_queries} queries, expected at least {FEWEST_QUERIES} to portray it")
    if collection.grades.min() == collection.grades.max():
        raise ValueError(f"{name} has grade {collection.grades[0]} only, expected at least two grades")
    if not graded.any():
        raise ValueError(f"{name} has no feature that varies within a query, expected at least one")


def _marginals(collection: Collection, graded: np.ndarray) -> dict[str, np.ndarray]:
    """Curves of all features; one that is constant within queries has one value a query."""
    by_query = collection.features[collection.offsets[:-1]]
    columns = (collection.features[:, j] if graded[j] else by_query[:, j] for j in range(collection.n_features))
    scores, values = zip(*map(_curve, columns), strict=True)
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


def _latent(
    collection: Collection, varying: np.ndarray, graded: np.ndarray, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """Parts of the model of the scores of varying features."""
    graded = graded[varying]
    context = np.eye(int(collection.grades.max()) + 1)[collection.grades][:, 1:]
    scores = _normal_scores(collection.features[:, varying], context, graded, rng)
    found = _estimate(scores[:, graded], collection)
    scores[:, graded] -= found["shift"][collection.grades]
    scatter = np.zeros((len(graded), len(graded)))
    scatter[np.ix_(graded, graded)] = found["components"].T @ found["components"]
    # the query effects vary as the query means do, less what the scatter adds to these, where that is not negative
    covariance = np.atleast_2d(np.cov(_means(scores, collection).T)) - scatter * np.mean(1 / collection.group)
    variances, directions = np.linalg.eigh(covariance)
    positive = variances > 1e-6
    parts = found | {"query_factor": directions[:, positive] * np.sqrt(variances[positive])}
    return {part: array.astype(np.float32) for part, array in parts.items()}


def _curve(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Knots (scores, values) of a marginal distribution: quantiles, and both ends of every point mass."""
    ordered = np.sort(np.asarray(values, dtype=float))
    masses, _, counts, low, high = _shares(ordered)
    masses, low, high = (part[counts >= max(POINT_MASS * len(ordered), POOLED)] for part in (masses, low, high))
    levels = LEVELS[np.minimum(LEVELS, 1 - LEVELS) * len(ordered) >= POOLED]
    within_mass = ((levels[:, None] >= low) & (levels[:, None] <= high)).any(axis=1)
    levels = levels[~within_mass]
    # an end that no point mass reaches is the mean of the outermost documents there
    unreached = [not len(low) or low[0] > 0, not len(high) or high[-1] < 1]
    ends = np.array([0.0, 1.0])[unreached]
    extremes = np.array([ordered[:POOLED].mean(), ordered[-POOLED:].mean()])[unreached]
    shares = np.sort(np.concatenate([levels, low, high, ends]))
    knots = np.sort(np.concatenate([np.quantile(ordered, levels), masses, masses, extremes]))
    return _score(shares), knots


def _score(share: np.ndarray) -> np.ndarray:
    """The normal score that a share of the documents stays below, within ±FARTHEST."""
    return np.clip(ndtri(share), -FARTHEST, FARTHEST)


def _shares(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Different values, which of them each document has, how many have it, and the share below, and up to, it."""
    different, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    upto = np.cumsum(counts) / len(values)
    return different, place, counts, upto - counts / len(values), upto


def _normal_scores(
    features: np.ndarray, context: np.ndarray, graded: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Latent scores (n_docs, n_features) whose order within a feature agrees with that of its values. Of features that
    are graded, ties are drawn given a document's other scores and its context, the grade (Hoff 2007)."""
    shares = [(below[place], upto[place]) for _, place, _, below, upto in map(_shares, features.T)]
    low, high = (np.column_stack(side) for side in zip(*shares, strict=True))
    scores = ndtri((low + high) / 2)
    known = np.column_stack([scores, context - context.mean(axis=0)])
    tied = [np.flatnonzero(high[:, j] - low[:, j] >= POINT_MASS) for j in range(features.shape[1])]
    limits = [_score(np.array([low[rows, j], high[rows, j]])) for j, rows in enumerate(tied)]
    for _ in range(SWEEPS):
        precision = np.linalg.inv(np.cov(known.T, bias=True) + RIDGE * np.eye(known.shape[1]))
        for j in np.flatnonzero(graded):
            known[tied[j], j] = _redrawn(known[tied[j]], j, precision[j], limits[j], rng)
    return known[:, : features.shape[1]]


def _redrawn(
    known: np.ndarray, j: int, precision: np.ndarray, limits: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Column j drawn from its normal distribution given the other columns, cut off at the limits."""
    spread = precision[j] ** -0.5
    centre = known[:, j] - known @ precision / precision[j]
    low, high = ndtr((limits - centre) / spread)
    drawn = centre + spread * ndtri(np.clip(low + (high - low) * rng.random(len(known)), 1e-9, 1 - 1e-9))
    return np.clip(drawn, *limits)


def _estimate(scores: np.ndarray, collection: Collection) -> dict[str, np.ndarray]:
    """Effects of the grade on the scores (n_docs, n_features), and the scatter left, as parts of a portrait."""
    # Shift and spread are shrunk along each principal component of the scatter by the non-negative garrote (Breiman
    # 1995) with their variance from a jackknife over queries; the slope's variance is DerSimonian and Laird's (1986).
    grades = collection.grades
    position = np.arange(grades.max() + 1.0)
    position = (position - grades.mean()) / grades.std()
    indicators = _centred(np.eye(len(position))[grades][:, 1:], collection)
    centred = _centred(scores, collection)
    residual = centred - indicators @ _contrasts(indicators, centred, collection)[0]
    slopes, weights, scatter = _slopes(residual, position, collection)
    variances, directions = np.linalg.eigh(scatter.T @ scatter / max(collection.n_docs - 2 * collection.n_queries, 1))
    components = np.sqrt(np.maximum(variances, LEAST_VARIANCE))[:, None] * directions.T  # as long as their deviations
    whitener = np.linalg.inv(components)
    shift = _garrote(*_contrasts(indicators, centred @ whitener, collection))
    return {
        "components": components,
        "shift": np.vstack([np.zeros(scores.shape[1]), shift @ components]),
        "position": position,
        "slope": _slope_deviation(slopes @ whitener, weights),
        "spread": _spread(scatter @ whitener, collection, len(position)),
    }


def _contrasts(indicators: np.ndarray, values: np.ndarray, collection: Collection) -> tuple[np.ndarray, np.ndarray]:
    """Least-squares coefficients (n_columns, n_values), and their variance from a jackknife over queries; both arrays
    are given less their means in the query."""
    n = indicators.shape[1]
    moments = _sums((indicators[:, :, None] * indicators[:, None, :]).reshape(-1, n * n), collection)
    moments = moments.reshape(-1, n, n)
    products = np.stack([_sums(column[:, None] * values, collection) for column in indicators.T], axis=1)
    ridge = TINY * np.eye(n)
    without = np.linalg.solve(moments.sum(axis=0) - moments + ridge, products.sum(axis=0) - products)
    return np.linalg.solve(moments.sum(axis=0) + ridge, products.sum(axis=0)), jackknife_variance(without)


def _garrote(estimate: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """The estimate less its expected share of noise, variance / estimate² of it, and 0 where that is all."""
    noise = np.divide(variance, estimate**2, out=np.ones_like(estimate), where=estimate != 0)
    return estimate * np.clip(1 - noise, 0, None)


def _sums(values: np.ndarray, collection: Collection) -> np.ndarray:
    return np.add.reduceat(values, collection.offsets[:-1], axis=0)


def _means(values: np.ndarray, collection: Collection) -> np.ndarray:
    return _sums(values, collection) / collection.group[:, None]


def _centred(values: np.ndarray, collection: Collection) -> np.ndarray:
    return values - _means(values, collection)[collection.query_index]


def _slopes(
    residual: np.ndarray, position: np.ndarray, collection: Collection
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Slope of the residual on the grade for every query that has two grades, its weight, and what is left."""
    deviation = _centred(position[collection.grades][:, None], collection)
    squares = _sums(deviation**2, collection)
    slopes = np.divide(
        _sums(deviation * residual, collection),
        squares,
        where=squares > TINY,
        out=np.zeros((collection.n_queries, residual.shape[1])),
    )
    graded = squares[:, 0] > TINY
    return slopes[graded], squares[graded], residual - deviation * slopes[collection.query_index]


def _slope_deviation(slopes: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Standard deviation between queries of slopes whose sampling variance is 1 / weight."""
    total = weights.sum()
    mean = (weights * slopes).sum(axis=0) / total
    excess = (weights * (slopes - mean) ** 2).sum(axis=0) - (len(slopes) - 1)
    return np.sqrt(np.clip(excess / (total - (weights**2).sum() / total), 0, None))


def _spread(scatter: np.ndarray, collection: Collection, n_grades: int) -> np.ndarray:
    """Standard deviation of the scatter of each grade along components, relative to that of all documents."""
    squares, spread = scatter**2 / np.maximum((scatter**2).mean(axis=0), TINY), []
    for of_grade in (collection.grades == np.arange(n_grades)[:, None])[:, :, None]:
        sums, counts = _sums(squares * of_grade, collection), _sums(of_grade.astype(float), collection)
        logs = _log_ratio(sums.sum(axis=0), counts.sum(axis=0))
        without = _log_ratio(sums.sum(axis=0) - sums, counts.sum(axis=0) - counts)
        spread.append(np.exp(_garrote(logs, jackknife_variance(without)) / 2))
    return np.array(spread)


def _log_ratio(total: np.ndarray, count: np.ndarray) -> np.ndarray:
    return np.log(np.maximum(total, TINY) / np.maximum(count, 1))


def cross_validated(collection: Collection) -> float:
    """Mean nDCG@10 of the linear ranker over queries, each ranked by what was learnt on other folds."""
    fold = np.arange(collection.n_queries) % N_FOLDS
    scores = np.empty(collection.n_docs)
    for test in range(N_FOLDS):
        held_out = (fold == test)[collection.query_index]
        ranker = linear_ranker().fit(collection.features[~held_out], collection.grades[~held_out])
        scores[held_out] = ranker.predict(collection.features[held_out])
    return float(np.nanmean(metrics.ndcg(collection.grades, scores, collection.offsets, k=10)))


def matched(
    portrait: Portrait,
    wanted: float,
    n_queries: int,
    rng: np.random.Generator,
    *,
    figure: Callable[[Collection], float] = cross_validated,
    draws: int | None = None,
) -> Portrait:
    """The portrait with the strength at which a figure, higher for a higher one, has the wanted value on collections
    drawn of n_queries, as many as 200,000 documents allow where draws is None; by bisection, on the same numbers."""
    docs = n_queries * portrait.grade_counts.sum() / len(portrait.grade_counts)
    seeds = rng.integers(1 << 63, size=draws or int(np.clip(DRAWN_DOCS // docs, 1, MOST_DRAWS)))

    def too_weak(strength: float) -> bool:
        drawn = replace(portrait, strength=strength)
        return np.mean([figure(draw(drawn, n_queries, np.random.default_rng(seed))) for seed in seeds]) < wanted

    low, high = 0.0, FIRST_RANGE
    while high < WIDEST_RANGE and too_weak(high):
        low, high = high, 2 * high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if too_weak(middle) else (low, middle)
    return replace(portrait, strength=(low + high) / 2)


def linear_ranker():
    """Ridge regression of the grade on standardised features (pointwise: Cossock and Zhang 2006)."""
    return make_pipeline(StandardScaler(), Ridge(alpha=10.0))
