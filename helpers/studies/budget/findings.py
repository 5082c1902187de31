"""What study 5 found, in sentences computed from its tables."""

from __future__ import annotations

import math

import pandas as pd

from helpers.reporting.answers import listed, number
from helpers.studies.budget import habits, rules
from helpers.studies.budget.plans import MACHINE, Advice
from helpers.studies.budget.resampling import Measured
from helpers.studies.budget.spread import between_and_judge, spread

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


def measuring(advice: Advice, needed: pd.Series, seen: float, measured: Measured, budget: float) -> pd.DataFrame:
    """The answer to somebody who measures: frame question, answer.

    Parameters
    ----------
    advice : for the budget
    needed : the cheapest plan that sees the difference `seen`
    seen : a difference
    measured : the pilot
    budget : that is spent
    """
    best, cut = advice.best, f"nDCG@{measured.cutoff}"
    rows = {
        f"How to spend {budget:,.0f}?": _first(advice, cut),
        "How sure is that?": (
            f"From {measured.n_queries} queries: {number(best['low'])} to {number(best['high'])}, and a bias of "
            f"{number(best['bias'])} ({number(best['bias_low'])} to {number(best['bias_high'])}) by judging less."
        ),
        "Does a machine pay?": _machine(advice),
        "What do rules of thumb lose?": _worse(advice),
        f"What does a difference of {number(seen)} cost?": (
            f"{needed['cost']:,.0f} ({needed['cost_low']:,.0f} to {needed['cost_high']:,.0f}): {what_to_do(needed)}."
        ),
        "On which data?": f"{measured.name}, {measured.n_queries} queries.{_single(measured)}",
    }
    return pd.DataFrame({"question": rows.keys(), "answer": rows.values()})


def training(best: pd.DataFrame, regrets: pd.DataFrame, budget: float) -> pd.DataFrame:
    """The answer to somebody who trains: frame question, answer.

    Parameters
    ----------
    best : frame ranker, collection and what `surfaces.best` says; no row where the budget was not run
    regrets : of `surfaces.regret_table`
    budget : that is spent
    """
    where = "; ".join(
        f"{row.ranker} on {row.collection}: {row.queries:.0f} queries to depth {row.depth:.0f} "
        f"({row.shallowest:.0f} to {row.deepest:.0f}), nDCG@10 {number(row.ndcg)}"
        for row in best.itertuples()
    )
    rows = {
        f"How to spend {budget:,.0f}?": (where and f"{where}.") or "No collection was run with such a budget.",
        "How good is the advice?": advice_against_rules(regrets),
        "On which data?": "The stored runs of study 4 on real collections.",
    }
    return pd.DataFrame({"question": rows.keys(), "answer": rows.values()})


def advice_against_rules(regrets: pd.DataFrame) -> str:
    """Whether advice from other collections does better than the best rule of thumb.

    Parameters
    ----------
    regrets : of `surfaces.regret_table`
    """
    table = regrets.set_index("rule")
    advice = table.loc["advice"]
    best = table.drop(index="advice").iloc[0]
    better, worse = best["saved_low"] > 0, best["saved_high"] < 0
    said = "better" if better else "worse" if worse else "no better"
    return (
        f"Chosen on other collections, the advice loses {number(advice['regret'])} nDCG@10 ({number(advice['low'])} to "
        f"{number(advice['high'])}), the best rule of thumb, {best.name}, {number(best['regret'])}: it is {said} "
        "than the rule."
    )


def rule_counts(table: pd.DataFrame) -> str:
    """How the rules of thumb fared on real collections.

    Parameters
    ----------
    table : of `rules.table`
    """
    asked = table[table["verdict"].isin([rules.HOLDS, rules.FAILS, rules.UNDECIDED])]
    counts = asked.groupby("rule")["verdict"].agg(lambda said: set(said))
    everywhere = [rule for rule, said in counts.items() if said == {rules.HOLDS}]
    nowhere = [rule for rule, said in counts.items() if said == {rules.FAILS}]
    return (
        f"Rules of thumb that hold wherever they were asked: {_emphasised(everywhere)}. That hold nowhere: "
        f"{_emphasised(nowhere)}. "
        f"The other {len(counts) - len(everywhere) - len(nowhere)} depend on the collection or are undecided."
    )


