"""Whether answers to the exercises of notebook 05 are right."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from helpers.metrics import power
from helpers.metrics.power import pays_below, powered_mean
from helpers.reporting.exercises import told
from helpers.studies.budget import plans
from helpers.studies.budget.costs import Costs
from helpers.studies.budget.pilot import Pilot
from helpers.studies.budget.resampling import Measured, differences

_RELIABLE = 0.95
_RHO = 0.8


def check_1(answer: Any, grades: np.ndarray, first: np.ndarray, second: np.ndarray) -> None:
    """Whether the answer is the difference of two lists of one query that is judged to depth 2."""
    pilot = Pilot(grades[None, :, None], None, np.stack([first, second])[:, None], np.array(["q"]))
    hint = "what is not judged counts as grade 0 in both lists, and in the ideal one, too."
    told(answer, float(differences(pilot, grades[None], 2)[0]), within=0.001, hint=hint)


def check_2(answer: Any) -> None:
    """Whether the answer is how many queries see .02 where they differ by .2."""
    hint = "a difference of less than half the size needs more than four times the queries of .05."
    told(answer, power.queries_needed(0.2, 0.02), hint=hint)


def check_3(answer: Any, people: list[float], machine: list[float], everywhere: list[float]) -> None:
    """Whether the answer is the mean of people's scores, corrected by a machine's."""
    hint = "add the weight times what the machine says that all queries have more than those of people."
    told(answer, powered_mean(people, machine, everywhere).estimate, within=0.001, hint=hint)


def check_4(answer: Any) -> None:
    """Whether the answer is the share of a person's price below which a machine pays at a correlation of .8."""
    told(answer, pays_below(_RHO), within=0.005, hint="solve sqrt(1 - rho^2) + rho sqrt(price) = 1 for the price.")


def check_5(answer: Any, systems: pd.DataFrame) -> None:
    """Whether the answer is the fewest queries that order systems with a generalizability of .95."""
    parts = power.components(systems.pivot(index="system", columns="query", values="people").to_numpy())
    expected = math.ceil(parts.residual / parts.system * _RELIABLE / (1 - _RELIABLE))
    told(answer, expected, hint="raise the number of queries one by one until the first is at least .95.")


def check_6(answer: Any, losses: pd.DataFrame) -> None:
    """Whether the answer is the rule of thumb that loses least to train, in the median over surfaces."""
    middle = losses.groupby("rule")["loss"].median()
    told(answer, middle.idxmin() if len(middle) else "none", hint="group the losses by rule, and take medians.")


def check_7(answer: Any, measured: Measured, costs: Costs, budget: float) -> None:
    """Whether the answer is the depth recommended where a query costs a tenth of that."""
    cheap = plans.plan(measured, costs._replace(query=costs.query / 10), budget).best
    told(answer, int(cheap["depth"]), hint="call study.plan with costs whose query costs a tenth.")
