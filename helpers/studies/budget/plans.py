"""How to spend a budget to measure which of two rankers is better; and what it costs to see a difference."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from helpers.metrics import power
from helpers.studies.budget import habits
from helpers.studies.budget.costs import FEWEST, FEWEST_WITH_MACHINE, Costs, check, check_budget, machine_pays, shares
from helpers.studies.budget.pilot import Pilot
from helpers.studies.budget.resampling import LEAST_SLOPE, Cell, Measured, Spread, bias_size, interval, measure, spread

COLUMNS = [
    "who", "queries", "machine_queries", "depth", "opinions", "detectable", "low", "high", "bias", "bias_low",
    "bias_high", "reach", "rho", "cost",
]  # fmt: skip
PEOPLE, MACHINE = "people", "machine first"
_MOST_RHO = 0.999


@dataclass(frozen=True, eq=False)
class Advice:
    """How to spend a budget.

    `detectable` is the difference in nDCG seen with power .8 at 5 %, two-sided, with a 95 % interval; `reach` adds the
    size of the bias with its standard error, as a difference that large is seen even where the bias hides a part of it.
    """

    best: pd.Series  # row of `plans` with the least reach
    plans: pd.DataFrame  # COLUMNS, a row for everybody, depth and opinions that the budget pays, the best first
    rules: pd.DataFrame  # rule, source and COLUMNS, at the same cost; worse is reach over that of the best
    unknown: int = 0  # depths and opinions that are no plan, as the pilot cannot know their bias


def plan(pilot: Pilot | Measured, costs: Costs, budget: float, *, seed: int = 0) -> Advice:
    """The queries, depth, opinions and judges that see the smallest difference for a budget.

    A cell whose bias cannot be known is left out and counted: judged so, a single query at most shows a difference, so
    that nothing is left where that one is left out.

    Parameters
    ----------
    pilot : judgments of some queries and the lists of two rankers; or what `measure` made of it
    costs : of queries and judgments; people alone where `machine` is None or the pilot has no machine's labels
    budget : in the same unit
    seed : of the subsets of people that are drawn where there are too many

    Raises
    ------
    ValueError
        when a price is below 0, the budget buys too little, or the pilot's rankers do not differ on any query.

    Examples
    --------
    A query costs 1, and 1 for each opinion on each document: 9 for two on each of four.

    >>> rng = np.random.default_rng(0)
    >>> labels, tops = rng.integers(0, 2, (8, 4, 2)).astype(np.int8), np.stack([np.arange(4), np.arange(4)[::-1]])
    >>> mine = Pilot(labels, None, np.repeat(tops[:, None], 8, axis=1), np.arange(8))
    >>> plan(mine, Costs(query=1, judgment=1), budget=100).best[["queries", "depth", "opinions", "cost"]]
    queries     11
    depth        4
    opinions     2
    cost        99
    dtype: object
    """
    check(costs)
    check_budget(budget, costs)
    measured = _measured(pilot, seed)
    found = [row for cell in measured.cells for row in _affordable(cell, costs, budget)]
    if not found:
        raise ValueError(f"budget is {budget:g}, too small for anything that shows a difference in this pilot")
    found = [_with_intervals(pd.Series(row), measured) for row in sorted(found, key=lambda row: row["reach"])]
    plans = pd.DataFrame(found, columns=COLUMNS).reset_index(drop=True)
    best = found[0]
    rules = [
        {"rule": rule.name, "source": rule.source} | dict(_with_intervals(pd.Series(row), measured))
        for rule in habits.TO_MEASURE
        if (row := _of_habit(rule, costs, budget, measured)) is not None
    ]
    table = pd.DataFrame(rules, columns=["rule", "source", *COLUMNS])
    unknown = sum(not math.isfinite(bias_size(cell)) for cell in measured.cells)
    return Advice(best, plans, table.assign(worse=table["reach"] / best["reach"] - 1), unknown)


def needed(pilot: Pilot | Measured, costs: Costs, difference: float, *, seed: int = 0) -> pd.Series:
    """The cheapest way to see a difference: a row of COLUMNS, and `cost_low`, `cost_high`, its 95 % interval.

    Parameters
    ----------
    pilot, costs, seed : as for `plan`
    difference : in nDCG, seen with power .8

    Raises
    ------
    ValueError
        as `plan`; when the difference is not above 0, or the pilot's bias alone is as large at every depth.

    Examples
    --------
    A query costs 1, and 1 for each opinion on each document: 9 for two on each of four.

    >>> rng = np.random.default_rng(0)
    >>> labels, tops = rng.integers(0, 2, (8, 4, 2)).astype(np.int8), np.stack([np.arange(4), np.arange(4)[::-1]])
    >>> mine = Pilot(labels, None, np.repeat(tops[:, None], 8, axis=1), np.arange(8))
    >>> needed(mine, Costs(query=1, judgment=1), difference=0.2)[["queries", "depth", "opinions", "cost"]]
    queries      17
    depth         4
    opinions      2
    cost        153
    dtype: object
    """
    check(costs)
    if not difference > 0:
        raise ValueError(f"difference is {difference}, expected above 0")
    measured = _measured(pilot, seed)
    found = [row for cell in measured.cells for row in _enough(cell, costs, difference)]
    if not found:
        raise ValueError(f"difference is {difference}: at every depth the pilot's own bias is as large")
    best = pd.DataFrame(found, columns=COLUMNS).sort_values("cost", kind="stable").iloc[0]
    best = _with_intervals(best, measured)
    ratios = np.array([best["low"], best["high"]]) / best["detectable"]
    return pd.concat([best, pd.Series(best["cost"] * ratios**2, ["cost_low", "cost_high"])])


def curve(pilot: Pilot | Measured, costs: Costs, budgets: np.ndarray, *, seed: int = 0) -> pd.DataFrame:
    """The best plan of each budget and the rules of thumb: frame budget, plan, detectable and the rest of COLUMNS."""
    measured = _measured(pilot, seed)
    rows = []
    for budget in budgets:
        found = [row for cell in measured.cells for row in _affordable(cell, costs, budget)]
        for who in dict.fromkeys(row["who"] for row in found):
            best = min((row for row in found if row["who"] == who), key=lambda row: row["reach"])
            rows.append({"budget": budget, "plan": f"best, {who}"} | best)
        for rule in habits.TO_MEASURE:
            row = _of_habit(rule, costs, budget, measured)
            if row is not None:
                rows.append({"budget": budget, "plan": rule.name} | row)
    return pd.DataFrame(rows, columns=["budget", "plan", *COLUMNS])


def _measured(pilot: Pilot | Measured, seed: int) -> Measured:
    return pilot if isinstance(pilot, Measured) else measure(pilot, np.random.default_rng(seed))


def _shown(cell: Cell) -> Spread | None:
    """The spread of a cell; None where judging so shows next to nothing of a difference, or its bias is not known."""
    seen = spread(cell)
    return seen if seen.slope > LEAST_SLOPE and seen.sd > 0 and math.isfinite(bias_size(cell)) else None


def _affordable(cell: Cell, costs: Costs, budget: float) -> list[dict]:
    """The plans of a cell that a budget pays: people alone, and a machine first where it pays."""
    seen = _shown(cell)
    if seen is None:
        return []
    rows = [_row(cell, seen, costs, int(budget / costs.of_query(cell.depth, cell.opinions)), 0)]
    machine, person = _prices(cell, costs)
    if machine > 0 and machine_pays(seen.rho, machine, person):
        people, everywhere = shares(min(float(seen.rho), _MOST_RHO), budget, machine, person)
        rows.append(_row(cell, seen, costs, people, everywhere))
    return [row for row in rows if row]


def _enough(cell: Cell, costs: Costs, difference: float) -> list[dict]:
    """The plans of a cell that see a difference: the budget at which they do, from that of people alone."""
    seen = _shown(cell)
    if seen is None:
        return []
    left = difference - bias_size(cell)
    if left <= 0:
        return []
    alone = power.queries_needed(float(seen.sd), left)
    rows = [_row(cell, seen, costs, alone, 0)]
    machine, person = _prices(cell, costs)
    if machine > 0 and machine_pays(seen.rho, machine, person):
        rows.append(_least(cell, seen, costs, left, (machine, person), alone))
    return [row for row in rows if row]


def _least(cell: Cell, seen: Spread, costs: Costs, left: float, prices: tuple, alone: int) -> dict | None:
    """The cheapest plan with a machine first, by halving the budget between three queries and people alone's."""
    rho = min(float(seen.rho), _MOST_RHO)
    low, high = FEWEST_WITH_MACHINE * sum(prices), 1.2 * alone * costs.of_query(cell.depth, cell.opinions) + sum(prices)
    while high - low > 1e-3 * high:
        middle = (low + high) / 2
        row = _row(cell, seen, costs, *shares(rho, middle, *prices))
        low, high = (low, middle) if row and row["detectable"] <= left else (middle, high)
    row = _row(cell, seen, costs, *shares(rho, high, *prices))
    return row if row and row["detectable"] <= left else None


