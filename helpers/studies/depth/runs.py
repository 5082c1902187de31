"""All runs of study 4 on one collection, and the tables made of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from helpers.datasets import sampling
from helpers.datasets.collection import Collection
from helpers.engine import sweep
from helpers.studies.depth import allocation, trial
from helpers.studies.depth import protocol as study
from helpers.studies.depth import tables as depth


def runs(
    parts: dict[str, Collection],
    names: Sequence[str],
    scale: study.Scale,
    *,
    store: str | Path,
    n_jobs: int,
    seed: int,
) -> dict[str, pd.DataFrame]:
    """Every run of the protocol: frames "percent", "pool" and "choice".

    Parameters
    ----------
    parts : as `protocol.parts` gives them
    names : rankers
    scale : sizes of the grids
    store, n_jobs, seed : as `sweep.run` takes them
    """
    shared = parts | {"first_stage": sampling.best_feature(parts["validation"])}
    size = parts["pool"].n_queries, int(parts["pool"].group[0])
    grids = {
        "percent": study.percent_grid(list(names), scale),
        "pool": study.pool_grid(list(names), scale, *size),
        "choice": study.choice_grid(list(names), scale, *size),
    }
    options = {"shared": shared, "n_jobs": n_jobs, "seed": seed}
    return {
        name: sweep.run(trial.train_and_test, grid, store=Path(store) / f"04-{name}", **options)
        for name, grid in grids.items()
    }


def tables(found: dict[str, pd.DataFrame], margin: float, rng: np.random.Generator) -> dict[str, pd.DataFrame]:
    """What the runs say: "choice", "comparisons", "best_depths" and "break_even".

    Parameters
    ----------
    found : frames as `runs` gives them, none of whose runs failed
    margin : NDCG that counts as no difference
    rng : draws bootstrap samples and permutations
    """
    pool = found["pool"]
    whole = (pool["queries"] == pool["queries"].max()) & (pool["documents"] < pool["documents"].max())
    best, even = allocation.tables(allocation.fit_surfaces(pool, rng), margin)
    return {
        "choice": pd.concat([pool[whole], found["choice"]], ignore_index=True),
        "comparisons": depth.comparisons(found["percent"], pool, rng),
        "best_depths": best,
        "break_even": even,
    }
