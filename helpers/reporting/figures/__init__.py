"""The figures of the notebooks, a module for each study; all of them are called from here."""

from helpers.reporting.figures.beyond import (
    WAYS,
    budget_curves,
    judge_map,
    same_labels,
    ways_to_double,
)
from helpers.reporting.figures.bounds import (
    ceiling_rows,
    double_judgment_curves,
    explorer,
    label_draws,
    length_curves,
    limit_scatter,
    majority_curves,
    method_times,
)
from helpers.reporting.figures.ceilings import ceiling_strips, habit_scatter, headed, label_curves, own_beside_pooled
from helpers.reporting.figures.crowd import agreement_curves, grade_colours, label_distribution
from helpers.reporting.figures.depth import (
    best_depths,
    choice_curves,
    halving_curves,
    halving_lines,
    judged_documents,
    percent_curves,
    percent_lines,
    surface,
)
from helpers.reporting.figures.forest import forest, strip
from helpers.reporting.figures.gains import differences, heterogeneity_map, losses, over_runs
from helpers.reporting.figures.judgments import (
    asking_curves,
    ceiling_points,
    grade_confusion,
    judge_agreement,
    replacement_rows,
    rule_shares,
)
from helpers.reporting.figures.look import save, set_look, whose
from helpers.reporting.figures.overlap import cost_plane, if_good_curves, setting_gains
from helpers.reporting.figures.robustness import (
    against_curve,
    broken_pairs,
    dnoise_map,
    expected_curves,
    explained_shares,
    fall_curves,
    size_curves,
    turning_points,
)
from helpers.reporting.figures.schemes import bought_labels, fitted_costs

__all__ = [
    "WAYS",
    "against_curve",
    "agreement_curves",
    "asking_curves",
    "best_depths",
    "bought_labels",
    "broken_pairs",
    "budget_curves",
    "ceiling_points",
    "ceiling_rows",
    "ceiling_strips",
    "choice_curves",
    "cost_plane",
    "differences",
    "dnoise_map",
    "double_judgment_curves",
    "expected_curves",
    "explained_shares",
    "explorer",
    "fall_curves",
    "fitted_costs",
    "forest",
    "grade_colours",
    "grade_confusion",
    "habit_scatter",
    "halving_curves",
    "halving_lines",
    "headed",
    "heterogeneity_map",
    "if_good_curves",
    "judge_agreement",
    "judge_map",
    "judged_documents",
    "label_curves",
    "label_distribution",
    "label_draws",
    "length_curves",
    "limit_scatter",
    "losses",
    "majority_curves",
    "method_times",
    "over_runs",
    "own_beside_pooled",
    "percent_curves",
    "percent_lines",
    "replacement_rows",
    "rule_shares",
    "same_labels",
    "save",
    "set_look",
    "setting_gains",
    "size_curves",
    "strip",
    "surface",
    "turning_points",
    "ways_to_double",
    "whose",
]
