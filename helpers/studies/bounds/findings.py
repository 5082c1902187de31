"""What the stored and live tables of study 2 say, in words, and the names of who is spoken of."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from helpers.reporting.answers import interval, listed, number, ranged, share, signed
from helpers.reporting.verdicts import effect, verdicts
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


def answer(judged: pd.DataFrame) -> str:
    """What a reader takes away, of the verdicts on M1, M4 and O14."""
    lost, limit, own = (judged.set_index("claim").loc[claim] for claim in ("M1", "M4", "O14"))
    sets, pools = (len(row["collections"].split(", ")) for row in (lost, own))
    return (
        "**Let a second person judge some documents of every query before you call an nDCG low.** A ranking that is "
        f"perfect for one judge loses {effect(lost).lstrip('+')} nDCG@{K} with another, in {sets} sets of "
        "judges. Where a query's ceiling lies, its own double judgments say better than one confusion matrix for "
        f"all queries, as the paper takes it: {effect(own).lstrip('+')} closer, in {pools} sets. Their price: a second "
        "judgment of half of its documents. Whether rankers that learn pass the ceiling: "
        f"{limit['verdict']}, {effect(limit)}."
    )


def own_matrix(effects: pd.DataFrame, whose: str = "") -> str:
    """In how many sets of judges a query's own matrix comes closer, and by how much, of a frame effect."""
    gains, closer = effects["effect"], (effects["effect"] > 0).sum()
    return (
        f"{whose}The query's own matrix comes closer in {closer} of {len(gains)} sets of judges: by "
        f"{number(gains.min())} to {number(gains.max())}"
    )


def closer(effects: pd.DataFrame, together: pd.Series | None, names: Mapping[str, str]) -> pd.DataFrame:
    """The rows of a figure of `own_matrix`, and what they come to where that is given: frame name, value, low, high."""
    rows = effects.assign(name=effects["collection"].map(names)).rename(columns={"effect": "value"})
    if together is not None:
        last = {"name": "together", "value": together["measured"], "low": together["low"], "high": together["high"]}
        rows = pd.concat([rows, pd.DataFrame([last])])
    return rows[["name", "value", "low", "high"]]


def two_queries(limits: pd.DataFrame) -> str:
    """What rankings reach with a strict and with a lenient judge, and what one matrix says, of a frame real, pooled."""
    reached = listed(number(value) for value in limits["real"])
    return f"The rankings reach {reached}; one matrix for both queries says {number(limits['pooled'].iloc[0])}"


def two_worlds(worlds: Mapping[str, np.ndarray]) -> str:
    """What a query's own matrix saves on average in each kind of world."""
    rows = (f"{number(np.mean(values))} {name}" for name, values in worlds.items())
    return f"On average over worlds, the query's own matrix saves {listed(rows)}"


def off(limits: pd.DataFrame) -> str:
    """How far both predictions of Figure 1 are from what rankings reach, of a frame real, pooled, elsewhere."""
    known = limits.dropna(subset="real")
    own, other = (number((known["real"] - known[name]).abs().mean()) for name in ("pooled", "elsewhere"))
    return f"A query is off by {own} on average with these judges' matrix, by {other} with one from elsewhere"


def of_run(effects: pd.DataFrame, k: int) -> pd.DataFrame:
    """The verdicts on a run's effects, measured at its cut-off."""
    judged = verdicts(effects)
    return judged.assign(measure=judged["measure"].str.replace(f"nDCG@{K}", f"nDCG@{k}"))


def beside(own: pd.Series, stored: pd.Series) -> str:
    """How the verdict on a reader's run stands beside the stored one."""
    sets = len(own["collections"].split(", "))
    return f"Your run: {effect(own)} {own['measure']} over {sets} sets, stored {effect(stored)} {stored['measure']}."


def room(tables: Mapping[str, pd.DataFrame], learned: pd.DataFrame) -> str:
    """Under how many matrices the best learned ranker is at the ceiling, or past it, of the figure's frames."""
    best = learned.groupby("dataset")["ndcg"].max()
    gaps = np.concatenate([[], *(table["exact"] - best[name] for name, table in tables.items() if name in best.index)])
    if not len(gaps):
        return "No ranker was tested at this cut-off"
    return f"The best learned ranker is past {(gaps < 0).sum()} of {len(gaps)} ceilings, and has room below the others"


def disagreement(losses: pd.DataFrame) -> str:
    """What a ranking that is perfect for one assessor loses with another, of a frame collection, effect, low, high."""
    rows = (f"{number(r.effect)} ({interval(r.low, r.high)}) among {r.collection}" for r in losses.itertuples())
    return f"Of a perfect nDCG@{K} of 1, a ranking that is perfect for one judge loses with another {listed(rows)}."


def agreement(table: pd.DataFrame) -> str:
    """How far a crowd agrees by grade, and whether queries differ in it, of a frame grade, agreement, between_low."""
    shares = listed(f"{share(r.agreement)} of the time on grade {r.grade}" for r in table.itertuples())
    differ = table.loc[table["between_low"] > 0, "grade"].astype(str).tolist()
    said = f"queries differ in it on grade {listed(differ)}" if differ else "no difference between queries is seen"
    return f"Two workers of DBpedia-Entity's crowd agree {shares}; {said}."


