"""Imagined rankings, scored by one judge and by the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from helpers import checks, metrics
from helpers.judging.aggregates import rounded
from helpers.judging.coded import Coded, coded, is_model
from helpers.judging.replacing._judges import LEVEL, most_in_common, queries_of
from helpers.metrics.powered import FEWEST, Powered, powered_mean

RANKINGS = 20

NOISES = (0.25, 1.5)
"""Of the imagined rankings, in standard deviations of the mean grades, from the best to the worst."""


@dataclass(frozen=True, eq=False)
class Scored:
    """Imagined rankings, scored by one judge and by the mean of the other people on the same documents.

    Attributes
    ----------
    judge : who
    own, others : (n_rankings, n_queries) nDCG, NaN where a query has nothing to be gained with either
    everywhere : (n_rankings, n_all) nDCG of all queries that the judge judged, also alone
    """

    judge: str
    own: np.ndarray
    others: np.ndarray
    everywhere: np.ndarray


def scored(frame: pd.DataFrame, k: int | None, *, rng: np.random.Generator) -> list[Scored]:
    """Imagined rankings scored by each judge who shares documents with other people, and by those.

    SYNTHETIC rankings, RANKINGS of them: the mean grade of all labels plus normal noise, of the sizes NOISES.
    They are there because judgments alone hold no ranker, and lie between near perfect and poor.

    Parameters
    ----------
    frame : long frame of judgments
    k : cut-off of nDCG; None is the whole list
    rng : draws the noise

    Raises
    ------
    ValueError
        as `coded`, or when k is no whole number of at least 1.
    """
    checks.cutoff("k", k)
    labels = coded(frame)
    documents = labels.by_judge()
    judged = (documents > 0).astype(np.int64)
    kept = most_in_common(labels, (judged @ judged.T).toarray())
    people = np.array([not is_model(name) for name in labels.judges])
    given, total = _sums(labels, people[labels.judge])
    means = labels.votes @ labels.values / labels.votes.sum(axis=1)
    sizes = np.linspace(*NOISES, RANKINGS)[:, None] * max(means.std(), 1e-9)
    rankings = means + sizes * rng.standard_normal((RANKINGS, len(means)))
    of_query = np.repeat(np.arange(len(labels.queries)), np.diff(labels.offsets))
    found = []
    for judge in kept:
        own = labels.judge == judge
        pair, grade = labels.pair[own], labels.grade[own]
        order = np.argsort(pair, kind="stable")
        pair, grade = pair[order], grade[order]
        number, rest = given[pair] - people[judge], total[pair] - people[judge] * grade
        both = number > 0
        if both.any():
            others = rounded(rest[both] / number[both])
            everywhere = _ndcg(grade, rankings[:, pair], of_query[pair], k)
            own_ndcg = _ndcg(grade[both], rankings[:, pair[both]], of_query[pair[both]], k)
            others_ndcg = _ndcg(others, rankings[:, pair[both]], of_query[pair[both]], k)
            known = np.isfinite(own_ndcg[0]) & np.isfinite(others_ndcg[0])
            if known.any():
                kept_everywhere = everywhere[:, np.isfinite(everywhere[0])]
                found.append(Scored(labels.judges[judge], own_ndcg[:, known], others_ndcg[:, known], kept_everywhere))
    return found


def made_up(scores: list[Scored]) -> pd.DataFrame:
    """How far a judge's labels move the difference of two rankings, over all two of the imagined ones.

    Parameters
    ----------
    scores : of `scored`

    Returns
    -------
    frame judge, queries, bias (mean score by this judge less that by the others), moved (the 95 % quantile of how far
        the difference of two rankings moves), turned (share of two rankings that come out the other way round)
    """
    rows = []
    upper = np.triu_indices(RANKINGS, 1)
    for found in scores:
        own, others = (np.subtract.outer(m, m)[upper] for m in (found.own.mean(axis=1), found.others.mean(axis=1)))
        moved, bias = np.quantile(np.abs(own - others), LEVEL), (found.own - found.others).mean()
        rows.append((found.judge, found.own.shape[1], bias, moved, (own * others < 0).mean()))
    return pd.DataFrame(rows, columns=["judge", "queries", "bias", "moved", "turned"])


def corrected(scores: list[Scored]) -> pd.DataFrame:
    """For each judge the score of the middle imagined ranking by its labels, and that corrected by the others'.

    Parameters
    ----------
    scores : of `scored`

    Returns
    -------
    frame judge, by_judge (mean by its labels alone, all its queries), then the fields of `powered.Powered`; judges who
        share fewer than three queries with the others are left out
    """
    middle = RANKINGS // 2
    rows = [
        {"judge": found.judge, "by_judge": found.everywhere[middle].mean()}
        | powered_mean(found.others[middle], found.own[middle], found.everywhere[middle])._asdict()
        for found in scores
        if found.own.shape[1] >= FEWEST
    ]
    return pd.DataFrame(rows, columns=["judge", "by_judge", *Powered._fields])


def _ndcg(grades: np.ndarray, rankings: np.ndarray, of_query: np.ndarray, k: int | None) -> np.ndarray:
    """(n_rankings, n_queries) nDCG of the same documents in several rankings (n_rankings, n_docs)."""
    _, offsets = queries_of(of_query)
    every = (offsets[:-1] + len(grades) * np.arange(len(rankings))[:, None]).ravel()
    repeated = np.tile(grades, len(rankings))
    return metrics.ndcg(repeated, rankings.ravel(), np.append(every, rankings.size), k).reshape(len(rankings), -1)


def _sums(labels: Coded, counted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number and sum of the counted labels of every pair."""
    pair, size = labels.pair[counted], len(labels.pairs)
    return np.bincount(pair, minlength=size), np.bincount(pair, labels.grade[counted], minlength=size)
