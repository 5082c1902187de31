"""Whom to ask again: the documents whose next label is expected to change a measured nDCG most.

A ranking by today's mean grades is perfect for today's labels. One more label moves the mean of its document, and the
ranking may be perfect no longer: what it loses of nDCG, on average over what the label may say, is what it is worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numba import njit

from helpers import checks, metrics
from helpers.datasets.collection import majority_grade
from helpers.judging.aggregates import dawid_skene, rounded
from helpers.judging.judgments import Coded, as_coded, packed
from helpers.judging.rankings import OVER, Rankings, ideal_dcg

SHARES = (0.05, 0.1, 0.2, 0.5)
JUDGES = 5
"""How many judges are hidden, one by one: the busiest."""

ORDERS = 20
"""How often as many labels are bought at random."""

DIGITS = 15
"""Of what moves a difference, as the rest is rounding."""

ROUNDING = 1e-9
"""Share by which the mean of equal gains may be off them."""


def worth_asking(judged: pd.DataFrame | Coded, k: int) -> pd.DataFrame:
    """Every pair of query and document with what one more label is expected to change, the most first.

    What the next label says is taken from Dawid and Skene's model with one confusion matrix for all judges: the sum
    over true grades t of the chance of t given the pair's labels, times that of the label given t. Without a document
    that two judged nobody can say what another judge would, and all is 0.

    Parameters
    ----------
    judged : long frame of judgments, or what `judgments.coded` made of it
    k : cut-off of nDCG, with gain 2^grade - 1 of the mean grade; ValueError when it is no whole number of at least 1

    Returns
    -------
    frame query, doc, labels (how many), mean (grade), expected (loss of nDCG of the query)

    Examples
    --------
    Whatever is said next of a and b, they stay the best two in this order. A higher grade for one of c and d, which are
    tied, would put it before the other.

    >>> said = {"Ann": [2, 2, 0, 0], "Bob": [2, 0, 0, 0]}
    >>> rows = [("q", d, who, g) for who, grades in said.items() for d, g in zip("abcd", grades)]
    >>> worth_asking(pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"]), 10)["doc"].tolist()
    ['c', 'd', 'a', 'b']
    """
    labels = as_coded(judged)
    table = _worth(labels, k, next_label(labels))
    return table.sort_values("expected", ascending=False, kind="stable", ignore_index=True)


def _worth(labels: Coded, k: int, chances: np.ndarray) -> pd.DataFrame:
    """The frame of `worth_asking` in the order of the pairs, from the chances of every next label."""
    checks.cutoff("k", k, whole_list=False)
    given, means = labels.votes.sum(axis=1), labels.means
    after = (means * given)[:, None] + labels.values
    after /= (given + 1)[:, None]
    losses = _losses(np.exp2(means) - 1, np.exp2(after) - 1, labels.offsets, metrics.discounts(min(k, len(given))))
    return labels.pairs.assign(labels=given, mean=means, expected=(chances * losses).sum(axis=1))


def repairs(
    judged: pd.DataFrame | Coded, k: int, rankings: Rankings | None = None, between: Sequence[str] = ()
) -> pd.DataFrame:
    """What to ask again, in this order, and where to stop: the documents of `worth_asking` that may change anything.

    Left out is a document on which all of its judges, two or more, agree in a query without anything relevant, where
    the rounded mean of the labels is 0 for every document. To stop: where the next document is worth less than one at
    random of this list, so that its order is farthest ahead of no order. Worth is `expected`, or of rankings by runs
    decides: how far the difference in mean nDCG by the majority of two of them is expected to move. Frame query, doc,
    labels (so far, as "0 0 3"), mean, expected, of runs decides, summed (share of all that the list is worth, up to
    here), ask (whether it comes before the stop).
    """
    labels = as_coded(judged)
    votes, chances, worth = labels.votes, next_label(labels), ["expected"]
    relevant = np.maximum.reduceat(rounded(labels.means), labels.offsets[:-1]) > 0
    agreed = (votes.sum(axis=1) > 1) & ((votes > 0).sum(axis=1) == 1)
    said = [" ".join(np.repeat(labels.values, row).astype(str)) for row in votes]
    table = _worth(labels, k, chances).assign(labels=said)
    if rankings is not None:
        worth.append("decides")
        table["decides"] = _moved(labels, chances, rankings, np.flatnonzero(np.isin(rankings.names, between)))
    table = table[~agreed | relevant[labels.of_query]]
    for name in worth:
        table = table.sort_values(name, ascending=False, kind="stable", ignore_index=True)
    gains = table[worth[-1]]
    table["summed"] = gains.cumsum() / (gains.sum() or 1.0)
    return table.assign(ask=(gains > 0) & (gains >= (1 - ROUNDING) * gains.mean()))


def next_label(labels: Coded) -> np.ndarray:
    """(n_pairs, n_grades) chance of each grade that occurs to be the next label of a pair, see `worth_asking`; 0 for
    all where no pair has two labels."""
    if not (labels.votes.sum(axis=1) > 1).any():
        return np.zeros(labels.votes.shape)
    (matrix,) = packed(labels.pair, labels.level.astype(np.int8))
    truth = dawid_skene(matrix, np.zeros_like(matrix), len(labels.values))
    joint = truth.T @ labels.votes
    totals = joint.sum(axis=1, keepdims=True)
    says = np.divide(joint, totals, out=np.zeros_like(joint), where=totals > 0)
    return truth @ says


def _moved(labels: Coded, chances: np.ndarray, rankings: Rankings, between: np.ndarray) -> np.ndarray:
    """(n_pairs,) how far one more label moves the difference of two of the rankings in mean nDCG, on average."""
    votes, tops, of_query = labels.votes, rankings.tops, labels.of_query
    gain, one = metrics.gains(labels.values), np.eye(votes.shape[1], dtype=np.int64)
    discount = metrics.discounts(min(rankings.k, max(tops.shape[2], int(np.diff(labels.offsets).max()))))
    lead = np.zeros(len(votes))
    for run, sign in zip(between, (1, -1), strict=True):
        query, place = np.nonzero(tops[run] >= 0)
        np.add.at(lead, tops[run, query, place], sign * discount[place])
    now, after = majority_grade(votes), majority_grade(votes[:, None] + one)
    counts = np.add.reduceat(one[now], labels.offsets[:-1])
    ideal = ideal_dcg(counts, gain, discount)
    ideal_then = ideal_dcg((counts[of_query] - one[now])[:, None] + one[after], gain, discount)
    ahead = np.bincount(of_query, gain[now] * lead)
    ahead_then = ahead[of_query][:, None] + (gain[after] - gain[now][:, None]) * lead[:, None]
    listed = (tops != OVER).any(axis=(0, 2))
    counted, counted_then = listed & (ideal > 0), listed[of_query][:, None] & (ideal_then > 0)
    apart = np.divide(ahead, ideal, out=np.zeros(len(ideal)), where=counted)
    apart_then = np.divide(ahead_then, ideal_then, out=np.zeros(ideal_then.shape), where=counted_then)
    number = counted.sum() - counted[of_query][:, None] + counted_then
    summed = apart.sum() - apart[of_query][:, None] + apart_then
    with np.errstate(invalid="ignore", divide="ignore"):
        moved = np.abs(summed / number - apart.sum() / counted.sum())
    return (chances * np.nan_to_num(moved)).sum(axis=1).round(DIGITS)


def hidden(judged: pd.DataFrame | Coded, k: int, *, rng: np.random.Generator) -> pd.DataFrame:
    """What asking again would have been worth: a judge's labels are hidden and bought back, the best or any first.

    Documents are ranked by the mean of the labels that are there and scored with the mean of all, rounded. What this
    loses of nDCG without the labels of one of the busiest judges is the gap; a share of them, bought in the order of
    `worth_asking`, closes a part of it, and as many bought at random (the mean of ORDERS) another. Frame judge,
    share, documents, gap, chosen, random (shares of the gap that are closed); no row where nothing is lost.
    """
    checks.cutoff("k", k, whole_list=False)
    labels = as_coded(judged)
    several = labels.votes.sum(axis=1)[labels.pair] > 1
    counts = np.bincount(labels.judge[several], minlength=len(labels.judges))
    busiest = np.argsort(-counts, kind="stable")[:JUDGES]
    rows = [_hidden(labels, judge, several, k, rng) for judge in busiest if counts[judge] > 1]
    columns = ["judge", "share", "documents", "gap", "chosen", "random"]
    return pd.DataFrame([row for found in rows for row in found], columns=columns)


def _hidden(labels: Coded, judge: int, several: np.ndarray, k: int, rng: np.random.Generator) -> list[tuple]:
    """The rows of one judge in `hidden`."""
    own = np.flatnonzero((labels.judge == judge) & several)
    kept, truth = np.ones(len(labels.pair), dtype=bool), rounded(labels.means)
    kept[own] = False
    left = labels.votes_of(kept)

    def lost(bought: np.ndarray) -> float:
        votes = left + labels.votes_of(bought)
        return 1 - np.nanmean(metrics.ndcg(truth, votes @ labels.values / votes.sum(axis=1), labels.offsets, k))

    if not truth.any() or (gap := lost(own[:0])) <= 0:
        return []
    grade = labels.grade[kept]
    rest = replace(labels, pair=labels.pair[kept], judge=labels.judge[kept], grade=grade, values=np.unique(grade))
    pair, worth = labels.pair[own], _worth(rest, k, next_label(rest))["expected"].to_numpy()
    order = own[np.lexsort((pair, -worth[pair]))]
    random = [own[rng.permutation(len(own))] for _ in range(ORDERS)]
    rows = []
    for share in SHARES:
        n = round(share * len(own))
        at_random = np.mean([lost(drawn[:n]) for drawn in random])
        closed = 1 - np.array([lost(order[:n]), at_random]) / gap
        rows.append((labels.judges[judge], share, n, gap, *closed))
    return rows


@njit(cache=True)
def _losses(gains, after, offsets, discounts):
    """(n_pairs, n_grades) 1 - nDCG of the ranking by gains where one document has another gain, `after`."""
    losses = np.zeros(after.shape)
    for q in range(len(offsets) - 1):
        start, end = offsets[q], offsets[q + 1]
        discount = np.zeros(end - start)
        reach = min(len(discounts), end - start)
        discount[:reach] = discounts[:reach]
        falling = np.sort(gains[start:end])[::-1]
        ideal = (falling * discount).sum()
        for row in range(start, end):
            for label in range(after.shape[1]):
                losses[row, label] = _loss(falling, discount, ideal, gains[row], after[row, label])
    return losses


@njit(cache=True)
def _loss(falling, discount, ideal, old, new):
    """What the ranking falling loses where one of its documents, of gain old, has the gain new; ties at random."""
    first = np.searchsorted(-falling, -old)
    last = np.searchsorted(-falling, -old, side="right")
    reached = ideal + (new - old) * discount[first:last].mean()
    best = ideal
    if new > old:
        place = first
        while place > 0 and falling[place - 1] < new:
            place -= 1
            best += falling[place] * (discount[place + 1] - discount[place])
        best += new * discount[place] - old * discount[first]
    else:
        place = last - 1
        while place + 1 < len(falling) and falling[place + 1] > new:
            place += 1
            best += falling[place] * (discount[place - 1] - discount[place])
        best += new * discount[place] - old * discount[last - 1]
    return 1 - reached / best if best > 0 else 0.0
