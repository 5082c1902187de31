"""What was measured on pilots, and what trainings came to, as stored: alone, as protocol, rules and tables read it."""

from __future__ import annotations

import numpy as np
import pandas as pd

from helpers.engine import results
from helpers.studies.budget.resampling import Measured

STUDY = "05"
CELLS = ["opinions", "depth", "query", "y", "square", "whole", "machine"]
ADVICE = "advice"
"""What stands in the place of a rule of thumb where the advice of this project is measured beside them."""


def table(measured: Measured) -> pd.DataFrame:
    """The cells of a pilot of two rankers, frame of CELLS, queries numbered from 0; machine is NaN without one."""
    n_cells, _, n = measured.y.shape
    cells = {"opinions": measured.opinions.repeat(n), "depth": measured.depths.repeat(n)}
    cells |= {"query": np.tile(np.arange(n), n_cells), "y": measured.y.ravel(), "square": measured.square.ravel()}
    cells |= {"whole": np.tile(measured.whole[0], n_cells)}
    return pd.DataFrame(cells).assign(machine=np.nan if measured.machine is None else measured.machine.ravel()).round(6)


def measured(rows: pd.DataFrame, cutoff: int, name: str) -> Measured:
    """What `table` made of it: the pilot as it was measured."""
    rows = rows.sort_values(["opinions", "depth", "query"])
    n = rows["query"].nunique()
    values = {column: rows[column].to_numpy(float).reshape(-1, 1, n) for column in CELLS[3:]}
    values |= {"whole": values["whole"][0], "machine": None if rows["machine"].isna().any() else values["machine"]}
    opinions, depths = (rows[column].to_numpy()[::n] for column in CELLS[:2])
    return Measured(depths, opinions, **values, cutoff=cutoff, judges=int(opinions.max()), name=name)


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
