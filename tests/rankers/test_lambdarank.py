"""LambdaRank against a slow version written from the paper, in matrices of pairs."""

import numpy as np
import pytest

from helpers import rankers
from helpers.collection import Collection, offsets_of
from helpers.rankers.lambda_net import initial_net, train_epoch
from helpers.rankers.lambdarank import judged_lists


def literal_lambdas(scores, grades, k):
    """Sum over pairs of |change of NDCG when swapped| / (1 + exp(s_better - s_worse))."""
    n = len(scores)
    ranks = np.empty(n, int)
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, n + 1)
    cut = n if k is None else k
    discount = np.where(ranks <= cut, 1 / np.log2(1 + ranks), 0)
    gain = 2.0**grades - 1
    places = np.arange(1, n + 1)
    ideal = np.sum(np.sort(gain)[::-1] * np.where(places <= cut, 1 / np.log2(1 + places), 0))
    lambdas = np.zeros(n)
    for i in range(n):
        for j in range(n):
            if grades[i] > grades[j]:
                change = abs((gain[i] - gain[j]) * (discount[i] - discount[j])) / ideal
                push = change / (1 + np.exp(scores[i] - scores[j]))
                lambdas[i] += push
                lambdas[j] -= push
    return lambdas


def literal_step(x, grades, weights, hidden, bias, output, rate, k):
    inside = np.tanh(x @ hidden.T + bias)
    lambdas = literal_lambdas(inside @ output, grades, k) * weights
    back = lambdas[:, None] * output * (1 - inside**2)
    return hidden + rate * back.T @ x, bias + rate * back.sum(axis=0), output + rate * lambdas @ inside


@pytest.mark.parametrize("k", [None, 3])
@pytest.mark.parametrize("seed", range(4))
def test_an_epoch_gives_the_weights_of_the_paper(seed, k):
    rng = np.random.default_rng(seed)
    group = rng.integers(1, 9, 6)
    features = rng.normal(size=(group.sum(), 4)).astype(np.float32)
    collection = Collection(features, rng.integers(0, 4, group.sum()), offsets_of(group))
    weights = rng.random(collection.n_docs)
    net = initial_net(collection.features, 3, rng)
    net.output[:] = rng.normal(size=3)
    hidden, bias, output = net.hidden[:, :-1].copy(), net.hidden[:, -1].copy(), net.output.copy()
    x = (features - features.mean(axis=0, dtype=float)) / features.std(axis=0, dtype=float)
    lists = judged_lists(collection, weights, k)
    queries = np.array([q for q in range(6) if np.ptp(collection.grades[slice(*collection.offsets[q : q + 2])])])
    train_epoch(collection.features, lists, queries, net, 0.05)
    for q in queries:
        rows = slice(*collection.offsets[q : q + 2])
        hidden, bias, output = literal_step(
            x[rows], collection.grades[rows].astype(float), weights[rows], hidden, bias, output, 0.05, k
        )
    assert net.hidden[:, :-1] == pytest.approx(hidden, abs=1e-8)
    assert net.hidden[:, -1] == pytest.approx(bias, abs=1e-8)
    assert net.output == pytest.approx(output, abs=1e-8)


def test_the_lambda_of_one_pair_by_hand():
    """Scores equal, the better document second: rank 2 to 1 gains 1 - 1/log2(3) of 1, times 1/2 as nothing is known."""
    assert literal_lambdas(np.zeros(2), np.array([0.0, 1.0]), None) == pytest.approx(
        np.array([-1, 1]) * (1 - 1 / np.log2(3)) / 2
    )


def test_a_constant_feature_is_ignored(rng):
    features = np.column_stack([rng.random(20), np.full(20, 7.0)])
    grades = np.digitize(features[:, 0], [0.5])
    ranker = rankers.make("LambdaRank", epochs=5).fit(features, grades, [10, 10])
    moved = features.copy()
    moved[:, 1] = 1e6
    assert np.array_equal(ranker.predict(features), ranker.predict(moved))


def test_another_seed_is_another_net(rng):
    features, grades = rng.random((40, 3)), rng.integers(0, 3, 40)
    one, other = (rankers.make("LambdaRank", epochs=3, random_state=s).fit(features, grades, [20, 20]) for s in (0, 1))
    assert not np.array_equal(one.predict(features), other.predict(features))


def test_training_stops_when_validation_no_longer_rises(rng):
    features = rng.random((200, 3))
    noise = Collection(features, rng.integers(0, 3, 200), offsets_of([20] * 10))
    ranker = rankers.make("LambdaRank", epochs=80, early_stopping=3)
    ranker.fit(noise.features, noise.grades, noise.group, validation=noise.with_grades(rng.integers(0, 3, 200)))
    history = ranker.validation_ndcg_
    assert len(history) == ranker.n_rounds_ + 3
    assert max(history) == history[ranker.n_rounds_ - 1]


def test_weights_that_overflow_are_an_error():
    with pytest.raises(ValueError, match="weights overflow"):
        rankers.make("LambdaRank", learning_rate=1e308).fit([[0.0], [1.0]] * 4, [0, 1] * 4, [2] * 4)
