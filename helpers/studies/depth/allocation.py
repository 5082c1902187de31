"""Dividing a budget when a query costs something before its first judgment: how many queries, how deep."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from helpers.metrics import significance

COSTS = (0, 8, 64)  # of a query before its first judgment, in judgments, at which losses are told
PARTS = (64, 16, 4)  # of the deepest pool, in judgments, that the budgets are
FEWEST = 6  # cells of a quadratic
DRAWS = 500  # bootstrap samples of test queries and repeats


class Surface(NamedTuple):
    """Test NDCG as a quadratic in log2 queries and log2 documents a query, fitted to measured cells."""

    coefficients: np.ndarray  # (1 + n_draws, 6) of 1, x, y, x², xy, y²: of the means, then of bootstrap samples
    queries: tuple[int, int]  # (lowest, highest) measured; nothing is read off outside
    documents: tuple[int, int]

    def ndcg(self, queries: np.ndarray, documents: np.ndarray) -> np.ndarray:
        """(n_points, 1 + n_draws) NDCG, NaN where queries or documents lie outside what was measured."""
        value = _terms(np.log2(queries), np.log2(documents)) @ self.coefficients.T
        inside = _within(queries, self.queries) & _within(documents, self.documents)
        return np.where(inside[:, None], value, np.nan)


def losses(runs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """What each depth loses against the best of the same budget and cost of a query: frame ranker, budget, cost,
    documents, queries, loss, low, high.

    A budget of B judgments and queries that cost c each buy n = B / (c + d) queries of d documents; what buys fewer or
    more queries than were measured has no row.
    """
    surfaces = {ranker: fit_surface(rows, rng) for ranker, rows in runs.groupby("ranker", sort=False)}
    frames = [
        _losses(surface, budget, cost).assign(ranker=ranker, budget=budget, cost=cost)
        for ranker, surface in surfaces.items()
        for budget in (surface.queries[1] * surface.documents[1] // part for part in PARTS)
        for cost in COSTS
    ]
    columns = ["ranker", "budget", "cost", "documents", "queries", "loss", "low", "high"]
    return pd.concat(frames, ignore_index=True)[columns]


def fit_surface(runs: pd.DataFrame, rng: np.random.Generator, draws: int = DRAWS) -> Surface:
    """The surface through the runs of one ranker over a grid of queries and documents."""
    cells = list(runs.groupby(["queries", "documents"])["per_query"])
    if len(cells) < FEWEST:
        raise ValueError(
            f"runs has {len(cells)} cells of queries and documents, expected at least {FEWEST} to fit a quadratic"
        )
    queries, documents = np.array([cell for cell, _ in cells], float).T
    ndcg = [significance.measured(per_query.tolist()) for _, per_query in cells]
    fit = np.linalg.pinv(_terms(np.log2(queries), np.log2(documents)))
    drawn = [fit @ _resampled_means(ndcg, rng) for _ in range(draws)]
    coefficients = np.array([fit @ [values.mean() for values in ndcg], *drawn])
    ends = [(int(sizes.min()), int(sizes.max())) for sizes in (queries, documents)]
    return Surface(coefficients, *ends)


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
