"""One run of study 5: a ranker is trained on what an allocation of a budget buys, and tested."""

from __future__ import annotations

import numpy as np

from helpers import metrics, rankers
from helpers.datasets import sampling
from helpers.datasets.collection import Collection


def train_and_test(
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
    """Test NDCG@10 of a ranker trained on so many queries of a pool, and documents of each, drawn at random: one run.

    Parameters
    ----------
    ranker : a name from rankers.NAMES
    queries, documents : that are bought
    repeat : number of the draw; it reaches `rng` through the sweep's seeds
    rng : draws queries and documents, then the seed of a ranker that starts at random
    pool : what is drawn of
    validation, test : other queries of the collection; their labels are not counted

    Returns
    -------
    dict : `ndcg`, mean over the test queries that have a relevant document
    """
    sample = sampling.documents(sampling.queries(pool, queries, rng), documents, rng)
    model = rankers.seeded(ranker, int(rng.integers(2**31)))
    model.fit(sample.features, sample.grades, sample.group, validation=validation)
    return {"ndcg": float(np.nanmean(metrics.ndcg(test.grades, model.predict(test.features), test.offsets, 10)))}
