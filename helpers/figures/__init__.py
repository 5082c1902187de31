"""The figures of the notebooks, a module for each study; all of them are called from here."""

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
    "choice_curves",
    "halving_curves",
    "halving_lines",
    "judged_documents",
    "percent_curves",
    "percent_lines",
    "set_look",
    "surface",
]
