"""The stored tables of study 2.

    python -m helpers.making.bounds

writes them to `data/results/02`. The best learned rankers are those of `helpers.making.baselines`, made before. The
real judges are taken from the data directory; tables of those that are not here stay as they are.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from helpers import paths
from helpers.datasets import portrait
from helpers.engine import results
from helpers.judging import at_hand
from helpers.judging.confusion import load_confusions
from helpers.reporting import figures
from helpers.studies import baselines
from helpers.studies.bounds import collection_ceilings, judges
from helpers.studies.bounds import protocol as study
from helpers.studies.bounds.judges import Judges

SEED = 2012
FOLDER = paths.project("data") / "results" / "02"
SCALE = study.SCALES["study"]


def write_judges(name: str, pool: Judges) -> None:
    """Store the limits of real judges, and the picture of them that the README shows.

    Parameters
    ----------
    name : of the folder
    pool : the judges
    """
    rng = np.random.default_rng(SEED)
    limits = study.limits_table(pool, SCALE, rng)
    halves = study.held_out_table(pool, SCALE, rng)
    tables = {"limits": limits, "held_out": halves}
    comparisons = study.judge_comparisons(limits, halves, rng)
    _store(name, tables | {"comparisons": comparisons})
    figures.set_look()
    figures.limit_scatter(halves, ["pooled", "own"]).savefig(FOLDER / name / "held_out.png", dpi=80)


def write_collection(name: str) -> None:
    """Store the ceilings of the collection of that name beside the best learned NDCG@10 in `data/results/baselines`."""
    table = collection_ceilings.ceilings_table(name, load_confusions(), SCALE, np.random.default_rng(SEED))
    learned = baselines.stored().query("dataset == @name")
    compared = [collection_ceilings.gap_comparisons(table, learned), collection_ceilings.method_comparisons(table)]
    _store(name, {"ceilings": table, "comparisons": pd.concat(compared, ignore_index=True)})


def write_lengths() -> None:
    """Store ceilings, errors and times by the length of the list: MSLR's grades, web-search crowd workers."""
    rng, shares = np.random.default_rng(SEED), portrait.open("mslr-sample").grade_shares
    confusion = load_confusions()["WEB5_truth_vs_worker"].probabilities
    table = collection_ceilings.length_table(shares, confusion, SCALE, rng)
    means = table.assign(error=(table["approximate"] - table["exact"]).abs()).groupby(["length", "cutoff"], sort=False)
    means = means[["exact", "error"]].mean().reset_index()
    tables = {"lengths": means, "methods": collection_ceilings.method_table(shares, confusion, rng)}
    _store("lengths", tables | {"comparisons": collection_ceilings.length_comparisons(table, rng)})


def _store(name: str, tables: dict[str, pd.DataFrame]) -> None:
    rounded = {table: frame.round(6) for table, frame in tables.items()}
    made_by = {"scale": "study", "seed": SEED, "cutoff": study.K}
    results.write(FOLDER / name, rounded, made_by)


def main() -> None:
    """Write all stored tables; those of judges that are not here stay as they are."""
    for name, pool in at_hand.here(judges.REAL).items():
        write_judges(name, pool)
    for name in collection_ceilings.COLLECTIONS:
        write_collection(name)
    write_lengths()


if __name__ == "__main__":
    main()
