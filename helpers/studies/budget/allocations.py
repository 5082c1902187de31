"""What a budget buys to train on: allocations on a surface, the best of them, and what rules of thumb lose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from helpers.studies.budget.costs import Costs
from helpers.studies.budget.surfaces import LEAST_ERROR, Surface

PEOPLE, MACHINE = "people", "machine"
SLACK = 1 + 1e-9
FEWEST = 3
"""Allocations of a collection that can give advice."""

NEAR = 0.5
"""Doublings by which what is bought may differ from what a rule of thumb wants."""


class Rule(NamedTuple):
    """A rule of thumb to train by.

    Attributes
    ----------
    source : who says so
    depth, queries : documents of a query, or queries, that it wants; infinite as many as there can be, 0 as few
    opinions : people a document
    """

    source: str
    depth: float | None = None
    queries: float | None = None
    opinions: int = 1


DEEP, SHALLOW = "as deep as can be", "as many queries as can be"
RULES = {
    DEEP: Rule("common", depth=np.inf),
    SHALLOW: Rule("common", depth=0.0),
    "eight documents a query": Rule("Yilmaz and Robertson 2009", depth=8.0),
    "pools of depth ten": Rule("TREC's pools", depth=10.0),
    "twice the depth of the page": Rule("OpenSearch, project-website 3503", depth=20.0),
    "fifty queries": Rule("TREC's custom", queries=50.0),
    "three opinions, a page deep": Rule("common in crowdsourcing", depth=10.0, opinions=3),
}
ADVICE = "advice"
"""What stands in the place of a rule where the advice of this project is measured beside them."""


@dataclass(frozen=True, eq=False)
class Options:
    """What a budget buys.

    Attributes
    ----------
    bought : frame who, queries, depth, opinions, cost
    values : (n_draws, n_options) nDCG of each by the draws of a surface
    """

    bought: pd.DataFrame
    values: np.ndarray


def options(surface: Surface, costs: Costs, budget: float, kept: np.ndarray | None = None) -> Options:
    """Everything on the grid of a surface that a budget buys within what was run.

    People are bought for all of the budget. Of a machine, whose labels cost less, there are at most as many queries as
    were run; one opinion a document is taken for what it can replace.

    Parameters
    ----------
    surface : of a ranker on a collection
    costs : of a query and of judgments; no machine where it has no price
    budget : in the same unit
    kept : (n_draws,) share of nDCG that a ranker keeps with a machine's labels; None where that is not known
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
    """The best allocation: what is bought, nDCG with interval, and the depths that 95 % of the draws hold for best.

    Parameters
    ----------
    found : of `options`

    Raises
    ------
    ValueError
        when the budget buys nothing that was run.
    """
    if found.bought.empty:
        raise ValueError("no allocation of this budget was run, expected one that buys between what was")
    chosen = found.values.mean(axis=0).argmax()
    low, high = np.quantile(found.values[:, chosen], [0.025, 0.975])
    depths = found.bought["depth"].to_numpy()[found.values.argmax(axis=1)]
    shallowest, deepest = np.quantile(depths, [0.025, 0.975])
    seen = {"ndcg": found.values[:, chosen].mean(), "low": low, "high": high}
    return pd.Series(dict(found.bought.iloc[chosen]) | seen | {"shallowest": shallowest, "deepest": deepest})


def followed(bought: pd.DataFrame, wanted: Mapping[str, Rule]) -> dict[str, int]:
    """The row that each rule of thumb takes; none where nothing is as near to it as half a doubling.

    Parameters
    ----------
    bought : frame depth, queries, and opinions where they are not 1
    wanted : name -> rule

    Examples
    --------
    >>> bought = pd.DataFrame({"depth": [4, 8, 16], "queries": [40, 25, 14]})
    >>> followed(bought, {"ten": Rule("", depth=10), "fifty": Rule("", queries=50), "hundred": Rule("", depth=100)})
    {'ten': 1, 'fifty': 0}
    """
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


def losses(found: Options, wanted: Mapping[str, Rule] = RULES) -> pd.DataFrame:
    """What each rule loses of nDCG against the best allocation: frame rule, source, what is bought, loss, low, high.

    The best is that by the mean of the surface; a draw may hold another for better, so that `low` may be below 0.

    Parameters
    ----------
    found : of `options`, of which rules take people's labels
    wanted : name -> rule, those that cannot be followed without a row
    """
    people = found.bought[found.bought["who"] == PEOPLE]
    top = found.values[:, found.values.mean(axis=0).argmax()]
    rows = []
    for name, row in followed(people, wanted).items():
        lost = top - found.values[:, row]
        low, high = np.quantile(lost, [0.025, 0.975])
        bought = people.loc[row, ["queries", "depth", "opinions"]]
        rows.append(
            {"rule": name, "source": wanted[name].source, **bought, "loss": lost.mean(), "low": low, "high": high}
        )
    return pd.DataFrame(rows, columns=["rule", "source", "queries", "depth", "opinions", "loss", "low", "high"])


def advised(others: Mapping[str, Surface], costs: Costs, budget: float) -> float:
    """The depth that is best on average of other collections, each weighed by its own spread along the cost curve.

    Parameters
    ----------
    others : collection -> surface, of which single opinions of people are looked at
    costs, budget : as for `options`; of a collection that was run with less or more, the nearest budget at which half
        of its depths can be bought

    Returns
    -------
    depth

    Raises
    ------
    ValueError
        where no collection has three allocations.
    """
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
