"""What the tables of study 3 say, in sentences and titles of figures: computed, so that they hold for any data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from helpers.judging.noise import TURNING
from helpers.reporting.answers import UNKNOWN, counted, interval, listed, number, share, signed
from helpers.reporting.verdicts import effect
from helpers.studies import learnable
from helpers.studies.robustness.effects import ACROSS, WITHOUT_FEW
from helpers.studies.robustness.protocol import COUNTERPARTS, PLACES
from helpers.studies.robustness.tables import POOLED

AT = 0.1  # the dNoise of which a sentence about exact pNoise speaks
NEAR = 0.05  # how near to TURNING the pNoise of a level is to be for a sentence about that pNoise
GAP = 0.2  # a step in pNoise between neighbouring levels that is wider is called a gap
ALONE = "One data set alone cannot tell pNoise from dNoise, as each follows from the other."


def exact(curves: pd.DataFrame) -> str:
    """How far the pNoise of data sets lies apart at a dNoise of `AT`: a title."""
    rows = curves[np.isclose(curves["dnoise"], AT)].sort_values("pnoise", kind="stable")
    said = listed(f"{number(row.pnoise, 2)} on {row.dataset}" for row in rows.itertuples())
    return f"At a dNoise of {number(AT, 1)} pNoise is {said}"


def reaching(dnoise: Mapping[str, float]) -> str:
    """How many labels must be wrong before pNoise reaches the turning point of the paper."""
    enough = sorted((value, name) for name, value in dnoise.items() if not np.isnan(value))
    never = listed(name for name, value in dnoise.items() if np.isnan(value))
    makes = f"makes a pNoise of {number(TURNING, 1)}"
    if not enough:
        return f"On {never} no share of wrong labels {makes}."
    said = listed(f"{share(value)} on {name}" for value, name in enough)
    return f"The share of wrong labels that {makes} is {said}." + f" On {never} no share does." * (never != "none")


def shapes(table: pd.DataFrame) -> str:
    """Between what dNoise collections of different shapes reach the turning point: a title."""
    low, high = table.loc[table["dnoise"].idxmin()], table.loc[table["dnoise"].idxmax()]
    ends = [
        f"{number(row['dnoise'], 2)} ({row['grades']:.0f} grades, {share(row['relevant'])} relevant)"
        for row in (low, high)
    ]
    return f"The dNoise that makes a pNoise of {number(TURNING, 1)} goes from {ends[0]} to {ends[1]}"


def explains(explained: pd.DataFrame, data: str) -> str:
    """What one curve explains on some data sets, over pNoise and over dNoise."""
    spans = {by: _span(explained.loc[explained["by"] == by, "explained"]) for by in ("pNoise", "dNoise")}
    return (
        f"{data[0].upper()}{data[1:]}: one curve over pNoise explains {spans['pNoise']} of what differs, one over "
        f"dNoise {spans['dNoise']}."
    )


def kept(falls: pd.DataFrame, explained: pd.DataFrame) -> str:
    """What rankers keep at the highest level of noise, and what curves over pNoise and over dNoise explain of it."""
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
    """What rankers keep on each data set at a pNoise near the turning point of the paper: a title."""
    near = falls[(falls["pnoise"] - TURNING).abs() <= NEAR]
    kept = near.groupby("dataset", sort=False)["relative"].median().sort_values()
    if kept.empty:
        return f"No level was measured at a pNoise near {number(TURNING, 1)}"
    said = listed(f"{share(value)} on {name}" for name, value in kept.items())
    return f"At a pNoise near {number(TURNING, 1)} the median ranker keeps {said}"


def gap(falls: pd.DataFrame) -> str:
    """Where nothing was measured: steps in pNoise between neighbouring levels that are wider than `GAP`."""
    gaps = [(name, *_widest(rows)) for name, rows in falls.groupby("dataset", sort=False)]
    wide = [f"{number(low, 2)} and {number(high, 2)} on {name}" for name, low, high in gaps if high - low > GAP]
    if wide:
        return f"Nothing was measured at a pNoise between {listed(wide)}: no line is drawn there."
    widest = max(high - low for _, low, high in gaps)
    return f"Neighbouring levels lie at most {number(widest, 2)} apart in pNoise."


def turning(table: pd.DataFrame) -> str:
    """Where the common curve of all rankers turns, with TD2003 and without it."""
    pooled = table[table["ranker"] == POOLED].fillna({"without": ""}).set_index("without")
    said = [
        f"{text} at a pNoise of {_turns(pooled.loc[key])}"
        for key, text in {"": "of all data sets", "TD2003": "without TD2003"}.items()
        if key in pooled.index
    ]
    return f"The curve of all rankers turns, {' and '.join(said)}."


def off_curve(judges: pd.DataFrame) -> str:
    """How far the noise of real judges lies from the curve of uniform noise: a title."""
    off = judges["relative"] - judges["predicted"]
    more = f"{int((off > 0).sum())} of {counted(len(off), 'run')} keep more than their pNoise says"
    return f"With the noise of judges {more}, the median run {signed(off.median())}"


def by_size(kept: pd.DataFrame) -> str:
    """What the median ranker keeps with the fewest and the most training queries of each: a title."""
    few, many, level = _ends(kept)
    ends = " and ".join(
        f"{share(rows['relative'].median())} with the {which} training queries"
        for which, rows in {"fewest": few, "most": many}.items()
    )
    return f"At a dNoise of {number(level, 1)} the median ranker keeps {ends}"


def by_size_and_ranker(kept: pd.DataFrame) -> str:
    """What each ranker keeps with the fewest and with the most training queries that it was trained on."""
    few, many, level = _ends(kept)
    change = (many["relative"] - few["relative"]).sort_values(ascending=False)
    said = listed(
        f"{name} {_change(few.loc[name], many.loc[name])} ({few.loc[name, 'queries']:,} to "
        f"{many.loc[name, 'queries']:,} queries)"
        for name in change.index
    )
    return f"Of its NDCG@10 without noise each ranker keeps, at a dNoise of {number(level, 1)}: {said}."


def gained(compared: pd.DataFrame, names: Sequence[str] = COUNTERPARTS) -> str:
    """On which real collections a ranker gains over the best single run, so that noise has something to take."""
    rows = compared[(compared["over"] == learnable.BEST_RUN) & compared["ranker"].isin(learnable.RANKERS)]
    best = [rows[rows["dataset"] == name].sort_values("low").iloc[-1] for name in names]
    return " ".join(_gain(row) for row in best)


def hangs(found: pd.DataFrame) -> str:
    """What pNoise explains more than dNoise across whole collections, with the one of few relevant and without it."""
    rows = found[found["claim"] == "N4"].rename(columns={"effect": "measured"}).set_index("ranker")
    whole, without = (effect(rows.loc[ranker]) for ranker in (ACROSS, WITHOUT_FEW))
    few = ", ".join(PLACES)
    return (
        f"Across whole collections pNoise explains more than dNoise does by {whole} with {few} among them, of which "
        f"few documents are relevant, and by {without} without it."
    )


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


def _ends(kept: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, float]:
    """The fewest and the most queries of each ranker, by ranker, at the highest level, and that level."""
    level = kept["dnoise"].max()
    rows = kept[kept["dnoise"] == level].sort_values("queries")
    few, many = (rows.drop_duplicates("ranker", keep=which).set_index("ranker") for which in ("first", "last"))
    return few, many.loc[few.index], level


def _change(few: pd.Series, many: pd.Series) -> str:
    return f"{share(few['relative'])}, then {share(many['relative'])}"


def _gain(row: pd.Series) -> str:
    bounds = interval(row["low"], row["high"])
    if row["low"] > 0:
        gain = f"{signed(row['ndcg'])} ({bounds})"
        return f"On {row['dataset']} {row['ranker']} is ahead of the best single run by {gain}."
    return (
        f"On {row['dataset']} no ranker is clearly ahead of it ({row['ranker']} {signed(row['ndcg'])}, {bounds}), so "
        "that noise has little to take there."
    )
