"""Study 5, the label budget: what a pilot says of spending it, to measure or to train."""

from helpers.studies.budget.costs import Costs, machine_pays
from helpers.studies.budget.pilot import Pilot, imagined, pilot
from helpers.studies.budget.plans import Advice, curve, needed, plan
from helpers.studies.budget.resampling import Measured, measure

__all__ = [
    "Advice",
    "Costs",
    "Measured",
    "Pilot",
    "curve",
    "imagined",
    "machine_pays",
    "measure",
    "needed",
    "pilot",
    "plan",
]
