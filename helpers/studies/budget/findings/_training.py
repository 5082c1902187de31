"""What somebody who trains is told: how to spend a budget on labels to learn from."""

from __future__ import annotations

import pandas as pd

from helpers.reporting.answers import counted, interval, listed, number, signed
from helpers.studies.budget import allocations
from helpers.studies.budget.allocations import ADVICE


def training(best: pd.DataFrame, losses: pd.DataFrame, regrets: pd.DataFrame, budget: float) -> pd.DataFrame:
    """The answer to somebody who trains: frame question, answer.

    Parameters
    ----------
    best : frame of `training.bests`; no row where the budget was not run
    losses : frame of `training.losses`
    regrets : of `held_out.regret_table`
    budget : that is spent
    """
    rows = {
        f"How to spend {budget:,.0f}?": best_to_train(best),
        "How sure is that?": how_sure(best),
        "Does a machine pay?": machine_to_train(best),
        "What do rules of thumb lose?": rule_losses(losses),
        "How good is the advice?": advice_against_rules(regrets),
        "On which data?": f"Stored runs on {listed(best['collection'].unique())}.",
    }
    return pd.DataFrame({"question": rows.keys(), "answer": rows.values()})


def best_to_train(best: pd.DataFrame) -> str:
    """What is bought at best, in the median of rankers and collections, and how far they lie apart.

    Parameters
    ----------
    best : frame of `training.bests`
    """
    if best.empty:
        return "No collection was run with such a budget."
    middle, depths = best[["queries", "depth"]].median(), best["depth"]
    return (
        f"In the median of {counted(len(best), 'surface')}, each of a ranker and a collection, "
        f"{counted(round(middle['queries']), 'query', 'queries')} to depth {middle['depth']:.0f}; the best depth is "
        f"{depths.min():.0f} to {depths.max():.0f}."
    )


def how_sure(best: pd.DataFrame) -> str:
    """How far a surface tells depths apart: in the median, the deepest over the shallowest that may be the best.

    Parameters
    ----------
    best : frame of `training.bests`
    """
    if best.empty:
        return "No collection was run with such a budget."
    factor = (best["deepest"] / best["shallowest"]).median()
    if factor < 1.05:
        return "In the median surface one depth is the best in nearly all draws."
    return f"In the median surface the best depth is known to a factor of {factor:.1f}."


def machine_to_train(best: pd.DataFrame) -> str:
    """On how many surfaces a machine's labels are the best buy.

    Parameters
    ----------
    best : frame of `training.bests`
    """
    machine = best[best["who"] == allocations.MACHINE]
    if machine.empty:
        return f"On none of {counted(len(best), 'surface')}: people's labels train better for the money."
    cost = machine["cost"].median()
    return (
        f"On {len(machine)} of {counted(len(best), 'surface')} a machine's labels train best, for {cost:,.0f} in the "
        "median. What a ranker keeps with them was measured on whole collections (study 3)."
    )


def rule_losses(losses: pd.DataFrame) -> str:
    """The rules of thumb that lose least and most against the best allocation, in the median over surfaces.

    Parameters
    ----------
    losses : frame of `training.losses`
    """
    if losses.empty:
        return "None of them can be followed with this budget."
    middle = losses.groupby("rule")["loss"].median().sort_values()
    return (
        f"In the median the least is lost by *{middle.index[0]}*, {number(middle.iloc[0])} nDCG, the most by "
        f"*{middle.index[-1]}*, {number(middle.iloc[-1])}."
    )


def advice_against_rules(regrets: pd.DataFrame) -> str:
    """Whether advice from other collections does better than the best rule of thumb.

    Parameters
    ----------
    regrets : of `held_out.regret_table`
    """
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
