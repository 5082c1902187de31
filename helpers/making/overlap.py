"""The stored tables of study 1, `data/results/01`: about 1,800 trainings, an hour and a half of one core.

The settings of the judges are made before, by the name "judges", fitted to what Yang et al. print. Labels are drawn
four times for the paper's label sets and for real judges (twice for LambdaMART on the label sets), and twice for what
goes beyond the paper, where only some schemes, budgets and kinds of judges are tried.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import partial

import numpy as np
import pandas as pd

from helpers import paths
from helpers.datasets.collection import Collection
from helpers.engine import sweep
from helpers.judging import crowd
from helpers.judging.pool import Pool, Settings
from helpers.making import common, cystic_fibrosis
from helpers.studies.bounds import judges
from helpers.studies.overlap import crowds, judge_fit
from helpers.studies.overlap import protocol as study
from helpers.studies.overlap import runs as sweeps
from helpers.studies.overlap import tables as overlap

SEED = 2010
POOL = "pool"

PERSONALS = (0.1, 0.3, 0.5)
RELIABILITIES = (0.0, 0.1, 0.2, 0.3)


def write_label_set(name: str, runs: pd.DataFrame) -> None:
    """Store the runs and tables of a label set."""
    whole = common.whole(runs=runs)
    _store(name, sweeps.tables(name, runs, np.random.default_rng(SEED)) | whole, {"trainings": len(runs)})


def write_spending(runs: dict[str, pd.DataFrame]) -> None:
    """Store the tables of what goes beyond the paper; that of real machines only where they are here."""
    common.whole(**runs)
    rng = np.random.default_rng(SEED)
    made = {
        "budget": overlap.against_baseline(runs["budget"], ["ranker", "budget"], ["spent", "queries"], rng),
        "map": overlap.map_table(runs["map"], rng),
        "machine": overlap.machine_table(runs["machine"], rng),
    }
    if machines := paths.here(judges.REAL).get("llmjudge"):
        made["llmjudge"] = overlap.machine_first(machines.frame, "NIST")
    _store("per-label", made, {"draws": sweeps.DRAWS, "trainings": sum(map(len, runs.values()))})


def write_three_ways(name: str, runs: pd.DataFrame) -> None:
    """Store the surface of a budget spent in three ways, and what its doublings gain."""
    common.whole(runs=runs)
    made = {"surface": overlap.surface(runs), "comparisons": overlap.three_ways(runs, np.random.default_rng(SEED))}
    _store(name, made, {"draws": sweeps.WAYS_DRAWS, "trainings": len(runs)})


def _write_crowd(name: str) -> None:
    """Store what Figures 1 to 3 show of a crowd, or of the pool fitted to Clean07."""
    if name == POOL:
        rng, settings = np.random.default_rng(SEED), judge_fit.stored()["clean07"]
        training = study.parts("clean07", study.scale_named("study"), rng)["training"]
        judged = crowds.of_pool(Pool(settings), training, rng)
        more = {"map": majority_map(settings, training, SEED)}
    else:
        judged, more = crowds.REAL[name](), {}
    made = crowds.tables(name, judged, np.random.default_rng(SEED))
    _store(name, made | more, {"pairs": len(judged.truth)})


def _write_settings() -> None:
    """Fit the pools of judges of the three label sets and store them."""
    fitted = {"clean07": judge_fit.fit("clean07"), "clean08": judge_fit.fit("clean08")}
    fitted["clean+"] = judge_fit.fit("clean+", fitted["clean07"])
    settings = pd.DataFrame({name: asdict(found) for name, found in fitted.items()}).T.rename_axis("label_set")
    made = {"settings": settings.reset_index()}
    common.write("01/judges", made, {"fitted to": "Yang et al. 2010, Tables 6 to 8"}, digits=4)


def _store(name: str, made: dict[str, pd.DataFrame], made_by: dict) -> None:
    common.write(f"01/{name}", made, {"scale": "study", "seed": SEED} | made_by)


# What Yang et al. (2010) print fixes how much judges of a pool scatter, and not how much of that is a judge's own
# severity, nor how far judges differ in the size of their slips (`judging.pool`). Their Figure 1 depends on both, so
# that there is a map of it, and no verdict.
def majority_map(settings: Settings, collection: Collection, seed: int) -> pd.DataFrame:
    """From how many judges on the majority beats the best judge: frame personal, reliability, best (agreement on pairs
    held out), majority (of all judges), judges (NaN where there is no such number).
    """
    rows = []
    for point in sweep.grid(personal=PERSONALS, reliability=RELIABILITIES):
        rng = np.random.default_rng(seed)
        judged = crowds.of_pool(Pool(settings, **point), collection, rng)
        best = crowd.best_judge(
            judged.labels, judged.judges, judged.truth, judged.most, crowds.FEWEST, draws=100, rng=rng
        )
        most = best.majority["agreement"].iloc[-1]
        rows.append(point | {"best": best.honest, "majority": most, "judges": wins_from(best)})
    return pd.DataFrame(rows)


def wins_from(best: crowd.BestJudge) -> float:
    """The fewest judges whose majority, and that of any more, beats the best judge; NaN where there is no such number.

    >>> majority = pd.DataFrame({"m": [1, 2, 3, 4], "agreement": [0.5, 0.7, 0.6, 0.7]})
    >>> wins_from(crowd.BestJudge(0, 100, 0.7, 0.65, majority)), wins_from(crowd.BestJudge(0, 100, 0.9, 0.8, majority))
    (4.0, nan)
    """
    ahead = best.majority["agreement"] > best.honest
    return float(best.majority["m"][ahead[::-1].cummin()[::-1]].min())


def _write_runs(name: str) -> None:
    options, scale = common.kept(SEED, "01"), study.scale_named("study")
    if name == "per-label":
        write_spending(sweeps.spending_runs(scale, sweeps.DRAWS, **options))
    elif name == sweeps.PEOPLE:
        write_three_ways(name, sweeps.people_runs(*cystic_fibrosis.load(), **options))
    elif name == sweeps.THREE_WAYS:
        write_three_ways(name, sweeps.portrait_runs(**options))
    else:
        write_label_set(name, sweeps.label_set_runs(name, scale, **options))


# those that decide the claims first
TASKS = {name: partial(_write_runs, name) for name in (*study.LABEL_SETS, sweeps.PEOPLE, sweeps.THREE_WAYS)}
TASKS |= {name: partial(_write_crowd, name) for name in (*crowds.REAL, POOL)}
TASKS |= {"per-label": partial(_write_runs, "per-label"), "judges": _write_settings}
