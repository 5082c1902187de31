"""The stored tables of study 3.

    python -m helpers.making.robustness

writes them to `data/results/03`: about 14,000 trainings, three quarters of an hour on two cores. Runs are kept in the
user's cache as they end, so that it can be stopped and goes on where it was.
"""

from __future__ import annotations

from collections.abc import Sequence

import joblib
import numpy as np
import pandas as pd

from helpers import paths, rankers
from helpers.engine import results
from helpers.making import failures
from helpers.reporting import figures
from helpers.studies.robustness import protocol as study
from helpers.studies.robustness.runs import runs, tables

SEED = 2014
DATA_SETS = ("ohsumed", "td2003", "mslr-web10k", "mq2008", "clueweb09-webis")
FOLDER = paths.project("data") / "results" / "03" / "five-data-sets"


def write(found: dict[str, pd.DataFrame], names: Sequence[str]) -> None:
    """Store runs and tables, what they were made with, and the picture that the README shows.

    Parameters
    ----------
    found : of `runs`
    names : of the data sets

    Raises
    ------
    ValueError
        when a run failed.
    """
    failures.refuse(*found.values())
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
