"""The effects of Metrikov et al.'s claims on each collection, from what is stored of study 2."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from helpers import paths
from helpers.engine import results
from helpers.metrics.significance import Effect, crossed_effect
from helpers.reporting.verdicts import EFFECTS, PORTRAIT, REAL, effect_row, given_effect, of_contrasts
from helpers.studies.bounds import collection_ceilings
from helpers.studies.bounds.protocol import WITHIN

FILE = paths.project("data") / "results" / "02" / "contrasts.parquet"


def effects() -> pd.DataFrame:
    """Frame with the columns `verdicts.EFFECTS`, of all judges and collections that are stored."""
    stored = results.stored("02")
    rows = of_contrasts(pd.read_parquet(FILE)).to_dict("records")
    for name, tables in stored.items():
        if "shares" in tables:
            rows.append(effect_row("M2", name, REAL, "", of_shares(tables["shares"])))
        if "ceilings" in tables:
            own = collection_ceilings.learned().query("dataset == @name")
            rows += [effect_row(claim, name, REAL, "", found) for claim, found in of_ceilings(tables["ceilings"], own)]
    for claim, found in of_lists(
        **{table: stored[collection_ceilings.LISTS][table] for table in ("longer", "methods")}
    ):
        rows.append(effect_row(claim, collection_ceilings.LISTS, PORTRAIT, "", found))
    return pd.DataFrame(rows, columns=EFFECTS)


def of_shares(shares: pd.DataFrame) -> Effect:
    """The share of pairs of judges whose limit is predicted to .02, of a frame of `protocol.shares_within`."""
    [row] = shares[np.isclose(shares["within"], WITHIN[1])].itertuples()
    return Effect(row.share, row.se, row.low, row.high, row.queries, 1)


def of_ceilings(table: pd.DataFrame, learned: pd.DataFrame) -> Iterator[tuple[str, Effect]]:
    """What a collection says of M5a (under the matrix whose ceiling is nearest to the best learned ranker), M5b (the
    highest ceiling) and M6; intervals of ranker and ceiling are put together by their squares.
    """
    if len(learned):
        best = learned.loc[learned["ndcg"].idxmax()]
        gap = table["exact"] - best["ndcg"]
        below, above = ((table["exact"] - table[end]).abs().fillna(0) for end in ("low", "high"))
        low, high = (
            gap - np.hypot(below, best["high"] - best["ndcg"]),
            gap + np.hypot(above, best["ndcg"] - best["low"]),
        )
        for claim, row in (("M5a", gap.abs().idxmin()), ("M5b", gap.idxmax())):
            yield claim, given_effect(gap[row], low[row], high[row])
    off = crossed_effect((table["approximate"] - table["exact"]).abs(), [0], 0.0)  # over matrices
    yield "M6", off._replace(queries=np.nan, draws=np.nan)


def of_lists(longer: pd.DataFrame, methods: pd.DataFrame) -> Iterator[tuple[str, Effect]]:
    """What drawn lists say of M7, a mean over lengths, and of M8, the geometric mean of how much faster it is."""
    half = np.sqrt((((longer["high"] - longer["low"]) / 2) ** 2).sum()) / len(longer)
    saved = longer["difference"].mean()
    yield "M7", given_effect(saved, saved - half, saved + half)
    seconds = methods.pivot(index="length", columns="method", values="seconds")
    found = crossed_effect(np.log(seconds["simulated"] / seconds["approximate"]), [0], 0.0)  # over lengths
    yield "M8", given_effect(*np.exp([found.effect, found.low, found.high]))
