"""To train: nDCG of a ranker over queries and depth as a fitted surface, and the best allocation of money on it.

A surface is a Gaussian process over log queries and log depth, through the means of stored runs with the error of each.
More queries of equal depth cannot make a ranker worse on average, so each draw of the surface is made to rise with
them, by isotonic regression. Depth is free: deeper judging adds easy documents, too.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel
from sklearn.isotonic import isotonic_regression
from threadpoolctl import threadpool_limits

from helpers.studies.budget.costs import Costs

DRAWS = 200
STEPS = 13
FEWEST_CELLS = 6
LEAST_ERROR = 1e-4
JITTER = 1e-6
"""Added to the variances of the drawn surface, so that its root is the same on every processor."""

SIZES, LENGTHS = (1.0, 4.0), (1.5, 3.0, 6.0)
"""Variances of the process, and doublings of queries or depth over which nDCG changes, that are tried."""

DEEP, SHALLOW, EIGHT, TWENTY = "as deep as can be", "as many queries as can be", "eight documents", "twenty documents"
DEPTHS = {DEEP: np.inf, SHALLOW: 0.0, EIGHT: 8.0, TWENTY: 20.0}
"""Rule of thumb to train by -> the depth that it wants, of which the nearest that can be had is taken."""


@dataclass(frozen=True, eq=False)
class Surface:
    """Draws of nDCG on a grid.

    Attributes
    ----------
    queries, depths : (n_steps,) of the grid, evenly spaced in the logarithm over what was run
    values : (n_draws, n_depths, n_queries) nDCG, rising with queries
    """

    queries: np.ndarray
    depths: np.ndarray
    values: np.ndarray

    def at(self, depth: np.ndarray, queries: np.ndarray) -> np.ndarray:
        """(n_draws, n_points) nDCG at allocations on the rows of depths, between queries linear in the logarithm.

        Parameters
        ----------
        depth : (n_points,) of which the nearest row of depths is taken, by the logarithm
        queries : (n_points,) of the allocations; beyond the grid its nearest end is taken
        """
        rows = np.abs(np.log(self.depths)[:, None] - np.log(depth)).argmin(axis=0)
        place = np.interp(np.log(queries), np.log(self.queries), np.arange(len(self.queries)))
        left = np.minimum(place.astype(int), len(self.queries) - 2)
        part = place - left
        return (1 - part) * self.values[:, rows, left] + part * self.values[:, rows, left + 1]


@threadpool_limits.wrap(limits=1)  # else the last digit, and with it the draws, hangs on the number of workers
def fit(runs: pd.DataFrame, rng: np.random.Generator, draws: int = DRAWS) -> Surface:
    """The surface of one ranker on one collection.

    Parameters
    ----------
    runs : frame queries, documents, ndcg, a row for each run
    rng : draws surfaces
    draws : of them

    Raises
    ------
    ValueError
        when there are fewer than six allocations.
    """
    cells = runs.groupby(["queries", "documents"])["ndcg"].agg(["mean", "var", "count"]).reset_index()
    if len(cells) < FEWEST_CELLS:
        raise ValueError(f"{len(cells)} allocations were run, expected at least {FEWEST_CELLS} to fit a surface")
    error = np.maximum(cells["var"].mean() / cells["count"], LEAST_ERROR**2)
    x = np.log2(cells[["queries", "documents"]].to_numpy(float))
    level, scale = cells["mean"].mean(), cells["mean"].std()
    process = _likeliest(x, ((cells["mean"] - level) / scale).to_numpy(), (error / scale**2).to_numpy())
    queries, depths = (np.geomspace(cells[name].min(), cells[name].max(), STEPS) for name in ("queries", "documents"))
    grid = np.stack(np.meshgrid(np.log2(depths), np.log2(queries), indexing="ij")[::-1], axis=-1).reshape(-1, 2)
    mean, covariance = process.predict(grid, return_cov=True)
    covariance[np.diag_indices(len(grid))] += JITTER
    drawn = rng.multivariate_normal(mean, covariance, draws, method="cholesky") * scale + level
    return Surface(queries, depths, _rising(drawn.reshape(draws, STEPS, STEPS)))


def allocations(surface: Surface, costs: Costs, budget: float) -> tuple[np.ndarray, np.ndarray]:
    """Depths of the grid, and the queries that a budget buys at each, where these lie within what was run.

    Parameters
    ----------
    surface : of a ranker
    costs : of a query and a judgment
    budget : in the same unit
    """
    queries = budget / (costs.query + surface.depths * costs.judgment)
    slack = 1 + 1e-9
    kept = (queries * slack >= surface.queries[0]) & (queries <= surface.queries[-1] * slack)
    return surface.depths[kept], queries[kept]


def best(surface: Surface, costs: Costs, budget: float) -> pd.Series:
    """The best allocation: queries, depth, nDCG with interval, and the depths that 95 % of the draws hold for best.

    Parameters
    ----------
    surface, costs, budget : as for `allocations`

    Raises
    ------
    ValueError
        when the budget buys nothing that was run.
    """
    depths, queries = allocations(surface, costs, budget)
    if len(depths) == 0:
        raise ValueError(f"budget is {budget:g}: no allocation of it was run, expected one that buys between these")
    values = surface.at(depths, queries)
    chosen = values.mean(axis=0).argmax()
    low, high = np.quantile(values[:, chosen], [0.025, 0.975])
    shallowest, deepest = np.quantile(depths[values.argmax(axis=1)], [0.025, 0.975])
    found = {"queries": queries[chosen], "depth": depths[chosen], "ndcg": values[:, chosen].mean()}
    return pd.Series(found | {"low": low, "high": high, "shallowest": shallowest, "deepest": deepest})


def losses(surface: Surface, costs: Costs, budget: float, wanted: Mapping[str, float]) -> dict[str, np.ndarray]:
    """What each rule loses of nDCG against the best allocation at the same cost: rule -> (n_draws,).

    The best is that by the mean of the surface; a draw may hold another for better, which is then below 0.

    Parameters
    ----------
    surface, costs, budget : as for `allocations`
    wanted : rule -> depth, of which the nearest on the cost curve is taken
    """
    depths, queries = allocations(surface, costs, budget)
    values = surface.at(depths, queries)
    chosen = values.mean(axis=0).argmax()
    return {rule: values[:, chosen] - values[:, _nearest(depths, depth)] for rule, depth in wanted.items()}


def advised(others: Mapping[str, Surface], costs: Costs, budget: float) -> float:
    """The depth that is best on average of other collections, each weighed by its own spread along the cost curve.

    Parameters
    ----------
    others : collection -> surface
    costs, budget : as for `allocations`; where a collection has no allocation of the budget, that nearest in its range

    Returns
    -------
    depth, NaN where no collection has an allocation
    """
    grid = np.geomspace(1, 256, 33)
    lost = [_lost(surface, costs, budget, grid) for surface in others.values()]
    known = [row for row in lost if row is not None]
    return float(grid[np.mean(known, axis=0).argmin()]) if known else float("nan")


def regrets(surfaces: Mapping[str, Surface], costs: Costs, budgets: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Advice chosen on the other collections and rules of thumb, each tried on the one left out.

    Parameters
    ----------
    surfaces : collection -> surface
    costs : of a query and a judgment
    budgets : collection -> budgets at which it is asked

    Returns
    -------
    frame collection, budget, rule, depth, draw, regret; "advice" among the rules
    """
    rows = []
    for name, surface in surfaces.items():
        others = {other: kept for other, kept in surfaces.items() if other != name}
        for budget in budgets[name]:
            depths, _ = allocations(surface, costs, budget)
            advice = advised(others, costs, budget)
            if len(depths) < 3 or np.isnan(advice):
                continue
            for rule, lost in losses(surface, costs, budget, {"advice": advice, **DEPTHS}).items():
                frame = pd.DataFrame({"draw": np.arange(len(lost)), "regret": lost})
                wanted = depths[_nearest(depths, {"advice": advice, **DEPTHS}[rule])]
                rows.append(frame.assign(collection=name, budget=budget, rule=rule, depth=wanted))
    return pd.concat(rows, ignore_index=True)


