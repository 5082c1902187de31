"""The figures of the notebooks: those of all studies from here, and a module for each study."""

from helpers.reporting.figures import bounds, budget, depth, judgments, overlap, robustness
from helpers.reporting.figures.bounds import sliders
from helpers.reporting.figures.forms import curves, forest, heat, intervals, log_ticks, panels, strip, worlds
from helpers.reporting.figures.look import colour, colours, described, headed, save, set_look, whose

__all__ = [
    "bounds", "budget", "colour", "colours", "curves", "depth", "described", "forest", "headed", "heat", "intervals",
    "judgments", "log_ticks", "overlap", "panels", "robustness", "save", "set_look", "sliders", "strip",
    "whose", "worlds",
]  # fmt: skip
