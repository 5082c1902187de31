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
from helpers.figures.look import set_look
from helpers.figures.robustness import (
    against_curve,
    broken_pairs,
    dnoise_map,
    expected_curves,
    explained_shares,
    fall_curves,
    turning_points,
)

__all__ = [
    "against_curve",
    "best_depths",
    "broken_pairs",
    "ceiling_rows",
    "choice_curves",
    "confusion_matrices",
    "dnoise_map",
    "double_judgment_curves",
    "expected_curves",
    "explained_shares",
    "explorer",
    "fall_curves",
    "halving_curves",
    "halving_lines",
    "judged_documents",
    "label_draws",
    "length_curves",
    "limit_scatter",
    "majority_curves",
    "method_times",
    "percent_curves",
    "percent_lines",
    "set_look",
    "surface",
    "turning_points",
]
