"""One run beyond study 1: so many labels are bought, as queries x documents x judges, and a ranker learns from them."""

from __future__ import annotations

import numpy as np

from helpers.datasets.collection import Collection
from helpers.judging import schemes
from helpers.judging.pool import AlikeJudges, Pool
from helpers.studies.overlap.trial import fitted, parts, rows_of, tested

MOST = 4
"""Judges of a document."""


def learn(
    ranker: str,
    queries: int,
    documents: int,
    labels: int,
    draw: int,
    *,
    rng: np.random.Generator,
    training: Collection,
    validation: Collection,
    test: Collection,
    judges: Pool | AlikeJudges,
    seeds: np.ndarray,
) -> dict:
    """Test NDCG of a ranker that learns from labels of a pool's judges: one run.

    The labels, and the order in which queries, documents and judges are taken, are those of the draw, so that a smaller
    purchase is a part of every larger one. Validation has one label a document, which is not counted.

    Parameters
    ----------
    ranker, draw, rng, validation, test, seeds : as in `trial.train_and_test`
    queries, documents, labels : how many queries, documents of each, and judges of each document; a ranker trains on
        the mean gain of a document's labels
    training : what the queries and documents are taken from
    judges : who label the training and, one label each, the validation documents; test grades are the truth

    Returns
    -------
    dict : `spent`, labels bought, and what `trial.tested` gives
    """
    draw_rng = np.random.default_rng(seeds[draw])
    given, _ = judges.draw(training.grades, training.offsets, draw_rng, MOST)
    watched, _ = judges.draw(validation.grades, validation.offsets, draw_rng, 1)
    rows = bought_rows(training, queries, documents, draw_rng)
    sample = schemes.collect(f"gain-{labels}", given[rows], None)
    model = fitted(ranker, training.take_rows(rows), sample, validation.with_grades(watched[:, 0]), rng)
    return {"spent": sample.labels_bought} | tested(model, test)


def learn_from_people(
    ranker: str,
    queries: int,
    documents: int,
    labels: int,
    draw: int,
    fold: int,
    *,
    rng: np.random.Generator,
    collection: Collection,
    given: np.ndarray,
    order: np.ndarray,
    seeds: np.ndarray,
) -> dict:
    """The same with the four judges of the Cystic Fibrosis collection, on one fold: one run.

    Folds are those of `trial.parts`; the judges of a document are asked in random order.

    Parameters
    ----------
    ranker, queries, documents, labels, draw, rng, seeds : as in `learn`
    fold : which of the five parts tests
    collection, given : as `cystic_fibrosis.load` gives the collection and the labels of its judges
    order : (n_queries,) the queries, to be cut into parts
    """
    draw_rng = np.random.default_rng([seeds[draw], fold])
    test, validation, learned = parts(order, fold)
    asked = draw_rng.permuted(given, axis=1)
    source, source_labels = collection.take_queries(learned), asked[rows_of(collection, learned)]
    rows = bought_rows(source, queries, documents, draw_rng)
    sample = schemes.collect(f"gain-{labels}", source_labels[rows], None)
    watched = collection.take_queries(validation).with_grades(asked[rows_of(collection, validation), 0])
    model = fitted(ranker, source.take_rows(rows), sample, watched, rng)
    return {"spent": sample.labels_bought} | tested(model, collection.take_queries(test))


def bought_rows(collection: Collection, queries: int, documents: int, rng: np.random.Generator) -> np.ndarray:
    """The documents of a purchase, in the order of the collection: so many of each of so many queries, at random.

    With the same seed a smaller purchase is a part of a larger one.

    Parameters
    ----------
    collection : what is bought of
    queries, documents : how many, or all where there are fewer
    rng : draws the orders in which queries, and the documents of each, are taken

    >>> c = Collection(np.zeros((6, 1)), [0, 1, 0, 1, 0, 1], [0, 2, 4, 6])
    >>> [bought_rows(c, n, 1, np.random.default_rng(0)).tolist() for n in (1, 2, 3)]
    [[2], [2, 4], [1, 2, 4]]
    """
    query_rank = rng.permutation(collection.n_queries)[collection.query_index]
    order = np.lexsort((rng.random(collection.n_docs), collection.query_index))
    document_rank = np.empty(collection.n_docs, int)
    document_rank[order] = np.arange(collection.n_docs) - np.repeat(collection.offsets[:-1], collection.group)
    return np.flatnonzero((query_rank < queries) & (document_rank < documents))
