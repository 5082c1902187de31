"""What study 1 found, in sentences and titles computed from its tables.

"Clearly" means that a 95 % interval leaves zero out; a case is a data set with a ranker.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from helpers.judging import schemes
from helpers.reporting.answers import counted, listed, number, signed
from helpers.studies.overlap.effects import basis_of

Tables = Mapping[str, pd.DataFrame]
Stored = Mapping[str, Tables]

HEADLINES = (
    "if-good-3 beats one label a pair",
    "No other setting is better than if-good-3",
    "if-good-k is the best in cost effectiveness",
    "if-good-3 costs about 1.4 labels a pair",
    "The majority vote is worse than training on all of its labels in some cases",
    "The majority of more than five judges beats the best single judge",
)
"""The claims of the answer card."""

POINTS = 100
"""A point is a hundredth of NDCG."""


def named(data: str) -> str:
    """A data set with what it rests on.

    Parameters
    ----------
    data : its name

    Examples
    --------
    >>> named("clean07"), named("cystic-fibrosis")
    ('clean07 (portrait)', 'cystic-fibrosis (real)')
    """
    return f"{data} ({basis_of(data)})"


def compared(stored: Stored, question: str, at: str | None = None) -> pd.DataFrame:
    """The comparisons of one question on all data that have any: frame data, ranker, at, difference, low, high.

    Parameters
    ----------
    stored : data -> table -> frame, of `results.stored`
    question : of the tables `comparisons`
    at : only rows with this value; all of them where None
    """
    columns = ["data", "ranker", "at", "difference", "low", "high"]
    rows = [tables["comparisons"].assign(data=data) for data, tables in stored.items() if "comparisons" in tables]
    if not rows:
        return pd.DataFrame(columns=columns)
    table = pd.concat(rows, ignore_index=True)
    asked = (table["question"] == question) & (at is None or table["at"].astype(str) == at)
    return table.loc[asked, columns].dropna().reset_index(drop=True)


def standing(rows: pd.DataFrame) -> str:
    """In how many cases the first of two is clearly ahead, and clearly behind.

    Parameters
    ----------
    rows : frame low, high of its difference from the second, a row for each case

    Examples
    --------
    >>> standing(pd.DataFrame({"low": [0.1, -0.1, -0.2], "high": [0.2, 0.1, 0.1]}))
    'clearly ahead in 1 of 3 cases and clearly behind in none'
    """
    if rows.empty:
        return "not compared in any case"
    ahead, behind = int((rows["low"] > 0).sum()), int((rows["high"] < 0).sum())
    if ahead == len(rows) or behind == len(rows):
        place = "ahead" if ahead else "behind"
        return f"clearly {place} in the only case" if len(rows) == 1 else f"clearly {place} in all {len(rows)} cases"
    if len(rows) == 1:
        return "neither clearly ahead nor clearly behind in the only case"
    return f"clearly ahead in {ahead or 'none'} of {len(rows)} cases and clearly behind in {behind or 'none'}"


def repeat(stored: Stored) -> str:
    """What a reader would tell a colleague.

    Parameters
    ----------
    stored : as in `compared`
    """
    first = standing(compared(stored, "if-good-3 or one label"))
    mean = standing(compared(stored, "the mean or all labels", "if-good-mean-3"))
    ways = standing(compared(stored, "another judge or another query")).replace("case", "comparison")
    return (
        "**To tell a colleague.** Against one label, asking two more judges about what the first one called good, and "
        f"training on all their labels, is {first}. Training on the mean of the same labels, rather than on each of "
        f"them, is {mean}. Spending a budget on another judge, rather than on another query, is {ways}."
    )


def one_label(stored: Stored, setting: str = "if-good-3") -> str:
    """How a setting does against one label, case by case.

    Parameters
    ----------
    stored : as in `compared`
    setting : one that the tables compare with one label
    """
    rows = compared(stored, f"{setting} or one label")
    said = [f"- {named(row.data)} with {row.ranker}: {points(row)}" for row in rows.itertuples()]
    text = f"Against one label {setting} is {standing(rows)}"
    return "\n".join([f"{text}. In points of NDCG@3:\n", *said]) if said else f"{text}."


def beats(plane: pd.DataFrame, ranker: str) -> str:
    """How many schemes clearly gain over one label with a ranker: the title of a plane.

    Parameters
    ----------
    plane : of `tables.plane`
    ranker : one of its rankers
    """
    rows = _against_one_label(plane, ranker)
    ahead, behind = (rows["low"] > 0).sum(), (rows["high"] < 0).sum()
    lost = f", {behind} clearly lose{'s' if behind == 1 else ''}" if behind else ""
    verb = "gains" if ahead == 1 else "gain"
    return f"{ranker}: {ahead or 'none'} of {counted(len(rows), 'scheme')} clearly {verb} over one label{lost}"


def titles(plane: pd.DataFrame) -> dict[str, str]:
    """Ranker -> `beats` of it.

    Parameters
    ----------
    plane : of `tables.plane`
    """
    return {ranker: beats(plane, ranker) for ranker in plane["ranker"].unique()}


def cheapest(plane: pd.DataFrame, ranker: str) -> str:
    """The scheme with the fewest labels that clearly gains over one label, of two the better; "none" where none does.

    Parameters
    ----------
    plane, ranker : as in `beats`
    """
    rows = _against_one_label(plane, ranker)
    ahead = rows[rows["low"] > 0].sort_values(["labels", "difference"], ascending=[True, False], kind="stable")
    return ahead["setting"].iloc[0] if len(ahead) else "none"


def worth_it(plane: pd.DataFrame, data: str) -> str:
    """Which scheme is the cheapest that gains, and which gains most: the reading of a plane.

    Parameters
    ----------
    plane : as in `beats`
    data : its name
    """
    said = [f"On {data}:\n"]
    for ranker in plane["ranker"].unique():
        rows, first = _against_one_label(plane, ranker).set_index("setting"), cheapest(plane, ranker)
        if first == "none":
            said.append(f"- With {ranker} no scheme clearly gains over one label.")
            continue
        best = rows["difference"].idxmax()
        most = "It also gains most." if best == first else f"Most is gained by {_priced(rows, best)}."
        said.append(f"- With {ranker} the cheapest scheme that clearly gains is {_priced(rows, first)}. {most}")
    return "\n".join(said)


def best_k(stored: Stored) -> str:
    """Which k of if-good-k does best, over all label sets and rankers, and where 3 is clearly worse than another.

    Parameters
    ----------
    stored : as in `compared`
    """
    best = []
    for tables in stored.values():
        plane = tables.get("plane", pd.DataFrame(columns=["ranker", "setting", "ndcg@3"]))
        family = plane[plane["setting"].str.fullmatch(r"if-good-\d+").astype(bool)]
        best += [rows.loc[rows["ndcg@3"].idxmax(), "setting"] for _, rows in family.groupby("ranker", sort=False)]
    counts = [f"{setting} in {times}" for setting, times in pd.Series(best, dtype=object).value_counts().items()]
    others = compared(stored, "another k or if-good-3")
    clear = int((others["low"] > 0).sum())
    return (
        f"The best of if-good-k, of {counted(len(best), 'case')}, is {listed(counts)}. Another k is clearly better "
        f"than if-good-3 in {clear or 'none'} of {counted(len(others), 'comparison')}."
    )


def costs(stored: Stored) -> str:
    """What if-good-3 costs, where judges were fitted to the printed cost and where they were not.

    Parameters
    ----------
    stored : as in `compared`
    """
    fitted, own = [], []
    for data, tables in stored.items():
        table = tables.get("plane", tables.get("costs"))
        rows = table[table["setting"] == "if-good-3"] if table is not None else ()
        if len(rows):
            (own if basis_of(data) == "real" else fitted).append(f"{number(rows['labels'].iloc[0])} on {data}")
    return (
        f"In labels a pair, if-good-3 buys {listed(fitted)} where judges were fitted to the paper, and {listed(own)} "
        "where they are real people."
    )


def live(plane: pd.DataFrame, who: str, draws: int) -> str:
    """What a live run found, and how much of it is chance.

    Parameters
    ----------
    plane : of `tables.plane`
    who : the judges, as a reader was told of them
    draws : of the labels
    """
    said = [f"- {beats(plane, ranker)}." for ranker in plane["ranker"].unique()]
    widths = (plane["high"] - plane["low"]).dropna()
    chance = f"\n\nAn interval is {number(POINTS * widths.median(), 2)} points wide." if len(widths) else ""
    return "\n".join([f"In this run {who}, and labels were drawn {counted(draws, 'time')}.\n", *said]) + chance


def bought(labels: np.ndarray, good: int = schemes.GOOD) -> str:
    """What if-good-3 buys of a few documents beside three labels of each: the title of their figure.

    Parameters
    ----------
    labels : (n_docs, n_judges), -1 where there is none
    good : lowest grade of "Good or above"
    """
    some, three = (schemes.collect(name, labels, None, good=good).labels_bought for name in ("if-good-3", "3-overlap"))
    documents = counted(len(labels), "document")
    return f"Of these {documents} if-good-3 buys {counted(some, 'label')}, three judges of each would give {three}"


def _against_one_label(plane: pd.DataFrame, ranker: str) -> pd.DataFrame:
    rows = plane[plane["ranker"] == ranker]
    return rows[rows["setting"] != "baseline"].dropna(subset="difference")


def _priced(rows: pd.DataFrame, setting: str) -> str:
    row = rows.loc[setting]
    return f"{setting} ({row['labels']:.2f} labels a pair, {points(row)} points)"


def points(row: pd.Series) -> str:
    """A difference with its interval, in points.

    Parameters
    ----------
    row : difference, low, high

    >>> points(pd.Series({"difference": 0.0213, "low": 0.0104, "high": 0.0322}))
    '+2.13 (1.04 to 3.22)'
    """
    return f"{_point(row.difference)} ({_point(row.low).lstrip('+')} to {_point(row.high).lstrip('+')})"


def _point(difference: float) -> str:
    return signed(POINTS * difference, 2 + (abs(POINTS * difference) >= 1))
