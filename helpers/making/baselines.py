"""How well every ranker does on the real collections, and how much of the collections of runs can be learned."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from helpers import metrics, rankers
from helpers.datasets import catalog, sampling
from helpers.datasets.collection import Collection, concatenate
from helpers.engine import results, sweep
from helpers.making import common
from helpers.metrics import significance
from helpers.studies.learnable import BEST_RUN, FUSION, SEEN

Parts = dict[str, dict[int, dict[str, Collection]]]
"""Collection -> fold -> its "train", "validation" and "test" queries."""

OF_FEATURES = {"ohsumed": 5, "mq2008": 5, "clueweb09-webis": 5, "mslr-sample": 1}
OF_RUNS = {"robust04": 5, "microblog": 4, "syndl-dl21": 1, "dbpedia-entity": 5}
"""Collection -> how many folds it has."""

UNDIVIDED = ("mslr-sample",)
"""Without validation queries: every run draws its own, a quarter of the training queries."""

SEED, SEED_OF_RUNS = 2012, 2014
DRAWS = 2000  # bootstrap samples
SPLITS = ("train", "validation", "test")
PLACE, SCORE = " reciprocal rank", " score"


def parts(folds: Mapping[str, int]) -> Parts:
    """The queries of every fold of collections, those of validation drawn where they are not given."""
    return {name: {fold: _splits(name, fold) for fold in range(1, n + 1)} for name, n in folds.items()}


def _splits(name: str, fold: int) -> dict[str, Collection]:
    if name in UNDIVIDED:
        return {split: catalog.load(name, fold, split) for split in ("train", "test")}
    rng = np.random.default_rng([SEED_OF_RUNS, fold])
    return dict(zip(SPLITS, catalog.splits(name, fold, rng), strict=True))


def train_and_test(dataset: str, fold: int, ranker: str, *, rng: np.random.Generator, parts: Parts) -> dict:
    """One ranker on one fold: trained on its training queries, rounds or C chosen on its validation queries."""
    found = parts[dataset][fold]
    training, validation, test = found["train"], found.get("validation"), found["test"]
    if validation is None:
        training, validation = sampling.divide(training, (0.75, 0.25), rng)
    scores = rankers.trained(ranker, training, validation).predict(test.features)
    per_query = _ndcg(test, scores)
    ndcg, precision = letor_figures(test, scores)
    return {
        "ndcg": float(np.nanmean(per_query)),
        "letor_map": precision,
        "letor_ndcg": ndcg,
        "per_query": per_query.tolist(),
    }


def letor_figures(test: Collection, scores: np.ndarray) -> tuple[float, float]:
    """NDCG@10 and MAP of scores by the LETOR script's conventions."""
    ndcg = metrics.ndcg(test.grades, scores, test.offsets, 10, **metrics.LETOR)
    precision = metrics.average_precision(test.grades, scores, test.offsets, **metrics.LETOR_MAP)
    return float(ndcg.mean()), float(precision.mean())


def on_fold(dataset: str, fold: int, ranker: str, *, rng: np.random.Generator, parts: Parts) -> dict:
    """One system on the test queries of a fold of runs."""
    own, chosen = parts[dataset][fold], ""
    if ranker == BEST_RUN:
        chosen = best_run(concatenate([own["train"], own["validation"]]))
        per_query = _ndcg(own["test"], _columns(own["test"], PLACE)[chosen]).tolist()
    elif ranker == FUSION:
        per_query = _ndcg(own["test"], fused(own["test"])).tolist()
    else:
        named = {dataset: {fold: dict.fromkeys(own, own["test"])}} if ranker == SEEN else parts
        trained = "RankSVM" if ranker == SEEN else ranker
        per_query = train_and_test(dataset, fold, trained, rng=rng, parts=named)["per_query"]
    return {"chosen": chosen, "ndcg": float(np.nanmean(per_query)), "per_query": per_query}


def best_run(collection: Collection) -> str:
    """The name of the run with the highest mean NDCG@10, documents that it has not last; of equal ones, the first."""
    runs = _columns(collection, PLACE)
    return max(runs, key=lambda run: float(np.nanmean(_ndcg(collection, runs[run]))))


