"""Study 5, the label budget: what a pilot says of spending it, to measure or to train."""

from helpers.studies.budget.costs import Costs, machine_pays
from helpers.studies.budget.pilot import Pilot, pilot
from helpers.studies.budget.plans import Advice, needed, plan
from helpers.studies.budget.resampling import measure
from helpers.studies.budget.tables import pair_table

__all__ = ["Advice", "Costs", "Pilot", "machine_pays", "measure", "needed", "pair_table", "pilot", "plan"]
