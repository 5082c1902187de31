"""Does pNoise explain what label noise does to a ranker? Cells of runs, common curves, turning points, exact pNoise.

A *cell* is a ranker on a data set at one level of noise: its mean over folds and label draws. The one curve fitted to
them has the shape that Niu et al. (2014) describe, with the same freedom over pNoise and over dNoise.
"""

from __future__ import annotations

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
    """start + before * x up to the turning point, and with the slope `after` from there on."""

    start: float
    before: float
    after: float
    turning_point: float

    def at(self, x: np.ndarray) -> np.ndarray:
        """Height of the curve at x."""
        return self.start + self.before * x + (self.after - self.before) * np.maximum(x - self.turning_point, 0)


def fit(x: np.ndarray, y: np.ndarray) -> Segments:
    """The continuous curve of two lines nearest to the points; its turning point is the best of CANDIDATES."""
    return _fit_each(x, np.asarray(y, dtype=np.float64)[None])[0]


def explained_by(x: np.ndarray, y: np.ndarray) -> float:
    """Share of the variance of y that one curve over x explains."""
    return float(1 - np.sum((y - fit(x, y).at(x)) ** 2) / np.sum((y - np.mean(y)) ** 2))


def _fit_each(x: np.ndarray, ys: np.ndarray) -> list[Segments]:
    """The curve of `fit` for each row of ys over the same x."""
    # a hinge at t lowers the sum of squares by (h'y)^2 / h'h, h its residual on 1 and x (Frisch and Waugh 1933), so
    # that all turning points are tried at once
    x, ys = np.asarray(x, dtype=np.float64), np.asarray(ys, dtype=np.float64)
    if len(x) < 4:
        raise ValueError(f"x has {len(x)} points, expected at least 4")
    line = np.column_stack([np.ones_like(x), x])
    candidates = x.min() + CANDIDATES * np.ptp(x)
    hinges = np.maximum(x[:, None] - candidates, 0)
    basis = np.linalg.qr(line)[0]
    residuals = hinges - basis @ (basis.T @ hinges)
    sizes = (residuals**2).sum(axis=0)
    products = ys @ residuals
    bends = np.divide(products, sizes, out=np.zeros_like(products), where=sizes > NO_HINGE)
    best = np.argmax(bends**2 * sizes, axis=1)
    bend = bends[np.arange(len(ys)), best]
    start, before = np.linalg.lstsq(line, ys.T - bend * hinges[:, best], rcond=None)[0]
    ends = zip(start, before, before + bend, candidates[best], strict=True)
    return [Segments(*map(float, values)) for values in ends]


def curves(cells: Cells) -> dict[str, list[Segments]]:
    """The common curve over pNoise of all data sets, as measured and for each bootstrap sample, by ranker."""
    chosen = {ranker: [i] for i, ranker in enumerate(cells.rankers)} | {POOLED: list(range(len(cells.rankers)))}
    return {ranker: _fits(cells.pnoise[:, i], cells.relative[:, i]) for ranker, i in chosen.items()}


def turning_points(curves: dict[str, list[Segments]]) -> pd.DataFrame:
    """Where each curve turns: frame ranker, turning_point, turning_point_low, turning_point_high; medians, at 95 %."""
    turns = {ranker: np.array([fit.turning_point for fit in fits]) for ranker, fits in curves.items()}
    rows = [(ranker, middle(values), *ends(values[1:])) for ranker, values in turns.items()]
    return pd.DataFrame(rows, columns=["ranker", *(f"turning_point{end}" for end in ("", "_low", "_high"))])


def explained(cells: Cells) -> pd.DataFrame:
    """Share of the variance between cells that one curve explains: frame ranker, by, explained, low, high; `by` is
    "pNoise", "dNoise", "difference" and, where TD2003 is one of several, APART.
    """
    # The median of the samples, as their noise lowers what a curve explains: what was measured may lie outside of them.
    rows, fragile = [], numbers(cells.datasets, FRAGILE)
    for i, ranker in enumerate(cells.rankers):
        found = shares(cells, i, fits(cells, i))
        if fragile and len(cells.datasets) > 1:
            found[APART] = _line_apart(cells, i, fragile)
        rows += [(ranker, by, middle(share), *ends(share[1:])) for by, share in found.items()]
    return pd.DataFrame(rows, columns=["ranker", "by", "explained", "low", "high"])


def fits(cells: Cells, ranker: int) -> dict[str, list[Segments]]:
    """The one curve of a ranker, as measured and for each bootstrap sample, over "pNoise" and "dNoise"."""
    over = {"pNoise": cells.pnoise, "dNoise": cells.dnoise}
    return {by: _fits(x[:, ranker], cells.relative[:, ranker]) for by, x in over.items()}


