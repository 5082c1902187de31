"""Does pNoise explain what label noise does to a ranker? Cells of runs, common curves, turning points, exact pNoise.

A *cell* is a ranker on a data set at one level of noise: its mean over folds and label draws. The one curve fitted to
them has the shape that Niu et al. (2014) describe, with the same freedom over pNoise and over dNoise.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from helpers.judging import noise
from helpers.metrics.significance import ends

SAMPLES = 1000  # bootstrap samples
FRAGILE = "td2003"  # how the name of TD2003 begins, and of its portrait
CANDIDATES = np.linspace(0.05, 0.95, 181)  # turning points that are tried, as shares of the range of x
NO_HINGE = 1e-12  # sum of squares below which a hinge is a straight line, but for rounding
POOLED = "all"  # the ranker of the curve through the cells of all rankers
APART = "dNoise, TD2003 apart"  # a line in dNoise, and a height of its own for TD2003

# which data sets one curve is fitted to; no portrait is among those called real
ALL, WITHOUT = "five data sets, two synthetic", "without TD2003"
REAL, ALL_REAL = "real collections", "real collections, also where nothing is gained"


@dataclass(frozen=True)
class Cells:
    """A mean for each ranker, data set and level of noise; entry 0 of the first axis is what was measured."""

    # The other entries are bootstrap samples: folds drawn anew within each data set, the same for all rankers and for
    # versions of one collection, and label draws within each fold and level.
    rankers: list[str]
    datasets: list[str]
    levels: np.ndarray  # 0 comes first
    pnoise: np.ndarray  # (1 + SAMPLES, n_rankers, n_datasets, n_levels)
    performance: np.ndarray  # of the same shape

    @property
    def relative(self) -> np.ndarray:
        """Performance as a share of that without noise; NaN where that is 0, as it may be in folds of few queries."""
        free = np.broadcast_to(self.performance[..., :1], self.performance.shape)
        return np.divide(self.performance, free, out=np.full(free.shape, np.nan), where=free > 0)

    @property
    def dnoise(self) -> np.ndarray:
        """The levels, in the shape of `pnoise`."""
        return np.broadcast_to(self.levels, self.pnoise.shape)

    def of(self, ranker: int | slice) -> tuple[dict[str, np.ndarray], np.ndarray]:
        """Points of a ranker or of all: by "pNoise" and "dNoise", and relative performance, (1 + SAMPLES, n) each."""
        noises = {"pNoise": self.pnoise, "dNoise": self.dnoise}
        found = {by: x[:, ranker].reshape(len(x), -1) for by, x in noises.items()}
        return found, self.relative[:, ranker].reshape(len(self.pnoise), -1)


def cells(runs: pd.DataFrame, rng: np.random.Generator, metric: str = "ndcg", samples: int | None = None) -> Cells:
    """The cells of runs with uniform noise: frame dataset, ranker, fold, level, draw, pnoise and `metric`.

    Where a fold lacks draws at a level, the mean of those that it has stands for them; data sets that are alike in a
    column `collection` are versions of it, in the same folds.
    """
    rankers, datasets = (list(runs[column].unique()) for column in ("ranker", "dataset"))
    levels = np.sort(runs["level"].unique())
    if levels[0] != 0:
        raise ValueError(f"runs have levels {levels.tolist()}, expected 0 among them, which performance is relative to")
    size = 1 + (SAMPLES if samples is None else samples)
    shape = (size, len(rankers), len(datasets), len(levels))
    pnoise, performance = np.empty(shape), np.empty(shape)
    drawn = {}
    for j, dataset in enumerate(datasets):
        of_dataset = runs[runs["dataset"] == dataset]
        collection = of_dataset.get("collection", of_dataset["dataset"]).iloc[0]
        n = of_dataset["fold"].nunique()
        folds = drawn.setdefault((collection, n), _with_all_first(rng.integers(n, size=(size, n))))
        for i, ranker in enumerate(rankers):
            values = _by_fold_level_draw(of_dataset[of_dataset["ranker"] == ranker], ["pnoise", metric], levels)
            if values.shape[1] != n or np.isnan(values).any():
                raise ValueError(f"{ranker} on {dataset}: runs are missing, expected every fold at every level")
            pnoise[:, i, j], performance[:, i, j] = _sampled_means(values, folds, rng)
    return Cells(rankers, datasets, levels, pnoise, performance)


def complete(runs: pd.DataFrame) -> list[str]:
    """The rankers that have a run in every fold of every data set at every level, as `cells` wants them."""
    wanted = runs.groupby("dataset")["fold"].nunique().sum() * runs["level"].nunique()
    found = runs.drop_duplicates(["ranker", "dataset", "fold", "level"])["ranker"].value_counts(sort=False)
    return [ranker for ranker in runs["ranker"].unique() if found[ranker] == wanted]


def falls(cells: Cells) -> pd.DataFrame:
    """Relative performance of every cell: frame ranker, dataset, dnoise, pnoise, performance, relative, low, high."""
    low, high = ends(cells.relative[1:])
    columns = {"pnoise": cells.pnoise[0], "performance": cells.performance[0], "relative": cells.relative[0]}
    columns |= {"low": low, "high": high}
    names = ["ranker", "dataset", "dnoise"]
    index = pd.MultiIndex.from_product([cells.rankers, cells.datasets, cells.levels], names=names)
    return pd.DataFrame({name: value.ravel() for name, value in columns.items()}, index=index).reset_index()


def means(runs: pd.DataFrame, keys: Sequence[str] = ("ranker", "dataset")) -> pd.DataFrame:
    """Means over folds and draws: frame of the keys, dnoise, pnoise, NDCG@10, MAP, relative (1 without noise)."""
    found = runs.groupby([*keys, "level"], sort=False)[["pnoise", "ndcg", "map"]].mean()
    found["relative"] = found["ndcg"] / found.groupby(list(keys), sort=False)["ndcg"].transform("first")
    return found.reset_index().rename(columns={"level": "dnoise", "ndcg": "NDCG@10", "map": "MAP"})


def middle(values: np.ndarray) -> np.ndarray:
    """Median of the bootstrap samples, which lies between their `ends` also where what was measured does not."""
    unknown = np.isnan(values[1:]).all(axis=0)
    return np.where(unknown, np.nan, np.nanmedian(np.where(unknown, 0.0, values[1:]), axis=0))[()]


def of_data_sets(cells: Cells, names: Sequence[str]) -> Cells:
    """The cells of some of the data sets."""
    numbers = [cells.datasets.index(name) for name in names]
    return replace(
        cells, datasets=list(names), pnoise=cells.pnoise[:, :, numbers], performance=cells.performance[:, :, numbers]
    )


def numbers(datasets: Sequence[str], name: str) -> list[int]:
    """Numbers of the data sets whose names begin so."""
    return [number for number, dataset in enumerate(datasets) if dataset.startswith(name)]


def _by_fold_level_draw(runs: pd.DataFrame, columns: list[str], levels: np.ndarray) -> np.ndarray:
    """(n_columns, n_folds, n_levels, n_draws) values; where draws are missing, the mean of those that are there."""
    axes = [columns, np.sort(runs["draw"].unique()), levels]
    wide = runs.pivot(index="fold", columns=["draw", "level"], values=columns)
    wide = wide.reindex(columns=pd.MultiIndex.from_product(axes))
    values = wide.to_numpy().reshape(len(wide), *map(len, axes)).transpose(1, 0, 3, 2)
    there = ~np.isnan(values)
    sums, counts = np.where(there, values, 0).sum(axis=3), there.sum(axis=3)
    means = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    return np.where(there, values, means[..., None])


def _with_all_first(drawn: np.ndarray) -> np.ndarray:
    """The drawn numbers (…, n), with 0 to n - 1 for entry 0 of the first axis: what was measured."""
    drawn[0] = np.arange(drawn.shape[-1])
    return drawn


def _sampled_means(values: np.ndarray, folds: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n_columns, 1 + SAMPLES, n_levels) means over the folds and over draws anew."""
    n_levels, n_draws = values.shape[2:]
    draws = _with_all_first(rng.integers(n_draws, size=(*folds.shape, n_levels, n_draws)))
    return values[:, folds[:, :, None, None], np.arange(n_levels)[:, None], draws].mean(axis=(2, 4))


