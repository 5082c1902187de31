"""All runs of study 1 and the tables made of them.

    python -m helpers.overlap_runs

makes the stored tables of scale "study": about 1,800 trainings, an hour and a quarter on two cores. Runs are kept in
the user's cache as they end, so that it can be stopped and goes on where it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import joblib
import numpy as np
import pandas as pd

from helpers import (
    assessors,
    cystic_fibrosis_study,
    figures,
    judge_fit,
    judges,
    overlap,
    overlap_crowds,
    overlap_spending,
    paths,
    results,
    sweep,
)
from helpers import overlap_study as study
from helpers.judge_pool import Pool

SEED = 2010
FOLDER = paths.project("data") / "results" / "01"
DRAWS = 4  # of what goes beyond the paper


def label_set_runs(
    label_set: str,
    scale: study.Scale,
    *,
    matrix: str = "",
    names: Sequence[str] = study.RANKERS,
    store: str | Path,
    n_jobs: int,
    seed: int,
) -> pd.DataFrame:
    """Every run of a label set: a row for each labelling scheme, ranker and draw.

    Parameters
    ----------
    label_set : a key of LABEL_SETS
    matrix : name of one of `data/confusion`, by which all judges err; the fitted pool where empty
    names : rankers
    store, n_jobs, seed : as `sweep.run` takes them
    """
    shared = _shared(label_set, scale, seed) | {"judges": study.judges_named(matrix, label_set)}
    grid = study.grid(label_set, scale, names)
    return sweep.run(study.train_and_test, grid, store=store, n_jobs=n_jobs, seed=seed, shared=shared)


def spending_runs(
    scale: study.Scale, draws: int, *, store: str | Path, n_jobs: int, seed: int
) -> dict[str, pd.DataFrame]:
    """The runs beyond the paper: frames "budget", "map" and "machine"."""
    options = {"store": store, "n_jobs": n_jobs, "seed": seed}
    shared = _shared(overlap_spending.LABEL_SET, scale, seed)
    known = judge_fit.stored()[overlap_spending.LABEL_SET]
    confusion = assessors.load()[overlap_spending.MACHINE].probabilities
    spend, ask = overlap_spending.spend, overlap_spending.ask_machine
    by_budget = shared | {"known": known, "shares": judge_fit.grade_shares()}
    by_route = shared | {"pool": Pool(known), "confusion": confusion}
    return {
        "budget": sweep.run(spend, overlap_spending.budget_grid(draws), shared=by_budget, **options),
        "machine": sweep.run(ask, overlap_spending.machine_grid(draws), shared=by_route, **options),
        "map": sweep.run(spend, overlap_spending.map_grid(draws), shared=by_budget, **options),
    }


def _shared(label_set: str, scale: study.Scale, seed: int) -> dict:
    """Collections and the seeds of the draws, for a sweep."""
    rng = np.random.default_rng(seed)
    return study.parts(label_set, scale, rng) | {"seeds": rng.integers(2**63, size=max(scale.draws, DRAWS))}


def tables(label_set: str, runs: pd.DataFrame, rng: np.random.Generator, judges: str = "") -> dict[str, pd.DataFrame]:
    """What the runs of a label set say: "accuracy", "plane", "comparisons" and, where it has printed ones, "costs".

    Parameters
    ----------
    label_set, runs : as `label_set_runs` takes and returns them
    rng : for intervals
    judges : the matrix by which all judges of the runs erred, or empty for the fitted pool, as in `label_set_runs`

    Raises
    ------
    ValueError
        where all runs failed; those that did are left out.
    """
    runs = sweep.succeeded(runs)
    made = {
        "accuracy": overlap.accuracy(runs),
        "plane": overlap.plane(runs),
        "comparisons": overlap.comparisons(runs, rng),
    }
    if label_set in study.LABEL_SETS:
        made["costs"] = overlap.cost_table(runs, label_set, study.judges_named(judges, label_set))
    return made


def write_label_set(name: str, runs: pd.DataFrame) -> None:
    """Store the runs and tables of a label set, and of Clean07 the picture that the README shows."""
    _refuse_failed(runs)
    made = tables(name, runs, np.random.default_rng(SEED))
    _store(name, made | {"runs": runs}, {"trainings": len(runs)})
    if name == overlap_spending.LABEL_SET:
        figures.set_look()
        figures.cost_plane(made["plane"]).savefig(FOLDER / name / "plane.png", dpi=70)


def write_spending(runs: dict[str, pd.DataFrame]) -> None:
    """Store the tables of what goes beyond the paper; that of real machines only where they are here."""
    _refuse_failed(*runs.values())
    rng = np.random.default_rng(SEED)
    made = {
        "budget": overlap.budget_table(runs["budget"], rng),
        "map": overlap.map_table(runs["map"], rng),
        "machine": overlap.machine_table(runs["machine"], rng),
    }
    if machines := judges.here(judges.REAL).get("llmjudge"):
        made["llmjudge"] = overlap.machine_first(machines.frame, "NIST")
    _store("per-label", made, {"draws": DRAWS, "trainings": sum(map(len, runs.values()))})


def write_crowds() -> None:
    """Store what Figures 1 to 3 show of the crowds that are here, and of the pool fitted to Clean07."""
    found, rng = judges.here(overlap_crowds.REAL), np.random.default_rng(SEED)
    training = study.parts("clean07", study.scale_named("study"), rng)["training"]
    found["pool"] = overlap_crowds.of_pool(Pool(judge_fit.stored()["clean07"]), training, rng)
    for name, judged in found.items():
        _store(name, overlap_crowds.tables(name, judged, np.random.default_rng(SEED)), {"pairs": len(judged.truth)})


def _refuse_failed(*runs: pd.DataFrame) -> None:
    """What is kept with the project is whole."""
    if any(frame["error"].notna().any() for frame in runs):
        raise ValueError(sweep.outcome(*runs))


def _store(name: str, made: dict[str, pd.DataFrame], made_by: dict) -> None:
    rounded = {table: frame.drop(columns="error", errors="ignore").round(6) for table, frame in made.items()}
    results.write(FOLDER / name, rounded, {"scale": "study", "seed": SEED} | made_by)


def main() -> None:
    """Make the stored tables; those of real judges that are not here stay as they are."""
    scale = study.scale_named("study")
    options = {"store": paths.user_cache() / "sweeps" / "01", "n_jobs": joblib.cpu_count(), "seed": SEED}
    for label_set in study.LABEL_SETS:
        write_label_set(label_set, label_set_runs(label_set, scale, **options))
    write_spending(spending_runs(scale, DRAWS, **options))
    with suppress(FileNotFoundError):
        write_label_set(cystic_fibrosis_study.NAME, cystic_fibrosis_study.runs(**options))
    write_crowds()


if __name__ == "__main__":
    main()
