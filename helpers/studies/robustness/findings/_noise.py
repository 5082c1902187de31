"""What noise does to the pairs of collections, before any ranker is trained."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from helpers.judging.noise import TURNING
from helpers.reporting.answers import listed, number, share

AT = 0.1
"""The dNoise of which a sentence about exact pNoise speaks."""


def labelling(dnoise: float, pnoise: float) -> str:
    """How noisy the labels of a query are: a title.

    Parameters
    ----------
    dnoise, pnoise : counted on them

    >>> labelling(1 / 6, 0.25)
    'Here a dNoise of .167 makes a pNoise of .250'
    """
    return f"Here a dNoise of {number(dnoise)} makes a pNoise of {number(pnoise)}"


def exact(curves: pd.DataFrame) -> str:
    """How far the pNoise of data sets lies apart at a dNoise of `AT`: a title.

    Parameters
    ----------
    curves : frame of `tables.expected_curves`, which has that dNoise

    >>> exact(pd.DataFrame({"dataset": ["a", "b"], "dnoise": 0.1, "pnoise": [0.47, 0.13]}))
    'At a dNoise of .1 pNoise is .13 on b and .47 on a'
    """
    rows = curves[np.isclose(curves["dnoise"], AT)].sort_values("pnoise", kind="stable")
    said = listed(f"{number(row.pnoise, 2)} on {row.dataset}" for row in rows.itertuples())
    return f"At a dNoise of {number(AT, 1)} pNoise is {said}"


def reaching(dnoise: Mapping[str, float]) -> str:
    """How many labels must be wrong before pNoise reaches the turning point of the paper.

    Parameters
    ----------
    dnoise : data set -> the dNoise at which its pNoise is `TURNING`, NaN where none is enough

    >>> reaching({"a": 0.456, "b": 0.03, "c": float("nan")})
    'The share of wrong labels that makes a pNoise of .4 is 3 % on b and 46 % on a. On c no share does.'
    """
    enough = sorted((value, name) for name, value in dnoise.items() if not np.isnan(value))
    never = listed(name for name, value in dnoise.items() if np.isnan(value))
    makes = f"makes a pNoise of {number(TURNING, 1)}"
    if not enough:
        return f"On {never} no share of wrong labels {makes}."
    said = listed(f"{share(value)} on {name}" for value, name in enough)
    return f"The share of wrong labels that {makes} is {said}." + f" On {never} no share does." * (never != "none")


def shapes(table: pd.DataFrame) -> str:
    """Between what dNoise collections of different shapes reach the turning point: a title.

    Parameters
    ----------
    table : frame of `tables.dnoise_map`
    """
    low, high = table.loc[table["dnoise"].idxmin()], table.loc[table["dnoise"].idxmax()]
    ends = [
        f"{number(row['dnoise'], 2)} ({row['grades']:.0f} grades, {share(row['relevant'])} relevant)"
        for row in (low, high)
    ]
    return f"The dNoise that makes a pNoise of {number(TURNING, 1)} goes from {ends[0]} to {ends[1]}"
