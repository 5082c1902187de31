"""The stored tables of study 4, `data/results/04`: some hours of one core.

By the name "heterogeneity" the map of what the main claim depends on is made, by that of a collection its tables, and
the differences that the claims speak of, by query and by draw, in `contrasts.parquet`. The protocol is the paper's with
half of its queries, as `protocol.SCALES` says.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

from helpers.datasets import catalog, portrait
from helpers.datasets.collection import Collection
from helpers.engine import results
from helpers.making import common
from helpers.metrics.significance import jackknife_variance, t_half
from helpers.reporting.verdicts import PORTRAIT, basis_of
from helpers.studies.depth import effects, runs
from helpers.studies.depth import protocol as study

SEED = 2009
SCALE = "study"
MAP = "heterogeneity"

PARTS = 20  # of the queries, each left out once for the interval
LEAST_SHARE = 1e-3  # of the scatter's mean variance, below which a direction is left out: features that repeat others
TINY = 1e-9

# the portrait whose queries are made to differ more, by which factors, and what is run on each
MAPPED = "mslr-sample-portrait"
SLOPES = (1.0, 2.0, 4.0)
MAP_SCALE = study.Scale(600, 200, 800, pool_queries=16, pool_docs=2, percents=(5, 10, 20, 50), percent_repeats=2,
                        pool_repeats=3)  # fmt: skip


def write(name: str, found: dict[str, pd.DataFrame], plan: study.Plan, scale: str = SCALE) -> None:
    """Store the runs of a collection, and the tables made of them."""
    common.whole(**found)
    tables = runs.tables(found, np.random.default_rng(SEED))
    made_by = {"dataset": plan.dataset or name, "scale": scale, "seed": SEED, "margin": study.MARGIN}
    made_by |= {"folds": int(found["percent"]["fold"].nunique()), "copies": plan.copies}
    made_by |= {"synthetic": basis_of(name) == PORTRAIT, "trainings": sum(map(len, found.values()))}
    results.write(common.RESULTS / effects.STUDY / name, tables, made_by)
    percent = tables["percent"]
    rows = effects.contrasts(name, percent, tables.get("pool", percent.iloc[:0]), np.random.default_rng(SEED))
    common.replace_rows(f"{effects.STUDY}/{effects.CONTRASTS.name}", rows, ["collection"])


def measure(collection: Collection) -> tuple[float, float, float, int]:
    """Spread between queries of the direction that tells grades apart, over the direction that they share, with its
    95 % interval over queries, and of how many queries."""
    # Features become normal scores. Within a query q they rise with the grade at slopes b_q, in units of the scatter
    # about that line, in whose directions scores are uncorrelated: the best linear ranker of q weighs them by b_q, the
    # best for all by the mean m. The value is sqrt(E |b_q - m|²) / |m|, both lengths freed of what the scatter adds to
    # them: the moment estimate of DerSimonian and Laird (1986), summed over directions. At 0 all queries want one
    # ranker; at 1 what is a query's own is as long as what they share. The interval is a jackknife, in the logarithm.
    slopes, weights = _slopes(collection)
    n_queries = len(weights)
    if n_queries < 2 * PARTS:
        raise ValueError(
            f"{collection.name}: {n_queries} queries have documents of two grades, expected at least {2 * PARTS}"
        )
    value, part = ratio(slopes, weights), np.arange(n_queries) % PARTS
    without = np.log([max(ratio(slopes[part != p], weights[part != p]), TINY) for p in range(PARTS)])
    reach = np.exp(t_half(np.sqrt(jackknife_variance(without)), PARTS - 1))
    return value, float(value / reach), float(value * reach), n_queries


def ratio(slopes: np.ndarray, weights: np.ndarray) -> float:
    """The heterogeneity of what `_slopes` gives; 0 where slopes differ no more than the scatter makes them, infinite
    without a mean."""
    total, directions = weights.sum(), slopes.shape[1]
    share = (weights**2).sum() / total**2
    mean = weights @ slopes / total
    excess = (weights @ (slopes - mean) ** 2).sum() - directions * (len(weights) - 1)
    between = max(excess / (total * (1 - share)), 0.0)
    shared = (mean**2).sum() - directions / total - between * share
    return float(np.sqrt(between / shared)) if shared > 0 else np.inf


def _slopes(collection: Collection) -> tuple[np.ndarray, np.ndarray]:
    """Slopes (n_queries, n_directions) of the normal scores on the grade, in units of the scatter, in each query that
    has documents of two grades, and 1 / the variance that the scatter gives each of these (n_queries,)."""
    grades = (collection.grades - collection.grades.mean()) / collection.grades.std()
    ranks = stats.rankdata(collection.features, axis=0)  # over all documents; equal values share the mean of theirs
    scores = _centred(stats.norm.ppf((ranks - 0.5) / collection.n_docs), collection)
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
    return found[graded] @ (directions[:, kept] / np.sqrt(variances[kept])), squares[graded]


def _sums(values: np.ndarray, collection: Collection) -> np.ndarray:
    return np.add.reduceat(values, collection.offsets[:-1], axis=0)


def _centred(values: np.ndarray, collection: Collection) -> np.ndarray:
    return values - (_sums(values, collection) / collection.group[:, None])[collection.query_index]


def of_collections() -> pd.DataFrame:
    """The heterogeneity of collections, of portraits as many queries as are drawn for training: frame data,
    heterogeneity, low, high, queries."""
    rows = []
    for name, plan in study.COLLECTIONS.items():
        drawn = portrait.named(plan.dataset or name) is not None
        rows.append((name, *measure(_folds(plan, name)[1]["training"] if drawn else catalog.load(name))))
    return pd.DataFrame(rows, columns=["data", "heterogeneity", "low", "high", "queries"])


def _folds(plan: study.Plan, name: str) -> dict[int, study.Parts]:
    return study.every_fold(plan.dataset or name, plan.scale, SEED, copies=plan.copies)


def _write_map() -> None:
    """Store the heterogeneity of collections, and the comparisons on a portrait whose queries differ more and more."""
    frames = []
    for factor in SLOPES:
        parts = study.parts(MAPPED, MAP_SCALE, 1, np.random.default_rng(SEED), slopes=factor)
        found = runs.runs({1: parts}, study.LAMBDAS, MAP_SCALE, experiments=["percent"], **common.kept(SEED))
        common.whole(**found)
        compared = runs.tables(found, np.random.default_rng(SEED))["comparisons"]
        frames.append(compared.assign(slopes=factor, heterogeneity=measure(parts["training"])[0]))
    tables = {"map": pd.concat(frames, ignore_index=True), "collections": of_collections()}
    made_by = {"dataset": MAPPED, "scale": SCALE, "seed": SEED, "slopes": SLOPES, "synthetic": True}
    common.write(f"{effects.STUDY}/{MAP}", tables, made_by)


def _write_collection(name: str) -> None:
    plan = study.COLLECTIONS[name]
    options = {"experiments": plan.experiments} | common.kept(SEED)
    write(name, runs.runs(_folds(plan, name), plan.rankers, plan.scale, **options), plan)


TASKS = {name: partial(_write_collection, name) for name in study.COLLECTIONS} | {MAP: _write_map}
