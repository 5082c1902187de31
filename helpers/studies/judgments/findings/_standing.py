"""Whether one judge can stand for another, and a score by the labels of one for a score by those of all."""

from __future__ import annotations

import math

import pandas as pd

from helpers.judging.alternative import JUDGES
from helpers.reporting.answers import counted, number, share, signed
from helpers.studies.judgments.asked import Answers
from helpers.studies.judgments.findings._said import FEW, NO_OVERLAP, between


def replacing(answers: Answers, cutoff: int) -> str:
    """Whether a judge can stand for another, a sentence that a manager can read.

    Parameters
    ----------
    answers : of `asked.answers`
    cutoff : of nDCG, with which these were computed
    """
    table = answers.replacements
    if table.empty:
        return f"{NO_OVERLAP}, so no judge can be held against another."
    row = _looked_at(table)
    judge = row["judge"]
    text = (
        f"A ranking that is perfect for {judge} reaches {number(row['reached'])}{between(row, 'low', 'high')} "
        f"of the best nDCG@{cutoff} with {'the' if row['model'] else 'the other'} people"
    )
    if math.isnan(row["difference"]):
        return f"{text}; whether that is little cannot be said, as there are no two other people to compare with."
    end = f"; rankings by those people reach {number(row['others'])}, a difference of {signed(row['difference'])}"
    end += between(row, "difference_low", "difference_high")
    return f"{text}{end}: {_verdict(row, judge)}."


def tested(answers: Answers, epsilon: float) -> str:
    """What the alternative annotator test says.

    Parameters
    ----------
    answers : of `asked.answers`
    epsilon : tolerance of the test, with which these were computed
    """
    table = answers.replacements.dropna(subset="winning_rate")
    if table.empty:
        return "The alternative annotator test needs documents that three judged: there are too few."
    passed, few = int(table["passes"].sum()), bool(table["held_against"].min() < JUDGES)
    of = counted(len(table), "judge")
    row = _looked_at(table)
    text = (
        f"The alternative annotator test, tolerance {epsilon:g}, is passed by {passed} of {of}; "
        f"{row['judge']} has the winning rate {number(row['winning_rate'], 2)} and is at least as good as the one left "
        f"out in {share(row['advantage'])} of the documents"
    )
    return f"{text}{' (the paper asks for three others, here some have fewer)' if few else ''}."


def corrected(answers: Answers) -> str:
    """The bias of a score by one judge's labels, and what its correction needs, by the tables of `answers`."""
    table = answers.corrected[answers.corrected["n"] >= FEW]
    if table.empty:
        return f"Fewer than {FEW} queries were judged by two people, so the bias of a score cannot be measured."
    judged = table.merge(answers.replacements[["judge", "model", "difference", "reached"]], on="judge", how="inner")
    row = _looked_at(judged) if len(judged) else table.iloc[0]
    text = (
        f"A score by the labels of {row['judge']} is off by {signed(row['bias'])}"
        f"{between(row, 'bias_low', 'bias_high')} against the others' labels"
    )
    if math.isnan(row["rho"]):
        return f"{text}; its queries do not vary, so that it corrects nothing."
    return (
        f"{text}; corrected on the {row['n']:.0f} queries that people judged too it is {number(row['estimate'])} ± "
        f"{number(row['high'] - row['estimate'])} (correlation {number(row['rho'], 2)}: were its labels free, people "
        f"would still judge {share(1 - row['rho'] ** 2)} of the queries that they need alone)."
    )


def _looked_at(table: pd.DataFrame) -> pd.Series:
    """The model that does worst, or where there is none the judge who does."""
    chosen = table[table["model"].astype(bool)]
    chosen = table if chosen.empty else chosen
    return chosen.sort_values(["difference", "reached"], kind="stable").iloc[0]


def _verdict(row: pd.Series, judge: str) -> str:
    if row["difference_high"] < 0:
        return f"{judge} is worse than one of them"
    if row["difference_low"] > 0:
        return f"{judge} is better than one of them"
    if math.isnan(row["difference_low"]):
        return "of one query, so that nothing is shown"
    return f"no loss from replacing one of them by {judge} is shown"
