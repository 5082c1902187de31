"""How much of the collections of runs can be learned.

    python -m helpers.making.learnable

writes it to `data/results/learnable`.
"""

from __future__ import annotations

import numpy as np

from helpers import rankers
from helpers.engine import results, sweep
from helpers.making import common
from helpers.studies.learnable import FOLDER, FOLDS, SEED, compared, grid, on_fold, parts


def main() -> None:
    """Write the table of all systems and folds, and that of their differences."""
    runs = sweep.run(on_fold, grid(rankers.NAMES), shared={"parts": parts()}, **common.kept(SEED, "learnable"))
    common.refuse(runs)
    differences = compared(runs, np.random.default_rng(SEED)).round(4)
    tables = {"folds": runs.drop(columns="error"), "compared": differences}
    results.write(FOLDER, tables, {"seed": SEED, "datasets": list(FOLDS)})


if __name__ == "__main__":
    main()
