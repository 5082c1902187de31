"""The alternative annotator test: may this judge take the place of one of those people?

Calderon, Reichart and Dror (2025), The Alternative Annotator Test for LLM-as-a-Judge: How to Statistically Justify
Replacing Human Annotators with LLMs. Written out, for a candidate f and people h:

1. One person j is left out. On a document that f, j and others judged, S(x) says how near a grade x is to those n
   others: -RMSE, the root of sum_k (x - h_k)^2 / n with its sign changed, for grades in an order (`scoring` "rmse"), or
   the share of them that are x, for classes ("exact"). f wins where S(f) >= S(j), and j where S(j) >= S(f); at a tie
   both do.
2. Documents of a query are not independent, so that queries are the units. Of the wins of f and of j their means over
   the documents of each query are taken; rho_f and rho_h are the means of these over queries. Where all documents are
   of one query, each is a unit; so it is in the paper, whose items have no queries.
3. A candidate costs less than a person, so that it may win a share epsilon less: the null hypothesis
   rho_f <= rho_h - epsilon is rejected by a one-sided paired t-test, below 30 units by Wilcoxon's signed-rank test, at
   a false discovery rate of 5 % over people (Benjamini and Yekutieli 2001, for tests that depend on each other).
4. The *winning rate* omega is the share of people against whom it is rejected; the test is passed where omega is at
   least one half. The *average advantage probability* is the mean of rho_f. The paper asks for three people or more.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import special, stats

from helpers import checks
from helpers.judging.judgments import Coded, as_coded

EPSILON = 0.15
"""The paper's for skilled judges; .2 for experts, .1 for a crowd."""

FALSE_DISCOVERIES = 0.05
PASSES_FROM = 0.5
NORMAL_FROM = 30
FEWEST, FEWEST_UNITS = 10, 5
"""Documents, and units, that a person who is left out must share with the candidate and a third."""

JUDGES = 3
"""As many people does the paper ask for, the candidate not among them."""

SCORINGS = ("rmse", "exact")


def alternative_test(
    judged: pd.DataFrame | Coded, candidate: str, epsilon: float = EPSILON, scoring: str = "rmse"
) -> pd.DataFrame:
    """The test of one candidate, a model or a person, against each person among the others: frame judge, documents,
    units, candidate (rho_f), left_out (rho_h), p_value, wins (whether it is rejected)."""
    labels = as_coded(judged)
    checks.one_of("candidates", candidate, labels.judges)
    checks.one_of("scoring", scoring, SCORINGS)
    if not 0 <= epsilon <= 1:
        raise ValueError(f"epsilon is {epsilon}, expected a share from 0 to 1")
    held = held_against(labels, int(np.flatnonzero(labels.judges == candidate)[0]), scoring, by_query=False)
    table = held.groupby("judge").agg(
        documents=("documents", "sum"), units=("unit", "size"), candidate=("wins", "mean"), left_out=("loses", "mean")
    )
    table["p_value"] = _by_person(held, np.ones((1, len(labels.pairs))), epsilon)[0]
    table = table.dropna(subset="p_value")
    table["wins"] = stats.false_discovery_control(table["p_value"].to_numpy(), method="by") <= FALSE_DISCOVERIES
    return table.set_index(pd.Index(labels.judges[table.index], name="judge")).reset_index()


