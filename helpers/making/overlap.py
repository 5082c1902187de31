"""The stored tables of study 1.

    python -m helpers.making.overlap [NAME …]

writes them to `data/results/01`, the folders named or all but the settings of the judges, which `helpers.making.judges`
makes before. That is about 1,800 trainings, an hour and a half of one core. Labels are drawn four times for the paper's
label sets and for real judges (twice for LambdaMART on the label sets), and twice for what goes beyond the paper, where
only some schemes, budgets and kinds of judges are tried. Runs are kept in the user's cache as they end, so that it can
be stopped and goes on where it was; each table is written as soon as its runs have ended, those that decide the claims
first. Real judges are taken from the data directory.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress

import numpy as np
import pandas as pd

from helpers import checks
from helpers.judging import at_hand
from helpers.judging.pool import Pool
from helpers.making import common, noise_map
from helpers.reporting import figures
from helpers.studies.bounds import judges
from helpers.studies.overlap import crowds as overlap_crowds
from helpers.studies.overlap import judge_fit, titles
from helpers.studies.overlap import protocol as study
from helpers.studies.overlap import runs as sweeps
from helpers.studies.overlap import tables as overlap

SEED = 2010
FOLDER = common.RESULTS / "01"


def write_label_set(name: str, runs: pd.DataFrame) -> None:
    """Store the runs and tables of a label set, and of Clean07 the picture that the README shows."""
    common.refuse(runs)
    made = sweeps.tables(name, runs, np.random.default_rng(SEED))
    _store(name, made | {"runs": runs}, {"trainings": len(runs)})
    if name == sweeps.LABEL_SET:
        figures.set_look()
        figures.overlap.cost_plane(made["plane"], titles.titles(made["plane"])).savefig(
            FOLDER / name / "plane.png", dpi=70
        )


def write_spending(runs: dict[str, pd.DataFrame]) -> None:
    """Store the tables of what goes beyond the paper; that of real machines only where they are here."""
    common.refuse(*runs.values())
    rng = np.random.default_rng(SEED)
    made = {
        "budget": overlap.budget_table(runs["budget"], rng),
        "map": overlap.map_table(runs["map"], rng),
        "machine": overlap.machine_table(runs["machine"], rng),
    }
    if machines := at_hand.here(judges.REAL).get("llmjudge"):
        made["llmjudge"] = overlap.machine_first(machines.frame, "NIST")
    _store("per-label", made, {"draws": sweeps.DRAWS, "trainings": sum(map(len, runs.values()))})


def write_three_ways(name: str, runs: pd.DataFrame) -> None:
    """Store the surface of a budget spent in three ways, and what its doublings gain."""
    common.refuse(runs)
    made = {"surface": overlap.surface(runs), "comparisons": overlap.three_ways(runs, np.random.default_rng(SEED))}
    _store(name, made, {"draws": sweeps.WAYS_DRAWS, "trainings": len(runs)})


def write_crowds() -> None:
    """Store what Figures 1 to 3 show of the crowds that are here, and of the pool fitted to Clean07."""
    found, rng = at_hand.here(overlap_crowds.REAL), np.random.default_rng(SEED)
    training = study.parts("clean07", study.scale_named("study"), rng)["training"]
    settings = judge_fit.stored()["clean07"]
    found["pool"] = overlap_crowds.of_pool(Pool(settings), training, rng)
    for name, judged in found.items():
        made = overlap_crowds.tables(name, judged, np.random.default_rng(SEED))
        made |= {"map": noise_map.majority_map(settings, training, SEED)} if name == "pool" else {}
        _store(name, made, {"pairs": len(judged.truth)})


def _store(name: str, made: dict[str, pd.DataFrame], made_by: dict) -> None:
    common.write(FOLDER / name, made, {"scale": "study", "seed": SEED} | made_by)


def steps(**options) -> dict[str, Callable[[], None]]:
    """Folder -> what makes its tables, those that decide the claims first; the crowds are made with the pool."""
    scale = study.scale_named("study")
    made = {
        name: lambda name=name: write_label_set(name, sweeps.label_set_runs(name, scale, **options))
        for name in study.LABEL_SETS
    }
    ways, pairs = sweeps.THREE_WAYS, sweeps.PEOPLE
    made[pairs] = lambda: write_three_ways(pairs, sweeps.people_runs(**options))
    made[ways] = lambda: write_three_ways(ways, sweeps.portrait_runs(**options))
    made["pool"] = write_crowds
    made["per-label"] = lambda: write_spending(sweeps.spending_runs(scale, sweeps.DRAWS, **options))
    return made


def main(*names: str) -> None:
    """Make the tables of those folders, or of all; then those of real judges that are not here stay as they are."""
    made = steps(**common.kept(SEED, "01"))
    for name in names or made:
        checks.one_of("name", name, made)
        with suppress(*() if names else (FileNotFoundError,)):
            made[name]()


if __name__ == "__main__":
    main(*sys.argv[1:])
