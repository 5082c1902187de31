"""What the tables of study 3 say, in sentences and titles of figures: computed, so that they hold for any data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from helpers.judging.noise import TURNING
from helpers.reporting.answers import counted, interval, listed, number, share, signed
from helpers.reporting.verdicts import effect, of_rankers, verdicts
from helpers.studies.robustness.effects import ACROSS, WITHOUT_FEW
from helpers.studies.robustness.protocol import PLACES
from helpers.studies.robustness.tables import APART, POOLED, Segments

AT = 0.1  # the dNoise of which titles speak
ALONE = "one data set alone cannot tell pNoise from dNoise"
NAMES = {"dnoise": "dNoise", "pnoise": "pNoise"}
PARTS = {"": "all data sets", "TD2003": "without TD2003", "synthetic": "real ones"}  # by what is left out


def answer(judged: pd.DataFrame, found: pd.DataFrame) -> str:
    """The answer in ninety words, from the verdicts and the effects behind them."""
    row = judged.set_index("claim").loc["N4"]
    exact = found.drop_duplicates("claim").set_index("claim")["effect"]
    means = found[found["claim"] == "N4"].set_index("ranker")["effect"]
    few = ", ".join(PLACES)
    return (
        "**Count wrong pairs, not wrong labels, before you pay for cleaner ones.** One wrong label in ten makes "
        f"{share(exact['N7a'])} of the pairs wrong on TD2003, where few documents are relevant, and "
        f"{share(exact['N7c'])} on OHSUMED. On {counted(len(row['collections'].split(', ')), 'real collection')} "
        f"with relevant documents taken out, wrong pairs explained {effect(row)} more of what rankers lost than wrong "
        "labels did. Counting costs nothing: the numbers of documents of each grade are enough. Across whole "
        f"collections this rests on {few}, which has few relevant documents: {signed(means[ACROSS])} with it, "
        f"{signed(means[WITHOUT_FEW])} without."
    )


def explains(shares: dict[str, float]) -> str:
    """What one curve explains over wrong pairs and over wrong documents: a title."""
    pairs, documents = share(shares["pnoise"]), share(shares["dnoise"])
    return f"One curve over wrong pairs explains {pairs} of what is lost, over wrong documents {documents}"


def by_both(curves: pd.DataFrame) -> str:
    """What a ranker keeps at a dNoise of AT where that makes most wrong pairs, and where fewest: a title."""
    rows = curves[np.isclose(curves["dnoise"], AT)].sort_values("pnoise").iloc[[-1, 0]]
    kept = listed(f"{share(row.relative)} at a pNoise of {number(row.pnoise, 2)}" for row in rows.itertuples())
    return f"With one label in ten wrong {curves['ranker'].iloc[0]} keeps {kept}"


def ranges(curves: pd.DataFrame, by: str, at: float) -> str:
    """What rankers keep on each data set at its level nearest to a dNoise or pNoise: a title."""
    spans = {}
    for name, rows in curves.groupby("dataset", sort=False):
        nearest = (rows.groupby("dnoise")[by].mean() - at).abs().idxmin()
        spans[name] = rows.loc[rows["dnoise"] == nearest, "relative"]
    least = min(spans, key=lambda name: spans[name].min())
    others = [span for name, span in spans.items() if name != least]
    elsewhere = f" and {_span(pd.concat(others))} elsewhere" if others else ""
    return f"Near a {NAMES[by]} of {number(at, 1)} rankers keep {_span(spans[least])} on {least}{elsewhere}"


def own_verdicts(rows: pd.DataFrame) -> pd.DataFrame:
    """The verdicts of a reader's run: with the paper's rankers together where all of them are run, else with each."""
    together = verdicts(rows)
    return together if len(together) else of_rankers(rows)


def own_dots(own: pd.DataFrame, fit: Segments) -> str:
    """What a reader's run keeps where it is furthest from the stored curve: a title."""
    curve = fit.at(own["pnoise"])
    row = own.assign(curve=curve).loc[(own["relative"] - curve).abs().idxmax()]
    at = f"on {row['dataset']} at a pNoise of {number(row['pnoise'], 2)}"
    return f"Your run keeps {share(row['relative'])} {at}, where the stored curve has {share(row['curve'])}"


def own_run(rows: pd.DataFrame, names: Sequence[str]) -> str:
    """What a reader's own run says of the main claim, in a sentence."""
    asked = own_verdicts(rows).query("claim == 'N4'")
    if asked.empty:
        return f"Your run, {listed(names)}: {ALONE}."
    row = asked.iloc[0]
    found = f"with {row['rankers']}" if row["low"] > 0 else "the opposite holds"
    word = "it cannot tell" if row["low"] <= 0 <= row["high"] else found
    return f"Your run, {counted(len(names), 'data set')}: pNoise explains {effect(row)} more than dNoise, {word}."


def turning(table: pd.DataFrame) -> pd.DataFrame:
    """The pNoise at which the common curve turns, with its interval: texts, a row a ranker, POOLED the last."""
    rows = table.fillna({"without": ""})
    points = [
        f"{number(row.turning_point, 2)} ({interval(row.turning_point_low, row.turning_point_high, 2)})"
        for row in rows.itertuples()
    ]
    wide = rows.assign(said=points, fitted=rows["without"].map(PARTS)).pivot(
        index="ranker", columns="fitted", values="said"
    )
    order = [name for name in rows["ranker"].unique() if name != POOLED]
    return wide.loc[[*order, POOLED], [part for part in PARTS.values() if part in wide]]


def shares(table: pd.DataFrame) -> str:
    """What one curve explains on groups of data sets, over pNoise, over dNoise, and with a height for TD2003 alone."""
    said = []
    for over, rows in table.groupby("over", sort=False):
        spans = {by: _span(own["explained"]) for by, own in rows.groupby("by")}
        parts = [f"{spans[by]} over {by}" for by in ("pNoise", "dNoise", APART) if by in spans]
        said.append(f"- {over[0].upper()}{over[1:]}: {'; '.join(parts)}.")
    return "\n".join(said)


def off_curve(judges: pd.DataFrame) -> str:
    """How far the noise of real judges lies from the curve of uniform noise: a title."""
    off = judges["relative"] - judges["predicted"]
    more = f"{int((off > 0).sum())} of {counted(len(off), 'run')} keep more than their pNoise says"
    return f"With the noise of judges {more}, the median run {signed(off.median())}"


def by_size(kept: pd.DataFrame) -> str:
    """What the median ranker keeps with the fewest and the most training queries of each: a title."""
    level = kept["dnoise"].max()
    rows = kept[kept["dnoise"] == level].sort_values("queries")
    few, most = (share(rows.drop_duplicates("ranker", keep=end)["relative"].median()) for end in ("first", "last"))
    kept_by = f"{few} with fewest training queries, {most} with most"
    return f"At a dNoise of {number(level, 1)} the median ranker keeps {kept_by}"


def shapes(table: pd.DataFrame) -> str:
    """Between what dNoise collections of different shapes reach the turning point: a title."""
    low, high = (table.loc[table["dnoise"].agg(end)] for end in ("idxmin", "idxmax"))
    ends = [
        f"{number(row['dnoise'], 2)} ({row['grades']:.0f} grades, {share(row['relevant'])} relevant)"
        for row in (low, high)
    ]
    return f"The dNoise that makes a pNoise of {number(TURNING, 1)} goes from {ends[0]} to {ends[1]}"


def _span(values: pd.Series) -> str:
    """The smallest and the largest of some shares."""
    low, high = share(values.min()), share(values.max())
    return high if low == high else f"{low.removesuffix(' %')} to {high}"
