"""Training on a machine's labels: what the runs share, which there are, and a table of what they returned."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from helpers import rankers
from helpers.datasets import catalog
from helpers.datasets.collection import Collection
from helpers.engine import sweep
from helpers.judging import judgments
from helpers.judging.at_hand import data_file
from helpers.studies.bounds.machine_labels import MACHINE, PERSON, SAME_QUERIES, SIZES

RANKERS = rankers.NAMES
N_FOLDS = 5
REPEATS = 3


def parts(rng: np.random.Generator) -> dict:
    """What every run shares: `labelled`, `tested` and `folds`, as `machine_labels_trial.train_and_test` takes them.

    Parameters
    ----------
    rng : divides the tested queries into folds

    Raises
    ------
    FileNotFoundError
        when the labels or runs are not here.
    """
    machine, person = (catalog.load("syndl-dl21", 1, split) for split in ("train", "test"))
    folds = rng.permutation(np.arange(person.n_queries) % N_FOLDS + 1)
    labelled = {MACHINE: machine, PERSON: person, SAME_QUERIES: relabelled(person, umbrela())}
    return {"labelled": labelled, "tested": person, "folds": folds}


def umbrela() -> pd.DataFrame:
    """UMBRELA's labels of the passages of Deep Learning 2021, from the data directory: frame query, doc, grade."""
    return judgments.read_qrels(data_file("dl21-umbrela", "umbrela-gpt4.dl21.txt"), 4)


def relabelled(collection: Collection, labels: pd.DataFrame) -> Collection:
    """The same documents with the grades that somebody else gave.

    Parameters
    ----------
    collection : with ids of documents
    labels : frame query, doc, grade

    Raises
    ------
    ValueError
        when a document has no such grade.

    Examples
    --------
    >>> c = Collection([[1.0], [2.0]], [0, 2], [0, 2], ["q"], ["a", "b"])
    >>> relabelled(c, pd.DataFrame({"query": "q", "doc": ["b", "a"], "grade": [1, 3]})).grades
    array([3, 1], dtype=int8)
    """
    pairs = pd.DataFrame({"query": collection.query_ids[collection.query_index], "doc": collection.doc_ids})
    grades = pairs.merge(labels, on=["query", "doc"], how="left", validate="one_to_one")["grade"]
    if grades.isna().any():
        query, doc = pairs.loc[grades.isna().idxmax()]
        raise ValueError(f"labels: none for query {query}, document {doc}, expected one for every document")
    return collection.with_grades(grades.to_numpy().astype(np.int8))


def grid(names: Sequence[str] = RANKERS) -> list[dict]:
    """Every ranker, kind of labels, number of queries and draw; a run for each fold where the tested queries train.

    Parameters
    ----------
    names : rankers
    """
    kinds = [(labels, size) for labels, sizes in SIZES.items() for size in sizes]
    return [
        {"ranker": ranker, "labels": labels, "queries": size, "fold": fold, "repeat": repeat}
        for ranker in names
        for labels, size in kinds
        for fold in ([0] if labels == MACHINE else range(1, N_FOLDS + 1))
        for repeat in range(REPEATS)
    ]


def by_query(runs: pd.DataFrame, query_ids: np.ndarray) -> pd.DataFrame:
    """NDCG@10 of every tested query, folds put together.

    Parameters
    ----------
    runs : frame of `grid` and of what its runs returned
    query_ids : (n_queries,) of the tested collection

    Returns
    -------
    frame ranker, labels, queries, judgments (mean of what was labelled), repeat, then a column for each tested query
    """
    keys = ["ranker", "labels", "queries", "repeat"]
    found = sweep.succeeded(runs)
    values = pd.DataFrame(found["per_query"].tolist(), columns=query_ids, index=found.index).astype(float)
    joined = pd.concat([found[[*keys, "judgments"]], values], axis=1).groupby(keys, sort=False)
    return joined.mean().reset_index()