class Segments(NamedTuple):
    """start + before * x up to the turning point, and with the slope `after` from there on; columns of samples."""

    start: float
    before: float
    after: float
    turning_point: float

    def at(self, x: np.ndarray) -> np.ndarray:
        """Height of the curve at x."""
        return self.start + self.before * x + (self.after - self.before) * np.maximum(x - self.turning_point, 0)


def fit(x: np.ndarray, y: np.ndarray) -> Segments:
    """The continuous curve of two lines nearest to the points; its turning point is the best of CANDIDATES."""
    # a hinge at t lowers the sum of squares by (h'y)^2 / h'h, h its residual on 1 and x (Frisch and Waugh 1933), so
    # that all turning points are tried at once
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if len(x) < 4:
        raise ValueError(f"x has {len(x)} points, expected at least 4")
    line = np.column_stack([np.ones_like(x), x])
    candidates = x.min() + CANDIDATES * np.ptp(x)
    hinges = np.maximum(x[:, None] - candidates, 0)
    basis = np.linalg.qr(line)[0]
    residuals = hinges - basis @ (basis.T @ hinges)
    sizes, products = (residuals**2).sum(axis=0), y @ residuals
    bends = np.divide(products, sizes, out=np.zeros_like(products), where=sizes > NO_HINGE)
    best = np.argmax(bends**2 * sizes)
    start, before = np.linalg.lstsq(line, y - bends[best] * hinges[:, best], rcond=None)[0]
    return Segments(*map(float, (start, before, before + bends[best], candidates[best])))


