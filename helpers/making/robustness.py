"""The stored tables of study 3, `data/results/03`.

`five-data-sets`, about 14,000 trainings, three quarters of an hour on two cores; `sizes`, the same at several numbers
of training queries; `real-counterparts`, real collections in place of TD2003, which have to be here, beside the stored
runs of the five; `thinned`, real collections with fewer relevant documents, an hour on one core, the two before ten
minutes each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from helpers import paths, rankers
from helpers.datasets import portrait
from helpers.engine import results, sweep
from helpers.making import common
from helpers.reporting import verdicts
from helpers.studies import learnable
from helpers.studies.robustness import protocol as study
from helpers.studies.robustness import runs, tables, trial
from helpers.studies.robustness.tables import ALL, ALL_REAL, REAL, WITHOUT

SEED = 2014
DATA_SETS = ("ohsumed", "td2003", "mslr-web10k", "mq2008", "clueweb09-webis")
FIVE, SIZES, COUNTERPARTS, THINNED = "five-data-sets", "sizes", "real-counterparts", "thinned"

PORTRAIT = study.PORTRAITS["mslr-web10k"]  # of which `sizes` are drawn
SECONDS = ("RankSVM", "ListNet", "AdaRank")  # rankers that learn from the largest collection within seconds
RANKERS = {250: rankers.NAMES, 1500: rankers.NAMES, 6000: SECONDS}  # training queries -> who is trained on as many
LEVELS = (0.0, 0.2, 0.4)
DRAWN, VALIDATION, TEST = 3, 500, 1000  # collections, and the most queries to choose rounds by and to test on

# whole collections in their official folds, at levels that all data sets of the study have
SCALE = study.Scale(documents=10**6, folds=5, levels=(0.0, 0.1, 0.2, 0.3, 0.4, 0.5), judged=(), draws=2, few_draws=2)
THINNED_SCALE = replace(SCALE, levels=(0.0, 0.1, 0.3, 0.5), draws=1, few_draws=1)
ALL_SHARES = (0.01, 0.02, 0.05, 0.1, 0.3, 1.0)
# collection -> the shares of its relevant documents that training has in its versions
SHARES = dict.fromkeys(("ohsumed", "mq2007-part", "robust04"), ALL_SHARES) | {"target-types": (1.0,)}
# times that documents and labels are drawn: more often of a smaller collection
DRAWS = {"ohsumed": 5, "mq2007-part": 2, "robust04": 1, "target-types": 3}


def write(found: dict[str, pd.DataFrame], names: Sequence[str]) -> None:
    """Store runs and tables, and what they were made with."""
    whole, made = common.whole(**found), runs.tables(found, np.random.default_rng(SEED))
    trainings = sum(len(frame) for frame in found.values())
    made_by = {"scale": "study", "seed": SEED, "data sets": list(names), "trainings": trainings}
    common.write(f"03/{FIVE}", whole | made, made_by)


def _make_five() -> None:
    """The runs and tables of the five data sets; one that is not here is a portrait's."""
    scale = study.scale_named("study")
    names = [study.at_hand(name) for name in DATA_SETS]
    folds = {name: study.folds(name, scale, np.random.default_rng(SEED)) for name in names}
    write(runs.runs(folds, rankers.NAMES, study.JUDGES, scale, **common.kept(SEED, "03")), names)


def _make_sizes() -> None:
    """The runs by the number of training queries, and what each ranker keeps."""
    folds = folds_of_sizes(RANKERS, np.random.default_rng(SEED))
    found = runs_of_sizes(folds, RANKERS, **common.kept(SEED, "03"))
    made = common.whole(uniform=found) | {"kept": table_of_sizes(found, np.random.default_rng(SEED))}
    made_by = {"seed": SEED, "dataset": PORTRAIT, "synthetic": True, "trainings": len(found)}
    common.write(f"03/{SIZES}", made, made_by)


