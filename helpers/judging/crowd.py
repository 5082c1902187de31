"""What several judges of the same pairs show before any ranker is trained (Figures 1 to 3 of Yang et al. 2010).

Everywhere labels is (n_pairs, m): the grades that a pair of query and document was given, -1 where it has no more;
judges, of the same shape, says who gave them, and truth (n_pairs,) is the right grade, -1 where it is not known.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import comb
from scipy.stats import chi2_contingency

from helpers import paths
from helpers.datasets.collection import majority_grade
from helpers.judging.aggregates import votes
from helpers.judging.confusion import ballots, probabilities
from helpers.judging.judgments import LONG
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

    naive is the share of the judge's pairs that are right. Whoever looks best of many was also lucky, so honest chooses
    a judge on one half of everyone's pairs and is what the chosen one reaches on the other half. majority is a frame of
    `agreement_by_judges` on the judge's pairs, its column held_out the mean over the pairs that honest was measured on.
    """

    judge: int
    pairs: int
    naive: float
    honest: float
    majority: pd.DataFrame


def majority_chances(labels: np.ndarray, truth: np.ndarray, most: int) -> np.ndarray:
    """(n_pairs, most) exact chance that the majority of 1, 2, … of a pair's labels, drawn at random, is the truth."""
    n_grades, columns = 1 + int(max(labels.max(), truth.max())), []
    found, kind = np.unique(votes(labels, n_grades), axis=0, return_inverse=True)
    for m in range(1, most + 1):
        cast = ballots(m, n_grades)
        # a multivariate hypergeometric probability for every way to spread m votes
        chances = comb(found[:, None], cast).prod(axis=2) / comb(found.sum(axis=1, keepdims=True), m)
        columns.append((chances @ np.eye(n_grades)[majority_grade(cast)])[kind.ravel(), truth])
    return np.column_stack(columns)


def agreement_by_judges(
    labels: np.ndarray, truth: np.ndarray, most: int, *, draws: int, rng: np.random.Generator
) -> pd.DataFrame:
    """Frame m, agreement, low, high, pairs: how often the majority of m judges, 1 to most, is the truth, on pairs with
    a truth and `most` labels (Figure 1)."""
    known = _known(labels, truth, most)
    return _agreement(majority_chances(labels[known], truth[known], most), draws, rng)


def _agreement(chances: np.ndarray, draws: int, rng: np.random.Generator) -> pd.DataFrame:
    rows = [
        (m, own.mean(), *bootstrap_interval(own, draws=draws, rng=rng), len(own))
        for m, own in enumerate(chances.T, start=1)
    ]
    return pd.DataFrame(rows, columns=["m", "agreement", "low", "high", "pairs"])


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
    """The best of the judges who labelled at least `fewest` of the pairs that `agreement_by_judges` looks at."""
    known = _known(labels, truth, most)
    labels, judges, truth = labels[known], judges[known], truth[known]
    owners = _busy_judges(judges, fewest)
    majorities, reached = majority_chances(labels, truth, most), []
    for judge in owners:
        row, column = np.nonzero(judges == judge)
        reached.append(np.column_stack([labels[row, column] == truth[row], majorities[row]]))
    honest, *held_out = np.mean([_held_out(reached, rng) for _ in range(draws)], axis=0)
    agreements = [own[:, 0].mean() for own in reached]
    best = int(np.argmax(agreements))
    pairs = (judges == owners[best]).any(axis=1)
    majority = _agreement(majorities[pairs], draws, rng).assign(held_out=held_out)
    return BestJudge(int(owners[best]), len(reached[best]), float(agreements[best]), float(honest), majority)


def _known(labels: np.ndarray, truth: np.ndarray, most: int) -> np.ndarray:
    """(n_pairs,) bool: a pair has a truth and at least `most` labels."""
    return ((labels >= 0).sum(axis=1) >= most) & (truth >= 0)


