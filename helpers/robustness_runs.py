"""All runs of study 3 and the tables made of them.

    python -m helpers.robustness_runs

makes the stored tables of scale "study": about 14,000 trainings, three quarters of an hour on two cores. Runs are kept
in the user's cache as they end, so that it can be stopped and goes on where it was.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path

import joblib
import numpy as np
import pandas as pd

from helpers import figures, paths, rankers, results, robustness, sweep
from helpers import robustness_study as study

SEED = 2014
DATA_SETS = ("ohsumed", "td2003", "mslr-web10k", "mq2008", "clueweb09-webis")
FOLDER = paths.project("data") / "results" / "03" / "five-data-sets"


def runs(
    folds: dict[str, list[study.Fold]],
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
    folds : data set -> what `robustness_study.folds` gives
    names : rankers
    judges : names of confusion matrices in `data/confusion`; of no use to a data set with more grades
    scale, store, n_jobs, seed : as `robustness_study` and `sweep.run` take them
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
                tables[kind].append(sweep.run(study.train_and_test, grid, shared=shared, **options))
        grid = study.tie_grid(name, names, scale)
        tables["ties"].append(sweep.run(study.predict_ties, grid, shared={"folds": parts}, **options))
    return {kind: pd.concat(frames, ignore_index=True) for kind, frames in tables.items() if frames}


def tables(found: dict[str, pd.DataFrame], rng: np.random.Generator) -> dict[str, pd.DataFrame]:
    """What the runs say: "falls", "explained", "turning", "comparisons" and, where judges labelled, "judges".

    Runs that failed are left out, and with a warning the rankers that have no run in some fold at some level.

    Raises
    ------
    ValueError
        where no ranker is left.
    """
    found = {kind: frame.assign(error=frame.get("error")) for kind, frame in found.items()}  # stored ones have none
    found = {kind: frame[frame["error"].isna()] for kind, frame in found.items()} | _whole(found["uniform"])
    cells = robustness.cells(found["uniform"], rng)
    curves = robustness.curves(cells)
    made = {
        "falls": robustness.falls(cells),
        "explained": robustness.explained(cells),
        "turning": robustness.turning_points(curves),
        "comparisons": robustness.comparisons(cells, found["ties"], rng),
    }
    if "judged" in found:
        judged = found["judged"]
        made["judges"] = robustness.against_curve(judged[judged["ranker"].isin(cells.rankers)], cells, curves)
    return made


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


def write(found: dict[str, pd.DataFrame], names: Sequence[str]) -> None:
    """Store runs and tables, what they were made with, and the picture that the README shows."""
    if any(frame["error"].notna().any() for frame in found.values()):
        raise ValueError(sweep.outcome(*found.values()))
    kept = {kind: frame.drop(columns="error").round(6) for kind, frame in found.items()}
    made = {name: frame.round(6) for name, frame in tables(found, np.random.default_rng(SEED)).items()}
    trainings = sum(len(frame) for frame in found.values())
    made_by = {"scale": "study", "seed": SEED, "data sets": list(names), "trainings": trainings}
    results.write(FOLDER, kept | made, made_by)
    figures.set_look()
    grid = figures.fall_curves(made["falls"], "pnoise", "relative", "NDCG@10 [share of noise-free]")
    grid.savefig(FOLDER / "falls.png", dpi=70)


def main() -> None:
    """Make the stored tables; each data set that is not here is drawn from its portrait."""
    scale = study.scale_named("study")
    names = [study.at_hand(name) for name in DATA_SETS]
    folds = {name: study.folds(name, scale, np.random.default_rng(SEED)) for name in names}
    store = paths.user_cache() / "sweeps" / "03"
    jobs = joblib.cpu_count()
    write(runs(folds, rankers.NAMES, study.JUDGES, scale, store=store, n_jobs=jobs, seed=SEED), names)


if __name__ == "__main__":
    main()
