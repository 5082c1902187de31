"""Training on a machine's labels: what the runs share, which there are, and a table of what they returned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from helpers import metrics, rankers
from helpers.datasets import catalog
from helpers.datasets.collection import Collection
from helpers.engine import sweep
from helpers.judging import judgments
from helpers.judging.at_hand import data_file
from helpers.studies.bounds import worn_out
from helpers.studies.bounds.machine_labels import MACHINE, PERSON, SAME_QUERIES, SIZES, YES_NO

RANKERS = rankers.NAMES
N_FOLDS = 5
REPEATS = 3
LIMITED = {
    worn_out.CHOSEN: (SAME_QUERIES, SAME_QUERIES),
    "the best that learned a yes or no": (YES_NO, YES_NO),
    "the best that learned GPT-4's labels of 424 other queries": (MACHINE, SAME_QUERIES),
}
"""Who is held against a limit -> what they learned, a machine's labels, and those of NIST's queries that set it."""


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
    yes_no = judgments.read_qrels(data_file("dl21-umbrela", "binary-llama3.2.dl21.txt"), 2)
    labelled = {MACHINE: machine, PERSON: person}
    labelled |= {SAME_QUERIES: relabelled(person, umbrela()), YES_NO: relabelled(person, yes_no)}
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
    kinds.append((YES_NO, SIZES[SAME_QUERIES][-1]))
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


def above_limits(by_query: pd.DataFrame, shared: Mapping, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """By how much rankers that learned a machine's labels pass the real limit: a ranking by these labels themselves.

    Both rank the same documents, and NIST tests both.

    Parameters
    ----------
    by_query : frame of `by_query`
    shared : what `parts` gives
    rng : halves the queries to choose a ranker

    Returns
    -------
    dict : ranker -> (n_repeats, n_queries) nDCG@10 above the limit: those of LIMITED, each the ranker that is best on
        other queries, and every ranker with UMBRELA's labels
    """
    tested, found = shared["tested"], {}
    for words, (labels, limited_by) in LIMITED.items():
        limit = metrics.ndcg(tested.grades, shared["labelled"][limited_by].grades, tested.offsets, 10)
        own = by_query[by_query["labels"] == labels]
        own = own[own["queries"] == own["queries"].max()]
        scores = {ranker: rows[list(tested.query_ids)].to_numpy() for ranker, rows in own.groupby("ranker", sort=False)}
        whole = np.stack(list(scores.values()), axis=-1)
        found[words] = (whole * worn_out.chosen_on_others(whole.mean(axis=0), rng)).sum(axis=-1) - limit
        if words == worn_out.CHOSEN:
            found |= {ranker: values - limit for ranker, values in scores.items()}
    return found
