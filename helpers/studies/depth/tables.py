"""What the runs of study 4 are compared for."""

from __future__ import annotations

import numpy as np
import pandas as pd

from helpers.datasets import sampling
from helpers.metrics import significance

COMPARED = [
    "ranker", "question", "at", "first", "second", "difference", "low", "high", "p_value", "p_permutation"
]  # fmt: skip


def comparisons(percent_runs: pd.DataFrame, pool_runs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """What the paper's statements compare, each as a difference in test NDCG@10 with its interval and tests.

    Parameters
    ----------
    percent_runs, pool_runs : results of the sweeps over `percent_grid` and `pool_grid`, with `per_query`, without runs
        that failed; what lacks one of its two cells is not compared
    rng : draws bootstrap samples and permutations

    Returns
    -------
    frame ranker, question, at, first, second, difference, low, high, p_value, p_permutation, p_holm
        `difference` is first minus second. `low` and `high` bound it at 95 % over test queries and draws of the
        sample both; `p_value` is the paired t-test over queries on means of the draws, as in the paper, and
        `p_holm` corrects it over the settings `at` of one question and ranker.
    """
    rows = []
    for ranker in percent_runs["ranker"].unique():
        for runs, contrasts in ((percent_runs, percent_contrasts), (pool_runs, pool_contrasts)):
            cells = _cells(runs[runs["ranker"] == ranker])
            for question, at, first, second in contrasts(cells) if cells else ():
                row = {
                    "ranker": ranker,
                    "question": question,
                    "at": at,
                    "first": _text(first),
                    "second": _text(second),
                }
                rows.append(row | _compare(cells[first], cells[second], rng))
    table = pd.DataFrame(rows, columns=COMPARED)
    table["p_holm"] = table.groupby(["ranker", "question"])["p_value"].transform(significance.holm)
    return table


def percent_contrasts(cells: dict) -> list[tuple]:
    """(question, percent, first cell, second cell) of the first experiment, for the cells that were run.

    Parameters
    ----------
    cells : those that were run, (share of the queries, share of the documents)
    """
    shares = sorted({p for cell in cells for p in cell if p < 1})
    contrasts = [("documents or queries", round(100 * p), (1.0, p), (p, 1.0)) for p in shares]
    if 0.5 in shares:
        contrasts.append(("all documents or half", 50, (1.0, 1.0), (1.0, 0.5)))
    return _of(cells, contrasts)


def pool_contrasts(cells: dict) -> list[tuple]:
    """(question, documents a query, first cell, second cell) of the second experiment.

    Parameters
    ----------
    cells : those that were run, (queries, documents a query)
    """
    n_queries, n_docs = (max(sizes) for sizes in zip(*cells, strict=True))
    contrasts = []
    for d in sampling.halvings(n_docs // 2, 2):
        shallow = (n_queries, d)
        contrasts.append(("all documents or fewer", d, (n_queries, n_docs), shallow))
        contrasts.append(("fewer queries or documents", d, (n_queries * d // n_docs, n_docs), shallow))
        if d < 8:
            contrasts.append(("fewer queries of 8 documents", d, (n_queries * d // 8, 8), shallow))
    return _of(cells, contrasts)


def _cells(runs: pd.DataFrame) -> dict[tuple, np.ndarray]:
    """(queries, documents) -> (n_repeats, n_test_queries) NDCG@10, without test queries that have nothing relevant.

    Without cells of fewer than two queries, as these have no interval.
    """
    cells = runs.groupby(["queries", "documents"])["per_query"]
    values = {cell: significance.measured(per_query.tolist()) for cell, per_query in cells}
    return {cell: ndcg for cell, ndcg in values.items() if ndcg.shape[1] > 1}


def _compare(first: np.ndarray, second: np.ndarray, rng: np.random.Generator) -> dict:
    a, b = first.mean(axis=0), second.mean(axis=0)
    low, high = significance.crossed_interval(first, second, draws=2000, rng=rng)
    return {
        "difference": float((a - b).mean()),
        "low": low,
        "high": high,
        "p_value": significance.paired_t(a, b).p_value,
        "p_permutation": significance.paired_permutation(a, b, draws=2000, rng=rng).p_value,
    }


def _text(cell: tuple) -> str:
    queries, documents = (f"{100 * x:.0f} %" if isinstance(x, float) else f"{x}" for x in cell)
    return f"{queries} queries × {documents} documents"


def _of(cells: dict, contrasts: list[tuple]) -> list[tuple]:
    """The contrasts of two cells that were run."""
    return [contrast for contrast in contrasts if {*contrast[2:]} <= cells.keys()]
