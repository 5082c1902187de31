"""Dividing a budget when a query costs something before its first judgment: how many queries, how deep."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from helpers.metrics import significance

DEPTH_STEPS = 8  # depths tried between one power of two and the next
COSTS = (0, 8, 64)  # of a query before its first judgment, in judgments, at which losses are told


@dataclass(frozen=True)
class Surface:
    """Test NDCG as a quadratic in log2 queries and log2 documents a query, fitted to measured cells."""

    coefficients: np.ndarray  # (6,) of 1, x, y, x², xy, y² with x = log2 queries, y = log2 documents
    draws: np.ndarray  # (n_draws, 6) the same, fitted to bootstrap samples of test queries and repeats
    queries: tuple[int, int]  # (lowest, highest) measured; nothing is read off outside
    documents: tuple[int, int]
    residual: float  # root mean square distance of the measured cells from the surface, in NDCG

    def ndcg(self, queries: np.ndarray, documents: np.ndarray, coefficients: np.ndarray | None = None) -> np.ndarray:
        """NDCG at these points, NaN where queries or documents lie outside what was measured."""
        queries, documents = np.broadcast_arrays(queries, documents)
        chosen = self.coefficients if coefficients is None else coefficients
        value = _terms(np.log2(queries), np.log2(documents)) @ chosen.T
        inside = _within(queries, self.queries) & _within(documents, self.documents)
        return np.where(inside.reshape(inside.shape + (1,) * (chosen.ndim - 1)), value, np.nan)


def fit_surface(runs: pd.DataFrame, rng: np.random.Generator, draws: int = 500) -> Surface:
    """The surface through the runs of one ranker over a grid of queries and documents."""
    cells = list(runs.groupby(["queries", "documents"])["per_query"])
    if len(cells) < 6:
        raise ValueError(
            f"runs has {len(cells)} cells of queries and documents, expected at least 6 to fit a quadratic"
        )
    queries, documents = np.array([cell for cell, _ in cells], float).T
    ndcg = [significance.measured(per_query.tolist()) for _, per_query in cells]
    fit = np.linalg.pinv(_terms(np.log2(queries), np.log2(documents)))
    means = np.array([values.mean() for values in ndcg])
    coefficients = fit @ means
    residual = means - _terms(np.log2(queries), np.log2(documents)) @ coefficients
    return Surface(
        coefficients,
        np.array([fit @ _resampled_means(ndcg, rng) for _ in range(draws)]),
        (int(queries.min()), int(queries.max())),
        (int(documents.min()), int(documents.max())),
        float(np.sqrt(np.mean(residual**2))),
    )


def fit_surfaces(runs: pd.DataFrame, rng: np.random.Generator) -> dict[str, Surface]:
    """The surface of every ranker in the runs."""
    return {ranker: fit_surface(rows, rng) for ranker, rows in runs.groupby("ranker", sort=False)}


def all_best_depths(surfaces: dict[str, Surface], margin: float) -> pd.DataFrame:
    """`best_depths` of every ranker, for budgets of 1/64, 1/16 and 1/4 of the deepest pool."""
    found = []
    for ranker, surface in surfaces.items():
        costs = [0, *2 ** np.arange(np.log2(2 * surface.documents[1]) + 1)]
        found.append(best_depths(surface, _budgets(surface), costs, margin).assign(ranker=ranker))
    return _ranker_first(found)


def losses(surfaces: dict[str, Surface]) -> pd.DataFrame:
    """What each depth loses against the best of the same budget and cost of a query: frame ranker, budget, cost,
    documents, queries, loss, low, high.
    """
    frames = [
        _losses(surface, budget, cost).assign(ranker=ranker, budget=budget, cost=cost)
        for ranker, surface in surfaces.items()
        for budget in _budgets(surface)
        for cost in COSTS
    ]
    return _ranker_first(frames)[["ranker", "budget", "cost", "documents", "queries", "loss", "low", "high"]]


def best_depths(surface: Surface, budgets: list[int], costs: list[float], margin: float) -> pd.DataFrame:
    """The best of the measured depths for every budget and cost of a query, and those that lose less than the margin:
    frame budget, cost, documents, queries, ndcg, shallowest, deepest, low, high.

    A budget of B judgments and queries that cost c each buy n = B / (c + d) queries of d documents; `low` and `high`
    hold the best depth in 95 % of the bootstrap samples. What affords no measured point has no row.
    """
    rows = [_best_depth(surface, budget, cost, margin) for budget in budgets for cost in costs]
    return pd.DataFrame([row for row in rows if row is not None])


def _budgets(surface: Surface) -> list[int]:
    """1/64, 1/16 and 1/4 of the deepest pool, in judgments."""
    return [surface.queries[1] * surface.documents[1] // part for part in (64, 16, 4)]


def _losses(surface: Surface, budget: int, cost: float) -> pd.DataFrame:
    low, high = np.log2(surface.documents)
    depths = 2 ** np.arange(low, high + 1e-9)
    queries = budget / (cost + depths)
    ndcg = surface.ndcg(queries, depths)
    measured = ~np.isnan(ndcg)
    if not measured.any():
        return pd.DataFrame(columns=["documents", "queries", "loss", "low", "high"])
    best = int(np.nanargmax(ndcg))
    drawn = surface.ndcg(queries, depths, surface.draws)
    bounds = np.quantile(drawn[best] - drawn[measured], [0.025, 0.975], axis=1)
    frame = {"documents": depths[measured], "queries": queries[measured], "loss": (ndcg[best] - ndcg)[measured]}
    return pd.DataFrame(frame | {"low": bounds[0], "high": bounds[1]})


def _ranker_first(frames: list[pd.DataFrame]) -> pd.DataFrame:
    table = pd.concat(frames, ignore_index=True)
    return table[["ranker", *table.columns.drop("ranker")]]


def _terms(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.stack([np.ones_like(x), x, y, x**2, x * y, y**2], axis=-1)


def _within(values: np.ndarray, bounds: tuple[int, int]) -> np.ndarray:
    """Inside the bounds, or off them by rounding only."""
    return (values > bounds[0] * (1 - 1e-9)) & (values < bounds[1] * (1 + 1e-9))


def _resampled_means(ndcg: list[np.ndarray], rng: np.random.Generator) -> np.ndarray:
    n_queries = ndcg[0].shape[1]
    weights = rng.multinomial(n_queries, np.full(n_queries, 1 / n_queries)) / n_queries
    return np.array([(values[rng.integers(len(values), size=len(values))] @ weights).mean() for values in ndcg])


def _best_depth(surface: Surface, budget: int, cost: float, margin: float) -> dict | None:
    low, high = np.log2(surface.documents)
    depths = 2 ** np.linspace(low, high, round((high - low) * DEPTH_STEPS) + 1)
    ndcg = surface.ndcg(budget / (cost + depths), depths)
    if np.isnan(ndcg).all():
        return None
    best = int(np.nanargmax(ndcg))
    measured = ~np.isnan(ndcg)
    level = depths[measured & (ndcg > ndcg[best] - margin)]
    drawn = surface.ndcg(budget / (cost + depths), depths, surface.draws)[measured]
    spread = np.quantile(depths[measured][drawn.argmax(axis=0)], [0.025, 0.975], method="nearest")
    return {
        "budget": budget,
        "cost": cost,
        "documents": depths[best],
        "queries": budget / (cost + depths[best]),
        "ndcg": ndcg[best],
        "shallowest": level.min(),
        "deepest": level.max(),
        "low": spread[0],
        "high": spread[1],
    }
