"""LambdaMART: what it asks of LightGBM, and the same model as LightGBM's own estimator."""

import lightgbm as lgb
import numpy as np
import pytest

from helpers.collection import Collection, offsets_of
from helpers.rankers import LambdaMART


@pytest.fixture
def training(rng):
    features = rng.normal(size=(600, 5)).astype(np.float32)
    grades = np.digitize(features[:, 0] + rng.normal(size=600), [0, 1, 2])
    return Collection(features, grades, offsets_of(np.full(30, 20)))


def fit(training, sample_weight=None, validation=None, **settings):
    return LambdaMART(**settings).fit(
        training.features, training.grades, training.group, sample_weight=sample_weight, validation=validation
    )


@pytest.mark.parametrize("weighted", [False, True])
def test_scores_are_those_of_lightgbms_own_estimator(training, weighted, rng):
    weights = rng.random(training.n_docs) if weighted else None
    theirs = lgb.LGBMRanker(
        n_estimators=20, learning_rate=0.2, num_leaves=8, min_child_samples=10, n_jobs=1, verbosity=-1, random_state=0
    )
    theirs.fit(training.features, training.grades, group=training.group, sample_weight=weights)
    ours = fit(training, weights, num_iterations=20, learning_rate=0.2, num_leaves=8, min_data_in_leaf=10)
    expected = theirs.booster_.predict(training.features)
    assert ours.predict(training.features) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("learning_rate", 0.25),
        ("num_leaves", 5),
        ("min_data_in_leaf", 40),
        ("lambdarank_truncation_level", 7),
    ],
)
def test_a_setting_reaches_lightgbm_and_changes_the_model(training, setting, value):
    changed = fit(training, num_iterations=5, **{setting: value})
    assert f"[{setting}: {value}]" in changed.booster_.model_to_string()
    unchanged = fit(training, num_iterations=5).predict(training.features)
    assert not np.array_equal(changed.predict(training.features), unchanged)


def test_the_seed_reaches_lightgbm(training):
    assert "[seed: 91]" in fit(training, num_iterations=1, random_state=91).booster_.model_to_string()


def test_a_query_weighted_zero_is_as_good_as_one_without_pairs(training, rng):
    silent = training.query_index == 4
    weighted = fit(training, np.where(silent, 0.0, 1.0), num_iterations=10)
    alike = fit(training.with_grades(np.where(silent, 1, training.grades)), num_iterations=10)
    assert np.array_equal(weighted.predict(training.features), alike.predict(training.features))


def test_training_scores_depend_only_on_the_order_of_a_features_values(training):
    positive = [Collection(np.exp(power * training.features), training.grades, training.offsets) for power in (1, 2)]
    first, second = (fit(collection, num_iterations=10).predict(collection.features) for collection in positive)
    assert np.array_equal(first, second)


def test_fewer_documents_than_a_leaf_needs_give_equal_scores(training, capfd):
    few = training.take_queries([0])
    scores = fit(few).predict(training.features)
    assert (scores == scores[0]).all()
    assert capfd.readouterr() == ("", "")


def test_a_query_longer_than_lightgbm_takes_is_refused_before_it_complains(capfd):
    group = [3, 10_001]
    features, grades = np.zeros((10_004, 1)), np.arange(10_004) % 2
    with pytest.raises(ValueError, match="query 1 has 10001 documents, LightGBM takes at most 10000"):
        LambdaMART().fit(features, grades, group)
    assert capfd.readouterr() == ("", "")


# --- training labels finer than grades


@pytest.mark.parametrize("validated", [False, True])
def test_doubled_labels_of_half_a_grade_give_the_model_of_the_grades(training, validated):
    validation = training.take_queries(np.arange(10)) if validated else None
    doubled = training.with_grades(2 * training.grades)
    fine, plain, unlike = (
        fit(collection, validation=validation, num_iterations=30, labels_per_grade=per_grade)
        for collection, per_grade in [(doubled, 2), (training, 1), (doubled, 1)]
    )
    assert fine.n_rounds_ == plain.n_rounds_
    assert np.array_equal(fine.predict(training.features), plain.predict(training.features))
    assert not np.array_equal(unlike.predict(training.features), plain.predict(training.features))


def test_gains_of_finer_labels_are_those_computed_by_hand(training):
    """Labels 0 to 3 of half a grade: 2^0 - 1, 2^.5 - 1, 2^1 - 1 and 2^1.5 - 1."""
    theirs = lgb.LGBMRanker(
        n_estimators=10, n_jobs=1, verbosity=-1, random_state=0, label_gain=[0, 2**0.5 - 1, 1, 2**1.5 - 1]
    )
    theirs.fit(training.features, training.grades, group=training.group)
    ours = fit(training, num_iterations=10, labels_per_grade=2).predict(training.features)
    assert ours == pytest.approx(theirs.booster_.predict(training.features), abs=1e-12)


def test_a_half_grade_is_ranked_between_its_neighbours():
    features, labels = np.array([[0.0], [1.0], [2.0]] * 20), [0, 1, 2] * 20
    ranker = LambdaMART(num_iterations=5, min_data_in_leaf=5, labels_per_grade=2).fit(features, labels, [3] * 20)
    low, middle, high = ranker.predict(features[:3])
    assert low < middle < high


@pytest.mark.parametrize("labels_per_grade", [0, -1, 1.5, np.nan])
def test_a_grade_divided_into_no_number_of_labels_is_refused(training, labels_per_grade):
    with pytest.raises(ValueError, match=f"labels_per_grade is {labels_per_grade}, expected a whole number"):
        fit(training, labels_per_grade=labels_per_grade)


def test_validation_grades_beyond_the_highest_label_are_refused(training):
    alike = training.with_grades(np.minimum(training.grades, 2))
    with pytest.raises(ValueError, match="validation has grade 3, which is label 129 with labels_per_grade 43"):
        fit(alike, validation=training, labels_per_grade=43)
    assert fit(alike, validation=training, num_iterations=1, labels_per_grade=42).n_rounds_ == 1
