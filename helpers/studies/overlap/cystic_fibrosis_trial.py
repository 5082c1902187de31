"""One run of study 1 with the four judges of the Cystic Fibrosis collection."""

from __future__ import annotations

import numpy as np

from helpers.datasets.collection import Collection
from helpers.judging import schemes
from helpers.studies.overlap.trial import fitted, label_error, tested

FOLDS = 5

GOOD = 1
"""There are three grades: marginally and highly relevant are taken for Good or above."""


def train_and_test(
    ranker: str,
    setting: str,
    draw: int,
    fold: int,
    *,
    rng: np.random.Generator,
    collection: Collection,
    labels: np.ndarray,
    order: np.ndarray,
    seeds: np.ndarray,
) -> dict:
    """What a scheme costs, and how well a ranker does that trains on it, on one fold: one run.

    Three parts of the queries train, one, with one label a document, validates, one tests by the majority of all four
    judges. The order in which judges are asked is the same for all settings of a draw.

    Parameters
    ----------
    ranker, setting, draw, rng, seeds : as in `trial.train_and_test`
    fold : which of the five parts tests
    collection, labels : as `cystic_fibrosis.load` gives them
    order : (n_queries,) the queries, to be cut into parts
    """
    test, validation, learned = parts(order, fold)
    draw_rng = np.random.default_rng([seeds[draw], fold])
    sample = schemes.collect(setting, labels[rows_of(collection, learned)], draw_rng, good=GOOD)
    watched = schemes.collect("baseline", labels[rows_of(collection, validation)], draw_rng).grades
    validation_set = collection.take_queries(validation).with_grades(watched)
    learned_set = collection.take_queries(learned)
    model = fitted(ranker, learned_set, sample, validation_set, rng)
    error = label_error(sample, learned_set.grades)
    return schemes.costs(sample, GOOD) | error | tested(model, collection.take_queries(test))


def parts(order: np.ndarray, fold: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The queries that test, that validate and that train in a fold, each in rising order.

    Parameters
    ----------
    order : (n_queries,) the queries, to be cut into FOLDS parts
    fold : which part tests; the next one validates and the other three train

    >>> [part.tolist() for part in parts(np.array([9, 8, 7, 6, 5]), fold=1)]
    [[8], [7], [5, 6, 9]]
    """
    cut = np.array_split(order, FOLDS)
    test, validation, *training = (np.sort(cut[(fold + step) % FOLDS]) for step in range(FOLDS))
    return test, validation, np.sort(np.concatenate(training))


def rows_of(collection: Collection, queries: np.ndarray) -> np.ndarray:
    """The documents of these queries, in the order of the collection.

    Parameters
    ----------
    collection : whose documents
    queries : numbers of queries

    >>> rows_of(Collection(np.zeros((4, 1)), [0, 1, 0, 1], [0, 1, 2, 4]), [2, 0])
    array([0, 2, 3])
    """
    return np.flatnonzero(np.isin(collection.query_index, queries))
