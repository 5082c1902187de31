"""What the figures of study 1 show, in titles and sentences computed from its tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from helpers.judging import schemes
from helpers.reporting.answers import UNKNOWN, counted, listed, number, share, signed
from helpers.studies.overlap.crowds import REAL as CROWDS
from helpers.studies.overlap.effects import basis_of
from helpers.studies.overlap.tables import WAYS

Tables = Mapping[str, pd.DataFrame]
Stored = Mapping[str, Tables]

POINTS = 100
"""A point is a hundredth of NDCG."""

COPIES = {"if-good-3": "if-good-gain-3", "3-overlap": "gain-3"}
"""Scheme that trains on each of its labels -> the one that trains on their mean gain."""


def named(data: str) -> str:
    """A data set with what it rests on.

    Examples
    --------
    >>> named("clean07"), named("cystic-fibrosis")
    ('clean07 (portrait)', 'cystic-fibrosis (real)')
    """
    return f"{data} ({basis_of(data)})"


def compared(stored: Stored, question: str, at: str | None = None) -> pd.DataFrame:
    """The comparisons of one question on all data that have any: frame data, ranker, at, difference, low, high."""
    columns = ["data", "ranker", "at", "difference", "low", "high"]
    rows = [tables["comparisons"].assign(data=data) for data, tables in stored.items() if "comparisons" in tables]
    if not rows:
        return pd.DataFrame(columns=columns)
    table = pd.concat(rows, ignore_index=True)
    asked = (table["question"] == question) & (at is None or table["at"].astype(str) == at)
    return table.loc[asked, columns].dropna().reset_index(drop=True)


def titles(plane: pd.DataFrame) -> dict[str, str]:
    """Ranker -> which scheme gains most over one label with it, and for how many labels."""
    said = {}
    others = plane[plane["setting"] != "baseline"].dropna(subset="difference")
    for ranker, rows in others.groupby("ranker", sort=False):
        best = rows.loc[rows["difference"].idxmax()]
        gained = f"{points(best)} points for {best['labels']:.1f} labels"
        said[ranker] = f"{ranker}: most is gained by {best['setting']}, {gained}"
    return said


def cheapest(plane: pd.DataFrame, ranker: str) -> str:
    """The scheme with the fewest labels that clearly gains over one label, or "none"; of two the better."""
    rows = plane[(plane["ranker"] == ranker) & (plane["setting"] != "baseline")].dropna(subset="difference")
    ahead = rows[rows["low"] > 0].sort_values(["labels", "difference"], ascending=[True, False], kind="stable")
    return ahead["setting"].iloc[0] if len(ahead) else "none"


def costs(stored: Stored) -> str:
    """What if-good-3 costs, where judges were fitted to the printed cost and where they were not."""
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
    """What a live run found, and how much of it is chance."""
    said = [f"- {title}." for title in titles(plane).values()]
    widths = (plane["high"] - plane["low"]).dropna()
    chance = f"\n\nAn interval is {number(POINTS * widths.median(), 2)} points wide." if len(widths) else ""
    return "\n".join([f"In this run {who}, and labels were drawn {counted(draws, 'time')}.\n", *said]) + chance


def bought(labels: np.ndarray, good: int = schemes.GOOD) -> str:
    """What if-good-3 buys of a few documents beside three labels of each: the title of their figure."""
    some, three = (schemes.collect(name, labels, None, good=good).labels_bought for name in ("if-good-3", "3-overlap"))
    documents = counted(len(labels), "document")
    return f"Of these {documents} if-good-3 buys {counted(some, 'label')}, three judges of each would give {three}"


def points(row: pd.Series) -> str:
    """A difference with its interval, in points.

    >>> points(pd.Series({"difference": 0.0213, "low": 0.0104, "high": 0.0322}))
    '+2.13 (1.04 to 3.22)'
    """
    return f"{_point(row.difference)} ({_point(row.low).lstrip('+')} to {_point(row.high).lstrip('+')})"


def label_errors(plane: pd.DataFrame, data: str) -> str:
    """How good the labels of a scheme are, apart from what a ranker makes of them."""
    error = plane.drop_duplicates("setting").set_index("setting")["squared_error"]
    bought = {"baseline": "one label", "if-good-3": "the labels of if-good-3", "3-overlap": "three labels"}
    said = [f"{number(error[name], 2)} with {what}" for name, what in bought.items() if name in error]
    return f"On {data} the mean of a document's labels lies from the truth, in grades squared, by {listed(said)}."


def same_labels_title(stored: Stored) -> str:
    """What the mean of the same labels gains over copies: the title of their figure."""
    return f"The same labels, averaged rather than copied, gain {_span(compared(stored, 'the mean or all labels'))}"


def same_labels(stored: Stored) -> str:
    """What averaging gains, for each pair of schemes that buy the same."""
    rows, said = compared(stored, "the mean or all labels"), []
    for copies, mean in COPIES.items():
        found = rows[rows["at"].map(schemes.current) == mean]
        named = " and ".join(found["at"].unique()) or mean
        said.append(f"{named} gains {_span(found)} over {copies}")
    return f"Over data sets and rankers, {listed(said)}."


def with_errors(stored: Stored, names: Iterable[str]) -> dict[str, pd.DataFrame]:
    """The planes of these data that know of label errors, by name and what they rest on; older ones do not."""
    planes = {name: stored[name]["plane"] for name in names if name in stored}
    return {named(name): plane for name, plane in planes.items() if "squared_error" in plane}


def map_title(table: pd.DataFrame) -> str:
    """What several labels gain at equal cost over the kinds of judges: the title of the map."""
    others = table[table["setting"] != "baseline"].dropna(subset="difference")
    kinds = int(others.groupby("setting").size().max())
    return f"At equal cost several labels gain {_span(others)} over one, by {counted(kinds, 'kind')} of judges"


def judges_map(table: pd.DataFrame) -> str:
    """What each scheme gains at equal cost over all kinds of judges, against one label for more queries."""
    others = table[table["setting"] != "baseline"].dropna(subset="difference")
    said = [f"{setting} gains {_span(rows)}" for setting, rows in others.groupby("setting", sort=False)]
    return f"At equal numbers of labels, against one label each of more queries: {listed(said)}."


def ways_title(tables: Mapping[str, pd.DataFrame]) -> str:
    """What each way of doubling a budget gains, on average over all that it can be doubled from: the figure's title."""
    means = _means(pd.concat(tables.values()))
    if not means:
        return "No budget could be doubled in all three ways"
    said = [f"{signed(POINTS * mean, 2)} points by {way}" for way, mean in means.items()]
    return f"Twice the budget gains on average {listed(said)}"


