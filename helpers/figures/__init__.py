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

__all__ = [
    "best_depths",
    "ceiling_rows",
    "choice_curves",
    "confusion_matrices",
    "double_judgment_curves",
    "explorer",
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
]
