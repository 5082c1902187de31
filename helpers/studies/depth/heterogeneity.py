"""How much queries differ in what makes a document relevant, and what that does to the paper's main claim.

The paper's own explanation of its result is that "a new query may have quite different properties". Here that is a
number: how far the best ranker of one query lies from the best ranker for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from helpers.datasets.collection import Collection
from helpers.engine import sweep
from helpers.reporting.answers import listed, number
from helpers.reporting.verdicts import REAL, basis_of
from helpers.studies.depth import protocol as study
from helpers.studies.depth import runs, tables

PARTS = 20
"""Of the queries, each left out once for the interval."""

LEAST_SHARE = 1e-3
"""Of the mean variance of the scatter, below which a direction of it is left out: features that repeat others."""

TINY = 1e-9


class Moments(NamedTuple):
    """Slopes of the features on the grade, in units of the scatter: what the heterogeneity is made of.

    slopes : (n_queries, n_directions) least-squares slope in each query
    weights : (n_queries,) 1 / the variance that the scatter gives each of these slopes
    """

    slopes: np.ndarray
    weights: np.ndarray


class Heterogeneity(NamedTuple):
    """How much queries differ, with its 95 % interval over queries, and of how many queries."""

    value: float
    low: float
    high: float
    queries: int


def measure(collection: Collection) -> Heterogeneity:
    """Spread between queries of the direction that tells grades apart, over the direction that they share.

    Features become normal scores. Within a query q they rise with the grade at slopes b_q, in units of the scatter
    about that line, in whose directions scores are uncorrelated: the best linear ranker of q weighs them by b_q, the
    best for all by the mean m. The value is

        sqrt(E |b_q - m|²) / |m|

    with both lengths freed of what the scatter adds to them: the moment estimate of DerSimonian and Laird (1986),
    summed over directions. At 0 all queries want one ranker; at 1 what is a query's own is as long as what they share.
    The interval is a jackknife over twentieths of the queries, in the logarithm.

    Parameters
    ----------
    collection : with at least 40 queries that have documents of two grades

    Raises
    ------
    ValueError
        when there are fewer such queries.
    """
    moments = slopes(collection)
    n_queries = len(moments.weights)
    if n_queries < 2 * PARTS:
        raise ValueError(
            f"{collection.name}: {n_queries} queries have documents of two grades, expected at least {2 * PARTS}"
        )
    value = ratio(moments)
    part = np.arange(n_queries) % PARTS
    without = np.log([max(ratio(Moments(*(rows[part != p] for rows in moments))), TINY) for p in range(PARTS)])
    error = np.sqrt((PARTS - 1) * without.var())
    reach = np.exp(stats.t.ppf(0.975, PARTS - 1) * error)
    return Heterogeneity(value, float(value / reach), float(value * reach), n_queries)


def ratio(moments: Moments) -> float:
    """The heterogeneity of slopes; 0 where they differ no more than the scatter makes them, infinite without a mean.

    Parameters
    ----------
    moments : of `slopes`

    Examples
    --------
    Two queries, exactly measured: mean slope 2, each 1 away from it, of which half the squares are the mean's own.

    >>> round(ratio(Moments(np.array([[1.0], [3.0]]), np.array([1e9, 1e9]))), 4)
    0.8165
    """
    values, weights = moments
    total, directions = weights.sum(), values.shape[1]
    share = (weights**2).sum() / total**2
    mean = weights @ values / total
    excess = (weights @ (values - mean) ** 2).sum() - directions * (len(weights) - 1)
    between = max(excess / (total * (1 - share)), 0.0)
    shared = (mean**2).sum() - directions / total - between * share
    return float(np.sqrt(between / shared)) if shared > 0 else np.inf


def slopes(collection: Collection) -> Moments:
    """Slopes of the normal scores on the grade within queries that have documents of two grades.

    Parameters
    ----------
    collection : grades and features, of which those count that vary within some query
    """
    grades = (collection.grades - collection.grades.mean()) / collection.grades.std()
    scores = _centred(_normal_scores(collection.features), collection)
    scores = scores[:, scores.std(axis=0) > TINY]
    position = _centred(grades[:, None], collection)
    squares = _sums(position**2, collection)[:, 0]
    graded = squares > TINY
    found = np.zeros((collection.n_queries, scores.shape[1]))
    found[graded] = _sums(position * scores, collection)[graded] / squares[graded, None]
    scatter = scores - position * found[collection.query_index]
    freedom = max(collection.n_docs - collection.n_queries - graded.sum(), 1)
    variances, directions = np.linalg.eigh(scatter.T @ scatter / freedom)
    kept = variances > LEAST_SHARE * variances.mean()
    return Moments(found[graded] @ (directions[:, kept] / np.sqrt(variances[kept])), squares[graded])


def run_map(*, store: str | Path, n_jobs: int, seed: int, plan: study.Plan = study.MAP_PLAN) -> pd.DataFrame:
    """Documents less queries at equal shares of the judgments, on a portrait whose queries differ more and more.

    Parameters
    ----------
    store, n_jobs, seed : as `sweep.run` takes them
    plan : rankers, sizes and draws

    Returns
    -------
    frame of `tables.comparisons` with the columns slopes, factor on the portrait's, and heterogeneity of what was drawn

    Raises
    ------
    ValueError
        when a run failed.
    """
    scale = study.map_scale(plan)
    frames = []
    for factor in study.SLOPES:
        parts = study.parts(study.MAPPED, scale, 1, np.random.default_rng(seed), slopes=factor)
        options = {"store": store, "n_jobs": n_jobs, "seed": seed, "experiments": ["percent"]}
        found = runs.runs({1: parts}, plan.rankers, scale, **options)
        if found["percent"]["error"].notna().any():
            raise ValueError(sweep.outcome(found["percent"]))
        compared = runs.tables(found, study.MARGIN, np.random.default_rng(seed))["comparisons"]
        frames.append(compared.assign(slopes=factor, heterogeneity=measure(parts["training"]).value))
    return pd.concat(frames, ignore_index=True)


def of_collections(names: Sequence[str], seed: int) -> pd.DataFrame:
    """The heterogeneity of collections: a row for each, portraits as they are drawn.

    Parameters
    ----------
    names : of collections, keys of `protocol.COLLECTIONS`
    seed : of what is drawn

    Returns
    -------
    frame data, heterogeneity, low, high, queries
    """
    rows = [(name, *measure(study.whole(name, seed))) for name in names]
    return pd.DataFrame(rows, columns=["data", "heterogeneity", "low", "high", "queries"])


def points(comparisons: pd.DataFrame, collections: pd.DataFrame, drawn: pd.DataFrame) -> pd.DataFrame:
    """The map: documents less queries, by how much queries differ, of real collections and of the portrait.

    Of a real collection the smallest share is taken that leaves FLOOR documents a query, as the paper has no others.

    Parameters
    ----------
    comparisons : of all collections, with a column data
    collections : frame data, heterogeneity, low, high, of `of_collections`
    drawn : of `run_map`

    Returns
    -------
    frame data, ranker, at, slopes (NaN of a real one), heterogeneity, difference, low, high
    """
    real = tables.by_share(comparisons)
    real = real[~real["shallow"] & (real["data"].map(basis_of) == REAL)]
    real = real.sort_values("at", kind="stable").drop_duplicates(["data", "ranker"])
    real = real.merge(collections[["data", "heterogeneity"]], on="data").assign(slopes=np.nan)
    known = tables.by_share(drawn)
    known = known[~known["shallow"]].assign(data="portrait")
    columns = ["data", "ranker", "at", "slopes", "heterogeneity", "difference", "low", "high"]
    return pd.concat([part[columns] for part in (known, real) if len(part)], ignore_index=True)


def depends(table: pd.DataFrame) -> str:
    """Whether keeping documents gains more where queries differ more: a title.

    Clear is a difference at the largest slopes whose interval lies above that at the portrait's own, at the smallest
    share of the map.

    Parameters
    ----------
    table : of `points`
    """
    drawn = table.dropna(subset="slopes")
    drawn = drawn[drawn["at"] == drawn["at"].min()]
    if drawn["slopes"].nunique() < 2:
        return "How much queries differ was not varied"
    ends = [drawn[drawn["slopes"] == s].set_index("ranker") for s in (drawn["slopes"].min(), drawn["slopes"].max())]
    few, many = ends[0], ends[1].loc[ends[0].index]
    more = list(few.index[many["low"] > few["high"]])
    less = list(few.index[many["high"] < few["low"]])
    if len(more) == len(few):
        return "The more queries differ from one another, the more it pays to keep many of them"
    if not more and not less:
        return "How much queries differ from one another does not clearly decide"
    said = [f"more with {listed(more)}"] * bool(more) + [f"less with {listed(less)}"] * bool(less)
    return f"Where queries differ more, keeping many of them pays {' and '.join(said)}"


def on_map(collections: pd.DataFrame, drawn: pd.DataFrame) -> str:
    """Where the real collections lie between the portrait as it is and one whose queries differ more.

    Parameters
    ----------
    collections : frame data, heterogeneity
    drawn : of `run_map`
    """
    real = collections[collections["data"].map(basis_of) == REAL].sort_values("heterogeneity")
    scale = drawn.groupby("slopes")["heterogeneity"].mean()
    if real.empty:
        return "No real collection was measured."
    placed = {row.data: _place(row.heterogeneity, scale) for row in real.itertuples()}
    said = listed(f"{name} ({number(real.set_index('data').loc[name, 'heterogeneity'])}, {place})"
                  for name, place in placed.items())  # fmt: skip
    return f"How much queries differ, and the factor on the portrait's slopes that it is like: {said}."


def _place(value: float, scale: pd.Series) -> str:
    """The factor on the slopes at which the portrait has that heterogeneity.

    >>> scale = pd.Series([2.0, 4.0], index=[1.0, 2.0])
    >>> [_place(value, scale) for value in (1.0, 3.0, 5.0)]
    ['below 1', '1.5', 'above 2']
    """
    ordered = scale.sort_values()
    if value < ordered.iloc[0]:
        return f"below {ordered.index[0]:g}"
    if value > ordered.iloc[-1]:
        return f"above {ordered.index[-1]:g}"
    return f"{np.interp(value, ordered.to_numpy(), ordered.index.to_numpy()):.1f}"


def _normal_scores(features: np.ndarray) -> np.ndarray:
    """(n_docs, n_features) normal scores of ranks over all documents, equal values sharing the mean of their ranks."""
    ranks = stats.rankdata(features, axis=0)
    return stats.norm.ppf((ranks - 0.5) / len(features))


def _sums(values: np.ndarray, collection: Collection) -> np.ndarray:
    return np.add.reduceat(values, collection.offsets[:-1], axis=0)


def _centred(values: np.ndarray, collection: Collection) -> np.ndarray:
    return values - (_sums(values, collection) / collection.group[:, None])[collection.query_index]
