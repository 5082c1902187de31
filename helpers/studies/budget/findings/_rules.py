"""What was found of rules of thumb: where they hold, and what they lose."""

from __future__ import annotations

import pandas as pd

from helpers.reporting.answers import listed, share
from helpers.studies.budget import rules


def not_asked(table: pd.DataFrame) -> str:
    """Which rules ask for what no two judges of a collection have.

    Parameters
    ----------
    table : of `rules.table`
    """
    left = table[table["verdict"] == rules.NOT_ASKED]
    if left.empty:
        return "All rules could be asked on each collection that has what they speak of."
    said = [f"*{rule}* on {listed(rows['collection'])}" for rule, rows in left.groupby("rule")]
    return f"Not asked, as no two judges agree so well: {listed(said)}."


def habit_losses(lost: pd.DataFrame) -> str:
    """How much larger differences the best and the worst rule of thumb see, in the median over collections.

    Parameters
    ----------
    lost : frame rule, worse, of `tables.losses`
    """
    middle = lost.groupby("rule")["worse"].median()
    if middle.empty:
        return "No rule of thumb can be followed with this budget"
    return (
        f"Differences seen are {share(middle.min())} larger by {middle.idxmin()}, {share(middle.max())} by "
        f"{middle.idxmax()}"
    )