def shares(cells: Cells, ranker: int, fits: dict[str, list[Segments]]) -> dict[str, np.ndarray]:
    """What `explained` is the middle of: "pNoise", "dNoise" and "difference" -> (1 + SAMPLES,) shares."""
    over = {"pNoise": cells.pnoise, "dNoise": cells.dnoise}
    found = {by: _explained(over[by][:, ranker], cells.relative[:, ranker], curves) for by, curves in fits.items()}
    return found | {"difference": found["pNoise"] - found["dNoise"]}


def against_curve(runs: pd.DataFrame, uniform: Cells, curves: dict[str, list[Segments]]) -> pd.DataFrame:
    """Runs with real judges' noise beside what the curve of uniform noise says at their pNoise: frame ranker, dataset,
    judge, level, dnoise, pnoise, relative, predicted.
    """
    keys = ["ranker", "dataset", "judge", "level"]
    table = runs.groupby(keys, sort=False)[["dnoise", "pnoise", "ndcg"]].mean().reset_index()
    clean = pd.DataFrame(uniform.performance[0, :, :, 0], uniform.rankers, uniform.datasets)
    table["relative"] = [row.ndcg / clean.loc[row.ranker, row.dataset] for row in table.itertuples()]
    table["predicted"] = [curves[row.ranker][0].at(row.pnoise) for row in table.itertuples()]
    return table.drop(columns="ndcg")


def _fits(x: np.ndarray, y: np.ndarray) -> list[Segments]:
    """A curve for each entry of the first axis; over dNoise all have the same x."""
    flat = x.reshape(len(x), -1), y.reshape(len(y), -1)
    if (flat[0] == flat[0][0]).all():
        return _fit_each(flat[0][0], flat[1])
    return [fit(a, b) for a, b in zip(*flat, strict=True)]


def _explained(x: np.ndarray, y: np.ndarray, curves: list[Segments]) -> np.ndarray:
    """(1 + SAMPLES,) share of the variance of y that one curve in x explains, NaN where y does not vary."""
    return _share(np.array([((b - curve.at(a)) ** 2).sum() for a, b, curve in zip(x, y, curves, strict=True)]), y)


def _line_apart(cells: Cells, ranker: int, apart: Sequence[int]) -> np.ndarray:
    """(1 + SAMPLES,) share that a line in dNoise explains which has a height of its own in some data sets."""
    relative, level = cells.relative[:, ranker], cells.dnoise[0, ranker]
    own = np.zeros_like(level)
    own[list(apart)] = 1
    basis = np.linalg.qr(np.stack([np.ones_like(level), level, own], axis=-1).reshape(-1, 3))[0]
    points = relative.reshape(len(relative), -1)
    return _share(((points - points @ basis @ basis.T) ** 2).sum(axis=1), relative)


def _share(around: np.ndarray, y: np.ndarray) -> np.ndarray:
    """1 - (sums of squares `around` a model) / (those of y around its mean), NaN where y does not vary."""
    around_mean = np.prod(y.shape[1:]) * y.var(axis=(1, 2))
    varies = y.max(axis=(1, 2)) > y.min(axis=(1, 2))
    return 1 - np.divide(around, around_mean, out=np.full(len(y), np.nan), where=varies)


def expected_curves(counts: Mapping[str, np.ndarray], levels: Sequence[float]) -> pd.DataFrame:
    """Exact pNoise of uniform noise by dNoise, from documents of each grade: frame dataset, dnoise, pnoise."""
    rows = [(name, dnoise, noise.expected_pnoise(n, dnoise)) for name, n in counts.items() for dnoise in levels]
    return pd.DataFrame(rows, columns=["dataset", "dnoise", "pnoise"])


def dnoise_map(
    n_grades: Sequence[int], relevant: Sequence[float], docs: Sequence[int], pnoise: float = noise.TURNING
) -> pd.DataFrame:
    """The dNoise at which queries reach a pNoise, by shape: frame grades, relevant, documents, dnoise.

    A shape that has no relevant document is left out.
    """
    shapes = [(grades, share, n) for grades in n_grades for share in relevant for n in docs]
    counts = {shape: _grade_counts(*shape) for shape in shapes}
    rows = [(*shape, noise.dnoise_at(n, pnoise)) for shape, n in counts.items() if n[1:].any()]
    return pd.DataFrame(rows, columns=["grades", "relevant", "documents", "dnoise"])


def _grade_counts(n_grades: int, relevant: float, docs: int) -> np.ndarray:
    shares = np.full(n_grades, relevant / (n_grades - 1))
    shares[0] = 1 - relevant
    return np.diff(np.rint(docs * np.cumsum(shares)), prepend=0)
