"""Whether one judge can stand for another: rankings by the one, scored by the other.

The ceilings of two judges are those of `real_ceilings.real`, for all of them at once. As every two judges are compared,
those beyond MOST, with the fewest documents in common with others, are left out, of people and models half each at most
while there are others.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
import pandas as pd

from helpers import checks, metrics
from helpers.judging.judgments import Coded, as_coded
from helpers.metrics.significance import bootstrap_counts, ends

MOST = 40


def _in_common(labels: Coded) -> np.ndarray:
    """(n_judges, n_judges) documents that both judged."""
    given = (labels.by_judge > 0).astype(np.int64)
    return (given @ given.T).toarray()


def most_in_common(labels: Coded, documents: np.ndarray | None = None) -> np.ndarray:
    """Positions of MOST judges, in their order: people and models by turns, as long as there are both, those with most
    documents in common with others first."""
    documents = _in_common(labels) if documents is None else documents
    shared = pd.Series(documents.sum(axis=1) - np.diag(documents))
    place = shared.groupby(labels.people).rank(method="first", ascending=False)
    return np.sort(np.lexsort((~labels.people, place))[:MOST])


def queries_of(of_query: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Queries of rows that stand together, and their offsets."""
    starts = np.flatnonzero(np.diff(of_query, prepend=-1))
    return of_query[starts], np.append(starts, len(of_query))


@dataclass(frozen=True, eq=False)
class Crossed:
    """nDCG of every query ranked by one judge and scored by another.

    Attributes
    ----------
    judges : (n_judges,) names
    people : (n_judges,) whether a judge is no model
    ndcg : (n_judges, n_judges, n_queries) by the judge who ranks and the one who scores; NaN where they have no
        document in common, or there is nothing to be gained
    documents : (n_judges, n_judges) how many both judged
    queries : (n_queries,) names
    """

    judges: np.ndarray
    people: np.ndarray
    ndcg: np.ndarray
    documents: np.ndarray
    queries: np.ndarray


def crossed(judged: pd.DataFrame | Coded, k: int | None = None) -> Crossed:
    """Every judge's ranking scored by every other judge, on the documents that both judged, ties at random.

    Queries of which both judged a single document are left out: it is ranked right by anybody.

    Parameters
    ----------
    judged : long frame of judgments, or what `judgments.coded` made of it
    k : cut-off; None is the whole list

    Raises
    ------
    ValueError
        as `judgments.coded`, or when k is no whole number of at least 1.

    Examples
    --------
    Ann cannot tell the two documents apart: first or second, (1 + 1/log2(3)) / 2. For her nothing is to be gained.

    >>> rows = [("q", "a", "Ann", 0), ("q", "b", "Ann", 0), ("q", "a", "Bob", 1), ("q", "b", "Bob", 0)]
    >>> crossed(pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"])).ndcg[:, :, 0].round(4)
    array([[   nan, 0.8155],
           [   nan, 1.    ]])
    """
    checks.cutoff("k", k)
    labels = as_coded(judged)
    documents = _in_common(labels)
    kept = most_in_common(labels, documents)
    grades = labels.by_judge[kept].toarray() - 1
    given, ndcg = grades >= 0, np.full((len(kept), len(kept), len(labels.queries)), np.nan)
    for one, other in combinations_with_replacement(range(len(kept)), 2):
        both = np.flatnonzero(given[one] & given[other])
        of_query = labels.of_query[both]
        several = np.bincount(of_query, minlength=len(labels.queries))[of_query] > 1
        if several.any():
            both, (queries, offsets) = both[several], queries_of(of_query[several])
            for ranks, scores in dict.fromkeys([(one, other), (other, one)]):
                ndcg[ranks, scores, queries] = metrics.ndcg(grades[scores, both], grades[ranks, both], offsets, k)
    return Crossed(labels.judges[kept], labels.people[kept], ndcg, documents[np.ix_(kept, kept)], labels.queries)


def ceilings(table: Crossed, *, draws: int, rng: np.random.Generator) -> pd.DataFrame:
    """The nDCG that a judge's ranking reaches with another judge, its mean over queries and a bootstrap interval.

    Parameters
    ----------
    table : of `crossed`
    draws : bootstrap samples of the queries
    rng : draws these

    Returns
    -------
    frame sorted_by, scored_by, queries, documents, ndcg, low, high; the interval is NaN below two queries

    Examples
    --------
    Ann cannot tell the two documents apart: by Bob's labels first or second, (1 + 1/log2(3)) / 2.

    >>> rows = [("q", "a", "Ann", 0), ("q", "b", "Ann", 0), ("q", "a", "Bob", 1), ("q", "b", "Bob", 0)]
    >>> table = crossed(pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"]))
    >>> ceilings(table, draws=10, rng=np.random.default_rng(0))[["sorted_by", "scored_by", "ndcg"]].round(4)
      sorted_by scored_by    ndcg
    0       Ann       Bob  0.8155
    """
    means, drawn = _means(table, draws, rng)
    queries = np.isfinite(table.ndcg).sum(axis=2)
    low, high = np.where(queries > 1, ends(drawn), np.nan)
    rows = [
        (table.judges[i], table.judges[j], queries[i, j], table.documents[i, j], means[i, j], low[i, j], high[i, j])
        for i, j in np.ndindex(*means.shape)
        if i != j and queries[i, j]
    ]
    return pd.DataFrame(rows, columns=["sorted_by", "scored_by", "queries", "documents", "ndcg", "low", "high"])


