"""What holds for every ranker: checked input, repeatable fits, and no trouble with labels that teach nothing."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from helpers import rankers
from helpers.collection import Collection, offsets_of
from helpers.rankers.base import mean_ndcg

QUICK = {"LambdaMART": {"num_iterations": 20, "min_data_in_leaf": 5}, "LambdaRank": {"epochs": 15}}


def learnable(rng, n_queries=40, n_docs=10):
    features = rng.random((n_queries * n_docs, 3)).astype(np.float32)
    grades = np.digitize(features[:, 0], [0.6, 0.9])
    return Collection(features, grades, offsets_of([n_docs] * n_queries))


def fitted(name, collection, **extra):
    ranker = rankers.make(name, **QUICK[name])
    return ranker.fit(collection.features, collection.grades, collection.group, **extra)


@pytest.fixture(params=rankers.NAMES)
def name(request):
    return request.param


def test_what_can_be_learned_is_learned(name, rng):
    ranker = fitted(name, learnable(rng))
    unseen = learnable(rng)
    assert mean_ndcg(unseen, ranker.predict(unseen.features)) > 0.9


def test_a_document_is_scored_by_its_own_row(name, rng):
    collection = learnable(rng)
    ranker = fitted(name, collection)
    order = rng.permutation(collection.n_docs)
    scores = ranker.predict(collection.features)
    assert np.array_equal(ranker.predict(collection.features[order]), scores[order])


def test_the_same_seed_gives_the_same_bits_also_after_a_pickle(name, rng):
    collection = learnable(rng)
    first, second = (fitted(name, collection, validation=learnable(np.random.default_rng(1))) for _ in range(2))
    scores = first.predict(collection.features)
    assert np.array_equal(scores, second.predict(collection.features))
    assert np.array_equal(scores, pickle.loads(pickle.dumps(first)).predict(collection.features))


def test_it_follows_scikit_learns_conventions(name):
    ranker = rankers.make(name, learning_rate=0.02)
    assert clone(ranker).get_params() == ranker.get_params()
    assert not [attribute for attribute in vars(ranker) if attribute.endswith("_")]
    with pytest.raises(NotFittedError):
        ranker.predict([[1.0]])


def test_rounds_are_chosen_on_the_validation_queries(name, rng):
    training, validation = learnable(rng), learnable(rng)
    ranker = fitted(name, training, validation=validation)
    assert 1 <= ranker.n_rounds_ <= 20
    assert mean_ndcg(validation, ranker.predict(validation.features)) > 0.9


@pytest.mark.parametrize(
    ("grades", "group"),
    [
        ([1] * 12, [6, 6]),
        ([0] * 6 + [2] * 6, [6, 6]),
        ([0, 1] * 6, [1] * 12),
        ([2], [1]),
    ],
    ids=["all labels equal", "equal in each query", "queries of one document", "one document"],
)
def test_labels_that_teach_nothing_leave_all_scores_equal(name, grades, group):
    features = np.arange(2.0 * len(grades)).reshape(-1, 2)
    ranker = rankers.make(name, **QUICK[name]).fit(features, grades, group)
    scores = ranker.predict(features)
    assert np.isfinite(scores).all()
    assert np.ptp(scores) < 1e-12


def test_constant_features_and_thousands_of_ties_do_no_harm(name, rng):
    features = np.column_stack([np.ones(3000), rng.integers(0, 2, 3000)])
    grades = features[:, 1] + rng.integers(0, 2, 3000)
    ranker = rankers.make(name, **QUICK[name]).fit(features, grades, [1000] * 3)
    low, high = ranker.predict([[1.0, 0.0], [1.0, 1.0]])
    assert low < high


def test_weights_change_what_is_learned_and_weights_of_one_do_not(name, rng):
    collection = learnable(rng)
    plain = fitted(name, collection).predict(collection.features)
    weighted = fitted(name, collection, sample_weight=np.where(collection.grades == 2, 0.0, 1.0))
    assert not np.array_equal(plain, weighted.predict(collection.features))
    ones = fitted(name, collection, sample_weight=np.ones(collection.n_docs)).predict(collection.features)
    assert np.allclose(plain, ones, rtol=1e-6)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"group": [5, 6]}, "group adds up to 11 documents, expected the 10 rows of X"),
        ({"group": [10, 0]}, "expected a number of documents, at least 1"),
        ({"y": [0.5] * 10}, "row 0 has 0.5, expected a whole number from 0 to 127"),
        ({"X": np.full((10, 2), np.nan)}, "NaN"),
        ({"sample_weight": [-1.0] + [1.0] * 9}, "row 0 has -1.0, expected a number of at least 0"),
        ({"sample_weight": [1.0]}, r"sample_weight has shape \(1,\), expected \(10,\)"),
        (
            {"validation": Collection(np.zeros((2, 3)), [0, 1], [0, 2])},
            "validation has 3 features, expected the 2 of X",
        ),
    ],
)
def test_bad_input_is_refused(name, change, message):
    given = {"X": np.arange(20.0).reshape(10, 2), "y": [0, 1] * 5, "group": [5, 5]} | change
    with pytest.raises(ValueError, match=message):
        rankers.make(name).fit(given.pop("X"), given.pop("y"), given.pop("group"), **given)


def test_other_features_than_were_learned_are_refused(name, rng):
    with pytest.raises(ValueError, match="features"):
        fitted(name, learnable(rng)).predict(np.zeros((2, 5)))


def test_unknown_names_and_settings_are_refused():
    with pytest.raises(ValueError, match="name is 'RankNet', expected one of LambdaMART, LambdaRank"):
        rankers.make("RankNet")
    with pytest.raises(ValueError, match="depth"):
        rankers.make("LambdaMART", depth=3)
    with pytest.raises(ValueError, match="learning_rate is 0, expected more than 0"):
        rankers.make("LambdaRank", learning_rate=0).fit([[0.0], [1.0]], [0, 1], [2])


def test_lambdamart_names_the_query_that_is_too_long():
    n = 10_001
    with pytest.raises(ValueError, match=r"query 1 has 10001 documents"):
        rankers.make("LambdaMART").fit(np.zeros((n + 2, 1)), np.arange(n + 2) % 2, [2, n])


def test_lambdamart_takes_grades_that_lightgbm_has_no_gain_for():
    ranker = rankers.make("LambdaMART", num_iterations=5, min_data_in_leaf=5)
    low, high = ranker.fit([[0.0], [1.0]] * 10, [0, 40] * 10, [2] * 10).predict([[0.0], [1.0]])
    assert low < high
