"""Study 1 with real people: the four judges of the Cystic Fibrosis collection, in five folds of its queries."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from helpers.engine import sweep
from helpers.judging import cystic_fibrosis
from helpers.studies.overlap.cystic_fibrosis_trial import FOLDS, train_and_test
from helpers.studies.overlap.protocol import RANKERS
from helpers.studies.overlap.trial import CUTOFFS

NAME = "cystic-fibrosis"
DRAWS = 4

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
    "if-good-mean-3",
)
"""The nine settings of the paper with all four judges where it has eleven, and some more."""


def runs(
    *, draws: int = DRAWS, names: Sequence[str] = RANKERS, store: str | Path, n_jobs: int, seed: int
) -> pd.DataFrame:
    """A row for each ranker, labelling scheme and draw, as `runs.label_set_runs` gives it.

    A row has the error of the first of its folds that failed, and then no results. `per_query` has all queries in the
    order of the collection, each tested by the ranker that has not seen it.

    Parameters
    ----------
    draws : orders in which judges are asked
    names : rankers
    store, n_jobs, seed : as `sweep.run` takes them
    """
    judged, rng = cystic_fibrosis.load(), np.random.default_rng(seed)
    order = rng.permutation(judged.collection.n_queries)
    shared = {"collection": judged.collection, "labels": judged.labels, "order": order}
    shared["seeds"] = rng.integers(2**63, size=draws)
    grid = sweep.grid(ranker=list(names), setting=SETTINGS, draw=range(draws), fold=range(FOLDS))
    by_fold = sweep.run(train_and_test, grid, store=store, n_jobs=n_jobs, seed=seed, shared=shared)
    found = whole(
        by_fold, order, ["ranker", "setting", "draw"], ["labels", "instances", "squared_error", "fair_to_good"]
    )
    found.insert(0, "label_set", NAME)
    return found


def whole(by_fold: pd.DataFrame, order: np.ndarray, run: list[str], costs: list[str]) -> pd.DataFrame:
    """The folds of each run put together: means over folds, and the values of all queries; or the first error.

    Parameters
    ----------
    by_fold : a row for each run and fold
    order : (n_queries,) the queries, in parts of which each tested one fold
    run : columns that tell runs apart
    costs : columns of which the mean is taken, beside NDCG at all cut-offs
    """
    means = [*costs, *(f"ndcg@{k}" for k in CUTOFFS)]
    tested_by = np.concatenate([np.sort(part) for part in np.array_split(order, FOLDS)])
    rows = []
    for key, folds in by_fold.groupby(run, sort=False):
        row = dict(zip(run, key, strict=True))
        failed = folds["error"].dropna()
        if len(failed):
            rows.append(row | {"error": failed.iloc[0]})
            continue
        values = np.concatenate(folds.sort_values("fold")["per_query"].tolist())[np.argsort(tested_by)]
        rows.append(row | folds[means].mean().to_dict() | {"per_query": values.tolist(), "error": None})
    return pd.DataFrame(rows, columns=[*run, *means, "per_query", "error"])
