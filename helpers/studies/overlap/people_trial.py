"""One run of study 1 with the people of a judged collection."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from helpers import metrics, rankers
from helpers.datasets.collection import Collection
from helpers.judging import schemes
from helpers.rankers.base import mean_ndcg
from helpers.studies.overlap.trial import CUTOFFS, MAIN, choices, fitted, instances_of, label_error, parts, rows_of

SHARED = "/n"  # how the name of a setting ends whose n copies of a document weigh 1/n each: a row of ours

HIGHER = "@"  # before the lowest grade of Good, in the name of a setting that takes another than its collection

WIDE = (1, 5, 10)  # other cut-offs of the paper's tables, of which the mean is taken


def train_and_test(
    ranker: str,
    setting: str,
    draw: int,
    fold: int,
    learner: dict | None = None,
    queries: int = 0,
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
    """What a scheme costs, and how well a ranker does that trains on people's labels, on one fold: one run, as of
    `trial.train_and_test`, with the values of each query at 10 and at WIDE.

    Three parts of the queries train, one, with one label a document, validates, one tests by `gains`. With a `learner`,
    settings of the ranker that count a leaf's documents without copies, four parts train and nothing validates; so many
    `queries` of those that train do, 0 is all. `labels` and `judges`, (n_draws, n_docs, m), are in the order in which
    people are asked, -1 where there is none. A ranker starts alike for all settings of a draw.
    """
    test, validation, learned = parts(order, fold)
    learned = learned if learner is None else np.sort(np.concatenate([validation, learned]))
    start = np.random.default_rng([seeds[draw], fold])
    if queries:
        learned = np.sort(np.random.default_rng([seeds[draw], fold, 1]).permutation(learned)[:queries])
    rows, tests = rows_of(collection, learned), rows_of(collection, test)
    sample = collected(setting, labels[draw][rows], judges[draw][rows], good)
    if learner is None:
        watched = labels[draw][rows_of(collection, validation), 0]
        watched_set = collection.take_queries(validation).with_grades(watched)
        model = fitted(ranker, collection.take_queries(learned), sample, watched_set, start)
    else:
        model = learnt(ranker, collection.take_queries(learned), sample, learner, start)
    scores = model.predict(collection.features[tests])
    by_query = {k: ndcg(collection.take_queries(test), gains[tests], testable[test], scores, k) for k in CUTOFFS}
    means = {f"ndcg@{k}": mean_of(values) for k, values in by_query.items()}
    by_query["wide"] = np.mean([by_query[k] for k in WIDE], axis=0)
    names = {"per_query": MAIN, "per_query@10": 10, "per_query_wide": "wide"}
    error = label_error(sample, collection.grades[rows])
    values = {name: np.round(by_query[k], 5).tolist() for name, k in names.items()}
    return schemes.costs(sample, good) | error | means | values


def validated(
    ranker: str,
    setting: str,
    draw: int,
    fold: int,
    learner: dict,
    queries: int,
    *,
    rng: np.random.Generator,
    collection: Collection,
    labels: np.ndarray,
    judges: np.ndarray,
    good: int,
    order: np.ndarray,
    seeds: np.ndarray,
    **others: np.ndarray,
) -> dict:
    """How good a learner is whose training leaves one part of the queries to validate by, by the majority of its people
    (`ndcg@10`): one run, by which it is set; the part that tests in this fold is not looked at.
    """
    _, validation, learned = parts(order, fold)
    if queries:
        learned = np.sort(np.random.default_rng([seeds[draw], fold, 1]).permutation(learned)[:queries])
    rows = rows_of(collection, learned)
    sample = collected(setting, labels[draw][rows], judges[draw][rows], good)
    start = np.random.default_rng([seeds[draw], fold])
    model = learnt(ranker, collection.take_queries(learned), sample, learner, start)
    watched = collection.take_queries(validation)
    return {"ndcg@10": mean_ndcg(watched, model.predict(watched.features))}


def collected(setting: str, labels: np.ndarray, judges: np.ndarray, good: int) -> schemes.LabelSample:
    """What a setting collects.

    >>> collected("if-good-3/n", np.array([[1, 0, 1], [0, 1, 1]]), None, 1).weights.round(2)
    array([0.33, 0.33, 0.33, 1.  ])
    >>> collected("if-good-3@2", np.array([[2, 0, 1], [1, 1, 1]]), None, 1).bought
    array([3, 1])
    """
    higher = int(setting.partition(HIGHER)[2] or good)
    sample = schemes.collect(scheme_of(setting), labels, None, judges=judges, good=higher)
    if not setting.endswith(SHARED):
        return sample
    return replace(sample, weights=sample.weights / np.bincount(sample.rows)[sample.rows])


def scheme_of(setting: str) -> str:
    """The labelling scheme of a setting.

    >>> scheme_of("if-good-3@2"), scheme_of("3-overlap/n")
    ('if-good-3', '3-overlap')
    """
    return setting.removesuffix(SHARED).partition(HIGHER)[0]


def learnt(
    ranker: str, training: Collection, sample: schemes.LabelSample, learner: dict, rng: np.random.Generator
) -> rankers.Ranker:
    """The ranker trained with given settings, a leaf's documents times the copies of one as in `choices`."""
    copies = int(np.bincount(sample.rows).max())
    settings = choices(ranker, copies)[0] | learner
    if "min_data_in_leaf" in learner:
        settings["min_data_in_leaf"] *= copies
    settings["gains"] = sample.gains
    instances, weights = instances_of(ranker, training, sample)
    return rankers.trained(ranker, instances, None, int(rng.integers(2**31)), [settings], weights=weights)


def ndcg(collection: Collection, gains: np.ndarray, testable: np.ndarray, scores: np.ndarray, k: int) -> np.ndarray:
    """(n_queries,) NDCG by gains, of the documents that have one; NaN of queries that do not test.

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

    >>> mean_of(np.array([1.0, np.nan])), mean_of(np.array([np.nan]))
    (1.0, nan)
    """
    there = values[~np.isnan(values)]
    return float(there.mean()) if len(there) else np.nan
