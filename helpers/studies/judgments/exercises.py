"""What notebook 06 says of the answers to its exercises: alone, as it is in every study."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from helpers.judging.judgments import is_model
from helpers.reporting.exercises import told

EQUAL, CHANCE = 0.9, 0.05**2 + 0.95**2
"""Of exercise 3: two judges who each call other 5 of 100 documents relevant."""

RHO = 0.6
"""Of exercise 5."""


def check_1(answer: Any) -> None:
    """Exercise 1: the nDCG that a ranking by a judge reaches with another who is one grade milder."""
    told(answer, 1.0, within=1e-6, hint="does adding one to every grade move a document in the ranking?")


def check_2(answer: Any, judges: pd.DataFrame) -> None:
    """Exercise 2: the person who gives the highest grades on average."""
    people = judges[~judges["judge"].map(is_model)]
    told(answer, people.loc[people["mean"].idxmax(), "judge"], hint="look for the highest mean among the people.")


def check_3(answer: Any) -> None:
    """Exercise 3: kappa of two judges who agree on most documents, as nearly all of these are irrelevant."""
    kappa = (EQUAL - CHANCE) / (1 - CHANCE)
    told(answer, kappa, within=5e-4, hint="chance is that both say relevant, plus that both say irrelevant.")


def check_4(answer: Any, replacements: pd.DataFrame) -> None:
    """Exercise 4: of how many judges it is shown that they are not as good as one of the others, or better."""
    shown = (replacements["difference_low"] > 0) | (replacements["difference_high"] < 0)
    told(answer, int(shown.sum()), hint="count the intervals of the difference that do not hold 0.")


def check_5(answer: Any) -> None:
    """Exercise 5: the share of the queries that people still judge beside a free machine."""
    told(answer, 1 - RHO**2, within=5e-3, hint="the square of the correlation is what the machine saves.")


def check_6(answer: Any) -> None:
    """Exercise 6: the number of judges with which the lowest of the three highest grades is lowest."""
    told(answer, 3, hint="with one judge more than three, can the third highest grade fall?")


def check_7(answer: Any, ask_again: pd.DataFrame) -> None:
    """Exercise 7: how many documents, those of most worth first, hold half of the expected change."""
    summed = ask_again["expected"].cumsum().to_numpy()
    needed = int(np.argmax(summed >= summed[-1] / 2 * (1 - 1e-9))) + 1
    told(answer, needed, hint="sum `expected` from the top, and count until half of the whole sum is reached.")
