"""How good advice to train is: chosen on other collections, trained for on the one left out, at the cost of each rule.

The menu of a collection is every depth, in half doublings, that a share of what its whole pool costs can be spent at.
All of the menu is trained for, several times, so that whatever depth is advised later has its trainings, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from helpers.datasets import catalog, sampling
from helpers.datasets.collection import Collection
from helpers.engine import sweep
from helpers.making.held_out_trial import train_and_test
from helpers.metrics.significance import t_half
from helpers.studies.budget import training
from helpers.studies.budget.costs import Costs
from helpers.studies.budget.habits import ADVICE, TO_TRAIN, Wanted
from helpers.studies.budget.surfaces import Surface

COLLECTIONS = ("mq2008", "ohsumed", "clueweb09-webis", "robust04", "microblog", "mq2007-part")
RANKER = "LambdaRank"
SHARES = (0.05, 0.1, 0.2)
"""Budgets at which a collection is asked, as shares of what its whole pool costs."""

COSTS = Costs(5, 1)
REPEATS = 3
DEEPEST = 128
COLUMNS = ["collection", "share", "budget", "documents", "queries", "repeat", "ndcg"]


def parts(name: str, rng: np.random.Generator) -> dict[str, Collection]:
    """The `pool`, the largest square one of the training queries, `validation` and `test` of a collection."""
    training, validation, test = catalog.splits(name, 1, rng)
    pool = sampling.fixed_pool(training, *sampling.pool_shape(training.group, DEEPEST), rng)
    return {"pool": pool, "validation": validation, "test": test}


def menu(n_queries: int, n_docs: int, costs: Costs = COSTS) -> pd.DataFrame:
    """What the shares of a pool's cost can be spent on: frame share, budget, documents, queries."""
    depths = sorted({round(2 ** (step / 2)) for step in range(2, 2 * int(np.log2(n_docs)) + 1)})
    fewest, rows = max(1, min(16, n_queries // 8)), []
    for share in SHARES:
        budget = share * n_queries * costs.of_query(n_docs, 1)
        for depth in depths:
            queries = round(budget / costs.of_query(depth, 1))
            if fewest <= queries <= n_queries:
                rows.append((share, budget, depth, queries))
    return pd.DataFrame(rows, columns=["share", "budget", "documents", "queries"])


def trained(name: str, *, store: str | Path, n_jobs: int, seed: int) -> pd.DataFrame:
    """Every allocation of the menu of a collection, trained for REPEATS times: frame of COLUMNS and error."""
    shared = parts(name, np.random.default_rng(seed))
    offered = menu(shared["pool"].n_queries, int(shared["pool"].group[0]))
    bought = offered[["queries", "documents"]].drop_duplicates().to_dict("records")
    grid = [{"ranker": RANKER} | point | {"repeat": repeat} for point in bought for repeat in range(REPEATS)]
    found = sweep.run(train_and_test, grid, store=store, n_jobs=n_jobs, seed=seed, shared=shared)
    return offered.merge(found, on=["queries", "documents"]).assign(collection=name)[[*COLUMNS, "error"]]


def advised(surfaces: Mapping[str, Surface], runs: pd.DataFrame, costs: Costs = COSTS) -> pd.DataFrame:
    """The depth that the surfaces of other collections advise: frame collection, share, advised."""
    rows = []
    for (name, share), part in runs.groupby(["collection", "share"]):
        others = {other: surface for other, surface in surfaces.items() if other != name}
        if not others:
            raise ValueError(f"advice for {name}: expected the surface of another collection, there is none")
        rows.append((name, share, training.advised(others, costs, part["budget"].iloc[0])))
    return pd.DataFrame(rows, columns=["collection", "share", "advised"])


def regrets(runs: pd.DataFrame, advice: pd.DataFrame) -> pd.DataFrame:
    """What the advice and each rule of thumb lose against the best of the menu: a row a collection, share and rule."""
    depths = advice.set_index(["collection", "share"])["advised"]
    rows = []
    for (name, share), part in runs.groupby(["collection", "share"], sort=False):
        table = part.pivot_table(index=["documents", "queries"], columns="repeat", values="ndcg")
        shapes = table.index.to_frame(index=False).rename(columns={"documents": "depth"})
        best = _top(np.log2(shapes["depth"].to_numpy(float)), table.to_numpy().mean(axis=1))
        advised = float(np.clip(depths[name, share], shapes["depth"].min(), shapes["depth"].max()))
        wanted = {ADVICE: Wanted(depth=advised)} | {rule.name: rule.to_train for rule in TO_TRAIN}
        for rule, row in training.followed(shapes, wanted).items():
            ndcg = table.to_numpy()[row].mean()
            rows.append((name, share, rule, *table.index[row], ndcg, best - ndcg))
    return pd.DataFrame(rows, columns=["collection", "share", "rule", "documents", "queries", "ndcg", "regret"])


def regret_table(regrets: pd.DataFrame) -> pd.DataFrame:
    """Mean regret of each rule, and what it loses more than the advice where both are, with 95 % intervals."""
    cells = ["collection", "share"]
    advice = regrets[regrets["rule"] == ADVICE].set_index(cells)["regret"]
    rows = []
    for rule, found in regrets.set_index(cells).groupby("rule"):
        more = (found["regret"] - advice).dropna().groupby("collection").mean()
        values = found["regret"].groupby("collection").mean()
        rows.append((rule, len(values), *_interval(values), *_interval(more)))
    columns = ["rule", "collections", "regret", "low", "high", "more", "more_low", "more_high"]
    return pd.DataFrame(rows, columns=columns).sort_values("regret", kind="stable", ignore_index=True)


def _top(depths: np.ndarray, means: np.ndarray) -> float:
    """The highest of the menu by a parabola through means (n_allocations,) at depths, of which these are logarithms."""
    fitted = np.polyfit(depths, means, min(2, len(depths) - 1))
    return float(np.polyval(fitted, depths).max())


def _interval(values: pd.Series) -> tuple[float, float, float]:
    """Mean and interval; NaN ends of a single value."""
    n = len(values)
    error = values.std(ddof=1) / np.sqrt(n)
    wide = t_half(error, n - 1) if n > 1 else np.nan
    return float(values.mean()), float(values.mean() - wide), float(values.mean() + wide)
