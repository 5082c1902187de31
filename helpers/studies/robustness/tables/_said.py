"""What the tables say, in sentences and titles of figures: computed, so that they hold for any data."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from helpers.judging.noise import TURNING
from helpers.reporting.answers import UNKNOWN, counted, interval, listed, number, share, signed
from helpers.studies.robustness.tables._curves import POOLED

AT = 0.1
"""The dNoise of which a sentence about exact pNoise speaks."""

NEAR = 0.05
"""How near to `TURNING` the pNoise of a level is to be for a sentence about that pNoise."""

GAP = 0.2
"""A step in pNoise between neighbouring levels that is wider is called a gap."""

ALONE = "One data set alone cannot tell pNoise from dNoise, as each follows from the other."


def exact(curves: pd.DataFrame) -> str:
    """How far the pNoise of data sets lies apart at a dNoise of `AT`: a title.

    Parameters
    ----------
    curves : frame of `expected_curves`, which has that dNoise

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
    table : frame of `dnoise_map`
    """
    low, high = table.loc[table["dnoise"].idxmin()], table.loc[table["dnoise"].idxmax()]
    ends = [
        f"{number(row['dnoise'], 2)} ({row['grades']:.0f} grades, {share(row['relevant'])} relevant)"
        for row in (low, high)
    ]
    return f"The dNoise that makes a pNoise of {number(TURNING, 1)} goes from {ends[0]} to {ends[1]}"


def explains(explained: pd.DataFrame, data: str) -> str:
    """What one curve explains on some data sets, over pNoise and over dNoise.

    Parameters
    ----------
    explained : frame of `explained`
    data : what the data sets are called

    >>> table = pd.DataFrame({"ranker": "A", "by": ["pNoise", "dNoise", "difference"], "explained": [0.9, 0.1, 0.8],
    ...                       "low": 0.5, "high": 0.95})
    >>> explains(table, "five data sets")
    'Five data sets: one curve over pNoise explains 90 % of what differs, one over dNoise 10 %.'
    """
    spans = {by: _span(explained.loc[explained["by"] == by, "explained"]) for by in ("pNoise", "dNoise")}
    return (
        f"{data[0].upper()}{data[1:]}: one curve over pNoise explains {spans['pNoise']} of what differs, one over "
        f"dNoise {spans['dNoise']}."
    )


def kept(falls: pd.DataFrame, explained: pd.DataFrame) -> str:
    """What rankers keep at the highest level of noise, and what curves over pNoise and over dNoise explain of it.

    Parameters
    ----------
    falls, explained : frames of the functions of these names; of `explained` with a column `without`
    """
    names = list(falls["dataset"].unique())
    highest = falls[falls["dnoise"] == falls["dnoise"].max()]
    spans = [f"{_span(rows['relative'])} on {name}" for name, rows in highest.groupby("dataset", sort=False)]
    level = number(highest["dnoise"].iloc[0], 1)
    said = f"Of their NDCG@10 without noise rankers keep {listed(spans)} at the highest dNoise, {level}."
    if len(names) == 1:
        return f"{said} {ALONE}"
    whole = explained[explained["without"].fillna("") == ""]
    return f"{said} {explains(whole, counted(len(names), 'data set'))}"


def near_turning(falls: pd.DataFrame) -> str:
    """What rankers keep on each data set at a pNoise near the turning point of the paper: a title.

    Were pNoise all that counts, it would be the same everywhere.

    Parameters
    ----------
    falls : frame of `falls`
    """
    near = falls[(falls["pnoise"] - TURNING).abs() <= NEAR]
    kept = near.groupby("dataset", sort=False)["relative"].median().sort_values()
    if kept.empty:
        return f"No level was measured at a pNoise near {number(TURNING, 1)}"
    said = listed(f"{share(value)} on {name}" for name, value in kept.items())
    return f"At a pNoise near {number(TURNING, 1)} the median ranker keeps {said}"


def gap(falls: pd.DataFrame) -> str:
    """Where nothing was measured: steps in pNoise between neighbouring levels that are wider than `GAP`.

    Parameters
    ----------
    falls : frame of `falls`
    """
    gaps = [(name, *_widest(rows)) for name, rows in falls.groupby("dataset", sort=False)]
    wide = [f"{number(low, 2)} and {number(high, 2)} on {name}" for name, low, high in gaps if high - low > GAP]
    if wide:
        return f"Nothing was measured at a pNoise between {listed(wide)}: no line is drawn there."
    widest = max(high - low for _, low, high in gaps)
    return f"Neighbouring levels lie at most {number(widest, 2)} apart in pNoise."


def turning(table: pd.DataFrame) -> str:
    """Where the common curve of all rankers turns, with TD2003 and without it.

    Parameters
    ----------
    table : frame of `turning_points` with a column `without`
    """
    pooled = table[table["ranker"] == POOLED].fillna({"without": ""}).set_index("without")
    said = [
        f"{text} at a pNoise of {_turns(pooled.loc[key])}"
        for key, text in {"": "of all data sets", "TD2003": "without TD2003"}.items()
        if key in pooled.index
    ]
    return f"The curve of all rankers turns, {' and '.join(said)}."


def off_curve(judges: pd.DataFrame) -> str:
    """How far the noise of real judges lies from the curve of uniform noise: a title.

    Parameters
    ----------
    judges : frame of `against_curve`

    >>> off_curve(pd.DataFrame({"relative": [0.9, 0.8, 0.5], "predicted": [0.8, 0.6, 0.6]}))
    'With the noise of judges 2 of 3 runs keep more than their pNoise says, the median run +.100'
    """
    off = judges["relative"] - judges["predicted"]
    more = f"{int((off > 0).sum())} of {counted(len(off), 'run')} keep more than their pNoise says"
    return f"With the noise of judges {more}, the median run {signed(off.median())}"


def _widest(falls: pd.DataFrame) -> tuple[float, float]:
    """The ends of the widest step in pNoise between neighbouring levels of one data set."""
    pnoise = np.sort(falls.groupby("dnoise")["pnoise"].mean().to_numpy())
    k = int(np.argmax(np.diff(pnoise)))
    return pnoise[k], pnoise[k + 1]


def _span(values: pd.Series) -> str:
    """The smallest and the largest of some shares."""
    low, high = share(values.min()), share(values.max())
    if UNKNOWN in (low, high):
        return f"an {UNKNOWN} share"
    return high if low == high else f"{low.removesuffix(' %')} to {high}"


def _turns(row: pd.Series) -> str:
    return f"{number(row['turning_point'])} ({interval(row['turning_point_low'], row['turning_point_high'])})"
