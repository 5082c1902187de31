"""To train: what a budget buys on the surfaces of stored runs, the best of it, and what rules of thumb lose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import joblib
import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from helpers.studies.budget import stored, surfaces
from helpers.studies.budget.costs import Costs
from helpers.studies.budget.habits import TO_TRAIN, Rule, Wanted
from helpers.studies.budget.surfaces import LEAST_ERROR, Surface

PEOPLE, MACHINE = "people", "machine"
SLACK = 1 + 1e-9
FEWEST = 3
"""Allocations of a collection that can give advice."""

NEAR = 0.5
"""Doublings by which what is bought may differ from what a rule of thumb wants."""

KEY = ["ranker", "collection"]
BESTS = [
    *KEY, "who", "queries", "depth", "opinions", "cost", "ndcg", "low", "high", "shallowest", "deepest",
]  # fmt: skip
Fits = Mapping[str, Mapping[str, Surface]]
Kept = Mapping[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class Options:
    """What a budget buys."""

    bought: pd.DataFrame  # who, queries, depth, opinions, cost
    values: np.ndarray  # (n_draws, n_options) nDCG of each by the draws of a surface


def options(surface: Surface, costs: Costs, budget: float, kept: np.ndarray | None = None) -> Options:
    """Everything on the grid of a surface that a budget buys within what was run; kept (n_draws,) with a machine.

    People are bought for all of the budget. Of a machine, whose labels cost less, there are at most as many queries as
    were run; one opinion a document is taken for what it can replace.
    """
    found = [_people(surface, costs, budget, people) for people in surface.opinions]
    values = [surface.at(rows["opinions"], rows["depth"], rows["queries"]) for rows in found]
    if kept is not None and costs.machine is not None:
        rows = _machine(surface, costs, budget)
        found.append(rows)
        values.append(kept[:, None] * surface.at(rows["opinions"], rows["depth"], rows["queries"]))
    return Options(pd.concat(found, ignore_index=True), np.concatenate(values, axis=1))


def _people(surface: Surface, costs: Costs, budget: float, opinions: int) -> pd.DataFrame:
    price = costs.query + surface.depths * opinions * costs.judgment
    queries = budget / price
    kept = (queries * SLACK >= surface.queries[0]) & (queries <= surface.queries[-1] * SLACK)
    bought = {"who": PEOPLE, "queries": queries[kept], "depth": surface.depths[kept], "opinions": opinions}
    return pd.DataFrame(bought | {"cost": float(budget)})


def _machine(surface: Surface, costs: Costs, budget: float) -> pd.DataFrame:
    price = costs.query + surface.depths * costs.machine
    queries = np.minimum(budget / price, surface.queries[-1])
    kept = queries * SLACK >= surface.queries[0]
    bought = {"who": MACHINE, "queries": queries[kept], "depth": surface.depths[kept]}
    return pd.DataFrame(bought | {"opinions": surface.opinions[0], "cost": queries[kept] * price[kept]})


def best(found: Options) -> pd.Series:
    """The best allocation: what is bought, nDCG with interval, and the depths that 95 % of the draws hold for best."""
    if found.bought.empty:
        raise ValueError("no allocation of this budget was run, expected one that buys between what was")
    chosen = found.values.mean(axis=0).argmax()
    low, high = np.quantile(found.values[:, chosen], [0.025, 0.975])
    depths = found.bought["depth"].to_numpy()[found.values.argmax(axis=1)]
    shallowest, deepest = np.quantile(depths, [0.025, 0.975])
    seen = {"ndcg": found.values[:, chosen].mean(), "low": low, "high": high}
    return pd.Series(dict(found.bought.iloc[chosen]) | seen | {"shallowest": shallowest, "deepest": deepest})


def followed(bought: pd.DataFrame, wanted: Mapping[str, Wanted]) -> dict[str, int]:
    """The row that each rule of thumb takes; none where nothing is as near to it as half a doubling."""
    people = bought["opinions"] if "opinions" in bought else pd.Series(1, bought.index)
    found = {}
    for name, rule in wanted.items():
        column, amount = ("depth", rule.depth) if rule.queries is None else ("queries", rule.queries)
        there = bought.loc[people == rule.opinions, column].astype(float)
        if there.empty:
            continue
        if amount in (0, np.inf):
            amount = there.min() if amount == 0 else there.max()
        away = np.log2(there / amount).abs()
        if away.min() <= NEAR:
            found[name] = int(away.idxmin())
    return found


def lost_by_rules(found: Options, rules: Sequence[Rule] = TO_TRAIN) -> pd.DataFrame:
    """What each rule loses of nDCG against the best allocation: frame rule, source, what is bought, loss, low, high.

    The best is that by the mean of the surface; a draw may hold another for better, so that `low` may be below 0.
    """
    people = found.bought[found.bought["who"] == PEOPLE]
    top = found.values[:, found.values.mean(axis=0).argmax()]
    sources, rows = {rule.name: rule.source for rule in rules}, []
    for name, row in followed(people, {rule.name: rule.to_train for rule in rules}).items():
        lost = top - found.values[:, row]
        low, high = np.quantile(lost, [0.025, 0.975])
        bought = people.loc[row, ["queries", "depth", "opinions"]]
        rows.append({"rule": name, "source": sources[name], **bought, "loss": lost.mean(), "low": low, "high": high})
    return pd.DataFrame(rows, columns=["rule", "source", "queries", "depth", "opinions", "loss", "low", "high"])


def advised(others: Mapping[str, Surface], costs: Costs, budget: float) -> float:
    """The depth that is best on average of other collections, each weighed by its own spread along the cost curve."""
    near = {name: _near(surface, costs, budget) for name, surface in others.items()}
    near = {name: bought for name, bought in near.items() if len(bought) >= FEWEST}
    if not near:
        raise ValueError(f"budget is {budget:g}: none of {', '.join(others)} was run with three allocations near it")
    depths = pd.concat(near.values())["depth"]
    grid = np.geomspace(depths.min(), depths.max(), 33)
    lost = [_lost(others[name], bought, grid) for name, bought in near.items()]
    return float(grid[np.mean(lost, axis=0).argmin()])


def _near(surface: Surface, costs: Costs, budget: float) -> pd.DataFrame:
    """What people are bought for the budget, or the nearest one at which half of the depths can be bought."""
    middle = costs.query + surface.depths[len(surface.depths) // 2] * costs.judgment
    within = float(np.clip(budget, surface.queries[0] * middle, surface.queries[-1] * middle))
    return _people(surface, costs, within, int(surface.opinions[0]))


def _lost(surface: Surface, bought: pd.DataFrame, grid: np.ndarray) -> np.ndarray:
    """What each depth of a grid loses on a collection, in units of the spread along its cost curve."""
    means = surface.at(bought["opinions"], bought["depth"], bought["queries"]).mean(axis=0)
    depths = bought["depth"].to_numpy()
    rows = np.abs(np.log(depths)[:, None] - np.log(np.clip(grid, depths[0], depths[-1]))).argmin(axis=0)
    return (means.max() - means[rows]) / max(np.ptp(means), LEAST_ERROR)


def fitted(
    runs: Mapping[str, pd.DataFrame], rng: np.random.Generator, draws: int, n_jobs: int = 1
) -> dict[str, dict[str, Surface]]:
    """Ranker -> collection -> surface, for every ranker of every pool."""
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
    """Ranker -> (draws,) share of nDCG that it keeps with a machine's labels, where study 3 ran it."""
    found = {ranker: stored.kept_draws(shares, ranker, stored.MACHINE, rng, draws) for ranker in fits}
    return {ranker: share for ranker, share in found.items() if share is not None}


