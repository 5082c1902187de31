"""AdaRank: the same rounds as a slow version that ranks every list in every order of its ties, and its own promises."""

import functools
import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from small_collections import as_given, collections, fitted, tied_by_rounding

from helpers import metrics
from helpers.datasets.collection import Collection, offsets_of
from helpers.rankers import feature_orders
from helpers.rankers.adarank import AdaRank
from helpers.rankers.feature_orders import by_feature, by_scores, measure


@pytest.fixture(autouse=True)
def nothing_remembered():
    feature_orders._remembered.clear()


def fit(collection, sample_weight=None, validation=None, **settings):
    return fitted(AdaRank(**settings), collection, sample_weight, validation)


# --- the literal version


def literal_fit(collection, metric, weights, rounds, patience):
    """Features and alphas by round, or None where rounding decides an order."""
    parts = [slice(*collection.offsets[q : q + 2]) for q in range(collection.n_queries)]
    lists = [collection.grades[part].tolist() for part in parts]
    flat = [len({grade >= 1 if metric == "MAP" else grade for grade in grades}) == 1 for grades in lists]
    first = np.where(flat, 0, weights)
    features = collection.features.astype(float)

    def measured(scores):
        return np.array([literal_measure(metric, g, scores[part]) for g, part in zip(lists, parts, strict=True)])

    chosen, refused, in_a_row, scores, reached = [], set(), 0, np.zeros(collection.n_docs), -1.0
    if not first.any():
        return chosen
    first = shares = first / first.sum()
    alone = [measured(column) for column in features.T]
    while len(chosen) < rounds and in_a_row < patience and len(refused) < len(alone):
        gain = {f: sum(shares * values) for f, values in enumerate(alone) if f not in refused}
        k = min(f for f in gain if gain[f] > max(gain.values()) - 1e-9)
        right = min(gain[k], 1 - 1e-9)
        alpha = 0.5 * math.log((1 + right) / (1 - right))
        raised = scores + alpha * features[:, k]
        if tied_by_rounding(raised, features):
            return None
        values = measured(raised)
        if sum(first * values) <= reached + 1e-9:
            refused.add(k)
            in_a_row += 1
            continue
        in_a_row, scores, reached = 0, raised, sum(first * values)
        shares = first * np.exp(-values)
        shares = shares / shares.sum()
        chosen.append((k, alpha))
    return chosen


def literal_measure(metric, grades, scores):
    """Mean over all orders in which the scores fall."""
    orders = itertools.permutations(range(len(grades)))
    falling = [order for order in orders if all(scores[i] >= scores[j] for i, j in itertools.pairwise(order))]
    value = {"MAP": literal_precision, "NDCG": literal_ndcg}[metric]
    return sum(value([grades[d] for d in order]) for order in falling) / len(falling)


def literal_precision(ranked):
    found = [rank for rank, grade in enumerate(ranked, start=1) if grade >= 1]
    return sum(above / rank for above, rank in enumerate(found, start=1)) / max(len(found), 1)


def literal_ndcg(ranked):
    return literal_dcg(ranked) / (literal_dcg(sorted(ranked, reverse=True)) or 1)


def literal_dcg(ranked):
    return sum((2**grade - 1) / math.log2(1 + rank) for rank, grade in enumerate(ranked[:10], start=1))


@given(collections(4, 4), st.sampled_from(["MAP", "NDCG"]), st.booleans(), st.sampled_from([1, 2, 10]))
@settings(deadline=None, max_examples=30)
def test_features_and_alphas_are_those_of_the_literal_version(collection, metric, weighted, patience):
    weights = 1.0 + np.arange(collection.n_queries) % 3 if weighted else np.ones(collection.n_queries)
    expected = literal_fit(collection, metric, weights, 6, patience)
    assume(expected is not None)
    ranker = fit(collection, weights[collection.query_index], metric=metric, rounds=6, patience=patience)
    assert ranker.features_.tolist() == [feature for feature, _ in expected]
    assert ranker.alphas_ == pytest.approx([alpha for _, alpha in expected], abs=1e-8)


# --- how well a feature alone ranks


@pytest.fixture
def training(rng):
    """Queries of 1 to 300 documents, features with and without ties."""
    group = np.array([1, 7, 300, 256, 257, 40, 40, 40])
    features = rng.normal(size=(group.sum(), 5)).astype(np.float32)
    features[:, 1] = features[:, 1].round()
    features[:, 2] = 1
    grades = np.digitize(features[:, 0] + features[:, 1] + rng.normal(size=len(features)), [0, 1, 2])
    return Collection(features, grades, offsets_of(group))


