"""nDCG and average precision of every query, with gain, discount, ties and empty queries made explicit.

Public tools differ in all four: one and the same list scores 0, .43, .64 or 1. Here each is an argument, and
`LETOR` and `LETOR_MAP` name what the LETOR evaluation scripts do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numba import njit

from helpers import checks

_GAINS = {"exponential": lambda grades: np.exp2(grades) - 1, "linear": lambda grades: grades}
_DISCOUNTS = {
    "log2": lambda ranks: 1 / np.log2(1 + ranks),
    "letor": lambda ranks: 1 / np.log2(np.maximum(ranks, 2)),
}
_TIES = {"average": True, "order": False}
_EMPTY = {"skip": np.nan, "zero": 0.0, "one": 1.0}
FEW = 32
"""Documents that are sorted by insertion, and ranks to which the documents are found without sorting all."""

HIGHEST_LINEAR = 2**15 - 1  # gain: sums of the gains of several judges

LETOR = {"gain": "exponential", "discount": "letor", "ties": "order", "empty": "zero"}
LETOR_MAP = {"relevant_from": 1, "ties": "order", "empty": "zero"}


def ndcg(
    grades: np.ndarray,
    scores: np.ndarray,
    offsets: np.ndarray,
    k: int | None = None,
    *,
    gain: str = "exponential",
    discount: str = "log2",
    ties: str = "average",
    empty: str = "skip",
) -> np.ndarray:
    """Normalised discounted cumulative gain of every query.

    DCG@k sums gain(grade at rank r) * discount(r) over the ranks 1 to k of the list sorted by falling score;
    nDCG@k divides it by the DCG@k of the list sorted by falling grade (Järvelin and Kekäläinen 2002; gain
    2^l - 1: Burges et al. 2005).

    Parameters
    ----------
    grades : (n_docs,) whole numbers from 0 to 127; to 32,767 where the gain is linear
    scores : (n_docs,) what the ranker says of each document
    offsets : (n_queries + 1,) query q owns rows offsets[q]:offsets[q + 1]
    k : cut-off, a number of ranks; None is the whole list
    gain : "exponential" 2^l - 1, or "linear" l
    discount : "log2" 1/log2(1 + r), or "letor" as in the LETOR scripts: 1 at ranks 1 and 2, 1/log2(r) from there
        on, and a list of fewer than k documents scores 0
    ties : "average" is the exact mean over all orders of documents with equal scores, each of which gets the
        mean discount of the ranks that they share (McSherry and Najork 2008); "order" is the input order
    empty : the value of a query whose grades are all 0: "skip" NaN, "zero" 0, "one" 1

    Returns
    -------
    (n_queries,) float64 from 0 to 1, NaN where a query is skipped

    Raises
    ------
    ValueError
        when lengths and offsets do not fit together, a score is NaN, a grade is not such a whole number, k is no
        whole number of at least 1, or a name is unknown.

    Examples
    --------
    The relevant document in second place scores 1/log2(3); tied for both places, the mean of that and 1.

    >>> ndcg([0, 1, 0, 1], [2, 1, 5, 5], [0, 2, 4]).round(4)
    array([0.6309, 0.8155])
    >>> ndcg([0, 1, 0, 1], [2, 1, 5, 5], [0, 2, 4], k=2, **LETOR)
    array([1., 1.])
    """
    average, fill = _named("ties", ties, _TIES), _named("empty", empty, _EMPTY)
    grades, scores, offsets = _checked(grades, scores, offsets, 127 if gain != "linear" else HIGHEST_LINEAR)
    lengths = np.diff(offsets)
    gain_of = gains(np.arange(int(grades.max()) + 1), gain)
    checks.cutoff("k", k)
    longest = int(lengths.max())
    discount_at = discounts(longest if k is None else int(min(k, longest)), discount)
    dcg = _dcg(grades, scores, offsets, gain_of, discount_at, average)
    if discount == "letor" and k is not None:
        dcg[lengths < k] = 0
    return _ratio(dcg, _ideal_dcg(grades, offsets, gain_of, discount_at), fill)


def average_precision(
    grades: np.ndarray,
    scores: np.ndarray,
    offsets: np.ndarray,
    *,
    relevant_from: int = 1,
    ties: str = "average",
    empty: str = "skip",
) -> np.ndarray:
    """Average precision of every query: the mean of the precisions at the ranks of its relevant documents.

    With tied scores, the exact mean over all orders of the tied documents (McSherry and Najork 2008). Take n tied
    documents, r of them relevant, below m documents, s of them relevant: the i-th of the n is relevant with
    probability r/n, and then precision at its rank is (s + 1 + (i - 1)(r - 1)/(n - 1)) / (m + i) on average.

    Parameters
    ----------
    grades, scores, offsets : as for `ndcg`
    relevant_from : the lowest grade that counts as relevant
    ties : "average" is the mean over all orders of documents with equal scores, "order" is the input order
    empty : the value of a query without a relevant document: "skip" NaN, "zero" 0, "one" 1

    Returns
    -------
    (n_queries,) float64 from 0 to 1, NaN where a query is skipped

    Raises
    ------
    ValueError
        as `ndcg`.

    Examples
    --------
    Relevant documents at ranks 1 and 3: (1/1 + 2/3) / 2. One of two tied documents relevant: (1/1 + 1/2) / 2.

    >>> average_precision([1, 0, 2, 0, 1], [3, 2, 1, 1, 1], [0, 3, 5]).round(4)
    array([0.8333, 0.75  ])
    """
    average, fill = _named("ties", ties, _TIES), _named("empty", empty, _EMPTY)
    grades, scores, offsets = _checked(grades, scores, offsets)
    relevant = (grades >= relevant_from).astype(np.int64)
    ranked = _ranked(scores, offsets)
    precisions = _precision_sum(relevant[ranked], scores[ranked], offsets, average)
    return _ratio(precisions, np.add.reduceat(relevant, offsets[:-1]), fill)


def gains(grades: np.ndarray, gain: str = "exponential") -> np.ndarray:
    """Gain of each grade l, float64 of the shape of the grades: "exponential" 2^l - 1, or "linear" l.

    Parameters
    ----------
    grades : whole numbers from 0 up
    gain : "exponential" or "linear", else a ValueError

    >>> gains([0, 1, 2, 3])
    array([0., 1., 3., 7.])
    """
    return _named("gain", gain, _GAINS)(np.asarray(grades, dtype=np.float64))


def discounts(n: int, discount: str = "log2") -> np.ndarray:
    """(n,) discounts of the ranks r = 1 to n: "log2" 1/log2(1 + r), or "letor" 1/log2(max(r, 2))."""
    return _named("discount", discount, _DISCOUNTS)(np.arange(1.0, n + 1))


def ranking(scores: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """(n_docs,) rows of every query by falling score, equal scores in the order of the input."""
    return _ranked(np.array(scores), np.array(checked_offsets(offsets, len(scores))))


def checked_offsets(offsets: np.ndarray, n_docs: int | None = None) -> np.ndarray:
    """The offsets as int64, not copied where they are that; ValueError unless they rise strictly from 0 to n_docs."""
    given = np.asanyarray(offsets)
    if given.ndim != 1:
        raise ValueError(f"offsets has shape {given.shape}, expected 1 dimension")
    if given.dtype.kind not in "iuf":
        raise ValueError(f"offsets holds {given.dtype}, expected whole numbers")
    with np.errstate(invalid="ignore"):
        whole = given.astype(np.int64, copy=False)
    if (whole != given).any():
        raise ValueError(f"offsets holds {given[whole != given][0]}, expected whole numbers")
    if len(whole) < 2 or whole[0] != 0 or n_docs not in (None, whole[-1]):
        ends = f"{whole[0]} to {whole[-1]}" if len(whole) else "nothing"
        expected = "" if n_docs is None else f", {n_docs}"
        raise ValueError(f"offsets run from {ends}, expected from 0 to the number of documents{expected}")
    falls = np.flatnonzero(whole[1:] <= whole[:-1])
    if len(falls):
        q = int(falls[0])
        raise ValueError(
            f"offsets: query {q} runs from row {whole[q]} to {whole[q + 1]}, expected at least one document"
        )
    return whole


@njit(cache=True)
def _ranked(scores, offsets):
    rows = np.empty(len(scores), dtype=np.int64)
    for q in range(len(offsets) - 1):
        first, stop = offsets[q], offsets[q + 1]
        rows[first:stop] = first + _order(scores[first:stop], stop - first)
    return rows


@njit(cache=True)
def _order(scores, reach):
    """Rows by falling score, equal ones in the order of the input; those behind all of rank `reach` may be left out."""
    if len(scores) <= FEW:
        order = np.arange(len(scores))
        for row in range(1, len(scores)):
            place = row
            while place > 0 and scores[order[place - 1]] < scores[row]:
                order[place] = order[place - 1]
                place -= 1
            order[place] = row
        return order
    if reach > FEW or 4 * reach > len(scores):
        return np.argsort(-scores, kind="mergesort")
    best = np.sort(scores[:reach])
    for score in scores[reach:]:
        if score > best[0]:
            place = 1
            while place < reach and best[place] < score:
                best[place - 1] = best[place]
                place += 1
            best[place - 1] = score
    rows = np.flatnonzero(scores >= best[0])
    return rows[np.argsort(-scores[rows], kind="mergesort")]


@njit(cache=True)
def _dcg(grades, scores, offsets, gain_of, discounts, average):
    """(n_queries,) DCG of lists by falling score, cut off where the discounts end."""
    values = np.zeros(len(offsets) - 1)
    for q in range(len(values)):
        own, own_grades = scores[offsets[q] : offsets[q + 1]], grades[offsets[q] : offsets[q + 1]]
        order = _order(own, len(discounts))
        start = 0
        while start < min(len(order), len(discounts)):
            end, gain, discount = start, 0.0, 0.0
            while end < len(order) and (end == start or (average and own[order[end]] == own[order[start]])):
                gain += gain_of[own_grades[order[end]]]
                discount += discounts[end] if end < len(discounts) else 0.0
                end += 1
            values[q] += gain / (end - start) * discount
            start = end
    return values


@njit(cache=True)
def _ideal_dcg(grades, offsets, gain_of, discounts):
    """(n_queries,) DCG of each query's documents by falling grade, cut off where the discounts end."""
    values = np.zeros(len(offsets) - 1)
    for q in range(len(values)):
        counts = np.bincount(grades[offsets[q] : offsets[q + 1]], minlength=len(gain_of))
        rank = 0
        for grade in range(len(gain_of) - 1, -1, -1):
            for discount in discounts[rank : rank + counts[grade]]:
                values[q] += gain_of[grade] * discount
            rank += counts[grade]
    return values


