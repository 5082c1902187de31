"""One run of training on one person's labels: with few imports, so that a change elsewhere loses no finished run."""

from __future__ import annotations

import numpy as np

from helpers import metrics, rankers
from helpers.datasets.collection import Collection, offsets_of

CUTOFFS = (3, 5, 10)
VALIDATION = 4  # one of so many queries that are not tested is for validation


def train_and_test(
    ranker: str,
    draw: int,
    fold: int,
    *,
    rng: np.random.Generator,
    collection: Collection,
    labels: np.ndarray,
    folds: np.ndarray,
) -> dict:
    """`per_query`: cut-off -> (n_queries,) nDCG by `by_person` of what one person taught, NaN outside the fold.

    `labels` (n_draws, n_docs, m) are as `JudgedCollection.draw` gives them: the first person of a query trains or
    validates, all of a query in `folds` (n_queries,) that equals `fold` test.
    """
    own = collection.with_grades(labels[draw][:, 0])
    learned, tested = rng.permutation(np.flatnonzero(folds != fold)), np.flatnonzero(folds == fold)
    held = len(learned) // VALIDATION
    training, validation = own.take_queries(np.sort(learned[held:])), own.take_queries(np.sort(learned[:held]))
    model = rankers.seeded(ranker, int(rng.integers(2**31)))
    model.fit(training.features, training.grades, training.group, validation=validation)
    rows = np.isin(collection.query_index, tested)
    scores, group = model.predict(collection.features[rows]), collection.group[tested]
    per_query = np.full((len(CUTOFFS), collection.n_queries), np.nan)
    for place, k in enumerate(CUTOFFS):
        per_query[place, tested] = by_person(labels[draw][rows], group, scores, k)
    return {"per_query": {str(k): values.round(5).tolist() for k, values in zip(CUTOFFS, per_query, strict=True)}}


def by_person(labels: np.ndarray, group: np.ndarray, scores: np.ndarray, k: int) -> np.ndarray:
    """(n_queries,) nDCG@k of scores (n_docs,) by each column of labels (n_docs, m), -1 for none: means over columns.

    >>> by_person(np.array([[1, 0], [0, 1]]), np.array([2]), np.array([1.0, 0.0]), 1)
    array([0.5])
    """
    values = np.full((labels.shape[1], len(group)), np.nan)
    query = np.repeat(np.arange(len(group)), group)
    for person, own in enumerate(labels.T):
        has = own >= 0
        if not has.any():
            continue
        size = np.bincount(query[has], minlength=len(group))
        values[person, size > 0] = metrics.ndcg(own[has], scores[has], offsets_of(size[size > 0]), k)
    there = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        return np.where(there, values, 0).sum(axis=0) / there.sum(axis=0)
