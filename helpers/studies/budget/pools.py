"""Stored runs of other studies that surfaces are fitted to: a collection is one entry.

Study 4 ran queries x documents with the labels of a collection; study 1 queries x documents x labels of several judges;
study 3 what a ranker keeps that learns from another kind of judge.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from helpers.datasets import portrait
from helpers.engine import results

COLUMNS = ["ranker", "queries", "documents", "opinions", "ndcg"]
MACHINE, CROWD = "RAG25_NIST_vs_UMBRELA2", "WEB5_truth_vs_worker"
"""A language model and a worker of a crowd, by the matrices of `data/confusion`."""

REAL_JUDGES = ("three-ways-cystic-fibrosis", "cystic-fibrosis")
"""Of the surfaces of study 1 those by real judges; the others are drawn."""


class Source(NamedTuple):
    """Where a study keeps its runs.

    Attributes
    ----------
    table : name of the table
    names : column -> what it is called here
    measure : what `ndcg` is
    """

    table: str
    names: dict[str, str]
    measure: str


SOURCES = {
    "01": Source("surface", {"labels": "opinions", "ndcg@3": "ndcg"}, "nDCG@3"),
    "04": Source("pool", {}, "nDCG@10"),
}
"""Study -> where its runs are."""


def stored(real: bool = True) -> dict[str, pd.DataFrame]:
    """The pools of all studies that have some: collection -> frame of COLUMNS.

    Parameters
    ----------
    real : only collections and judges that are not synthetic
    """
    return {
        name: as_pool(tables[source.table], source.names, name)
        for study, source in SOURCES.items()
        for name, tables in results.stored(study).items()
        if source.table in tables and not (real and is_synthetic(study, name))
    }


def measures() -> dict[str, str]:
    """Collection -> the measure of its pool, for all that `stored` has."""
    return {
        name: source.measure
        for study, source in SOURCES.items()
        for name, tables in results.stored(study).items()
        if source.table in tables
    }


def as_pool(table: pd.DataFrame, names: Mapping[str, str], data: str) -> pd.DataFrame:
    """A table of runs as frame of COLUMNS, those that failed left out; one opinion a document where it names none.

    Parameters
    ----------
    table : a row for each run, or for each allocation its mean
    names : column -> the one of COLUMNS that it is
    data : name of the collection, for errors

    Raises
    ------
    ValueError
        when a column is missing.

    Examples
    --------
    >>> runs = pd.DataFrame({"ranker": "RankSVM", "queries": [8, 16], "documents": 4, "labels": 2, "ndcg": [0.4, 0.5]})
    >>> as_pool(runs, {"labels": "opinions"}, "mine").to_numpy().tolist()
    [['RankSVM', 8, 4, 2, 0.4], ['RankSVM', 16, 4, 2, 0.5]]
    """
    renamed = table.rename(columns=names)
    if "opinions" not in renamed:
        renamed = renamed.assign(opinions=1)
    missing = [column for column in COLUMNS if column not in renamed]
    if missing:
        raise ValueError(f"pool of {data}: no column {missing[0]!r} among {', '.join(table)}")
    if "error" in renamed:
        renamed = renamed[renamed["error"].isna()]
    return renamed[COLUMNS].reset_index(drop=True)


def is_synthetic(study: str, data: str) -> bool:
    """Whether documents of a stored collection are drawn from a portrait, or its judges from a matrix.

    Parameters
    ----------
    study : number of the study that stored it
    data : name of its folder there

    >>> is_synthetic("04", "mq2008"), is_synthetic("04", "mslr-sample-portrait"), is_synthetic("01", "three-ways")
    (False, True, True)
    """
    return data not in REAL_JUDGES if study == "01" else portrait.named(data) is not None


def kept() -> pd.DataFrame:
    """What rankers keep with another judge's labels on the real collections of study 3: frame of `shares_kept`."""
    found = [shares_kept(tables) for tables in results.stored("03").values() if {"uniform", "judged"} <= tables.keys()]
    rows = pd.concat(found, ignore_index=True)
    return rows[[portrait.named(name) is None for name in rows["dataset"]]].reset_index(drop=True)


def shares_kept(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Share of its nDCG that a ranker keeps on a fold when one judge labels everything: frame dataset, ranker, judge,
    fold, kept.

    Parameters
    ----------
    tables : "uniform", of whose rows those without noise count, and "judged", of whose rows those with all documents
        do: frames dataset, ranker, fold, judge, level, ndcg
    """
    keys = ["dataset", "ranker", "fold"]
    clean = tables["uniform"].query("level == 0").groupby(keys)["ndcg"].mean()
    noisy = tables["judged"].query("level == 1").groupby([*keys, "judge"])["ndcg"].mean()
    shares = (noisy / clean).rename("kept").dropna().reset_index()
    return shares[["dataset", "ranker", "judge", "fold", "kept"]]


def kept_draws(
    shares: pd.DataFrame, ranker: str, judge: str, rng: np.random.Generator, draws: int
) -> np.ndarray | None:
    """(draws,) mean share kept over collections, which are drawn with their folds; None where none ran that ranker.

    Parameters
    ----------
    shares : frame of `shares_kept`
    ranker, judge : of the rows that count
    rng : draws collections with replacement, and folds of each
    draws : how many
    """
    rows = shares[(shares["ranker"] == ranker) & (shares["judge"] == judge)]
    folds = [part.to_numpy() for _, part in rows.groupby("dataset")["kept"]]
    if not folds:
        return None
    means = [rng.choice(part, (draws, len(folds), len(part))).mean(axis=2) for part in folds]
    picked = rng.integers(len(folds), size=(draws, len(folds)))
    slots = np.arange(len(folds))
    return np.stack(means)[picked, np.arange(draws)[:, None], slots].mean(axis=1)
