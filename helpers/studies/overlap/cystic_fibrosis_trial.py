"""One run of study 1 with the four judges of the Cystic Fibrosis collection."""

from __future__ import annotations

import numpy as np

from helpers.datasets.collection import Collection
from helpers.judging import schemes
from helpers.studies.overlap.trial import costs, fitted, tested

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
    parts = np.array_split(order, FOLDS)
    test, validation, *training = (np.sort(parts[(fold + step) % FOLDS]) for step in range(FOLDS))
    learned = np.sort(np.concatenate(training))
    draw_rng = np.random.default_rng([seeds[draw], fold])
    sample = schemes.collect(setting, labels[_rows(collection, learned)], draw_rng, good=GOOD)
    watched = schemes.collect("baseline", labels[_rows(collection, validation)], draw_rng).grades
    validation_set = collection.take_queries(validation).with_grades(watched)
    model = fitted(ranker, collection.take_queries(learned), sample, validation_set, rng)
    return costs(sample, GOOD) | tested(model, collection.take_queries(test))


def _rows(collection: Collection, queries: np.ndarray) -> np.ndarray:
    return np.flatnonzero(np.isin(collection.query_index, queries))