def _held_out(reached: list[np.ndarray], rng: np.random.Generator) -> np.ndarray:
    """Means over one half of the rows of a judge: of the one whose first column was the highest on the other half."""
    halves = [np.array_split(rng.permutation(len(own)), 2) for own in reached]
    chosen = int(np.argmax([own[first, 0].mean() for own, (first, _) in zip(reached, halves, strict=True)]))
    return reached[chosen][halves[chosen][1]].mean(axis=0)


def featured_judges(labels: np.ndarray, judges: np.ndarray, n_grades: int, fewest: int) -> pd.DataFrame:
    """For each grade the judge who uses it most beside the majority of the others on the same pairs (Figure 2): frame
    featured (the grade), judge, by, grade, count, share, p_value."""
    # The test takes judge and others for samples of different pairs: it rather overlooks a difference.
    given = votes(labels, n_grades)
    several = given.sum(axis=1) > 1
    labels, judges, given = labels[several], judges[several], given[several]
    owners = _busy_judges(judges, fewest)
    shares = np.array([distribution(labels[judges == judge][:, None], n_grades) for judge in owners])
    tables = []
    for featured, judge in enumerate(owners[shares.argmax(axis=0)]):
        row, column = np.nonzero(judges == judge)
        own = np.eye(n_grades, dtype=np.int64)[labels[row, column]]
        others = np.bincount(majority_grade(given[row] - own), minlength=n_grades)
        counts = pd.DataFrame([own.sum(axis=0), others], index=pd.Index(["judge", "majority of the others"], name="by"))
        table = counts.rename_axis(columns="grade").stack().rename("count").reset_index()
        tests = {"share": probabilities(counts).ravel(), "p_value": homogeneity(counts)}
        tables.append(table.assign(**tests, featured=featured, judge=int(judge)))
    return pd.concat(tables, ignore_index=True)[["featured", "judge", "by", "grade", "count", "share", "p_value"]]


def homogeneity(counts: np.ndarray) -> float:
    """p-value of the chi-squared test that rows of counts (n_rows, n_grades) are of one distribution."""
    counts = np.asarray(counts)
    return float(chi2_contingency(counts[:, counts.any(axis=0)], correction=False).pvalue)


def distribution(labels: np.ndarray, n_grades: int) -> np.ndarray:
    """(n_grades,) share of each grade among all labels (Figure 3)."""
    return probabilities(votes(labels, n_grades).sum(axis=0))


def _busy_judges(judges: np.ndarray, fewest: int) -> np.ndarray:
    """Judges who gave at least so many labels."""
    counts = np.bincount(judges[judges >= 0])
    owners = np.flatnonzero(counts >= fewest)
    if fewest < 2 or not len(owners):
        raise ValueError(
            f"fewest is {fewest}, expected from 2 to {counts.max(initial=0)}, what the busiest judge labelled"
        )
    return owners


def web_search() -> tuple[pd.DataFrame, pd.Series]:
    """Long frame of the five-grade web-search crowd labels (Zhou et al. 2012), and their truth by document (see
    EXPERTS)."""
    return _labels_and_truth("web-search-5level", 5)


def trec_rf10() -> tuple[pd.DataFrame, pd.Series]:
    """Long frame of the crowd of TREC's relevance feedback track 2010 (Buckley et al.), and NIST's by document."""
    return _labels_and_truth("trec-rf10-crowd", 3)


def _labels_and_truth(folder: str, n_grades: int) -> tuple[pd.DataFrame, pd.Series]:
    labels, truth = (
        pd.read_csv(paths.judgments(folder, name), dtype={"item": str, "worker": str}).rename(columns=COLUMNS)
        for name in ("label.csv", "truth.csv")
    )
    labels, truth = labels[labels["grade"] < n_grades], truth[truth["grade"] < n_grades]
    return labels.assign(query="all")[LONG].reset_index(drop=True), truth.set_index("doc")["grade"]
