"""What several sentences on judgments say alike."""

from __future__ import annotations

import math

import pandas as pd

from helpers.reporting.answers import interval

NO_OVERLAP = "No document was judged by two people"

FEW = 10
"""Queries below which an interval over queries says little, and documents, or times that a grade was given, below which
two judges or a grade are not spoken of."""


def between(row: pd.Series, low: str, high: str) -> str:
    """An interval in brackets, or nothing where it is not known.

    Parameters
    ----------
    row : a row of a table
    low, high : its columns that hold the ends

    >>> between(pd.Series({"low": 0.25, "high": 0.5}), "low", "high")
    ' (.250 to .500)'
    """
    return "" if math.isnan(row[low]) else f" ({interval(row[low], row[high])})"
