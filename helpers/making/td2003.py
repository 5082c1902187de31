"""The portrait of TD2003, which was not at hand: published counts, another web collection's features, one figure."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from helpers import metrics, rankers
from helpers.datasets import sampling
from helpers.datasets.catalog import N_PARTS
from helpers.datasets.collection import Collection, concatenate
from helpers.datasets.portrait.drawing import draw
from helpers.datasets.portrait.files import Portrait
from helpers.datasets.portrait.strength import matched

QUERIES, DOCS, RELEVANT_SHARE, FEATURES = 50, 49_058, 0.008, 64  # Niu et al. 2014, Table 1
PRINTED_NDCG = 0.346  # NDCG@10 of SVMRank on TD2003: Torkestani 2012, Table 5
SOURCE = (
    "not measured: queries, documents and grades of TD2003 as in Table 1 of Niu et al. 2014, spread evenly over "
    "queries; features of the clueweb09-webis portrait, its grades 3 and 4 for relevant, 22 features in two versions; "
    "strength such that RankSVM has the NDCG@10 of .346 that Torkestani 2012 prints for TD2003 (Table 5)"
)
DRAWS = 10  # trial collections of each strength
TWIN_CORRELATION = 0.95  # of the scores of a feature and its second version


def td2003(web: Portrait) -> Portrait:
    """TD2003 as far as its published counts, another web collection's features and one printed figure tell."""
    group = _evenly(DOCS, QUERIES)
    relevant = _evenly(round(RELEVANT_SHARE * DOCS), QUERIES)
    wide = _with_twins(web, FEATURES - web.n_features)
    top = web.grade_shares[3:] / web.grade_shares[3:].sum()
    portrait = replace(
        wide,
        name="td2003",
        source=SOURCE,
        grade_counts=np.column_stack([group - relevant, relevant]).astype(np.int32),
        shift=np.stack([wide.shift[0], top @ wide.shift[3:]]).astype(np.float32),
        spread=np.stack([wide.spread[0], top @ wide.spread[3:]]).astype(np.float32),
        position=np.array([web.position[0], top @ web.position[3:]], dtype=np.float32),
    )
    rng = np.random.default_rng(0)
    return matched(portrait, PRINTED_NDCG, QUERIES, rng, figure=ranksvm_ndcg, draws=DRAWS)


def ranksvm_ndcg(collection: Collection) -> float:
    """NDCG@10 of RankSVM as LETOR reports it: mean of five folds, each the mean over its test queries."""
    return float(letor_figures(collection, "RankSVM").mean(axis=0)[0])


def letor_figures(collection: Collection, ranker: str) -> np.ndarray:
    """(5, 2) NDCG@10 and MAP of a ranker by the LETOR script's conventions, on the test queries of every fold."""
    parts = [collection.take_queries(queries) for queries in np.array_split(np.arange(collection.n_queries), N_PARTS)]
    return np.array([_figures(ranker, concatenate(three), last, test) for three, last, test in sampling.circle(parts)])


def figures(portrait: Portrait, draws: int, rng: np.random.Generator) -> pd.DataFrame:
    """How well every ranker does on collections of TD2003's size: frame ranker, ndcg, ndcg_sd, map, map_sd, printed."""
    drawn = [draw(portrait, QUERIES, rng) for _ in range(draws)]
    rows = []
    for ranker in rankers.NAMES:
        means = np.array([letor_figures(collection, ranker).mean(axis=0) for collection in drawn])
        (ndcg, precision), (ndcg_sd, map_sd) = means.mean(axis=0), means.std(axis=0, ddof=1)
        rows.append((ranker, ndcg, ndcg_sd, precision, map_sd, PRINTED_NDCG if ranker == "RankSVM" else np.nan))
    return pd.DataFrame(rows, columns=["ranker", "ndcg", "ndcg_sd", "map", "map_sd", "printed"])


def _figures(ranker: str, training: Collection, validation: Collection, test: Collection) -> tuple[float, float]:
    scores = rankers.trained(ranker, training, validation).predict(test.features)
    ndcg = metrics.ndcg(test.grades, scores, test.offsets, 10, **metrics.LETOR)
    precision = metrics.average_precision(test.grades, scores, test.offsets, **metrics.LETOR_MAP)
    return float(ndcg.mean()), float(precision.mean())


def _evenly(total: int, n: int) -> np.ndarray:
    """(n,) whole numbers that add up to the total and differ by one at most."""
    return np.diff(np.arange(n + 1) * total // n)


def _with_twins(portrait: Portrait, n: int) -> Portrait:
    """The portrait with second versions of the first n features, of the same distribution; all must be graded."""
    width = portrait.n_features
    spread_to = np.hstack([np.eye(width), TWIN_CORRELATION * np.eye(width, n)])  # scores of all features from the old
    own = np.hstack([np.zeros((n, width)), np.sqrt(1 - TWIN_CORRELATION**2) * np.eye(n)])
    sizes, masks = portrait.curve_sizes, ("varying", "graded", "normalised", "whole")
    twins = slice(0, int(sizes[:n].sum()))
    return replace(
        portrait,
        curve_sizes=np.concatenate([sizes, sizes[:n]]),
        curve_scores=np.concatenate([portrait.curve_scores, portrait.curve_scores[twins]]),
        curve_values=np.concatenate([portrait.curve_values, portrait.curve_values[twins]]),
        **{mask: np.concatenate([getattr(portrait, mask), getattr(portrait, mask)[:n]]) for mask in masks},
        query_factor=(spread_to.T @ portrait.query_factor).astype(np.float32),
        components=np.vstack([portrait.components @ spread_to, own]).astype(np.float32),
        shift=portrait.shift @ spread_to,
        slope=np.concatenate([portrait.slope, np.zeros(n, dtype=np.float32)]),
        spread=np.hstack([portrait.spread, np.ones((len(portrait.spread), n))]),
    )
