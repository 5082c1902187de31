"""One curve for all data sets: what it explains over pNoise and over dNoise, and where it turns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from helpers.studies.robustness.tables._cells import FRAGILE, Cells, interval, middle, numbers
from helpers.studies.robustness.tables._segments import Segments, fit, fit_each

POOLED = "all"
APART = "dNoise, TD2003 apart"
"""A line in dNoise, and a height of its own for TD2003."""

TURNS = ("turning_point", "before", "after")


def curves(cells: Cells) -> dict[str, list[Segments]]:
    """The common curve over pNoise of all data sets, as measured and for each bootstrap sample, by ranker.

    Under the name `POOLED` stands the curve through the cells of all rankers.

    Parameters
    ----------
    cells : of uniform noise
    """
    chosen = {ranker: [i] for i, ranker in enumerate(cells.rankers)} | {POOLED: list(range(len(cells.rankers)))}
    return {ranker: _fits(cells.pnoise[:, i], cells.relative[:, i]) for ranker, i in chosen.items()}


def turning_points(curves: dict[str, list[Segments]]) -> pd.DataFrame:
    """Where each curve turns, and its slopes before and after, in relative performance per unit of pNoise.

    Parameters
    ----------
    curves : of the function of that name

    Returns
    -------
    frame ranker, turning_point, turning_point_low, turning_point_high, before, …, after, …; medians and bounds at 95 %
        of the bootstrap samples
    """
    return pd.DataFrame([{"ranker": ranker} | _turn(pd.DataFrame(fits)) for ranker, fits in curves.items()])


def explained(cells: Cells) -> pd.DataFrame:
    """Share of the variance between cells that one curve for all data sets explains, over pNoise and over dNoise.

    1 - (sum of squares around the curve) / (sum of squares around the mean), of relative performance over all data
    sets and levels of a ranker.

    Parameters
    ----------
    cells : of uniform noise

    Returns
    -------
    frame ranker, by, explained, low, high with `by` "pNoise", "dNoise", "difference", the first less the second, and
        where TD2003 is one of several data sets `APART`, what a line in dNoise does that is lower by a number on TD2003
        `explained` is the median of the bootstrap samples, as their noise lowers what a curve explains, so that what
        was measured may lie outside of their interval
    """
    rows, fragile = [], numbers(cells.datasets, FRAGILE)
    for i, ranker in enumerate(cells.rankers):
        found = shares(cells, i, fits(cells, i))
        if fragile and len(cells.datasets) > 1:
            found[APART] = _line_apart(cells, i, fragile)
        rows += [(ranker, by, middle(share), *interval(share)) for by, share in found.items()]
    return pd.DataFrame(rows, columns=["ranker", "by", "explained", "low", "high"])


def fits(cells: Cells, ranker: int) -> dict[str, list[Segments]]:
    """The one curve of a ranker, as measured and for each bootstrap sample, by what it runs over: "pNoise", "dNoise".

    Parameters
    ----------
    cells : of uniform noise
    ranker : its number
    """
    over = {"pNoise": cells.pnoise, "dNoise": cells.dnoise}
    return {by: _fits(x[:, ranker], cells.relative[:, ranker]) for by, x in over.items()}


def shares(cells: Cells, ranker: int, fits: dict[str, list[Segments]]) -> dict[str, np.ndarray]:
    """What `explained` is the middle of: "pNoise", "dNoise" and "difference" -> (1 + SAMPLES,) shares.

    Parameters
    ----------
    cells, ranker : as for `fits`
    fits : of that function
    """
    over = {"pNoise": cells.pnoise, "dNoise": cells.dnoise}
    found = {by: _explained(over[by][:, ranker], cells.relative[:, ranker], curves) for by, curves in fits.items()}
    return found | {"difference": found["pNoise"] - found["dNoise"]}


def against_curve(runs: pd.DataFrame, uniform: Cells, curves: dict[str, list[Segments]]) -> pd.DataFrame:
    """Runs with the noise of real judges beside what the curve of uniform noise says at their pNoise.

    Parameters
    ----------
    runs : frame dataset, ranker, judge, level, dnoise, pnoise, ndcg, of rankers and data sets that the cells have
    uniform : the cells of NDCG@10 that the curves were fitted to; performance is relative to their level 0

    Returns
    -------
    frame ranker, dataset, judge, level, dnoise, pnoise, relative, predicted
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
        return fit_each(flat[0][0], flat[1])
    return [fit(a, b) for a, b in zip(*flat, strict=True)]


def _explained(x: np.ndarray, y: np.ndarray, curves: list[Segments]) -> np.ndarray:
    """(1 + SAMPLES,) share of the variance of y that one curve in x explains, NaN where y does not vary.

    x, y : (1 + SAMPLES, n_datasets, n_levels)
    """
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


def _turn(fits: pd.DataFrame) -> dict:
    low, high = (pd.Series(bound, fits.columns) for bound in interval(fits.to_numpy()))
    centre = pd.Series(middle(fits.to_numpy()), fits.columns)
    values = {name: {name: centre[name], f"{name}_low": low[name], f"{name}_high": high[name]} for name in TURNS}
    return {name: value for group in values.values() for name, value in group.items()}
