"""Tables over pilots and systems: what depth is worth, what rules of thumb lose, the best depth for both goals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from helpers.metrics import power
from helpers.studies.budget import plans, rules, training
from helpers.studies.budget.costs import Costs
from helpers.studies.budget.resampling import Measured

SHALLOWEST = 2
PRICES = (0, 1, 2, 5, 10, 20, 50)
"""Of a query, in judgments."""


def depth_worth(pilots: Mapping[str, Measured]) -> pd.DataFrame:
    """What a query judged less deep is worth of one judged whole: frame collection, depth, worth, low, high."""
    rows = []
    for name, measured in pilots.items():
        whole = (measured.docs, 1)
        depths = [cell.depth for cell in measured.cells if cell.opinions == 1 and cell.depth >= SHALLOWEST]
        rows += [(name, depth, *rules.ratio(measured, (depth, 1), whole, 1.0)) for depth in depths]
    return pd.DataFrame(rows, columns=["collection", "depth", "worth", "low", "high"])


def losses(pilots: Mapping[str, Measured], costs: Costs, budget: float) -> pd.DataFrame:
    """What rules of thumb lose on every pilot: frame collection, rule and the columns of `plans.Advice.rules`."""
    frames = [plans.plan(pilot, costs, budget).rules.assign(collection=name) for name, pilot in pilots.items()]
    return pd.concat(frames, ignore_index=True)


def depths(pilots: Mapping[str, Measured], fits: training.Fits, costs: Costs, budget: float) -> pd.DataFrame:
    """The best depth for both goals by people alone, at PRICES of a query: frame cost, goal, data, depth, low, high."""
    rows = []
    for price in PRICES if costs.judgment else PRICES[1:]:
        there = Costs(price * (costs.judgment or 1.0), costs.judgment)
        for name, pilot in pilots.items():
            found = plans.curve(pilot, there, np.array([budget])).query("plan.str.startswith('best')")
            rows += [(price, "measure", name, *[depth] * 3) for depth in found.sort_values("reach")["depth"].head(1)]
        found = training.bests(fits, there, budget)["depth"]
        if len(found):
            rows.append((price, "train", "median of surfaces", *found.quantile([0.5, 0.25, 0.75])))
    return pd.DataFrame(rows, columns=["cost", "goal", "data", "depth", "low", "high"])


def rule_verdicts(tested: pd.DataFrame) -> pd.DataFrame:
    """Verdicts on the rules that were asked, a row a rule and a column a collection; without that on 200 queries."""
    asked = tested[(tested["verdict"] != rules.NOT_ASKED) & (tested["rule"] != rules.TWO_HUNDRED)]
    return asked.pivot_table(index="rule", columns="collection", values="verdict", aggfunc="first").fillna("")


def rule_losses(losses: pd.DataFrame) -> pd.DataFrame:
    """What rules of thumb lose to train, over surfaces: frame rule, source, surfaces, median, most; the least first."""
    kept = losses.groupby(["rule", "source"])["loss"].agg(surfaces="size", median="median", most="max")
    return kept.sort_values("median").reset_index()


def small_pilots(
    measured: Measured, costs: Costs, budget: float, queries: int, times: int, rng: np.random.Generator
) -> pd.DataFrame:
    """What small pilots advise: the best plan of each, and what it would see by all queries."""
    rows = []
    for _ in range(times):
        part = measured.take(rng.choice(measured.n_queries, queries, replace=False))
        best = plans.plan(part, costs, budget).best
        rows.append(best[["who", "queries", "depth", "opinions", "detectable", "low", "high"]])
    return pd.DataFrame(rows).reset_index(drop=True)


def reliabilities(systems: pd.DataFrame, queries: Sequence[int]) -> pd.DataFrame:
    """How well n queries rank systems: frame queries, generalizability, dependability."""
    parts = power.components(systems.pivot(index="system", columns="query", values="people").to_numpy())
    rows = [(n, parts.generalizability(n), parts.dependability(n)) for n in queries]
    return pd.DataFrame(rows, columns=["queries", "generalizability", "dependability"])


def pair_table(systems: pd.DataFrame) -> pd.DataFrame:
    """Every two systems: frame first, second, rho, sd, bias, below (price at which a machine pays), reversed."""
    people, machine = (systems.pivot(index="query", columns="system", values=name) for name in ("people", "machine"))
    first, second = np.triu_indices(people.shape[1], 1)
    y, f = (table.to_numpy()[:, first] - table.to_numpy()[:, second] for table in (people, machine))
    with np.errstate(divide="ignore", invalid="ignore"):
        rho = ((y - y.mean(axis=0)) * (f - f.mean(axis=0))).mean(axis=0) / (y.std(axis=0) * f.std(axis=0))
        below = np.where(rho > 0, ((1 - np.sqrt(1 - rho**2)) / rho) ** 2, 0.0)
    columns = {
        "first": people.columns[first],
        "second": people.columns[second],
        "rho": rho,
        "sd": y.std(axis=0, ddof=1),
        "bias": (f - y).mean(axis=0),
        "below": below,
        "reversed": np.sign(f.mean(axis=0)) != np.sign(y.mean(axis=0)),
    }
    return pd.DataFrame(columns).dropna()
