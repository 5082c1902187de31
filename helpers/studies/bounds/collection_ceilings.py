"""Study 2 without judges at hand: ceilings of known collections, by three methods."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from helpers import paths
from helpers.datasets import catalog, portrait
from helpers.engine import results
from helpers.judging import ceilings
from helpers.judging.confusion import Confusion
from helpers.reporting.answers import number
from helpers.studies import baselines, learnable
from helpers.studies.bounds.protocol import K, Scale

COLLECTIONS = ("ohsumed", "mq2008", "mslr-sample", "clueweb09-webis")
"""Whose grade counts are taken from their portraits."""

FROM_DATA = ("robust04", "microblog", "syndl-dl21", "dbpedia-entity", "mq2007-part")
"""Whose grades are counted in the data directory, and kept with the ceilings."""

ALL = (*COLLECTIONS, *FROM_DATA)

PEOPLE, MODELS = ("CF_", "NYT_", "WEB5_", "CHORUS_"), ("DL19_", "DL20_", "DL21_", "LLMJudge", "RAG25_", "ANTIQUE_")
"""How names of the project's matrices begin, those of people and those of language models beside people."""

KINDS = ("people", "crowd workers", "language models")
YOURS = "your matrices"

TESTED = ("syndl-dl21",)
"""Of these only the test queries count: those for training were labelled by somebody else."""


def profiles_of(collection: str) -> np.ndarray:
    """(n_queries, n_grades) documents of each grade that the queries of a collection have, as kept with the project.

    Parameters
    ----------
    collection : one of ALL

    Examples
    --------
    >>> profiles_of("ohsumed").shape
    (106, 3)
    """
    if collection in COLLECTIONS:
        return portrait.open(collection).grade_counts
    return results.read(paths.project("data") / "results" / "02" / collection / "profiles.csv").to_numpy()


def counted_profiles(collection: str) -> np.ndarray:
    """(n_queries, n_grades) what `profiles_of` gives, counted in the data directory.

    Parameters
    ----------
    collection : one of FROM_DATA

    Raises
    ------
    FileNotFoundError
        when the collection is not here.
    """
    judged = catalog.load(collection, split="test" if collection in TESTED else None)
    return judged.grade_counts(int(judged.grades.max()) + 1)


def exact_means(profiles: np.ndarray, matrices: Mapping[str, Confusion], k: int | None = K) -> pd.DataFrame:
    """The mean exact ceiling of a collection under every matrix of its scale: frame matrix, exact.

    Parameters
    ----------
    profiles : (n_queries, n_grades) as `profiles_of` gives them
    matrices : by name
    k : cut-off; None is the whole list
    """
    rows = [
        {"matrix": name, "exact": np.nanmean(ceilings.exact(profiles, matrix.probabilities, k))}
        for name, matrix in matrices.items()
        if matrix.counts.shape == (profiles.shape[1], profiles.shape[1])
    ]
    return pd.DataFrame(rows, columns=["matrix", "exact"])


def kind_of(matrix: str) -> str:
    """Who disagrees in a matrix of the project, one of KINDS; YOURS for other names.

    Parameters
    ----------
    matrix : its name

    Examples
    --------
    >>> kind_of("CF_rater1_vs_2"), kind_of("WEB5_truth_vs_worker"), kind_of("DL21_NIST_vs_UMBRELA_GPT4o"), kind_of("x")
    ('people', 'crowd workers', 'language models', 'your matrices')
    """
    if not matrix.startswith((*PEOPLE, *MODELS)):
        return YOURS
    if matrix.startswith(MODELS):
        return "language models"
    return "crowd workers" if "worker" in matrix else "people"


def learned(k: int | None = K) -> pd.DataFrame:
    """How well rankers do on the collections, trained and tested with their own labels.

    Parameters
    ----------
    k : cut-off; they were tested @10, so that there is none at another

    Returns
    -------
    frame dataset, ranker, ndcg, low, high
    """
    fused = learnable.stored()
    fused = fused[(fused["over"] == "") & ~fused["ranker"].isin(learnable.YARDSTICKS)]
    table = pd.concat([baselines.stored(), fused], ignore_index=True)
    return table.loc[[k == K] * len(table), ["dataset", "ranker", "ndcg", "low", "high"]]


def ceilings_table(
    profiles: np.ndarray, matrices: dict[str, Confusion], scale: Scale, rng: np.random.Generator, k: int | None = K
) -> pd.DataFrame:
    """The paper's Table 1 for a collection: its mean ceiling under every matrix of its scale, by three methods.

    Parameters
    ----------
    profiles : (n_queries, n_grades) as `profiles_of` gives them
    matrices : by name
    scale : draws of intervals and simulations
    rng : for these
    k : cut-off; None is the whole list

    Returns
    -------
    frame matrix, double_judgments, exact, low, high, approximate, simulated, standard_error
        `low` and `high` are the 95 % interval of `ceilings.interval`, NaN where the scale draws none; it and
        double_judgments are NaN where a source prints probabilities only
    """
    rows = [
        {"matrix": name} | _three_ways(profiles, matrix, scale, rng, k)
        for name, matrix in matrices.items()
        if matrix.counts.shape == (profiles.shape[1], profiles.shape[1])
    ]
    return pd.DataFrame(rows)


def _three_ways(profiles: np.ndarray, matrix: Confusion, scale: Scale, rng: np.random.Generator, k: int | None) -> dict:
    mean = np.nanmean(ceilings.exact(profiles, matrix.probabilities, k))
    low = high = documents = np.nan
    if (matrix.counts == np.round(matrix.counts)).all():
        documents = matrix.counts.sum()
        if scale.intervals:
            low, high = mean + _deviations(profiles, matrix, scale, rng, k)
    drawn, error = ceilings.simulated(profiles, matrix.probabilities, k, draws=scale.labellings, rng=rng)
    return {
        "double_judgments": documents,
        "exact": mean,
        "low": low,
        "high": high,
        "approximate": np.nanmean(ceilings.approximate(profiles, matrix.probabilities, k)),
        "simulated": np.nanmean(drawn),
        "standard_error": np.sqrt(np.nansum(error**2)) / np.isfinite(error).sum(),
    }


def _deviations(
    profiles: np.ndarray, matrix: Confusion, scale: Scale, rng: np.random.Generator, k: int | None
) -> np.ndarray:
    """How far the ends of the ceiling's interval are from it; on some queries, as all share the error of the matrix."""
    known = profiles[profiles[:, 1:].any(axis=1)]
    if scale.interval_queries is not None and len(known) > scale.interval_queries:
        known = known[rng.choice(len(known), scale.interval_queries, replace=False)]
    ends = ceilings.interval(known, matrix.counts, k, draws=scale.intervals, rng=rng)
    return np.array(ends) - np.nanmean(ceilings.exact(known, matrix.probabilities, k))


def best(learned: pd.DataFrame, collection: str) -> float:
    """The highest learned nDCG on a collection.

    Parameters
    ----------
    learned : frame dataset, ndcg
    collection : a data set in it
    """
    return float(learned.loc[learned["dataset"] == collection, "ndcg"].max())


def span(ceilings: Mapping[str, pd.DataFrame]) -> str:
    """From where to where the ceilings of a collection run, of the collection where that is farthest.

    Parameters
    ----------
    ceilings : collection -> frame matrix, exact
    """
    name = max(ceilings, key=lambda collection: np.ptp(ceilings[collection]["exact"]))
    values = ceilings[name]["exact"]
    return f"On {name} alone ceilings run from {number(values.min())} to {number(values.max())}: the matrix decides"
