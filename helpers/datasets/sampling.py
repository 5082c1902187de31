"""Queries and documents drawn, as judgments are spent on them (Yilmaz and Robertson 2009), and queries divided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from helpers import checks, metrics
from helpers.datasets.collection import Collection, concatenate

Part = TypeVar("Part")

CHOICES = {"random": 0.0, "mixed": 0.5, "top": 1.0}
"""How judged documents are chosen, as the share of them taken from the top of a first-stage ranker."""


def queries(collection: Collection, n_or_fraction: int | float, rng: np.random.Generator) -> Collection:
    """Queries drawn at random without replacement, each with all its documents, in the collection's order.

    Parameters
    ----------
    collection : what is sampled
    n_or_fraction : an int is a number of queries (all of them where it is higher); a float in (0, 1] a share,
        rounded to at least one query
    rng : draws the queries

    Examples
    --------
    >>> c = Collection(np.zeros((6, 1)), [0, 1, 0, 1, 0, 1], [0, 2, 4, 6])
    >>> queries(c, 2, np.random.default_rng(0)).group
    array([2, 2])
    """
    size = _check_amount(n_or_fraction)
    n = max(1, round(size * collection.n_queries)) if isinstance(size, float) else min(size, collection.n_queries)
    return collection.take_queries(np.sort(rng.choice(collection.n_queries, n, replace=False)))


def documents(
    collection: Collection,
    n_or_fraction: int | float,
    rng: np.random.Generator,
    *,
    first_stage: np.ndarray | None = None,
    choice: str = "random",
) -> Collection:
    """Documents drawn from every query, in the collection's order.

    A query of m documents gives min(n, m) of them, or a share p of them: p * m rounded up or down at random so that
    the budget is p in expectation, which leaves a query out where that makes none.

    Parameters
    ----------
    collection : what is sampled
    n_or_fraction : an int is a number of documents a query, a float in (0, 1] a share of each query's documents
    rng : rounds shares up or down, and draws the documents
    first_stage : (n_docs,) scores of the ranker whose top is judged; not needed for choice "random"
    choice : "random"; "top", the documents that the first stage ranks highest, as a pool has them; or "mixed", half
        of them from its top and half at random from the rest

    Raises
    ------
    ValueError
        when n_or_fraction is neither a whole number from 1 up nor a share, the choice is unknown, or one other than
        "random" has no first_stage.

    Examples
    --------
    >>> c = Collection(np.zeros((6, 1)), [0, 1, 0, 1, 0, 1], [0, 4, 6])
    >>> documents(c, 3, np.random.default_rng(0)).group
    array([3, 2])
    >>> documents(c, 1, np.random.default_rng(0), first_stage=[1, 9, 2, 3, 5, 4], choice="top").grades
    array([1, 0], dtype=int8)
    """
    checks.one_of("choice", choice, CHOICES)
    if choice != "random" and first_stage is None:
        raise ValueError(f"choice {choice!r} needs first_stage, the scores of the ranker whose top is judged")
    group, amount = collection.group, _check_amount(n_or_fraction)
    share = isinstance(amount, float)
    quota = np.floor(amount * group + rng.random(len(group))).astype(int) if share else np.minimum(group, amount)
    urgency = rng.random(collection.n_docs)
    if first_stage is not None:
        from_top = np.rint(CHOICES[choice] * quota)[collection.query_index]
        urgency[rank_within_query(-np.asarray(first_stage, float), collection) < from_top] = -1
    return collection.take_rows(rank_within_query(urgency, collection) < quota[collection.query_index])


def fixed_pool(collection: Collection, n_queries: int, n_docs: int, rng: np.random.Generator) -> Collection:
    """A pool of n_queries queries with n_docs documents each; ValueError where fewer have so many."""
    deep = np.flatnonzero(collection.group >= n_docs)
    if len(deep) < n_queries:
        raise ValueError(
            f"n_queries is {n_queries}, but {collection.name!r} has {len(deep)} queries of {n_docs} documents or more"
        )
    return documents(queries(collection.take_queries(deep), n_queries, rng), n_docs, rng)


def pool_shape(group: np.ndarray, deepest: int) -> tuple[int, int]:
    """Queries and documents a query, both powers of two, of the largest pool that `fixed_pool` can draw: of all depths
    up to `deepest` the one with the most judgments, queries x documents, and the deeper one of two."""
    depths = 2 ** np.arange(int(np.log2(deepest)), 0, -1)
    queries = [int((group >= depth).sum()) for depth in depths]
    floors = [2 ** int(np.log2(n)) if n else 0 for n in queries]
    best = int(np.argmax(floors * depths))
    if floors[best] == 0:
        raise ValueError("no query has two documents: a pool needs queries with at least two")
    return floors[best], int(depths[best])


def halvings(highest: int, lowest: int) -> list[int]:
    """The powers of two from `highest` down to `lowest`.

    >>> halvings(16, 2)
    [16, 8, 4, 2]
    """
    return [2**e for e in range(int(np.log2(highest)), int(np.log2(lowest)) - 1, -1)]


def best_feature(collection: Collection, k: int = 10) -> tuple[int, int]:
    """The single feature that ranks a collection best, and its direction: a stand-in for a first-stage ranker.

    Parameters
    ----------
    collection : with at least one query that has a relevant document
    k : cut-off of the NDCG by which features are compared

    Returns
    -------
    (column, sign) : sign is 1 where high values rank first and -1 where low ones do

    >>> best_feature(Collection([[0.0, 3.0], [0.0, 1.0], [0.0, 2.0]], [0, 2, 1], [0, 3]))
    (1, -1)
    """
    quality = {
        (column, sign): np.nanmean(
            metrics.ndcg(collection.grades, sign * collection.features[:, column], collection.offsets, k)
        )
        for column in range(collection.n_features)
        for sign in (1, -1)
    }
    return max(quality, key=quality.get)


def circle(parts: Sequence[Part]) -> list[tuple[list[Part], Part, Part]]:
    """Training parts, validation part and test part of every fold, as LETOR divides (Qin et al. 2010): FoldK
    of parts S1 to S5 trains on SK and the next two, validates on the one after them and tests on the last."""
    turned = [[*parts[k:], *parts[:k]] for k in range(len(parts))]
    return [(training, validation, test) for test, *training, validation in turned]


def fifths(collection: Collection, rng: np.random.Generator) -> list[tuple[Collection, Collection, Collection]]:
    """Training, validation and test queries of five folds: fifths at random take their turns as in LETOR."""
    turns = circle(divide(collection, [1 / 5] * 5, rng))
    return [(concatenate(training), validation, test) for training, validation, test in turns]


def divide(collection: Collection, shares: Sequence[float], rng: np.random.Generator | None) -> list[Collection]:
    """The queries divided at random into collections of those shares, which add up to 1, each of at least one query."""
    n = collection.n_queries
    if n < len(shares):
        raise ValueError(f"{collection.name} has {n} queries, expected at least {len(shares)} to divide")
    if rng is None:
        raise ValueError(f"rng is None, expected a numpy Generator: queries of {collection.name} are divided at random")
    sizes = [max(1, round(share * n)) for share in shares[1:]]
    cuts = np.cumsum([n - sum(sizes), *sizes[:-1]])
    return [collection.take_queries(np.sort(part)) for part in np.split(rng.permutation(n), cuts)]


def _check_amount(n_or_fraction: int | float) -> int | float:
    is_fraction = isinstance(n_or_fraction, (float, np.floating))
    if not (0 < n_or_fraction <= 1 if is_fraction else n_or_fraction >= 1):
        raise ValueError(f"n_or_fraction is {n_or_fraction!r}, expected a whole number from 1, or a float in (0, 1]")
    return float(n_or_fraction) if is_fraction else int(n_or_fraction)


def rank_within_query(keys: np.ndarray, collection: Collection) -> np.ndarray:
    """(n_docs,) rank of every document in its query by ascending key, from 0; equal keys keep their order."""
    order = np.lexsort((keys, collection.query_index))
    rank = np.empty(collection.n_docs, int)
    rank[order] = np.arange(collection.n_docs) - np.repeat(collection.offsets[:-1], collection.group)
    return rank