def regret_table(runs: pd.DataFrame) -> pd.DataFrame:
    """Mean regret of each rule over collections and budgets, and how much less that of the advice is, negative if more.

    The intervals hold 95 % of the draws of the surfaces; that other collections may differ is not in them.

    Parameters
    ----------
    runs : frame of `regrets`
    """
    means = runs.groupby(["rule", "draw"])["regret"].mean().unstack()
    saved = means - means.loc["advice"]
    found = {"regret": means.mean(axis=1), "low": means.quantile(0.025, axis=1), "high": means.quantile(0.975, axis=1)}
    found |= {"saved": saved.mean(axis=1), "saved_low": saved.quantile(0.025, axis=1)}
    found |= {"saved_high": saved.quantile(0.975, axis=1)}
    return pd.DataFrame(found).sort_values("regret").reset_index()


def _lost(surface: Surface, costs: Costs, budget: float, grid: np.ndarray) -> np.ndarray | None:
    """What each depth of a grid loses on a collection, in units of the spread along its cost curve."""
    ends = costs.query + surface.depths[[0, -1]] * costs.judgment
    within = np.clip(budget, surface.queries[0] * ends[0], surface.queries[-1] * ends[1])
    depths, queries = allocations(surface, costs, within)
    if len(depths) < 3:
        return None
    means = surface.at(depths, queries).mean(axis=0)
    rows = [_nearest(depths, depth) for depth in grid]
    return (means.max() - means[rows]) / max(np.ptp(means), LEAST_ERROR)


def _nearest(depths: np.ndarray, wanted: float) -> int:
    return int(np.abs(np.log(depths) - np.log(np.clip(wanted, depths[0], depths[-1]))).argmin())


def _likeliest(x: np.ndarray, y: np.ndarray, error: np.ndarray) -> GaussianProcessRegressor:
    """The process of the kernel that makes the values likeliest, of a few: chosen the same on every machine."""
    fits = []
    for size, across, down in itertools.product(SIZES, LENGTHS, LENGTHS):
        kernel = ConstantKernel(size) * RBF([across, down])
        fits.append(GaussianProcessRegressor(kernel, alpha=error, optimizer=None).fit(x, y))
    return max(fits, key=lambda fit: round(fit.log_marginal_likelihood_value_, 6))


def _rising(values: np.ndarray) -> np.ndarray:
    """The nearest values that rise along the last axis."""
    flat = values.reshape(-1, values.shape[-1])
    return np.array([isotonic_regression(row) for row in flat]).reshape(values.shape)
