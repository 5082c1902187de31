"""How many judges agree, all pairs of them at once: by two judges, by query, by document, with an interval.

The agreement of two judges is told beside its *base rate*, the agreement of two who gave the same numbers of each grade
in random order: where nearly all documents are irrelevant, two judges agree on nearly all without looking.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from helpers.judging.judgments import Coded, as_coded, without_missing
from helpers.metrics.ranking import checked_offsets
from helpers.metrics.significance import bootstrap_counts, ends

DISPUTED = 10
MEASURES = ["equal", "chance", "kappa", "weighted_kappa"]


def by_judges(judged: pd.DataFrame | Coded) -> pd.DataFrame:
    """Agreement of every two judges on the documents that both judged, most documents first.

    With counts n[i, j] of the documents that one graded i and the other j: equal is the share on the diagonal, chance
    that of the product of the margins, kappa (equal - chance) / (1 - chance) (Cohen 1960), and weighted_kappa 1 less
    the ratio of the mean (i - j)^2 under n to that under the product (Cohen 1968).

    Parameters
    ----------
    judged : long frame of judgments, or what `judgments.coded` made of it

    Returns
    -------
    frame first, second, documents, equal, chance, kappa, weighted_kappa; kappas are NaN where only one grade occurs;
        no row where no document was judged twice

    Examples
    --------
    Equal on 3 of 4 documents, by chance on (2 * 3 + 2 * 1) / 16 of them.

    >>> said = {"Ann": [0, 0, 1, 1], "Bob": [0, 0, 0, 1]}
    >>> rows = [("q", d, who, g) for who, grades in said.items() for d, g in enumerate(grades)]
    >>> by_judges(pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"])).to_numpy().tolist()
    [['Ann', 'Bob', 4, 0.75, 0.5, 0.5, 0.5]]
    """
    labels = as_coded(judged)
    first, second, counts = two_by_two(labels)
    documents = counts.sum(axis=(1, 2))
    kept = np.argsort(-documents, kind="stable")
    table = {"first": labels.judges[first[kept]], "second": labels.judges[second[kept]], "documents": documents[kept]}
    return pd.DataFrame(table | kappas(counts[kept], labels.values))


def by_query(judged: pd.DataFrame | Coded) -> pd.DataFrame:
    """Agreement of all judges of a query, over its documents with two labels or more, lowest alpha first.

    Every two labels of a document count, 1 / (labels - 1) each, either way round, so that a document counts as often as
    it has labels. Chance is that of two labels of the query at random, and kappa is then Scott's (1955).

    Parameters
    ----------
    judged : long frame of judgments, or what `judgments.coded` made of it

    Returns
    -------
    frame query, documents, labels, equal, chance, kappa, weighted_kappa, alpha (Krippendorff's, for ordered grades)

    Examples
    --------
    >>> rows = [("q", d, who, g) for who in ("Ann", "Bob") for d, g in enumerate([0, 0, 1])]
    >>> by_query(pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"]))[["documents", "labels", "alpha"]]
       documents  labels  alpha
    0          3       6    1.0
    """
    labels = as_coded(judged)
    together = _coincidences(labels, labels.offsets)
    judged = np.add.reduceat(labels.votes.sum(axis=1) > 1, labels.offsets[:-1], dtype=np.int64)
    table = {"query": labels.queries, "documents": judged, "labels": np.rint(together.sum(axis=(1, 2))).astype(int)}
    table = pd.DataFrame(table | kappas(together, labels.values) | {"alpha": _alphas(together)})
    return table[table["documents"] > 0].sort_values("alpha", kind="stable", ignore_index=True)


def alpha(judged: pd.DataFrame | Coded, *, draws: int, rng: np.random.Generator) -> dict[str, float]:
    """Krippendorff's alpha for ordered grades, with a 95 % bootstrap interval over queries; of one query, documents.

    Parameters
    ----------
    judged : long frame of judgments, or what `judgments.coded` made of it
    draws : bootstrap samples of the queries (or documents) that have a document with two labels

    Returns
    -------
    alpha, low, high, units : the last is how many queries (or documents) were drawn from; NaN where no document has two
        labels or all labels are equal, an interval also where there are fewer than two units

    Examples
    --------
    >>> rows = [("q", d, who, g) for who in ("Ann", "Bob") for d, g in enumerate([0, 0, 1, 2])]
    >>> frame = pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"])
    >>> alpha(frame, draws=20, rng=np.random.default_rng(0))
    {'alpha': 1.0, 'low': 1.0, 'high': 1.0, 'units': 4}
    """
    labels = as_coded(judged)
    together = _coincidences(labels, labels.offsets)
    if np.count_nonzero(together.any(axis=(1, 2))) < 2:
        together = _coincidences(labels, np.arange(len(labels.pairs) + 1))
    together = together[together.any(axis=(1, 2))]
    found = {"alpha": float(_alphas(together.sum(axis=0))), "low": np.nan, "high": np.nan, "units": len(together)}
    if len(together) < 2:
        return found
    weights = bootstrap_counts(len(together), draws, rng)
    low, high = ends(_alphas(np.tensordot(weights, together, axes=1)))
    return found | {"low": float(low), "high": float(high)}


def unanimity(judged: pd.DataFrame | Coded) -> pd.DataFrame:
    """Frame apart (highest less lowest grade of a document; 0 is unanimous), documents, share, of those with two labels
    or more."""
    labels = as_coded(judged)
    given = labels.votes > 0
    lowest, highest = given.argmax(axis=1), given.shape[1] - 1 - given[:, ::-1].argmax(axis=1)
    apart = (labels.values[highest] - labels.values[lowest])[labels.votes.sum(axis=1) > 1]
    apart, documents = np.unique(apart, return_counts=True)
    return pd.DataFrame({"apart": apart, "documents": documents, "share": documents / documents.sum()})


def boundaries(judged: pd.DataFrame | Coded) -> pd.DataFrame:
    """Frame below, above (two grades that follow each other), differ (share of the documents' labels, two by two, of
    which one is below and one above), kappa (of that question alone), the boundary over which most differ first."""
    labels = as_coded(judged)
    together = _coincidences(labels, labels.offsets).sum(axis=0)
    rows = []
    for cut in range(1, len(labels.values)):
        halves = [slice(None, cut), slice(cut, None)]
        counts = np.array([[together[one, other].sum() for other in halves] for one in halves])
        if counts.any():
            equal, _, kappa, _ = (float(value[0]) for value in kappas(counts[None], np.arange(2)).values())
            rows.append((int(labels.values[cut - 1]), int(labels.values[cut]), 1 - equal, kappa))
    table = pd.DataFrame(rows, columns=["below", "above", "differ", "kappa"])
    return table.sort_values("differ", ascending=False, kind="stable", ignore_index=True)


def disputed(frame: pd.DataFrame) -> pd.DataFrame:
    """The DISPUTED documents whose labels scatter most: frame query, doc, labels (as "0 0 3"), apart (highest less
    lowest grade), deviation."""
    frame = without_missing(frame)
    grouped = frame.groupby(["query", "doc"], sort=False)["grade"]
    table = grouped.agg(["min", "max"]).assign(deviation=grouped.std(ddof=0).round(12))
    table["apart"] = table["max"] - table["min"]
    worst = table[table["apart"] > 0].sort_values(["deviation", "apart"], ascending=False, kind="stable").head(DISPUTED)
    given = frame.set_index(["query", "doc"])["grade"]
    labels = [" ".join(map(str, sorted(np.atleast_1d(given.loc[pair])))) for pair in worst.index]
    return worst.assign(labels=labels).reset_index()[["query", "doc", "labels", "apart", "deviation"]]


def two_by_two(labels: Coded) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions (n_twos,) of every two judges with a document in common, and counts (n_twos, n_grades, n_grades) of
    their grades."""
    n_grades, n_judges = len(labels.values), len(labels.judges)
    ones = np.ones(len(labels.pair), dtype=np.int64)
    said = csr_array((ones, (labels.pair, labels.judge * n_grades + labels.level)))
    said.resize(len(labels.pairs), n_judges * n_grades)
    both = (said.T @ said).tocoo()
    (one, grade_one), (other, grade_other) = (np.divmod(axis, n_grades) for axis in both.coords)
    upper = one < other
    twos, which = np.unique(one[upper].astype(np.int64) * n_judges + other[upper], return_inverse=True)
    cells = (which * n_grades + grade_one[upper]) * n_grades + grade_other[upper]
    counts = np.bincount(cells, both.data[upper], minlength=len(twos) * n_grades**2).astype(np.int64)
    return *np.divmod(twos, n_judges), counts.reshape(-1, n_grades, n_grades)


def met(votes: np.ndarray, offsets: np.ndarray, weighed: np.ndarray | None = None) -> np.ndarray:
    """(n_queries, n_grades, n_grades) how often one label of a document has a grade and another one a grade, both ways
    round, of votes (n_pairs, n_grades); or, of votes weighed by document, the sum of these weights."""
    starts = checked_offsets(offsets, len(votes))[:-1]
    weighed, itself = votes if weighed is None else weighed, np.eye(votes.shape[1], dtype=np.int64)
    rows = [weighed * (votes[:, [g]] - itself[g]) for g in range(votes.shape[1])]
    return np.stack([np.add.reduceat(row, starts) for row in rows], axis=1)


def kappas(counts: np.ndarray, values: np.ndarray) -> dict[str, np.ndarray]:
    """MEASURES, (n,) each, of counts (n, n_grades, n_grades) of grades values."""
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = counts / counts.sum(axis=(1, 2), keepdims=True)
        product = shares.sum(axis=2)[:, :, None] * shares.sum(axis=1)[:, None, :]
        equal, chance = (np.trace(table, axis1=1, axis2=2) for table in (shares, product))
        squares = np.subtract.outer(values, values).astype(np.float64) ** 2
        weighted = 1 - (shares * squares).sum(axis=(1, 2)) / (product * squares).sum(axis=(1, 2))
        kappa = np.where(np.isclose(chance, 1), np.nan, (equal - chance) / (1 - chance))
    return dict(zip(MEASURES, (equal, chance, kappa, weighted), strict=True))


def _coincidences(labels: Coded, offsets: np.ndarray) -> np.ndarray:
    """(n, n_grades, n_grades) how often two labels of a document are c and d, 1 / (labels - 1) for each two; by parts
    of the pairs."""
    votes = labels.votes
    return met(votes, offsets, votes / np.maximum(votes.sum(axis=1, keepdims=True) - 1, 1))


def _alphas(together: np.ndarray) -> np.ndarray:
    """Krippendorff's alpha for ordered grades of coincidences (..., n_grades, n_grades); NaN where one grade occurs.

    Grades c < d differ by the square of the number of labels between them, those of c and d counting half.
    """
    values = together.sum(axis=-1)
    total = values.sum(axis=-1)
    middles = values.cumsum(axis=-1) - values / 2
    distances = (middles[..., :, None] - middles[..., None, :]) ** 2
    observed = (together * distances).sum(axis=(-2, -1))
    expected = (values[..., :, None] * values[..., None, :] * distances).sum(axis=(-2, -1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(expected > 0, 1 - observed * (total - 1) / expected, np.nan)