def overall(table: Crossed, *, draws: int, rng: np.random.Generator) -> tuple[float, float, float]:
    """Mean, low, high over all ordered pairs of judges, each by the documents in common; NaN where there is none."""
    means, drawn = _means(table, draws, rng)
    apart = ~np.eye(len(means), dtype=bool)
    weights = table.documents[apart]
    low, high = _ends(_mean(drawn[:, apart], weights), table.ndcg[apart])
    return float(_mean(means[apart], weights)), float(low), float(high)


def replaceability(table: Crossed, *, draws: int, rng: np.random.Generator) -> pd.DataFrame:
    """How much worse a judge's ranking is for the others than that of another one of them, largest loss first.

    For each other judge who is a person: what the ranking by this judge reaches, less the mean of what rankings by the
    remaining people reach; and the mean of both over those judges. Each counts by the documents that both judged.

    Parameters
    ----------
    table : of `crossed`
    draws : bootstrap samples of the queries
    rng : draws these

    Returns
    -------
    frame judge, model (whether it is one), reached, low, high, others (what the remaining people reach), difference,
        difference_low, difference_high; others and what follows is NaN where there are no two other people

    Examples
    --------
    Ann and Bob agree. Cy ranks their documents the other way round: 1/log2(3), where the other one reaches 1.

    >>> said = {"Ann": (1, 0), "Bob": (1, 0), "Cy": (0, 1)}
    >>> rows = [("q", doc, judge, grade) for judge, grades in said.items() for doc, grade in zip("ab", grades)]
    >>> table = crossed(pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"]))
    >>> found = replaceability(table, draws=10, rng=np.random.default_rng(0))
    >>> found[["judge", "reached", "others", "difference"]].round(4)
      judge  reached  others  difference
    0    Cy   0.6309  1.0000     -0.3691
    1   Ann   0.8155  0.6309      0.1845
    2   Bob   0.8155  0.6309      0.1845
    """
    means, drawn = _means(table, draws, rng)
    rows = []
    for judge, name in enumerate(table.judges):
        [reached], [among_others] = _against_people(means[None], judge, table)
        own, theirs = _against_people(drawn, judge, table)
        others = table.people & (table.judges != name)
        among = table.ndcg[others][:, others][~np.eye(others.sum(), dtype=bool)]
        reach, apart = _ends(own, table.ndcg[judge, others]), _ends(own - theirs, among)
        rows.append((name, not table.people[judge], reached, *reach, among_others, reached - among_others, *apart))
    columns = ["judge", "model", "reached", "low", "high", "others"]
    columns += ["difference", "difference_low", "difference_high"]
    found = pd.DataFrame(rows, columns=columns).dropna(subset="reached")
    return found.sort_values(["difference", "reached"], kind="stable", ignore_index=True)


def _means(table: Crossed, draws: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Means over queries (n_judges, n_judges), and those of bootstrap samples (draws, n_judges, n_judges)."""
    n_judges, _, n_queries = table.ndcg.shape
    known = np.isfinite(table.ndcg).reshape(-1, n_queries)
    values = np.where(known, table.ndcg.reshape(-1, n_queries), 0.0)
    weights = bootstrap_counts(n_queries, draws, rng)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = values.sum(axis=1) / known.sum(axis=1)
        drawn = (weights @ values.T) / (weights @ known.T.astype(np.float64))
    return means.reshape(n_judges, n_judges), drawn.reshape(draws, n_judges, n_judges)


def _ends(drawn: np.ndarray, ndcg: np.ndarray) -> tuple[float, float]:
    """Ends of the interval of means of ndcg (n, n_queries); NaN where it is known of fewer than two queries."""
    low, high = ends(drawn) if np.isfinite(ndcg).any(axis=0).sum() > 1 else (np.nan, np.nan)
    return float(low), float(high)


def _against_people(means: np.ndarray, judge: int, table: Crossed) -> tuple[np.ndarray, np.ndarray]:
    """(draws,) what a judge's ranking reaches with the other people, and what theirs reach with one another."""
    others = table.people & (np.arange(len(table.people)) != judge)
    documents = table.documents[others][:, others] * ~np.eye(others.sum(), dtype=bool)
    among = _mean(means[:, others][:, :, others].swapaxes(1, 2), documents.T)
    shared = table.documents[judge, others]
    return _mean(means[:, judge][:, others], shared), _mean(among, shared)


def _mean(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weighted mean over the last axis of what is no NaN; NaN where nothing is."""
    known = np.isfinite(values)
    weights = weights * known
    with np.errstate(invalid="ignore", divide="ignore"):
        return (np.where(known, values, 0.0) * weights).sum(axis=-1) / weights.sum(axis=-1)
