"""ListNet: the same weights as a slow version that follows the paper word by word, and its own promises."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_collections import fitted, literal_scales, weighted_collections

from helpers.datasets.collection import Collection
from helpers.rankers.listnet import ListNet


def literal_fit(collection, epochs, rate, seed, weights=None):
    """Train as the paper's algorithm 1 does, with v copies of a document of weight v in the lists, v any number."""
    rng = np.random.default_rng(seed)
    weights = np.ones(collection.n_docs) if weights is None else weights
    scales = literal_scales(collection, weights)
    x = collection.features * scales
    parts = [slice(*part) for part in itertools.pairwise(collection.offsets) if weights[slice(*part)].any()]
    w = np.zeros(collection.n_features)
    for _ in range(epochs):
        for i in rng.permutation(len(parts)):
            part = parts[i]
            by_label = literal_top_one(collection.grades[part].tolist(), weights[part])
            by_score = literal_top_one((x[part] @ w).tolist(), weights[part])
            w = w - rate * (by_score - by_label) @ x[part]
    return w * scales


def literal_top_one(scores, weights):
    exponentials = [weight * math.exp(score) for score, weight in zip(scores, weights, strict=True)]
    return np.array(exponentials) / sum(exponentials)


def fit(collection, sample_weight=None, validation=None, **settings):
    return fitted(ListNet(**settings), collection, sample_weight, validation)


def test_a_second_step_is_the_one_computed_by_hand():
    ranker = fit(Collection([[-1.0], [1.0]], [0, 1], [0, 2]), learning_rate=0.1, epochs=2)
    label = 1 / (1 + 1 / math.e)
    first = 0.1 * 2 * (label - 1 / 2)
    assert ranker.coef_ == pytest.approx([first + 0.1 * 2 * (label - 1 / (1 + math.exp(-2 * first)))], rel=1e-12)


def test_many_steps_give_scores_that_differ_as_the_labels_do():
    """Where cross entropy can be the entropy of the labels' probabilities, it becomes that."""
    collection = Collection([[0.0], [1.0], [3.0]], [1, 2, 4], [0, 3])
    scores = fit(collection, learning_rate=0.5, epochs=2000).predict(collection.features)
    assert np.diff(scores) == pytest.approx([1, 2], rel=1e-6)


@given(weighted_collections(), st.integers(0, 99))
@settings(deadline=None, max_examples=30)
def test_weights_are_those_of_the_literal_version(case, seed):
    collection, weights = case
    ours = fit(collection, weights, epochs=3, learning_rate=0.5, random_state=seed)
    assert ours.coef_ == pytest.approx(literal_fit(collection, 3, 0.5, seed, weights), abs=1e-8)
