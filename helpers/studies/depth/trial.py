"""One run of study 4, alone here as its code keys the store of runs: judgments are sampled, a ranker is trained."""

from __future__ import annotations

import numpy as np

from helpers import metrics, rankers
from helpers.datasets import sampling
from helpers.datasets.collection import Collection

# ranker -> learning rates that are tried on every sample: few judgments want longer steps than many
RATES = {"LambdaRank": (0.00125, 0.005, 0.02), "LambdaMART": (0.05, 0.1), "ListNet": (0.00025, 0.001, 0.004)}

# epochs without a rise of validation NDCG@10 after which a rate is given up, where a ranker goes by epochs
PATIENCE = 8


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
    """Test NDCG@10 of a ranker trained on sampled judgments: one run."""
    column, sign = first_stage
    sample = sampling.queries({"training": training, "pool": pool}[source], queries, rng)
    sample = sampling.documents(sample, documents, rng, first_stage=sign * sample.features[:, column], choice=choice)
    model = fitted(ranker, sample, validation, int(rng.integers(2**31)))
    per_query = metrics.ndcg(test.grades, model.predict(test.features), test.offsets, 10)
    return {
        "training_queries": sample.n_queries,
        "judgments": sample.n_docs,
        "rate": float(getattr(model, "learning_rate", np.nan)),
        "ndcg": float(np.nanmean(per_query)),
        "per_query": np.round(per_query, 6).tolist(),
    }


def fitted(ranker: str, sample: Collection, validation: Collection, seed: int) -> rankers.Ranker:
    """A ranker trained on a sample, with that one of its RATES whose validation NDCG@10 is highest."""
    patience = {"early_stopping": PATIENCE} if ranker in ("LambdaRank", "ListNet") else {}
    settings = [{"learning_rate": rate, **patience} for rate in RATES.get(ranker, ())] or [{}]
    return rankers.trained(ranker, sample, validation, seed, settings)
