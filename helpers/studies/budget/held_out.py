"""How good advice to train is: chosen on other collections, trained for on the one left out, at the cost of each rule.

The menu of a collection is every depth, in half doublings, that a share of what its whole pool costs can be spent at.
All of the menu is trained for, several times, so that whatever depth is advised later has its trainings, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

from helpers.datasets import catalog, sampling
from helpers.datasets.collection import Collection
from helpers.engine import sweep
from helpers.studies.budget import allocations
from helpers.studies.budget.costs import Costs
from helpers.studies.budget.held_out_trial import train_and_test
from helpers.studies.budget.surfaces import Surface

COLLECTIONS = ("mq2008", "ohsumed", "clueweb09-webis", "robust04", "microblog", "mq2007-part")
RANKER = "LambdaRank"
SHARES = (0.05, 0.1, 0.2)
"""Budgets at which a collection is asked, as shares of what its whole pool costs."""

COSTS = Costs(5, 1)
REPEATS = 3
DEEPEST = 128
LEVEL = 0.95
COLUMNS = ["collection", "share", "budget", "documents", "queries", "repeat", "ndcg"]


def parts(name: str, rng: np.random.Generator) -> dict[str, Collection]:
    """The `pool`, the largest square one of the training queries, `validation` and `test` of a collection.

    Parameters
    ----------
    name : that `catalog.splits` takes
    rng : draws the pool, and the division where none is given
    """
    training, validation, test = catalog.splits(name, 1, rng)
    pool = sampling.fixed_pool(training, *sampling.pool_shape(training.group, DEEPEST), rng)
    return {"pool": pool, "validation": validation, "test": test}


def menu(n_queries: int, n_docs: int, costs: Costs = COSTS) -> pd.DataFrame:
    """What the shares of a pool's cost can be spent on: frame share, budget, documents, queries.

    Parameters
    ----------
    n_queries, n_docs : of the pool, of which an eighth of the queries, and at most 16, are the fewest
    costs : of a query and a judgment

    Examples
    --------
    >>> menu(16, 4, Costs(0, 1)).query("share == .2")[["budget", "documents", "queries"]].to_numpy().tolist()
    [[12.8, 2.0, 6.0], [12.8, 3.0, 4.0], [12.8, 4.0, 3.0]]
    """
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
    """Every allocation of the menu of a collection, trained for REPEATS times: frame of COLUMNS and error.

    Parameters
    ----------
    name : of the collection
    store, n_jobs, seed : as `sweep.run` takes them
    """
    shared = parts(name, np.random.default_rng(seed))
    offered = menu(shared["pool"].n_queries, int(shared["pool"].group[0]))
    bought = offered[["queries", "documents"]].drop_duplicates().to_dict("records")
    grid = [{"ranker": RANKER} | point | {"repeat": repeat} for point in bought for repeat in range(REPEATS)]
    found = sweep.run(train_and_test, grid, store=store, n_jobs=n_jobs, seed=seed, shared=shared)
    return offered.merge(found, on=["queries", "documents"]).assign(collection=name)[[*COLUMNS, "error"]]


def advised(surfaces: Mapping[str, Surface], runs: pd.DataFrame, costs: Costs = COSTS) -> pd.DataFrame:
    """The depth that the surfaces of other collections advise: frame collection, share, advised.

    Parameters
    ----------
    surfaces : collection -> surface
    runs : frame of COLUMNS
    costs : of a query and a judgment

    Raises
    ------
    ValueError
        where there is no other collection with a surface.
    """
    rows = []
    for (name, share), part in runs.groupby(["collection", "share"]):
        others = {other: surface for other, surface in surfaces.items() if other != name}
        if not others:
            raise ValueError(f"advice for {name}: expected the surface of another collection, there is none")
        rows.append((name, share, allocations.advised(others, costs, part["budget"].iloc[0])))
    return pd.DataFrame(rows, columns=["collection", "share", "advised"])


def regrets(runs: pd.DataFrame, advice: pd.DataFrame) -> pd.DataFrame:
    """What the advice and each rule of thumb lose against the best of the menu: a row a collection, share and rule.

    The best is the top of a parabola over log depth through the means of the menu, as the highest of them may be so by
    luck; a single allocation may lie above it, and its regret below 0. The advice takes the allocation of the menu that
    is nearest to it, so does a rule, which has no row where the menu has nothing like it.

    Parameters
    ----------
    runs : frame of COLUMNS
    advice : frame of `advised`

    Returns
    -------
    frame collection, share, rule, documents, queries, ndcg, regret
    """
    depths = advice.set_index(["collection", "share"])["advised"]
    rows = []
    for (name, share), part in runs.groupby(["collection", "share"], sort=False):
        table = part.pivot_table(index=["documents", "queries"], columns="repeat", values="ndcg")
        shapes = table.index.to_frame(index=False).rename(columns={"documents": "depth"})
        best = _top(np.log2(shapes["depth"].to_numpy(float)), table.to_numpy().mean(axis=1))
        advised = float(np.clip(depths[name, share], shapes["depth"].min(), shapes["depth"].max()))
        wanted = {allocations.ADVICE: allocations.Rule("", depth=advised), **allocations.RULES}
        for rule, row in allocations.followed(shapes, wanted).items():
            ndcg = table.to_numpy()[row].mean()
            rows.append((name, share, rule, *table.index[row], ndcg, best - ndcg))
    return pd.DataFrame(rows, columns=["collection", "share", "rule", "documents", "queries", "ndcg", "regret"])


def regret_table(regrets: pd.DataFrame) -> pd.DataFrame:
    """Mean regret of each rule, and what it loses more than the advice where both are, with 95 % intervals.

    An interval is that of the t distribution over the means of collections, which are as many samples as there are: in
    it are the draws, the test queries, and that other collections differ.

    Parameters
    ----------
    regrets : frame of `regrets`

    Returns
    -------
    frame rule, collections, regret, low, high, more, more_low, more_high; the least regret first
    """
    cells = ["collection", "share"]
    advice = regrets[regrets["rule"] == allocations.ADVICE].set_index(cells)["regret"]
    rows = []
    for rule, found in regrets.set_index(cells).groupby("rule"):
        more = (found["regret"] - advice).dropna().groupby("collection").mean()
        values = found["regret"].groupby("collection").mean()
        rows.append((rule, len(values), *_interval(values), *_interval(more)))
    columns = ["rule", "collections", "regret", "low", "high", "more", "more_low", "more_high"]
    return pd.DataFrame(rows, columns=columns).sort_values("regret", kind="stable", ignore_index=True)


def _top(depths: np.ndarray, means: np.ndarray) -> float:
    """The highest of the menu by a parabola through means (n_allocations,) at depths, of which these are logarithms.

    >>> round(_top(np.array([1.0, 2.0, 3.0, 4.0]), np.array([0.0, 0.5, 0.0, 0.5])), 3)
    0.4
    """
    fitted = np.polyfit(depths, means, min(2, len(depths) - 1))
    return float(np.polyval(fitted, depths).max())


def _interval(values: pd.Series) -> tuple[float, float, float]:
    """Mean and interval; NaN ends of a single value.

    >>> [round(end, 2) for end in _interval(pd.Series([1.0, 2.0, 3.0]))]
    [2.0, -0.48, 4.48]
    """
    n = len(values)
    error = values.std(ddof=1) / np.sqrt(n)
    wide = stats.t.ppf((1 + LEVEL) / 2, n - 1) * error if n > 1 else np.nan
    return float(values.mean()), float(values.mean() - wide), float(values.mean() + wide)
