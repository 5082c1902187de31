"""The alternative annotator test: may this judge take the place of one of those judges?

Calderon, Reichart and Dror (2025), The Alternative Annotator Test for LLM-as-a-Judge: How to Statistically Justify
Replacing Human Annotators with LLMs. Of the judges one is left out, j; on every document that j judged, the candidate's
grade and j's are held against those of the remaining judges. Both win where they agree with as many of them. rho_f is
the share of documents that the candidate wins, rho_h that of j. A candidate costs less than a judge, so it may win a
share epsilon less: the null hypothesis rho_f <= rho_h - epsilon is rejected by a one-sided paired t-test, or Wilcoxon's
signed-rank test below 30 documents, at a false discovery rate of 5 % over the judges (Benjamini and Yekutieli 2001, for
tests that depend on each other). The *winning rate* omega is the share of judges against whom it is rejected, and the
test is passed where omega is at least one half. The *average advantage probability* is the mean of rho_f.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from helpers import checks
from helpers.judging.judgments import Coded, as_coded

EPSILON = 0.15
"""The paper's for skilled judges; .2 for experts, .1 for a crowd."""

FALSE_DISCOVERIES = 0.05
PASSES_FROM = 0.5
NORMAL_FROM = 30
FEWEST = 10
"""Documents that a judge who is left out must share with the candidate and a third judge."""

JUDGES = 3
"""As many judges does the paper ask for, the candidate not among them."""


class Alternative(NamedTuple):
    """How a candidate fares against each judge, and altogether.

    table is a frame judge, documents, candidate (rho_f), left_out (rho_h), p_value, wins (whether rejected);
    winning_rate the share of judges whom the candidate beats, NaN where there is none; advantage the mean of rho_f.
    """

    table: pd.DataFrame
    winning_rate: float
    advantage: float
    passes: bool


def alternative_test(judged: pd.DataFrame | Coded, candidate: str, epsilon: float = EPSILON) -> Alternative:
    """The test of one candidate, a model or a person, against the people among the others."""
    labels = as_coded(judged)
    checks.one_of("candidates", candidate, labels.judges)
    if not 0 <= epsilon <= 1:
        raise ValueError(f"epsilon is {epsilon}, expected a share from 0 to 1")
    judge, wins, loses = _held_against(labels, int(np.flatnonzero(labels.judges == candidate)[0]))
    rows = [
        (labels.judges[j], *_against(wins[judge == j], loses[judge == j], epsilon))
        for j in np.flatnonzero(np.bincount(judge) >= FEWEST)
    ]
    table = pd.DataFrame(rows, columns=["judge", "documents", "candidate", "left_out", "p_value"])
    if table.empty:
        return Alternative(table.assign(wins=[]), np.nan, np.nan, False)
    adjusted = stats.false_discovery_control(table["p_value"].to_numpy(float), method="by")
    table["wins"] = adjusted <= FALSE_DISCOVERIES
    rate = float(table["wins"].mean())
    return Alternative(table, rate, float(table["candidate"].mean()), rate >= PASSES_FROM)


def alternative_tests(
    judged: pd.DataFrame | Coded, candidates: Sequence[str], epsilon: float = EPSILON
) -> pd.DataFrame:
    """Whether each candidate may take the place of one of the other people; models but the candidate do not count.

    Parameters
    ----------
    judged : long frame of judgments, or what `judgments.coded` made of it
    candidates : assessors in it, models or people
    epsilon : share of documents that a candidate may win less, for what it saves, from 0 to 1

    Returns
    -------
    frame judge, held_against (how many people), winning_rate, advantage, passes

    Examples
    --------
    The candidate agrees with two of the three judges always, as they do with each other; the third is alone.

    >>> rows = [("q", d, who, g) for who, g in [("m", 1), ("a", 1), ("b", 1), ("c", 0)] for d in range(40)]
    >>> frame = pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"])
    >>> alternative_tests(frame, ["m"]).to_numpy().tolist()
    [['m', 3, 1.0, 1.0, True]]
    """
    labels = as_coded(judged)
    rows = []
    for candidate in candidates:
        found = alternative_test(labels, candidate, epsilon)
        rows.append((candidate, len(found.table), *found[1:]))
    return pd.DataFrame(rows, columns=["judge", "held_against", "winning_rate", "advantage", "passes"])


def _held_against(labels: Coded, candidate: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of every judgment of another person that a third shares: who, whether the candidate wins, whether the judge."""
    own = labels.judge == candidate
    said = np.full(len(labels.pairs), -1)
    said[labels.pair[own]] = labels.level[own]
    held = ~own & labels.people[labels.judge] & (said[labels.pair] >= 0)
    pair, level, judge = labels.pair[held], labels.level[held], labels.judge[held]
    n_grades = len(labels.values)
    votes = np.bincount(pair * n_grades + level, minlength=len(labels.pairs) * n_grades).reshape(-1, n_grades)
    third = votes.sum(axis=1)[pair] > 1
    pair, level, judge = pair[third], level[third], judge[third]
    for_candidate = votes[pair, said[pair]] - (level == said[pair])
    for_judge = votes[pair, level] - 1
    return judge, for_candidate >= for_judge, for_judge >= for_candidate


def _against(wins: np.ndarray, loses: np.ndarray, epsilon: float) -> tuple:
    differences = loses.astype(np.float64) - wins
    return len(wins), float(wins.mean()), float(loses.mean()), _p_value(differences, epsilon)


def _p_value(differences: np.ndarray, epsilon: float) -> float:
    """One-sided p-value of the null hypothesis that the mean of the differences rho_h - rho_f is epsilon or more."""
    if np.ptp(differences) == 0:
        return float(differences[0] >= epsilon)
    if len(differences) < NORMAL_FROM:
        return float(stats.wilcoxon(differences - epsilon, alternative="less", method="asymptotic").pvalue)
    return float(stats.ttest_1samp(differences, epsilon, alternative="less").pvalue)
