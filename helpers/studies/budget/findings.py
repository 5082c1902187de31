"""What study 5 found, in sentences computed from its tables."""

from __future__ import annotations

import math

import pandas as pd

from helpers.reporting.answers import counted, interval, listed, number, share, signed
from helpers.studies.budget.costs import Costs
from helpers.studies.budget.habits import ADVICE, USUAL
from helpers.studies.budget.plans import MACHINE, Advice, needed
from helpers.studies.budget.resampling import Measured, between_and_judge
from helpers.studies.budget.rules import NOT_ASKED
from helpers.studies.budget.tables import PRICES
from helpers.studies.budget.training import MACHINE as LABELS_OF_A_MACHINE

_COUNTS = {1: "one person", 2: "two people", 3: "three people", 5: "five people"}


def what_to_do(plan: pd.Series) -> str:
    """A plan as an instruction."""
    people = _COUNTS.get(plan["opinions"], f"{plan['opinions']} people")
    depth = f"queries to depth {plan['depth']}"
    judged = f"judge {plan['queries']:,} {depth} with {people} each"
    if plan["who"] != MACHINE:
        return judged
    return f"let the machine judge {plan['machine_queries']:,} {depth}, and {judged} among them"


def text(report: pd.DataFrame) -> str:
    """The report as lines for a terminal."""
    return "".join(f"{row.question} {row.answer}\n" for row in report.itertuples())


def measuring(advice: Advice, costs: Costs, seen: float, measured: Measured, budget: float) -> pd.DataFrame:
    """The answer to somebody who measures: frame question, answer."""
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
    usual = advice.rules[advice.rules["rule"] == USUAL]
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


def training(best: pd.DataFrame, losses: pd.DataFrame, regrets: pd.DataFrame, budget: float) -> pd.DataFrame:
    """The answer to somebody who trains: frame question, answer."""
    rows = {
        f"How to spend {budget:,.0f}?": best_to_train(best),
        "How sure is that?": how_sure(best),
        "Does a machine pay?": machine_to_train(best),
        "What do rules of thumb lose?": rule_losses(losses),
        "How good is the advice?": advice_against_rules(regrets),
        "On which data?": f"Stored runs on {listed(best['collection'].unique())}.",
    }
    return pd.DataFrame({"question": rows.keys(), "answer": rows.values()})


def best_to_train(best: pd.DataFrame, fitted: int = 0) -> str:
    """What is bought at best, in the median of rankers and collections, of how many, and how far they lie apart."""
    if best.empty:
        return "No collection was run with such a budget."
    middle, depths = best[["queries", "depth"]].median(), best["depth"]
    surfaces = counted(len(best), "surface") if fitted <= len(best) else f"{len(best)} of {fitted} surfaces"
    return (
        f"The median of {surfaces}, each of a ranker and a collection, is best at "
        f"{counted(round(middle['queries']), 'query', 'queries')} to depth {middle['depth']:.0f}; the best depth is "
        f"{depths.min():.0f} to {depths.max():.0f}."
    )


def how_sure(best: pd.DataFrame) -> str:
    """How far a surface tells depths apart: in the median, the deepest over the shallowest that may be the best."""
    if best.empty:
        return "No collection was run with such a budget."
    factor = (best["deepest"] / best["shallowest"]).median()
    if factor < 1.05:
        return "In the median surface one depth is the best in nearly all draws."
    return f"In the median surface the best depth is known to a factor of {factor:.1f}."


def machine_to_train(best: pd.DataFrame) -> str:
    """On how many surfaces a machine's labels are the best buy."""
    machine = best[best["who"] == LABELS_OF_A_MACHINE]
    if machine.empty:
        return f"On none of {counted(len(best), 'surface')}: people's labels train better for the money."
    cost = machine["cost"].median()
    return (
        f"On {len(machine)} of {counted(len(best), 'surface')} a machine's labels train best, for {cost:,.0f} in the "
        "median. What a ranker keeps with them was measured on whole collections (study 3)."
    )


def rule_losses(losses: pd.DataFrame) -> str:
    """The rules of thumb that lose least and most against the best allocation, in the median over surfaces."""
    if losses.empty:
        return "None of them can be followed with this budget."
    middle = losses.groupby("rule")["loss"].median().sort_values()
    return (
        f"In the median the least is lost by *{middle.index[0]}*, {number(middle.iloc[0])} nDCG, the most by "
        f"*{middle.index[-1]}*, {number(middle.iloc[-1])}."
    )


def advice_against_rules(regrets: pd.DataFrame) -> str:
    """Whether advice from other collections does better than the best rule of thumb."""
    table = regrets.set_index("rule")
    advice = table.loc[ADVICE]
    others = table.drop(index=ADVICE)
    best = others[others["collections"] == others["collections"].max()].sort_values("regret", kind="stable").iloc[0]
    better, worse = best["more_low"] > 0, best["more_high"] < 0
    said = "better" if better else "worse" if worse else "no better"
    return (
        f"Chosen on other collections and trained for on the one left out, the advice loses {number(advice['regret'])} "
        f"nDCG@10 ({interval(advice['low'], advice['high'])}, {counted(int(advice['collections']), 'collection')}) "
        f"against the best depth, the best rule of thumb, *{best.name}*, {number(best['regret'])}: the "
        f"advice is {said} than the rule ({signed(best['more'])}, {interval(best['more_low'], best['more_high'])})."
    )


