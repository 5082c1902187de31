"""What training on a machine's labels is worth: the stored tables of study 2 on SynDL.

    python -m helpers.making.machine_labels

writes them to `data/results/02/machine-labels`, and how far the rankers pass the limit of the machine's labels to the
table of contrasts, in a quarter of an hour on one core. Runs are kept in the user's cache as they end, so that it can
be stopped and goes on where it was. The labels are taken from the data directory.
"""

from __future__ import annotations

import numpy as np

from helpers import paths
from helpers.engine import results, sweep
from helpers.making.bounds import write_contrasts
from helpers.making.failures import refuse
from helpers.studies.bounds import machine_labels, worth
from helpers.studies.bounds import machine_labels_runs as study
from helpers.studies.bounds.machine_labels_trial import train_and_test

SEED = 2021


def main() -> None:
    """Make the runs and the tables made of them."""
    shared = study.parts(np.random.default_rng(SEED))
    store = paths.user_cache() / "sweeps" / "02-machine-labels"
    runs = sweep.run(train_and_test, study.grid(), store=store, seed=SEED, shared=shared)
    refuse(runs)
    by_query = study.by_query(runs, shared["tested"].query_ids)
    made_by = {"seed": SEED, "dataset": "syndl-dl21", "folds": study.N_FOLDS, "repeats": study.REPEATS}
    folder = paths.project("data") / "results" / "02" / machine_labels.FOLDER
    above = study.above_limits(by_query, shared, np.random.default_rng(SEED))
    write_contrasts("syndl-dl21", {("M4", ranker): values for ranker, values in above.items()})
    results.write(folder, {"runs": by_query} | worth.tables(by_query, np.random.default_rng(SEED)), made_by)


if __name__ == "__main__":
    main()
