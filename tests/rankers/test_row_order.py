"""What a ranker learns and predicts is the same, bit for bit, in whatever order the documents of a query stand."""

import numpy as np
import pytest
import small_collections
from hypothesis import given, settings
from hypothesis import strategies as st
from small_collections import collections, judged

from helpers import rankers
from helpers.datasets.collection import Collection
from helpers.rankers import LambdaMART

FEW = {
    "LambdaMART": {"num_iterations": 8, "min_data_in_leaf": 1},
    "LambdaRank": {"epochs": 4, "learning_rate": 0.5},
    "RankSVM": {},
    "RankBoost": {"rounds": 8},
    "ListNet": {"epochs": 4, "learning_rate": 0.5},
    "AdaRank": {"rounds": 8, "metric": "NDCG"},
}


def shuffled_rows(collection, rng):
    """Rows of the collection, in any order within each query."""
    return np.lexsort((rng.random(collection.n_docs), collection.query_index))


def fitted(name, training, validation, weights):
    return small_collections.fitted(rankers.make(name, **FEW[name]), training, weights, validation)


def check_same_in_any_order(name, training, validation, test, rng):
    by_query = name == "AdaRank"
    weights = rng.random(training.n_queries)[training.query_index] if by_query else rng.random(training.n_docs)
    rows, watched = shuffled_rows(training, rng), shuffled_rows(validation, rng)
    one = fitted(name, training, validation, weights)
    other = fitted(name, training.take_rows(rows), validation.take_rows(watched), weights[rows])
    asked = rng.permutation(len(test))
    assert one.n_rounds_ == other.n_rounds_
    assert np.array_equal(one.predict(test)[asked], other.predict(test[asked]))


@pytest.mark.parametrize("name", rankers.NAMES)
@given(parts=st.data(), seed=st.integers(0, 10**6))
@settings(deadline=None, max_examples=10)
def test_no_ranker_depends_on_the_order_of_documents_in_small_collections(name, parts, seed):
    training, rng = parts.draw(collections()), np.random.default_rng(seed)
    validation = training.with_grades(rng.integers(0, 4, training.n_docs))
    check_same_in_any_order(name, training, validation, training.features, rng)


@pytest.mark.parametrize("name", rankers.NAMES)
def test_no_ranker_depends_on_the_order_of_documents_whose_sums_are_rounded(name, rng):
    training, validation, test = (judged(rng, n) for n in (30, 20, 10))
    check_same_in_any_order(name, training, validation, test.features, rng)


def test_a_first_tree_that_ties_a_sorted_validation_query_does_not_look_perfect(rng):
    """The first tree cannot tell any of its documents from the others; later trees put the best one first."""
    features = rng.random((400, 2)).round(2)
    training = Collection(features, (features[:, 0] > 0.5) * 2 + (features[:, 1] > 0.5), np.arange(0, 401, 20))
    best_first = Collection([[0.9, 0.9], [0.9, 0.1], [0.9, 0.1], [0.9, 0.1]], [1, 0, 0, 0], [0, 4])
    ranker = LambdaMART(num_leaves=2, num_iterations=50).fit(
        training.features, training.grades, training.group, validation=best_first
    )
    assert ranker.n_rounds_ > 1
    scores = ranker.predict(best_first.features)
    assert scores[0] > scores[1:].max()
