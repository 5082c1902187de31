"""What the tables of study 6 say, a sentence or two for each question, true for any data."""

from __future__ import annotations

import pandas as pd

from helpers.studies.judgments.asked import Answers
from helpers.studies.judgments.findings._agreeing import agreement, confused, here, splits, wrong
from helpers.studies.judgments.findings._standing import corrected, replacing, tested
from helpers.studies.judgments.findings._worth import FIFTH, asking, best, closed, rules

__all__ = [
    "FIFTH",
    "FIRST",
    "agreement",
    "asking",
    "best",
    "closed",
    "confused",
    "corrected",
    "replacing",
    "report",
    "rules",
    "splits",
    "tested",
]

FIRST = (
    "What is wrong with it?",
    "Do the judges agree?",
    "Can one replace another?",
    "What is the best possible?",
    "What to do with several labels?",
    "Whom to ask again?",
)
"""Questions of the report that stand at the beginning; the others stand where they belong."""


def report(answers: Answers, cutoff: int, epsilon: float, data: str) -> pd.DataFrame:
    """The answers in ten lines: frame question, answer.

    Parameters
    ----------
    answers : of `asked.answers`
    cutoff, epsilon : of nDCG and of the alternative annotator test, with which these were computed
    data : what to call the judgments
    """
    rows = [
        ("What is here?", f"{data}: {here(answers)}"),
        ("What is wrong with it?", wrong(answers)),
        ("Do the judges agree?", agreement(answers)),
        ("Where do they differ?", f"{splits(answers)} {confused(answers)}"),
        ("Can one replace another?", replacing(answers, cutoff)),
        ("Does a test say so?", tested(answers, epsilon)),
        ("Is a score by its labels right?", corrected(answers)),
        ("What is the best possible?", best(answers, cutoff)),
        ("What to do with several labels?", rules(answers)),
        ("Whom to ask again?", asking(answers, cutoff)),
    ]
    return pd.DataFrame(rows, columns=["question", "answer"])
