"""What all makers share: how runs are asked for, and what is stored of them; short, as tables are made apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import joblib
import pandas as pd

from helpers import checks, files, paths
from helpers.engine import results, sweep

RESULTS = paths.project("data") / "results"


def kept(seed: int, store: str = "", n_jobs: int | None = None) -> dict[str, Any]:
    """Options of `sweep.run`: runs are kept in the user's cache as they end, so that what is stopped goes on there."""
    return {"store": paths.user_cache() / "sweeps" / store, "n_jobs": n_jobs or joblib.cpu_count(), "seed": seed}


def refuse(*runs: pd.DataFrame) -> None:
    """Raise ValueError where a run of these frames of `sweep.run` failed, which says how many did and how the first."""
    if any(frame["error"].notna().any() for frame in runs):
        raise ValueError(sweep.outcome(*runs))


def write(folder: Path, tables: Mapping[str, pd.DataFrame], made_by: dict | None = None, digits: int = 6) -> None:
    """Store tables, rounded and without the column of errors, and what made them; ValueError where a run failed."""
    refuse(*(frame for frame in tables.values() if "error" in frame))
    whole = {name: frame.drop(columns="error", errors="ignore").round(digits) for name, frame in tables.items()}
    results.write(folder, whole, made_by)


def replace_rows(path: Path, new: pd.DataFrame, by: Sequence[str], order: Sequence[str] = ()) -> None:
    """Put rows into a stored parquet table, in place of those that have the same values in the columns `by`."""
    if path.exists():
        old = pd.read_parquet(path)
        again = pd.MultiIndex.from_frame(old[list(by)]).isin(pd.MultiIndex.from_frame(new[list(by)]))
        new = pd.concat([old[~again], new], ignore_index=True)
    new = new.sort_values(list(order), ignore_index=True) if order else new
    with files.replacing(path, "wb") as file:
        new.to_parquet(file, compression="zstd", index=False)


def each(names: Sequence[str], known: Iterable[str], make: Callable[[str], object]) -> None:
    """Make what is called so, one after the other, or all that is known; ValueError at a name that is unknown."""
    known = list(known)
    for name in names:
        checks.one_of("name", name, known)
    for name in names or known:
        make(name)
