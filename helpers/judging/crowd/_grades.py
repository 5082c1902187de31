"""The grades that judges and majorities give (Figures 2 and 3)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import chi2_contingency

from helpers.judging.confusion import majority_grade, probabilities
from helpers.judging.crowd._busy import busy_judges
from helpers.judging.schemes.matrix import votes


def featured_judges(labels: np.ndarray, judges: np.ndarray, n_grades: int, fewest: int) -> pd.DataFrame:
    """For each grade the judge who uses it most, beside the majority of the other judges on the same pairs (Figure 2).

    Pairs with one label are left out. The p-value is that of `homogeneity` of the two, which takes them for samples of
    different pairs; as they share their pairs it rather overlooks a difference than sees one that is not there.

    Parameters
    ----------
    labels : (n_docs, n_labels) grades, -1 where there is none
    judges : of the same shape, who gave each label
    n_grades : size of the scale
    fewest : a judge must have labelled so many pairs

    Returns
    -------
    frame featured (the grade), judge, by ("judge" or "majority of the others"), grade, count, share, p_value

    Raises
    ------
    ValueError
        when a label is above the scale, or no judge has labelled that many pairs.

    Examples
    --------
    Judge 0 uses grade 0 most, on pairs that the other two call 1; judge 1 uses grade 1 most.

    >>> labels, judges = np.array([[0, 1, 1], [0, 1, 1], [1, 1, 0]]), np.array([[0, 1, 2]] * 3)
    >>> table = featured_judges(labels, judges, 2, 3)
    >>> table[["featured", "judge", "by", "grade", "count"]].head(4)
       featured  judge                      by  grade  count
    0         0      0                   judge      0      2
    1         0      0                   judge      1      1
    2         0      0  majority of the others      0      0
    3         0      0  majority of the others      1      3
    """
    given = votes(labels, n_grades)
    several = given.sum(axis=1) > 1
    labels, judges, given = labels[several], judges[several], given[several]
    owners = busy_judges(judges, fewest)
    shares = np.array([distribution(labels[judges == judge][:, None], n_grades) for judge in owners])
    tables = []
    for featured, judge in enumerate(owners[shares.argmax(axis=0)]):
        row, column = np.nonzero(judges == judge)
        own = np.eye(n_grades, dtype=np.int64)[labels[row, column]]
        others = np.bincount(majority_grade(given[row] - own), minlength=n_grades)
        tables.append(_beside(own.sum(axis=0), others).assign(featured=featured, judge=int(judge)))
    return pd.concat(tables, ignore_index=True)[["featured", "judge", "by", "grade", "count", "share", "p_value"]]


def homogeneity(counts: np.ndarray) -> float:
    """p-value of the chi-squared test that all rows of counts (n_rows, n_grades) are of one distribution.

    Grades that nobody gave are left out; 1 where only one is left. Expected counts are 5 and 5, chi2 = 4 * 25/5 = 20.

    >>> f"{homogeneity(np.array([[10, 0, 0], [0, 10, 0]])):.2g}"
    '7.7e-06'
    """
    counts = np.asarray(counts)
    return float(chi2_contingency(counts[:, counts.any(axis=0)], correction=False).pvalue)


def distribution(labels: np.ndarray, n_grades: int) -> np.ndarray:
    """(n_grades,) share of each grade among all labels (Figure 3); ValueError when a label is above the scale.

    >>> distribution(np.array([[1, 0], [1, -1], [2, -1]]), 4)
    array([0.25, 0.5 , 0.25, 0.  ])
    """
    return probabilities(votes(labels, n_grades).sum(axis=0))


def _beside(judge: np.ndarray, others: np.ndarray) -> pd.DataFrame:
    """Frame by, grade, count, share, p_value from two rows of counts (n_grades,)."""
    counts = np.stack([judge, others])
    by, grade = (index.ravel() for index in np.indices(counts.shape))
    return pd.DataFrame(
        {
            "by": np.array(["judge", "majority of the others"])[by],
            "grade": grade,
            "count": counts.ravel(),
            "share": probabilities(counts).ravel(),
            "p_value": homogeneity(counts),
        }
    )
