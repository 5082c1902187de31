"""What several judges of the same pairs show before any ranker is trained (Figures 1 to 3 of Yang et al. 2010).

Everywhere labels is (n_pairs, m): the grades that a pair of query and document was given, -1 where it has no more;
judges, of the same shape, says who gave them (`judgments.label_matrix`), and truth (n_pairs,) is the right grade,
-1 where it is not known.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import comb
from scipy.stats import chi2_contingency

from helpers.judging.at_hand import data_file
from helpers.judging.confusion import ballots, majority_grade, probabilities
from helpers.judging.judgments import LONG
from helpers.judging.schemes.matrix import votes
from helpers.metrics.significance import bootstrap_interval

COLUMNS = {"item": "doc", "worker": "assessor", "label": "grade", "truth": "grade"}
EXPERTS = ("0", "1", "2", "6", "7", "11", "12", "15", "25")
"""Assessors of `web_search` from whose labels its truth was made: their agreement with it is no evidence.

The files do not say so, but they show it: nearly every pair has three labels of these nine. Where two or three of
them are equal, in 2,215 pairs, the truth is that grade every time; where all differ it is their rounded mean.
"""


@dataclass(frozen=True, eq=False)
class BestJudge:
    """The judge who agrees most with the truth, beside what majority votes reach on the same pairs.

    Whoever looks best of many was also lucky. So ``naive`` is too high; ``honest`` chooses a judge on one half of
    everyone's pairs and is what the chosen one reaches on the other half.

    Attributes
    ----------
    judge : who agrees most with the truth
    pairs : how many pairs this judge labelled
    naive : share of them on which the judge's label is the truth
    honest : mean of the same share over random halves, of whoever is chosen on the other half
    majority : frame of `agreement_by_judges` on the judge's pairs; its column held_out is the mean over the pairs that
        honest was measured on
    """

    judge: int
    pairs: int
    naive: float
    honest: float
    majority: pd.DataFrame


def web_search() -> tuple[pd.DataFrame, pd.Series]:
    """Long frame of the five-grade web-search crowd labels, and the truth by document, from the data directory.

    Zhou et al. 2012, Learning from the wisdom of crowds by minimax entropy. A doc is an anonymous pair of query and
    url; twelve have no truth. ``truth.reindex(matrix.pairs["doc"], fill_value=-1).to_numpy()`` suits a label matrix.

    The truth was made from labels in this same frame, those of the EXPERTS: compare it with those of the others.
    """
    return _labels_and_truth("web-search-5level", 5)


def trec_rf10() -> tuple[pd.DataFrame, pd.Series]:
    """Long frame of the crowd labels of TREC's relevance feedback track 2010, and NIST's by document, as `web_search`.

    Buckley, Lease and Smucker 2010, Overview of the TREC 2010 relevance feedback track. Grades are 0 to 2; what is
    marked as a broken link is left out. NIST judged without the crowd.
    """
    return _labels_and_truth("trec-rf10-crowd", 3)


def majority_chances(labels: np.ndarray, truth: np.ndarray, m: int) -> np.ndarray:
    """(n_pairs,) chance that the majority of m of a pair's labels, drawn at random, is the truth: exactly.

    The sum, over all ways to spread m votes over the grades whose `confusion.majority_grade` is the truth, of their
    multivariate hypergeometric probability: the product of C(labels of a grade, its votes), over C(labels, m).

    Of the labels 2, 2, 0 one is the truth 2 in two of three cases; any two of them have their majority there, as the
    more relevant of two grades wins a tie.

    Parameters
    ----------
    labels : (n_pairs, n_labels) grades, -1 where there is none
    truth : (n_pairs,) true grades
    m : from 1 to the fewest labels of a pair

    >>> [majority_chances(np.array([[2, 2, 0]]), np.array([2]), m).round(3).tolist() for m in (1, 2, 3)]
    [[0.667], [1.0], [1.0]]

    Raises
    ------
    ValueError
        when m is below 1, or a pair has fewer labels than m or no truth.
    """
    fewest = (labels >= 0).sum(axis=1).min()
    if not 1 <= m <= fewest:
        raise ValueError(f"m is {m}, expected from 1 to {fewest}: a pair has no more labels")
    if truth.min() < 0:
        raise ValueError(f"truth of pair {truth.argmin()} is {truth.min()}, expected a grade for every pair")
    n_grades = 1 + int(max(labels.max(), truth.max()))
    found, kind = np.unique(votes(labels, n_grades), axis=0, return_inverse=True)
    cast = ballots(m, n_grades)
    chances = comb(found[:, None], cast).prod(axis=2) / comb(found.sum(axis=1, keepdims=True), m)
    return (chances @ np.eye(n_grades)[majority_grade(cast)])[kind.ravel(), truth]


def agreement_by_judges(
    labels: np.ndarray, truth: np.ndarray, most: int, *, draws: int, rng: np.random.Generator
) -> pd.DataFrame:
    """How often the majority of m judges is the truth, m = 1 to most (Figure 1), each m on the same pairs.

    Parameters
    ----------
    labels : (n_docs, n_labels) grades, -1 where there is none
    truth : (n_docs,) true grades, -1 where they are not known
    most : only pairs with a truth and at least so many labels are looked at
    draws : bootstrap samples of the pairs, for the 95 % interval
    rng : draws them

    Returns
    -------
    frame m, agreement, low, high, pairs: agreement is the mean of `majority_chances`, pairs their number

    Raises
    ------
    ValueError
        as `bootstrap_interval`: fewer than two pairs are left.

    Examples
    --------
    The two pairs' single labels are right with probability 1/3 and 1, all three together in the second pair.

    >>> labels, truth = np.array([[1, 1, 0], [1, 1, 1]]), np.array([0, 1])
    >>> table = agreement_by_judges(labels, truth, 3, draws=100, rng=np.random.default_rng(0))
    >>> table[["m", "agreement", "pairs"]].round(3).to_numpy().tolist()
    [[1.0, 0.667, 2.0], [2.0, 0.5, 2.0], [3.0, 0.5, 2.0]]
    """
    known = _known(labels, truth, most)
    rows = []
    for m in range(1, most + 1):
        chances = majority_chances(labels[known], truth[known], m)
        low, high = bootstrap_interval(chances, draws=draws, rng=rng)
        rows.append({"m": m, "agreement": chances.mean(), "low": low, "high": high, "pairs": len(chances)})
    return pd.DataFrame(rows)


def best_judge(
    labels: np.ndarray,
    judges: np.ndarray,
    truth: np.ndarray,
    most: int,
    fewest: int,
    *,
    draws: int,
    rng: np.random.Generator,
) -> BestJudge:
    """The best single judge of Figure 1, on the pairs that `agreement_by_judges` looks at.

    Parameters
    ----------
    labels, truth, most : as in `agreement_by_judges`
    judges : (n_docs, n_labels) who gave each label, -1 where there is none
    fewest : a judge must have labelled so many of these pairs; the paper does not say how many its best judge did
    draws : random halves, and bootstrap samples
    rng : draws halves and samples

    Raises
    ------
    ValueError
        when fewest is below 2, or no judge has labelled that many.

    Examples
    --------
    Judge 0 is right on every pair and judge 1 on none; both together tie, which the higher label wins.

    >>> labels, judges, truth = np.array([[1, 0]] * 4), np.array([[0, 1]] * 4), np.ones(4, dtype=int)
    >>> best = best_judge(labels, judges, truth, 2, 4, draws=10, rng=np.random.default_rng(0))
    >>> best.judge, best.pairs, best.naive, best.honest, best.majority["held_out"].round(3).tolist()
    (0, 4, 1.0, 1.0, [0.5, 1.0])
    """
    known = _known(labels, truth, most)
    labels, judges, truth = labels[known], judges[known], truth[known]
    owners = _owners(judges, fewest)
    majorities = np.column_stack([majority_chances(labels, truth, m) for m in range(1, most + 1)])
    reached = []
    for judge in owners:
        row, column = np.nonzero(judges == judge)
        reached.append(np.column_stack([labels[row, column] == truth[row], majorities[row]]))
    honest, *held_out = np.mean([_held_out(reached, rng) for _ in range(draws)], axis=0)
    agreements = [own[:, 0].mean() for own in reached]
    best = int(np.argmax(agreements))
    pairs = (judges == owners[best]).any(axis=1)
    majority = agreement_by_judges(labels[pairs], truth[pairs], most, draws=draws, rng=rng).assign(held_out=held_out)
    return BestJudge(int(owners[best]), len(reached[best]), float(agreements[best]), float(honest), majority)


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
    owners = _owners(judges, fewest)
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


def _labels_and_truth(folder: str, n_grades: int) -> tuple[pd.DataFrame, pd.Series]:
    labels, truth = (
        pd.read_csv(data_file(folder, name), dtype={"item": str, "worker": str}).rename(columns=COLUMNS)
        for name in ("label.csv", "truth.csv")
    )
    labels, truth = labels[labels["grade"] < n_grades], truth[truth["grade"] < n_grades]
    return labels.assign(query="all")[LONG].reset_index(drop=True), truth.set_index("doc")["grade"]


def _known(labels: np.ndarray, truth: np.ndarray, most: int) -> np.ndarray:
    """(n_pairs,) bool: a pair has a truth and at least `most` labels."""
    return ((labels >= 0).sum(axis=1) >= most) & (truth >= 0)


def _owners(judges: np.ndarray, fewest: int) -> np.ndarray:
    """Judges who gave at least `fewest` labels, or ValueError."""
    counts = np.bincount(judges[judges >= 0])
    owners = np.flatnonzero(counts >= fewest)
    if fewest < 2 or not len(owners):
        raise ValueError(
            f"fewest is {fewest}, expected from 2 to {counts.max(initial=0)}, what the busiest judge labelled"
        )
    return owners


def _held_out(reached: list[np.ndarray], rng: np.random.Generator) -> np.ndarray:
    """Means over one half of the rows of a judge: of the one whose first column was the highest on the other half.

    The arrays, one a judge, are (pairs of the judge, 1 + most): the judge's own label right or not, then majorities.
    """
    halves = [np.array_split(rng.permutation(len(own)), 2) for own in reached]
    chosen = int(np.argmax([own[first, 0].mean() for own, (first, _) in zip(reached, halves, strict=True)]))
    return reached[chosen][halves[chosen][1]].mean(axis=0)


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