def bests(fits: Fits, costs: Costs, budget: float, kept: Kept | None = None) -> pd.DataFrame:
    """The best allocation of a budget for every ranker and collection that was run with such a one: frame of BESTS."""
    rows = [
        dict(zip(KEY, key, strict=True)) | best(found).to_dict() for key, found in _options(fits, costs, budget, kept)
    ]
    return pd.DataFrame(rows, columns=BESTS)


def losses(fits: Fits, costs: Costs, budget: float, kept: Kept | None = None) -> pd.DataFrame:
    """What every rule of thumb loses there: frame ranker, collection and the columns of `lost_by_rules`."""
    frames = [
        lost_by_rules(found).assign(**dict(zip(KEY, key, strict=True)))
        for key, found in _options(fits, costs, budget, kept)
    ]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=[*KEY, "rule", "loss"])


def along_costs(fits: Fits, costs: Costs, budget: float) -> pd.DataFrame:
    """nDCG by depth, all spent on people: frame ranker, collection, opinions, depth, queries, ndcg, low, high."""
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
        ((ranker, name), options(surface, costs, budget, (kept or {}).get(ranker)))
        for ranker, by_name in fits.items()
        for name, surface in by_name.items()
    ]
    return [(key, options) for key, options in found if len(options.bought)]
