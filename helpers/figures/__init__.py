"""The figures of the notebooks, a module for each study; all of them are called from here."""

from helpers.figures.bounds import (
    ceiling_rows,
    confusion_matrices,
    double_judgment_curves,
    explorer,
    label_draws,
    length_curves,
    limit_scatter,
    majority_curves,
    method_times,
)
from helpers.figures.crowd import agreement_curves, featured_labels, grade_colours, label_distribution
from helpers.figures.depth import (
    best_depths,
    choice_curves,
    halving_curves,
    halving_lines,
    judged_documents,
    percent_curves,
    percent_lines,
    surface,
)
from helpers.figures.look import save, set_look
from helpers.figures.overlap import (
    budget_curves,
    cost_plane,
    if_good_curves,
    judge_map,
    machine_routes,
    setting_gains,
)
from helpers.figures.robustness import (
    against_curve,
    broken_pairs,
    dnoise_map,
    expected_curves,
    explained_shares,
    fall_curves,
    turning_points,
)
from helpers.figures.schemes import bought_labels, fitted_costs

__all__ = [
    "against_curve",
    "agreement_curves",
    "best_depths",
    "bought_labels",
    "broken_pairs",
    "budget_curves",
    "ceiling_rows",
    "choice_curves",
    "confusion_matrices",
    "cost_plane",
    "dnoise_map",
    "double_judgment_curves",
    "expected_curves",
    "explained_shares",
    "explorer",
    "fall_curves",
    "featured_labels",
    "fitted_costs",
    "grade_colours",
    "halving_curves",
    "halving_lines",
    "if_good_curves",
    "judge_map",
    "judged_documents",
    "label_distribution",
    "label_draws",
    "length_curves",
    "limit_scatter",
    "machine_routes",
    "majority_curves",
    "method_times",
    "percent_curves",
    "percent_lines",
    "save",
    "set_look",
    "setting_gains",
    "surface",
    "turning_points",
]
