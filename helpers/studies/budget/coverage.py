"""Whether the intervals of a pilot's spread hold what they should."""

from __future__ import annotations

import numpy as np
from scipy import stats

from helpers.studies.budget.resampling import Measured
from helpers.studies.budget.spread import LEVEL, jackknife


def held_out(measured: Measured, queries: int, draws: int, rng: np.random.Generator, *, depth: int) -> float:
    """Share of random halves of a pilot whose spreads differ by no more than the intervals of both allow.

    Parameters
    ----------
    measured : a pilot
    queries : taken for the one part; the rest is held out
    draws : of halves
    rng : draws them
    depth : to which the queries are judged, by one person
    """
    cell = measured.cell(depth)
    agree = []
    for _ in range(draws):
        order = rng.permutation(measured.n_queries)
        parts = [cell.take(order[:queries]), cell.take(order[queries:])]
        (one, error), (other, other_error) = (jackknife(part, lambda seen: seen.sd, log=True) for part in parts)
        wide = stats.t.ppf((1 + LEVEL) / 2, min(len(part.y) for part in parts) - 1) * np.hypot(error, other_error)
        agree.append(abs(one - other) <= wide)
    return float(np.mean(agree))
