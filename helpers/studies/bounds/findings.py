"""What the stored and live tables of study 2 say, in words, and the names of who is spoken of."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from helpers.reporting.answers import interval, listed, number, share, signed
from helpers.studies.bounds.judges import EXCHANGEABLE
from helpers.studies.bounds.protocol import K

CHOSEN = "the best on other queries, of runs that learned from other people's labels"
"""Who decides whether a learner passes a limit: features that are runs carry such labels, too."""

WORN_OUT = "dl19-people-machines"
"""The folder of stored tables of people, machines and runs on TREC Deep Learning 2019."""

PEOPLE = "another person"

TAUGHT = "machine-labels"
"""The folder of stored tables of what rankers learned from a machine's labels and a person's, on SynDL."""

MACHINE, PERSON, SAME_QUERIES = "GPT-4, other queries", "NIST", "GPT-4, the same queries"

SIZES = {MACHINE: (10, 25, 50, 100, 200, 424), PERSON: (5, 10, 20, 42), SAME_QUERIES: (5, 10, 20, 42)}
"""Labels -> numbers of labelled queries, those for validation among them."""

BESIDE = {
    MACHINE: "labelled by GPT-4, other queries",
    PERSON: "labelled by NIST",
    SAME_QUERIES: "NIST's queries, labelled by GPT-4",
}
"""Labels -> what to write beside their curve."""

ALL = "all rankers"
"""The mean of the rankers."""


def own_matrix(table: pd.DataFrame) -> str:
    """How much closer to the real limit a query's own matrix comes than one for all, by pool of `known_queries`."""
    rows = (f"{signed(r.difference)} ({interval(r.low, r.high)}) for {r.judges}" for r in table.itertuples())
    return f"How much closer to what rankings reach the query's own matrix comes than one for all: {listed(rows)}."


def bias(table: pd.DataFrame) -> str:
    """How far one matrix for all queries is off on average, by pool of `known_queries`."""
    rows = (f"{signed(r.real - r.pooled)} for {r.judges}" for r in table.itertuples())
    return f"What rankings reach less the ceiling of one matrix for all is, on average, {listed(rows)}"


def disagreement(losses: pd.DataFrame, k: int) -> str:
    """What a ranking that is perfect for one assessor loses with another, of a frame collection, effect, low, high."""
    rows = (f"{number(r.effect)} ({interval(r.low, r.high)}) among {r.collection}" for r in losses.itertuples())
    return f"Of a perfect nDCG@{k} of 1, a ranking that is perfect for one judge loses with another {listed(rows)}."


def habits(alike: pd.DataFrame, moody: pd.DataFrame) -> str:
    """Where rankings end beside the ceiling of one matrix for all, where queries are alike and not, by `errors`."""
    without, with_habits = alike.loc["pooled", "bias"], moody.loc["pooled", "bias"]
    return (
        f"One matrix for all queries: rankings end {_aside(without)} its ceiling where judges are alike in every "
        f"query, and {_aside(with_habits)} where each query has habits of its own"
    )


def varying(moody: pd.DataFrame) -> str:
    """Whether matrices that vary between queries repair the ceiling where habits differ, by `errors`."""
    pooled, spread = moody.loc["pooled", "bias"], moody.loc["varying", "bias"]
    word = "smaller" if abs(spread) < abs(pooled) else "no smaller"
    return (
        f"A ceiling that lets the matrix vary between queries has an average error of {number(abs(spread))}, which is "
        f"{word} than that of one matrix for all, {number(abs(pooled))}."
    )


def _aside(bias: float) -> str:
    return f"{number(abs(bias))} {'above' if bias > 0 else 'below'}"


def agreement(table: pd.DataFrame) -> str:
    """How far a crowd agrees by grade, and whether queries differ in it, of a frame grade, agreement, between_low."""
    shares = listed(f"{share(r.agreement)} of the time on grade {r.grade}" for r in table.itertuples())
    differ = table.loc[table["between_low"] > 0, "grade"].astype(str).tolist()
    said = f"queries differ in it on grade {listed(differ)}" if differ else "no difference between queries is seen"
    return f"Two workers of DBpedia-Entity's crowd agree {shares}; {said}."


def span(ceilings: Mapping[str, pd.DataFrame]) -> str:
    """From where to where ceilings run, of the collection where that is farthest, of frames with a column exact."""
    name = max(ceilings, key=lambda collection: np.ptp(ceilings[collection]["exact"]))
    values = ceilings[name]["exact"]
    return f"On {name} alone ceilings run from {number(values.min())} to {number(values.max())}: the matrix decides"


def by_judge(perfect: pd.DataFrame, own_kind: pd.DataFrame) -> pd.DataFrame:
    """What each judge says of a ranking that is perfect for a person, and of runs: a row of texts for each."""
    own = perfect[perfect["learned_from"] == PEOPLE].merge(own_kind, on=["tested_by", "scale"], suffixes=("", "_kind"))
    said = [
        (row.tested_by, row.scale, number(row.ceiling), number(row.best), _said(row.difference, row.low, row.high),
         _said(row.difference_kind, row.low_kind, row.high_kind),
         "" if np.isnan(row.beyond) else _said(row.beyond, row.beyond_low, row.beyond_high))
        for row in own.itertuples()
    ]  # fmt: skip
    kinds = "language models less cross-encoders"
    heads = ["tested by", "grades", "perfect for a person", "best run", "run less perfect", kinds, "that less NIST's"]
    return pd.DataFrame(said, columns=heads)


