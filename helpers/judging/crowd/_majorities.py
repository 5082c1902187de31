"""How often the majority of several judges is the truth, and the best single judge (Figure 1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import comb

from helpers.judging.confusion import ballots, majority_grade
from helpers.judging.crowd._busy import busy_judges
from helpers.judging.schemes.matrix import votes
from helpers.metrics.significance import bootstrap_interval


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
    owners = busy_judges(judges, fewest)
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


def _known(labels: np.ndarray, truth: np.ndarray, most: int) -> np.ndarray:
    """(n_pairs,) bool: a pair has a truth and at least `most` labels."""
    return ((labels >= 0).sum(axis=1) >= most) & (truth >= 0)


def _held_out(reached: list[np.ndarray], rng: np.random.Generator) -> np.ndarray:
    """Means over one half of the rows of a judge: of the one whose first column was the highest on the other half.

    The arrays, one a judge, are (pairs of the judge, 1 + most): the judge's own label right or not, then majorities.
    """
    halves = [np.array_split(rng.permutation(len(own)), 2) for own in reached]
    chosen = int(np.argmax([own[first, 0].mean() for own, (first, _) in zip(reached, halves, strict=True)]))
    return reached[chosen][halves[chosen][1]].mean(axis=0)
