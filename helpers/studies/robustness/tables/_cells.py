"""Means over folds and label draws, with bootstrap samples of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

SAMPLES = 1000
AXES = ["ranker", "dataset", "dnoise"]
FRAGILE = "td2003"
"""How the name of TD2003 begins, and of its portrait."""


@dataclass(frozen=True)
class Cells:
    """A mean for each ranker, data set and level of noise; entry 0 of the first axis is what was measured.

    The other entries are bootstrap samples: folds drawn anew within each data set, the same for all rankers and for
    versions of one collection, and label draws within each fold and level.

    Attributes
    ----------
    rankers, datasets, levels : what the other three axes stand for; level 0 comes first
    pnoise, performance : (1 + SAMPLES, n_rankers, n_datasets, n_levels)
    """

    rankers: list[str]
    datasets: list[str]
    levels: np.ndarray
    pnoise: np.ndarray
    performance: np.ndarray

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
    """The cells of runs with uniform noise.

    Parameters
    ----------
    runs : frame dataset, ranker, fold, level, draw, pnoise and `metric`, as the sweep over
        `protocol.uniform_grid` gives it, without runs that failed; where a fold has fewer draws at a level
        than at others, their mean stands for those that it lacks. With a column `collection`, data sets that have the
        same there are versions of it, in the same folds
    rng : draws bootstrap samples
    metric : "ndcg" or "map"
    samples : number of bootstrap samples, by default SAMPLES

    Raises
    ------
    ValueError
        when no level is 0, or a ranker has no run in some fold of a data set at some level.
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
    """The rankers that have a run in every fold of every data set at every level, as `cells` wants them.

    Parameters
    ----------
    runs : as `cells` takes them

    >>> runs = pd.DataFrame({"dataset": "toy", "ranker": ["A", "B", "A"], "fold": 1, "level": [0, 0, 0.1]})
    >>> complete(runs)
    ['A']
    """
    wanted = runs.groupby("dataset")["fold"].nunique().sum() * runs["level"].nunique()
    found = runs.drop_duplicates(["ranker", "dataset", "fold", "level"])["ranker"].value_counts(sort=False)
    return [ranker for ranker in runs["ranker"].unique() if found[ranker] == wanted]


def falls(cells: Cells) -> pd.DataFrame:
    """Relative performance of every cell: frame ranker, dataset, dnoise, pnoise, performance, relative, low, high.

    `low` and `high` bound `relative` at 95 %.

    Parameters
    ----------
    cells : of uniform noise
    """
    low, high = interval(cells.relative)
    columns = {"pnoise": cells.pnoise[0], "performance": cells.performance[0], "relative": cells.relative[0]}
    columns |= {"low": low, "high": high}
    index = pd.MultiIndex.from_product([cells.rankers, cells.datasets, cells.levels], names=AXES)
    return pd.DataFrame({name: value.ravel() for name, value in columns.items()}, index=index).reset_index()


def interval(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bounds at 95 % of what was measured, entry 0 of the first axis, from the bootstrap samples that follow it.

    Samples that are NaN are left out; where all are, so are the bounds.

    Parameters
    ----------
    values : (1 + SAMPLES, …)
    """
    unknown = np.isnan(values[1:]).all(axis=0)
    low, high = np.nanquantile(np.where(unknown, 0.0, values[1:]), [0.025, 0.975], axis=0)
    return np.where(unknown, np.nan, low)[()], np.where(unknown, np.nan, high)[()]


def middle(values: np.ndarray) -> np.ndarray:
    """Median of the bootstrap samples, which lies in the `interval` that they have, also where they are not centred on
    what was measured.

    Parameters
    ----------
    values : as in `interval`
    """
    unknown = np.isnan(values[1:]).all(axis=0)
    return np.where(unknown, np.nan, np.nanmedian(np.where(unknown, 0.0, values[1:]), axis=0))[()]


def of_data_sets(cells: Cells, names: Sequence[str]) -> Cells:
    """The cells of some of the data sets.

    Parameters
    ----------
    cells : of more
    names : of those that are kept, in the order of the cells
    """
    numbers = [cells.datasets.index(name) for name in names]
    return replace(
        cells, datasets=list(names), pnoise=cells.pnoise[:, :, numbers], performance=cells.performance[:, :, numbers]
    )


def numbers(datasets: Sequence[str], name: str) -> list[int]:
    """Numbers of the data sets whose names begin so.

    Parameters
    ----------
    datasets : their names
    name : how they begin

    >>> numbers(["ohsumed", "td2003-portrait"], FRAGILE)
    [1]
    """
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
