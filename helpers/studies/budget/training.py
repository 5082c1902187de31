"""The surfaces of the collections whose runs are kept, and the advice that they give each other."""

from __future__ import annotations

import joblib
import numpy as np
import pandas as pd

from helpers.engine import results
from helpers.studies.budget import surfaces
from helpers.studies.budget.costs import Costs
from helpers.studies.budget.surfaces import Surface

STUDY = "04"
SHARES = (0.1, 0.2, 0.4)
"""Budgets at which a collection is asked, as shares of what its whole pool costs."""


def runs(real: bool = True) -> dict[str, pd.DataFrame]:
    """The stored runs of study 4 on pools: collection -> frame ranker, queries, documents, ndcg.

    Parameters
    ----------
    real : only collections that are not synthetic
    """
    return {
        name: tables["pool"].query("error.isna()")
        for name, tables in results.stored(STUDY).items()
        if "pool" in tables and not (real and results.produced_by(STUDY, name)["synthetic"])
    }


def fitted(
    pools: dict[str, pd.DataFrame], ranker: str, rng: np.random.Generator, draws: int, n_jobs: int = 1
) -> dict[str, Surface]:
    """The surface of a ranker on every collection.

    Parameters
    ----------
    pools : of `runs`
    ranker : its name
    rng, draws : as for `surfaces.fit`
    n_jobs : collections worked on at the same time
    """
    parts = [pool[pool["ranker"] == ranker] for pool in pools.values()]
    fits = joblib.Parallel(n_jobs=n_jobs)(
        joblib.delayed(surfaces.fit)(part, child, draws)
        for part, child in zip(parts, rng.spawn(len(parts)), strict=True)
    )
    return dict(zip(pools, fits, strict=True))


def all_fitted(
    pools: dict[str, pd.DataFrame], rng: np.random.Generator, draws: int, n_jobs: int = 1
) -> dict[str, dict[str, Surface]]:
    """Ranker -> `fitted`, for every ranker that was run on all collections.

    Parameters
    ----------
    pools : of `runs`
    rng, draws, n_jobs : as for `fitted`
    """
    names = [
        ranker
        for ranker in next(iter(pools.values()))["ranker"].unique()
        if all(ranker in pool["ranker"].values for pool in pools.values())
    ]
    return {ranker: fitted(pools, ranker, rng, draws, n_jobs) for ranker in names}


def regret_table(fits: dict[str, dict[str, Surface]], costs: Costs) -> pd.DataFrame:
    """Regret of the advice and of rules of thumb, each collection left out once, over all rankers.

    Parameters
    ----------
    fits : of `all_fitted`, two collections at least
    costs : of a query and a judgment
    """
    frames = []
    for ranker, by_name in fits.items():
        budgets = {name: _budgets(surface, costs) for name, surface in by_name.items()}
        frames.append(surfaces.regrets(by_name, costs, budgets).assign(ranker=ranker))
    return surfaces.regret_table(pd.concat(frames, ignore_index=True))


def _budgets(surface: Surface, costs: Costs) -> np.ndarray:
    whole = surface.queries[-1] * (costs.query + surface.depths[-1] * costs.judgment)
    return whole * np.array(SHARES)


def bests(fits: dict[str, dict[str, Surface]], costs: Costs, budget: float) -> pd.DataFrame:
    """The best allocation of a budget for every ranker and collection that was run with such a one.

    Parameters
    ----------
    fits : ranker -> `fitted`
    costs, budget : as for `surfaces.best`
    """
    rows = []
    for ranker, by_name in fits.items():
        for name, surface in by_name.items():
            if len(surfaces.allocations(surface, costs, budget)[0]):
                found = surfaces.best(surface, costs, budget)
                rows.append({"ranker": ranker, "collection": name} | found.to_dict())
    columns = ["ranker", "collection", "queries", "depth", "ndcg", "low", "high", "shallowest", "deepest"]
    return pd.DataFrame(rows, columns=columns)


def along_costs(fits: dict[str, dict[str, Surface]], costs: Costs, budget: float) -> pd.DataFrame:
    """nDCG along the cost curve: frame ranker, collection, depth, queries, ndcg, low, high.

    Parameters
    ----------
    fits : ranker -> `fitted`
    costs, budget : as for `surfaces.allocations`
    """
    frames = []
    for ranker, by_name in fits.items():
        for name, surface in by_name.items():
            depths, queries = surfaces.allocations(surface, costs, budget)
            if len(depths):
                values = surface.at(depths, queries)
                low, high = np.quantile(values, [0.025, 0.975], axis=0)
                columns = {"depth": depths, "queries": queries, "ndcg": values.mean(axis=0), "low": low, "high": high}
                frames.append(pd.DataFrame({"ranker": ranker, "collection": name} | columns))
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=["ranker", "collection", "depth"])
