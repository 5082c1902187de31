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
from scipy.sparse import csr_array

from helpers import checks, metrics
from helpers.judging.judgments import Coded, as_coded
from helpers.metrics.significance import bootstrap_counts, ends

MOST = 40


def _in_common(by_judge: csr_array) -> np.ndarray:
    """(n_judges, n_judges) documents that both judged, of `Coded.by_judge`."""
    given = (by_judge > 0).astype(np.int64)
    return (given @ given.T).toarray()


def most_in_common(labels: Coded) -> np.ndarray:
    """Positions of MOST judges, in their order: people and models by turns, as long as there are both, those with most
    documents in common with others first."""
    documents = _in_common(labels.by_judge)
    shared = pd.Series(documents.sum(axis=1) - np.diag(documents))
    place = shared.groupby(labels.people).rank(method="first", ascending=False)
    return np.sort(np.lexsort((~labels.people, place))[:MOST])


def queries_of(of_query: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Queries of rows that stand together, and their offsets."""
    starts = np.flatnonzero(np.diff(of_query, prepend=-1))
    return of_query[starts], np.append(starts, len(of_query))


@dataclass(frozen=True, eq=False)
class Crossed:
    """nDCG of every query ranked by one judge and scored by another; NaN where they have no document in common, or
    there is nothing to be gained."""

    judges: np.ndarray  # (n_judges,) names
    people: np.ndarray  # (n_judges,) whether a judge is no model
    ndcg: np.ndarray  # (n_judges, n_judges, n_queries) by the judge who ranks and the one who scores
    documents: np.ndarray  # (n_judges, n_judges) how many both judged
    queries: np.ndarray  # (n_queries,) names


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
    kept = most_in_common(labels)
    by_judge = labels.by_judge[kept]
    grades = by_judge.toarray() - 1
    given, ndcg = grades >= 0, np.full((len(kept), len(kept), len(labels.queries)), np.nan)
    for one, other in combinations_with_replacement(range(len(kept)), 2):
        both = np.flatnonzero(given[one] & given[other])
        of_query = labels.of_query[both]
        several = np.bincount(of_query, minlength=len(labels.queries))[of_query] > 1
        if several.any():
            both, (queries, offsets) = both[several], queries_of(of_query[several])
            for ranks, scores in dict.fromkeys([(one, other), (other, one)]):
                ndcg[ranks, scores, queries] = metrics.ndcg(grades[scores, both], grades[ranks, both], offsets, k)
    return Crossed(labels.judges[kept], labels.people[kept], ndcg, _in_common(by_judge), labels.queries)


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
    drawn, queries = _drawn(table, draws, rng), np.isfinite(table.ndcg).sum(axis=2)
    low, high = np.where(queries > 1, ends(drawn[1:]), np.nan)
    i, j = two = np.nonzero((queries > 0) & ~np.eye(len(queries), dtype=bool))
    names = {"sorted_by": table.judges[i], "scored_by": table.judges[j]}
    numbers = {"queries": queries, "documents": table.documents, "ndcg": drawn[0], "low": low, "high": high}
    return pd.DataFrame(names | {name: of_two[two] for name, of_two in numbers.items()})


def overall(table: Crossed, *, draws: int, rng: np.random.Generator) -> tuple[float, float, float]:
    """Mean, low, high over all ordered pairs of judges, each by the documents in common; NaN where there is none."""
    apart = ~np.eye(len(table.judges), dtype=bool)
    return _summed_up(_mean(_drawn(table, draws, rng)[:, apart], table.documents[apart]), table.ndcg[apart])


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
    drawn, rows = _drawn(table, draws, rng), []
    for judge, name in enumerate(table.judges):
        others = table.people & (np.arange(len(table.people)) != judge)
        apart, shared = ~np.eye(others.sum(), dtype=bool), table.documents[judge, others]
        among = drawn[:, others][:, :, others].swapaxes(1, 2)
        theirs = _mean(_mean(among, table.documents[others][:, others] * apart), shared)
        own = _mean(drawn[:, judge][:, others], shared)
        reached = _summed_up(own, table.ndcg[judge, others])
        lost = _summed_up(own - theirs, table.ndcg[others][:, others][apart])
        rows.append((name, not table.people[judge], *reached, theirs[0], *lost))
    columns = ["judge", "model", "reached", "low", "high", "others"]
    columns += ["difference", "difference_low", "difference_high"]
    found = pd.DataFrame(rows, columns=columns).dropna(subset="reached")
    return found.sort_values(["difference", "reached"], kind="stable", ignore_index=True)


def _drawn(table: Crossed, draws: int, rng: np.random.Generator) -> np.ndarray:
    """(1 + draws, n_judges, n_judges) means over queries: over all, then over those of bootstrap samples."""
    n_judges, _, n_queries = table.ndcg.shape
    values, known = table.ndcg.reshape(-1, n_queries), np.isfinite(table.ndcg).reshape(-1, n_queries)
    weights = np.vstack([np.ones(n_queries), bootstrap_counts(n_queries, draws, rng)])
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn = (weights @ np.where(known, values, 0.0).T) / (weights @ known.T.astype(np.float64))
    return drawn.reshape(-1, n_judges, n_judges)


def _summed_up(drawn: np.ndarray, ndcg: np.ndarray) -> tuple[float, float, float]:
    """What was drawn first, and the interval of the others; NaN where ndcg (n, n_queries) knows one query alone."""
    low, high = ends(drawn[1:]) if np.isfinite(ndcg).any(axis=0).sum() > 1 else (np.nan, np.nan)
    return float(drawn[0]), float(low), float(high)


def _mean(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weighted mean over the last axis of what is no NaN; NaN where nothing is."""
    known = np.isfinite(values)
    weights = weights * known
    with np.errstate(invalid="ignore", divide="ignore"):
        return (np.where(known, values, 0.0) * weights).sum(axis=-1) / weights.sum(axis=-1)
