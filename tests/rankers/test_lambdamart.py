"""LambdaMART: what it asks of LightGBM, and the same model as LightGBM's own estimator."""

import lightgbm as lgb
import numpy as np
import pytest
from small_collections import fitted

from helpers.datasets.collection import Collection, offsets_of
from helpers.rankers import LambdaMART
from helpers.rankers.base import in_one_order


@pytest.fixture
def training(rng):
    """In the order in which LightGBM is given it, on which its first ranks depend."""
    features = rng.normal(size=(600, 5)).astype(np.float32)
    grades = np.digitize(features[:, 0] + rng.normal(size=600), [0, 1, 2])
    collection = Collection(features, grades, offsets_of(np.full(30, 20)))
    return collection.take_rows(in_one_order(collection).order)


def fit(collection, sample_weight=None, validation=None, **settings):
    return fitted(LambdaMART(**settings), collection, sample_weight, validation)


@pytest.mark.parametrize("weighted", [False, True])
def test_scores_are_those_of_lightgbms_own_estimator(training, weighted, rng):
    weights = rng.random(training.n_docs) if weighted else None
    chosen = {"learning_rate": 0.2, "num_leaves": 8, "lambdarank_truncation_level": 7}
    theirs = lgb.LGBMRanker(n_estimators=20, min_child_samples=10, n_jobs=1, verbosity=-1, random_state=0, **chosen)
    theirs.fit(training.features, training.grades, group=training.group, sample_weight=weights)
    ours = fit(training, weights, num_iterations=20, min_data_in_leaf=10, **chosen)
    expected = theirs.booster_.predict(training.features)
    assert ours.predict(training.features) == pytest.approx(expected, abs=1e-12)
    without = fit(
        training, weights, num_iterations=20, min_data_in_leaf=10, **chosen | {"lambdarank_truncation_level": 30}
    )
    assert not np.array_equal(without.predict(training.features), ours.predict(training.features))


def test_a_query_weighted_zero_is_as_good_as_one_without_pairs(training, rng):
    silent = training.query_index == 4
    weighted = fit(training, np.where(silent, 0.0, 1.0), num_iterations=10)
    alike = fit(training.with_grades(np.where(silent, 1, training.grades)), num_iterations=10)
    assert np.array_equal(weighted.predict(training.features), alike.predict(training.features))


def test_a_query_longer_than_lightgbm_takes_is_refused_before_it_complains(capfd):
    group = [3, 10_001]
    features, grades = np.zeros((10_004, 1)), np.arange(10_004) % 2
    with pytest.raises(ValueError, match="query 1 has 10001 documents, LightGBM takes at most 10000"):
        LambdaMART().fit(features, grades, group)
    assert capfd.readouterr() == ("", "")


# --- training labels finer than grades


def test_gains_of_finer_labels_are_those_computed_by_hand(training):
    """Labels 0 to 3 of half a grade: 2^0 - 1, 2^.5 - 1, 2^1 - 1 and 2^1.5 - 1."""
    theirs = lgb.LGBMRanker(
        n_estimators=10, n_jobs=1, verbosity=-1, random_state=0, label_gain=[0, 2**0.5 - 1, 1, 2**1.5 - 1]
    )
    theirs.fit(training.features, training.grades, group=training.group)
    ours = fit(training, num_iterations=10, labels_per_grade=2).predict(training.features)
    assert ours == pytest.approx(theirs.booster_.predict(training.features), abs=1e-12)


def test_a_validation_grade_is_whole_however_fine_the_training_labels_are(training):
    """Grades that would be labels above 127, the highest of training."""
    alike = training.with_grades(np.minimum(training.grades, 2))
    watched = [training.with_grades(np.where(training.grades == 3, grade, training.grades)) for grade in (3, 127)]
    kept = [fit(alike, validation=part, num_iterations=30, labels_per_grade=50).n_rounds_ for part in watched]
    assert all(1 <= n_rounds <= 30 for n_rounds in kept)


def test_a_validation_query_may_be_longer_than_lightgbm_takes(training):
    longer = Collection(np.resize(training.features, (10_001, 5)), np.arange(10_001) % 2, [0, 10_001])
    assert fit(training, validation=longer, num_iterations=3).n_rounds_ >= 1
