"""What was measured on pilots, and what trainings came to, as stored: alone, as protocol, rules and tables read it."""

from __future__ import annotations

import numpy as np
import pandas as pd

from helpers.engine import results
from helpers.studies.budget.resampling import Cell, Measured

STUDY = "05"
CELLS = ["opinions", "depth", "query", "y", "square", "whole", "machine"]
PLACES = 6
ADVICE = "advice"
"""What stands in the place of a rule of thumb where the advice of this project is measured beside them."""


def table(measured: Measured) -> pd.DataFrame:
    """The cells of a pilot of two rankers, frame of CELLS, queries numbered from 0; machine is NaN without one."""
    frames = []
    for cell in measured.cells:
        [y], [square], [whole] = cell.y, cell.square, cell.whole
        values = {
            "y": y,
            "square": square,
            "whole": whole,
            "machine": np.nan if cell.machine is None else cell.machine[0],
        }
        frames.append(pd.DataFrame({"opinions": cell.opinions, "depth": cell.depth} | values))
    whole = pd.concat(frames)
    return whole.assign(query=whole.index).reset_index(drop=True)[CELLS].round(PLACES)


def measured(rows: pd.DataFrame, cutoff: int, name: str) -> Measured:
    """What `table` made of it: the pilot as it was measured."""
    cells = []
    for (opinions, depth), part in rows.groupby(["opinions", "depth"]):
        values = [part[column].to_numpy(float)[None] for column in CELLS[3:]]
        machine = None if np.isnan(values[3]).any() else values[3]
        cells.append(Cell(int(depth), int(opinions), *values[:3], machine))
    return Measured(cells, cutoff, int(rows["opinions"].max()), int(rows["depth"].max()), name)


def tables(name: str) -> dict[str, pd.DataFrame]:
    """The stored tables of a collection, or of `training`: name -> frame."""
    return results.stored(STUDY)[name]


def pilots() -> dict[str, Measured]:
    """The stored pilots: collection -> what was measured on it."""
    found = {}
    for name, kept in results.stored(STUDY).items():
        if "cells" in kept:
            made_by = results.produced_by(STUDY, name)
            found[name] = measured(kept["cells"], made_by["cutoff"], made_by["pilot"])
    return found
