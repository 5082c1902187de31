"""What the same budget buys as another query, another document or another judge."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from helpers.studies.overlap.tables._values import TESTED, difference, holm, values

CELL = ["queries", "documents", "labels"]
WAYS = {"another query": "queries", "another document": "documents", "another judge": "labels"}
"""What a budget is doubled for, and the column that doubles."""

AGAINST = (
    ("another judge", "another query"),
    ("another judge", "another document"),
    ("another document", "another query"),
)
COLUMNS = ["ranker", "question", "at", "documents", "labels", "difference", "low", "high", "p_value", "p_holm"]


def surface(runs: pd.DataFrame) -> pd.DataFrame:
    """Mean NDCG@3 of every purchase: frame ranker, queries, documents, labels, spent, ndcg@3.

    Parameters
    ----------
    runs : frame of `three_ways.portrait_runs` or `people_runs`, without runs that failed
    """
    return runs.groupby(["ranker", *CELL], sort=False)[["spent", TESTED]].mean().reset_index()


def three_ways(runs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """What doubling a purchase gains in NDCG@3, and which way of doubling it gains more.

    A purchase can be doubled in three ways, which cost the same: twice the queries, twice the documents of each, or
    twice the labels of each document. Differences are means over all numbers of queries from which all three could be
    measured, one row for each number of documents and labels that is doubled from.

    Parameters
    ----------
    runs : as `surface` takes them
    rng : draws bootstrap samples

    Returns
    -------
    frame ranker, question, at, documents, labels, difference, low, high, p_value, p_holm
        question is one of WAYS, the gain by that way, or "… or …" of AGAINST, the gain by the first less that by the
        second; intervals and p-values as in `comparisons`
    """
    rows = []
    for ranker, found in runs.groupby("ranker", sort=False):
        by_cell = values(found.assign(setting=list(zip(*(found[column] for column in CELL), strict=True))))
        for (documents, labels), doubled in _doublings(by_cell):
            at = f"{documents} documents, {labels} {'label' if labels == 1 else 'labels'}"
            row = {"ranker": ranker, "at": at, "documents": documents, "labels": labels}
            for way in WAYS:
                rows.append(row | {"question": way} | difference(doubled[way], doubled["before"], rng))
            for first, second in AGAINST:
                rows.append(
                    row | {"question": f"{first} or {second}"} | difference(doubled[first], doubled[second], rng)
                )
    table = pd.DataFrame(rows, columns=COLUMNS[:-1])
    return table.assign(p_holm=table.groupby(["ranker", "question"])["p_value"].transform(holm))


def _doublings(by_cell: dict[tuple, np.ndarray]) -> Iterator[tuple[tuple[int, int], dict[str, np.ndarray]]]:
    """(documents, labels) -> "before" and each way -> (n_draws, n_queries) NDCG@3, mean over numbers of queries."""
    shapes = sorted({cell[1:] for cell in by_cell})
    for shape in shapes:
        steps = [{"before": cell} | _doubled(cell) for cell in by_cell if cell[1:] == shape]
        whole = [step for step in steps if set(step.values()) <= set(by_cell)]
        if whole:
            yield shape, {name: np.mean([by_cell[step[name]] for step in whole], axis=0) for name in ("before", *WAYS)}


def _doubled(cell: tuple[int, int, int]) -> dict[str, tuple[int, int, int]]:
    """The three purchases of twice the price.

    >>> _doubled((8, 4, 1))
    {'another query': (16, 4, 1), 'another document': (8, 8, 1), 'another judge': (8, 4, 2)}
    """
    places = {way: CELL.index(column) for way, column in WAYS.items()}
    return {way: tuple(n * (1 + (place == i)) for i, n in enumerate(cell)) for way, place in places.items()}
