"""What the tables of study 4 say: sentences and titles of figures, computed, so that they hold for any data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from helpers.reporting.answers import counted, listed, number, signed
from helpers.studies.depth.claims import FLOOR, rests_on

SHARES = ("documents or queries", "documents or queries below the floor")
"""Questions of the first experiment, of shares that leave FLOOR documents a query or more, and fewer."""

ALL, EITHER = "all documents or fewer", "fewer queries or documents"
"""Questions of the second experiment."""

NOTHING = "Nothing was compared"


class Count(NamedTuple):
    """Of how many differences how many are clearly above 0, how many clearly below it, and how many within a margin."""

    ahead: int
    behind: int
    small: int
    of: int


def together(stored: Mapping[str, Mapping[str, pd.DataFrame]], table: str) -> pd.DataFrame:
    """One table of all collections that have it, with a column data.

    Parameters
    ----------
    stored : collection -> table name -> frame
    table : its name

    >>> together({"a": {"pool": pd.DataFrame({"ndcg": [0.5]})}, "b": {}}, "pool").values.tolist()
    [['a', 0.5]]
    """
    frames = [tables[table].assign(data=data) for data, tables in stored.items() if table in tables]
    if not frames:
        return pd.DataFrame({"data": []})
    joined = pd.concat(frames, ignore_index=True)
    return joined[["data", *joined.columns.drop("data")]]


def by_share(comparisons: pd.DataFrame) -> pd.DataFrame:
    """Documents less queries at equal shares: rows of the first experiment, `shallow` where fewer than FLOOR are left.

    Parameters
    ----------
    comparisons : frame of `tables.comparisons`, with a column data
    """
    rows = comparisons[comparisons["question"].isin(SHARES)]
    return rows.assign(shallow=rows["question"] == SHARES[1], at=rows["at"].astype(float))


def by_depth(comparisons: pd.DataFrame) -> pd.DataFrame:
    """Shallow judging less what it is held against, by depth: rows of the second experiment, `against` in words.

    Parameters
    ----------
    comparisons : frame of `tables.comparisons`, with a column data
    """
    words = {ALL: "all documents, which cost more", EITHER: "fewer queries, at the same cost"}
    rows = comparisons[comparisons["question"].isin(words)]
    turned = {"difference": -rows["difference"], "low": -rows["high"], "high": -rows["low"]}
    return rows.assign(**turned, against=rows["question"].map(words), at=rows["at"].astype(float))


def count(rows: pd.DataFrame, margin: float) -> Count:
    """How many differences say what.

    Parameters
    ----------
    rows : frame difference, low, high
    margin : up to which a difference is small, whatever its interval

    >>> count(pd.DataFrame({"difference": [0.01, -0.002], "low": [0.004, -0.006], "high": [0.016, 0.002]}), 0.005)
    Count(ahead=1, behind=0, small=1, of=2)
    """
    small = rows["difference"].abs() <= margin
    return Count(int((rows["low"] > 0).sum()), int((rows["high"] < 0).sum()), int(small.sum()), len(rows))


def shares(rows: pd.DataFrame, margin: float) -> str:
    """How often sampling documents is ahead of sampling queries at equal shares: a title.

    Parameters
    ----------
    rows : of `by_share`
    margin : as in `count`

    >>> table = {"data": "mq2008", "difference": [0.01, 0.0], "low": [0.004, -0.01], "high": [0.02, 0.01]}
    >>> shares(pd.DataFrame(table | {"shallow": False}), 0.005)
    'Keeping documents is clearly ahead of keeping queries in 1 of 2 cases, clearly behind in none'
    """
    said = count(rows[~rows["shallow"]], margin)
    if not said.of:
        return f"{NOTHING} at a share that leaves {FLOOR} documents a query"
    behind = f"clearly behind in {said.behind or 'none'}"
    return f"Keeping documents is clearly ahead of keeping queries in {said.ahead} of {_cases(said.of)}, {behind}"


def shares_in_words(rows: pd.DataFrame, margin: float) -> str:
    """The same for real and for synthetic data, and below the floor.

    Parameters
    ----------
    rows : of `by_share`
    margin : as in `count`
    """
    real = rows["data"].map(rests_on) == "real"
    parts = {
        "On real collections": rows[real & ~rows["shallow"]],
        f"On synthetic {'ones' if real.any() else 'data'}": rows[~real & ~rows["shallow"]],
        f"Where a share leaves fewer than {FLOOR} documents a query": rows[rows["shallow"]],
    }
    said = [_counted(name, part, margin) for name, part in parts.items() if len(part)]
    return " ".join(said) or f"{NOTHING}."


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
    real = real[~real["shallow"] & (real["data"].map(rests_on) == "real")]
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
    real = collections[collections["data"].map(rests_on) == "real"].sort_values("heterogeneity")
    scale = drawn.groupby("slopes")["heterogeneity"].mean()
    if real.empty:
        return "No real collection was measured."
    placed = {row.data: _place(row.heterogeneity, scale) for row in real.itertuples()}
    said = listed(f"{name} ({number(real.set_index('data').loc[name, 'heterogeneity'])}, {place})"
                  for name, place in placed.items())  # fmt: skip
    return f"How much queries differ, and the factor on the portrait's slopes that it is like: {said}."


def depths(rows: pd.DataFrame, margin: float) -> str:
    """From which depth down shallow judging clearly loses to fewer queries at the same cost: a title.

    Parameters
    ----------
    rows : of `by_depth`
    margin : as in `count`
    """
    either = rows[rows["question"] == EITHER]
    deep, floor = either[either["at"] >= FLOOR], either[either["at"] < FLOOR]
    if deep.empty:
        return f"{NOTHING} at {FLOOR} documents a query or more"
    above, below = count(deep, margin), count(floor, margin)
    said = f"At {FLOOR} documents or more, many shallow queries lead clearly in {above.ahead} of {_cases(above.of)}"
    behind = f"{said} and trail in {above.behind or 'none'}"
    return behind + (f"; below {FLOOR} they trail in {below.behind} of {below.of}" if below.of else "")


def enough(rows: pd.DataFrame, margin: float) -> str:
    """For each collection and ranker the shallowest depth that does not clearly lose to judging all documents.

    Parameters
    ----------
    rows : of `by_depth`
    margin : as in `count`; a loss that is clear and larger than this counts
    """
    against_all = rows[rows["question"] == ALL]
    said = []
    for data, own in against_all.groupby("data", sort=False):
        found = [f"{_shallowest(part, margin)} with {ranker}" for ranker, part in own.groupby("ranker", sort=False)]
        said.append(f"on {data} {listed(found)}")
    if not said:
        return "No depth was held against all documents."
    return f"The fewest documents a query that do not clearly lose to all of them are {'; '.join(said)}."


def colleague(rows: pd.DataFrame, margin: float) -> str:
    """What a reader would repeat to a colleague, from the real collections alone, or from all where none is real.

    Parameters
    ----------
    rows : of `by_share`
    margin : as in `count`
    """
    real = rows[rows["data"].map(rests_on) == "real"]
    kept = real if len(real) else rows
    said = count(kept[~kept["shallow"]], margin)
    on = "real collections" if len(real) else "synthetic collections"
    if not said.of:
        return f"On {on} nothing can be said: no share leaves {FLOOR} documents a query."
    if said.ahead > said.of / 2 and not said.behind:
        return f"Judge many queries a little: on {on} this was clearly better in {said.ahead} of {_cases(said.of)}."
    if said.behind > said.of / 2 and not said.ahead:
        return f"Judge few queries in full: on {on} this was clearly better in {said.behind} of {_cases(said.of)}."
    if not said.ahead and not said.behind:
        return f"On {on} it made no clear difference in any of {_cases(said.of)}: take what is convenient."
    if not said.behind or not said.ahead:
        way, other = (
            ("many queries a little", "few in full") if said.ahead else ("few queries in full", "many a little")
        )
        clear = said.ahead or said.behind
        return (
            f"Judging {way} lost nowhere: on {on} it was clearly better than judging {other} in {clear} of "
            f"{_cases(said.of)}, clearly worse in none, and {said.small} differ by {number(margin)} or less."
        )
    return (
        f"On {on} it seldom matters whether many queries are judged a little or few in full: many are clearly better "
        f"in {said.ahead} of {_cases(said.of)}, few in {said.behind}, and {said.small} differ by {number(margin)} or "
        "less."
    )


def live(comparisons: pd.DataFrame, margin: float, dataset: str) -> str:
    """What a run of one's own says, and how far its intervals reach.

    Parameters
    ----------
    comparisons : frame of `tables.comparisons`
    margin : as in `count`
    dataset : that was run, a portrait or real
    """
    rows = by_share(comparisons).assign(data=dataset)
    if rows.empty:
        return f"{NOTHING}: too few test queries have a value."
    half = ((rows["high"] - rows["low"]) / 2).median()
    wide = "wider than" if half > margin else "within"
    return (
        f"{shares_in_words(rows, margin)} Half an interval is {number(half)} in the median, {wide} the margin of "
        f"{number(margin)}."
    )


def _cases(n: int) -> str:
    return counted(n, "case")


def _counted(where: str, rows: pd.DataFrame, margin: float) -> str:
    said = count(rows, margin)
    return (
        f"{where} keeping documents is clearly ahead in {said.ahead} of {_cases(said.of)} and clearly behind in "
        f"{said.behind}; {said.small} differ by {number(margin)} or less, the mean difference is "
        f"{signed(rows['difference'].mean())}."
    )


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


def _shallowest(rows: pd.DataFrame, margin: float) -> str:
    """The lowest depth from which on upwards no depth loses clearly and more than the margin."""
    ordered = rows.sort_values("at", ascending=False)
    loses = (ordered["high"] < 0) & (ordered["difference"] < -margin)
    kept = ordered.loc[~loses.cummax(), "at"]
    return f"{kept.iloc[-1]:.0f}" if len(kept) else f"more than {ordered['at'].iloc[0]:.0f}"
