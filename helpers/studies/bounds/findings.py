"""What the tables of study 2 say, as sentences: one for each figure, its title too, and one for each question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from helpers.reporting.answers import counted, interval, listed, number, share, signed
from helpers.studies.bounds.machine_labels import ALL, MACHINE, PERSON, SAME_QUERIES, SIZES
from helpers.studies.bounds.protocol import NEAR


def passed(row: pd.Series) -> str:
    """How many pairs of judges are better than the ceiling that their matrix gives them.

    Parameters
    ----------
    row : of `protocol.known_queries`

    Examples
    --------
    >>> passed(pd.Series({"judges": "A", "pairs": 6, "passed_pooled": 5, "passed_own": 3}))
    "A: the ceiling of one matrix for all queries is passed by 5 of 6 pairs, that of the query's own matrix by 3"
    """
    return (
        f"{row['judges']}: the ceiling of one matrix for all queries is passed by {row['passed_pooled']} of "
        f"{counted(row['pairs'], 'pair')}, that of the query's own matrix by {row['passed_own']}"
    )


def own_matrix(table: pd.DataFrame) -> str:
    """For which judges a query's own matrix predicts the real limit better than one matrix for all queries.

    Parameters
    ----------
    table : frame of `protocol.known_queries`
    """
    better, worse = table[table["low"] > 0], table[table["high"] < 0]
    open_ones = table[(table["low"] <= 0) & (table["high"] >= 0)]
    said = []
    if len(better):
        said.append(f"The query's own matrix comes closer to what rankings reach {_of_judges(better)}.")
    if len(worse):
        said.append(f"One matrix for all queries comes closer {_of_judges(worse)}.")
    if len(open_ones):
        said.append(f"Which comes closer is undecided {_of_judges(open_ones)}.")
    return " ".join(said) if said else "No judges were measured."


def _of_judges(rows: pd.DataFrame) -> str:
    named = (f"{r.judges} ({signed(r.difference)}, {interval(r.low, r.high)})" for r in rows.itertuples())
    return f"for {listed(named)}"


def bias(table: pd.DataFrame) -> str:
    """How far one matrix for all queries is off on average, by judges.

    Parameters
    ----------
    table : frame of `protocol.known_queries`
    """
    rows = (f"{signed(r.real - r.pooled)} for {r.judges}" for r in table.itertuples())
    return f"What rankings reach less the ceiling of one matrix for all is, on average, {listed(rows)}."


def disagreement(comparisons: Mapping[str, pd.DataFrame], k: int) -> str:
    """What a ranking that is perfect for one assessor loses with another.

    Parameters
    ----------
    comparisons : name of a pool -> frame of `protocol.judge_comparisons`
    k : cut-off
    """
    losses = []
    for judges, table in comparisons.items():
        row = table[table["question"] == "loss by disagreement"].iloc[0]
        losses.append(f"{number(row['difference'])} ({interval(row['low'], row['high'])}) among {judges}")
    return f"Of a perfect nDCG@{k} of 1, a ranking that is perfect for one judge loses with another {listed(losses)}."


def one_query(draws: np.ndarray, exact: float, k: int) -> str:
    """How far single labellings of a query spread, and how near their mean is to the exact value.

    Parameters
    ----------
    draws : (n_draws,) nDCG of each labelling
    exact : the ceiling
    k : cut-off
    """
    low, high = np.percentile(draws, [2.5, 97.5])
    return (
        f"95 % of single labellings reach an nDCG@{k} of {interval(low, high, 2)}; "
        f"the mean of {len(draws):,} is {number(abs(draws.mean() - exact), 4)} from the exact {number(exact)}"
    )


def by_cutoff(values: Sequence[float], k: int) -> str:
    """What a cut-off does to a ceiling.

    Parameters
    ----------
    values : (n_cutoffs,) ceiling at cut-off 1, 2 and so on
    k : cut-off that is named, the last where it is beyond

    Examples
    --------
    >>> by_cutoff([0.5, 0.6, 0.75], 2)
    'The same matrix leaves .500 at rank 1, .600 at rank 2 and .750 at rank 3'
    """
    shown = sorted({1, min(k, len(values)), len(values)})
    return f"The same matrix leaves {listed(f'{number(values[rank - 1])} at rank {rank}' for rank in shown)}"


def habits(alike: pd.DataFrame, moody: pd.DataFrame) -> str:
    """What one matrix for all queries misses where judges behave alike in every query, and where they do not.

    Parameters
    ----------
    alike, moody : frames of `protocol.errors` with a row "pooled"
    """
    without, with_habits = alike.loc["pooled", "bias"], moody.loc["pooled", "bias"]
    return (
        f"One matrix for all queries: rankings end {_aside(without)} its ceiling where judges are alike in every "
        f"query, and {_aside(with_habits)} where each query has habits of its own"
    )


def varying(moody: pd.DataFrame) -> str:
    """Whether matrices that vary between queries repair the ceiling where habits differ.

    Parameters
    ----------
    moody : frame of `protocol.errors` with rows "pooled" and "varying"
    """
    pooled, spread = moody.loc["pooled", "bias"], moody.loc["varying", "bias"]
    word = "smaller" if abs(spread) < abs(pooled) else "no smaller"
    return (
        f"A ceiling that lets the matrix vary between queries has an average error of {number(abs(spread))}, which is "
        f"{word} than that of one matrix for all, {number(abs(pooled))}."
    )


def _aside(bias: float) -> str:
    return f"{number(abs(bias))} {'above' if bias > 0 else 'below'}"


def room(ceilings: Mapping[str, pd.DataFrame], learned: pd.DataFrame) -> str:
    """Under how many matrices the best learned ranker of a collection has room below its ceiling.

    Parameters
    ----------
    ceilings : collection -> frame matrix, exact
    learned : frame dataset, ndcg; collections that it has not are left out
    """
    gaps = [table["exact"] - best(learned, name) for name, table in ceilings.items() if name in set(learned["dataset"])]
    if not gaps:
        return span(ceilings)
    gap = pd.concat(gaps)
    above, past = int((gap > NEAR).sum()), int((gap < -NEAR).sum())
    near = len(gap) - above - past
    return (
        f"Whether the best ranker has room depends on whose disagreement is assumed: there is room under {above} of "
        f"{len(gap)} matrices, it is within {number(NEAR, 2)} of the ceiling under {near}, and past it under {past}"
    )


def best(learned: pd.DataFrame, collection: str) -> float:
    """The highest learned nDCG on a collection.

    Parameters
    ----------
    learned : frame dataset, ndcg
    collection : a data set in it
    """
    return float(learned.loc[learned["dataset"] == collection, "ndcg"].max())


def span(ceilings: Mapping[str, pd.DataFrame]) -> str:
    """From where to where the ceilings of a collection run, of the collection where that is farthest.

    Parameters
    ----------
    ceilings : collection -> frame matrix, exact
    """
    name = max(ceilings, key=lambda collection: np.ptp(ceilings[collection]["exact"]))
    values = ceilings[name]["exact"]
    return f"On {name} alone ceilings run from {number(values.min())} to {number(values.max())}: the matrix decides"


def worth(table: pd.DataFrame) -> str:
    """How many queries that a machine labelled train as well as those that a person labelled.

    Parameters
    ----------
    table : rows of "worth" of `worth.tables`; the largest number of queries of ALL is spoken of
    """
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
    """How many machine-labelled queries are worth one of a person's, with its interval.

    Parameters
    ----------
    table : as in `worth`
    """
    row = table[table["ranker"] == ALL].nlargest(1, "queries").iloc[0]
    shown = [_ratio(row[name], row["queries"]) for name in ("needed", "low", "high")]
    return f"One query that a person labelled is worth {shown[0]} by a machine (95 %: {shown[1]} to {shown[2]})."


def _ratio(needed: float, queries: int) -> str:
    sizes = SIZES[MACHINE]
    if np.isinf(needed):
        return f"more than {number(sizes[-1] / queries, 2)}"
    return number(needed / queries, 2) + (" or fewer" if needed <= sizes[0] else "")


def all_labels(differences: pd.DataFrame) -> str:
    """What all machine labels, and machine labels of the same queries, train compared with a person's.

    Parameters
    ----------
    differences : "differences" of `worth.tables`
    """
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
    """How much more labels teach at all, from the fewest to the most.

    Parameters
    ----------
    curves : "curves" of `worth.tables`
    """
    gains = []
    for labels in (PERSON, MACHINE):
        own = curves[(curves["ranker"] == ALL) & (curves["labels"] == labels)].sort_values("queries")
        first, last = own.iloc[0], own.iloc[-1]
        gains.append(f"{signed(last['ndcg'] - first['ndcg'])} from {first['queries']} to {last['queries']} ({labels})")
    return f"More labelled queries change NDCG@10 by {listed(gains)}."


def agreement(table: pd.DataFrame) -> str:
    """How far a crowd agrees by grade, and whether queries differ in it.

    Parameters
    ----------
    table : frame of `crowd_agreement.by_grade`
    """
    shares = listed(f"{share(r.agreement)} of the time on grade {r.grade}" for r in table.itertuples())
    differ = table.loc[table["between_low"] > 0, "grade"].astype(str).tolist()
    said = f"queries differ in it on grade {listed(differ)}" if differ else "no difference between queries is seen"
    return f"Two workers of DBpedia-Entity's crowd agree {shares}; {said}."
