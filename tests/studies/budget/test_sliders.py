import os

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from pilots_by_hand import drawn

from helpers.reporting.figures import budget as figures
from helpers.studies import budget
from helpers.studies.budget import sliders

pytestmark = pytest.mark.usefixtures("closed_figures")
LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"

SHOWN = """
from helpers.studies.budget import sliders, stored
from helpers.studies.budget.costs import Costs
box = sliders.sliders(stored.pilots()["dl21"], 2000, Costs(5, 1, 0.02), 5)
display(box)
"""
MOVED = """
money, query, machine = box.children[:3]
money.value, query.value = 4000, 20
"""


def test_a_moved_slider_draws_the_plans_anew(monkeypatch):
    seen, drawing = [], figures.budget_lines

    def watched(curve, best, money, *others):
        seen.append((round(money), best["queries"], curve["budget"].max()))
        return drawing(curve, best, money, *others)

    monkeypatch.setattr(figures, "budget_lines", watched)
    monkeypatch.setattr(sliders, "display", lambda figure: None)
    measured = budget.measure(drawn(np.random.default_rng(5)), np.random.default_rng(0), (5, 10), (1,))
    box = sliders.sliders(measured, 2000, budget.Costs(5, 1, 0.02), 3)
    money, query, machine = box.children[:3]
    said = ["budget", "a query's price", "a machine's price"]
    assert [slider.description for slider in (money, query, machine)] == said
    assert [slider.value for slider in (money, query, machine)] == [2000, 5, 0.02]
    money.value = 4000
    query.value = 50
    machine.value = 0.5
    assert [row[0] for row in seen] == [2000, 4000, 4000, 4000]
    assert [row[2] for row in seen[:2]] == pytest.approx([20_000, 40_000])
    assert seen[2][1] < seen[1][1]  # dear queries: fewer of them


@pytest.mark.skipif(not LARGE, reason="starts a kernel: LABEL_STUDIES_TESTS=all")
def test_sliders_move_in_a_kernel():
    """The output below the sliders holds one figure, and another one after two of them were moved."""
    pictures = [_picture([SHOWN]), _picture([SHOWN, MOVED])]
    assert all(pictures)
    assert pictures[0] != pictures[1]


def _picture(cells):
    """The PNG in the output of the sliders, after these cells ran."""
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(cell) for cell in ["%matplotlib inline", *cells]]
    )
    NotebookClient(notebook, timeout=600, store_widget_state=True).execute()
    states = notebook.metadata["widgets"]["application/vnd.jupyter.widget-state+json"]["state"].values()
    [outputs] = [state["state"]["outputs"] for state in states if state["model_name"] == "OutputModel"]
    [picture] = [output["data"]["image/png"] for output in outputs if "image/png" in output.get("data", {})]
    return picture
