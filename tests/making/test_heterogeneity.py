"""How much queries differ, measured, and the map of what the main claim depends on."""

from dataclasses import replace

import numpy as np
import pytest

from helpers.datasets.collection import Collection, offsets_of
from helpers.making import depth as heterogeneity
from helpers.studies.depth import protocol as study


def queries(rng, spread, n_queries=300, n_docs=60):
    """Three features that rise with a grade of two levels at slopes (1, 0, 0), and at the query's own of a spread."""
    grades = np.tile(np.r_[np.zeros(n_docs // 2, int), np.ones(n_docs // 2, int)], n_queries)
    own = np.array([1.0, 0, 0]) + rng.normal(0, spread, (n_queries, 3))
    features = rng.normal(size=(len(grades), 3)) + grades[:, None] * np.repeat(own, n_docs, axis=0)
    return Collection(features, grades, offsets_of([n_docs] * n_queries), name="toy")


def test_by_hand():
    # two directions, weights so large that the scatter adds nothing: mean (2, 0), squares about it 2 x (1 + 1)
    slopes = np.array([[1.0, 1.0], [3.0, -1.0]])
    between = 4.0 / (2 * (1 - 0.5)) / 1  # sum of squares over total weight (1 - share), per unit weight
    found = heterogeneity.ratio(slopes, np.array([1e12, 1e12]))
    assert found == pytest.approx(np.sqrt(between / (4 - between / 2)))


def test_it_is_the_spread_of_the_slopes_over_their_mean(rng):
    value, low, high, _ = heterogeneity.measure(queries(rng, 0.5))
    # three directions of that variance against a mean of length 1
    assert value == pytest.approx(np.sqrt(3) * 0.5, rel=0.15)
    assert low < value < high


def test_units_of_features_do_not_matter(rng):
    toy = queries(rng, 0.5, n_queries=60)
    stretched = Collection(np.exp(toy.features) * [1, 50, 0.01], toy.grades, toy.offsets)
    assert heterogeneity.measure(stretched)[0] == pytest.approx(heterogeneity.measure(toy)[0], rel=1e-5)


def test_too_few_queries_are_refused(rng):
    with pytest.raises(ValueError, match="toy: 30 queries have documents of two grades, expected at least 40"):
        heterogeneity.measure(queries(rng, 0.5, n_queries=30))


def test_a_portrait_is_measured_as_it_is_drawn(monkeypatch):
    small = replace(study.STUDY, training_queries=60, validation_queries=5, test_queries=5)
    plan = study.Plan(("RankSVM",), small, "mq2008-portrait", copies=2)
    monkeypatch.setattr(study, "COLLECTIONS", {"mine": plan})
    monkeypatch.setattr(heterogeneity, "SEED", 0)
    row = heterogeneity.of_collections().iloc[0]
    assert row["data"] == "mine"
    assert 40 <= row["queries"] <= 60
