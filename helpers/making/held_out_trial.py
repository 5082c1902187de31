"""One run of study 5, trained on what an allocation of a budget buys: apart, so that few edits make runs stale."""

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
    """Test NDCG@10 of a ranker trained on so many queries of a pool, and documents of each, at random: one run."""
    sample = sampling.documents(sampling.queries(pool, queries, rng), documents, rng)
    model = rankers.trained(ranker, sample, validation, int(rng.integers(2**31)))
    return {"ndcg": float(np.nanmean(metrics.ndcg(test.grades, model.predict(test.features), test.offsets, 10)))}