def machine_on_pairs(pairs: pd.DataFrame) -> str:
    """When a machine pays, over all pairs of systems: frame first, second, rho, below, reversed."""
    low, middle, high = pairs["rho"].quantile([0.05, 0.5, 0.95])
    share = pairs["below"].median()
    return (
        f"Over {len(pairs):,} pairs of systems the differences by the machine and by people correlate at "
        f"{number(middle)} in the median ({number(low)} to {number(high)} in nine of ten). A machine pays below "
        f"{share:.0%} of a person's price in the median pair; a free one still leaves {1 - middle**2:.0%} of people's "
        f"queries to be judged. By the machine alone {pairs['reversed'].sum():,} pairs come out the other way."
    )


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
        share = float(spread(whole).sd / spread(cell).sd) ** 2
        said.append(f"{share:.0%} on {name}")
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
    """How much deeper one trains than one measures, over prices of a query.

    Parameters
    ----------
    table : frame cost, goal, depth, of `tables.depths`
    """
    wide = table.groupby(["cost", "goal"])["depth"].median().unstack()
    deeper = (wide["train"] > wide["measure"]).sum()
    return (
        f"At {deeper} of {len(wide)} prices of a query the best depth to train is larger than that to measure: "
        f"{wide['train'].min():.0f} to {wide['train'].max():.0f} documents against {wide['measure'].min():.0f} to "
        f"{wide['measure'].max():.0f}."
    )


def coverage(rates: pd.DataFrame) -> str:
    """How often the spread of queries held out lies where the interval says.

    Parameters
    ----------
    rates : frame collection, queries, covered
    """
    worst = rates.loc[rates["covered"].idxmin()]
    return (
        f"Of queries held out the spread lies within 95 % intervals in {rates['covered'].min():.0%} to "
        f"{rates['covered'].max():.0%} of the halves, least on {worst['collection']} with {worst['queries']} queries."
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
    return f"{measured.name}: of the variance of single opinions {judge / (between + judge):.0%} comes from the judge."


def text(report: pd.DataFrame) -> str:
    """The report as lines for a terminal."""
    return "".join(f"{row.question} {row.answer}\n" for row in report.itertuples())


def _first(advice: Advice, cut: str) -> str:
    best = advice.best
    doing = what_to_do(best)
    said = f"{doing[0].upper()}{doing[1:]}; you will see differences of {number(best['detectable'])} {cut}"
    usual = advice.rules[advice.rules["rule"] == habits.USUAL]
    if usual.empty:
        return f"{said}. The usual 50 queries to depth 20 cost more than that."
    row = usual.iloc[0]
    return f"{said}; with the usual 50 queries to depth {row['depth']} you would see {number(row['detectable'])}."


def _machine(advice: Advice) -> str:
    rho = advice.best["rho"]
    if math.isnan(rho):
        return "The pilot has no machine's labels, so that this cannot be told."
    plans = advice.plans.groupby("who")["reach"].min()
    if MACHINE not in plans:
        return f"No: its differences correlate with people's at {number(rho)}, too little for its price."
    share = plans[MACHINE] / plans["people"] - 1
    if share < 0:
        return f"Yes: a machine first sees {-share:.0%} smaller differences than people alone."
    return f"No: by the best plan with a machine first the smallest difference seen is {share:.0%} larger."


def _worse(advice: Advice) -> str:
    if advice.rules.empty:
        return "None of them can be followed with this budget."
    ordered = advice.rules.sort_values("worse")
    best, worst = ordered.iloc[0], ordered.iloc[-1]
    return (
        f"The best, {best['rule']}, sees differences {best['worse']:.0%} larger, bias included; the worst, "
        f"{worst['rule']}, {worst['worse']:.0%}."
    )


def _single(measured: Measured) -> str:
    return "" if measured.judges > 1 else " Nobody judged what another did: only single opinions are planned."


def _emphasised(names: list[str]) -> str:
    return listed(f"*{name}*" for name in names)
