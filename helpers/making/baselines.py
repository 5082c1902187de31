"""How well every ranker does on the real collections, and how much of the collections of runs can be learned.

    python -m helpers.making.baselines [baselines | learnable]

writes the one to `data/results/baselines`, the other to `data/results/learnable`, or both. The collections are taken
from the data directory.
"""

from __future__ import annotations

import sys

import numpy as np

from helpers import rankers
from helpers.engine import results, sweep
from helpers.making import common
from helpers.studies import baselines, learnable


def _write_baselines() -> None:
    """Write the table of all rankers and folds, that of their means, and these beside published ones."""
    seed = baselines.SEED
    shared = {"parts": baselines.parts()}
    runs = sweep.run(baselines.train_and_test, baselines.grid(), shared=shared, **common.kept(seed, "baselines"))
    common.refuse(runs)
    overall = baselines.means(runs, np.random.default_rng(seed)).round(4)
    tables = {"folds": runs.drop(columns="error"), "means": overall, "published": baselines.beside_published(overall)}
    results.write(baselines.FOLDER, tables, {"seed": seed, "datasets": list(baselines.FOLDS)})


def _write_learnable() -> None:
    """Write the table of all systems and folds, and that of their differences."""
    seed = learnable.SEED
    shared = {"parts": learnable.parts()}
    grid = learnable.grid(rankers.NAMES)
    runs = sweep.run(learnable.on_fold, grid, shared=shared, **common.kept(seed, "learnable"))
    common.refuse(runs)
    differences = learnable.compared(runs, np.random.default_rng(seed)).round(4)
    tables = {"folds": runs.drop(columns="error"), "compared": differences}
    results.write(learnable.FOLDER, tables, {"seed": seed, "datasets": list(learnable.FOLDS)})


def main(*names: str) -> None:
    """Write the tables of those names, or all."""
    makers = {"baselines": _write_baselines, "learnable": _write_learnable}
    common.each(names, makers, lambda name: makers[name]())


if __name__ == "__main__":
    main(*sys.argv[1:])
