"""What study 5 found, in sentences computed from the frames that are drawn."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from helpers.metrics import power
from helpers.reporting.answers import counted, interval, listed, number, share, signed
from helpers.reporting.figures.budget import BAND, PROMISED, STRICT
from helpers.studies.budget.plans import MACHINE, Advice
from helpers.studies.budget.promise import FEW, NO_GAIN
from helpers.studies.budget.resampling import Measured
from helpers.studies.budget.stored import ADVICE
from helpers.studies.budget.tables import FLAT, TWICE

_COUNTS = {1: "one person", 2: "two people", 3: "three people", 5: "five people"}


def what_to_do(plan: pd.Series) -> str:
    """A plan as an instruction."""
    people = _COUNTS.get(plan["opinions"], f"{plan['opinions']} people")
    depth = f"queries to depth {plan['depth']}"
    judged = f"judge {plan['queries']:,} {depth} with {people} each"
    if plan["who"] != MACHINE:
        return judged
    return f"let the machine judge {plan['machine_queries']:,} {depth}, and {judged} among them"


def answer(three: pd.DataFrame, advice: Advice, budget: float, measured: Measured) -> str:
    """What to do with a budget, what is seen by it, and what judging less does to it: of the frame of three budgets."""
    best = advice.best
    doing = what_to_do(best)
    why = {FEW: f": a pilot of {measured.n_queries} queries cannot tell more", NO_GAIN: ": the pilot cannot tell more"}
    seen = three.set_index("budget")["seen"].reindex([budget / 2, 2 * budget])
    others = [f"{said} {number(value)}" for said, value in zip(("half of it sees", "twice of it"), seen, strict=True)]
    others = [said for said, value in zip(others, seen, strict=True) if not math.isnan(value)]
    return (
        f"**{doing[0].upper()}{doing[1:]}{why.get(advice.why, '')}.** For {budget:,.0f} you then see a difference of "
        f"{number(best['seen'])} nDCG@{measured.cutoff} ({interval(best['low'], best['high'])}) with power .8; "
        f"{', '.join(others)}. "
        f"{_apart(advice, len(measured.pairs))} Judging no deeper shifts a difference by {signed(best['bias'])} "
        f"({interval(best['bias_low'], best['bias_high'])}). {_machine(advice)} The pilot: "
        f"{measured.n_queries} queries of {measured.name}."
    )


def _apart(advice: Advice, pairs: int) -> str:
    """How many pairs of runs lie so far apart that the plan sees it."""
    if pairs == 1:
        return f"In the pilot the two runs lie {'' if advice.apart else 'less than '}that far apart."
    return f"In the pilot {round(advice.apart * pairs) or 'none'} of {pairs} pairs of runs lie that far apart."


def _machine(advice: Advice) -> str:
    """Whether a machine that judges first pays."""
    rho = advice.best["rho"]
    if math.isnan(rho):
        return "Whether a machine pays is not known: the pilot has no labels of one."
    said = f"A machine that judges first {'pays' if advice.best['who'] == MACHINE else 'does not pay'}"
    if advice.why:
        said = "Whether a machine that judges first pays, the pilot cannot tell"
    return f"{said}; its differences correlate with people's at {number(rho, 2)}."


def left_out(advice: Advice, measured: Measured) -> list[str]:
    """How many of the ways to judge are no plan, as the pilot cannot know what they see."""
    if not advice.unknown:
        return []
    cells = f"{advice.unknown} of {len(measured.depths)} depths and numbers of people"
    return [f"Left out: {cells}, of which these queries cannot show what is seen."]


def budgets(three: pd.DataFrame) -> pd.DataFrame:
    """The frame of three budgets as texts, a column each; a machine has a row where it judges alone for one of them."""
    texts = {
        f"{row['budget']:,.0f}": {
            "queries to judge": f"{row['queries']:,}",
            "depth": f"{row['depth']}",
            "people each": f"{row['opinions']}",
            "by a machine alone": share(row["machine"]) if row["machine"] else "none",
            "difference seen": f"{number(row['seen'])} ({interval(row['low'], row['high'])})",
            "shifted by judging no deeper": signed(row["bias"]),
            "costs": f"{row['cost']:,.0f}",
        }
        for _, row in three.sort_values("budget").iterrows()
    }
    unused = [] if three["machine"].any() else ["by a machine alone"]
    return pd.DataFrame(texts).drop(index=unused).rename_axis("budget").reset_index()


def seen_by_budget(curve: pd.DataFrame, budget: float) -> str:
    """What is seen by this budget, and by the least and the most that are drawn."""
    seen = curve.set_index("budget")["seen"].sort_index()
    return (
        f"{budget:,.0f} sees a difference of {number(seen[budget])}, {seen.index[0]:,.0f} {number(seen.iloc[0])} and "
        f"{seen.index[-1]:,.0f} {number(seen.iloc[-1])}"
    )


def worlds(found: np.ndarray, seen: np.ndarray, true: float, spread: float, queries: int) -> str:
    """In how many worlds a difference is seen, and how many of them the formula expects."""
    return (
        f"{queries} queries see a difference of {number(true)} in {share(seen.mean())} of {len(found):,} worlds; "
        f"by the formula {share(power.power(true, spread, queries))}"
    )


def promised(rows: pd.DataFrame) -> str:
    """The power that plans keep on pairs held back, corrected and as they were chosen."""
    ends = rows[rows["held"] & (rows["what"] == "power")].groupby("how")["kept"].agg(["min", "max"])
    said = {how: f"{number(low, 2)} to {number(high, 2)} {how}" for how, low, high in ends.itertuples()}
    return f"Promised is a power of {number(PROMISED['power'], 2)}; kept are {said['corrected']}, {said['as chosen']}"


def wanted(rows: pd.DataFrame) -> list[str]:
    """Which kinds of pilots held back keep the bands that were wanted of a corrected plan, and what its price is."""
    held = rows[rows["held"] & (rows["how"] == "corrected")].set_index("what")[["name", "kept", "low", "high"]]
    cost = held.loc[["cost"], "kept"]
    return [
        f"Wanted of power are {number(PROMISED['power'], 2)} in its interval and "
        f"{_kept(held, 'power', 'on queries drawn anew', 'drawn without replacement')}.",
        "Wanted of the share of intervals that hold the truth are "
        f"{_kept(held, 'cover', 'counting the error of the truth', 'as if it had none')}.",
        f"What a difference of .05 is told to cost is {number(cost.min(), 2)} to {number(cost.max(), 2)} times the "
        "cheapest true price, in the medians.",
    ]


def _kept(held: pd.DataFrame, what: str, usual: str, strict: str) -> str:
    """The band that was wanted, and how many kinds of pilots keep it, as the bench measures it and strictly."""
    (low, high), said = BAND[what], []
    for measure, how in ((what, usual), (STRICT[what], f"strictly, {strict}")):
        own = held.loc[[measure]]
        beside = (what == "power") & ((own["low"] > PROMISED[what]) | (own["high"] < PROMISED[what]))
        missed = own[~own["kept"].between(low, high) | beside]
        off = listed(f"{row.name} ({number(row.kept)})" for row in missed.itertuples(index=False))
        said.append(f"{how}, {len(own) - len(missed)} of {len(own)}{f', not {off}' * bool(len(missed))}")
    return f"{number(low, 2)} to {number(high, 2)}. Of kinds of pilots held back it is kept: {'; '.join(said)}"


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


def training(regrets: pd.DataFrame) -> str:
    """The rule to train, what it loses, and whether advice from other collections does better."""
    table = regrets.set_index("rule")
    advice, rule = table.loc[ADVICE], table.loc[TWICE]
    better, worse = rule["more_low"] > 0, rule["more_high"] < 0
    said = "better" if better else "worse" if worse else "no better"
    return (
        f"**To train, judge to twice the depth of the page**: so chosen, a ranker loses {number(rule['regret'])} "
        f"nDCG@10 ({interval(rule['low'], rule['high'])}, {counted(int(rule['collections']), 'collection')}) against "
        f"the best depth for the same money; advice computed from other collections loses {number(advice['regret'])} "
        f"({interval(advice['low'], advice['high'])}) and is {said}, {signed(rule['more'])} "
        f"({interval(rule['more_low'], rule['more_high'])})."
    )


def trained(rows: pd.DataFrame) -> str:
    """How much the lines vary from a page's depth on, in the median, and how many of them have a ring."""
    deep = rows[rows["depth"] >= FLAT]
    spans = deep.groupby(["collection", "share"])["ndcg"].agg(np.ptp)
    return (
        f"From {FLAT} documents a query on, the median of {len(spans)} lines varies by {number(spans.median())} "
        f"nDCG@10, the least by {number(spans.min())}, the most by {number(spans.max())}"
    )
