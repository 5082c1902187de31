"""How much of the collections of runs can be learned.

    python -m helpers.making.learnable

writes it to `data/results/learnable`.
"""

from __future__ import annotations

import sys

import joblib
import numpy as np

from helpers import paths, rankers
from helpers.engine import results, sweep
from helpers.studies.learnable import FOLDER, FOLDS, SEED, compared, grid, on_fold, parts


def main() -> None:
    """Write the table of all systems and folds, and that of their differences."""
    store = paths.user_cache() / "sweeps" / "learnable"
    systems = grid(rankers.NAMES)
    runs = sweep.run(on_fold, systems, store=store, n_jobs=joblib.cpu_count(), seed=SEED, shared={"parts": parts()})
    if runs["error"].notna().any():
        sys.exit(sweep.outcome(runs))
    differences = compared(runs, np.random.default_rng(SEED)).round(4)
    tables = {"folds": runs.drop(columns="error"), "compared": differences}
    results.write(FOLDER, tables, {"seed": SEED, "datasets": list(FOLDS)})


if __name__ == "__main__":
    main()
