"""RankBoost: the weak rankers of a slow version that writes out the pair distribution, and its own promises."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from small_collections import collections, fitted

from helpers.datasets.collection import Collection, offsets_of
from helpers.rankers.base import mean_ndcg
from helpers.rankers.rank_pairs import graded_lists
from helpers.rankers.rankboost import RankBoost, _binned, _potentials


def fit(collection, sample_weight=None, validation=None, **settings):
    return fitted(RankBoost(**settings), collection, sample_weight, validation)


def literal_pairs(collection, weights, scores):
    """D(i, j) of all pairs in which i has the higher grade, as a dictionary."""
    query, grades = collection.query_index, collection.grades
    rows = range(collection.n_docs)
    pairs = [(i, j) for i in rows for j in rows if query[i] == query[j] and grades[i] > grades[j]]
    shares = {(i, j): weights[i] * weights[j] * math.exp(scores[j] - scores[i]) for i, j in pairs}
    total = sum(shares.values())
    return {pair: share / total for pair, share in shares.items()} if total else {}


def literal_edges(collection, pairs):
    """r of every weak ranker, by feature and threshold."""
    edges = {}
    for feature, column in enumerate(collection.features.T):
        for threshold in np.unique(column)[:-1]:
            h = (column > threshold).astype(int)
            edges[feature, threshold] = sum(share * (h[i] - h[j]) for (i, j), share in pairs.items())
    return edges


@pytest.fixture
def training(rng):
    features = rng.normal(size=(300, 4))
    grades = np.digitize(features[:, 0] - features[:, 1] + rng.normal(size=300), [0, 1, 2])
    return Collection(features, grades, offsets_of(np.full(20, 15)))


def test_the_first_round_is_the_one_computed_by_hand():
    """Pairs (0, 1), (0, 2) and (0, 3) of 1/3 each; above the threshold 1 stand documents 0 and 3: r = 2/3."""
    collection = Collection([[3.0], [1.0], [1.0], [4.0]], [1, 0, 0, 0], [0, 4])
    ranker = fit(collection, rounds=1)
    assert (ranker.features_, ranker.thresholds_) == ([0], [1.0])
    assert ranker.alphas_ == pytest.approx([0.5 * math.log((1 + 2 / 3) / (1 - 2 / 3))], abs=1e-15)
    assert ranker.predict([[1.0], [1.5]]) == pytest.approx([0, ranker.alphas_[0]])


@given(collections(), st.booleans(), st.booleans())
@settings(deadline=None, max_examples=30)
def test_weak_rankers_and_alphas_are_those_of_the_literal_version(collection, both_directions, weighted):
    weights = 1.0 + np.arange(collection.n_docs) % 3 if weighted else np.ones(collection.n_docs)
    ranker = fit(collection, weights, rounds=8, both_directions=both_directions)
    scores = np.zeros(collection.n_docs)
    for feature, threshold, alpha in zip(ranker.features_, ranker.thresholds_, ranker.alphas_, strict=True):
        edges = literal_edges(collection, literal_pairs(collection, weights, scores))
        r = edges[feature, threshold]
        assert (abs(r) if both_directions else r) == pytest.approx(literal_best(edges, both_directions), abs=1e-10)
        assume(abs(r) < 1 - 1e-6 or abs(r) > 1 - 1e-13)
        limited = max(-1 + 1e-12, min(r, 1 - 1e-12))
        assert alpha == pytest.approx(0.5 * math.log((1 + limited) / (1 - limited)), abs=1e-8)
        scores += alpha * (collection.features[:, feature] > threshold)
    if ranker.n_rounds_ < 8:
        edges = literal_edges(collection, literal_pairs(collection, weights, scores))
        best = literal_best(edges, both_directions)
        assert best == pytest.approx(0, abs=1e-10) or best == pytest.approx(1, abs=1e-10)


def literal_best(edges, both_directions):
    return max([abs(r) if both_directions else max(r, 0) for r in edges.values()], default=0)


@pytest.mark.parametrize("distance", [1e3, 1e300])
def test_potentials_are_finite_for_scores_far_apart(distance):
    collection = Collection(np.zeros((4, 1)), [1, 0, 1, 0], [0, 2, 4])
    documents = graded_lists(collection, None)
    right = _potentials(np.array([distance, 0.0, distance, 0.0]), documents)
    assert right == pytest.approx([0.5, -0.5, 0.5, -0.5])
    wrong_once = _potentials(np.array([distance, 0.0, 0.0, distance]), documents)
    assert wrong_once == pytest.approx([0, 0, 1, -1], abs=1e-12)


def test_scores_rise_with_every_feature_unless_both_directions_are_allowed(training):
    assert (fit(training, rounds=50).alphas_ > 0).all()
    ranker = fit(training, rounds=50, both_directions=True)
    assert (ranker.alphas_[ranker.features_ == 1] < 0).any()
    assert mean_ndcg(training, ranker.predict(training.features)) > 0.9


def test_of_many_values_thresholds_cut_the_rows_into_equal_parts(rng):
    features = rng.normal(size=(2560, 1)).astype(np.float32)
    order = rng.permutation(2560)
    (thresholds,), bins = _binned(features, order)
    assert np.array_equal(np.bincount(bins[0]), np.full(256, 10))
    assert np.array_equal(bins[0], (features[order] > thresholds).sum(axis=1))


def test_a_feature_that_only_tells_queries_apart_is_of_no_use(training):
    alone = Collection(training.query_index[:, None] * 0.1, training.grades, training.offsets)
    ranker = fit(alone)
    assert ranker.n_rounds_ == 0
    assert (ranker.predict(alone.features) == 0).all()
