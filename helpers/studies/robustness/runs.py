"""All runs of study 3 and the tables made of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from helpers.datasets import portrait
from helpers.engine import sweep
from helpers.studies.robustness import protocol as study
from helpers.studies.robustness import tables as robustness
from helpers.studies.robustness import trial


def runs(
    folds: dict[str, list[trial.Fold]],
    names: Sequence[str],
    judges: Sequence[str],
    scale: study.Scale,
    *,
    store: str | Path,
    n_jobs: int,
    seed: int,
) -> dict[str, pd.DataFrame]:
    """Every run of the protocol: frames "uniform", "ties" and, where there are judges, "judged".

    Parameters
    ----------
    folds : data set -> what `protocol.folds` gives
    names : rankers
    judges : names of confusion matrices in `data/confusion`; of no use to a data set with more grades
    scale : levels and draws
    store, n_jobs, seed : as `sweep.run` takes them
    """
    tables = {"uniform": [], "judged": [], "ties": []}
    options = {"store": store, "n_jobs": n_jobs, "seed": seed}
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
    """What the runs say: "falls", "explained", "turning", "comparisons" and, where judges labelled, "judges".

    What is "explained" and where curves are "turning" is also said of fewer data sets: the column `without` has what
    is left out, as in `tables.comparisons`.

    Runs that failed are left out, and with a warning the rankers that have no run in some fold at some level.

    Parameters
    ----------
    found : of `runs`
    rng : draws bootstrap samples

    Raises
    ------
    ValueError
        where no ranker is left.
    """
    found = {kind: frame.assign(error=frame.get("error")) for kind, frame in found.items()}  # stored ones have none
    found = {kind: frame[frame["error"].isna()] for kind, frame in found.items()} | _whole(found["uniform"])
    cells = robustness.cells(found["uniform"], rng)
    curves = robustness.curves(cells)
    profiles = profiles_of(cells.datasets)
    parts = robustness.parts(cells, profiles)
    made = {
        "falls": robustness.falls(cells),
        "explained": _of_parts(robustness.explained, parts),
        "turning": _of_parts(lambda part: robustness.turning_points(robustness.curves(part)), parts),
        "comparisons": robustness.comparisons(
            cells, found["ties"], rng, robustness.cells(found["uniform"], rng, "map"), profiles
        ),
    }
    if "judged" in found:
        judged = found["judged"]
        made["judges"] = robustness.against_curve(judged[judged["ranker"].isin(cells.rankers)], cells, curves)
    return made


def profiles_of(datasets: Sequence[str]) -> dict[str, np.ndarray]:
    """Those of the data sets that are drawn from a portrait -> grade counts (n_queries, n_grades) that it has.

    Parameters
    ----------
    datasets : names
    """
    portraits = {name: portrait.named(name) for name in datasets}
    return {name: drawn_from.grade_counts for name, drawn_from in portraits.items() if drawn_from is not None}


def _of_parts(table: Callable[[robustness.Cells], pd.DataFrame], parts: dict[str, robustness.Cells]) -> pd.DataFrame:
    frames = [table(part).assign(without=without) for without, part in parts.items()]
    return pd.concat(frames, ignore_index=True)


def _whole(uniform: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The runs of the rankers that have one in every fold at every level."""
    kept = sweep.succeeded(uniform)
    whole = robustness.complete(kept)
    left_out = [ranker for ranker in uniform["ranker"].unique() if ranker not in whole]
    if not whole:
        raise ValueError(f"no ranker has a run in every fold at every level: {sweep.outcome(uniform)}")
    if left_out:
        warnings.warn(f"left out for runs that failed: {', '.join(left_out)}", RuntimeWarning, stacklevel=3)
    return {"uniform": kept[kept["ranker"].isin(whole)]}
