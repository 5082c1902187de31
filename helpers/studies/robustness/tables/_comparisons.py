"""What the paper's statements compare, for verdicts."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from helpers.judging import noise
from helpers.judging.noise import TURNING
from helpers.metrics import significance
from helpers.studies.robustness.tables._cells import (
    BETWEEN,
    FRAGILE,
    ROBUST,
    Cells,
    interval,
    middle,
    numbers,
    of_data_sets,
)
from helpers.studies.robustness.tables._curves import curves, explained, explained_apart
from helpers.studies.robustness.tables._segments import Segments

PAPERS = (FRAGILE, BETWEEN, ROBUST)

COLUMNS = ["ranker", "question", "at", "difference", "low", "high", "without", "rests_on"]
EXACT = "exact"
"""In place of a ranker, where a question is about grades alone."""

Rows = list[tuple]


def comparisons(
    cells: Cells,
    ties: pd.DataFrame,
    rng: np.random.Generator,
    by_map: Cells | None = None,
    profiles: Mapping[str, np.ndarray] | None = None,
) -> pd.DataFrame:
    """What the paper's statements compare, each as a difference with its 95 % interval over folds and label draws.

    What is said of TD2003, OHSUMED or MSLR-WEB10K is asked where the cells have that data set, or a portrait of it.

    Parameters
    ----------
    cells : of uniform noise, NDCG@10
    ties : frame dataset, ranker, fold, positive, as the sweep over `protocol.tie_grid` gives it
    rng : draws bootstrap samples
    by_map : of uniform noise, MAP; None asks nothing of it
    profiles : data sets that are drawn from portraits -> grade counts (n_queries, n_grades) of the portrait's queries

    Returns
    -------
    frame ranker, question, at, difference, low, high, without, rests_on. The questions, with `at` in brackets:
        "fall at equal dNoise", "fall of MAP at equal dNoise" [% dNoise] : relative performance on MSLR less TD2003's
        "OHSUMED between TD2003 and MSLR" [% dNoise] : the smaller of MSLR's less OHSUMED's and OHSUMED's less TD2003's
        "explained by pNoise or dNoise" : share of the variance between cells explained by the one less by the other
        "explained by pNoise or by TD2003" : the same less that of a line in dNoise, lower by a number on TD2003
        "fall after the turning point" : slope before less slope after, in relative performance per unit of pNoise
        "share lost before the turning point" : of the height of the curve without noise
        "pNoise of TD2003", "pNoise of MSLR" [% dNoise] : less `TURNING`. Of a portrait it is exact, with `EXACT` for a
            ranker, and its interval is over the portrait's queries
        "tied pairs" [data set of the paper's] : how far the share predicted positive is from one half
        What comes of fitted curves is the median of the bootstrap samples, as a fit to samples is not centred on the
        fit to what was measured, which may lie outside of their interval. `without` is "TD2003" or "synthetic" for
        rows that leave such data sets out, where others are left, two for what is fitted to several; `rests_on` is
        "synthetic" where a row compares data sets by name of which one is drawn from a portrait, or all data sets are,
        else "real"; telling TD2003 apart hangs on it.
    """
    profiles = profiles or {}
    rows = _about_pnoise(cells, profiles, rng)
    drawn = "synthetic" if any(name.startswith((FRAGILE, ROBUST)) for name in profiles) else "real"
    for i, ranker in enumerate(cells.rankers):
        own = _between(cells, i) + _falls_apart("fall at equal dNoise", cells, i)
        if by_map is not None:
            own += _falls_apart("fall of MAP at equal dNoise", by_map, i)
        rows += [(ranker, *row, "", drawn) for row in own]
        rows += [(ranker, *row) for row in _tied(ties[ties["ranker"] == ranker], profiles, rng)]
    rows += _of_parts(cells, profiles)
    rows += [(*row, "", "hangs on TD2003") for row in _told_apart(cells)]
    return pd.DataFrame(rows, columns=COLUMNS)


def fitted_comparisons(cells: Cells, profiles: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """The part of `comparisons` that is fitted to several data sets at once, whatever their names.

    Parameters
    ----------
    cells, profiles : as in `comparisons`
    """
    return pd.DataFrame(_of_parts(cells, profiles), columns=COLUMNS)


def parts(cells: Cells, profiles: Mapping[str, np.ndarray]) -> dict[str, Cells]:
    """What is left out -> cells: nothing, then TD2003, and what is synthetic, where two data sets or more are left.

    Parameters
    ----------
    cells, profiles : as in `comparisons`
    """
    kept = {
        "": cells.datasets,
        "TD2003": [name for name in cells.datasets if not name.startswith(FRAGILE)],
        "synthetic": [name for name in cells.datasets if name not in profiles],
    }
    return {
        without: of_data_sets(cells, names)
        for without, names in kept.items()
        if not without or 1 < len(names) < len(cells.datasets)
    }


def _of_parts(cells: Cells, profiles: Mapping[str, np.ndarray]) -> Rows:
    rows = []
    for without, part in parts(cells, profiles).items():
        basis = "synthetic" if all(name in profiles for name in part.datasets) else "real"
        rows += [(*row, without, basis) for row in _fitted(part)]
    return rows


def _fitted(cells: Cells) -> Rows:
    """(ranker, question, at, difference, low, high) of what is fitted to all data sets of the cells."""
    shares = explained(cells).query("by == 'difference'")
    question = "explained by pNoise or dNoise"
    rows = [(share.ranker, question, 0, share.explained, share.low, share.high) for share in shares.itertuples()]
    fitted = curves(cells)
    return rows + [(ranker, *row) for ranker in cells.rankers for row in _turning(fitted[ranker])]


def _told_apart(cells: Cells) -> Rows:
    """(ranker, question, at, difference, low, high) against a line in dNoise and a number on TD2003."""
    fragile = numbers(cells.datasets, FRAGILE)
    if not fragile or len(cells.datasets) == 1:
        return []
    shares = [explained_apart(cells, i, fragile) for i in range(len(cells.rankers))]
    return [
        (ranker, *_row("explained by pNoise or by TD2003", 0, share))
        for ranker, share in zip(cells.rankers, shares, strict=True)
    ]


def _row(question: str, at: int, values: np.ndarray) -> tuple:
    return (question, at, middle(values), *interval(values))


def _falls_apart(question: str, cells: Cells, ranker: int) -> Rows:
    fragile, robust = (numbers(cells.datasets, name) for name in (FRAGILE, ROBUST))
    if not (fragile and robust):
        return []
    gap = cells.relative[:, ranker, robust[0]] - cells.relative[:, ranker, fragile[0]]
    return _by_level(question, cells.levels, gap)


def _between(cells: Cells, ranker: int) -> Rows:
    own = [numbers(cells.datasets, name) for name in PAPERS]
    if not all(own):
        return []
    fragile, between, robust = (cells.relative[:, ranker, number[0]] for number in own)
    gap = np.minimum(robust - between, between - fragile)
    return _by_level("OHSUMED between TD2003 and MSLR", cells.levels, gap)


def _about_pnoise(cells: Cells, profiles: Mapping[str, np.ndarray], rng: np.random.Generator) -> Rows:
    rows = []
    for question, name in (("pNoise of TD2003", FRAGILE), ("pNoise of MSLR", ROBUST)):
        for dataset in numbers(cells.datasets, name):
            drawn = cells.datasets[dataset] in profiles
            if drawn:
                values = {EXACT: _exact(profiles[cells.datasets[dataset]], cells, rng)}
            else:
                values = {ranker: cells.pnoise[:, i, dataset] for i, ranker in enumerate(cells.rankers)}
            basis = (
                "synthetic" if drawn and name == FRAGILE else "real"
            )  # MSLR's portrait has the counts of its queries
            for ranker, pnoise in values.items():
                rows += [(ranker, *row, "", basis) for row in _by_level(question, cells.levels, pnoise - TURNING)]
    return rows


def _exact(counts: np.ndarray, cells: Cells, rng: np.random.Generator) -> np.ndarray:
    """(1 + SAMPLES, n_levels) exact pNoise of these queries, and of as many drawn from them for each sample."""
    drawn = rng.integers(len(counts), size=(len(cells.pnoise) - 1, len(counts)))
    samples = (counts, *counts[drawn])
    return np.array([[noise.expected_pnoise(sample, level) for level in cells.levels] for sample in samples])


def _turning(fits: list[Segments]) -> Rows:
    curve = pd.DataFrame(fits)
    lost = -curve["before"] * curve["turning_point"] / curve["start"]
    steeper = curve["before"] - curve["after"]
    questions = {"fall after the turning point": steeper, "share lost before the turning point": lost}
    return [_row(question, 0, values.to_numpy()) for question, values in questions.items()]


def _tied(ties: pd.DataFrame, profiles: Mapping[str, np.ndarray], rng: np.random.Generator) -> Rows:
    """(question, at, difference, low, high, without, rests_on) of the paper's data sets."""
    rows = []
    for name, folds in ties.groupby("dataset", sort=False):
        off = (folds["positive"] - 0.5).abs().to_numpy()
        if len(off) < 2 or not name.startswith(PAPERS):  # an interval over folds takes two
            continue
        row = ("tied pairs", name, off.mean(), *significance.bootstrap_interval(off, draws=1000, rng=rng))
        left_out = [""] + ["TD2003"] * (not name.startswith(FRAGILE)) + ["synthetic"] * (name not in profiles)
        rows += [(*row, without, "synthetic" if name in profiles else "real") for without in left_out]
    return rows


def _by_level(question: str, levels: np.ndarray, values: np.ndarray) -> Rows:
    """A row for each level above 0, from values (1 + SAMPLES, n_levels)."""
    low, high = interval(values)
    at = [round(100 * level) for level in levels]
    return [(question, at[k], values[0, k], low[k], high[k]) for k in range(1, len(levels))]
