"""RankSVM: the minimum of its objective over pairs that are made one by one, and its own promises."""

import itertools
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls
from sklearn.svm import LinearSVC
from small_collections import fitted, judged, literal_scales, weighted_collections

from helpers.datasets.collection import Collection
from helpers.rankers import ranksvm
from helpers.rankers.base import mean_ndcg
from helpers.rankers.ranksvm import _C_GRID, RankSVM


class LiteralLoss:
    """The mean squared hinge loss of a collection, from a list of all its pairs."""

    def __init__(self, collection, weights=None):
        weights = np.ones(collection.n_docs) if weights is None else weights
        x = collection.features * literal_scales(collection, weights)
        pairs = list(literal_pairs(collection))
        self.differences = np.array([x[i] - x[j] for i, j in pairs]).reshape(-1, collection.n_features)
        self.weights = np.array([weights[i] * weights[j] for i, j in pairs])
        self.shares = self.weights / (self.weights.sum() or 1.0)

    def gradient(self, w):
        margins = self.differences @ w
        return -2 * (self.shares * np.maximum(0, 1 - margins)) @ self.differences

    def least(self, C):
        """The minimum, by its dual: least a'Ka / 2 - sum of a over a >= 0, K = D D' + diagonal of 1/(2 C share)."""
        counting = self.shares > 0
        if not counting.any():
            return np.zeros(self.differences.shape[1])
        d = self.differences[counting]
        root = np.linalg.cholesky(d @ d.T + np.diag(1 / (2 * C * self.shares[counting])))
        return nnls(root.T, np.linalg.solve(root, np.ones(len(d))))[0] @ d


def literal_pairs(collection):
    for start, stop in itertools.pairwise(collection.offsets):
        for i, j in itertools.permutations(range(start, stop), 2):
            if collection.grades[i] > collection.grades[j]:
                yield i, j


def fit(collection, sample_weight=None, validation=None, **settings):
    return fitted(RankSVM(**settings), collection, sample_weight, validation)


# --- by hand


def test_one_pair_is_separated_as_computed_by_hand():
    """Spread 2, so the two are 2 apart in its units: w²/2 + 3 (1 - 2w)² is least where w = 12 (1 - 2w)."""
    ranker = fit(Collection([[3.0], [7.0]], [0, 1], [0, 2]), C=3.0)
    assert ranker.coef_ == pytest.approx([12 / 25 / 2], rel=1e-12)
    assert ranker.predict([[3.0], [7.0]]) == pytest.approx([36 / 50, 84 / 50], rel=1e-12)


def test_pairs_that_contradict_each_other_are_weighed_as_computed_by_hand():
    """Spread 1, pairs of weight 3·3 and 1·1: w²/2 + (9 (1 - 2w)² + (1 + 2w)²)/10 is least where 9w = 3.2."""
    collection = Collection([[-1.0], [1.0], [-1.0], [1.0]], [0, 1, 1, 0], [0, 2, 4])
    assert fit(collection, np.array([3.0, 3.0, 1.0, 1.0]), C=1.0).coef_ == pytest.approx([16 / 45], rel=1e-12)


def test_pairs_beyond_the_margin_cost_nothing():
    """In the end, of three pairs only that of features 0 and 1 costs: w²/2 + 100 (1 - h w)², h = 1 / spread."""
    collection = Collection([[0.0], [1.0], [9.0]], [0, 1, 2], [0, 3])
    h = 1 / np.std([0.0, 1.0, 9.0])
    assert fit(collection, C=300.0).coef_ == pytest.approx([h * 200 * h / (1 + 200 * h**2)], rel=1e-12)


# --- against all pairs, one by one


@pytest.mark.parametrize("widest", [0, ranksvm._WIDEST], ids=["without a square matrix", "with it"])
@given(weighted_collections(), st.sampled_from([0.01, 1.0, 100.0]))
@settings(deadline=None, max_examples=20)
def test_weights_are_those_of_the_literal_version(widest, case, C):
    collection, weights = case
    literal = LiteralLoss(collection, weights)
    least = literal.least(C)
    assert np.linalg.norm(least + C * literal.gradient(least)) < 1e-8  # so it is no further from the minimum
    scales = literal_scales(collection, np.ones(collection.n_docs) if weights is None else weights)
    with patch.object(ranksvm, "_WIDEST", widest):
        assert fit(collection, weights, C=C, tol=1e-11).coef_ == pytest.approx(scales * least, abs=1e-8)


def test_weights_are_those_of_scikit_learn_on_all_differences(training):
    literal = LiteralLoss(training)
    signs = np.resize([1, -1], len(literal.differences))
    machine = LinearSVC(C=10 / len(signs), dual=False, fit_intercept=False, tol=1e-10, max_iter=10**5)
    expected = machine.fit(literal.differences * signs[:, None], signs).coef_[0]
    scales = literal_scales(training, np.ones(training.n_docs))
    assert fit(training, C=10.0, tol=1e-10).coef_ == pytest.approx(scales * expected, rel=1e-5)


@pytest.mark.parametrize("n_levels", [2, 100])
def test_pairs_are_found_among_many_grades_and_ties(rng, n_levels):
    features = rng.integers(0, 5, size=(200, 2)).astype(float)
    collection = Collection(features, rng.integers(0, n_levels, size=200) + 27, [0, 150, 200])
    literal, scales = LiteralLoss(collection), literal_scales(collection, np.ones(200))
    w = fit(collection, C=10.0, tol=1e-10).coef_ / scales
    assert w == pytest.approx(-10 * literal.gradient(w), abs=1e-8)  # where the objective is least


# --- tolerance, C and validation


@pytest.mark.parametrize("tol", [1e-1, 1e-4])
def test_weights_are_as_near_to_the_best_as_the_tolerance_says(training, tol):
    scales = literal_scales(training, np.ones(training.n_docs))
    w, best = (fit(training, C=100.0, tol=t).coef_ / scales for t in (tol, 1e-12))
    assert np.linalg.norm(w - best) <= tol * np.linalg.norm(w)


def test_c_is_the_smallest_with_the_best_validation_ndcg(rng):
    training, validation = judged(rng, 5), judged(rng, 40)
    chosen = fit(training, validation=validation, tol=1e-10)
    fits = [fit(training, C=C, tol=1e-10) for C in _C_GRID]
    qualities = [mean_ndcg(validation, ranker.predict(validation.features)) for ranker in fits]
    best = int(np.argmax(qualities))
    assert len(set(qualities)) > 1
    assert _C_GRID[best] == chosen.C_
    assert chosen.coef_ == pytest.approx(fits[best].coef_, rel=1e-8)


# --- weights


def test_what_varies_only_in_documents_without_weight_is_ignored(rng):
    """Also where rounding makes a weighted mean differ from the only value that it is the mean of."""
    features, grades = 1e3 * rng.random((400, 3)), rng.integers(0, 3, size=400)
    weights = np.where(np.arange(400) % 4 == 3, rng.random(400), 0)
    assert not fit(Collection(features, grades, np.arange(0, 401, 4)), weights, C=1e6).coef_.any()
