"""One run of training on machine labels: a ranker is trained on labelled queries and tested on a person's."""

from __future__ import annotations

import numpy as np

from helpers import metrics, rankers
from helpers.datasets import sampling
from helpers.datasets.collection import Collection

VALIDATION = 4  # one labelled query of so many is for validation


def train_and_test(
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
    """Test NDCG@10 of a ranker trained on some labelled queries: one run.

    Parameters
    ----------
    ranker : a name from rankers.NAMES
    labels : a key of `labelled`, whose labels the ranker learns from
    queries : how many labelled queries are drawn, of at least as many; one in VALIDATION of them, and at least one,
        decides on rounds, the others train
    fold : whose test queries are tested on, and never trained on; 0 for all, where other queries are labelled
    repeat : number of the draw; it reaches `rng` through the sweep's seeds
    rng : draws the queries, then the seed of a ranker that starts at random
    labelled : labels -> queries that have them; those of `tested`, in its order, or others
    tested : n_queries queries that a person labelled
    folds : (n_queries,) number of the fold that tests each, from 1

    Returns
    -------
    dict : `judgments`, documents that were labelled, and `per_query`, (n_queries,) NDCG@10 rounded to four decimals,
        NaN for queries that this fold does not test
    """
    own = labelled[labels]
    sample = sampling.queries(own.take_queries(folds != fold) if fold else own, queries, rng)
    validates = np.zeros(sample.n_queries, dtype=bool)
    validates[rng.permutation(sample.n_queries)[: max(1, queries // VALIDATION)]] = True
    training, validation = sample.take_queries(~validates), sample.take_queries(validates)
    model = rankers.seeded(ranker, int(rng.integers(2**31)))
    model.fit(training.features, training.grades, training.group, validation=validation)
    test = tested.take_queries(folds == fold) if fold else tested
    per_query = np.full(tested.n_queries, np.nan)
    values = metrics.ndcg(test.grades, model.predict(test.features), test.offsets, 10)
    per_query[folds == fold if fold else slice(None)] = values
    return {"judgments": sample.n_docs, "per_query": np.round(per_query, 4).tolist()}
