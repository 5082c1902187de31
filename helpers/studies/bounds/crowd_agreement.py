"""How far the crowd of DBpedia-Entity agrees: real disagreement of which only the amount is public, no single vote.

Five workers graded most pairs of a query and an entity, and the collection says which share of the pairs of two workers
agreed: .2, .3, .4, .6 or 1. What a worker said instead is not said, so that there is no confusion matrix and no ceiling
to compare with. What can be asked is whether queries differ in how far people agree, which one matrix for all denies.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from helpers.datasets import catalog
from helpers.judging import judgments
from helpers.reporting.answers import listed, share

SAMPLES = 1000
BOUNDS = (2.5, 97.5)


def read() -> pd.DataFrame:
    """Frame query, doc, grade, agreement of every judged pair, from the data directory.

    Raises
    ------
    FileNotFoundError
        when the collection is not here.
    """
    folder = catalog.fetch("dbpedia-entity")
    said = pd.read_csv(folder / "annotator_agreements.tsv", sep="\t", quoting=3)
    said = said.rename(columns={"entity": "doc", "cs_agr": "agreement"})[["query", "doc", "agreement"]]
    graded = judgments.read_qrels(folder / "qrels.txt", 3)
    return graded.merge(said, on=["query", "doc"], validate="one_to_one")


def by_grade(table: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """How far people agree on documents of each grade, and which share of its variance lies between queries.

    Parameters
    ----------
    table : frame query, grade, agreement
    rng : draws bootstrap samples of queries

    Returns
    -------
    frame grade, pairs, queries, agreement, low, high, between, between_low, between_high
        `agreement` is the mean over pairs, `between` the `share_between` queries; both with 95 % bootstrap intervals
        over queries
    """
    rows = []
    for grade, own in table.groupby("grade"):
        sums = own.groupby("query")["agreement"].agg(["size", "sum", _squares]).to_numpy().T
        drawn = [sums[:, rng.integers(sums.shape[1], size=sums.shape[1])] for _ in range(SAMPLES)]
        row = {"grade": grade, "pairs": len(own), "queries": sums.shape[1], "agreement": _mean(sums)}
        row["low"], row["high"] = np.percentile([_mean(sample) for sample in drawn], BOUNDS)
        row["between"] = share_between(*sums)
        row["between_low"], row["between_high"] = np.percentile([share_between(*sample) for sample in drawn], BOUNDS)
        rows.append(row)
    return pd.DataFrame(rows)


def agreement(table: pd.DataFrame) -> str:
    """How far a crowd agrees by grade, and whether queries differ in it.

    Parameters
    ----------
    table : frame of `by_grade`
    """
    shares = listed(f"{share(r.agreement)} of the time on grade {r.grade}" for r in table.itertuples())
    differ = table.loc[table["between_low"] > 0, "grade"].astype(str).tolist()
    said = f"queries differ in it on grade {listed(differ)}" if differ else "no difference between queries is seen"
    return f"Two workers of DBpedia-Entity's crowd agree {shares}; {said}."


def share_between(sizes: np.ndarray, sums: np.ndarray, squares: np.ndarray) -> float:
    """Share of the variance of values that lies between groups: the intraclass correlation of a one-way layout.

    With mean squares B between and W within groups and the mean size n0 of unequal groups, (B - W) / (B + (n0 - 1) W)
    (Shrout and Fleiss 1979, case 1). It is 0 where groups differ as much as chance makes them, and may fall below; also
    where nothing differs.

    Parameters
    ----------
    sizes, sums, squares : (n_groups,) number, sum and sum of squares of the values of each group

    Examples
    --------
    Groups 1, 1 and 0, 0 have no variance within.

    >>> share_between(np.array([2, 2]), np.array([2.0, 0.0]), np.array([2.0, 0.0]))
    1.0
    """
    n, groups = sizes.sum(), len(sizes)
    within = (squares - sums**2 / sizes).sum() / (n - groups)
    between = ((sums**2 / sizes).sum() - sums.sum() ** 2 / n) / (groups - 1)
    size = (n - (sizes**2).sum() / n) / (groups - 1)
    total = between + (size - 1) * within
    return float((between - within) / total) if total > 0 else 0.0


def _squares(values: pd.Series) -> float:
    return float((values**2).sum())


def _mean(sums: np.ndarray) -> float:
    return float(sums[1].sum() / sums[0].sum())
