"""One run of study 1 with the people of a judged collection."""

from __future__ import annotations

import numpy as np

from helpers import metrics
from helpers.datasets.collection import Collection
from helpers.judging import schemes
from helpers.studies.overlap.trial import CUTOFFS, MAIN, fitted, label_error, parts, rows_of


def train_and_test(
    ranker: str,
    setting: str,
    draw: int,
    fold: int,
    *,
    rng: np.random.Generator,
    collection: Collection,
    labels: np.ndarray,
    judges: np.ndarray,
    gains: np.ndarray,
    testable: np.ndarray,
    good: int,
    order: np.ndarray,
    seeds: np.ndarray,
) -> dict:
    """What a scheme costs, and how well a ranker does that trains on people's labels, on one fold: one run.

    Three parts of the queries train, one, with one label a document, validates, one tests by `gains`. A ranker starts
    alike for all settings of a draw: settings that make the same labels have the same result.

    Parameters
    ----------
    ranker, setting, draw : as in `trial.train_and_test`
    rng : of this run alone, not used
    fold : which of the five parts tests
    collection, gains, testable, good : of a `judged.JudgedCollection`
    labels, judges : (n_draws, n_docs, m) of every draw, in the order in which people are asked, -1 where there is none
    order : (n_queries,) the queries, to be cut into parts
    seeds : (n_draws,) from which rankers start
    """
    test, validation, learned = parts(order, fold)
    rows, watched = rows_of(collection, learned), rows_of(collection, validation)
    sample = schemes.collect(setting, labels[draw][rows], None, judges=judges[draw][rows], good=good)
    watched_set = collection.take_queries(validation).with_grades(labels[draw][watched, 0])
    model = fitted(
        ranker, collection.take_queries(learned), sample, watched_set, np.random.default_rng([seeds[draw], fold])
    )
    tests = rows_of(collection, test)
    scores = model.predict(collection.features[tests])
    by_query = {k: ndcg(collection.take_queries(test), gains[tests], testable[test], scores, k) for k in CUTOFFS}
    means = {f"ndcg@{k}": mean_of(values) for k, values in by_query.items()}
    error = label_error(sample, collection.grades[rows])
    return schemes.costs(sample, good) | error | means | {"per_query": np.round(by_query[MAIN], 5).tolist()}


def ndcg(collection: Collection, gains: np.ndarray, testable: np.ndarray, scores: np.ndarray, k: int) -> np.ndarray:
    """(n_queries,) NDCG by gains, of the documents that have one; NaN of queries that do not test.

    Parameters
    ----------
    collection : the queries
    gains : (n_docs,) whole linear gains, -1 where a document has none
    testable : (n_queries,) bool
    scores : (n_docs,)
    k : cut-off

    Examples
    --------
    >>> queries = Collection(np.zeros((5, 1)), np.zeros(5), [0, 3, 5])
    >>> ndcg(queries, np.array([4, -1, 2, 0, 1]), np.array([True, False]), np.array([1, 9, 2, 0, 1]), 1)
    array([0.5, nan])
    """
    has = gains >= 0
    group = np.add.reduceat(has, collection.offsets[:-1])
    offsets, values = np.append(0, np.cumsum(group[group > 0])), np.full(len(group), np.nan)
    if has.any():
        values[group > 0] = metrics.ndcg(gains[has], scores[has], offsets, k, gain="linear")
    return np.where(testable, values, np.nan)


def mean_of(values: np.ndarray) -> float:
    """The mean of the values that are there, NaN where none is.

    Parameters
    ----------
    values : NaN where there is none

    >>> mean_of(np.array([1.0, np.nan])), mean_of(np.array([np.nan]))
    (1.0, nan)
    """
    there = values[~np.isnan(values)]
    return float(there.mean()) if len(there) else np.nan
