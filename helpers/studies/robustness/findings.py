"""What the tables of study 3 say: sentences and titles of figures, computed, so that they hold for any data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from helpers.judging.noise import TURNING
from helpers.reporting.answers import UNKNOWN, counted, interval, listed, number, share, signed
from helpers.studies import learnable
from helpers.studies.robustness.counterparts import ALL, INSTEAD, WITHOUT
from helpers.studies.robustness.tables import POOLED

NEAR = 0.05
"""How near to `TURNING` the pNoise of a level is to be for a sentence about that pNoise."""

GAP = 0.2
"""A step in pNoise between neighbouring levels that is wider is called a gap."""

AT = 0.1
"""The dNoise of which a sentence about exact pNoise speaks."""

ALONE = "One data set alone cannot tell pNoise from dNoise, as each follows from the other."


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


def ahead(explained: pd.DataFrame) -> tuple[int, int, int]:
    """With how many rankers pNoise explains clearly more than dNoise, with how many clearly less, and of how many.

    Parameters
    ----------
    explained : frame of `tables.explained`; clearly is that the whole interval of the difference says so

    >>> ahead(pd.DataFrame({"by": "difference", "low": [0.1, -0.1, -0.3], "high": [0.2, 0.1, -0.2]}))
    (1, 1, 3)
    """
    rows = explained[explained["by"] == "difference"]
    return int((rows["low"] > 0).sum()), int((rows["high"] < 0).sum()), len(rows)


def of_data_sets(explained: pd.DataFrame, data: str) -> str:
    """What one curve explains on some data sets, over pNoise and over dNoise.

    Parameters
    ----------
    explained : frame of `tables.explained`
    data : what the data sets are called

    >>> table = pd.DataFrame({"ranker": "A", "by": ["pNoise", "dNoise", "difference"], "explained": [0.9, 0.1, 0.8],
    ...                       "low": 0.5, "high": 0.95})
    >>> of_data_sets(table, "five data sets")  # doctest: +NORMALIZE_WHITESPACE
    'Five data sets: one curve over pNoise explains 90 % of what differs, one over dNoise 10 %; pNoise explains clearly
    more with 1 of 1 ranker.'
    """
    more, less, rankers = ahead(explained)
    spans = {by: _span(explained.loc[explained["by"] == by, "explained"]) for by in ("pNoise", "dNoise")}
    behind = f", and clearly less with {less}" if less else ""
    return (
        f"{data[0].upper()}{data[1:]}: one curve over pNoise explains {spans['pNoise']} of what differs, one over "
        f"dNoise {spans['dNoise']}; pNoise explains clearly more with {more} of {counted(rankers, 'ranker')}{behind}."
    )


def hangs(explained: pd.DataFrame) -> str:
    """Whether it hangs on TD2003 that pNoise explains more than dNoise: a title.

    Parameters
    ----------
    explained : frame of `tables.explained` with a column `over`, as `counterparts.tables` gives it
    """
    most = {over: _most(explained[explained["over"] == over]) for over in (ALL, WITHOUT, INSTEAD)}
    if not most[ALL]:
        return "Even with TD2003 pNoise does not clearly explain more than dNoise"
    if most[WITHOUT]:
        return "pNoise explains more than dNoise, with TD2003 and without it"
    if most[INSTEAD]:
        return "pNoise explains more than dNoise where some data set has few relevant documents, TD2003 or a real one"
    return "pNoise explains more than dNoise with TD2003 only, and no real collection takes its place"


def colleague(explained: pd.DataFrame) -> str:
    """What a reader would repeat to a colleague.

    Parameters
    ----------
    explained : as in `hangs`
    """
    most = {over: _most(explained[explained["over"] == over]) for over in (ALL, WITHOUT, INSTEAD)}
    if not most[ALL]:
        return "Counting wrong pairs tells no more about what noise will do than counting wrong documents does."
    if most[WITHOUT]:
        return "Count wrong pairs, not wrong documents: they tell what noise will do on every collection tried here."
    if most[INSTEAD]:
        return "Where few documents are relevant count wrong pairs, not wrong documents; elsewhere both tell the same."
    return (
        "Counting wrong pairs tells more than counting wrong documents on one synthetic collection; on the real ones "
        "it was not shown to tell more."
    )


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


def live(tables: Mapping[str, pd.DataFrame]) -> str:
    """What the live runs say of pNoise and dNoise.

    Parameters
    ----------
    tables : of `runs.tables`
    """
    falls, explained = tables["falls"], tables["explained"]
    names = list(falls["dataset"].unique())
    highest = falls[falls["dnoise"] == falls["dnoise"].max()]
    kept = [f"{_span(rows['relative'])} on {name}" for name, rows in highest.groupby("dataset", sort=False)]
    level = number(highest["dnoise"].iloc[0], 1)
    said = f"Of their NDCG@10 without noise rankers keep {listed(kept)} at the highest dNoise, {level}."
    if len(names) == 1:
        return f"{said} {ALONE}"
    whole = explained[explained["without"].fillna("") == ""]
    return f"{said} {of_data_sets(whole, counted(len(names), 'data set'))}"


def sizes(kept: pd.DataFrame) -> str:
    """Whether more training queries make up for noise: a title.

    Parameters
    ----------
    kept : frame of `sizes.table`
    """
    few, many, level = _ends(kept)
    more, less = int((many["low"] > few["high"]).sum()), int((many["high"] < few["low"]).sum())
    start = f"At a dNoise of {number(level, 1)},"
    if more > len(few) / 2:
        return f"{start} {more} of {counted(len(few), 'ranker')} keep clearly more with more training queries"
    if less > len(few) / 2:
        return f"{start} {less} of {counted(len(few), 'ranker')} keep clearly less with more training queries"
    return f"{start} more training queries clearly help {more} of {counted(len(few), 'ranker')}"


def sizes_in_words(kept: pd.DataFrame) -> str:
    """What each ranker keeps with the fewest and with the most training queries that it was trained on.

    Parameters
    ----------
    kept : frame of `sizes.table`
    """
    few, many, level = _ends(kept)
    change = (many["relative"] - few["relative"]).sort_values(ascending=False)
    said = listed(
        f"{name} {_change(few.loc[name], many.loc[name])} ({few.loc[name, 'queries']:,} to "
        f"{many.loc[name, 'queries']:,} queries)"
        for name in change.index
    )
    return f"Of its NDCG@10 without noise each ranker keeps, at a dNoise of {number(level, 1)}: {said}."


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


def _ends(kept: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, float]:
    """The fewest and the most queries of each ranker, by ranker, at the highest level, and that level."""
    level = kept["dnoise"].max()
    rows = kept[kept["dnoise"] == level].sort_values("queries")
    few, many = (rows.drop_duplicates("ranker", keep=which).set_index("ranker") for which in ("first", "last"))
    return few, many.loc[few.index], level


def _change(few: pd.Series, many: pd.Series) -> str:
    return f"{share(few['relative'])}, then {share(many['relative'])}"


def _most(explained: pd.DataFrame) -> bool:
    """Whether pNoise explains clearly more than dNoise with most rankers."""
    more, _, rankers = ahead(explained)
    return more > rankers / 2


def _span(values: pd.Series) -> str:
    """The smallest and the largest of some shares."""
    low, high = share(values.min()), share(values.max())
    if UNKNOWN in (low, high):
        return f"an {UNKNOWN} share"
    return high if low == high else f"{low.removesuffix(' %')} to {high}"


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
