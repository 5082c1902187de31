"""What was found on the stored collections: of machines, depths, judges, and of both goals."""

from __future__ import annotations

import pandas as pd

from helpers.reporting.answers import counted, number, share
from helpers.studies.budget.resampling import Measured
from helpers.studies.budget.spread import between_and_judge, spread
from helpers.studies.budget.tables import PRICES


def machine_on_pairs(pairs: pd.DataFrame) -> str:
    """When a machine pays, over all pairs of systems: frame first, second, rho, below, reversed."""
    low, middle, high = pairs["rho"].quantile([0.05, 0.5, 0.95])
    below = pairs["below"].median()
    return (
        f"Over {len(pairs):,} pairs of systems the differences by the machine and by people correlate at "
        f"{number(middle)} in the median ({number(low)} to {number(high)} in nine of ten). A machine pays below "
        f"{share(below)} of a person's price in the median pair; a free one still leaves {share(1 - middle**2)} of "
        f"people's queries to be judged. By the machine alone {pairs['reversed'].sum():,} pairs come out the other way."
    )


def free_machine(pairs: pd.DataFrame) -> str:
    """For how many pairs of systems a machine that costs nothing saves at most half of people's work.

    Parameters
    ----------
    pairs : frame rho, of `pair_table`
    """
    few = (pairs["rho"] ** 2 <= 0.5).mean()
    return f"A free machine judge saves at most half of the work for {share(few)} of the pairs"


def depth_worth(measured: dict[str, Measured], depth: int) -> str:
    """What a query judged to a depth is worth on each pilot, as a share of one judged whole.

    Parameters
    ----------
    measured : collection -> pilot
    depth : documents judged of a query, by one person
    """
    said = []
    for name, pilot in measured.items():
        cell, whole = pilot.cell(depth), pilot.cell(pilot.docs)
        worth = float(spread(whole).sd / spread(cell).sd) ** 2
        said.append(f"{share(worth)} on {name}")
    return f"A query judged to depth {depth} by one person is worth {', '.join(said)} of one judged whole."


def depth_bias(rows: pd.DataFrame, depths: tuple[int, ...]) -> str:
    """What judging less deep does to differences of systems.

    Parameters
    ----------
    rows : frame first, second, depth, whole, bias, a row for each pair of systems and depth
    depths : those of which the sentence speaks
    """
    middle = rows["whole"].abs().groupby(rows["depth"]).median().iloc[0]
    sizes = rows["bias"].abs().groupby(rows["depth"]).median()
    said = ", ".join(f"{number(sizes[depth])} at depth {depth}" for depth in depths)
    pairs = len(rows[["first", "second"]].drop_duplicates())
    return (
        f"Over {pairs} random pairs of systems, {number(middle)} apart in the median, the bias is {said} in the median."
    )


def both_goals(table: pd.DataFrame) -> str:
    """How much deeper one trains than one measures, over prices of a query at which there are both.

    Parameters
    ----------
    table : frame cost, goal, depth, of `tables.depths`
    """
    wide = table.groupby(["cost", "goal"])["depth"].median().unstack()
    if not {"train", "measure"} <= set(wide) or wide.dropna().empty:
        return "No collection was run with such a budget, so that the goals cannot be compared."
    both = wide.dropna()
    deeper = (both["train"] > both["measure"]).sum()
    beyond = sum(price > table["cost"].max() for price in PRICES)
    left_out = f" For {counted(beyond, 'higher price', 'higher prices')} the budget is too small." if beyond else ""
    return (
        f"At {deeper} of {len(both)} prices of a query the best depth to train is larger than that to measure: "
        f"{both['train'].min():.0f} to {both['train'].max():.0f} documents against {both['measure'].min():.0f} to "
        f"{both['measure'].max():.0f}.{left_out}"
    )


def coverage(rates: pd.DataFrame) -> str:
    """How often the spread of queries held out lies where the interval says.

    Parameters
    ----------
    rates : frame collection, queries, covered
    """
    worst = rates.loc[rates["covered"].idxmin()]
    return (
        f"Of queries held out the spread lies within 95 % intervals in {share(rates['covered'].min())} to "
        f"{share(rates['covered'].max())} of the parts, least on {worst['collection']} with {worst['queries']} queries."
    )


def opinions(measured: Measured) -> str:
    """What judges add to the variance of single opinions.

    Parameters
    ----------
    measured : a pilot; where nobody judged what another did, it cannot be told
    """
    if measured.judges < 2:
        return f"{measured.name}: nobody judged what another did, so that what judges add cannot be told."
    between, judge = between_and_judge(measured.cell(measured.docs), measured.judges)
    return (
        f"{measured.name}: of the variance of single opinions {share(judge / (between + judge))} comes from the judge."
    )
