"""What rankers keep of what they reach without noise: by pNoise, near the turning point, with the noise of judges."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from helpers.judging.noise import TURNING
from helpers.reporting.answers import counted, interval, listed, number, share, signed
from helpers.studies import learnable
from helpers.studies.robustness.tables import POOLED

NEAR = 0.05
"""How near to `TURNING` the pNoise of a level is to be for a sentence about that pNoise."""

GAP = 0.2
"""A step in pNoise between neighbouring levels that is wider is called a gap."""


def turning(table: pd.DataFrame) -> str:
    """Where the common curve of all rankers turns, with TD2003 and without it.

    Parameters
    ----------
    table : frame of `tables.turning_points` with a column `without`
    """
    pooled = table[table["ranker"] == POOLED].fillna({"without": ""}).set_index("without")
    said = [
        f"{text} at a pNoise of {_with_interval(pooled.loc[key], 'turning_point')}"
        for key, text in {"": "of all data sets", "TD2003": "without TD2003"}.items()
        if key in pooled.index
    ]
    return f"The curve of all rankers turns, {' and '.join(said)}."


def gap(falls: pd.DataFrame) -> str:
    """Where nothing was measured: steps in pNoise between neighbouring levels that are wider than `GAP`.

    Parameters
    ----------
    falls : frame of `tables.falls`
    """
    gaps = [(name, *_widest(rows)) for name, rows in falls.groupby("dataset", sort=False)]
    wide = [f"{number(low, 2)} and {number(high, 2)} on {name}" for name, low, high in gaps if high - low > GAP]
    if wide:
        return f"Nothing was measured at a pNoise between {listed(wide)}: no line is drawn there."
    widest = max(high - low for _, low, high in gaps)
    return f"Neighbouring levels lie at most {number(widest, 2)} apart in pNoise."


def near_turning(falls: pd.DataFrame) -> str:
    """What rankers keep on each data set at a pNoise near the turning point of the paper: a title.

    Were pNoise all that counts, it would be the same everywhere.

    Parameters
    ----------
    falls : frame of `tables.falls`
    """
    near = falls[(falls["pnoise"] - TURNING).abs() <= NEAR]
    kept = near.groupby("dataset", sort=False)["relative"].median().sort_values()
    if kept.empty:
        return f"No level was measured at a pNoise near {number(TURNING, 1)}"
    said = listed(f"{share(value)} on {name}" for name, value in kept.items())
    return f"At a pNoise near {number(TURNING, 1)} the median ranker keeps {said}"


def gained(compared: pd.DataFrame, names: Sequence[str]) -> str:
    """On which real collections a ranker gains over the best single run, so that noise has something to take.

    Parameters
    ----------
    compared : of `learnable.compared`
    names : of collections

    >>> compared = pd.DataFrame({"dataset": ["a", "b"], "ranker": "RankSVM", "over": "best run", "ndcg": [0.02, -0.01],
    ...                          "low": [0.01, -0.02], "high": [0.03, 0.0]})
    >>> gained(compared, ["a", "b"])  # doctest: +NORMALIZE_WHITESPACE
    'On a RankSVM is ahead of the best single run by +.020 (.010 to .030). On b no ranker is clearly ahead of it
    (RankSVM -.010, -.020 to .000), so that noise has little to take there.'
    """
    rows = compared[(compared["over"] == learnable.BEST_RUN) & compared["ranker"].isin(learnable.RANKERS)]
    best = [rows[rows["dataset"] == name].sort_values("low").iloc[-1] for name in names]
    return " ".join(_gain(row) for row in best)


def tied(ties: pd.DataFrame) -> str:
    """What share of the tied pairs is predicted each way.

    Parameters
    ----------
    ties : frame dataset, ranker, fold, positive, as the sweep over `protocol.tie_grid` gives it

    >>> tied(pd.DataFrame({"dataset": "a", "ranker": ["A", "B"], "fold": 1, "positive": [0.5, 0.44]}))
    'Of pairs with a tie .440 to .500 are predicted the one way; what is missing to one half are equal scores.'
    """
    means = ties.groupby(["ranker", "dataset"])["positive"].mean()
    span = interval(means.min(), means.max())
    return f"Of pairs with a tie {span} are predicted the one way; what is missing to one half are equal scores."


def off_curve(judges: pd.DataFrame) -> str:
    """How far the noise of real judges lies from the curve of uniform noise: a title.

    Parameters
    ----------
    judges : frame of `tables.against_curve`

    >>> off_curve(pd.DataFrame({"relative": [0.9, 0.8, 0.5], "predicted": [0.8, 0.6, 0.6]}))
    'With the noise of judges 2 of 3 runs keep more than their pNoise says, the median run +.100'
    """
    off = judges["relative"] - judges["predicted"]
    more = f"{int((off > 0).sum())} of {counted(len(off), 'run')} keep more than their pNoise says"
    return f"With the noise of judges {more}, the median run {signed(off.median())}"


def _gain(row: pd.Series) -> str:
    bounds = interval(row["low"], row["high"])
    if row["low"] > 0:
        gain = f"{signed(row['ndcg'])} ({bounds})"
        return f"On {row['dataset']} {row['ranker']} is ahead of the best single run by {gain}."
    return (
        f"On {row['dataset']} no ranker is clearly ahead of it ({row['ranker']} {signed(row['ndcg'])}, {bounds}), so "
        "that noise has little to take there."
    )


def _with_interval(row: pd.Series, name: str) -> str:
    return f"{number(row[name])} ({interval(row[f'{name}_low'], row[f'{name}_high'])})"


def _widest(falls: pd.DataFrame) -> tuple[float, float]:
    """The ends of the widest step in pNoise between neighbouring levels of one data set."""
    pnoise = np.sort(falls.groupby("dnoise")["pnoise"].mean().to_numpy())
    k = int(np.argmax(np.diff(pnoise)))
    return pnoise[k], pnoise[k + 1]