def kinds(families: pd.DataFrame) -> str:
    """How far the mean of each kind of ranker is from a ranking that is perfect for one person, tested by another."""
    own = families[families["tested_by"] == PEOPLE].sort_values("difference", ascending=False)
    rows = (f"{row.family} {_said(row.difference, row.low, row.high)}" for row in own.itertuples())
    return f"The mean of a kind's runs less the ranking that is perfect for one person: {listed(rows)}."


def passed(perfect: pd.DataFrame) -> str:
    """How far the run that other queries choose lies from a ranking that is perfect for a person, tested by another."""
    [row] = perfect[(perfect["tested_by"] == PEOPLE) & (perfect["learned_from"] == PEOPLE)].itertuples()
    return (
        f"A ranking that is perfect for one person has an nDCG@{K} of {number(row.ceiling)} with another; the run that "
        f"is best on other queries lies {signed(row.difference)} ({interval(row.low, row.high)}) from there"
    )


def of_people(name: str, people: pd.DataFrame, k: int) -> str:
    """What people of whom nobody knows who is who did, what one ranks for another, and how well a learner does."""
    [row] = people[people["cutoff"] == k].itertuples()
    return (
        f"{name}: {EXCHANGEABLE[name][1]}. A ranking by one of them has an nDCG@{k} of {number(row.real)} with "
        f"another, {number(row.exact)} by their matrix and {number(row.closed)} by its closed form; a ranker that "
        f"learned one person's labels of other queries has {number(row.learned)}. The last less the first is "
        f"{_said(row.above, row.above_low, row.above_high)}."
    )


def learners(effects: pd.DataFrame) -> str:
    """By how much single learners pass the limit, of a frame claim, collection, ranker, effect, low, high."""
    own = effects[(effects["claim"] == "M4") & (effects["ranker"] != CHOSEN)]
    rows = (f"{row.ranker} {_said(row.effect, row.low, row.high)}" for row in own.itertuples())
    return f"nDCG@{K} less the limit on {listed(own['collection'].unique())}: {listed(rows)}."


def _said(difference: float, low: float, high: float) -> str:
    return f"{signed(difference)} ({interval(low, high)})"


def as_well(table: pd.DataFrame) -> str:
    """How many queries of a machine train as well as a person's most, of a frame ranker, queries, needed, low, high."""
    row = table[table["ranker"] == ALL].nlargest(1, "queries").iloc[0]
    if np.isinf(row["needed"]):
        fewest = "" if np.isinf(row["low"]) else f", though {_machine(row['low'])} may do"
        return f"No number of machine-labelled queries tried trains as well as {row['queries']} from a person{fewest}"
    return (
        f"{row['queries']} queries that a person labelled train as well as {_machine(row['needed'])} that a machine "
        f"labelled (95 %: {_machine(row['low'])} to {_machine(row['high'])})"
    )


def _machine(needed: float) -> str:
    """A number of machine-labelled queries, as far as it is known.

    >>> _machine(10.0), _machine(56.4), _machine(float("inf"))
    ('10 or fewer', '56', 'more than 424')
    """
    sizes = SIZES[MACHINE]
    if np.isinf(needed):
        return f"more than {sizes[-1]}"
    return f"{needed:.0f}" + (" or fewer" if needed <= sizes[0] else "")


def one_for_one(table: pd.DataFrame) -> str:
    """How many machine-labelled queries are worth one of a person's, with its interval, of the same frame."""
    row = table[table["ranker"] == ALL].nlargest(1, "queries").iloc[0]
    shown = [_ratio(row[name], row["queries"]) for name in ("needed", "low", "high")]
    return f"One query that a person labelled is worth {shown[0]} by a machine (95 %: {shown[1]} to {shown[2]})."


def _ratio(needed: float, queries: int) -> str:
    sizes = SIZES[MACHINE]
    if np.isinf(needed):
        return f"more than {number(sizes[-1] / queries, 2)}"
    return number(needed / queries, 2) + (" or fewer" if needed <= sizes[0] else "")


def all_labels(differences: pd.DataFrame) -> str:
    """What a machine's labels train, compared with a person's, of a frame ranker, question, difference, low, high."""
    own = differences[differences["ranker"] == ALL].set_index("question")
    kinds = {
        MACHINE: f"All {SIZES[MACHINE][-1]} machine-labelled queries",
        SAME_QUERIES: "Machine labels of the same queries",
    }
    return " ".join(
        f"{words} train rankers that are {_compared(own.loc[kind])} those trained on all labels of a person."
        for kind, words in kinds.items()
    )


def _compared(row: pd.Series) -> str:
    shown = f"({signed(row['difference'])}, {interval(row['low'], row['high'])})"
    if row["low"] > 0:
        return f"better {shown} than"
    if row["high"] < 0:
        return f"worse {shown} than"
    return f"not told apart {shown} from"


def learnable(curves: pd.DataFrame) -> str:
    """How much more labels teach at all, from the fewest to the most, of a frame ranker, labels, queries, ndcg."""
    gains = []
    for labels in (PERSON, MACHINE):
        own = curves[(curves["ranker"] == ALL) & (curves["labels"] == labels)].sort_values("queries")
        first, last = own.iloc[0], own.iloc[-1]
        gains.append(f"{signed(last['ndcg'] - first['ndcg'])} from {first['queries']} to {last['queries']} ({labels})")
    return f"More labelled queries change NDCG@10 by {listed(gains)}."
