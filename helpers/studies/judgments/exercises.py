"""What notebook 06 says of the answers to its exercises."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from helpers.judging.coded import is_model
from helpers.reporting.exercises import told

EQUAL, CHANCE = 0.9, 0.05**2 + 0.95**2
"""Of exercise 3: two judges who each call other 5 of 100 documents relevant."""

RHO = 0.6
"""Of exercise 5."""


def check_1(answer: Any) -> None:
    """Exercise 1: the nDCG that a ranking by a judge reaches with another who is one grade milder.

    Parameters
    ----------
    answer : a number

    >>> check_1(0.5)
    Not yet: does adding one to every grade move a document in the ranking?
    """
    told(answer, 1.0, within=1e-6, hint="does adding one to every grade move a document in the ranking?")


def check_2(answer: Any, judges: pd.DataFrame) -> None:
    """Exercise 2: the person who gives the highest grades on average.

    Parameters
    ----------
    answer : the name of a judge
    judges : of `tables.judges`

    >>> check_2("judge 2", pd.DataFrame({"judge": ["judge 1", "judge 2", "model: m"], "mean": [1.0, 2.0, 3.0]}))
    Right.
    """
    people = judges[~judges["judge"].map(is_model)]
    told(answer, people.loc[people["mean"].idxmax(), "judge"], hint="look for the highest mean among the people.")


def check_3(answer: Any) -> None:
    """Exercise 3: kappa of two judges who agree on most documents, as nearly all of these are irrelevant.

    Parameters
    ----------
    answer : a number

    >>> check_3(0.9)
    Not yet: chance is that both say relevant, plus that both say irrelevant.
    """
    kappa = (EQUAL - CHANCE) / (1 - CHANCE)
    told(answer, kappa, within=5e-4, hint="chance is that both say relevant, plus that both say irrelevant.")


def check_4(answer: Any, replacements: pd.DataFrame) -> None:
    """Exercise 4: of how many judges it is shown that they are not as good as one of the others, or better.

    Parameters
    ----------
    answer : a count
    replacements : of `tables.replacements`

    >>> check_4(1, pd.DataFrame({"difference_low": [-0.2, -0.1], "difference_high": [-0.1, 0.1]}))
    Right.
    """
    shown = (replacements["difference_low"] > 0) | (replacements["difference_high"] < 0)
    told(answer, int(shown.sum()), hint="count the intervals of the difference that do not hold 0.")


def check_5(answer: Any) -> None:
    """Exercise 5: the share of the queries that people still judge beside a free machine.

    Parameters
    ----------
    answer : a share of 1

    >>> check_5(0.36)
    Not yet: the square of the correlation is what the machine saves.
    """
    told(answer, 1 - RHO**2, within=5e-3, hint="the square of the correlation is what the machine saves.")


def check_6(answer: Any) -> None:
    """Exercise 6: the number of judges with which the lowest of the three highest grades is lowest.

    Parameters
    ----------
    answer : a count

    >>> check_6(7)
    Not yet: with one judge more than three, can the third highest grade fall?
    """
    told(answer, 3, hint="with one judge more than three, can the third highest grade fall?")


def check_7(answer: Any, ask_again: pd.DataFrame) -> None:
    """Exercise 7: how many documents, those of most worth first, hold half of the expected change.

    Parameters
    ----------
    answer : a count
    ask_again : of `asking.worth_asking`, those of most worth first

    >>> check_7(2, pd.DataFrame({"expected": [0.3, 0.3, 0.2, 0.2]}))
    Right.
    """
    summed = ask_again["expected"].cumsum().to_numpy()
    needed = int(np.argmax(summed >= summed[-1] / 2 * (1 - 1e-9))) + 1
    told(answer, needed, hint="sum `expected` from the top, and count until half of the whole sum is reached.")