@njit(cache=True)
def _precision_sum(relevant, scores, offsets, average):
    """(n_queries,) expected sum of the precisions at the relevant documents of ranked lists."""
    values = np.zeros(len(offsets) - 1)
    for q in range(len(values)):
        first, stop = offsets[q], offsets[q + 1]
        start, above = first, 0
        while start < stop:
            end = start + 1
            while average and end < stop and scores[end] == scores[start]:
                end += 1
            n, r = end - start, relevant[start:end].sum()
            for i in range(n):
                relevant_here = above + 1 + i * (r - 1) / max(n - 1, 1)
                values[q] += r / n * relevant_here / (start + i + 1 - first)
            start, above = end, above + r
    return values


def _ratio(value: np.ndarray, best: np.ndarray, fill: float) -> np.ndarray:
    return np.divide(value, best, out=np.full(len(best), fill), where=best > 0)


def _checked(grades: np.ndarray, scores: np.ndarray, offsets: np.ndarray, highest: int = 127) -> tuple[np.ndarray, ...]:
    """The arguments as the kernels take them: copied, as read-only arrays would compile anew."""
    grades, scores = np.asarray(grades), np.array(scores, dtype=np.float64)
    if grades.ndim != 1 or grades.shape != scores.shape:
        raise ValueError(f"grades has shape {grades.shape}, scores {scores.shape}: expected (n_docs,) of both")
    offsets = np.array(checked_offsets(offsets, len(grades)))
    _refuse("scores", scores, np.isnan(scores), "a number")
    whole = (grades >= 0) & (grades <= highest) & (grades == np.floor(grades))
    _refuse("grades", grades, ~whole, f"a whole number from 0 to {highest}")
    return grades.astype(np.int8 if grades.max(initial=0) <= 127 else np.int16), scores, offsets


def _refuse(argument: str, values: np.ndarray, wrong: np.ndarray, expected: str) -> None:
    if wrong.any():
        row = wrong.argmax()
        raise ValueError(f"{argument}: row {row} has {values[row]}, expected {expected}")


def _named(argument: str, name: str, choices: Mapping[str, Any]) -> Any:
    checks.one_of(argument, name, choices)
    return choices[name]
