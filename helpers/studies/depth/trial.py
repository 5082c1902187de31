"""One run of study 4: judgments are sampled, a ranker is trained on them and tested."""

from __future__ import annotations

import numpy as np

from helpers import metrics, rankers
from helpers.datasets import sampling
from helpers.datasets.collection import Collection


def train_and_test(
    ranker: str,
    source: str,
    queries: int | float,
    documents: int | float,
    choice: str,
    repeat: int,
    *,
    rng: np.random.Generator,
    training: Collection,
    pool: Collection,
    validation: Collection,
    test: Collection,
    first_stage: tuple[int, int],
) -> dict:
    """Test NDCG@10 of a ranker trained on sampled judgments: one run.

    Parameters
    ----------
    ranker : a name from rankers.NAMES
    source : "training" or "pool", where the judgments are sampled from
    queries, documents, choice : as in `sampling.queries` and `sampling.documents`; 1.0 takes all
    repeat : number of the draw; it reaches `rng` through the sweep's seeds
    rng : draws the sample, then the seed of a ranker that starts at random
    training, pool, validation, test : as `protocol.parts` gives them
    first_stage : (column, sign) of the feature that stands for a first-stage ranker

    Returns
    -------
    dict : `training_queries`, `judgments`, `ndcg` (mean over the test queries that have a relevant document) and
        `per_query`, n_queries floats rounded to six decimals, NaN where a test query has none
    """
    column, sign = first_stage
    sample = sampling.queries({"training": training, "pool": pool}[source], queries, rng)
    sample = sampling.documents(sample, documents, rng, first_stage=sign * sample.features[:, column], choice=choice)
    model = rankers.seeded(ranker, int(rng.integers(2**31)))
    model.fit(sample.features, sample.grades, sample.group, validation=validation)
    per_query = metrics.ndcg(test.grades, model.predict(test.features), test.offsets, 10)
    return {
        "training_queries": sample.n_queries,
        "judgments": sample.n_docs,
        "ndcg": float(np.nanmean(per_query)),
        "per_query": np.round(per_query, 6).tolist(),
    }
