"""How to spend a budget to measure which of two rankers is better; and what it costs to see a difference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from helpers.metrics.significance import jackknife_variance, t_half
from helpers.studies.budget import promise
from helpers.studies.budget.costs import FEWEST, FEWEST_WITH_MACHINE, Costs, check, check_budget, machine_pays, shares
from helpers.studies.budget.pilot import Pilot
from helpers.studies.budget.promise import Choice
from helpers.studies.budget.resampling import Measured, measure, spreads

COLUMNS = [
    "who", "queries", "machine_queries", "depth", "opinions", "seen", "low", "high", "apparent", "bias", "bias_low",
    "bias_high", "reach", "rho", "cost",
]  # fmt: skip
PEOPLE, MACHINE = "people", "machine first"
_SHAPE = ["cell", "who", "queries", "machine_queries", "depth", "opinions", "cost"]
_WITHIN = 0.002
"""Of a price: how near it is found."""

_MOST = 1e12


@dataclass(frozen=True, eq=False)
class Advice:
    """How to spend a budget.

    `seen` is, wherever it stands, the difference in nDCG that is promised: seen with power .8 at 5 %, two-sided, in the
    mean over what the pilot does not know; `low` and `high` are the 95 % interval of what is seen, `apparent` is that
    by the pilot's spread as it is; of several pairs of rankers it is the median. Only the advised plan was chosen, and
    only its promise is corrected for that. No bias is in it: `bias` is what judging less adds to a difference, with its
    interval. `reach`, by which plans are chosen, is what the pilot's spread shows as it is and the size of the bias
    with its standard error.
    """

    best: pd.Series  # COLUMNS: the plan that is advised
    plans: pd.DataFrame  # COLUMNS, a row for everybody, depth and opinions that the budget pays, by reach
    gain: float  # mean log of what chosen plans see over what the fixed one does, on other queries; NaN: not asked
    why: str  # promise.FEW or promise.NO_GAIN where the advice is the fixed plan, which nobody chose, else empty
    apart: float  # share of pairs whose rankers differ by what the advised plan sees of them
    unknown: int = 0  # depths and opinions that are no plan, as the pilot cannot know what they see, or their bias


def plan(pilot: Pilot | Measured, costs: Costs, budget: float, *, seed: int = 0) -> Advice:
    """The queries, depth, opinions and judges that see the smallest difference for a budget.

    Below 50 queries of a pilot, or where choosing gains nothing on queries that were not chosen by, that is depth 10
    by one person: the fixed plan. A depth whose bias or spread cannot be known without one of the queries is left out
    and counted.

    Parameters
    ----------
    pilot : judgments of some queries and the lists of rankers; or what `measure` made of it
    costs : of queries and judgments; people alone where `machine` is None or the pilot has no machine's labels
    budget : in the same unit
    seed : of the subsets of people that are drawn where there are too many; nothing else depends on it

    Raises
    ------
    ValueError
        when a price is below 0, the budget buys too little, or the pilot's rankers differ on too few queries.

    Examples
    --------
    A query costs 1, and 1 for each opinion on each document: 5 for one on each of four.

    >>> rng = np.random.default_rng(0)
    >>> labels, tops = rng.integers(0, 2, (8, 4, 2)).astype(np.int8), np.stack([np.arange(4), np.arange(4)[::-1]])
    >>> mine = Pilot(labels, None, np.repeat(tops[:, None], 8, axis=1), np.arange(8))
    >>> advice = plan(mine, Costs(query=1, judgment=1), budget=100)
    >>> advice.best[["queries", "depth", "opinions", "cost"]].to_list(), advice.why
    ([20, 4, 1, 100], 'few queries')
    """
    check_budget(budget, costs)
    measured = _measured(pilot, seed)
    advised = _advised(measured, costs, budget)
    if advised is None:
        raise ValueError(f"budget is {budget:g}, too small for anything that shows a difference in this pilot")
    best, plans, chosen = advised
    every = [(cell, PEOPLE, FEWEST, 0, 0, 0, 0.0) for cell in range(len(measured.depths))]
    advised_alone = {name: values[[chosen.row]] for name, values in plans.items()}
    own = promise.seen(spreads(measured)[0], advised_alone)[0] * best["seen"] / best["apparent"]
    return Advice(
        pd.Series(best)[COLUMNS],
        pd.DataFrame(plans, columns=COLUMNS).sort_values("reach", kind="stable", ignore_index=True),
        chosen.gain,
        chosen.why,
        float((np.abs(measured.whole.mean(axis=1)) >= own).mean()),
        len(every) - len(_told(measured, every)["cell"]),
    )


def needed(pilot: Pilot | Measured, costs: Costs, difference: float, *, seed: int = 0) -> pd.Series:
    """The cheapest budget whose plan sees a difference: a row of COLUMNS, and `cost_low`, `cost_high`, its interval.

    Parameters
    ----------
    pilot, costs, seed : as for `plan`
    difference : in nDCG, that the plan is to promise

    Raises
    ------
    ValueError
        as `plan`; when the difference is not above 0.

    Examples
    --------
    A query costs 1, and 1 for each opinion on each document: 5 for one on each of four.

    >>> rng = np.random.default_rng(0)
    >>> labels, tops = rng.integers(0, 2, (8, 4, 2)).astype(np.int8), np.stack([np.arange(4), np.arange(4)[::-1]])
    >>> mine = Pilot(labels, None, np.repeat(tops[:, None], 8, axis=1), np.arange(8))
    >>> needed(mine, Costs(query=1, judgment=1), difference=0.2)[["queries", "depth", "opinions", "cost"]].to_list()
    [31, 4, 1, 155]
    """
    check(costs)
    if not difference > 0:
        raise ValueError(f"difference is {difference}, expected above 0")
    measured = _measured(pilot, seed)

    def sees(budget: float) -> bool:
        advised = _advised(measured, costs, budget)
        return advised is not None and advised[0]["seen"] <= difference

    low = high = FEWEST * costs.of_query(1, 1)
    while not sees(high):
        if high > _MOST:
            raise ValueError(f"difference is {difference}: no plan sees it for less than {_MOST:g}")
        low, high = high, 2 * high
    while high - low > _WITHIN * high:
        middle = (low + high) / 2
        low, high = (low, middle) if sees(middle) else (middle, high)
    best = _advised(measured, costs, high)[0]
    ends = {f"cost_{end}": best["cost"] * (best[end] / best["seen"]) ** 2 for end in ("low", "high")}
    return pd.Series(best | ends)[[*COLUMNS, *ends]]


def for_budgets(measured: Measured, costs: Costs, budgets: Sequence[float]) -> pd.DataFrame:
    """The plan that is advised for each budget that buys one: frame budget, COLUMNS and machine, the share of the
    machine's queries that people do not judge."""
    found = {budget: _advised(measured, costs, budget) for budget in budgets}
    rows = [advised[0] | {"budget": budget} for budget, advised in found.items() if advised is not None]
    table = pd.DataFrame(rows, columns=["budget", *COLUMNS])
    alone = 1 - table["queries"] / table["machine_queries"].where(table["machine_queries"] > 0)
    return table.assign(machine=alone.fillna(0.0))


