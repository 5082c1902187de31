"""The stored tables of study 3.

    python -m helpers.making.robustness [NAME …]

writes them to `data/results/03`, all or those named: `five-data-sets`, about 14,000 trainings, three quarters of an
hour on two cores; `sizes`, the same at several numbers of training queries; `real-counterparts`, real collections in
place of TD2003, which have to be here, beside the stored runs of the five; `thinned`, real collections with fewer
relevant documents, an hour on one core, the two before ten minutes each. Runs are kept in the user's cache as they end,
so that it can be stopped and goes on where it was.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import joblib
import numpy as np
import pandas as pd

from helpers import checks, paths, rankers
from helpers.engine import results, sweep
from helpers.making import failures
from helpers.reporting import figures
from helpers.studies import learnable
from helpers.studies.robustness import counterparts, sizes, trial
from helpers.studies.robustness import protocol as study
from helpers.studies.robustness.runs import runs, tables

SEED = 2014
DATA_SETS = ("ohsumed", "td2003", "mslr-web10k", "mq2008", "clueweb09-webis")
FOLDER = paths.project("data") / "results" / "03" / "five-data-sets"
SIZES, COUNTERPARTS, THINNED = (FOLDER.with_name(name) for name in ("sizes", "real-counterparts", "thinned"))


def write(found: dict[str, pd.DataFrame], names: Sequence[str]) -> None:
    """Store runs and tables, what they were made with, and the picture that the README shows.

    Parameters
    ----------
    found : of `runs`
    names : of the data sets

    Raises
    ------
    ValueError
        when a run failed.
    """
    failures.refuse(*found.values())
    kept = {kind: frame.drop(columns="error").round(6) for kind, frame in found.items()}
    made = {name: frame.round(6) for name, frame in tables(found, np.random.default_rng(SEED)).items()}
    trainings = sum(len(frame) for frame in found.values())
    made_by = {"scale": "study", "seed": SEED, "data sets": list(names), "trainings": trainings}
    results.write(FOLDER, kept | made, made_by)
    figures.set_look()
    grid = figures.fall_curves(made["falls"], "pnoise", "relative", "NDCG@10 [share of noise-free]")
    grid.savefig(FOLDER / "falls.png", dpi=70)


def write_sizes(found: pd.DataFrame) -> None:
    """Store the runs of `sizes.runs` and what each ranker keeps by the number of training queries.

    Parameters
    ----------
    found : of `sizes.runs`

    Raises
    ------
    ValueError
        when a run failed.
    """
    failures.refuse(found)
    made = {
        "uniform": found.drop(columns="error").round(6),
        "kept": sizes.table(found, np.random.default_rng(SEED)).round(6),
    }
    results.write(SIZES, made, {"seed": SEED, "dataset": sizes.PORTRAIT, "synthetic": True, "trainings": len(found)})


def write_counterparts(uniform: pd.DataFrame, found: pd.DataFrame) -> None:
    """Store runs on real collections of few relevant documents, and what they say in place of TD2003.

    Parameters
    ----------
    uniform : runs of the five data sets
    found : runs of the real collections

    Raises
    ------
    ValueError
        when a run failed.
    """
    failures.refuse(uniform, found)
    kept = counterparts.learned(learnable.stored())
    made = counterparts.tables(uniform, found, kept, np.random.default_rng(SEED))
    made = {"uniform": found.drop(columns="error")} | made
    made_by = {"seed": SEED, "data sets": list(counterparts.NAMES), "learned": kept, "trainings": len(found)}
    results.write(COUNTERPARTS, {name: frame.round(6) for name, frame in made.items()}, made_by)


def main(*names: str) -> None:
    """Make the stored tables of those names, or all, each as its runs end.

    Parameters
    ----------
    names : of folders in `data/results/03`

    Raises
    ------
    ValueError
        when there is no such folder to make.
    """
    options = {"store": paths.user_cache() / "sweeps" / "03", "n_jobs": joblib.cpu_count(), "seed": SEED}
    makers = (make_five, make_sizes, make_counterparts, make_thinned)
    tasks = dict(zip((folder.name for folder in (FOLDER, SIZES, COUNTERPARTS, THINNED)), makers, strict=True))
    for name in names or tasks:
        checks.one_of("name", name, list(tasks))
        tasks[name](**options)


def make_five(**options) -> None:
    """The runs and tables of the five data sets; one that is not here is a portrait's.

    Parameters
    ----------
    options : store, n_jobs and seed, as `sweep.run` takes them
    """
    scale = study.scale_named("study")
    names = [study.at_hand(name) for name in DATA_SETS]
    folds = {name: study.folds(name, scale, np.random.default_rng(SEED)) for name in names}
    write(runs(folds, rankers.NAMES, study.JUDGES, scale, **options), names)


def make_sizes(**options) -> None:
    """The runs by the number of training queries.

    Parameters
    ----------
    options : as in `make_five`
    """
    drawn = sizes.folds(sizes.RANKERS, np.random.default_rng(SEED))
    write_sizes(sizes.runs(drawn, sizes.RANKERS, **options))


def make_counterparts(**options) -> None:
    """The runs of the real counterparts, beside the stored ones of the five data sets.

    Parameters
    ----------
    options : as in `make_five`
    """
    uniform = results.stored("03")[FOLDER.name]["uniform"].assign(error=None)
    write_counterparts(uniform, on_counterparts(**options))


def on_counterparts(**options) -> pd.DataFrame:
    """The runs of every ranker on the real collections of few relevant documents: the frame of `sweep.run`.

    Parameters
    ----------
    options : store, n_jobs and seed, as `sweep.run` takes them

    Raises
    ------
    FileNotFoundError
        when a collection is not here.
    """
    frames = []
    for name in counterparts.NAMES:
        parts = study.folds(name, counterparts.SCALE, np.random.default_rng(SEED))
        shared = {"folds": parts, "confusions": study.confusions([], study.n_grades(parts))}
        grid = study.uniform_grid(name, rankers.NAMES, counterparts.SCALE)
        frames.append(sweep.run(trial.train_and_test, grid, shared=shared, **options))
    return pd.concat(frames, ignore_index=True)


def make_thinned(**options) -> None:
    """The runs of every ranker on the real collections whose relevant documents are thinned, and on target types.

    Parameters
    ----------
    options : as in `make_five`

    Raises
    ------
    FileNotFoundError
        when a collection is not here.
    ValueError
        when a run failed.
    """
    frames, versions = [], []
    for name, shares in counterparts.SHARES.items():
        place = str(paths.user_data() / counterparts.PLACES[name]) if name in counterparts.PLACES else name
        whole = study.folds(place, counterparts.THINNED, np.random.default_rng(SEED))
        frames.append(counterparts.runs(name, whole, rankers.NAMES, **options))
        queries = study.whole(whole).n_queries
        for share in shares:
            parts = counterparts.thinned(whole, share, np.random.default_rng(SEED))
            relevant = np.mean([(training.grades > 0).mean() for training, _, _ in parts])
            versions.append((name, share, queries, relevant))
    found = pd.concat(frames, ignore_index=True)
    failures.refuse(found)
    made = {
        "uniform": found.drop(columns="error"),
        "versions": pd.DataFrame(versions, columns=["dataset", "kept", "queries", "relevant"]),
    }
    made_by = {"seed": SEED, "data sets": list(counterparts.SHARES), "trainings": len(found)}
    results.write(THINNED, {name: frame.round(6) for name, frame in made.items()}, made_by)


if __name__ == "__main__":
    main(*sys.argv[1:])
