"""What somebody who measures is told: how to spend a budget on systems to be told apart."""

from __future__ import annotations

import math

import pandas as pd

from helpers.reporting.answers import number, share
from helpers.studies.budget import habits
from helpers.studies.budget.costs import Costs
from helpers.studies.budget.plans import MACHINE, Advice, needed
from helpers.studies.budget.resampling import Measured

COUNTS = {1: "one person", 2: "two people", 3: "three people", 5: "five people"}


def what_to_do(plan: pd.Series) -> str:
    """A plan as an instruction.

    >>> row = {"who": "people", "queries": 180, "machine_queries": 0, "depth": 8, "opinions": 1}
    >>> what_to_do(pd.Series(row))
    'judge 180 queries to depth 8 with one person each'
    """
    people = COUNTS.get(plan["opinions"], f"{plan['opinions']} people")
    depth = f"queries to depth {plan['depth']}"
    judged = f"judge {plan['queries']:,} {depth} with {people} each"
    if plan["who"] != MACHINE:
        return judged
    return f"let the machine judge {plan['machine_queries']:,} {depth}, and {judged} among them"


def measuring(advice: Advice, costs: Costs, seen: float, measured: Measured, budget: float) -> pd.DataFrame:
    """The answer to somebody who measures: frame question, answer.

    Parameters
    ----------
    advice : for the budget
    costs : those that the advice is for
    seen : a difference whose price is told, or why it cannot be
    measured : the pilot
    budget : that is spent
    """
    best, cut = advice.best, f"nDCG@{measured.cutoff}"
    rows = {
        f"How to spend {budget:,.0f}?": _first(advice, cut),
        "How sure is that?": (
            f"From {measured.n_queries} queries: {number(best['low'])} to {number(best['high'])}, and a bias of "
            f"{number(best['bias'])} ({number(best['bias_low'])} to {number(best['bias_high'])}) by judging less."
            f"{_unknown(advice, measured)}"
        ),
        "Does a machine pay?": _machine(advice),
        "What do rules of thumb lose?": _worse(advice),
        f"What does a difference of {number(seen)} cost?": _price(measured, costs, seen),
        "On which data?": _data(measured),
    }
    return pd.DataFrame({"question": rows.keys(), "answer": rows.values()})


def _unknown(advice: Advice, measured: Measured) -> str:
    """How many of the ways to judge less are no plan, as their bias is not known."""
    if not advice.unknown:
        return ""
    cells = f"{advice.unknown} of {len(measured.cells)} depths and numbers of opinions"
    return f" Left out: {cells}, whose bias these queries cannot show."


def _first(advice: Advice, cut: str) -> str:
    best = advice.best
    doing = what_to_do(best)
    said = f"{doing[0].upper()}{doing[1:]}; you will see differences of {number(best['detectable'])} {cut}"
    usual = advice.rules[advice.rules["rule"] == habits.USUAL]
    if usual.empty:
        return f"{said}. The usual 50 queries to depth 20 cost more than that."
    row = usual.iloc[0]
    return f"{said}; with the usual 50 queries to depth {row['depth']} you would see {number(row['detectable'])}."


def _price(measured: Measured, costs: Costs, seen: float) -> str:
    """The cheapest plan that sees a difference, or the reason why there is none."""
    try:
        plan = needed(measured, costs, seen)
    except ValueError as error:
        return f"This pilot cannot tell: {error}."
    known = not math.isnan(plan["cost_low"])
    ends = f"{plan['cost_low']:,.0f} to {plan['cost_high']:,.0f}" if known else "how sure that is cannot be told"
    return f"{plan['cost']:,.0f} ({ends}): {what_to_do(plan)}."


def _machine(advice: Advice) -> str:
    rho = advice.best["rho"]
    if math.isnan(rho):
        return "The pilot has no machine's labels, so that this cannot be told."
    plans = advice.plans.groupby("who")["reach"].min()
    if MACHINE not in plans:
        return f"No: its differences correlate with people's at {number(rho)}, too little for its price."
    larger = plans[MACHINE] / plans["people"] - 1
    if larger < 0:
        return f"Yes: a machine first sees {share(-larger)} smaller differences than people alone."
    return f"No: by the best plan with a machine first the smallest difference seen is {share(larger)} larger."


def _worse(advice: Advice) -> str:
    if advice.rules.empty:
        return "None of them can be followed with this budget."
    ordered = advice.rules.sort_values("worse")
    best, worst = ordered.iloc[0], ordered.iloc[-1]
    return (
        f"The best, {best['rule']}, sees differences {share(best['worse'])} larger, bias included; the worst, "
        f"{worst['rule']}, {share(worst['worse'])}."
    )


def _data(measured: Measured) -> str:
    single = "" if measured.judges > 1 else "Nobody judged what another did: only single opinions are planned."
    return " ".join([f"{measured.name}, {measured.n_queries} queries.", *measured.notes, *filter(None, [single])])
