"""Documents or queries at equal shares: how often which is ahead, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pandas as pd

from helpers.reporting.answers import counted, number, signed
from helpers.reporting.verdicts import basis_of
from helpers.studies.depth.protocol import FLOOR

SHARES = ("documents or queries", "documents or queries below the floor")
"""Questions of the first experiment, of shares that leave FLOOR documents a query or more, and fewer."""

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
    return f"Keeping documents is clearly ahead of keeping queries in {said.ahead} of {cases(said.of)}, {behind}"


def shares_in_words(rows: pd.DataFrame, margin: float) -> str:
    """The same for real and for synthetic data, and below the floor.

    Parameters
    ----------
    rows : of `by_share`
    margin : as in `count`
    """
    real = rows["data"].map(basis_of) == "real"
    parts = {
        "On real collections": rows[real & ~rows["shallow"]],
        f"On synthetic {'ones' if real.any() else 'data'}": rows[~real & ~rows["shallow"]],
        f"Where a share leaves fewer than {FLOOR} documents a query": rows[rows["shallow"]],
    }
    said = [_counted(name, part, margin) for name, part in parts.items() if len(part)]
    return " ".join(said) or f"{NOTHING}."


def colleague(rows: pd.DataFrame, margin: float) -> str:
    """What a reader would repeat to a colleague, from the real collections alone, or from all where none is real.

    Parameters
    ----------
    rows : of `by_share`
    margin : as in `count`
    """
    real = rows[rows["data"].map(basis_of) == "real"]
    kept = real if len(real) else rows
    said = count(kept[~kept["shallow"]], margin)
    on = "real collections" if len(real) else "synthetic collections"
    if not said.of:
        return f"On {on} nothing can be said: no share leaves {FLOOR} documents a query."
    if said.ahead > said.of / 2 and not said.behind:
        return f"Judge many queries a little: on {on} this was clearly better in {said.ahead} of {cases(said.of)}."
    if said.behind > said.of / 2 and not said.ahead:
        return f"Judge few queries in full: on {on} this was clearly better in {said.behind} of {cases(said.of)}."
    if not said.ahead and not said.behind:
        return f"On {on} it made no clear difference in any of {cases(said.of)}: take what is convenient."
    if not said.behind or not said.ahead:
        way, other = (
            ("many queries a little", "few in full") if said.ahead else ("few queries in full", "many a little")
        )
        clear = said.ahead or said.behind
        return (
            f"Judging {way} lost nowhere: on {on} it was clearly better than judging {other} in {clear} of "
            f"{cases(said.of)}, clearly worse in none, and {said.small} differ by {number(margin)} or less."
        )
    return (
        f"On {on} it seldom matters whether many queries are judged a little or few in full: many are clearly better "
        f"in {said.ahead} of {cases(said.of)}, few in {said.behind}, and {said.small} differ by {number(margin)} or "
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


def cases(n: int) -> str:
    """So many cases, in words.

    Parameters
    ----------
    n : how many

    >>> cases(1), cases(2)
    ('1 case', '2 cases')
    """
    return counted(n, "case")


def _counted(where: str, rows: pd.DataFrame, margin: float) -> str:
    said = count(rows, margin)
    return (
        f"{where} keeping documents is clearly ahead in {said.ahead or 'none'} of {cases(said.of)} and clearly behind "
        f"in {said.behind or 'none'}; {said.small or 'none'} differ by {number(margin)} or less, the mean difference "
        f"is {signed(rows['difference'].mean())}."
    )
