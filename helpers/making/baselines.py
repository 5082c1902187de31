"""How well every ranker does on the real collections.

    python -m helpers.making.baselines

writes them to `data/results/baselines`. The collections are taken from the data directory.
"""

from __future__ import annotations

import numpy as np

from helpers.engine import results, sweep
from helpers.making import common
from helpers.studies.baselines import FOLDER, FOLDS, SEED, beside_published, grid, means, parts, train_and_test


def main() -> None:
    """Write the table of all rankers and folds, that of their means, and these beside published ones."""
    runs = sweep.run(train_and_test, grid(), shared={"parts": parts()}, **common.kept(SEED, "baselines"))
    common.refuse(runs)
    overall = means(runs, np.random.default_rng(SEED)).round(4)
    tables = {"folds": runs.drop(columns="error"), "means": overall, "published": beside_published(overall)}
    results.write(FOLDER, tables, {"seed": SEED, "datasets": list(FOLDS)})


if __name__ == "__main__":
    main()
