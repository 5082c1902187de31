"""Two assessors of the same documents: the nDCG that one loses with the other, beside what confusion matrices predict.

A ranking by the *training* assessor's grades, scored with the *testing* assessor's, is the best that a ranker which has
learned everything from the one can do for the other (Metrikov, Pavlu and Aslam 2012): the *real* limit. A prediction of
it for a query never sees that query's own pairs of grades.

Disagreement differs between queries. Row i of the matrix of a query is taken for Dirichlet(a_i * pooled row i), so that
its counts are Dirichlet-multinomial; `concentration` finds a_i from the counts of many queries, `per_query` the matrix
of each (empirical Bayes). An assessor who is stricter on one query and milder on another spoils neither ranking, but
the pooled matrix takes both for error: its ceiling is too low.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.optimize import minimize_scalar
from scipy.special import gammaln

from helpers import metrics
from helpers.datasets.collection import offsets_of
from helpers.judging import ceilings
from helpers.judging.confusion import checked, draw_pool, probabilities
from helpers.judging.judgments import query_confusion_counts

CONCENTRATIONS = (1e-2, 1e6)


def real(pairs: pd.DataFrame, k: int | None = None) -> np.ndarray:
    """(n_queries,) nDCG@k of pairs, frame query, testing, training, by training grades, ties averaged; NaN as usual.

    >>> pairs = pd.DataFrame({"query": "q", "testing": [1, 0], "training": [0, 0]})
    >>> real(pairs).round(4)  # first or second: (1 + 1/log2(3)) / 2
    array([0.8155])
    """
    offsets = offsets_of(pairs.groupby("query", sort=False).size().to_numpy())
    return metrics.ndcg(pairs["testing"].to_numpy(), pairs["training"].to_numpy(), offsets, k)


def predictions(
    pairs: pd.DataFrame, n_grades: int, k: int | None = None, *, draws: int, rng: np.random.Generator
) -> pd.DataFrame:
    """Frame query, documents, real, pooled, varying: real limits, and two predictions from the other queries.

    `pooled` is the ceiling under the confusion matrix of all other queries together, as in the paper. `varying` takes
    the query for one with habits of its own, which nothing is known of: the mean ceiling over matrices drawn around the
    pooled one, as far apart as the other queries are. A grade that no other query has gets every label alike.
    """
    counts = query_confusion_counts(pairs, n_grades)
    profiles = counts.sum(axis=2)
    others = counts.sum(axis=0) - counts
    pooled = ceilings.exact(profiles, _filled(others), k)
    varying = []
    for q, profile in enumerate(profiles):
        matrices = draw_pool(_filled(others[q]), draws, concentration(np.delete(counts, q, axis=0)), rng)
        varying.append(float(ceilings.exact(np.tile(profile, (draws, 1)), matrices, k).mean()))
    return pd.DataFrame(
        {
            "query": pairs["query"].unique(),
            "documents": profiles.sum(axis=1),
            "real": real(pairs, k),
            "pooled": pooled,
            "varying": varying,
        }
    )


def held_out(
    pairs: pd.DataFrame, n_grades: int, k: int | None = None, *, splits: int, rng: np.random.Generator
) -> pd.DataFrame:
    """Frame query, real, pooled, own: whether half of a query's documents predict the other half better.

    Means over random splits and halves, of queries with documents in both. `own` is the ceiling under the query's own
    matrix, shrunk towards the pooled one (`per_query`); `pooled` that under the matrix of all other queries.
    """
    counts = query_confusion_counts(pairs, n_grades)
    pooled = dict(zip(pairs["query"].unique(), _filled(counts.sum(axis=0) - counts), strict=True))
    frames = []
    for _ in range(splits):
        first = _first_half(pairs["query"], rng)
        frames += [_from_other_half(pairs[first], pairs[~first], pooled, n_grades, k)]
        frames += [_from_other_half(pairs[~first], pairs[first], pooled, n_grades, k)]
    return pd.concat(frames).groupby("query", sort=False, as_index=False).mean()


def _from_other_half(
    tested: pd.DataFrame, known: pd.DataFrame, pooled: dict[str, np.ndarray], n_grades: int, k: int | None
) -> pd.DataFrame:
    """The limits of the tested half of every query that has both halves."""
    queries = known["query"].unique()
    tested = tested[tested["query"].isin(queries)]
    known = known[known["query"].isin(tested["query"])]
    common = np.array([pooled[query] for query in tested["query"].unique()])
    profiles = query_confusion_counts(tested, n_grades).sum(axis=2)
    seen = query_confusion_counts(known, n_grades)
    own = per_query(seen, common, concentration(seen))
    return pd.DataFrame(
        {
            "query": tested["query"].unique(),
            "real": real(tested, k),
            "pooled": ceilings.exact(profiles, common, k),
            "own": ceilings.exact(profiles, own, k),
        }
    )


def _first_half(query: pd.Series, rng: np.random.Generator) -> np.ndarray:
    """Mask of every second document of each query, in random order."""
    shuffled = query.iloc[rng.permutation(len(query))]
    return (shuffled.groupby(shuffled).cumcount() % 2 == 0).reindex(query.index).to_numpy()


def _filled(counts: np.ndarray) -> np.ndarray:
    """Confusion matrices from counts; an unknown row gives every label alike."""
    return np.nan_to_num(probabilities(counts), nan=1 / counts.shape[-1])


def concentration(counts: np.ndarray) -> np.ndarray:
    """(n_grades,) the a_i of highest marginal likelihood, from double judgments (n_queries, n_grades, n_labels).

    Small where every query has its own habits; near CONCENTRATIONS[1] where the counts differ no more than chance lets
    them, or cannot tell. The pooled rows are taken as known, and the likelihood of row i is the product over queries of

        Gamma(a) / Gamma(a + N_q) * product over j of Gamma(a c_j + N_qj) / Gamma(a c_j)

    with N_qj the query's counts, N_q their sum, c_j the pooled row (Minka 2000, Estimating a Dirichlet distribution).
    """
    counts = np.asarray(counts, dtype=np.float64)
    return np.array([_row_concentration(row) for row in counts.swapaxes(0, 1)])


def per_query(counts: np.ndarray, pooled: np.ndarray, concentration: Sequence[float]) -> np.ndarray:
    """(n_queries, n_grades, n_labels) posterior means of matrices, (N_q[i, j] + a_i C[i, j]) / (N_q[i] + a_i).

    Documents that are counted here make a ceiling for the same documents look better than it is: count others of it.
    """
    prior = checked(pooled) * np.asarray(concentration, dtype=np.float64)[:, None]
    return probabilities(np.asarray(counts) + prior)


def _row_concentration(counts: np.ndarray) -> float:
    """The a of one row, from its counts (n_queries, n_labels)."""
    counts = counts[:, counts.any(axis=0)]
    if counts.shape[1] < 2:
        return CONCENTRATIONS[1]
    totals, pooled = counts.sum(axis=1), counts.sum(axis=0) / counts.sum()

    def loss(log_a: float) -> float:
        a = np.exp(log_a)
        query = gammaln(a) - gammaln(a + totals)
        cells = gammaln(a * pooled + counts) - gammaln(a * pooled)
        return -(query.sum() + cells.sum())

    best = minimize_scalar(loss, bounds=np.log(CONCENTRATIONS), method="bounded", options={"xatol": 1e-6})
    return float(np.exp(best.x))