def folds_of_sizes(sizes: Sequence[int], rng: np.random.Generator) -> dict[int, list[trial.Fold]]:
    """Number of training queries -> training, validation and test queries of each drawn collection.

    Queries of a smaller size are among those of a larger one, and test queries are the same, so that sizes differ by
    their number alone.
    """
    source, most = portrait.open(PORTRAIT.removesuffix(portrait.SUFFIX)), max(sizes)
    validation = {n: min(n // 3, VALIDATION) for n in sizes}
    drawn = [[portrait.draw(source, n, rng) for n in (most, validation[most], TEST)] for _ in range(DRAWN)]
    return {
        n: [(a.take_queries(np.arange(n)), b.take_queries(np.arange(validation[n])), c) for a, b, c in drawn]
        for n in sizes
    }


def runs_of_sizes(folds: Mapping[int, list[trial.Fold]], names: Mapping[int, Sequence[str]], **options) -> pd.DataFrame:
    """A run for each size, ranker, drawn collection and level: the frame of `sweep.run`, and a column `queries`."""
    frames = []
    for queries, parts in folds.items():
        scale = study.Scale(0, len(parts), LEVELS, (), 1, 1)
        own = _run(parts, study.uniform_grid(PORTRAIT, names[queries], scale), **options)
        frames.append(own.assign(queries=queries))
    return pd.concat(frames, ignore_index=True)


def table_of_sizes(runs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """What each ranker keeps by the number of training queries: frame queries, and the columns of `tables.falls`."""
    frames = {}
    for queries, of_size in sweep.succeeded(runs).groupby("queries"):
        whole = of_size[of_size["ranker"].isin(tables.complete(of_size))]
        if len(whole):
            frames[queries] = tables.falls(tables.cells(whole, rng)).drop(columns="dataset")
    return pd.concat(frames, names=["queries"]).reset_index("queries").reset_index(drop=True)


def _make_counterparts() -> None:
    """The runs of the real counterparts, beside the stored ones of the five data sets."""
    uniform = results.stored("03")[FIVE]["uniform"].assign(error=None)
    frames = []
    for name in learnable.COUNTERPARTS:
        parts = study.folds(name, SCALE, np.random.default_rng(SEED))
        frames.append(_run(parts, study.uniform_grid(name, rankers.NAMES, SCALE), **common.kept(SEED, "03")))
    write_counterparts(uniform, pd.concat(frames, ignore_index=True))


def write_counterparts(uniform: pd.DataFrame, found: pd.DataFrame) -> None:
    """Store runs on real collections of few relevant documents, and what they say in place of TD2003."""
    whole, kept = common.whole(uniform=found), learnable.learned()
    made = tables_of_counterparts(uniform, found, kept, np.random.default_rng(SEED))
    made_by = {"seed": SEED, "data sets": list(learnable.COUNTERPARTS), "learned": kept, "trainings": len(found)}
    common.write(f"03/{COUNTERPARTS}", whole | made, made_by)


def tables_of_counterparts(
    uniform: pd.DataFrame,
    counterparts: pd.DataFrame,
    kept: Sequence[str],
    rng: np.random.Generator,
) -> dict[str, pd.DataFrame]:
    """What one curve explains with TD2003, without it, and on real collections alone: "falls", "explained", "turning".

    All at the levels and with the rankers that the real collections have, so that only the data sets differ.
    """
    alike = uniform["level"].isin(counterparts["level"]) & uniform["ranker"].isin(counterparts["ranker"])
    cells = tables.cells(pd.concat([uniform[alike], counterparts], ignore_index=True), rng)
    others = list(counterparts["dataset"].unique())
    five = [name for name in cells.datasets if name not in others]
    groups = {ALL: five, WITHOUT: [name for name in five if not name.startswith(tables.FRAGILE)]}
    for over, more in ((REAL, kept), (ALL_REAL, others)):
        groups[over] = [name for name in (*five, *more) if verdicts.basis_of(name) == verdicts.REAL]
    parts = {over: tables.of_data_sets(cells, names) for over, names in groups.items()}
    explained = [tables.explained(part).assign(over=over) for over, part in parts.items()]
    turning = [tables.turning_points(tables.curves(part)).assign(over=over) for over, part in parts.items()]
    return {
        "falls": tables.falls(cells).query("dataset in @others"),
        "explained": pd.concat(explained, ignore_index=True),
        "turning": pd.concat(turning, ignore_index=True),
    }


def _make_thinned() -> None:
    """The runs of every ranker on the real collections whose relevant documents are thinned, and on target types."""
    frames, versions = [], []
    for name, shares in SHARES.items():
        place = str(paths.user_data() / study.PLACES[name]) if name in study.PLACES else name
        whole = study.folds(place, THINNED_SCALE, np.random.default_rng(SEED))
        frames.append(runs_of_thinned(name, whole, rankers.NAMES, **common.kept(SEED, "03")))
        queries = study.whole(whole).n_queries
        for share in shares:
            parts = thinned(whole, share, np.random.default_rng(SEED))
            relevant = np.mean([(training.grades > 0).mean() for training, _, _ in parts])
            versions.append((name, share, queries, relevant))
    found = pd.concat(frames, ignore_index=True)
    made = common.whole(uniform=found)
    made["versions"] = pd.DataFrame(versions, columns=["dataset", "kept", "queries", "relevant"])
    common.write(f"03/{THINNED}", made, {"seed": SEED, "data sets": list(SHARES), "trainings": len(found)})


def thinned(folds: Sequence[trial.Fold], share: float, rng: np.random.Generator) -> list[trial.Fold]:
    """The folds with fewer relevant documents to learn from: a share of those of training, and of validation.

    Test queries keep theirs, or what was learned could not be told. From the same state of rng, a smaller share is a
    part of a larger one.
    """
    return [(*(study.thinned(part, share, rng) for part in fold[:2]), fold[2]) for fold in folds]


def runs_of_thinned(dataset: str, folds: Sequence[trial.Fold], names: Sequence[str], **options) -> pd.DataFrame:
    """A run for each share of SHARES, ranker, fold, level and draw: the frame of `sweep.run`, and a column `kept`."""
    once = study.uniform_grid(dataset, names, THINNED_SCALE)
    frames = []
    for share in SHARES[dataset]:
        for draw in range(DRAWS[dataset]):
            parts = thinned(folds, share, np.random.default_rng([options["seed"], draw]))
            frames.append(_run(parts, [point | {"draw": draw} for point in once], **options).assign(kept=share))
    return pd.concat(frames, ignore_index=True)


def _run(parts: Sequence[trial.Fold], grid: list[dict], **options) -> pd.DataFrame:
    """Runs with uniform noise: the frame of `sweep.run`."""
    shared = {"folds": parts, "confusions": study.confusions([], study.n_grades(parts))}
    return sweep.run(trial.train_and_test, grid, shared=shared, **options)


TASKS = {FIVE: _make_five, SIZES: _make_sizes, COUNTERPARTS: _make_counterparts, THINNED: _make_thinned}
