"""What is kept with the project is whole."""

from __future__ import annotations

import pandas as pd

from helpers.engine import sweep


def refuse(*runs: pd.DataFrame) -> None:
    """Raise ValueError where one of the runs failed, which says how many did and how the first.

    Parameters
    ----------
    runs : frames of `sweep.run`
    """
    if any(frame["error"].notna().any() for frame in runs):
        raise ValueError(sweep.outcome(*runs))
