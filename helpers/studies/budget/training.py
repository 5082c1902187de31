"""The surfaces of the collections whose runs are kept, and the advice that they give each other."""

from __future__ import annotations

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
        if not (real and results.produced_by(STUDY, name)["synthetic"])
    }


def fitted(pools: dict[str, pd.DataFrame], ranker: str, rng: np.random.Generator, draws: int) -> dict[str, Surface]:
    """The surface of a ranker on every collection.

    Parameters
    ----------
    pools : of `runs`
    ranker : its name
    rng, draws : as for `surfaces.fit`
    """
    return {name: surfaces.fit(pool[pool["ranker"] == ranker], rng, draws) for name, pool in pools.items()}


def left_out(pools: dict[str, pd.DataFrame], costs: Costs, rng: np.random.Generator, draws: int) -> pd.DataFrame:
    """Regret of the advice and of rules of thumb, each collection left out once: `surfaces.regrets` for every ranker.

    Parameters
    ----------
    pools : of `runs`, two collections at least
    costs : of a query and a judgment
    rng, draws : as for `surfaces.fit`
    """
    frames = []
    for ranker in next(iter(pools.values()))["ranker"].unique():
        fits = fitted(pools, ranker, rng, draws)
        budgets = {name: _budgets(surface, costs) for name, surface in fits.items()}
        frames.append(surfaces.regrets(fits, costs, budgets).assign(ranker=ranker))
    return pd.concat(frames, ignore_index=True)


def _budgets(surface: Surface, costs: Costs) -> np.ndarray:
    whole = surface.queries[-1] * (costs.query + surface.depths[-1] * costs.judgment)
    return whole * np.array(SHARES)
