"""Stored tables: what was measured on pilots, by query, and runs of other studies that surfaces are fitted to.

Study 4 ran queries x documents with the labels of a collection; study 1 queries x documents x labels of several judges;
study 3 what a ranker keeps that learns from another kind of judge. A collection is one entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from helpers.datasets import portrait
from helpers.engine import results
from helpers.studies.budget.resampling import Cell, Measured

STUDY = "05"
CELLS = ["opinions", "depth", "query", "y", "square", "whole", "machine"]
PLACES = 6
POOL = ["ranker", "queries", "documents", "opinions", "ndcg"]
MACHINE, CROWD = "RAG25_NIST_vs_UMBRELA2", "WEB5_truth_vs_worker"
"""A language model and a worker of a crowd, by the matrices of `data/confusion`."""

REAL_JUDGES = ("three-ways-cystic-fibrosis", "cystic-fibrosis")
"""Of the surfaces of study 1 those by real judges; the others are drawn."""


class Source(NamedTuple):
    """Where a study keeps its runs."""

    table: str
    names: dict[str, str]  # column -> what it is called here
    measure: str  # what `ndcg` is


SOURCES = {
    "01": Source("surface", {"labels": "opinions", "ndcg@3": "ndcg"}, "nDCG@3"),
    "04": Source("pool", {}, "nDCG@10"),
}
"""Study -> where its runs are."""


def table(measured: Measured) -> pd.DataFrame:
    """The cells of a pilot as a frame of CELLS, queries numbered from 0; machine is NaN where there was none."""
    frames = []
    for cell in measured.cells:
        machine = np.full(len(cell.y), np.nan) if cell.machine is None else cell.machine
        values = {"y": cell.y, "square": cell.square, "whole": cell.whole, "machine": machine}
        frames.append(pd.DataFrame({"opinions": cell.opinions, "depth": cell.depth} | values))
    whole = pd.concat(frames)
    return whole.assign(query=whole.index).reset_index(drop=True)[CELLS].round(PLACES)


def measured(rows: pd.DataFrame, cutoff: int, name: str) -> Measured:
    """What `table` made of it: the pilot as it was measured."""
    cells = []
    for (opinions, depth), part in rows.groupby(["opinions", "depth"]):
        values = [part[column].to_numpy(float) for column in CELLS[3:]]
        machine = None if np.isnan(values[3]).any() else values[3]
        cells.append(Cell(int(depth), int(opinions), *values[:3], machine))
    return Measured(cells, cutoff, int(rows["opinions"].max()), int(rows["depth"].max()), name)


def tables(name: str) -> dict[str, pd.DataFrame]:
    """The stored tables of a collection, or of `training`: name -> frame."""
    return results.stored(STUDY)[name]


def pilots() -> dict[str, Measured]:
    """The stored pilots: collection -> what was measured on it."""
    found = {}
    for name, kept in results.stored(STUDY).items():
        if "cells" in kept:
            made_by = results.produced_by(STUDY, name)
            found[name] = measured(kept["cells"], made_by["cutoff"], made_by["pilot"])
    return found


def pools(real: bool = True) -> dict[str, pd.DataFrame]:
    """The pools of all studies that have some: collection -> frame of POOL."""
    return {
        name: as_pool(tables[source.table], source.names, name)
        for study, source in SOURCES.items()
        for name, tables in results.stored(study).items()
        if source.table in tables and not (real and is_synthetic(study, name))
    }


def measures() -> dict[str, str]:
    """Collection -> the measure of its pool, for all that `pools` has."""
    return {
        name: source.measure
        for study, source in SOURCES.items()
        for name, tables in results.stored(study).items()
        if source.table in tables
    }


def as_pool(table: pd.DataFrame, names: Mapping[str, str], data: str) -> pd.DataFrame:
    """A table of runs as frame of POOL, those that failed left out; one opinion a document where it names none."""
    renamed = table.rename(columns=names)
    if "opinions" not in renamed:
        renamed = renamed.assign(opinions=1)
    missing = [column for column in POOL if column not in renamed]
    if missing:
        raise ValueError(f"pool of {data}: no column {missing[0]!r} among {', '.join(table)}")
    if "error" in renamed:
        renamed = renamed[renamed["error"].isna()]
    return renamed[POOL].reset_index(drop=True)


def is_synthetic(study: str, data: str) -> bool:
    """Whether documents of a stored collection are drawn from a portrait, or its judges from a matrix."""
    return data not in REAL_JUDGES if study == "01" else portrait.named(data) is not None


def kept() -> pd.DataFrame:
    """What rankers keep with another judge's labels on the real collections of study 3: frame of `shares_kept`."""
    found = [shares_kept(tables) for tables in results.stored("03").values() if {"uniform", "judged"} <= tables.keys()]
    rows = pd.concat(found, ignore_index=True)
    return rows[[portrait.named(name) is None for name in rows["dataset"]]].reset_index(drop=True)


def shares_kept(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Share of its nDCG that a ranker keeps on a fold when one judge labels everything: frame dataset, ranker, judge,
    fold, kept.
    """
    keys = ["dataset", "ranker", "fold"]
    clean = tables["uniform"].query("level == 0").groupby(keys)["ndcg"].mean()
    noisy = tables["judged"].query("level == 1").groupby([*keys, "judge"])["ndcg"].mean()
    shares = (noisy / clean).rename("kept").dropna().reset_index()
    return shares[["dataset", "ranker", "judge", "fold", "kept"]]


def kept_draws(
    shares: pd.DataFrame, ranker: str, judge: str, rng: np.random.Generator, draws: int
) -> np.ndarray | None:
    """(draws,) mean share kept over collections, which are drawn with their folds; None where none ran that ranker."""
    rows = shares[(shares["ranker"] == ranker) & (shares["judge"] == judge)]
    folds = [part.to_numpy() for _, part in rows.groupby("dataset")["kept"]]
    if not folds:
        return None
    means = [rng.choice(part, (draws, len(folds), len(part))).mean(axis=2) for part in folds]
    picked = rng.integers(len(folds), size=(draws, len(folds)))
    slots = np.arange(len(folds))
    return np.stack(means)[picked, np.arange(draws)[:, None], slots].mean(axis=1)
