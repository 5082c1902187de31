"""RankSVM: a linear ranker that separates the pairs of documents of a query, by Newton's method and without pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from scipy.sparse.linalg import LinearOperator, cg

from helpers.rankers.base import OrderedLists, Ranker, as_they_stand, mean_ndcg
from helpers.rankers.linear import feature_scales, linear_scores, weighted_sum
from helpers.rankers.rank_pairs import ActivePairs, active_pairs, all_pairs_product, graded_lists, laplacian_product

_C_GRID = (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)  # what validation chooses from
_MOST_STEPS = 100  # Newton steps for one C; a few are enough
_RESIDUAL = 0.1  # of the Newton equations, as a share of the gradient
_OVERSHOOT = 0.1  # slope up at the end of a step, at most, as a share of the slope down at its start
_MOST_HALVINGS = 30
_WIDEST = 1000  # features, beyond which no matrix of all pairs of them is made


@dataclass(eq=False, repr=False)
class RankSVM(Ranker):
    """A linear ranker with the widest margin between the documents of a query (Joachims 2002), squared hinge loss.

    Of all pairs of documents of a query with grades l_i > l_j, scores s = w·x and sample weights v, it minimises

        |w|² / 2 + C · mean loss,    mean loss = sum of v_i v_j max(0, 1 - s_i + s_j)² / sum of v_i v_j

    by Newton's method in the weights w (Chapelle and Keerthi 2010, Lee and Lin 2014). The mean is over the pairs of all
    queries; SVMlight's C, which multiplies the sum, is this one divided by the number of pairs. Features count in units
    of their spread, the root mean square distance from their mean in the query, and one that never varies within a
    query is ignored.

    Parameters
    ----------
    C : what the mean loss costs; None is the one of .01, .1, …, 1000 with the best mean NDCG@10 on the validation
        collection, the smallest if there are several, and 1 without such a collection
    tol : relative error of w, at most

    Raises
    ------
    ValueError
        as `Ranker.fit`.

    Notes
    -----
    A document of `sample_weight` v counts as v copies of it. Of labels only the order matters. Time and memory grow
    with the square of the number of features up to 1,000, and with the number itself beyond.

    Fitted attributes: `coef_` (n_features,) for features in their own units, `C_`, and `n_rounds_` (Newton steps, each
    C starting from the result of the one before).

    Examples
    --------
    One pair, its documents 1 below and 1 above their mean: w²/2 + (1 - 2w)² is least at w = 4/9.

    >>> RankSVM(C=1).fit([[-1.0], [1.0]], [0, 1], group=[2]).coef_.round(4)
    array([0.4444])
    """

    _above: ClassVar = {"C": 0, "tol": 0}

    C: float | None = None
    tol: float = 1e-3

    def _fit(self, training: OrderedLists, validation: OrderedLists | None) -> None:
        grid = _C_GRID if self.C is None and validation is not None else (self.C or 1.0,)
        fits = list(_regularisation_path(_PairLoss(training), grid, self.tol))

        def quality(fit: tuple) -> float:
            return mean_ndcg(validation.labels, linear_scores(validation.features, validation.order, fit[0]))

        self.coef_, self.C_, self.n_rounds_ = max(fits, key=quality) if len(fits) > 1 else fits[0]

    def _scores(self, features: np.ndarray) -> np.ndarray:
        return linear_scores(*as_they_stand(features), self.coef_)


class _Point(NamedTuple):
    """Weights of the features in units of their spread, and what they lead to."""

    weights: np.ndarray  # (n_features,)
    scores: np.ndarray  # (n_docs,)
    active: ActivePairs
    slopes: np.ndarray  # (n_docs,) derivative of the mean loss by each score


class _PairLoss:
    """Mean squared hinge loss over the pairs of a collection, as a function of the weights, and its derivatives."""

    def __init__(self, training: OrderedLists):
        self._rows = training.features, training.order
        self._lists = graded_lists(training.labels, training.weights)
        self.scale = feature_scales(*self._rows, self._lists.weights, self._lists.offsets)
        zeros = np.zeros(training.labels.n_docs)
        all_pairs = active_pairs(zeros, self._lists).degree.sum() / 2
        self._all_pairs = all_pairs or 1.0  # what they weigh; where there are none, all other sums are 0
        self.start = self.point(np.zeros(len(self.scale)), zeros)
        self._curvatures = self._axes = None
        if len(self.scale) <= _WIDEST:
            hessian = all_pairs_product(*self._rows, self._lists) * np.outer(self.scale, self.scale)
            self._curvatures, self._axes = np.linalg.eigh(2 / self._all_pairs * hessian)

    def point(self, weights: np.ndarray, scores: np.ndarray) -> _Point:
        """Weights with their scores, and what follows from these."""
        active = active_pairs(scores, self._lists)
        slopes = 2 / self._all_pairs * (laplacian_product(scores, active, self._lists) - active.balance)
        return _Point(weights, scores, active, slopes)

    def scores(self, weights: np.ndarray) -> np.ndarray:
        """(n_docs,) scores by weights (n_features,)."""
        return linear_scores(*self._rows, self.scale * weights)

    def gradient(self, point: _Point) -> np.ndarray:
        """(n_features,) derivative by each weight at a point."""
        return self.scale * weighted_sum(*self._rows, point.slopes)

    def hessian_product(self, direction: np.ndarray, point: _Point) -> np.ndarray:
        """(n_features,) what the gradient at a point changes by along a direction, the active pairs held fixed."""
        change = laplacian_product(self.scores(direction), point.active, self._lists)
        return 2 / self._all_pairs * self.scale * weighted_sum(*self._rows, change)

    def newton_direction(self, gradient: np.ndarray, point: _Point, C: float) -> np.ndarray:
        """(n_features,) direction from a point at which |w|²/2 + C · mean loss has this gradient."""
        # conjugate gradients, preconditioned by the Hessian with all pairs active, times the share of those that are
        shape, inverse = (len(gradient), len(gradient)), None
        if self._axes is not None:
            share = point.active.degree.sum() / 2 / self._all_pairs
            divisors = 1 + C * share * np.maximum(self._curvatures, 0)
            inverse = LinearOperator(shape, lambda r: self._axes @ (r @ self._axes / divisors), dtype=np.float64)
        hessian = LinearOperator(shape, lambda d: d + C * self.hessian_product(d, point), dtype=np.float64)
        return cg(hessian, -gradient, rtol=_RESIDUAL, M=inverse)[0]


def _regularisation_path(loss: _PairLoss, grid: Iterable[float], tol: float) -> Iterator[tuple[np.ndarray, float, int]]:
    """For each C, from the lowest up: weights of the features in their own units, C, and Newton steps so far."""
    point, steps = loss.start, 0
    for C in grid:
        point, more = _minimise(loss, C, point, tol)
        steps += more
        yield loss.scale * point.weights, C, steps


def _minimise(loss: _PairLoss, C: float, point: _Point, tol: float) -> tuple[_Point, int]:
    """Where |w|²/2 + C · mean loss is least, and the Newton steps that it took from the point to there."""
    for step in range(_MOST_STEPS):
        gradient = point.weights + C * loss.gradient(point)
        if np.linalg.norm(gradient) <= tol * np.linalg.norm(point.weights):
            return point, step
        point = _downhill(loss, C, point, loss.newton_direction(gradient, point, C))
    return point, _MOST_STEPS


def _downhill(loss: _PairLoss, C: float, start: _Point, direction: np.ndarray) -> _Point:
    """The point one step further; halved while the objective, whose slope only grows, rises at the step's end."""
    change = loss.scores(direction)

    def slope(point: _Point) -> float:
        return point.weights @ direction + C * (point.slopes @ change)

    for length in 0.5 ** np.arange(_MOST_HALVINGS):
        end = loss.point(start.weights + length * direction, start.scores + length * change)
        if slope(end) <= -_OVERSHOOT * slope(start):
            break
    return end
