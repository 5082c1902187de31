"""What the paper's statements compare, for verdicts."""

from __future__ import annotations

import numpy as np
import pandas as pd

from helpers.judging.noise import TURNING
from helpers.metrics import significance
from helpers.studies.robustness.tables._cells import Cells, interval
from helpers.studies.robustness.tables._curves import curves, explained
from helpers.studies.robustness.tables._segments import Segments

FRAGILE, ROBUST = "td2003", "mslr"
"""How the names of the two data sets begin that the paper holds against each other."""

Rows = list[tuple]


def comparisons(cells: Cells, ties: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """What the paper's statements compare, each as a difference with its 95 % interval over folds and label draws.

    What is said of TD2003 or MSLR-WEB10K is asked where the cells have that data set, or a portrait of it.

    Parameters
    ----------
    cells : of uniform noise, NDCG@10
    ties : frame dataset, ranker, fold, positive, as the sweep over `protocol.tie_grid` gives it
    rng : draws bootstrap samples

    Returns
    -------
    frame ranker, question, at, difference, low, high. The questions, with `at` in brackets:
        "fall at equal dNoise" [% dNoise] : relative performance on MSLR less that on TD2003
        "explained by pNoise or dNoise" : share of the variance between cells explained by the one less by the other
        "fall after the turning point" : slope before less slope after, in relative performance per unit of pNoise
        "loss before the turning point" : NDCG@10, mean over data sets
        "pNoise of TD2003", "pNoise of MSLR" [% dNoise] : less `TURNING`
        "tied pairs" [number of the data set] : how far the share predicted positive is from one half
    """
    shares = explained(cells).query("by == 'difference'")
    fitted = curves(cells)
    rows = [
        ("explained by pNoise or dNoise", share.ranker, 0, share.explained, share.low, share.high)
        for share in shares.itertuples()
    ]
    for i, ranker in enumerate(cells.rankers):
        of_ranker = _falls_apart(cells, i) + _pnoise(cells, i) + _turning(fitted[ranker], cells.performance[:, i, :, 0])
        of_ranker += _tied(ties[ties["ranker"] == ranker], rng)
        rows += [(question, ranker, *row) for question, *row in of_ranker]
    table = pd.DataFrame(rows, columns=["question", "ranker", "at", "difference", "low", "high"])
    return table[["ranker", "question", "at", "difference", "low", "high"]]


def _falls_apart(cells: Cells, ranker: int) -> Rows:
    fragile, robust = (_numbers(cells.datasets, name) for name in (FRAGILE, ROBUST))
    if not (fragile and robust):
        return []
    gap = cells.relative[:, ranker, robust[0]] - cells.relative[:, ranker, fragile[0]]
    return _by_level("fall at equal dNoise", cells.levels, gap)


def _pnoise(cells: Cells, ranker: int) -> Rows:
    rows = []
    for question, name in (("pNoise of TD2003", FRAGILE), ("pNoise of MSLR", ROBUST)):
        for dataset in _numbers(cells.datasets, name):
            rows += _by_level(question, cells.levels, cells.pnoise[:, ranker, dataset] - TURNING)
    return rows


def _turning(fits: list[Segments], noise_free: np.ndarray) -> Rows:
    """Rows from curves, and the performance without noise (1 + SAMPLES, n_datasets)."""
    curve = pd.DataFrame(fits)
    steeper = (curve["before"] - curve["after"]).to_numpy()
    lost = (-curve["before"] * curve["turning_point"]).to_numpy() * noise_free.mean(axis=1)
    questions = {"fall after the turning point": steeper, "loss before the turning point": lost}
    return [(question, 0, values[0], *interval(values)) for question, values in questions.items()]


def _tied(ties: pd.DataFrame, rng: np.random.Generator) -> Rows:
    rows = []
    for number, (_, folds) in enumerate(ties.groupby("dataset", sort=False)):
        off = (folds["positive"] - 0.5).abs().to_numpy()
        if len(off) < 2:  # an interval over folds takes two
            continue
        rows.append(("tied pairs", number, off.mean(), *significance.bootstrap_interval(off, draws=1000, rng=rng)))
    return rows


def _by_level(question: str, levels: np.ndarray, values: np.ndarray) -> Rows:
    """A row for each level above 0, from values (1 + SAMPLES, n_levels)."""
    low, high = interval(values)
    at = [round(100 * level) for level in levels]
    return [(question, at[k], values[0, k], low[k], high[k]) for k in range(1, len(levels))]


def _numbers(datasets: list[str], name: str) -> list[int]:
    """Numbers of the data sets whose names begin so."""
    return [number for number, dataset in enumerate(datasets) if dataset.startswith(name)]
