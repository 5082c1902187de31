"""One run of studies 2 and 5: a ranker is taught by a machine, by one person, or by what an allocation buys."""

from __future__ import annotations

import numpy as np

from helpers import metrics, rankers
from helpers.datasets import sampling
from helpers.datasets.collection import Collection, offsets_of

CUTOFFS = (3, 5, 10)
VALIDATION = 4  # one labelled query of so many is for validation


def machine_taught(
    ranker: str,
    labels: str,
    queries: int,
    fold: int,
    repeat: int,
    *,
    rng: np.random.Generator,
    labelled: dict[str, Collection],
    tested: Collection,
    folds: np.ndarray,
) -> dict:
    """How many documents were labelled, and NDCG@10 by query of what so many queries of one kind of labels teach."""
    # those in the fold, from 1, test and never train; in fold 0, where other queries are labelled, all of `tested` test
    own = labelled[labels]
    sample = sampling.queries(own.take_queries(folds != fold) if fold else own, queries, rng)
    model = _trained(ranker, sample, rng)
    test = tested.take_queries(folds == fold) if fold else tested
    per_query = np.full(tested.n_queries, np.nan)
    values = metrics.ndcg(test.grades, model.predict(test.features), test.offsets, 10)
    per_query[folds == fold if fold else slice(None)] = values
    return {"judgments": sample.n_docs, "per_query": np.round(per_query, 4).tolist()}


def person_taught(
    ranker: str,
    draw: int,
    fold: int,
    *,
    rng: np.random.Generator,
    collection: Collection,
    labels: np.ndarray,
    folds: np.ndarray,
) -> dict:
    """`per_query`: cut-off -> (n_queries,) nDCG by `by_person` of what one person taught, NaN outside the fold."""
    # labels (n_draws, n_docs, m): the first person of a query trains or validates, all persons of the fold's test
    model = _trained(ranker, collection.with_grades(labels[draw][:, 0]).take_queries(folds != fold), rng)
    tested = np.flatnonzero(folds == fold)
    rows = np.isin(collection.query_index, tested)
    scores, group = model.predict(collection.features[rows]), collection.group[tested]
    per_query = np.full((len(CUTOFFS), collection.n_queries), np.nan)
    for place, k in enumerate(CUTOFFS):
        per_query[place, tested] = by_person(labels[draw][rows], group, scores, k)
    return {"per_query": {str(k): values.round(5).tolist() for k, values in zip(CUTOFFS, per_query, strict=True)}}


def allocation_taught(
    ranker: str,
    queries: int,
    documents: int,
    repeat: int,
    *,
    rng: np.random.Generator,
    pool: Collection,
    validation: Collection,
    test: Collection,
) -> dict:
    """Test NDCG@10 of a ranker trained on so many queries of a pool, and documents of each, at random: one run."""
    sample = sampling.documents(sampling.queries(pool, queries, rng), documents, rng)
    model = rankers.trained(ranker, sample, validation, int(rng.integers(2**31)))
    return {"ndcg": float(np.nanmean(metrics.ndcg(test.grades, model.predict(test.features), test.offsets, 10)))}


def _trained(ranker: str, labelled: Collection, rng: np.random.Generator) -> rankers.Ranker:
    """The ranker that labelled queries train; some of them, drawn at random, decide on rounds."""
    validates = np.zeros(labelled.n_queries, dtype=bool)
    validates[rng.permutation(labelled.n_queries)[: max(1, labelled.n_queries // VALIDATION)]] = True
    training, validation = labelled.take_queries(~validates), labelled.take_queries(validates)
    return rankers.trained(ranker, training, validation, int(rng.integers(2**31)))


def by_person(labels: np.ndarray, group: np.ndarray, scores: np.ndarray, k: int) -> np.ndarray:
    """(n_queries,) nDCG@k of scores (n_docs,) by each column of labels (n_docs, m), -1 for none: means over columns."""
    values = np.full((labels.shape[1], len(group)), np.nan)
    query = np.repeat(np.arange(len(group)), group)
    for person, own in enumerate(labels.T):
        has = own >= 0
        if not has.any():
            continue
        size = np.bincount(query[has], minlength=len(group))
        values[person, size > 0] = metrics.ndcg(own[has], scores[has], offsets_of(size[size > 0]), k)
    there = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        return np.where(there, values, 0).sum(axis=0) / there.sum(axis=0)