def ways(table: pd.DataFrame | None, data: str) -> str:
    """What doubling a budget gains in each way, with each ranker."""
    if table is None:
        return f"Of {data} nothing is stored yet: `python -m helpers.making.overlap` makes it."
    said = [f"On {data}, twice the budget gains on average, in points of NDCG@3:\n"]
    for ranker, rows in table.groupby("ranker", sort=False):
        gains = [f"{way} {signed(POINTS * mean, 2)}" for way, mean in _means(rows).items()]
        said.append(f"- With {ranker} {listed(gains)}.")
    return "\n".join(said) if len(said) > 1 else f"On {data} nothing could be doubled in all three ways."


def machine(table: pd.DataFrame) -> str:
    """What is lost where a person sees only what a machine finds good, and what where the machine is alone."""
    said = ["Against a person alone, in points of NDCG@3:\n"]
    for ranker, rows in table[table["setting"] != "person"].groupby("ranker", sort=False):
        parts = [
            f"  - *{row.setting}*: {points(row)}, with {share(row.person_labels)} of the person's labels"
            for row in rows.itertuples()
        ]
        said += [f"- With {ranker}:", *parts]
    return "\n".join(said)


def crowds(stored: Stored) -> str:
    """How the majority of the most judges compares with the best single judge of each real crowd."""
    said = []
    for name in CROWDS:
        if name not in stored:
            continue
        last, best = stored[name]["majority"].iloc[-1], stored[name]["best"].iloc[0]
        said.append(
            f"in {name} the majority of {int(last['m'])} agrees with the truth on {share(last['agreement'])} of the "
            f"pairs, the best judge on {share(best['honest'])}"
        )
    return f"Of real crowds, {'; '.join(said)}." if said else "No real crowd is stored."


def _span(rows: pd.DataFrame) -> str:
    """From the least to the most of differences, in points."""
    if rows.empty:
        return UNKNOWN
    return f"{signed(POINTS * rows['difference'].min(), 2)} to {signed(POINTS * rows['difference'].max(), 2)} points"


def _means(rows: pd.DataFrame) -> dict[str, float]:
    means = rows.groupby("question")["difference"].mean()
    return {way: means[way] for way in WAYS if way in means}


def _point(difference: float) -> str:
    return signed(POINTS * difference, 2 + (abs(POINTS * difference) >= 1))