def machine_on_pairs(pairs: pd.DataFrame) -> str:
    """What a machine saves, over all pairs of systems: frame first, second, rho, below, reversed."""
    low, middle, high = pairs["rho"].quantile([0.05, 0.5, 0.95])
    few = (pairs["rho"] ** 2 <= 0.5).mean()
    alike = math.comb(len({*pairs["first"], *pairs["second"]}), 2) - len(pairs)
    left_out = f" Left out: {counted(alike, 'pair')} of systems that never differ." if alike else ""
    return (
        f"Over {len(pairs):,} pairs of systems the differences by the machine and by people correlate at "
        f"{number(middle)} in the median ({number(low)} to {number(high)} in nine of ten). A free machine still leaves "
        f"{share(1 - middle**2)} of people's queries to be judged in the median pair, and half or more for "
        f"{share(few)} of the pairs. By the machine alone {pairs['reversed'].sum():,} pairs come out the other way."
        f"{left_out}"
    )


def machine_price(pairs: pd.DataFrame, ratio: float) -> str:
    """For how many pairs of systems a machine pays at its price, a share of a person's, and at which for half."""
    return (
        f"At {100 * ratio:.3g} % of a person's price a machine judge pays for {(pairs['below'] > ratio).sum():,} of "
        f"{len(pairs):,} pairs of systems, at {share(pairs['below'].median())} for half of them"
    )


def depth_worth(worth: pd.DataFrame, depth: int) -> str:
    """What a query judged to a depth is worth on each pilot, as a share of one judged whole: frame of the table."""
    there = worth[worth["depth"] == depth]
    said = ", ".join(f"{share(row.worth)} on {row.collection}" for row in there.itertuples())
    others = worth["collection"].nunique() - len(there)
    left_out = f"; {counted(others, 'pilot is', 'pilots are')} not judged to it" if others else ""
    return f"At depth {depth} a query is worth {said} of one judged whole{left_out}"


def depth_bias(rows: pd.DataFrame, depths: tuple[int, ...]) -> str:
    """What judging less deep does to differences of systems."""
    middle = rows["whole"].abs().groupby(rows["depth"]).median().iloc[0]
    sizes = rows["bias"].abs().groupby(rows["depth"]).median()
    said = ", ".join(f"{number(sizes[depth])} at depth {depth}" for depth in depths)
    pairs = len(rows[["first", "second"]].drop_duplicates())
    return (
        f"Over {pairs} random pairs of systems, {number(middle)} apart in the median, the bias is {said} in the median."
    )


def both_goals(table: pd.DataFrame) -> str:
    """How much deeper the median surface is trained than any pilot is measured, over prices that have both."""
    both = table.groupby(["cost", "goal"])["depth"].agg(["min", "max"]).unstack()
    prices = len(both)
    if not {"train", "measure"} <= set(table["goal"]) or (both := both.dropna()).empty:
        return "No collection was run with such a budget, so that the goals cannot be compared."
    low, high = both["min"], both["max"]
    deeper = (low["train"] > high["measure"]).sum()
    alone, beyond = prices - len(both), sum(price > table["cost"].max() for price in PRICES)
    left_out = f". {counted(alone, 'price has', 'prices have')} one goal only" if alone else ""
    left_out += f". For {counted(beyond, 'higher price', 'higher prices')} the budget is too small." if beyond else ""
    return (
        f"At {deeper} of {len(both)} prices of a query the median surface is trained deeper than any pilot is "
        f"measured: {low['train'].min():.0f} to {high['train'].max():.0f} documents against "
        f"{low['measure'].min():.0f} to {high['measure'].max():.0f}{left_out}"
    )


def coverage(rates: pd.DataFrame) -> str:
    """How often the spread of queries held out lies where the interval says."""
    worst = rates.loc[rates["covered"].idxmin()]
    return (
        f"Of queries held out the spread lies within 95 % intervals in {share(rates['covered'].min())} to "
        f"{share(rates['covered'].max())} of the parts, least on {worst['collection']} with {worst['queries']} queries."
    )


def opinions(measured: Measured) -> str:
    """What judges add to the variance of single opinions."""
    if measured.judges < 2:
        return f"{measured.name}: nobody judged what another did, so that what judges add cannot be told."
    between, judge = between_and_judge(measured.cell(measured.docs), measured.judges)
    return (
        f"{measured.name}: of the variance of single opinions {share(judge / (between + judge))} comes from the judge."
    )


def not_asked(table: pd.DataFrame) -> str:
    """Which rules ask for what no two judges of a collection have."""
    left = table[table["verdict"] == NOT_ASKED]
    if left.empty:
        return "All rules could be asked on each collection that has what they speak of."
    said = [f"*{rule}* on {listed(rows['collection'])}" for rule, rows in left.groupby("rule")]
    return f"Not asked, as no two judges agree so well: {listed(said)}."


def habit_losses(lost: pd.DataFrame) -> str:
    """How much larger differences the best and the worst rule of thumb see, in the median of the collections.

    Of the rules that most collections can follow, as medians of others are of fewer.
    """
    if lost.empty:
        return "No rule of thumb can be followed with this budget"
    found = lost.groupby("rule")["worse"].agg(["median", "size"])
    most = found["size"].max()
    middle = found.loc[found["size"] == most, "median"]
    return (
        f"In the median of {counted(most, 'collection')} {middle.idxmin()} sees {share(middle.min())} larger "
        f"differences, {middle.idxmax()} {share(middle.max())}"
    )
