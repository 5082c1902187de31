"""The stored tables of study 4.

    python -m helpers.making.depth [NAME …]

writes them to `data/results/04`, of every collection of `protocol.COLLECTIONS` or of those named, each as soon as it is
settled, and at last (or by the name "heterogeneity") the map of what the main claim depends on: some hours of one core.
Of each collection the differences that the claims speak of go into `data/results/04/contrasts.parquet`, by query and by
draw. Runs are kept in the user's cache as they end, so that it can be stopped and goes on where it was. The protocol is
the paper's with half of its queries, as `protocol.SCALES` says.
"""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd

from helpers.engine import results
from helpers.making import common, heterogeneity
from helpers.reporting import figures
from helpers.reporting.verdicts import PORTRAIT, basis_of
from helpers.studies.depth import effects, runs
from helpers.studies.depth import protocol as study

SEED = 2009
SCALE = "study"
MAP = "heterogeneity"
FIRST = "robust04"
FOLDER = common.RESULTS / "04"


def write(name: str, found: dict[str, pd.DataFrame], plan: study.Plan, scale: str = SCALE) -> None:
    """Store the runs of a collection, the tables made of them, and of the first one the picture that README shows."""
    common.refuse(*found.values())
    tables = runs.tables(found, study.MARGIN, np.random.default_rng(SEED))
    made_by = {"dataset": plan.dataset or name, "scale": scale, "seed": SEED, "margin": study.MARGIN}
    made_by |= {"folds": int(found["percent"]["fold"].nunique()), "copies": plan.copies}
    made_by |= {"synthetic": basis_of(name) == PORTRAIT, "trainings": sum(map(len, found.values()))}
    results.write(FOLDER / name, tables, made_by)
    write_contrasts(name, tables)
    if name == FIRST:
        figures.set_look()
        figures.depth.halving_curves(tables["pool"]).savefig(FOLDER / name / "halving_curves.png", dpi=70)


def write_contrasts(name: str, tables: dict[str, pd.DataFrame]) -> None:
    """Store the differences by query and by draw of a collection, in the place of those that are stored of it."""
    percent = tables["percent"]
    found = effects.contrasts(name, percent, tables.get("pool", percent.iloc[:0]), np.random.default_rng(SEED))
    common.replace_rows(FOLDER / effects.CONTRASTS.name, found, ["collection"])


def write_map(**options) -> None:
    """Store the map of heterogeneity and where the collections lie on it."""
    tables = {"map": heterogeneity.run_map(**options)}
    tables["collections"] = heterogeneity.of_collections(list(study.COLLECTIONS), SEED)
    made_by = {"dataset": heterogeneity.MAPPED, "scale": SCALE, "seed": SEED, "slopes": heterogeneity.SLOPES}
    made_by |= {"synthetic": True}
    common.write(FOLDER / MAP, tables, made_by)


def main(*names: str) -> None:
    """Make the stored tables of the collections of those names, or of all, and the map."""
    options = common.kept(SEED)
    for name in names or (*study.COLLECTIONS, MAP):
        if name == MAP:
            write_map(**options)
            continue
        plan = study.COLLECTIONS[name]
        folds = study.every_fold(plan.dataset or name, plan.scale, SEED, copies=plan.copies)
        write(name, runs.runs(folds, plan.rankers, plan.scale, experiments=plan.experiments, **options), plan)


if __name__ == "__main__":
    main(*sys.argv[1:])
