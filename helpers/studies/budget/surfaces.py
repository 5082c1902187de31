"""nDCG of a trained ranker over queries, depth and opinions, as a fitted surface.

A surface is a Gaussian process over log queries, log depth and log opinions, through the means of stored runs with the
error of each. More queries of equal depth cannot make a ranker worse on average, so each draw of the surface is made to
rise with them, by isotonic regression. Depth and opinions are free: deeper judging adds easy documents, too, and what a
scheme makes of several opinions may be worse than one.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel
from sklearn.isotonic import isotonic_regression
from threadpoolctl import threadpool_limits

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


@threadpool_limits.wrap(limits=1)  # else the last digit, and with it the draws, hangs on the number of workers
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
