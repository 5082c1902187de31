"""Real collections of few relevant documents in place of TD2003, which is only at hand as a portrait.

Some have few as they are; in others the relevant documents are thinned, so that two versions of a collection differ in
nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from helpers.datasets.collection import Collection
from helpers.engine import sweep
from helpers.reporting import verdicts
from helpers.reporting.answers import interval, signed
from helpers.studies import learnable
from helpers.studies.robustness import protocol as study
from helpers.studies.robustness import tables as robustness
from helpers.studies.robustness import trial

NAMES = ("robust04", "microblog", "dbpedia-entity")
LEVELS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
SCALE = study.Scale(documents=10**6, folds=5, levels=LEVELS, judged=(), draws=2, few_draws=2)
"""Whole collections in their official folds, at levels that all data sets of the study have."""

ALL_SHARES = (0.01, 0.02, 0.05, 0.1, 0.3, 1.0)
SHARES = dict.fromkeys(("ohsumed", "mq2007-part", "robust04"), ALL_SHARES) | {"target-types": (1.0,)}
"""Collection -> the shares of its relevant documents that training has in its versions."""

PLACES = {"target-types": "multi-judge/target-types/features.txt"}
"""A LETOR file under the data directory, its label that of at least four of seven workers: 3 % are relevant."""

THINNED = replace(SCALE, levels=(0.0, 0.1, 0.3, 0.5), draws=1, few_draws=1)
DRAWS = {"ohsumed": 5, "mq2007-part": 2, "robust04": 1, "target-types": 3}
"""Times that documents and labels are drawn: more often of a smaller collection."""

ALL, WITHOUT, REAL, ALL_REAL = (
    "five data sets, two synthetic",
    "without TD2003",
    "real collections",
    "real collections, also where nothing is gained",
)
"""Which data sets one curve is fitted to; no portrait is among those called real."""


def learned(compared: pd.DataFrame, names: Sequence[str] = NAMES) -> list[str]:
    """The collections on which some ranker that learns is better than the best single run.

    Where none is, what is learned is little, and noise can take little of it: such a collection says nothing of what
    makes a collection robust.

    Parameters
    ----------
    compared : of `learnable.compared`
    names : of collections

    Examples
    --------
    >>> compared = pd.DataFrame({"dataset": ["a", "b"], "ranker": "RankSVM", "over": "best run", "low": [0.01, -0.02]})
    >>> learned(compared, ["a", "b"])
    ['a']
    """
    gained = compared[(compared["over"] == learnable.BEST_RUN) & compared["ranker"].isin(learnable.RANKERS)]
    ahead = set(gained.loc[gained["low"] > 0, "dataset"])
    return [name for name in names if name in ahead]


def gained(compared: pd.DataFrame, names: Sequence[str] = NAMES) -> str:
    """On which real collections a ranker gains over the best single run, so that noise has something to take.

    Parameters
    ----------
    compared : of `learnable.compared`
    names : of collections

    >>> compared = pd.DataFrame({"dataset": ["a", "b"], "ranker": "RankSVM", "over": "best run", "ndcg": [0.02, -0.01],
    ...                          "low": [0.01, -0.02], "high": [0.03, 0.0]})
    >>> gained(compared, ["a", "b"])  # doctest: +NORMALIZE_WHITESPACE
    'On a RankSVM is ahead of the best single run by +.020 (.010 to .030). On b no ranker is clearly ahead of it
    (RankSVM -.010, -.020 to .000), so that noise has little to take there.'
    """
    rows = compared[(compared["over"] == learnable.BEST_RUN) & compared["ranker"].isin(learnable.RANKERS)]
    best = [rows[rows["dataset"] == name].sort_values("low").iloc[-1] for name in names]
    return " ".join(_gain(row) for row in best)


def thinned(folds: Sequence[trial.Fold], share: float, rng: np.random.Generator) -> list[trial.Fold]:
    """The folds with fewer relevant documents to learn from: a share of those of training, and of validation.

    Whoever has few relevant documents has few in all that was judged, so that validation is thinned like training. Test
    queries keep theirs, or what was learned could not be told. The other documents stay, also those of queries that are
    left without a relevant one. From the same state of rng, a smaller share is a part of a larger one.

    Parameters
    ----------
    folds : as `protocol.folds` gives them
    share : above 0, of the documents of grade 1 and up, over all queries of a part together; at least one is kept
    rng : draws which, for every fold

    Examples
    --------
    >>> part = Collection(np.zeros((4, 1)), [0, 1, 2, 0], [0, 2, 4])
    >>> training, validation, test = thinned([(part, part, part)], 0.5, np.random.default_rng(0))[0]
    >>> training.n_docs, validation.n_docs, test.n_docs
    (3, 3, 4)
    """
    return [(*(_thinned(part, share, rng) for part in fold[:2]), fold[2]) for fold in folds]


def runs(
    dataset: str, folds: Sequence[trial.Fold], names: Sequence[str], *, store: str | Path, n_jobs: int, seed: int
) -> pd.DataFrame:
    """A run for each share of SHARES, ranker, fold, level and draw: the frame of `sweep.run`, and a column `kept`.

    What is kept of the relevant documents is drawn anew for each draw, and is the same at all levels of noise.

    Parameters
    ----------
    dataset : a key of SHARES
    folds : of the whole collection
    names : rankers
    store, n_jobs, seed : as `sweep.run` takes them; `thinned` starts from the seed and the draw's number
    """
    confusions = study.confusions([], study.n_grades(folds))
    once = study.uniform_grid(dataset, names, THINNED)
    frames = []
    for share in SHARES[dataset]:
        for draw in range(DRAWS[dataset]):
            parts = thinned(folds, share, np.random.default_rng([seed, draw]))
            shared = {"folds": parts, "confusions": confusions}
            grid = [point | {"draw": draw} for point in once]
            found = sweep.run(trial.train_and_test, grid, shared=shared, store=store, n_jobs=n_jobs, seed=seed)
            frames.append(found.assign(kept=share))
    return pd.concat(frames, ignore_index=True)


def tables(
    uniform: pd.DataFrame,
    counterparts: pd.DataFrame,
    kept: Sequence[str],
    rng: np.random.Generator,
) -> dict[str, pd.DataFrame]:
    """What one curve explains with TD2003, without it, and on real collections alone.

    All at the levels and with the rankers that the real collections have, so that only the data sets differ.

    Parameters
    ----------
    uniform : runs of the study's data sets, as `tables.cells` takes them
    counterparts : runs of the real collections
    kept : those of them that are `learned`
    rng : draws bootstrap samples

    Returns
    -------
    dict : "falls" of the real collections, as `tables.falls` gives them; "explained" and "turning", as the functions of
        these names in `tables`, with a column `over`, one of ALL, WITHOUT, REAL and ALL_REAL
    """
    alike = uniform["level"].isin(counterparts["level"]) & uniform["ranker"].isin(counterparts["ranker"])
    cells = robustness.cells(pd.concat([uniform[alike], counterparts], ignore_index=True), rng)
    parts = {over: robustness.of_data_sets(cells, names) for over, names in _groups(cells, counterparts, kept).items()}
    explained = [robustness.explained(part).assign(over=over) for over, part in parts.items()]
    turning = [robustness.turning_points(robustness.curves(part)).assign(over=over) for over, part in parts.items()]
    falls = robustness.falls(cells)
    return {
        "falls": falls[falls["dataset"].isin(counterparts["dataset"])],
        "explained": pd.concat(explained, ignore_index=True),
        "turning": pd.concat(turning, ignore_index=True),
    }


def _thinned(part: Collection, share: float, rng: np.random.Generator) -> Collection:
    relevant = np.flatnonzero(part.grades > 0)
    left_out = rng.permutation(relevant)[max(1, round(share * len(relevant))) :]
    return part.take_rows(np.delete(np.arange(part.n_docs), left_out))


def _gain(row: pd.Series) -> str:
    bounds = interval(row["low"], row["high"])
    if row["low"] > 0:
        gain = f"{signed(row['ndcg'])} ({bounds})"
        return f"On {row['dataset']} {row['ranker']} is ahead of the best single run by {gain}."
    return (
        f"On {row['dataset']} no ranker is clearly ahead of it ({row['ranker']} {signed(row['ndcg'])}, {bounds}), so "
        "that noise has little to take there."
    )


def _groups(cells: robustness.Cells, counterparts: pd.DataFrame, kept: Sequence[str]) -> dict[str, list[str]]:
    others = list(counterparts["dataset"].unique())
    five = [name for name in cells.datasets if name not in others]
    without = [name for name in five if not name.startswith(robustness.FRAGILE)]
    groups = {ALL: five, WITHOUT: without, REAL: [*five, *kept], ALL_REAL: [*five, *others]}
    return groups | {
        over: [n for n in groups[over] if verdicts.basis_of(n) == verdicts.REAL] for over in (REAL, ALL_REAL)
    }
