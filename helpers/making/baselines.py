"""How well every ranker does on the real collections.

    python -m helpers.making.baselines

writes them to `data/results/baselines`. The collections are taken from the data directory.
"""

from __future__ import annotations

import joblib
import numpy as np

from helpers import paths
from helpers.engine import results, sweep
from helpers.making import failures
from helpers.studies.baselines import FOLDER, FOLDS, SEED, beside_published, grid, means, parts, train_and_test


def main() -> None:
    """Write the table of all rankers and folds, that of their means, and these beside published ones."""
    store = paths.user_cache() / "sweeps" / "baselines"
    shared = {"parts": parts()}
    runs = sweep.run(train_and_test, grid(), store=store, n_jobs=joblib.cpu_count(), seed=SEED, shared=shared)
    failures.refuse(runs)
    overall = means(runs, np.random.default_rng(SEED)).round(4)
    tables = {"folds": runs.drop(columns="error"), "means": overall, "published": beside_published(overall)}
    results.write(FOLDER, tables, {"seed": SEED, "datasets": list(FOLDS)})


if __name__ == "__main__":
    main()
