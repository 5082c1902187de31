"""One run of study 3: labels are made noisy, a ranker is trained on them and tested."""

from __future__ import annotations

import numpy as np
import pandas as pd

from helpers import metrics, rankers
from helpers.datasets.collection import Collection
from helpers.judging import noise
from helpers.judging.confusion import draw_labels
from helpers.metrics.ranking import checked_offsets

Fold = tuple[Collection, Collection, Collection]


def train_and_test(
    dataset: str,
    ranker: str,
    fold: int,
    judge: str,
    level: float,
    draw: int,
    *,
    rng: np.random.Generator,
    folds: list[Fold],
    confusions: dict[str, np.ndarray],
) -> dict:
    """Test MAP and NDCG@10 of a ranker trained on noisy labels, with dNoise and pNoise as counted on them: one run."""
    # Validation labels are noisy as well: the paper says nothing of them, and who has noisy labels has no clean ones.
    training, validation, test = folds[fold - 1]
    confusion = noise.partly(confusions[judge], level)
    noisy = [part.with_grades(draw_labels(part.grades, confusion, rng)) for part in (training, validation)]
    scores = rankers.trained(ranker, *noisy, int(rng.integers(2**31))).predict(test.features)
    return {
        "dnoise": float((noisy[0].grades != training.grades).mean()),
        "pnoise": noise.pnoise(training.grades, noisy[0].grades, training.offsets),
        "map": float(np.nanmean(metrics.average_precision(test.grades, scores, test.offsets))),
        "ndcg": float(np.nanmean(metrics.ndcg(test.grades, scores, test.offsets, 10))),
    }


def predict_ties(dataset: str, ranker: str, fold: int, *, rng: np.random.Generator, folds: list[Fold]) -> dict:
    """How a ranker trained without noise orders the tied pairs of its training queries: one run of Table 2."""
    training, validation, _ = folds[fold - 1]
    scores = rankers.trained(ranker, training, validation, int(rng.integers(2**31))).predict(training.features)
    return {"positive": predicted_positive(training.grades, scores, training.offsets)}


def predicted_positive(grades: np.ndarray, scores: np.ndarray, offsets: np.ndarray) -> float:
    """Share of the tied pairs (d_i, d_j) of which d_i has the higher score, i and j in random order; 0 to .5 or NaN."""
    # Niu et al. (2014, Table 2) sample 10,000 pairs of documents of one query and grade; over all pairs and both orders
    # of each it is half the share of pairs whose scores differ: what is missing to one half are equal scores.
    offsets = checked_offsets(offsets, len(grades))
    query = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    documents = pd.DataFrame({"query": query, "grade": grades, "score": scores})
    tied, alike = (_pairs(documents, by) for by in (["query", "grade"], ["query", "grade", "score"]))
    return float((tied - alike) / tied / 2) if tied else np.nan


def _pairs(documents: pd.DataFrame, by: list[str]) -> float:
    """Pairs of documents that are equal in these columns."""
    sizes = documents.groupby(by).size()
    return (sizes * (sizes - 1)).sum() / 2
