"""All sweeps of study 1, and the tables made of the runs of a label set.

Beyond the paper there are runs that compare at equal cost: what a budget of labels buys, which judges a scheme suits,
machines that judge first; and one budget spent in three ways, on another query, another document, another judge. There
a purchase is queries x documents of each x labels of each document, all in powers of two, so that many purchases cost
the same: what several labels are worth where queries and documents are given (study 1), and what queries or documents
are worth where a document has one label (study 4), are its edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from helpers.datasets import portrait, sampling
from helpers.datasets.collection import Collection
from helpers.engine import sweep
from helpers.judging.confusion import load_confusions
from helpers.judging.pool import Pool
from helpers.studies.overlap import judge_fit, trial
from helpers.studies.overlap import protocol as study
from helpers.studies.overlap import tables as overlap

DRAWS = 2  # of what is compared at equal cost

LABEL_SET = "clean07"  # what goes beyond the paper is run with its judges

BUDGETS = (0.25, 0.5, 1.0)  # labels for each pair of the label set: at 1.0 the baseline has one of every pair

SCHEMES = ("baseline", "if-good-3", "if-good-gain-3", "3-overlap", "gain-3")
MAP_SCHEMES = ("baseline", "if-good-3", "if-good-gain-3", "gain-3")
MAP_BUDGET = 0.5
NOISES = (0.25, 0.5, 1.0)
MACHINE = "RAG25_NIST_vs_UMBRELA2"

THREE_WAYS, PEOPLE = "three-ways", "three-ways-cystic-fibrosis"
"""Names of a budget spent in three ways, on a portrait and with real judges."""

WAYS_RANKERS = ("LambdaRank", "RankSVM")  # what is run where no rankers are named; every other one can be

WAYS_DRAWS = 4


@dataclass(frozen=True)
class Levels:
    """The purchases of a surface, and how many queries of a portrait validate and test; real folds have their own."""

    queries: tuple[int, ...] = (64, 128, 256, 512)
    documents: tuple[int, ...] = (4, 8, 16, 32)
    labels: tuple[int, ...] = (1, 2, 4)
    validation_queries: int = 200
    test_queries: int = 2000


PORTRAIT = Levels()
OF_PEOPLE = Levels(queries=(7, 14, 28, 56))  # of 60 queries that train in a fold of the Cystic Fibrosis collection


# All take the options of `sweep.run`: store, n_jobs and seed.
def label_set_runs(
    label_set: str,
    scale: study.Scale,
    *,
    matrix: str = "",
    dataset: str = study.DATASET,
    names: Sequence[str] = study.RANKERS,
    **options: Any,
) -> pd.DataFrame:
    """Every run of a label set: a row for each labelling scheme, ranker and draw."""
    shared = _shared(label_set, scale, options["seed"], dataset) | {
        "judges": study.judges_named(matrix, label_set, dataset),
        "per_pair": study.LABEL_SETS[label_set].per_pair,
    }
    grid = study.grid(label_set, scale, names)
    return sweep.run(trial.train_and_test, grid, shared=shared, **options)


def spending_runs(scale: study.Scale, draws: int, **options: Any) -> dict[str, pd.DataFrame]:
    """The runs beyond the paper: frames "budget", "map" and "machine"."""
    shared = _shared(LABEL_SET, scale, options["seed"])
    known, drawn = judge_fit.stored()[LABEL_SET], range(draws)
    noises = {"noise_irrelevant": [known.noise_irrelevant], "noise_relevant": [known.noise_relevant]}
    budgets = sweep.grid(ranker=study.RANKERS, budget=BUDGETS, setting=SCHEMES, **noises, draw=drawn)
    routes = sweep.grid(ranker=study.RANKERS, route=trial.ROUTES, draw=drawn)
    noises = {"noise_irrelevant": NOISES, "noise_relevant": NOISES}
    kinds = sweep.grid(**noises, setting=MAP_SCHEMES, draw=drawn, ranker=["LambdaRank"], budget=[MAP_BUDGET])
    confusion = load_confusions()[MACHINE].probabilities
    by_budget = shared | {"known": known, "shares": judge_fit.grade_shares()}
    by_route = shared | {"pool": Pool(known), "confusion": confusion}
    return {
        "budget": sweep.run(trial.spend, budgets, shared=by_budget, **options),
        "machine": sweep.run(trial.ask_machine, routes, shared=by_route, **options),
        "map": sweep.run(trial.spend, kinds, shared=by_budget, **options),
    }


def _ways_grid(levels: Levels, draws: int, names: Sequence[str] = WAYS_RANKERS, **more: Sequence) -> list[dict]:
    """Every purchase, ranker and draw."""
    bought = {"queries": levels.queries, "documents": levels.documents, "labels": levels.labels}
    return sweep.grid(ranker=list(names), **bought, draw=range(draws), **more)


def portrait_runs(
    levels: Levels = PORTRAIT,
    draws: int = WAYS_DRAWS,
    names: Sequence[str] = WAYS_RANKERS,
    **options: Any,
) -> pd.DataFrame:
    """SYNTHETIC: a row for each purchase, ranker and draw, on queries drawn from the MSLR portrait."""
    rng, source = np.random.default_rng(options["seed"]), portrait.open(study.PORTRAIT)
    deep, shallow = max(levels.documents), study.VALIDATION_DOCS
    sizes = {
        "training": (max(levels.queries), deep),
        "validation": (levels.validation_queries, shallow),
        "test": (levels.test_queries, shallow),
    }
    parts = {
        name: sampling.documents(portrait.draw(source, queries, rng), documents, rng)
        for name, (queries, documents) in sizes.items()
    }
    shared = parts | {"judges": study.judges_named("", LABEL_SET), "seeds": rng.integers(2**63, size=draws)}
    return sweep.run(trial.learn, _ways_grid(levels, draws, names), shared=shared, **options)


def people_runs(
    collection: Collection,
    labels: np.ndarray,
    levels: Levels = OF_PEOPLE,
    draws: int = WAYS_DRAWS,
    names: Sequence[str] = WAYS_RANKERS,
    **options: Any,
) -> pd.DataFrame:
    """A row for each purchase, ranker and draw, over all folds, of a collection and its people's labels."""
    rng = np.random.default_rng(options["seed"])
    order = rng.permutation(collection.n_queries)
    shared = {"collection": collection, "given": labels, "order": order}
    shared["seeds"] = rng.integers(2**63, size=draws)
    runs = _ways_grid(levels, draws, names, fold=range(trial.FOLDS))
    by_fold = sweep.run(trial.learn_from_people, runs, shared=shared, **options)
    return whole(by_fold, order, ["ranker", "queries", "documents", "labels", "draw"], ["spent"])


def whole(by_fold: pd.DataFrame, order: np.ndarray, run: list[str], costs: list[str]) -> pd.DataFrame:
    """The folds of each run put together: means over folds, and the values of all queries; or the first error."""
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
    """What the runs of a label set say: "accuracy", "plane", "comparisons" and, where it has printed ones, "costs"."""
    runs = sweep.succeeded(runs)
    made = {
        "accuracy": overlap.accuracy(runs),
        "comparisons": overlap.comparisons(runs, rng),
        "plane": overlap.against_baseline(runs, ["ranker"], ["labels", "squared_error"], rng),
    }
    if label_set in study.LABEL_SETS and dataset == study.DATASET:
        made["costs"] = overlap.cost_table(runs, label_set, study.judges_named(judges, label_set))
    return made


def _shared(label_set: str, scale: study.Scale, seed: int, dataset: str = study.DATASET) -> dict:
    """Collections and the seeds of the draws, for a sweep."""
    rng = np.random.default_rng(seed)
    return study.parts(label_set, scale, rng, dataset) | {"seeds": rng.integers(2**63, size=max(scale.draws, DRAWS))}
