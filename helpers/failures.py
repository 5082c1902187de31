"""Trainings that failed: said in a sentence, and kept out of what is computed from the others."""

from __future__ import annotations

import pandas as pd


def sentence(*tables: pd.DataFrame) -> str:
    """How many trainings there were, how many failed, and the first that did.

    Parameters
    ----------
    tables : frames of `sweep.run`

    >>> sentence(pd.DataFrame({"ranker": ["A", "B"], "error": [None, "ValueError: no"]}))
    '2 trainings, 1 failed, first: ranker B: ValueError: no'
    """
    failed = [row for table in tables for row in table[table["error"].notna()].dropna(axis=1).to_dict("records")]
    counted = f"{sum(map(len, tables))} trainings, {len(failed)} failed"
    if not failed:
        return counted
    error = failed[0].pop("error")
    return f"{counted}, first: {', '.join(f'{name} {value}' for name, value in failed[0].items())}: {error}"


def without(table: pd.DataFrame, *cell: str) -> pd.DataFrame:
    """The rows of those cells in which no training failed, so that every mean is over all its draws.

    Parameters
    ----------
    table : frame of `sweep.run`
    cell : columns whose values make up a cell

    Raises
    ------
    ValueError
        when there is a failure in every cell.

    Examples
    --------
    >>> table = pd.DataFrame({"ranker": ["A", "A", "B"], "draw": [0, 1, 0], "error": [None, "ValueError: no", None]})
    >>> without(table, "ranker")[["ranker", "draw"]].to_numpy().tolist()
    [['B', 0]]
    """
    whole = table["error"].isna().groupby([table[column] for column in cell], sort=False).transform("all")
    if not whole.any():
        raise ValueError(f"nothing to show: {sentence(table)}")
    return table[whole]
