"""Sliders for a class: an assessor's confusion matrix moves, and the ceiling with it."""

from __future__ import annotations

from collections.abc import Sequence

import ipywidgets as widgets
import matplotlib.pyplot as plt

from helpers.judging.confusion import majority, ordinal_confusion
from helpers.reporting import figures

JUDGES = (1, 3, 5, 7, 9, 11)


def sliders(profile: Sequence[int]) -> widgets.interactive:
    """Sliders for accuracy, leniency, judges and cut-off above the ceiling of one query.

    To be displayed in JupyterLab; without a running kernel there is nothing to see.

    Parameters
    ----------
    profile : (n_grades,) documents of each grade
    """

    def show(accuracy: float, leniency: float, judges: int, cutoff: int) -> None:
        matrix = majority(ordinal_confusion(len(profile), accuracy, leniency), judges)
        plt.show(figures.explorer(profile, matrix, cutoff))

    return widgets.interactive(
        show,
        accuracy=widgets.FloatSlider(0.6, min=0.2, max=1, step=0.05),
        leniency=widgets.FloatSlider(0, min=-0.9, max=0.9, step=0.1),
        judges=widgets.SelectionSlider(options=JUDGES),
        cutoff=widgets.IntSlider(10, min=1, max=50),
    )
