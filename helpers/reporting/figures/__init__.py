"""The figures of the notebooks: those of all studies from here, and a module for each study."""

from helpers.reporting.figures import bounds, budget, depth, judgments, overlap, robustness, schemes
from helpers.reporting.figures.bounds import sliders
from helpers.reporting.figures.forest import forest, intervals, strip
from helpers.reporting.figures.look import headed, save, set_look, whose

__all__ = [
    "bounds", "budget", "depth", "forest", "headed", "intervals", "judgments", "overlap", "robustness", "save",
    "schemes", "set_look", "sliders", "strip", "whose",
]  # fmt: skip
