"""To train: nDCG of a trained ranker over queries, depth and opinions, as a fitted surface, and the depth it advises.

A surface is a Gaussian process over log queries, log depth and log opinions, through the means of stored runs with the
error of each. More queries of equal depth cannot make a ranker worse on average, so each draw of the surface is made to
rise with them, by isotonic regression. Depth and opinions are free: deeper judging adds easy documents, too, and what a
scheme makes of several opinions may be worse than one.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel
from sklearn.isotonic import isotonic_regression
from threadpoolctl import threadpool_limits

from helpers.datasets import portrait
from helpers.engine import results
from helpers.studies.budget.costs import Costs

DRAWS = 200
STEPS = 13
FEWEST_CELLS = 6
LEAST_ERROR = 1e-4
JITTER = 1e-6
"""Added to the variances of the drawn surface, so that its root is the same on every processor."""

SIZES, LENGTHS = (1.0, 4.0), (1.5, 3.0, 6.0)
"""Variances of the process, and doublings of queries, depth or opinions over which nDCG changes, that are tried."""

ERRORS = (0.0025, 0.005, 0.01, 0.02)
"""Standard errors of a mean that are tried where nothing was run twice."""

AXES = ["queries", "documents", "opinions"]

SLACK = 1 + 1e-9
FEWEST = 3
"""Allocations of a collection that can give advice."""

NEAR = 0.5
"""Doublings by which what is bought may differ from what a rule of thumb wants."""

POOL = ["ranker", "queries", "documents", "opinions", "ndcg"]
REAL_JUDGES = ("three-ways-cystic-fibrosis", "cystic-fibrosis")
"""Of the surfaces of study 1 those by real judges; the others are drawn."""


class Source(NamedTuple):
    """Where a study keeps its runs."""

    table: str
    names: dict[str, str]  # column -> what it is called here


SOURCES = {"01": Source("surface", {"labels": "opinions", "ndcg@3": "ndcg"}), "04": Source("pool", {})}
"""Study -> where its runs are."""


class Wanted(NamedTuple):
    """What a rule wants to train on: documents of a query, or queries; infinite as many as there can be, 0 as few."""

    depth: float | None = None
    queries: float | None = None


DEEP, SHALLOW = "as deep as can be", "as many queries as can be"
RULES = {
    DEEP: Wanted(depth=np.inf),
    SHALLOW: Wanted(depth=0.0),
    "eight documents a query": Wanted(depth=8.0),
    "pools of depth ten": Wanted(depth=10.0),
    "twice the depth of the page": Wanted(depth=20.0),
    "fifty queries": Wanted(queries=50.0),
}
"""Rules of thumb to train."""


@dataclass(frozen=True, eq=False)
class Surface:
    """Draws of nDCG on a grid."""

    queries: np.ndarray
    depths: np.ndarray
    opinions: np.ndarray
    values: np.ndarray

    def at(self, opinions: np.ndarray, depth: np.ndarray, queries: np.ndarray) -> np.ndarray:
        """(n_draws, n_points) nDCG at allocations on the rows of depths, between queries linear in the logarithm."""
        opinions, depth, queries = (np.asarray(axis, float) for axis in (opinions, depth, queries))
        people = np.searchsorted(self.opinions, opinions)
        rows = np.abs(np.log(self.depths)[:, None] - np.log(depth)).argmin(axis=0)
        place = np.interp(np.log(queries), np.log(self.queries), np.arange(len(self.queries)))
        left = np.minimum(place.astype(int), len(self.queries) - 2)
        part = place - left
        return (1 - part) * self.values[:, people, rows, left] + part * self.values[:, people, rows, left + 1]


@threadpool_limits.wrap(limits=1)  # else the last digit, and with it the draws, hangs on the number of threads
def fit(runs: pd.DataFrame, rng: np.random.Generator, draws: int = DRAWS) -> Surface:
    """The surface of one ranker on one collection."""
    cells = runs.groupby(AXES)["ndcg"].agg(["mean", "var", "count"]).reset_index()
    if len(cells) < FEWEST_CELLS or cells["queries"].nunique() < 2:
        raise ValueError(
            f"{len(cells)} allocations of {cells['queries'].nunique()} numbers of queries were run, expected at least "
            f"{FEWEST_CELLS} of 2 to fit a surface"
        )
    level, scale = cells["mean"].mean(), max(cells["mean"].std(), LEAST_ERROR)
    process = _likeliest(np.log2(cells[AXES].to_numpy(float)), (cells["mean"].to_numpy() - level) / scale, [
        error / scale**2 for error in _errors(cells)
    ])  # fmt: skip
    queries, depths = (np.geomspace(cells[axis].min(), cells[axis].max(), STEPS) for axis in AXES[:2])
    opinions = np.arange(cells["opinions"].min(), cells["opinions"].max() + 1)
    grid = np.stack(np.meshgrid(opinions, depths, queries, indexing="ij")[::-1], axis=-1)
    mean, covariance = process.predict(np.log2(grid.reshape(-1, 3)), return_cov=True)
    covariance[np.diag_indices(len(mean))] += JITTER
    drawn = rng.multivariate_normal(mean, covariance, draws, method="cholesky") * scale + level
    return Surface(queries, depths, opinions, _rising(drawn.reshape(draws, *grid.shape[:3])))


def _errors(cells: pd.DataFrame) -> list[np.ndarray]:
    """Variances of the means: as runs of the same allocation differ, or those of ERRORS, to be tried."""
    if (cells["count"] > 1).any():
        return [np.maximum(cells["var"].mean() / cells["count"].to_numpy(), LEAST_ERROR**2)]
    return [np.full(len(cells), error**2) for error in ERRORS]


def _likeliest(x: np.ndarray, y: np.ndarray, errors: list[np.ndarray]) -> GaussianProcessRegressor:
    """The process of the kernel that makes the values likeliest, of a few: chosen the same on every machine."""
    lengths = [LENGTHS if np.ptp(axis) > 0 else LENGTHS[:1] for axis in x.T]
    fits = []
    for error, size, *along in itertools.product(errors, SIZES, *lengths):
        kernel = ConstantKernel(size) * RBF(along)
        fits.append(GaussianProcessRegressor(kernel, alpha=error, optimizer=None).fit(x, y))
    return max(fits, key=lambda fit: round(fit.log_marginal_likelihood_value_, 6))


def _rising(values: np.ndarray) -> np.ndarray:
    """The nearest values that rise along the last axis."""
    flat = values.reshape(-1, values.shape[-1])
    return np.array([isotonic_regression(row) for row in flat]).reshape(values.shape)


def _people(surface: Surface, costs: Costs, budget: float) -> pd.DataFrame:
    """Everything on the grid of a surface that the budget buys of one person a document, within what was run."""
    opinions = int(surface.opinions[0])
    queries = budget / (costs.query + surface.depths * opinions * costs.judgment)
    kept = (queries * SLACK >= surface.queries[0]) & (queries <= surface.queries[-1] * SLACK)
    return pd.DataFrame({"queries": queries[kept], "depth": surface.depths[kept], "opinions": opinions})


def followed(bought: pd.DataFrame, wanted: Mapping[str, Wanted]) -> dict[str, int]:
    """The row that each rule of thumb takes; none where nothing is as near to it as half a doubling."""
    found = {}
    for name, rule in wanted.items():
        column, amount = ("depth", rule.depth) if rule.queries is None else ("queries", rule.queries)
        there = bought[column].astype(float)
        if amount in (0, np.inf):
            amount = there.min() if amount == 0 else there.max()
        away = np.log2(there / amount).abs()
        if away.min() <= NEAR:
            found[name] = int(away.idxmin())
    return found


def advised(others: Mapping[str, Surface], costs: Costs, budget: float) -> float:
    """The depth that is best on average of other collections, each weighed by its own spread along the cost curve."""
    near = {name: _near(surface, costs, budget) for name, surface in others.items()}
    near = {name: bought for name, bought in near.items() if len(bought) >= FEWEST}
    if not near:
        raise ValueError(f"budget is {budget:g}: none of {', '.join(others)} was run with three allocations near it")
    depths = pd.concat(near.values())["depth"]
    grid = np.geomspace(depths.min(), depths.max(), 33)
    lost = [_lost(others[name], bought, grid) for name, bought in near.items()]
    return float(grid[np.mean(lost, axis=0).argmin()])


def _near(surface: Surface, costs: Costs, budget: float) -> pd.DataFrame:
    """What people are bought for the budget, or the nearest one at which half of the depths can be bought."""
    middle = costs.query + surface.depths[len(surface.depths) // 2] * costs.judgment
    within = float(np.clip(budget, surface.queries[0] * middle, surface.queries[-1] * middle))
    return _people(surface, costs, within)


def _lost(surface: Surface, bought: pd.DataFrame, grid: np.ndarray) -> np.ndarray:
    """What each depth of a grid loses on a collection, in units of the spread along its cost curve."""
    means = surface.at(bought["opinions"], bought["depth"], bought["queries"]).mean(axis=0)
    depths = bought["depth"].to_numpy()
    rows = np.abs(np.log(depths)[:, None] - np.log(np.clip(grid, depths[0], depths[-1]))).argmin(axis=0)
    return (means.max() - means[rows]) / max(np.ptp(means), LEAST_ERROR)


def fitted(runs: Mapping[str, pd.DataFrame], rng: np.random.Generator, draws: int) -> dict[str, dict[str, Surface]]:
    """Ranker -> collection -> surface, for every ranker of every pool."""
    parts = [(ranker, name, part) for name, pool in runs.items() for ranker, part in pool.groupby("ranker", sort=False)]
    found = {}
    for (ranker, name, part), child in zip(parts, rng.spawn(len(parts)), strict=True):
        found.setdefault(ranker, {})[name] = fit(part, child, draws)
    return found


def pools(real: bool = True) -> dict[str, pd.DataFrame]:
    """The pools of all studies that have some: collection -> frame of POOL."""
    return {
        name: as_pool(tables[source.table], source.names, name)
        for study, source in SOURCES.items()
        for name, tables in results.stored(study).items()
        if source.table in tables and not (real and is_synthetic(study, name))
    }


def as_pool(table: pd.DataFrame, names: Mapping[str, str], data: str) -> pd.DataFrame:
    """A table of runs as frame of POOL, those that failed left out; one opinion a document where it names none."""
    renamed = table.rename(columns=names)
    if "opinions" not in renamed:
        renamed = renamed.assign(opinions=1)
    missing = [column for column in POOL if column not in renamed]
    if missing:
        raise ValueError(f"pool of {data}: no column {missing[0]!r} among {', '.join(table)}")
    if "error" in renamed:
        renamed = renamed[renamed["error"].isna()]
    return renamed[POOL].reset_index(drop=True)


def is_synthetic(study: str, data: str) -> bool:
    """Whether documents of a stored collection are drawn from a portrait, or its judges from a matrix."""
    return data not in REAL_JUDGES if study == "01" else portrait.named(data) is not None