def _prices(cell: Cell, costs: Costs) -> tuple[float, float]:
    """Of a query by the machine, the query itself with it, and of people judging it as well; 0 without a machine."""
    if costs.machine is None or cell.machine is None:
        return 0.0, 0.0
    return costs.query + cell.depth * costs.machine, cell.depth * cell.opinions * costs.judgment


def _row(cell: Cell, seen: Spread, costs: Costs, people: int, everywhere: int) -> dict | None:
    """A plan; None where it has fewer queries than its test needs."""
    if people < (FEWEST_WITH_MACHINE if everywhere else FEWEST) or (everywhere and everywhere < people):
        return None
    cost = people * costs.of_query(cell.depth, cell.opinions)
    if everywhere:
        machine, person = _prices(cell, costs)
        cost = people * person + everywhere * machine
    detectable = float(_detectable(seen, people, everywhere))
    return {
        "who": MACHINE if everywhere else PEOPLE,
        "queries": people,
        "machine_queries": everywhere,
        "depth": cell.depth,
        "opinions": cell.opinions,
        "detectable": detectable,
        "bias": float(seen.bias),
        "reach": detectable + bias_size(cell),
        "rho": float(seen.rho),
        "cost": cost,
    }


def _detectable(seen: Spread, people: int, everywhere: int) -> np.ndarray:
    """The difference seen with power .8: by people alone, or by the regression of them on the machine."""
    if not everywhere:
        return seen.sd * power.noncentrality(people - 1) / math.sqrt(people)
    rho = np.clip(seen.rho, 0, _MOST_RHO)
    error = np.sqrt((1 - rho**2) / people + rho**2 / everywhere)
    return seen.sd * power.noncentrality(people - 2) * error


def _with_intervals(row: pd.Series, measured: Measured) -> pd.Series:
    """The plan with the intervals of what it detects and of its bias."""
    cell = measured.cell(row["depth"], row["opinions"])
    people, everywhere = int(row["queries"]), int(row["machine_queries"])
    low, high = interval(cell, lambda seen: _detectable(seen, people, everywhere), log=True)
    bias_low, bias_high = interval(cell, lambda seen: seen.bias)
    ends = {"low": low, "high": high, "bias_low": bias_low, "bias_high": bias_high}
    return pd.Series({**row, **ends})[COLUMNS]


def _of_habit(rule: habits.Rule, costs: Costs, budget: float, measured: Measured) -> dict | None:
    """What a rule of thumb does with the budget; None where it cannot be followed with it."""
    wanted = rule.to_measure(habits.Page(measured.cutoff, measured.judges, measured.docs), costs, budget)
    if wanted is None:
        return None
    queries, depth, opinions = wanted
    near = [cell for cell in measured.cells if cell.opinions == opinions and cell.depth <= max(depth, 1)]
    if not near:
        return None
    cell = near[-1]
    seen = _shown(cell)
    return None if seen is None else _row(cell, seen, costs, queries, 0)
