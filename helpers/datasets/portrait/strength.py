"""How strongly features depend on the grade, matched to what a ranker makes of the real collection."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from helpers import metrics
from helpers.datasets.collection import Collection
from helpers.datasets.portrait.drawing import draw
from helpers.datasets.portrait.files import Portrait

N_FOLDS = 5
FIRST_RANGE = 3.0  # doubled while the wanted figure is beyond it
WIDEST_RANGE = 12.0
HALVINGS = 8
MOST_DRAWS = 10
DRAWN_DOCS = 200_000  # in all trial collections of one strength together


def cross_validated(collection: Collection) -> float:
    """Mean nDCG@10 of the linear ranker over queries, each ranked by what was learnt on other folds."""
    fold = np.arange(collection.n_queries) % N_FOLDS
    scores = np.empty(collection.n_docs)
    for test in range(N_FOLDS):
        held_out = (fold == test)[collection.query_index]
        ranker = linear_ranker().fit(collection.features[~held_out], collection.grades[~held_out])
        scores[held_out] = ranker.predict(collection.features[held_out])
    return float(np.nanmean(metrics.ndcg(collection.grades, scores, collection.offsets, k=10)))


def matched(
    portrait: Portrait,
    wanted: float,
    n_queries: int,
    rng: np.random.Generator,
    *,
    figure: Callable[[Collection], float] = cross_validated,
    draws: int | None = None,
) -> Portrait:
    """The portrait with the strength at which a figure, higher for a higher one, has the wanted value on collections
    drawn of n_queries, as many as 200,000 documents allow where draws is None; by bisection, on the same numbers."""
    docs = n_queries * portrait.grade_counts.sum() / len(portrait.grade_counts)
    seeds = rng.integers(1 << 63, size=draws or int(np.clip(DRAWN_DOCS // docs, 1, MOST_DRAWS)))

    def too_weak(strength: float) -> bool:
        return _drawn_mean(replace(portrait, strength=strength), figure, n_queries, seeds) < wanted

    low, high = 0.0, FIRST_RANGE
    while high < WIDEST_RANGE and too_weak(high):
        low, high = high, 2 * high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if too_weak(middle) else (low, middle)
    return replace(portrait, strength=(low + high) / 2)


def _drawn_mean(portrait: Portrait, figure: Callable[[Collection], float], n_queries: int, seeds: np.ndarray) -> float:
    trials = (draw(portrait, n_queries, np.random.default_rng(seed)) for seed in seeds)
    return float(np.mean([figure(collection) for collection in trials]))


def linear_ranker():
    """Ridge regression of the grade on standardised features (pointwise: Cossock and Zhang 2006)."""
    return make_pipeline(StandardScaler(), Ridge(alpha=10.0))
