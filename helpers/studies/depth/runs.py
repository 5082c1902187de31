"""All runs of study 4 on one collection, and the tables made of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from helpers.datasets import catalog, portrait, sampling
from helpers.engine import sweep
from helpers.studies import askable
from helpers.studies.depth import allocation, trial
from helpers.studies.depth import protocol as study
from helpers.studies.depth import tables as depth
from helpers.studies.depth.protocol import Parts

USUAL = 128 * 35  # training documents of the portrait that is run by default; five times as many take minutes


def notes(dataset: str, parts: Parts, rankers: Sequence[str]) -> list[str]:
    """What is to be said before a run: what was left out of the data, what cannot be asked of them, whether it is long.

    Raises ValueError where nothing can be asked.
    """
    askable.check(parts)
    cannot = askable.of_collections(parts) + askable.of_depth(int(parts["pool"].group[0]))
    times = parts["training"].n_docs / USUAL
    slowest = ", longest with RankSVM" if "RankSVM" in rankers else ""
    long = [f"{times:.0f} times the documents of the default: this takes minutes{slowest}."] if times >= 5 else []
    return [*([] if portrait.named(dataset) else catalog.notes(dataset)), *cannot, *long]


def runs(
    folds: dict[int, Parts],
    names: Sequence[str],
    scale: study.Scale,
    *,
    store: str | Path,
    experiments: Sequence[str] = study.EXPERIMENTS,
    **options: Any,
) -> dict[str, pd.DataFrame]:
    """Every run of the protocol on every fold: frames "percent", "pool" and "choice", with a column fold; options are
    those of `sweep.run`, n_jobs and seed.
    """
    found = {name: [] for name in experiments}
    for fold, parts in folds.items():
        shared = parts | {"first_stage": sampling.best_feature(parts["validation"])}
        grids = study.grids(names, scale, parts["pool"].n_queries, int(parts["pool"].group[0]))
        for name in experiments:
            where = Path(store) / f"04-{name}"
            own = sweep.run(trial.train_and_test, grids[name], shared=shared, store=where, **options)
            found[name].append(own.assign(fold=fold))
    return {name: pd.concat(frames, ignore_index=True) for name, frames in found.items()}


def pooled(found: pd.DataFrame) -> pd.DataFrame:
    """Runs on all folds as if on one collection: frame of PARAMETERS, training_queries, judgments and rate (means over
    folds), ndcg, per_query (all test queries in a row), error.
    """
    groups = found.groupby(depth.PARAMETERS, sort=False)
    means = groups[["training_queries", "judgments", "rate"]].mean()
    joined = groups["per_query"].agg(lambda lists: [value for values in lists for value in values])
    ndcg = joined.map(lambda values: float(np.nanmean(np.asarray(values, float))))
    return means.assign(ndcg=ndcg, per_query=joined, error=None).reset_index()


def tables(found: dict[str, pd.DataFrame], rng: np.random.Generator) -> dict[str, pd.DataFrame]:
    """What the runs say: "percent", "comparisons", and of a pool "pool" and "losses".

    Also "choice", where it was run, beside random choices of as many queries, and "chosen", the differences.
    """
    made = {name: pooled(frame) for name, frame in found.items()}
    pool = made.get("pool", made["percent"].iloc[:0])
    made["comparisons"] = depth.comparisons(made["percent"], pool, rng)
    if len(pool):
        made["losses"] = allocation.losses(pool, rng)
    if "choice" in made:
        made["chosen"] = depth.chosen(pool, made["choice"], rng)
        whole = (pool["queries"] == pool["queries"].max()) & (pool["documents"] < pool["documents"].max())
        made["choice"] = pd.concat([pool[whole], made["choice"]], ignore_index=True)
    return made
