"""Whether more training queries make up for noise."""

from __future__ import annotations

import pandas as pd

from helpers.reporting.answers import counted, listed, number, share


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


def _ends(kept: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, float]:
    """The fewest and the most queries of each ranker, by ranker, at the highest level, and that level."""
    level = kept["dnoise"].max()
    rows = kept[kept["dnoise"] == level].sort_values("queries")
    few, many = (rows.drop_duplicates("ranker", keep=which).set_index("ranker") for which in ("first", "last"))
    return few, many.loc[few.index], level


def _change(few: pd.Series, many: pd.Series) -> str:
    return f"{share(few['relative'])}, then {share(many['relative'])}"
