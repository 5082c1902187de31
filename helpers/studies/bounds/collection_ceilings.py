"""Study 2 without judges at hand: ceilings of known collections, and of lists of any length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from helpers import paths
from helpers.datasets import portrait
from helpers.engine import results
from helpers.judging import ceilings
from helpers.judging.confusion import Confusion
from helpers.studies import learnable
from helpers.studies.bounds.protocol import K, Scale

COLLECTIONS = ("ohsumed", "mq2008", "mslr-sample", "clueweb09-webis")
"""Whose grade counts are taken from their portraits."""

FROM_DATA = ("robust04", "microblog", "syndl-dl21", "dbpedia-entity", "mq2007-part")
"""Whose grades are counted in the data directory, and kept with the ceilings."""

ALL = (*COLLECTIONS, *FROM_DATA)

MODELS = ("DL19_", "DL20_", "DL21_", "LLMJudge", "RAG25_", "ANTIQUE_")
"""How names of the project's matrices begin that have language models beside people."""

FIVE = {
    "WEB5_truth_vs_worker": "workers (truth tests)",
    "WEB5_worker_vs_worker_orderedpairs": "workers (workers test)",
    "RAG25_NIST_vs_UMBRELA2": "UMBRELA (NIST tests)",
}
"""The project's matrices of five grades, as a reader knows them."""

LISTS = "lengths"
"""The folder of stored tables of lists."""

CUTOFFS = (5, 10, 20, None)
LENGTHS = (10, 20, 50, 100, 200, 500, 1000)


def profiles_of(collection: str) -> np.ndarray:
    """(n_queries, n_grades) documents of each grade that the queries of one of ALL have, as kept with the project."""
    if collection in COLLECTIONS:
        return portrait.open(collection).grade_counts
    return results.read(paths.project("data") / "results" / "02" / collection / "profiles.csv").to_numpy()


def exact_means(profiles: np.ndarray, matrices: Mapping[str, Confusion], k: int | None = K) -> pd.DataFrame:
    """The mean exact ceiling of a collection under every matrix of its scale: frame matrix, exact; k is None for whole
    lists.
    """
    rows = [
        (name, np.nanmean(ceilings.exact(profiles, matrix.probabilities, k)))
        for name, matrix in matrices.items()
        if matrix.counts.shape == (profiles.shape[1], profiles.shape[1])
    ]
    return pd.DataFrame(rows, columns=["matrix", "exact"])


def kind_of(matrix: str) -> str:
    """Who disagrees in one of the project's matrices."""
    if matrix.startswith(MODELS):
        return "language models"
    return "crowd workers" if "worker" in matrix else "people"


def learned(k: int | None = K) -> pd.DataFrame:
    """How well rankers do that learned a collection's own labels: frame dataset, ranker, ndcg, low, high; tested @10
    alone, so that there is none at another k.
    """
    fused = learnable.stored()
    fused = fused[(fused["over"] == "") & ~fused["ranker"].isin(learnable.YARDSTICKS)]
    table = pd.concat([learnable.baselines(), fused], ignore_index=True)
    return table.loc[table.index if k == K else [], ["dataset", "ranker", "ndcg", "low", "high"]]


def best(learned: pd.DataFrame, collection: str) -> float:
    """The highest learned nDCG on a collection, of a frame dataset, ndcg."""
    return float(learned.loc[learned["dataset"] == collection, "ndcg"].max())


def drawn_profiles(shares: np.ndarray, n_docs: int, n_lists: int, rng: np.random.Generator) -> np.ndarray:
    """(n_lists, n_grades) grade counts of lists of n_docs documents by shares of grades, at least one above grade 0."""
    profiles = rng.multinomial(n_docs, shares, size=n_lists)
    profiles[profiles[:, 0] == n_docs, :2] += [-1, 1]
    return profiles


def length_table(
    shares: np.ndarray, confusion: np.ndarray, scale: Scale, rng: np.random.Generator, lengths: Sequence[int] = LENGTHS
) -> pd.DataFrame:
    """Ceilings of drawn lists of several lengths, with several cut-offs: frame length, cutoff ("none" for the whole
    list), list, exact, approximate.
    """
    frames = []
    for length in lengths:
        profiles = drawn_profiles(shares, length, scale.lists, rng)
        for k in CUTOFFS:
            row = {"length": length, "cutoff": str(k or "none"), "list": range(scale.lists)}
            row["exact"] = ceilings.exact(profiles, confusion, k)
            row["approximate"] = ceilings.approximate(profiles, confusion, k)
            frames.append(pd.DataFrame(row))
    return pd.concat(frames, ignore_index=True)
