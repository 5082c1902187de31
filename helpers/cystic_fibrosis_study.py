"""Study 1 with real people: the four judges of the Cystic Fibrosis collection, in five folds of its queries."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from helpers import cystic_fibrosis, labeling, sweep
from helpers.collection import Collection
from helpers.overlap_study import CUTOFFS, RANKERS, costs, fitted, tested

NAME = "cystic-fibrosis"
FOLDS = 5
DRAWS = 5
GOOD = 1
"""There are three grades: marginally and highly relevant are taken for Good or above."""

SETTINGS = (
    "baseline",
    "3-overlap",
    "4-overlap",
    "mv3",
    "mv4",
    "highest-3",
    "if-good-2",
    "if-good-3",
    "if-good-4",
    "if-good-x3",
    "good-till-bad",
    "mean-3",
    "dawid-skene-3",
)
"""The nine settings of the paper with all four judges where it has eleven, and some more."""


def runs(
    *, draws: int = DRAWS, names: Sequence[str] = RANKERS, store: str | Path, n_jobs: int, seed: int
) -> pd.DataFrame:
    """A row for each ranker, labelling scheme and draw, as `overlap_runs.label_set_runs` gives it.

    A row has the error of the first of its folds that failed, and then no results. `per_query` has all queries in the
    order of the collection, each tested by the ranker that has not seen it.
    """
    judged, rng = cystic_fibrosis.load(), np.random.default_rng(seed)
    order = rng.permutation(judged.collection.n_queries)
    shared = {"collection": judged.collection, "labels": judged.labels, "order": order}
    shared["seeds"] = rng.integers(2**63, size=draws)
    grid = sweep.grid(ranker=list(names), setting=SETTINGS, draw=range(draws), fold=range(FOLDS))
    by_fold = sweep.run(train_and_test, grid, store=store, n_jobs=n_jobs, seed=seed, shared=shared)
    return _whole(by_fold, order)


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
    ranker, setting, draw, rng, seeds : as in `overlap_study.train_and_test`
    fold : which of the five parts tests
    collection, labels : as `cystic_fibrosis.load` gives them
    order : (n_queries,) the queries, to be cut into parts
    """
    parts = np.array_split(order, FOLDS)
    test, validation, *training = (np.sort(parts[(fold + step) % FOLDS]) for step in range(FOLDS))
    learned = np.sort(np.concatenate(training))
    draw_rng = np.random.default_rng([seeds[draw], fold])
    sample = labeling.collect(setting, labels[_rows(collection, learned)], draw_rng, good=GOOD)
    watched = labeling.collect("baseline", labels[_rows(collection, validation)], draw_rng).grades
    validation_set = collection.take_queries(validation).with_grades(watched)
    model = fitted(ranker, collection.take_queries(learned), sample, validation_set, rng)
    return costs(sample, GOOD) | tested(model, collection.take_queries(test))


def _rows(collection: Collection, queries: np.ndarray) -> np.ndarray:
    return np.flatnonzero(np.isin(collection.query_index, queries))


def _whole(by_fold: pd.DataFrame, order: np.ndarray) -> pd.DataFrame:
    """The folds of a run put together: means over folds, and the values of all queries; or the first error."""
    means = ["labels", "instances", "fair_to_good", *(f"ndcg@{k}" for k in CUTOFFS)]
    tested_by = np.concatenate([np.sort(part) for part in np.array_split(order, FOLDS)])
    rows = []
    for (ranker, setting, draw), folds in by_fold.groupby(["ranker", "setting", "draw"], sort=False):
        row = {"label_set": NAME, "ranker": ranker, "setting": setting, "draw": draw}
        failed = folds["error"].dropna()
        if len(failed):
            rows.append(row | {"error": failed.iloc[0]})
            continue
        values = np.concatenate(folds.sort_values("fold")["per_query"].tolist())[np.argsort(tested_by)]
        rows.append(row | folds[means].mean().to_dict() | {"per_query": values.tolist(), "error": None})
    return pd.DataFrame(rows, columns=["label_set", "ranker", "setting", "draw", *means, "per_query", "error"])