def fits(x: np.ndarray, y: np.ndarray) -> Segments:
    """The curve of each row of points, as measured and of bootstrap samples."""
    return Segments(*np.transpose([fit(*points) for points in zip(x, y, strict=True)])[..., None])


def explained_by(y: np.ndarray, heights: np.ndarray) -> np.ndarray:
    """Share of the variance of each row of y that curves of these heights explain, NaN where y does not vary."""
    y, heights = np.asarray(y), np.asarray(heights)
    varies = y.max(axis=-1) > y.min(axis=-1)
    around, around_mean = ((y - heights) ** 2).sum(axis=-1), y.shape[-1] * y.var(axis=-1)
    return 1 - np.divide(around, around_mean, out=np.full(y.shape[:-1], np.nan), where=varies)


def curves(cells: Cells) -> dict[str, Segments]:
    """The common curve over pNoise of all data sets, by ranker and POOLED."""
    chosen = {ranker: cells.of(i) for i, ranker in enumerate(cells.rankers)} | {POOLED: cells.of(slice(None))}
    return {ranker: fits(noises["pNoise"], y) for ranker, (noises, y) in chosen.items()}


def turning_points(curves: dict[str, Segments]) -> pd.DataFrame:
    """Where each curve turns: frame ranker, turning_point, turning_point_low, turning_point_high; medians, at 95 %."""
    turns = {ranker: fit.turning_point[:, 0] for ranker, fit in curves.items()}
    rows = [(ranker, middle(values), *ends(values[1:])) for ranker, values in turns.items()]
    return pd.DataFrame(rows, columns=["ranker", *(f"turning_point{end}" for end in ("", "_low", "_high"))])


