"""Checking the arguments that all ceilings share, and turning a DCG into an nDCG."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from helpers import checks
from helpers.judging.confusion import checked
from helpers.metrics import discounts, gains


class Problem(NamedTuple):
    """Arguments as arrays: profiles (n_queries, n_grades), one matrix or one a query, discounts up to the cut-off."""

    profiles: np.ndarray
    matrices: np.ndarray
    gains: np.ndarray
    discounts: np.ndarray
    single: bool

    def ndcg(self, dcg: np.ndarray) -> float | np.ndarray:
        """The dcg (n_queries,) over that of the ideal list, NaN where that is 0; a float for a single query."""
        ends = np.minimum(self.profiles[:, ::-1].cumsum(axis=1), len(self.discounts))
        shares = np.diff(summed(self.discounts)[ends], axis=1, prepend=0)
        ideal = shares @ self.gains[::-1]
        values = np.divide(dcg, ideal, out=np.full(len(dcg), np.nan), where=ideal > 0)
        return float(values[0]) if self.single else values


def problem(counts: np.ndarray, confusion: np.ndarray, k: int | None, gain: str) -> Problem:
    """The arguments of a ceiling, counts, confusion, k and gain, checked; ValueError as the package says."""
    counts, confusion = whole("counts", counts), checked(confusion)
    _check_shapes(counts, confusion)
    profiles = np.atleast_2d(counts)
    matrices = _known_rows(profiles, confusion.reshape(-1, *confusion.shape[-2:]))
    cutoff = _checked_cutoff(k, profiles.sum(axis=1))
    return Problem(profiles, matrices, gains(np.arange(counts.shape[-1]), gain), discounts(cutoff), counts.ndim == 1)


def whole(argument: str, counts: np.ndarray) -> np.ndarray:
    """The counts as int64, or ValueError that names the argument unless they are whole numbers from 0 up."""
    array = np.asarray(counts, dtype=np.float64)
    wrong = np.argwhere(~((array >= 0) & (array == np.floor(array)) & np.isfinite(array)))
    if len(wrong):
        place = tuple(wrong[0].tolist())
        raise ValueError(f"{argument} has {array[place]} at {place}, expected whole numbers from 0 up")
    return array.astype(np.int64)


def summed(discounts: np.ndarray) -> np.ndarray:
    """Sums of the first 0, 1, 2, … discounts."""
    return np.concatenate([[0.0], np.cumsum(discounts)])


def mean(ceilings: float | np.ndarray) -> float:
    """Mean of the ceilings over the queries that have one, or ValueError where none has."""
    known = np.atleast_1d(ceilings)
    known = known[~np.isnan(known)]
    if len(known) == 0:
        raise ValueError("counts: no query has a document with a gain, expected at least one")
    return float(known.mean())


def _check_shapes(counts: np.ndarray, confusion: np.ndarray) -> None:
    many = counts.ndim == 2 and confusion.shape[:-2] in [(), counts.shape[:1]]
    one = counts.ndim == 1 and confusion.ndim == 2
    if not (many or one) or confusion.shape[-2] != counts.shape[-1]:
        raise ValueError(
            f"counts has shape {counts.shape}, confusion {confusion.shape}: expected (n_grades,) or "
            "(n_queries, n_grades), and (n_grades, n_labels) or (n_queries, n_grades, n_labels)"
        )


def _checked_cutoff(k: int | None, lengths: np.ndarray) -> int:
    """Ranks to sum over: no more than the longest list has."""
    empty = np.flatnonzero(lengths == 0)
    if len(empty) or len(lengths) == 0:
        found = f"query {empty[0]} has no document" if len(empty) else "there is no query"
        raise ValueError(f"counts: {found}, expected at least one")
    checks.cutoff("k", k)
    return int(lengths.max() if k is None else min(k, lengths.max()))


def _known_rows(profiles: np.ndarray, matrices: np.ndarray) -> np.ndarray:
    """The matrices with unknown rows filled evenly, or an error where a query has documents of such a grade."""
    unknown = np.isnan(matrices).any(axis=-1)
    wanted = np.argwhere(unknown & (profiles > 0))
    if len(wanted):
        q, i = wanted[0]
        raise ValueError(
            f"confusion: row {i} is unknown (NaN), but query {q} has {profiles[q, i]} documents of grade {i}"
        )
    return np.where(unknown[..., None], 1 / matrices.shape[-1], matrices)
