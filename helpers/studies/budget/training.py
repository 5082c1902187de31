"""To train: the surfaces of all collections whose runs are kept, and what a budget buys on each."""

from __future__ import annotations

from collections.abc import Mapping

import joblib
import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from helpers.studies.budget import allocations, pools, surfaces
from helpers.studies.budget.costs import Costs
from helpers.studies.budget.surfaces import Surface

KEY = ["ranker", "collection"]
BESTS = [
    *KEY, "who", "queries", "depth", "opinions", "cost", "ndcg", "low", "high", "shallowest", "deepest",
]  # fmt: skip

Fits = Mapping[str, Mapping[str, Surface]]
Kept = Mapping[str, np.ndarray]


def fitted(
    runs: Mapping[str, pd.DataFrame], rng: np.random.Generator, draws: int, n_jobs: int = 1
) -> dict[str, dict[str, Surface]]:
    """Ranker -> collection -> surface, for every ranker of every pool.

    Parameters
    ----------
    runs : collection -> frame of `pools.COLUMNS`
    rng, draws : as for `surfaces.fit`
    n_jobs : surfaces worked on at the same time, in threads, as each takes less than a process needs to start
    """
    parts = [(ranker, name, part) for name, pool in runs.items() for ranker, part in pool.groupby("ranker", sort=False)]
    with threadpool_limits(limits=1):  # for all threads, as one that ends would lift the limit of the others
        fits = joblib.Parallel(n_jobs=n_jobs, prefer="threads")(
            joblib.delayed(surfaces.fit)(part, child, draws)
            for (_, _, part), child in zip(parts, rng.spawn(len(parts)), strict=True)
        )
    found = {}
    for (ranker, name, _), surface in zip(parts, fits, strict=True):
        found.setdefault(ranker, {})[name] = surface
    return found


def kept(shares: pd.DataFrame, fits: Fits, rng: np.random.Generator, draws: int) -> dict[str, np.ndarray]:
    """Ranker -> (draws,) share of nDCG that it keeps with a machine's labels, where study 3 ran it.

    Parameters
    ----------
    shares : of `pools.shares_kept`
    fits : of `fitted`
    rng : draws collections and folds
    draws : those of the surfaces
    """
    found = {ranker: pools.kept_draws(shares, ranker, pools.MACHINE, rng, draws) for ranker in fits}
    return {ranker: share for ranker, share in found.items() if share is not None}


def bests(fits: Fits, costs: Costs, budget: float, kept: Kept | None = None) -> pd.DataFrame:
    """The best allocation of a budget for every ranker and collection that was run with such a one: frame of BESTS.

    Parameters
    ----------
    fits : of `fitted`
    costs, budget : as for `allocations.options`
    kept : of `kept`; people alone where None
    """
    rows = [
        dict(zip(KEY, key, strict=True)) | allocations.best(found).to_dict()
        for key, found in _options(fits, costs, budget, kept)
    ]
    return pd.DataFrame(rows, columns=BESTS)


def losses(fits: Fits, costs: Costs, budget: float, kept: Kept | None = None) -> pd.DataFrame:
    """What every rule of thumb loses there: frame ranker, collection and the columns of `allocations.losses`.

    Parameters
    ----------
    fits, costs, budget, kept : as for `bests`
    """
    frames = [
        allocations.losses(found).assign(**dict(zip(KEY, key, strict=True)))
        for key, found in _options(fits, costs, budget, kept)
    ]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=[*KEY, "rule", "loss"])


def along_costs(fits: Fits, costs: Costs, budget: float) -> pd.DataFrame:
    """nDCG by depth where all is spent on people: frame ranker, collection, opinions, depth, queries, ndcg, low, high.

    Parameters
    ----------
    fits, costs, budget : as for `bests`
    """
    frames = []
    for key, found in _options(fits, costs, budget, None):
        low, high = np.quantile(found.values, [0.025, 0.975], axis=0)
        columns = dict(zip(KEY, key, strict=True)) | {"ndcg": found.values.mean(axis=0), "low": low, "high": high}
        frames.append(found.bought.assign(**columns))
    columns = [*KEY, "opinions", "depth", "queries", "ndcg", "low", "high"]
    return pd.concat(frames, ignore_index=True)[columns] if frames else pd.DataFrame(columns=columns)


def _options(fits: Fits, costs: Costs, budget: float, kept: Kept | None) -> list[tuple[tuple[str, str], object]]:
    """((ranker, collection), options) where a budget buys something that was run."""
    found = [
        ((ranker, name), allocations.options(surface, costs, budget, (kept or {}).get(ranker)))
        for ranker, by_name in fits.items()
        for name, surface in by_name.items()
    ]
    return [(key, options) for key, options in found if len(options.bought)]
