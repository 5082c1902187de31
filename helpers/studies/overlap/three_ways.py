"""Beyond study 1: one budget, three ways to spend a noisy label: on another query, another document, another judge.

A purchase is queries x documents of each x labels of each document, all in powers of two, so that many purchases cost
the same. Studies 1 and 4 are its edges: what several labels are worth where queries and documents are given, and what
queries or documents are worth where a document has one label.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from helpers.datasets import portrait, sampling
from helpers.engine import sweep
from helpers.judging import cystic_fibrosis
from helpers.studies.overlap import protocol as study
from helpers.studies.overlap.runs import whole
from helpers.studies.overlap.three_ways_trial import learn, learn_from_people
from helpers.studies.overlap.trial import FOLDS

NAME, PEOPLE = "three-ways", "three-ways-cystic-fibrosis"
LABEL_SET = "clean07"
"""Whose fitted judges label the portrait."""

RANKERS = ("LambdaRank", "RankSVM")
"""What is run where no rankers are named; every other one can be."""

DRAWS = 4


@dataclass(frozen=True)
class Levels:
    """The purchases of a surface.

    Attributes
    ----------
    queries, documents, labels : of each of which there are so many
    validation_queries, test_queries : of the portrait; real folds have what they have
    """

    queries: tuple[int, ...] = (64, 128, 256, 512)
    documents: tuple[int, ...] = (4, 8, 16, 32)
    labels: tuple[int, ...] = (1, 2, 4)
    validation_queries: int = 200
    test_queries: int = 2000


PORTRAIT = Levels()
OF_PEOPLE = Levels(queries=(7, 14, 28, 56))
"""Of 60 queries that train in a fold of the Cystic Fibrosis collection."""


def grid(levels: Levels, draws: int, names: Sequence[str] = RANKERS, **more: Sequence) -> list[dict]:
    """Every purchase, ranker and draw.

    Parameters
    ----------
    levels : of the purchases
    draws : of what is bought and labelled
    names : rankers
    more : other parameters of the runs and their values
    """
    bought = {"queries": levels.queries, "documents": levels.documents, "labels": levels.labels}
    return sweep.grid(ranker=list(names), **bought, draw=range(draws), **more)


def portrait_runs(
    levels: Levels = PORTRAIT,
    draws: int = DRAWS,
    names: Sequence[str] = RANKERS,
    matrix: str = "",
    *,
    store: str | Path,
    n_jobs: int,
    seed: int,
) -> pd.DataFrame:
    """SYNTHETIC: a row for each purchase, ranker and draw, on queries drawn from the MSLR portrait.

    Parameters
    ----------
    levels, draws, names : as in `grid`
    matrix : name of one of `data/confusion`, by which all judges err; the pool fitted to Clean07 where empty
    store, n_jobs, seed : as `sweep.run` takes them
    """
    rng, source = np.random.default_rng(seed), portrait.open(study.PORTRAIT)
    deep, shallow = max(levels.documents), study.VALIDATION_DOCS
    sizes = {
        "training": (max(levels.queries), deep),
        "validation": (levels.validation_queries, shallow),
        "test": (levels.test_queries, shallow),
    }
    parts = {
        name: sampling.documents(portrait.draw(source, queries, rng), documents, rng)
        for name, (queries, documents) in sizes.items()
    }
    shared = parts | {"judges": study.judges_named(matrix, LABEL_SET), "seeds": rng.integers(2**63, size=draws)}
    return sweep.run(learn, grid(levels, draws, names), store=store, n_jobs=n_jobs, seed=seed, shared=shared)


def people_runs(
    levels: Levels = OF_PEOPLE,
    draws: int = DRAWS,
    names: Sequence[str] = RANKERS,
    *,
    store: str | Path,
    n_jobs: int,
    seed: int,
) -> pd.DataFrame:
    """A row for each purchase, ranker and draw, of the Cystic Fibrosis collection and its four judges, over its folds.

    Parameters
    ----------
    levels, draws, names : as in `grid`
    store, n_jobs, seed : as `sweep.run` takes them

    Raises
    ------
    FileNotFoundError
        where the collection is not in the data directory.
    """
    judged, rng = cystic_fibrosis.load(), np.random.default_rng(seed)
    order = rng.permutation(judged.collection.n_queries)
    shared = {"collection": judged.collection, "given": judged.labels, "order": order}
    shared["seeds"] = rng.integers(2**63, size=draws)
    runs = grid(levels, draws, names, fold=range(FOLDS))
    by_fold = sweep.run(learn_from_people, runs, store=store, n_jobs=n_jobs, seed=seed, shared=shared)
    return whole(by_fold, order, ["ranker", "queries", "documents", "labels", "draw"], ["spent"])
