"""Dividing a budget when a query costs something before its first judgment: how many queries, how deep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from helpers.metrics import significance

COSTS = (0, 8, 64)  # of a query before its first judgment, in judgments, at which losses are told
PARTS = (64, 16, 4)  # of the deepest pool, in judgments, that the budgets are
FEWEST = 6  # cells of a quadratic
DRAWS = 500  # bootstrap samples of test queries and repeats


class Surface(NamedTuple):
    """NDCG as a quadratic in log2 queries and log2 documents a query, through measured cells."""

    coefficients: np.ndarray  # (n, 6) of 1, x, y, x², xy, y²: by each of the means that it was fitted to
    queries: tuple[int, int]  # (lowest, highest) measured; nothing is read off outside
    documents: tuple[int, int]

    def ndcg(self, queries: np.ndarray, documents: np.ndarray) -> np.ndarray:
        """(n_points, n) NDCG, NaN where queries or documents lie outside what was measured."""
        value = _terms(np.log2(queries), np.log2(documents)) @ self.coefficients.T
        inside = _within(queries, self.queries) & _within(documents, self.documents)
        return np.where(inside[:, None], value, np.nan)


def surface(cells: Sequence[tuple[float, float]], means: Sequence[np.ndarray]) -> Surface:
    """The surface through cells (queries, documents), by each of several means (n_cells,) of their NDCG."""
    if len(cells) < FEWEST:
        raise ValueError(
            f"runs has {len(cells)} cells of queries and documents, expected at least {FEWEST} to fit a quadratic"
        )
    sizes = np.array(cells, float).T
    fit = np.linalg.pinv(_terms(*np.log2(sizes)))
    ends = [(int(axis.min()), int(axis.max())) for axis in sizes]
    return Surface(np.array([fit @ each for each in means]), *ends)


def losses(runs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """What each depth loses against the best of the same budget and cost of a query: frame ranker, budget, cost,
    documents, queries, loss, low, high.

    A budget of B judgments and queries that cost c each buy n = B / (c + d) queries of d documents; what buys fewer or
    more queries than were measured has no row.
    """
    frames = []
    for ranker, rows in runs.groupby("ranker", sort=False):
        cells, per_query = zip(*rows.groupby(["queries", "documents"])["per_query"], strict=True)
        ndcg = [significance.measured(values.tolist()) for values in per_query]
        drawn = [_resampled_means(ndcg, rng) for _ in range(DRAWS)]
        fitted = surface(cells, [np.array([values.mean() for values in ndcg]), *drawn])
        frames += [
            _losses(fitted, budget, cost).assign(ranker=ranker, budget=budget, cost=cost)
            for budget in (fitted.queries[1] * fitted.documents[1] // part for part in PARTS)
            for cost in COSTS
        ]
    columns = ["ranker", "budget", "cost", "documents", "queries", "loss", "low", "high"]
    return pd.concat(frames, ignore_index=True)[columns]


def _losses(surface: Surface, budget: int, cost: float) -> pd.DataFrame:
    low, high = np.log2(surface.documents)
    documents = 2 ** np.arange(low, high + 1e-9)
    queries = budget / (cost + documents)
    ndcg = surface.ndcg(queries, documents)
    table = pd.DataFrame({"documents": documents, "queries": queries, "ndcg": ndcg[:, 0]}).dropna()
    lost = ndcg[table["ndcg"].idxmax()] - ndcg[table.index] if len(table) else np.empty((0, 2))
    low, high = np.quantile(lost[:, 1:], [0.025, 0.975], axis=1)
    return table.drop(columns="ndcg").assign(loss=lost[:, 0], low=low, high=high)


def _terms(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.stack([np.ones_like(x), x, y, x**2, x * y, y**2], axis=-1)


def _within(values: np.ndarray, bounds: tuple[int, int]) -> np.ndarray:
    """Inside the bounds, or off them by rounding only."""
    return (values > bounds[0] * (1 - 1e-9)) & (values < bounds[1] * (1 + 1e-9))


def _resampled_means(ndcg: list[np.ndarray], rng: np.random.Generator) -> np.ndarray:
    n_queries = ndcg[0].shape[1]
    weights = rng.multinomial(n_queries, np.full(n_queries, 1 / n_queries)) / n_queries
    return np.array([(values[rng.integers(len(values), size=len(values))] @ weights).mean() for values in ndcg])