def by_judge(perfect: pd.DataFrame, own_kind: pd.DataFrame) -> pd.DataFrame:
    """What each judge says of a ranking that is perfect for a person, and of runs: a row of texts for each."""
    own = perfect[perfect["learned_from"] == PEOPLE].merge(own_kind, on=["tested_by", "scale"], suffixes=("", "_kind"))
    said = [
        (row.tested_by, row.scale, number(row.ceiling), number(row.best), ranged(row.difference, row.low, row.high),
         ranged(row.difference_kind, row.low_kind, row.high_kind),
         "" if np.isnan(row.beyond) else ranged(row.beyond, row.beyond_low, row.beyond_high))
        for row in own.itertuples()
    ]  # fmt: skip
    kinds = "language models less cross-encoders"
    heads = ["tested by", "grades", "perfect for a person", "best run", "run less perfect", kinds, "that less NIST's"]
    return pd.DataFrame(said, columns=heads)


def kinds(families: pd.DataFrame) -> str:
    """How far the mean of each kind of ranker is from a ranking that is perfect for one person, tested by another."""
    own = families[families["tested_by"] == PEOPLE].sort_values("difference", ascending=False)
    rows = (f"{row.family} {ranged(row.difference, row.low, row.high)}" for row in own.itertuples())
    return f"The mean of a kind's runs less the ranking that is perfect for one person: {listed(rows)}."


def above(runs: pd.DataFrame) -> str:
    """How many runs lie above a ranking that is perfect for one person, of a frame difference, low."""
    over, clearly = (runs["difference"] > 0).sum(), (runs["low"] > 0).sum()
    return f"{over} of {len(runs)} runs lie above a ranking that is perfect for one person, {clearly} of them clearly"


def shorter(errors: pd.DataFrame) -> str:
    """How far the closed form is off on the shortest and on the longest lists, of a frame length, cutoff, error."""
    by_length = errors[errors["cutoff"] == str(K)].set_index("length")["error"]
    said = (f"{number(by_length[n], 6)} on lists of {n:,}" for n in (by_length.index.min(), by_length.index.max()))
    return f"The closed form is off by {listed(said)} documents, down to rank {K}"


def faster(methods: pd.DataFrame) -> str:
    """How long a ceiling of the longest list takes by each method, of a frame length, method, seconds."""
    longest = methods["length"].max()
    own = methods[methods["length"] == longest].set_index("method")["seconds"] * 1000
    return f"A list of {longest:,} documents takes {listed(f'{own[m]:,.1f} ms ({m})' for m in own.index)}"


def majority(table: pd.DataFrame) -> str:
    """What three judges add to the ceiling of one, by collection, of a frame collection, judges, ceiling."""
    values = table.pivot(index="collection", columns="judges", values="ceiling")
    rows = (f"{signed(gain)} on {name}" for name, gain in (values[3] - values[1]).items())
    return f"The majority of three judges instead of one moves the ceiling by {listed(rows)}"


def of_people(people: Mapping[str, pd.DataFrame], k: int) -> pd.DataFrame:
    """What people of whom nobody knows who is who did, what one ranks for another, and how well a learner does: a row
    of texts for each set.
    """
    rows = []
    for name, table in people.items():
        [row] = table[table["cutoff"] == k].itertuples()
        means = [number(value) for value in (row.real, row.exact, row.closed, row.learned)]
        rows.append((name, EXCHANGEABLE[name][1], *means, ranged(row.above, row.above_low, row.above_high)))
    heads = ["set", "who", "one ranks for another", "by their matrix", "closed form", "learned", "learned less ranked"]
    return pd.DataFrame(rows, columns=heads)


def learners(effects: pd.DataFrame) -> str:
    """By how much single learners pass the limit, of a frame claim, collection, ranker, effect, low, high."""
    own = effects[(effects["claim"] == "M4") & (effects["ranker"] != CHOSEN)]
    rows = (f"{row.ranker} {ranged(row.effect, row.low, row.high)}" for row in own.itertuples())
    return f"nDCG@{K} less the limit on {listed(own['collection'].unique())}: {listed(rows)}."


def as_well(worth: pd.DataFrame) -> str:
    """How many queries of a machine train as well as a person's most, of a frame ranker, queries, needed, low, high."""
    row = worth[worth["ranker"] == ALL].nlargest(1, "queries").iloc[0]
    return (
        f"{row['queries']} queries labelled by a person train as well as {row['needed']:.0f} by a machine "
        f"(95 %: {row['low']:.0f} to {row['high']:.0f})"
    )


def all_labels(differences: pd.DataFrame) -> str:
    """What a machine's labels train, less a person's, of a frame ranker, question, difference, low, high."""
    own = differences[differences["ranker"] == ALL].set_index("question")
    other, same = (ranged(*own.loc[kind, ["difference", "low", "high"]]) for kind in (MACHINE, SAME_QUERIES))
    return (
        f"NDCG@{K} with all {SIZES[MACHINE][-1]} machine-labelled queries less that with all labels of a person: "
        f"{other}; with a machine's labels of the same queries: {same}."
    )
