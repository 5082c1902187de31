"""What several labels are worth: the best that can be reached, what rules make of them, and whom to ask again."""

from __future__ import annotations

import math

import pandas as pd

from helpers.judging.aggregates import QUEPID
from helpers.reporting.answers import number, share
from helpers.studies.judgments.asked import Answers
from helpers.studies.judgments.findings._said import FEW, NO_OVERLAP, between

FIFTH = 0.2
"""Share of the labels of a hidden judge, of which a sentence speaks."""


def best(answers: Answers, cutoff: int) -> str:
    """The best that a ranker can reach, and which differences are none.

    Parameters
    ----------
    answers : of `asked.answers`
    cutoff : of nDCG, one of those in the table `best`
    """
    found = answers.best[answers.best["cutoff"] == cutoff]
    if found.empty:
        return f"{NO_OVERLAP} with a grade above 0, so no ceiling can be computed."
    row = found.iloc[0]
    text = f"A ranker perfect for one judge reaches nDCG@{cutoff} {number(row['ceiling'])}{between(row, 'low', 'high')}"
    text += " with another"
    if not math.isnan(row["predicted"]):
        text += f" ({number(row['predicted'])} if judges differed alike in all queries)"
    moved = threshold(answers)
    if math.isnan(moved):
        return f"{text}."
    return f"{text}; a difference of two rankers below {number(moved)} is within the judges' disagreement."


def threshold(answers: Answers) -> float:
    """How far the difference of two imagined rankings moves when another judge's labels score them: the median over
    judges of the 95 % quantile over rankings; NaN where no judge shares FEW queries with others.

    Parameters
    ----------
    answers : of `asked.answers`
    """
    return float(answers.made_up.loc[answers.made_up["queries"] >= FEW, "moved"].median())


def rules(answers: Answers) -> str:
    """What rules make of several labels, by the tables of `answers`."""
    table = answers.rules.set_index("rule")
    if table.empty:
        return f"{NO_OVERLAP}, so every rule gives the same grades."
    quepid, majority = table.loc[QUEPID], table.loc["majority"]
    spread = table["ndcg"].max() - table["ndcg"].min()
    text = (
        f"The rule decides: the {QUEPID} changes {share(quepid['changed'], 1)} of the grades of the majority and takes "
        f"the highest grade from {share(majority['highest'])} to {share(quepid['highest'])} of the documents"
    )
    return text + (
        f"; one ranking scores {number(spread)} higher or lower by the rule alone." if spread == spread else "."
    )


def asking(answers: Answers, cutoff: int) -> str:
    """Whom to ask again, and what that was worth when a judge was hidden.

    Parameters
    ----------
    answers : of `asked.answers`
    cutoff : of nDCG, with which these were computed
    """
    table = answers.ask_again
    worth = int((table["expected"] > 0).sum())
    if answers.unanimity.empty:
        return f"{NO_OVERLAP}, so it cannot be said whom to ask again."
    if not worth:
        return f"No single label more is expected to change nDCG@{cutoff}."
    first = table.head(max(len(table) // 10, 1))["expected"].sum() / table["expected"].sum()
    text = f"Ask again: a tenth of the documents holds {share(first)} of the expected change of nDCG@{cutoff}"
    means = closed(answers.hidden)
    if means.empty:
        return f"{text}."
    at = means.loc[FIFTH]
    return (
        f"{text}; with a judge hidden, a fifth of that judge's labels, chosen so, closed {share(at['chosen'])} of "
        f"the gap, a fifth at random {share(at['random'])}."
    )


def closed(table: pd.DataFrame) -> pd.DataFrame:
    """Means over hidden judges of the shares of the gap that are closed, weighed by their gaps: frame chosen, random,
    indexed by share; empty where no judge could be hidden.

    Parameters
    ----------
    table : of `asking.hidden`
    """
    weighed = table[["chosen", "random"]].mul(table["gap"], axis=0).assign(share=table["share"], gap=table["gap"])
    sums = weighed.groupby("share").sum()
    return sums[["chosen", "random"]].div(sums["gap"], axis=0)