def expected_by_feature(collection, metric):
    of = {"MAP": metrics.average_precision, "NDCG": functools.partial(metrics.ndcg, k=10)}[metric]
    columns = collection.features.T.astype(float)
    return np.array([of(collection.grades, column, collection.offsets, empty="zero") for column in columns])


both_metrics = pytest.mark.parametrize("metric", ["MAP", "NDCG"])


def test_a_feature_is_measured_as_computed_by_hand():
    """By the second feature, a relevant document at rank 1 and two documents tied, one relevant: (1 + 11/12) / 2."""
    collection = Collection([[0.0, 9.0], [1.0, 5.0], [2.0, 5.0]], [1, 1, 0], [0, 3])
    values = by_feature(as_given(collection), measure(collection, "MAP"))[:, 0]
    assert values == pytest.approx([(1 / 2 + 2 / 3) / 2, (1 + (2 / 2 + 2 / 3) / 2) / 2], abs=1e-15)
    ideal = 1 + 1 / math.log2(3)
    values = by_feature(as_given(collection), measure(collection, "NDCG"))[:, 0]
    assert values == pytest.approx([(ideal - 0.5) / ideal, (1 + (1 / math.log2(3) + 0.5) / 2) / ideal], abs=1e-15)


@both_metrics
def test_features_are_measured_as_by_the_metrics_module_with_orders_made_or_remembered(training, metric, rng):
    for labels in (training.grades, rng.integers(0, 4, size=training.n_docs)):
        relabelled = training.with_grades(labels)
        values = by_feature(as_given(relabelled), measure(relabelled, metric))
        assert values == pytest.approx(expected_by_feature(relabelled, metric), abs=1e-12)


def test_orders_are_made_once_for_labels_drawn_anew(training, rng, monkeypatch):
    made = []
    monkeypatch.setattr(feature_orders, "_orders", lambda c, make=feature_orders._orders: made.append(c) or make(c))
    for _ in range(3):
        drawn = Collection(training.features.copy(), rng.integers(0, 4, size=training.n_docs), training.offsets)
        fit(drawn)
    assert len(made) == 1


@both_metrics
@pytest.mark.parametrize("change", [(-1, 0), (500, 4)])
def test_features_changed_in_place_are_ordered_anew(training, metric, change):
    by_feature(as_given(training), measure(training, metric))
    training.features[change] = 0.123
    values = by_feature(as_given(training), measure(training, metric))
    assert values == pytest.approx(expected_by_feature(training, metric), abs=1e-12)


# --- how well scores rank


@both_metrics
@pytest.mark.parametrize("decimals", [0, 12])
@pytest.mark.parametrize("shape", [lambda x: x, lambda x: -np.exp(9 * x), np.zeros_like])
def test_scores_are_measured_as_by_the_metrics_module(training, metric, decimals, shape, rng):
    """Among them such as crowd near one end, for which lists are sorted in another way."""
    scores = shape(rng.normal(size=training.n_docs).round(decimals)).astype(np.float32).astype(float)
    values = by_scores(training, measure(training, metric), scores)
    alone = Collection(scores[:, None], training.grades, training.offsets)
    assert values == pytest.approx(expected_by_feature(alone, metric)[0], abs=1e-12)


# --- boosting


def test_the_first_round_is_the_one_computed_by_hand():
    """Average precisions 1 and 1/2 by the first feature, 1/2 and 1/2 by the second: a mean of 3/4."""
    collection = Collection([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 0.0]], [1, 0, 0, 1], [0, 2, 4])
    ranker = fit(collection, rounds=1)
    assert ranker.features_ == [0]
    assert ranker.alphas_ == pytest.approx([0.5 * math.log((1 + 3 / 4) / (1 - 3 / 4))], abs=1e-15)


def test_a_query_weighs_as_much_as_so_many_copies_of_it(training):
    copies = np.array([2, 3, 0, 1, 1, 2, 1, 5])
    repeated = training.take_queries(np.repeat(np.arange(8), copies))
    weighted = fit(training, copies[training.query_index])
    assert weighted.predict(training.features) == pytest.approx(fit(repeated).predict(training.features), abs=1e-9)


def test_weights_that_differ_within_a_query_are_refused(training):
    weights = np.ones(training.n_docs)
    weights[5] = 2
    with pytest.raises(ValueError, match=r"sample_weight: row 5 has 2.0, the first row of its query 1.0: expected one"):
        fit(training, weights)
