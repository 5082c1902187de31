"""All runs of study 1, and the tables made of those of a label set."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from helpers.engine import sweep
from helpers.judging.confusion import load_confusions
from helpers.judging.pool import Pool
from helpers.studies.overlap import judge_fit, spending, spending_trial, trial
from helpers.studies.overlap import protocol as study
from helpers.studies.overlap import tables as overlap

DRAWS = 2  # of what goes beyond the paper


def label_set_runs(
    label_set: str,
    scale: study.Scale,
    *,
    matrix: str = "",
    dataset: str = study.DATASET,
    names: Sequence[str] = study.RANKERS,
    store: str | Path,
    n_jobs: int,
    seed: int,
) -> pd.DataFrame:
    """Every run of a label set: a row for each labelling scheme, ranker and draw.

    Parameters
    ----------
    label_set : a key of LABEL_SETS
    scale : sizes and draws
    matrix : name of one of `judge_matrices.known`, by which all judges err; the fitted pool where empty
    dataset : whose queries are judged, as `protocol.parts` takes it
    names : rankers
    store, n_jobs, seed : as `sweep.run` takes them
    """
    shared = _shared(label_set, scale, seed, dataset) | {
        "judges": study.judges_named(matrix, label_set, dataset),
        "per_pair": study.LABEL_SETS[label_set].per_pair,
    }
    grid = study.grid(label_set, scale, names)
    return sweep.run(trial.train_and_test, grid, store=store, n_jobs=n_jobs, seed=seed, shared=shared)


def spending_runs(
    scale: study.Scale, draws: int, *, store: str | Path, n_jobs: int, seed: int
) -> dict[str, pd.DataFrame]:
    """The runs beyond the paper: frames "budget", "map" and "machine".

    Parameters
    ----------
    scale : sizes of the collections
    draws : of the labels
    store, n_jobs, seed : as `sweep.run` takes them
    """
    options = {"store": store, "n_jobs": n_jobs, "seed": seed}
    shared = _shared(spending.LABEL_SET, scale, seed)
    known = judge_fit.stored()[spending.LABEL_SET]
    confusion = load_confusions()[spending.MACHINE].probabilities
    spend, ask = spending_trial.spend, spending_trial.ask_machine
    by_budget = shared | {"known": known, "shares": judge_fit.grade_shares()}
    by_route = shared | {"pool": Pool(known), "confusion": confusion}
    return {
        "budget": sweep.run(spend, spending.budget_grid(draws), shared=by_budget, **options),
        "machine": sweep.run(ask, spending.machine_grid(draws), shared=by_route, **options),
        "map": sweep.run(spend, spending.map_grid(draws), shared=by_budget, **options),
    }


def _shared(label_set: str, scale: study.Scale, seed: int, dataset: str = study.DATASET) -> dict:
    """Collections and the seeds of the draws, for a sweep."""
    rng = np.random.default_rng(seed)
    return study.parts(label_set, scale, rng, dataset) | {"seeds": rng.integers(2**63, size=max(scale.draws, DRAWS))}


def whole(by_fold: pd.DataFrame, order: np.ndarray, run: list[str], costs: list[str]) -> pd.DataFrame:
    """The folds of each run put together: means over folds, and the values of all queries; or the first error.

    Parameters
    ----------
    by_fold : a row for each run and fold
    order : (n_queries,) the queries, in parts of which each tested one fold
    run : columns that tell runs apart
    costs : columns of which the mean is taken, beside NDCG at all cut-offs
    """
    means = [*costs, *(f"ndcg@{k}" for k in trial.CUTOFFS)]
    tested_by = np.concatenate([np.sort(part) for part in np.array_split(order, trial.FOLDS)])
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


def tables(
    label_set: str, runs: pd.DataFrame, rng: np.random.Generator, judges: str = "", dataset: str = study.DATASET
) -> dict[str, pd.DataFrame]:
    """What the runs of a label set say: "accuracy", "plane", "comparisons" and, where it has printed ones, "costs".

    Parameters
    ----------
    label_set, runs : as `label_set_runs` takes and returns them
    rng : for intervals
    judges : the matrix by which all judges of the runs erred, or empty for the fitted pool, as in `label_set_runs`
    dataset : as in `label_set_runs`; nothing is printed of others than DATASET, which stands for the paper's

    Raises
    ------
    ValueError
        where all runs failed; those that did are left out.
    """
    runs = sweep.succeeded(runs)
    made = {
        "accuracy": overlap.accuracy(runs),
        "comparisons": overlap.comparisons(runs, rng),
        "plane": overlap.plane(runs, rng),
    }
    if label_set in study.LABEL_SETS and dataset == study.DATASET:
        made["costs"] = overlap.cost_table(runs, label_set, study.judges_named(judges, label_set))
    return made
