"""NDCG@3 of every draw and query, and the difference of two settings."""

from __future__ import annotations

import numpy as np
import pandas as pd

from helpers.metrics import significance
from helpers.studies.overlap.trial import MAIN

DRAWS = 2000  # of a bootstrap
TESTED = f"ndcg@{MAIN}"


def values(runs: pd.DataFrame) -> dict[str, np.ndarray]:
    """setting -> (n_draws, n_queries) NDCG@3, without queries that have nothing relevant.

    The draws are those of all settings; one that a setting lacks, because its run failed, is NaN.

    Parameters
    ----------
    runs : frame setting, draw, per_query, of one ranker
    """
    draws = np.sort(runs["draw"].unique())
    return {setting: _by_draw(rows, draws) for setting, rows in runs.groupby("setting", sort=False)}


def together(first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The draws that both the first and the second have.

    Parameters
    ----------
    first, second : (n_draws, n_queries) of the same draws and queries, NaN where a draw is missing
    """
    both = ~np.isnan(first).any(axis=1) & ~np.isnan(second).any(axis=1)
    return (first, second) if both.all() else (first[both], second[both])


def difference(first: np.ndarray, second: np.ndarray, rng: np.random.Generator) -> dict:
    """difference, low, high, p_value of first less second; nothing where they share no draw.

    Parameters
    ----------
    first, second : as in `together`
    rng : draws bootstrap samples
    """
    first, second = together(first, second)
    if not len(first):
        return {}
    by_draw = first - second
    low, high = significance.crossed_interval(by_draw, np.zeros((1, by_draw.shape[1])), draws=DRAWS, rng=rng)
    p_value = significance.paired_t(first.mean(axis=0), second.mean(axis=0)).p_value
    return {"difference": float(by_draw.mean()), "low": low, "high": high, "p_value": p_value}


def holm(p_values: pd.Series) -> pd.Series:
    """`significance.holm` of the p-values that are there; the others stay NaN.

    Parameters
    ----------
    p_values : NaN where there was no test
    """
    known = p_values.dropna()
    return pd.Series(significance.holm(known), index=known.index, dtype=float).reindex(p_values.index)


def _by_draw(rows: pd.DataFrame, draws: np.ndarray) -> np.ndarray:
    values = significance.measured(rows["per_query"].tolist())
    return pd.DataFrame(values, index=rows["draw"]).reindex(draws).to_numpy()
