"""What all makers share: how runs are asked for, and what is stored of them; short, as tables are made apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import joblib
import pandas as pd

from helpers import files, paths
from helpers.engine import results, sweep

RESULTS = paths.project("data") / "results"


def kept(seed: int, store: str = "", n_jobs: int | None = None) -> dict[str, Any]:
    """Options of `sweep.run`: runs are kept in the user's cache as they end, so that what is stopped goes on there."""
    return {"store": paths.user_cache() / "sweeps" / store, "n_jobs": n_jobs or joblib.cpu_count(), "seed": seed}


def run(trial: Callable[..., dict], grid: list[dict], shared: Mapping, **options: Any) -> pd.DataFrame:
    """The runs of a sweep, `whole`."""
    return whole(runs=sweep.run(trial, grid, shared=shared, **options))["runs"]


def whole(**runs: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Frames of `sweep.run` without their column of errors; ValueError where a run failed, which says how many did and
    how the first."""
    if any(frame["error"].notna().any() for frame in runs.values()):
        raise ValueError(sweep.outcome(*runs.values()))
    return {name: frame.drop(columns="error") for name, frame in runs.items()}


def write(place: str, tables: Mapping[str, pd.DataFrame], made_by: dict | None = None, digits: int = 6) -> None:
    """Store tables below RESULTS, rounded, and what made them."""
    results.write(RESULTS / place, {name: table.round(digits) for name, table in tables.items()}, made_by)


def replace_rows(place: str, new: pd.DataFrame, by: Sequence[str], order: Sequence[str] = ()) -> None:
    """Put rows into a parquet table below RESULTS, in place of those that have the same values in the columns `by`."""
    path = RESULTS / place
    if path.exists():
        old = pd.read_parquet(path)
        again = pd.MultiIndex.from_frame(old[list(by)]).isin(pd.MultiIndex.from_frame(new[list(by)]))
        new = pd.concat([old[~again], new], ignore_index=True)
    new = new.sort_values(list(order), ignore_index=True) if order else new
    with files.replacing(path, "wb") as file:
        new.to_parquet(file, compression="zstd", index=False)