def _measured(pilot: Pilot | Measured, seed: int) -> Measured:
    return pilot if isinstance(pilot, Measured) else measure(pilot, np.random.default_rng(seed))


def _advised(measured: Measured, costs: Costs, budget: float) -> tuple[dict, dict[str, np.ndarray], Choice] | None:
    """The plan that is advised, all plans, and how it was chosen; None where the budget buys nothing that is told."""
    plans = _told(measured, _affordable(measured, costs, budget))
    opinions, depth = plans["opinions"], plans["depth"]
    if not len(depth):
        return None
    near = np.where(depth <= promise.FIXED_DEPTH, depth, -depth)
    fixed = np.where((plans["who"] == PEOPLE) & (opinions == opinions.min()), near, -np.inf)
    chosen = promise.choice(measured, plans, int(fixed.argmax()))
    best = {name: values[chosen.row].item() for name, values in plans.items()}
    return best | {name: best[name] * math.exp(chosen.optimism) for name in ("seen", "low", "high")}, plans, chosen


def _affordable(measured: Measured, costs: Costs, budget: float) -> list[tuple]:
    """The plans that a budget pays, rows of _SHAPE: of each cell people alone, and a machine first where it pays."""
    rows = []
    for cell, rho in enumerate(_middle(spreads(measured)[0].rho).tolist()):
        depth, opinions = int(measured.depths[cell]), int(measured.opinions[cell])
        price = costs.of_query(depth, opinions)
        people = int(budget / price + 1e-9)
        if people >= FEWEST:
            rows.append((cell, PEOPLE, people, 0, depth, opinions, people * price))
        if measured.machine is None or costs.machine is None:
            continue
        machine, person = costs.query + depth * costs.machine, depth * opinions * costs.judgment
        if machine_pays(rho, machine, person):
            people, everywhere = shares(min(rho, promise.MOST_RHO), budget, machine, person)
            if everywhere >= people >= FEWEST_WITH_MACHINE:
                cost = people * person + everywhere * machine
                rows.append((cell, MACHINE, people, everywhere, depth, opinions, cost))
    return rows


def _told(measured: Measured, rows: list[tuple]) -> dict[str, np.ndarray]:
    """Plans of _SHAPE with what they see: COLUMNS and cell, without those of which that or the bias is not known."""
    columns = zip(*rows, strict=True) if rows else [()] * len(_SHAPE)
    plans = dict(zip(_SHAPE, map(np.array, columns), strict=True)) | {"cell": np.array([row[0] for row in rows], int)}
    whole, without = spreads(measured)
    around = t_half(np.sqrt(jackknife_variance(_middle(without.bias).T)), measured.n_queries - 1)
    bias, rho = _middle(whole.bias), _middle(whole.rho)
    by_cell = {"bias": bias, "bias_low": bias - around, "bias_high": bias + around, "rho": rho}
    plans |= {name: values[plans["cell"]] for name, values in by_cell.items()}
    plans |= promise.told(measured, plans) | {"reach": promise.reach(whole, plans)}
    known = np.isfinite(plans["seen"]) & np.isfinite(plans["reach"])
    return {name: values[known] for name, values in plans.items()}


def _middle(values: np.ndarray) -> np.ndarray:
    """The median over pairs, of those that are known."""
    known = np.isfinite(values)
    return np.ma.median(np.ma.array(values, mask=~known), axis=1).filled(np.nan)
