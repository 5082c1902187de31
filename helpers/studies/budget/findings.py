"""What study 5 found, in sentences computed from the frames that are drawn."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from helpers.metrics import power
from helpers.reporting.answers import counted, interval, number, share, signed
from helpers.studies.budget.plans import MACHINE
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


def answer(rows: pd.DataFrame, measured: Measured) -> str:
    """What to do with the budget, what it sees, and what judging less does to it: of the frame of three budgets."""
    half, best, twice = (row for _, row in rows.sort_values("budget").iterrows())
    doing, cut = what_to_do(best), f"nDCG@{measured.cutoff}"
    return (
        f"**{doing[0].upper()}{doing[1:]}.** For {best['budget']:,.0f} you then see a difference of "
        f"{number(best['seen'])} {cut} ({interval(best['low'], best['high'])}) with power .8; for half of it "
        f"{number(half['seen'])}, for twice of it {number(twice['seen'])}. Judging no deeper shifts differences by "
        f"{number(best['bias'])} ({interval(best['bias_low'], best['bias_high'])}). {_machine(best)}"
    )


def _machine(best: pd.Series) -> str:
    if math.isnan(best["rho"]):
        return "Whether a machine pays is not known: the pilot has no labels of one."
    return (
        "A machine that judges first pays." if best["who"] == MACHINE else "A machine that judges first does not pay."
    )


def budgets(rows: pd.DataFrame) -> pd.DataFrame:
    """The frame of three budgets as texts, a column each."""
    texts = {
        f"{row['budget']:,.0f}": {
            "queries that people judge": f"{row['queries']:,}",
            "to depth": f"{row['depth']}",
            "people a document": f"{row['opinions']}",
            "queries of a machine": f"{row['machine_queries']:,}" if row["machine_queries"] else "none",
            "difference seen": f"{number(row['seen'])} ({interval(row['low'], row['high'])})",
            "costs": f"{row['cost']:,.0f}",
        }
        for _, row in rows.sort_values("budget").iterrows()
    }
    return pd.DataFrame(texts).rename_axis("for").reset_index()


def seen_by_budget(rows: pd.DataFrame) -> str:
    """What half and twice the budget see."""
    half, this, twice = rows.sort_values("budget")["seen"]
    return f"This budget sees {number(this)}, half of it {number(half)}, twice of it {number(twice)}"


def worlds(found: np.ndarray, seen: np.ndarray, true: float, spread: float, queries: int) -> str:
    """In how many worlds a difference is seen, and how many of them the formula expects."""
    return (
        f"{queries} queries see a difference of {number(true)} in {share(seen.mean())} of {len(found):,} worlds; "
        f"by the formula {share(power.power(true, spread, queries))}"
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
