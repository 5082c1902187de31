"""Checks of the exercises of study 5: each says whether an answer is right, and gives nothing away."""

from __future__ import annotations

from typing import Any

import numpy as np

from helpers.metrics import power
from helpers.metrics.power import powered_mean
from helpers.reporting.exercises import told
from helpers.studies.budget import plans, tables
from helpers.studies.budget.costs import Costs
from helpers.studies.budget.pilot import Pilot
from helpers.studies.budget.resampling import Measured, differences

GRADES = np.array([3, 0, 2, 1, 3, 0])
FIRST, SECOND = np.array([0, 2, 4, 3]), np.array([1, 4, 0, 5])
DEPTH = 2  # of exercise 1
SPREAD, TRUE = 0.2, 0.02  # of exercise 2
PLANS, PILOT, JUDGED, WORLDS = 100, 25, 100, 1000  # of exercise 3
SCORE = 1.0  # of exercise 4, of the query that a machine judges more
PEOPLE = [0.2, 0.4, 0.6, 0.1, 0.9]
EVERYWHERE = [0.3, 0.35, 0.8, 0.2, 0.7, 0.5, 0.1, 0.9]


def chosen(plans: int, seed: int) -> tuple[float, float]:
    """What the best of plans that are all alike promises in the mean of worlds, as a share of the true difference, and
    the power that it keeps.

    >>> [round(value, 2) for value in chosen(1, 5)]
    [0.99, 0.78]
    """
    rng = np.random.default_rng(seed)
    spreads = rng.normal(0, SPREAD, (WORLDS, plans, PILOT)).std(axis=2, ddof=1).min(axis=1)
    kept = [power.power(power.detectable(spread, JUDGED), SPREAD, JUDGED) for spread in spreads]
    return float(spreads.mean() / SPREAD), float(np.mean(kept))


def check_1(answer: Any) -> None:
    """The difference of the notebook's two lists where the first documents of the pool alone are judged."""
    pilot = Pilot(GRADES[None, :, None], None, np.stack([FIRST, SECOND])[:, None], np.array(["q"]))
    hint = "what is not judged counts as grade 0 in both lists, and in the ideal one, too."
    told(answer, float(differences(pilot, GRADES[None], DEPTH)[0]), within=0.001, hint=hint)


def check_2(answer: Any) -> None:
    """How many queries see a small difference where they differ by the notebook's spread."""
    hint = "a difference of less than half the size needs more than four times the queries."
    told(answer, power.queries_needed(SPREAD, TRUE), within=1, hint=hint)


def check_3(answer: Any, seed: int) -> None:
    """The power that the best of many plans keeps, where they are all alike."""
    hint = "set `plans = 100`, run the cell, and read the power."
    told(answer, chosen(PLANS if answer is not ... else 1, seed)[1], within=0.02, hint=hint)


def check_4(answer: Any) -> None:
    """The mean of people's scores, corrected by a machine's that judged a query more."""
    expected = powered_mean(PEOPLE, EVERYWHERE[: len(PEOPLE)], [*EVERYWHERE, SCORE]).estimate
    hint = "add the weight times what the machine says that all queries have more than those of people."
    told(answer, expected, within=0.001, hint=hint)


def check_5(answer: Any) -> None:
    """The share of the lines on which twice the page lies within .01 of the highest point, as a share."""
    rows = tables.trained()
    top = rows.groupby(["collection", "share"])["ndcg"].transform("max")
    hint = "of every line that has a ring, ask how far the ring lies below the highest point."
    told(answer, int((top - rows["ndcg"])[rows["twice"]].le(0.01).sum()), hint=hint)


def check_6(answer: Any, measured: Measured, costs: Costs, budget: float) -> None:
    """The depth that is advised where a query costs a tenth."""
    cheap = plans.plan(measured, costs._replace(query=costs.query / 10), budget).best
    told(answer, int(cheap["depth"]), hint="call study.plan with costs whose query costs a tenth.")
