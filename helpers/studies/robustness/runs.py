"""All runs of study 3 and the tables made of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from helpers.engine import sweep
from helpers.reporting.verdicts import REAL, basis_of
from helpers.studies.robustness import protocol as study
from helpers.studies.robustness import tables as robustness
from helpers.studies.robustness import trial


def runs(
    folds: dict[str, list[trial.Fold]],
    names: Sequence[str],
    judges: Sequence[str],
    scale: study.Scale,
    **options: Any,
) -> dict[str, pd.DataFrame]:
    """Every run of the protocol: frames "uniform", "ties" and, where there are judges, "judged"; options are those of
    `sweep.run`.
    """
    tables = {"uniform": [], "judged": [], "ties": []}
    for name, parts in folds.items():
        confusions = study.confusions(judges, study.n_grades(parts))
        shared = {"folds": parts, "confusions": confusions}
        grids = {
            "uniform": study.uniform_grid(name, names, scale),
            "judged": study.judge_grid(name, names, [judge for judge in judges if judge in confusions], scale),
        }
        for kind, grid in grids.items():
            if grid:
                tables[kind].append(sweep.run(trial.train_and_test, grid, shared=shared, **options))
        grid = study.tie_grid(name, names, scale)
        tables["ties"].append(sweep.run(trial.predict_ties, grid, shared={"folds": parts}, **options))
    return {kind: pd.concat(frames, ignore_index=True) for kind, frames in tables.items() if frames}


def tables(found: dict[str, pd.DataFrame], rng: np.random.Generator) -> dict[str, pd.DataFrame]:
    """What the runs say: "falls", "explained", "turning" and, where judges labelled, "judges".

    What is explained and where curves turn is also said of fewer data sets: `without` names what is left out.
    """
    found = {kind: frame.assign(error=frame.get("error")) for kind, frame in found.items()}  # stored ones have none
    uniform = whole(found["uniform"])
    cells = robustness.cells(uniform, rng)
    parts = _parts(cells)
    made = {
        "falls": robustness.falls(cells),
        "explained": _of_parts(robustness.explained, parts),
        "turning": _of_parts(lambda part: robustness.turning_points(robustness.curves(part)), parts),
    }
    if "judged" in found:
        judged = found["judged"][found["judged"]["error"].isna()]
        judged = judged[judged["ranker"].isin(cells.rankers)]
        made["judges"] = robustness.against_curve(judged, cells, robustness.curves(cells))
    return made


def whole(uniform: pd.DataFrame) -> pd.DataFrame:
    """The runs of the rankers that have one in every fold at every level; a warning names those that are left out."""
    kept = sweep.succeeded(uniform)
    complete = robustness.complete(kept)
    left_out = [ranker for ranker in uniform["ranker"].unique() if ranker not in complete]
    if not complete:
        raise ValueError(f"no ranker has a run in every fold at every level: {sweep.outcome(uniform)}")
    if left_out:
        warnings.warn(f"left out for runs that failed: {', '.join(left_out)}", RuntimeWarning, stacklevel=2)
    return kept[kept["ranker"].isin(complete)]


def _parts(cells: robustness.Cells) -> dict[str, robustness.Cells]:
    """What is left out -> cells."""
    kept = {
        "": cells.datasets,
        "TD2003": [name for name in cells.datasets if not name.startswith(robustness.FRAGILE)],
        "synthetic": [name for name in cells.datasets if basis_of(name) == REAL],
    }
    return {
        without: robustness.of_data_sets(cells, names)
        for without, names in kept.items()
        if not without or 1 < len(names) < len(cells.datasets)
    }


def _of_parts(table: Callable[[robustness.Cells], pd.DataFrame], parts: dict[str, robustness.Cells]) -> pd.DataFrame:
    frames = [table(part).assign(without=without) for without, part in parts.items()]
    return pd.concat(frames, ignore_index=True)
