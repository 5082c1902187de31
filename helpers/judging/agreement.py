"""How well assessors agree: exact agreement, Cohen's kappas, Krippendorff's alpha."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.metrics import cohen_kappa_score

from helpers.judging.judgments import paired


def agreement(frame: pd.DataFrame, testing: str, training: str) -> dict[str, float]:
    """How well two assessors agree on the documents that both judged; errors as in `paired`.

    Parameters
    ----------
    frame : long frame of judgments
    testing, training : names of the assessors

    Returns
    -------
    documents : how many both judged
    exact : share with equal grades
    kappa : Cohen's kappa, and weighted_kappa with weights (i - j)^2 (Cohen 1968)
    alpha : Krippendorff's alpha for ordered grades
        all three NaN where only one grade occurs

    Examples
    --------
    Equal on 3 of 4 documents, by chance on (2 * 3 + 2 * 1) / 16 of them: kappa is (.75 - .5) / (1 - .5).

    >>> rows = [("q", d, who, g) for who, grades in [("Ann", "0011"), ("Bob", "0001")] for d, g in enumerate(grades)]
    >>> frame = pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"]).astype({"grade": int})
    >>> agreement(frame, "Ann", "Bob")
    {'documents': 4, 'exact': 0.75, 'kappa': 0.5, 'weighted_kappa': 0.5, 'alpha': 0.5333333333333333}
    """
    pairs = paired(frame, testing, training)
    first, second = pairs["testing"].to_numpy(), pairs["training"].to_numpy()
    grades = np.arange(max(first.max(), second.max()) + 1)
    votes = (first[:, None] == grades).astype(int) + (second[:, None] == grades)
    kappa = weighted = np.nan
    if np.count_nonzero(votes.any(axis=0)) > 1:
        kappa = cohen_kappa_score(first, second)
        weighted = cohen_kappa_score(first, second, labels=grades, weights="quadratic")
    return {
        "documents": len(pairs),
        "exact": float(np.mean(first == second)),
        "kappa": float(kappa),
        "weighted_kappa": float(weighted),
        "alpha": _alpha(votes),
    }


def _alpha(votes: np.ndarray) -> float:
    """Krippendorff's alpha from votes (n_docs, n_grades): 1 - observed over expected disagreement.

    Grades c < d differ by the square of the values between them, those with grade c and d counting half.
    """
    votes = votes[votes.sum(axis=1) > 1]
    shared = votes / (votes.sum(axis=1, keepdims=True) - 1)
    coincidences = shared.T @ votes - np.diag(shared.sum(axis=0))
    values = votes.sum(axis=0)
    middles = values.cumsum() - values / 2
    distances = np.subtract.outer(middles, middles) ** 2
    expected = np.outer(values, values) / max(values.sum() - 1, 1)
    disagreement = (expected * distances).sum()
    return float(1 - (coincidences * distances).sum() / disagreement) if disagreement > 0 else np.nan
