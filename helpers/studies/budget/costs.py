"""What a query and a judgment cost, what money buys, and when a machine judge pays."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

FEWEST = 2
FEWEST_WITH_MACHINE = 3


class Costs(NamedTuple):
    """Prices in one unit, of money or of time."""

    query: float  # finding and understanding it, whoever judges it
    judgment: float  # of one document by a person
    machine: float | None = None  # of one document by a machine; None where there is none

    def of_query(self, depth: int, opinions: int) -> float:
        """The price of a query whose first documents are judged by people; no machine is in it."""
        return self.query + depth * opinions * self.judgment


def check(costs: Costs) -> None:
    """Raise ValueError at a price below zero, or where neither a query nor a judgment costs anything."""
    for name, price in costs._asdict().items():
        if price is not None and not 0 <= price < math.inf:
            raise ValueError(f"cost_{name} is {price}, expected at least 0")
    if costs.query + costs.judgment == 0:
        raise ValueError("cost_query and cost_judgment are 0, expected one above 0: else everything can be judged")
    if costs.query + (costs.machine if costs.machine is not None else 1) == 0:
        raise ValueError("cost_query and cost_machine are 0, expected one above 0: else a machine judges without end")


def check_budget(budget: float, costs: Costs) -> None:
    """Raise ValueError as `check`, and where a budget does not pay one judgment, or the two queries of a test."""
    check(costs)
    one = costs.of_query(1, 1)
    if budget == math.inf:
        raise ValueError("budget is inf, expected what there is to spend")
    if not one <= budget:
        raise ValueError(f"budget is {budget:g}, which buys no judgment: a query and one judgment cost {one:g}")
    if budget < FEWEST * one:
        raise ValueError(
            f"budget is {budget:g}, too small for anything: a comparison needs {FEWEST} queries of one judgment, "
            f"{FEWEST * one:g}"
        )


def machine_pays(rho: float | np.ndarray, machine: float, person: float, query: float = 0.0) -> bool | np.ndarray:
    """Whether a machine that judges first, with people on a part, is cheaper than people alone for the same precision.

    At the best shares it costs (sqrt((1 - rho^2) person) + rho sqrt(query + machine))^2 a unit of variance, people
    alone query + person. Where a query itself is dear these shares may have people judge more than the machine, which
    they cannot, as theirs are a part of the machine's: then it does not pay either.

    Parameters
    ----------
    rho : correlation over queries of the difference by people's labels and by the machine's
    machine, person : price of judging a query
    query : price of a query itself, whoever judges it

    Examples
    --------
    At a correlation of .7 below a sixth of a person's price.

    >>> machine_pays(0.7, 0.16, 1.0), machine_pays(0.7, 0.17, 1.0)
    (True, False)

    At .3 people would have to judge more queries of price 5 than the machine.

    >>> machine_pays(0.3, 0.4, 20.0, 5.0)
    False
    """
    rho = np.clip(np.asarray(rho, dtype=np.float64), -1, 1)  # rounded, it may be above
    alone = math.sqrt(query + person)
    both = np.sqrt((1 - rho**2) * person) + rho * math.sqrt(query + machine)
    apart = (1 - rho**2) * (query + machine) < rho**2 * person
    pays = (rho > 0) & apart & (both < alone * (1 - 1e-12))
    return bool(pays) if pays.ndim == 0 else pays


def shares(rho: float, budget: float, machine: float, person: float) -> tuple[int, int]:
    """Queries for people and for the machine, of which people's are a part, that leave the least variance."""
    part = 1.0
    if person > 0:
        part = min(1.0, math.sqrt((1 - rho**2) / rho**2 * machine / person)) if rho < 1 else 0.0
    everywhere = budget / (machine + part * person)
    if part * everywhere < FEWEST_WITH_MACHINE:
        return FEWEST_WITH_MACHINE, int((budget - FEWEST_WITH_MACHINE * person) / machine)
    return int(part * everywhere), int(everywhere)