def alternative_tests(
    judged: pd.DataFrame | Coded, candidates: Sequence[str], epsilon: float = EPSILON, scoring: str = "rmse"
) -> pd.DataFrame:
    """Whether each candidate may take the place of one of the other people; models but the candidate do not count.

    Parameters
    ----------
    judged : long frame of judgments, or what `judgments.coded` made of it
    candidates : assessors in it, models or people
    epsilon : share of documents that a candidate may win less, for what it saves, from 0 to 1
    scoring : "rmse" for grades in an order, "exact" for classes; of two grades both say the same

    Returns
    -------
    frame judge, held_against (how many people), winning_rate, advantage, passes; the paper asks for three people or
        more, and where no third person judged the same documents nothing is tested: 0, NaN, NaN, False

    Raises
    ------
    ValueError
        as `judgments.coded`; also for a candidate who judged nothing, no such scoring, or epsilon beyond 0 and 1.

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
        table = alternative_test(labels, candidate, epsilon, scoring)
        rate, advantage = table["wins"].mean(), table["candidate"].mean()
        rows.append((candidate, len(table), rate, advantage, bool(rate >= PASSES_FROM)))
    return pd.DataFrame(rows, columns=["judge", "held_against", "winning_rate", "advantage", "passes"])


def held_against(labels: Coded, candidate: int, scoring: str = "rmse", by_query: bool = True) -> pd.DataFrame:
    """Frame judge (position), unit, wins, loses, documents: a row a person and unit, with the shares that the candidate
    and the person win of the unit's documents, and how many these are; a unit is the position of a query, or of a pair
    where there is one query alone and not all is to be by query."""
    own = labels.judge == candidate
    said = np.full(len(labels.pairs), -1)
    said[labels.pair[own]] = labels.level[own]
    held = ~own & labels.people[labels.judge] & (said[labels.pair] >= 0)
    pair, level, judge = labels.pair[held], labels.level[held], labels.judge[held]
    votes = labels.votes_of(held)
    third = votes.sum(axis=1)[pair] > 1
    pair, level, judge = pair[third], level[third], judge[third]
    others = votes[pair]
    others[np.arange(len(pair)), level] -= 1
    # S without what is the same on both sides: its root, its divisor
    distance = np.subtract.outer(labels.values, labels.values)
    losses = others @ (distance**2 if scoring == "rmse" else distance != 0)
    for_candidate, for_judge = (np.take_along_axis(losses, x[:, None], 1)[:, 0] for x in (said[pair], level))
    of_query = labels.of_query[pair]
    unit = of_query if by_query or len(np.unique(of_query)) > 1 else pair
    rows = pd.DataFrame({"judge": judge, "unit": unit, "wins": for_candidate <= for_judge})
    by_unit = rows.assign(loses=for_judge <= for_candidate).groupby(["judge", "unit"])
    return by_unit.mean().assign(documents=by_unit.size()).reset_index()


def passing(held: pd.DataFrame, counts: np.ndarray) -> np.ndarray:
    """(draws,) whether the test is passed where units come as often as counts (draws, n_units) says; held is a frame of
    `held_against`."""
    p_values = np.sort(_by_person(held, counts, EPSILON), axis=1)
    people, passed = np.isfinite(p_values).sum(axis=1), np.zeros(len(counts), dtype=bool)
    for n in np.unique(people[people > 0]):
        adjusted = stats.false_discovery_control(p_values[people == n, :n], method="by", axis=1)
        passed[people == n] = (adjusted <= FALSE_DISCOVERIES).mean(axis=1) >= PASSES_FROM
    return passed


def _by_person(held: pd.DataFrame, counts: np.ndarray, epsilon: float) -> np.ndarray:
    """(draws, n_people) one-sided p-values of rho_h - rho_f being epsilon or more; NaN where too little is shared."""
    p_values = []
    for _, own in held.groupby("judge"):
        there = counts[:, own["unit"]]
        enough = (there.sum(axis=1) >= FEWEST_UNITS) & (there @ own["documents"].to_numpy() >= FEWEST)
        p_values.append(np.where(enough, _p_values((own["loses"] - own["wins"]).to_numpy(), there, epsilon), np.nan))
    return np.reshape(p_values, (-1, len(counts))).T


def _p_values(differences: np.ndarray, counts: np.ndarray, epsilon: float) -> np.ndarray:
    """(draws,) one-sided p-values of differences (n_units,) that come as often as counts (draws, n_units) says."""
    below, n = differences - epsilon, counts.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = counts @ below / n
        squares = counts @ below**2 - n * mean**2
        t = special.stdtr(n - 1, mean / np.sqrt(squares / (n - 1) / n))
    found, few = np.where(squares > 1e-12 * n, t, mean >= 0), n < NORMAL_FROM
    found[few] = _wilcoxon(below, counts[few])
    return found


def _wilcoxon(values: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """(draws,) p-values of the signed-rank test that values lie below 0, by its normal limit; 1 where all are 0."""
    sizes, place = np.unique(np.abs(values), return_inverse=True)
    ties = counts @ (place[:, None] == np.arange(len(sizes))) * (sizes > 0)
    ranks = ties.cumsum(axis=1) - (ties - 1) / 2
    n = ties.sum(axis=1)
    above = (counts * (values > 0) * ranks[:, place]).sum(axis=1)
    variance = (n * (n + 1) * (2 * n + 1) - (ties**3 - ties).sum(axis=1) / 2) / 24
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(n > 0, special.ndtr((above - n * (n + 1) / 4) / np.sqrt(variance)), 1.0)
