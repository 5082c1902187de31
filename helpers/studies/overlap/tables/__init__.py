"""What the runs of study 1 say, as tables."""

from helpers.studies.overlap.tables._accuracy import (
    accuracy,
    beside_printed,
    cost_table,
    printed_accuracy,
    rank_correlation,
    till_bad_bound,
)
from helpers.studies.overlap.tables._comparisons import comparisons, judge_comparisons
from helpers.studies.overlap.tables._per_label import (
    budget_table,
    efficient,
    machine_first,
    machine_table,
    map_table,
    plane,
)
from helpers.studies.overlap.tables._three_ways import WAYS, surface, three_ways

__all__ = [
    "WAYS",
    "accuracy",
    "beside_printed",
    "budget_table",
    "comparisons",
    "cost_table",
    "efficient",
    "judge_comparisons",
    "machine_first",
    "machine_table",
    "map_table",
    "plane",
    "printed_accuracy",
    "rank_correlation",
    "surface",
    "three_ways",
    "till_bad_bound",
]
