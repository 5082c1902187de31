"""What keeping documents gains by how much queries differ, and where real collections lie."""

from __future__ import annotations

import numpy as np
import pandas as pd

from helpers.reporting.answers import listed, number
from helpers.reporting.verdicts import basis_of
from helpers.studies.depth.findings._shares import by_share


def points(comparisons: pd.DataFrame, collections: pd.DataFrame, drawn: pd.DataFrame) -> pd.DataFrame:
    """The map: documents less queries, by how much queries differ, of real collections and of the portrait.

    Of a real collection the smallest share is taken that leaves FLOOR documents a query, as the paper has no others.

    Parameters
    ----------
    comparisons : of all collections, with a column data
    collections : frame data, heterogeneity, low, high, of `heterogeneity.of_collections`
    drawn : of `heterogeneity.run_map`

    Returns
    -------
    frame data, ranker, at, slopes (NaN of a real one), heterogeneity, difference, low, high
    """
    real = by_share(comparisons)
    real = real[~real["shallow"] & (real["data"].map(basis_of) == "real")]
    real = real.sort_values("at", kind="stable").drop_duplicates(["data", "ranker"])
    real = real.merge(collections[["data", "heterogeneity"]], on="data").assign(slopes=np.nan)
    known = by_share(drawn)
    known = known[~known["shallow"]].assign(data="portrait")
    columns = ["data", "ranker", "at", "slopes", "heterogeneity", "difference", "low", "high"]
    return pd.concat([part[columns] for part in (known, real) if len(part)], ignore_index=True)


def depends(table: pd.DataFrame) -> str:
    """Whether keeping documents gains more where queries differ more: a title.

    Clear is a difference at the largest slopes whose interval lies above that at the portrait's own, at the smallest
    share of the map.

    Parameters
    ----------
    table : of `points`
    """
    drawn = table.dropna(subset="slopes")
    drawn = drawn[drawn["at"] == drawn["at"].min()]
    if drawn["slopes"].nunique() < 2:
        return "How much queries differ was not varied"
    ends = [drawn[drawn["slopes"] == s].set_index("ranker") for s in (drawn["slopes"].min(), drawn["slopes"].max())]
    few, many = ends[0], ends[1].loc[ends[0].index]
    more = list(few.index[many["low"] > few["high"]])
    less = list(few.index[many["high"] < few["low"]])
    if len(more) == len(few):
        return "The more queries differ from one another, the more it pays to keep many of them"
    if not more and not less:
        return "How much queries differ from one another does not clearly decide"
    said = [f"more with {listed(more)}"] * bool(more) + [f"less with {listed(less)}"] * bool(less)
    return f"Where queries differ more, keeping many of them pays {' and '.join(said)}"


def on_map(collections: pd.DataFrame, drawn: pd.DataFrame) -> str:
    """Where the real collections lie between the portrait as it is and one whose queries differ more.

    Parameters
    ----------
    collections : frame data, heterogeneity
    drawn : of `heterogeneity.run_map`
    """
    real = collections[collections["data"].map(basis_of) == "real"].sort_values("heterogeneity")
    scale = drawn.groupby("slopes")["heterogeneity"].mean()
    if real.empty:
        return "No real collection was measured."
    placed = {row.data: _place(row.heterogeneity, scale) for row in real.itertuples()}
    said = listed(f"{name} ({number(real.set_index('data').loc[name, 'heterogeneity'])}, {place})"
                  for name, place in placed.items())  # fmt: skip
    return f"How much queries differ, and the factor on the portrait's slopes that it is like: {said}."


def _place(value: float, scale: pd.Series) -> str:
    """The factor on the slopes at which the portrait has that heterogeneity.

    >>> scale = pd.Series([2.0, 4.0], index=[1.0, 2.0])
    >>> [_place(value, scale) for value in (1.0, 3.0, 5.0)]
    ['below 1', '1.5', 'above 2']
    """
    ordered = scale.sort_values()
    if value < ordered.iloc[0]:
        return f"below {ordered.index[0]:g}"
    if value > ordered.iloc[-1]:
        return f"above {ordered.index[-1]:g}"
    return f"{np.interp(value, ordered.to_numpy(), ordered.index.to_numpy()):.1f}"
