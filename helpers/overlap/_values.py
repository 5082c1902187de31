"""NDCG@3 of every draw and query, and the difference of two settings."""

from __future__ import annotations

import numpy as np
import pandas as pd

from helpers import significance
from helpers.overlap_study import MAIN

DRAWS = 2000  # of a bootstrap
TESTED = f"ndcg@{MAIN}"


def values(runs: pd.DataFrame) -> dict[str, np.ndarray]:
    """setting -> (n_draws, n_queries) NDCG@3, without queries that have nothing relevant."""
    lists = runs.sort_values("draw", kind="stable").groupby("setting", sort=False)["per_query"].agg(list)
    arrays = {setting: np.array(by_draw, dtype=float) for setting, by_draw in lists.items()}
    return {setting: ndcg[:, ~np.isnan(ndcg).any(axis=0)] for setting, ndcg in arrays.items()}


def difference(first: np.ndarray, second: np.ndarray, rng: np.random.Generator) -> dict:
    """difference, low, high, p_value of first less second, (n_draws, n_queries) of the same draws and queries."""
    by_draw = first - second
    low, high = significance.crossed_interval(by_draw, np.zeros((1, by_draw.shape[1])), draws=DRAWS, rng=rng)
    p_value = significance.paired_t(first.mean(axis=0), second.mean(axis=0)).p_value
    return {"difference": float(by_draw.mean()), "low": low, "high": high, "p_value": p_value}