def explained(cells: Cells) -> pd.DataFrame:
    """Share of the variance between cells that one curve explains: frame ranker, by, explained, low, high; `by` is
    "pNoise", "dNoise", "difference" and, where TD2003 is one of several, APART.
    """
    # The median of the samples, as their noise lowers what a curve explains: what was measured may lie outside of them.
    rows, fragile = [], numbers(cells.datasets, FRAGILE)
    for i, ranker in enumerate(cells.rankers):
        _, found = shares(cells, i)
        if fragile and len(cells.datasets) > 1:
            found[APART] = _line_apart(cells, i, fragile)
        rows += [(ranker, by, middle(share), *ends(share[1:])) for by, share in found.items()]
    return pd.DataFrame(rows, columns=["ranker", "by", "explained", "low", "high"])


def shares(cells: Cells, ranker: int) -> tuple[Segments, dict[str, np.ndarray]]:
    """The curve of a ranker over pNoise; and what `explained` is the middle of, (1 + SAMPLES,) shares by what."""
    noises, y = cells.of(ranker)
    curves = {by: fits(x, y) for by, x in noises.items()}
    found = {by: explained_by(y, curves[by].at(x)) for by, x in noises.items()}
    return curves["pNoise"], found | {"difference": found["pNoise"] - found["dNoise"]}


def against_curve(runs: pd.DataFrame, uniform: Cells, curves: dict[str, Segments]) -> pd.DataFrame:
    """Runs with real judges' noise beside what the curve of uniform noise says at their pNoise: frame ranker, dataset,
    judge, level, dnoise, pnoise, relative, predicted.
    """
    keys = ["ranker", "dataset", "judge", "level"]
    table = runs.groupby(keys, sort=False)[["dnoise", "pnoise", "ndcg"]].mean().reset_index()
    clean = pd.DataFrame(uniform.performance[0, :, :, 0], uniform.rankers, uniform.datasets)
    table["relative"] = [row.ndcg / clean.loc[row.ranker, row.dataset] for row in table.itertuples()]
    table["predicted"] = [curves[row.ranker].at(row.pnoise)[0, 0] for row in table.itertuples()]
    return table.drop(columns="ndcg")


def _line_apart(cells: Cells, ranker: int, apart: Sequence[int]) -> np.ndarray:
    """(1 + SAMPLES,) share that a line in dNoise explains which has a height of its own in some data sets."""
    (_, y), level = cells.of(ranker), cells.dnoise[0, ranker]
    own = np.zeros_like(level)
    own[list(apart)] = 1
    basis = np.linalg.qr(np.stack([np.ones_like(level), level, own], axis=-1).reshape(-1, 3))[0]
    return explained_by(y, y @ basis @ basis.T)


def expected_curves(counts: Mapping[str, np.ndarray], levels: Sequence[float]) -> pd.DataFrame:
    """Exact pNoise of uniform noise by dNoise, from documents of each grade: frame dataset, dnoise, pnoise."""
    rows = [(name, dnoise, noise.expected_pnoise(n, dnoise)) for name, n in counts.items() for dnoise in levels]
    return pd.DataFrame(rows, columns=["dataset", "dnoise", "pnoise"])


def dnoise_map(n_grades: Sequence[int], relevant: Sequence[float], docs: Sequence[int]) -> pd.DataFrame:
    """The dNoise at which queries reach the turning pNoise, by shape: frame grades, relevant, documents, dnoise.

    A shape that has no relevant document is left out.
    """
    rows = []
    for shape in itertools.product(n_grades, relevant, docs):
        grades, share, n = shape
        shares = np.full(grades, share / (grades - 1))
        shares[0] = 1 - share
        counts = np.diff(np.rint(n * np.cumsum(shares)), prepend=0)
        if counts[1:].any():
            rows.append((*shape, noise.dnoise_at(counts, noise.TURNING)))
    return pd.DataFrame(rows, columns=["grades", "relevant", "documents", "dnoise"])