def fused(collection: Collection) -> np.ndarray:
    """(n_docs,) CombSUM: the sum of the scores that all runs give, each scaled to 0 to 1 (Fox and Shaw 1994)."""
    return np.sum(list(_columns(collection, SCORE).values()), axis=0)


def _columns(collection: Collection, kind: str) -> dict[str, np.ndarray]:
    """Run -> (n_docs,) one of its features: by reciprocal ranks, documents stand as in the run."""
    columns = dict(zip(collection.feature_names, collection.features.T, strict=True))
    runs = [name.removesuffix(kind) for name in columns if name.endswith(kind)]
    return {run: columns[run + kind] for run in runs if f"{run} retrieved" in columns}


def _ndcg(collection: Collection, scores: np.ndarray) -> np.ndarray:
    """(n_queries,) NDCG@10, NaN where no document is relevant."""
    return metrics.ndcg(collection.grades, scores, collection.offsets, 10)


def means(runs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Means over folds: frame dataset, ranker, queries, ndcg, low, high, letor_map, letor_ndcg."""
    rows = []
    for (dataset, ranker), found in runs.groupby(["dataset", "ranker"], sort=False):
        row = {"dataset": dataset, "ranker": ranker} | _mean(_joined(found), rng)
        rows.append(row | found[["letor_map", "letor_ndcg"]].mean().to_dict())
    return pd.DataFrame(rows)


def compared(runs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Every system, and every other one less the best run and less fusion, over all test queries: frame dataset,
    ranker, over ("" for the system itself), queries, ndcg (a difference where `over` is set), low, high."""
    rows = []
    for dataset, own in runs.groupby("dataset", sort=False):
        values = {ranker: _joined(found) for ranker, found in own.groupby("ranker", sort=False)}
        pairs = [(ranker, over) for over in ("", BEST_RUN, FUSION) for ranker in values if ranker != over]
        for ranker, over in pairs:
            less = values[ranker] - values[over] if over else values[ranker]
            rows.append({"dataset": dataset, "ranker": ranker, "over": over} | _mean(less, rng))
    return pd.DataFrame(rows)


def _joined(runs: pd.DataFrame) -> np.ndarray:
    """(n_queries,) values of the test queries of all folds, in the order of the folds."""
    return np.concatenate(runs.sort_values("fold")["per_query"].tolist()).astype(float)


def _mean(values: np.ndarray, rng: np.random.Generator) -> dict:
    """The mean over queries with its 95 % bootstrap interval."""
    low, high = significance.bootstrap_interval(values, draws=DRAWS, rng=rng)
    return {"queries": int(np.isfinite(values).sum()), "ndcg": float(np.nanmean(values)), "low": low, "high": high}


def _write_baselines() -> None:
    grid = points(OF_FEATURES, rankers.NAMES)
    folds = common.run(train_and_test, grid, {"parts": parts(OF_FEATURES)}, **common.kept(SEED, "baselines"))
    tables = {"folds": folds, "means": means(folds, np.random.default_rng(SEED)).round(4)}
    results.write(common.RESULTS / "baselines", tables, {"seed": SEED, "datasets": list(OF_FEATURES)})


def _write_learnable() -> None:
    grid = points(OF_RUNS, (BEST_RUN, FUSION, *rankers.NAMES, SEEN))
    folds = common.run(on_fold, grid, {"parts": parts(OF_RUNS)}, **common.kept(SEED_OF_RUNS, "learnable"))
    tables = {"folds": folds, "compared": compared(folds, np.random.default_rng(SEED_OF_RUNS)).round(4)}
    results.write(common.RESULTS / "learnable", tables, {"seed": SEED_OF_RUNS, "datasets": list(OF_RUNS)})


def points(folds: Mapping[str, int], systems: tuple[str, ...]) -> list[dict]:
    """Every system on every fold of every collection."""
    return [
        point for name, n in folds.items() for point in sweep.grid(dataset=[name], fold=range(1, n + 1), ranker=systems)
    ]


TASKS = {"baselines": _write_baselines, "learnable": _write_learnable}
