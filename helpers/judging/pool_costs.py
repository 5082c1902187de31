"""What the labels of a pool of judges come to, exactly: moments, costs, label ratios."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.polynomial.hermite_e import hermegauss

from helpers.judging import schemes
from helpers.judging.confusion import majority
from helpers.judging.pool import N_GRADES, PER_PAIR, AlikeJudges, Pool, Settings
from helpers.judging.schemes import GOOD

NODES = 15  # of the quadrature over what all judges see in a document

RATIO, COST = "fair_to_good_ratio", "labeling_overhead"


def expected(judges: Settings | AlikeJudges, shares: np.ndarray, names: Sequence[str]) -> pd.DataFrame:
    """What the labels of judges come to for a collection, exactly but for the quadrature over a pool's `appeal`.

    Parameters
    ----------
    judges : settings of a pool, or judges who all err by one matrix
    shares : (5,) share of each grade among the documents
    names : labelling schemes whose training labels are single labels, the highest or the majority

    Returns
    -------
    frame, a row for each scheme: labels a pair, and Fair- labels for each of Good or above among the training labels
    """
    chances, weights = _documents(judges, shares)
    known = _moments(chances, weights)
    rows = {}
    for name in names:
        scheme = schemes.parse(name)
        if scheme.kind == "majority":
            found = weights @ majority(chances, scheme.k)[:, GOOD:].sum(axis=1)
        else:
            found = schemes.expected_good_share(name, known)
        rows[name] = {COST: schemes.expected_cost(name, known), RATIO: (1 - found) / found}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("setting")


def moments(settings: Settings, shares: np.ndarray) -> np.ndarray:
    """(11,) m_1, m_2, … of `schemes.moments` for the labels that a pool gives to documents.

    Parameters
    ----------
    settings : of the pool
    shares : (5,) share of each grade among the documents
    """
    return _moments(*_documents(settings, shares))


def _documents(judges: Settings | AlikeJudges, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Chance of each label (n_kinds, 5), and share (n_kinds,), of kinds of documents: their grade and their appeal.

    Given both, a document's labels are as good as independent draws from the pool's mean chances: 11 judges of 120
    know next to nothing of each other. Judges who err by one matrix see nothing but the grade.
    """
    if isinstance(judges, AlikeJudges):
        return judges.confusion, np.asarray(shares)
    nodes, weights = hermegauss(NODES)
    grades = np.repeat(np.arange(N_GRADES), NODES)
    chances = Pool(judges).label_chances(grades, np.tile(nodes, N_GRADES)).mean(axis=1)
    return chances, np.outer(shares, weights / weights.sum()).ravel()


def _moments(chances: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return weights @ chances[:, GOOD:].sum(axis=1)[:, None] ** np.arange(1, PER_PAIR + 1)
