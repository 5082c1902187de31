"""Which judges are compared, and what all comparisons of them share."""

from __future__ import annotations

import numpy as np

from helpers.judging.coded import Coded, is_model

MOST = 40
LEVEL = 0.95


def most_in_common(labels: Coded, documents: np.ndarray) -> np.ndarray:
    """Positions of MOST judges: models first, then those with most documents in common with others; in their order.

    Parameters
    ----------
    labels : all judgments
    documents : (n_judges, n_judges) how many both judged
    """
    shared = documents.sum(axis=1) - np.diag(documents)
    model = np.array([is_model(name) for name in labels.judges])
    return np.sort(np.lexsort((-shared, ~model))[:MOST])


def queries_of(of_query: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Queries of rows that stand together, and their offsets.

    Parameters
    ----------
    of_query : (n_rows,) the query of each

    >>> queries_of(np.array([2, 2, 5]))
    (array([2, 5]), array([0, 2, 3]))
    """
    queries, starts = np.unique(of_query, return_index=True)
    return queries, np.append(starts, len(of_query))
