"""What scores owe to the grade, to the query, and to neither."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from helpers.datasets.collection import Collection

LEAST_VARIANCE = 1e-4  # along any component of the scatter, in squared score units
TINY = 1e-9


@dataclass(frozen=True)
class Effects:
    """Estimates for n_features scores along as many components.

    components : (n_features, n_features), a row for each; the scatter has covariance components.T @ components
    shift : (n_grades, n_features) mean score of a grade, less that of grade 0
    position : (n_grades,) grades, centred and in units of their standard deviation
    slope : (n_features,) standard deviation between queries of the slope along a component
    spread : (n_grades, n_features) standard deviation of the scatter of a grade along a component
    """

    components: np.ndarray
    shift: np.ndarray
    position: np.ndarray
    slope: np.ndarray
    spread: np.ndarray


def estimate(scores: np.ndarray, collection: Collection) -> Effects:
    """Effects of the grade on the scores (n_docs, n_features), and the scatter that is left.

    All of it is measured within queries. Along each principal component of the scatter, shift and spread are shrunk
    by the non-negative garrote (Breiman 1995) with their variance from a jackknife over queries, and the variance of
    the slope is the moment estimate of DerSimonian and Laird (1986).

    Parameters
    ----------
    scores : (n_docs, n_features) latent scores, as `normal_scores` gives them
    collection : the documents' grades and queries
    """
    grades = collection.grades
    position = np.arange(grades.max() + 1.0)
    position = (position - grades.mean()) / grades.std()
    indicators = _centred(np.eye(len(position))[grades][:, 1:], collection)
    centred = _centred(scores, collection)
    residual = centred - indicators @ contrasts(indicators, centred, collection)[0]
    slopes, weights, scatter = _slopes(residual, position, collection)
    components = _components(scatter, collection)
    whitener = np.linalg.inv(components)
    shift = garrote(*contrasts(indicators, centred @ whitener, collection))
    return Effects(
        components=components,
        shift=np.vstack([np.zeros(scores.shape[1]), shift @ components]),
        position=position,
        slope=_slope_deviation(slopes @ whitener, weights),
        spread=_spread(scatter @ whitener, collection, len(position)),
    )


def query_covariance(scores: np.ndarray, scatter: np.ndarray, collection: Collection) -> np.ndarray:
    """Covariance of the query effects: that of the query means, less what the scatter adds to it.

    Parameters
    ----------
    scores : (n_docs, n_features) less what they owe to the grade
    scatter : (n_features, n_features) covariance of the scatter
    collection : the documents' queries
    """
    return np.atleast_2d(np.cov(_means(scores, collection).T)) - scatter * np.mean(1 / collection.group)


def contrasts(indicators: np.ndarray, values: np.ndarray, collection: Collection) -> tuple[np.ndarray, np.ndarray]:
    """Least-squares coefficients (n_columns, n_values), and their variance from a jackknife over queries.

    Parameters
    ----------
    indicators : (n_docs, n_columns) what the values are regressed on
    values : (n_docs, n_values), as the indicators less their means in the query
    collection : the documents' queries
    """
    n = indicators.shape[1]
    moments = _sums((indicators[:, :, None] * indicators[:, None, :]).reshape(-1, n * n), collection)
    moments = moments.reshape(-1, n, n)
    products = np.stack([_sums(column[:, None] * values, collection) for column in indicators.T], axis=1)
    ridge = TINY * np.eye(n)
    without = np.linalg.solve(moments.sum(axis=0) - moments + ridge, products.sum(axis=0) - products)
    return np.linalg.solve(moments.sum(axis=0) + ridge, products.sum(axis=0)), _jackknife_variance(without)


def garrote(estimate: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """The estimate less its expected share of noise, variance / estimate² of it, and 0 where that is all.

    >>> garrote(np.array([2.0, 1.0, 0.0]), np.array([1.0, 4.0, 1.0]))
    array([1.5, 0. , 0. ])
    """
    noise = np.divide(variance, estimate**2, out=np.ones_like(estimate), where=estimate != 0)
    return estimate * np.clip(1 - noise, 0, None)


def _sums(values: np.ndarray, collection: Collection) -> np.ndarray:
    return np.add.reduceat(values, collection.offsets[:-1], axis=0)


def _means(values: np.ndarray, collection: Collection) -> np.ndarray:
    return _sums(values, collection) / collection.group[:, None]


def _centred(values: np.ndarray, collection: Collection) -> np.ndarray:
    return values - _means(values, collection)[collection.query_index]


def _jackknife_variance(without: np.ndarray) -> np.ndarray:
    """Variance of an estimate from its values with one query left out at a time, along the first axis."""
    return (len(without) - 1) * without.var(axis=0)


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


def _components(scatter: np.ndarray, collection: Collection) -> np.ndarray:
    """Principal components of the scatter, each a row as long as its standard deviation."""
    freedom = max(collection.n_docs - 2 * collection.n_queries, 1)
    variances, directions = np.linalg.eigh(scatter.T @ scatter / freedom)
    return np.sqrt(np.maximum(variances, LEAST_VARIANCE))[:, None] * directions.T


def _slope_deviation(slopes: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Standard deviation between queries of slopes whose sampling variance is 1 / weight."""
    total = weights.sum()
    mean = (weights * slopes).sum(axis=0) / total
    excess = (weights * (slopes - mean) ** 2).sum(axis=0) - (len(slopes) - 1)
    return np.sqrt(np.clip(excess / (total - (weights**2).sum() / total), 0, None))


def _spread(scatter: np.ndarray, collection: Collection, n_grades: int) -> np.ndarray:
    """Standard deviation of the scatter of each grade along components, relative to that of all documents."""
    overall = np.maximum((scatter**2).mean(axis=0), TINY)
    return np.array([_relative_deviation(scatter**2 / overall, collection, g) for g in range(n_grades)])


def _relative_deviation(squares: np.ndarray, collection: Collection, grade: int) -> np.ndarray:
    of_grade = (collection.grades == grade)[:, None]
    sums, counts = _sums(squares * of_grade, collection), _sums(of_grade.astype(float), collection)
    logs = _log_ratio(sums.sum(axis=0), counts.sum(axis=0))
    without = _log_ratio(sums.sum(axis=0) - sums, counts.sum(axis=0) - counts)
    return np.exp(garrote(logs, _jackknife_variance(without)) / 2)


def _log_ratio(total: np.ndarray, count: np.ndarray) -> np.ndarray:
    return np.log(np.maximum(total, TINY) / np.maximum(count, 1))
