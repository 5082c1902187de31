"""The stored tables of study 4.

    python -m helpers.making.depth [NAME …]

writes them to `data/results/04`, of every collection of DATA_SETS or of those named: on two cores an hour for the
portrait, minutes for the real ones. Runs are kept in the user's cache as they end, so that it can be stopped and goes
on where it was.
"""

from __future__ import annotations

import sys

import joblib
import numpy as np
import pandas as pd

from helpers import paths
from helpers.datasets import portrait
from helpers.engine import results
from helpers.making.failures import refuse
from helpers.reporting import figures
from helpers.studies import claims
from helpers.studies.depth import protocol as study
from helpers.studies.depth import runs

SEED = 2009
MARGIN = 0.005
RANKERS = ("LambdaRank", "LambdaMART")
DATA_SETS = ("mslr-sample-portrait", "mq2008", "clueweb09-webis")
FOLDER = paths.project("data") / "results" / "04"


def write(name: str, found: dict[str, pd.DataFrame], scale: str = "study") -> None:
    """Store the runs of a collection and the tables made of them, and of the first one the picture that README shows.

    Parameters
    ----------
    name : of the collection
    found : frames as `runs.runs` gives them
    scale : at which the runs were made

    Raises
    ------
    ValueError
        where a run failed.
    """
    refuse(*found.values())
    tables = found | runs.tables(found, MARGIN, np.random.default_rng(SEED))
    tables["claims"] = claims.verdicts("04", tables["comparisons"], MARGIN, name)
    made_by = {"dataset": name, "scale": scale, "fold": 1, "seed": SEED, "margin": MARGIN}
    made_by |= {"synthetic": portrait.named(name) is not None, "trainings": sum(map(len, found.values()))}
    results.write(FOLDER / name, tables, made_by)
    if name == DATA_SETS[0]:
        figures.set_look()
        figures.halving_curves(found["pool"]).savefig(FOLDER / name / "halving_curves.png", dpi=70)


def main(*names: str) -> None:
    """Make the stored tables of the collections of those names, or of DATA_SETS."""
    scale = study.SCALES["study"]
    for name in names or DATA_SETS:
        parts = study.parts(name, scale, 1, np.random.default_rng(SEED))
        options = {"store": paths.user_cache() / "sweeps", "n_jobs": joblib.cpu_count(), "seed": SEED}
        write(name, runs.runs(parts, RANKERS, scale, **options))


if __name__ == "__main__":
    main(*sys.argv[1:])
