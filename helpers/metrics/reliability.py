"""How reliably n queries rank systems: variance components of a systems x queries table, and a D-study of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Components(NamedTuple):
    """Variance of systems, of queries, and of what is left; a negative estimate is 0."""

    system: float
    query: float
    residual: float

    def generalizability(self, n: int) -> float:
        """E rho^2 of a mean over n queries: how well the order of systems is known.

        >>> round(Components(0.01200, 0.02856, 0.02171).generalizability(25), 3)
        0.933
        """
        return self.system / (self.system + self.residual / n)

    def dependability(self, n: int) -> float:
        """Phi of a mean over n queries: how well each system's own value is known.

        >>> round(Components(0.01200, 0.02856, 0.02171).dependability(25), 3)
        0.856
        """
        return self.system / (self.system + (self.query + self.residual) / n)


def components(scores: np.ndarray) -> Components:
    """Variance components of a two-way crossed table without replication (Brennan 2001, chapter 3).

    Parameters
    ----------
    scores : (n_systems, n_queries) a value of each system on each query

    Raises
    ------
    ValueError
        when there are fewer than two systems or two queries, or a value is NaN.

    Examples
    --------
    Two systems .2 apart on every query, queries .4 apart: the mean squares are .04, .16 and 0, halved each.

    >>> [round(part, 3) for part in components([[0.2, 0.6], [0.4, 0.8]])]
    [0.02, 0.08, 0.0]
    """
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or min(table.shape) < 2 or np.isnan(table).any():
        raise ValueError(
            f"scores of shape {table.shape}: expected two systems x two queries at least, none of them NaN"
        )
    n_systems, n_queries = table.shape
    systems, queries = table.mean(axis=1), table.mean(axis=0)
    rest = table - systems[:, None] - queries + table.mean()
    residual = (rest**2).sum() / ((n_systems - 1) * (n_queries - 1))
    system = (n_queries * systems.var(ddof=1) - residual) / n_queries
    query = (n_systems * queries.var(ddof=1) - residual) / n_systems
    return Components(max(0.0, float(system)), max(0.0, float(query)), float(residual))
