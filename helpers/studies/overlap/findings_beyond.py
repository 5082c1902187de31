"""What study 1 found beyond its paper, in sentences: means of labels, kinds of judges, budgets, machines, crowds.

"Clearly" means that a 95 % interval leaves zero out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pandas as pd

from helpers.reporting.answers import counted, interval, listed, number, share, signed
from helpers.studies.overlap.crowds import REAL as CROWDS
from helpers.studies.overlap.findings import POINTS, Stored, compared, named, points, standing
from helpers.studies.overlap.tables import WAYS

COPIES = {"if-good-3": "if-good-mean-3", "3-overlap": "mean-3"}
"""Scheme that trains on each of its labels -> the one that trains on their mean."""


def label_errors(plane: pd.DataFrame, data: str) -> str:
    """How good the labels of a scheme are, apart from what a ranker makes of them.

    Parameters
    ----------
    plane : of `tables.plane`
    data : its name
    """
    error = plane.drop_duplicates("setting").set_index("setting")["squared_error"]
    bought = {"baseline": "one label", "if-good-3": "the labels of if-good-3", "3-overlap": "three labels"}
    said = [f"{number(error[name], 2)} with {what}" for name, what in bought.items() if name in error]
    return f"On {data} the mean of a document's labels lies from the truth, in grades squared, by {listed(said)}."


def same_labels_title(stored: Stored) -> str:
    """Whether the mean of the same labels is better than copies: the title of their figure.

    Parameters
    ----------
    stored : as in `compared`
    """
    rows = compared(stored, "the mean or all labels")
    return f"The same labels, averaged rather than copied: {standing(rows)}"


def same_labels(stored: Stored) -> str:
    """What averaging does, for each pair of schemes that buy the same.

    Parameters
    ----------
    stored : as in `compared`
    """
    said = []
    for copies, mean in COPIES.items():
        rows = compared(stored, "the mean or all labels", mean)
        least, most = POINTS * rows["difference"].min(), POINTS * rows["difference"].max()
        by = f", by {interval(least, most, 2)} points" if len(rows) else ""
        said.append(f"- {mean} is {standing(rows)} against {copies}{by}.")
    return "\n".join(said)


def with_errors(stored: Stored, names: Iterable[str]) -> dict[str, pd.DataFrame]:
    """The planes of these data that know of label errors, by name and what they rest on; older ones do not.

    Parameters
    ----------
    stored : as in `compared`
    names : of data
    """
    planes = {name: stored[name]["plane"] for name in names if name in stored}
    return {named(name): plane for name, plane in planes.items() if "squared_error" in plane}


def map_title(table: pd.DataFrame) -> str:
    """In how many kinds of judges each scheme wins clearly: the title of the map.

    Parameters
    ----------
    table : of `tables.map_table`
    """
    wins = table[table["wins"]].replace({"setting": {"baseline": "one label"}})
    said = [
        f"{setting} wins for {len(rows)} ({int(rows['clear'].sum()) or 'none'} clearly)"
        for setting, rows in sorted(wins.groupby("setting"), key=lambda found: -len(found[1]))
    ]
    return f"At equal cost, of {counted(len(wins), 'kind')} of judges: {listed(said)}"


def judges_map(table: pd.DataFrame) -> str:
    """How each scheme does at equal cost over all kinds of judges, against one label for more queries.

    Parameters
    ----------
    table : of `tables.map_table`
    """
    others = table[table["setting"] != "baseline"].dropna(subset="difference")
    said = [f"{setting} is {standing(rows)}" for setting, rows in others.groupby("setting", sort=False)]
    kinds = others.groupby("setting").size().max()
    return (
        f"At equal numbers of labels, against one label each of more queries, over {counted(int(kinds), 'kind')} of "
        f"judges: {'; '.join(said)}."
    )


def ways_title(tables: Mapping[str, pd.DataFrame]) -> str:
    """Which way of doubling a budget gains most, over all that it can be doubled from: the title of the figure.

    Parameters
    ----------
    tables : name of the data -> frame of `tables.three_ways`
    """
    first = pd.concat([_best_ways(table) for table in tables.values()]).value_counts()
    if first.empty:
        return "No budget could be doubled in all three ways"
    said = [f"{way} from {times}" for way, times in first.items()]
    return f"Of {counted(int(first.sum()), 'start')}, the doubling that gains most is {listed(said)}"


def ways(table: pd.DataFrame | None, data: str) -> str:
    """What doubling a budget gains in each way, and which of two is clearly ahead.

    Parameters
    ----------
    table : of `tables.three_ways`, None where it is not stored
    data : its name
    """
    if table is None:
        return f"Of {data} nothing is stored yet: `python -m helpers.making.overlap` makes it."
    said = [f"On {data}, twice the budget gains on average, in points of NDCG@3:\n"]
    for ranker, rows in table.groupby("ranker", sort=False):
        gains = [f"{way} {signed(POINTS * mean, 2)}" for way, mean in _means(rows).items()]
        judge = standing(rows[rows["question"] == "another judge or another query"]).replace("case", "start")
        said.append(f"- With {ranker} {listed(gains)}. Another judge is {judge} against another query.")
    return "\n".join(said) if len(said) > 1 else f"On {data} nothing could be doubled in all three ways."


def machine(table: pd.DataFrame) -> str:
    """What is lost where a person sees only what a machine finds good, and what where the machine is alone.

    Parameters
    ----------
    table : of `tables.machine_table`
    """
    said = ["Against a person alone, in points of NDCG@3:\n"]
    for ranker, rows in table[table["setting"] != "person"].groupby("ranker", sort=False):
        parts = [
            f"  - *{row.setting}*: {points(row)}, with {share(row.person_labels)} of the person's labels"
            for row in rows.itertuples()
        ]
        said += [f"- With {ranker}:", *parts]
    return "\n".join(said)


def crowds(stored: Stored) -> str:
    """How the majority of the most judges compares with the best single judge of each real crowd.

    Parameters
    ----------
    stored : as in `compared`
    """
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


def _means(rows: pd.DataFrame) -> dict[str, float]:
    means = rows.groupby("question")["difference"].mean()
    return {way: means[way] for way in WAYS if way in means}


def _best_ways(table: pd.DataFrame) -> pd.Series:
    """The way that gains most from each start with each ranker."""
    gains = table[table["question"].isin(list(WAYS))]
    return gains.loc[gains.groupby(["ranker", "at"], sort=False)["difference"].idxmax(), "question"]
