"""Sliders for budget and prices above the figure of plans: apart, as a live notebook alone needs widgets."""

from __future__ import annotations

import ipywidgets as widgets
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import display

from helpers.reporting.figures import budget as figures
from helpers.studies.budget import findings, plans
from helpers.studies.budget.costs import Costs
from helpers.studies.budget.resampling import Measured

DRAWN = {
    "continuous_update": False,
    "readout_format": ",.3r",
    "style": {"description_width": "12em"},
    "layout": {"width": "36em"},
}
"""A slider that is let go draws the plans anew; beside it stands 2,000 rather than 2.00e+3."""


def budgets_around(budget: float, n: int) -> np.ndarray:
    """(n,) budgets from a tenth of `budget` to ten times it, evenly spaced in the logarithm."""
    return np.geomspace(budget / 10, 10 * budget, n)


def sliders(measured: Measured, budget: float, costs: Costs, n: int) -> widgets.interactive:
    """Sliders for the budget, and the prices of a query and of a machine, for a kernel that runs."""

    def show(money: float, query: float, machine: float) -> None:
        there = Costs(query, costs.judgment, machine)
        best = plans.plan(measured, there, money).best
        curve = plans.curve(measured, there, budgets_around(money, n))
        title = findings.what_to_do(best)
        figure = figures.budget_lines(curve, best, money, measured.cutoff, title)
        display(figure)
        plt.close(figure)

    one, powers = costs.judgment or 1.0, np.log10(budget) + np.array([-1, 1])
    query, machine = costs.query, costs.machine or 0.01 * one
    return widgets.interactive(
        show,
        money=widgets.FloatLogSlider(budget, min=powers[0], max=powers[1], step=0.1, description="budget", **DRAWN),
        query=widgets.FloatSlider(
            query, min=0, max=max(50 * one, query), step=one / 2, description="a query's price", **DRAWN
        ),
        machine=widgets.FloatSlider(
            machine, min=0.01 * one, max=one, step=0.01 * one, description="a machine's price", **DRAWN
        ),
    )
