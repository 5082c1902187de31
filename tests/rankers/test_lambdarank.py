"""LambdaRank: the same weights as a slow version that follows the paper word by word, and its own promises."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from small_collections import collections, fitted, tied_by_rounding

from helpers.datasets.collection import Collection
from helpers.rankers import LambdaRank
from helpers.rankers.base import as_they_stand, in_one_order
from helpers.rankers.lambda_net import Net, initial_net, train_epoch
from helpers.rankers.lambdarank import judged_lists


def literal_fit(collection, epochs, rate, hidden_units, seed, k=None, weights=None, labels_per_grade=1):
    """Train as `LambdaRank` does, one pair at a time: the ΔNDCG of a pair is that of the list with the two swapped."""
    rng = np.random.default_rng(seed)
    features = collection.features.astype(float)
    spread = features.std(axis=0)
    inputs = (features - features.mean(axis=0)) / np.where(spread > 0, spread, np.inf)
    inputs = np.column_stack([inputs, np.ones(len(inputs))])
    first = initial_net(*as_they_stand(collection.features), hidden_units, rng)
    hidden, output = first.hidden.copy(), first.output.copy()
    weights = np.ones(len(inputs)) if weights is None else weights
    grades = collection.grades / labels_per_grade
    parts = [slice(*collection.offsets[q : q + 2]) for q in range(collection.n_queries)]
    paired = [part for part in parts if len(set(grades[part])) > 1]
    for _ in range(epochs):
        for i in rng.permutation(len(paired)):
            part = paired[i]
            units = np.array([np.tanh(hidden @ x) for x in inputs[part]])
            scores = [sum(output * unit) for unit in units]
            assume(not tied_by_rounding(scores, inputs[part]))
            lambdas = literal_lambdas(scores, grades[part].tolist(), k) * weights[part]
            back = lambdas[:, None] * output * (1 - units**2)
            output = output + rate * lambdas @ units
            hidden = hidden + rate * back.T @ inputs[part]
    return hidden, output


def literal_lambdas(scores, grades, k):
    n = len(scores)
    ranks = [1 + sum((-scores[j], j) < (-scores[i], i) for j in range(n)) for i in range(n)]
    lambdas = np.zeros(n)
    for i in range(n):
        for j in range(n):
            if grades[i] > grades[j]:
                swapped = list(ranks)
                swapped[i], swapped[j] = ranks[j], ranks[i]
                change = abs(literal_ndcg(ranks, grades, k) - literal_ndcg(swapped, grades, k))
                push = change / (1 + math.exp(scores[i] - scores[j]))
                lambdas[i] += push
                lambdas[j] -= push
    return lambdas


def literal_ndcg(ranks, grades, k):
    ideal_ranks = range(1, len(grades) + 1)
    return literal_dcg(ranks, grades, k) / literal_dcg(ideal_ranks, sorted(grades, reverse=True), k)


def literal_dcg(ranks, grades, k):
    pairs = zip(ranks, grades, strict=True)
    return sum((2**grade - 1) / math.log2(1 + rank) for rank, grade in pairs if k is None or rank <= k)


def fit(collection, sample_weight=None, validation=None, **settings):
    return fitted(LambdaRank(**settings), collection, sample_weight, validation)


def one_epoch(collection, net):
    """A step of length .1 for the first query."""
    lists = judged_lists(collection, None, None)
    train_epoch(*as_they_stand(collection.features), lists, np.array([0]), net, 0.1)


def test_a_first_step_is_the_one_computed_by_hand():
    """One pair, tied and ranked in input order: ΔNDCG = (1 - 1/log2 3) / 1, halved as the scores are equal."""
    pair = Collection([[0.0], [2.0]], [0, 1], [0, 2])
    net = Net(np.ones(1), np.ones(1), np.array([[math.atanh(0.5), 0.0]]), np.zeros(1))
    one_epoch(pair, net)
    lambda_ = (1 - 1 / math.log2(3)) / 2
    assert net.output == pytest.approx([0.1 * lambda_ * (0.5 - -0.5)], abs=1e-15)
    assert net.hidden == pytest.approx(
        np.array([[math.atanh(0.5), 0.0]]), abs=1e-15
    )  # its gradient has the factor output


def test_a_second_step_moves_the_hidden_weights_as_computed_by_hand():
    pair = Collection([[0.0], [2.0]], [1, 0], [0, 2])
    net = Net(np.ones(1), np.ones(1), np.array([[math.atanh(0.5), 0.0]]), np.ones(1))
    one_epoch(pair, net)
    lambda_ = (1 - 1 / math.log2(3)) / (1 + math.exp(-0.5 - 0.5))  # scores -1/2 for the better document, 1/2
    slope = 1 - 0.5**2
    assert net.output == pytest.approx([1 + 0.1 * lambda_ * (-0.5 - 0.5)], abs=1e-15)
    weight, bias = net.hidden[0]
    assert weight == pytest.approx(math.atanh(0.5) + 0.1 * lambda_ * slope * (-1 - 1), abs=1e-15)
    assert bias == pytest.approx(0, abs=1e-15)


@given(
    collections(),
    st.sampled_from([None, 1, 3]),
    st.integers(1, 3),
    st.booleans(),
    st.integers(1, 3),
    st.integers(0, 99),
)
@settings(deadline=None, max_examples=25)
def test_weights_are_those_of_the_literal_version(collection, k, hidden_units, weighted, labels_per_grade, seed):
    weights = np.random.default_rng(seed).random(collection.n_docs) if weighted else None
    order = in_one_order(collection, weights).order
    collection, weights = collection.take_rows(order), None if weights is None else weights[order]
    choices = {"hidden_units": hidden_units, "k": k, "labels_per_grade": labels_per_grade}
    ours = fit(collection, weights, epochs=3, learning_rate=0.5, random_state=seed, **choices).net_
    hidden, output = literal_fit(collection, 3, 0.5, seed=seed, weights=weights, **choices)
    assert ours.hidden == pytest.approx(hidden, abs=1e-8)
    assert ours.output == pytest.approx(output, abs=1e-8)


def test_a_feature_that_was_constant_is_ignored_afterwards(training):
    training.features[:, 2] = 0.1
    ranker = fit(training, epochs=3)
    changed = training.features.copy()
    changed[:, 2] = 1e6
    assert np.array_equal(ranker.predict(changed), ranker.predict(training.features))


def test_weights_beyond_all_numbers_are_refused(training):
    with pytest.raises(ValueError, match="weights overflow, learning_rate 1e\\+308"):
        fit(training, learning_rate=1e308)


# --- training labels finer than grades


def test_gains_of_finer_labels_are_those_computed_by_hand():
    """Labels 1 and 2 of half a grade: gains 2^.5 - 1 and 2^1 - 1, ideal DCG 1 + .414 / log2(3); labels 0: nothing."""
    collection = Collection(np.zeros((4, 1)), [1, 2, 0, 0], [0, 2, 4])
    gains = judged_lists(collection, None, None, labels_per_grade=2).gains
    ideal = 1 + (math.sqrt(2) - 1) / math.log2(3)
    assert gains == pytest.approx([1 / ideal, (math.sqrt(2) - 1) / ideal, 0, 0], abs=1e-15)
    below_one = judged_lists(Collection(np.zeros((2, 1)), [0, 1], [0, 2]), None, None, labels_per_grade=2)
    assert below_one.gains.tolist() == [1, 0]  # an ideal DCG of .414 normalises as any other
