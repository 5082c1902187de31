"""What a pilot says of judging less: each of its queries judged again with fewer people and fewer documents.

y is the difference of the two rankers in nDCG by the labels of o people for the first d documents of the pool, r that
by all people and documents, f that by a machine's labels of the same d documents. All subsets of o people are gone
through where they are few, so that the mean over them is exact. Judged less, a difference shrinks, y = slope x r +
error, so that its spread in units of the whole judgment is sd(y) / slope: a query judged to a depth at which that is
1.4 times the whole one's is worth half a query.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from helpers.judging.schemes import majority_vote
from helpers.metrics.ranking import discounts, gains
from helpers.metrics.significance import jackknife_variance, t_half
from helpers.studies.budget.pilot import NOT, Pilot

DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200)
_MOST_SUBSETS = 20
OPINIONS = (1, 2, 3, 5)
FEWEST = 2
"""Queries on which two rankers differ, from which it can be told how much the next one may."""

LEAST_SLOPE = 0.05
"""Below which judging shows next to nothing of a difference, and is no plan."""


@dataclass(frozen=True, eq=False)
class Cell:
    """A pilot judged by `opinions` people to `depth`: values by query."""

    depth: int
    opinions: int
    y: np.ndarray  # (n_queries,) mean over subsets of people
    square: np.ndarray  # (n_queries,) mean of the squares over them
    whole: np.ndarray  # (n_queries,) r
    machine: np.ndarray | None  # (n_queries,) f

    def take(self, queries: np.ndarray) -> Cell:
        """The cell of these queries, row numbers."""
        machine = None if self.machine is None else self.machine[queries]
        return Cell(self.depth, self.opinions, self.y[queries], self.square[queries], self.whole[queries], machine)


@dataclass(frozen=True, eq=False)
class Measured:
    """A pilot judged again in every way."""

    cells: list[Cell]  # by opinions, and for each by depth
    cutoff: int
    judges: int  # opinions a document
    docs: int  # of a query, at most
    name: str = ""
    notes: tuple[str, ...] = ()  # how its runs were read, and what nobody judged of them

    @property
    def n_queries(self) -> int:
        """Queries of the pilot."""
        return len(self.cells[0].whole)

    def cell(self, depth: int, opinions: int = 1) -> Cell:
        """That of a depth and number of opinions which were measured."""
        return next(cell for cell in self.cells if (cell.depth, cell.opinions) == (depth, opinions))

    def take(self, queries: np.ndarray) -> Measured:
        """The same of these queries, row numbers."""
        return dataclasses.replace(self, cells=[cell.take(queries) for cell in self.cells])


def measure(
    pilot: Pilot, rng: np.random.Generator, depths: Sequence[int] = DEPTHS, opinions: Sequence[int] = OPINIONS
) -> Measured:
    """A cell for every depth up to the pilot's, and every number of people up to its judges."""
    longest = pilot.n_docs
    depths = sorted({*(d for d in depths if d < longest), longest})
    whole = differences(pilot, voted(pilot.labels), longest)
    if np.count_nonzero(whole) < FEWEST:
        same = "every query" if not whole.any() else "all queries but one"
        raise ValueError(f"pilot: the two rankers have the same nDCG on {same}, so that nothing can be told")
    found = []
    for people in (o for o in opinions if o <= pilot.n_judges):
        subsets = _subsets(pilot.n_judges, people, rng)
        grades = [voted(pilot.labels[:, :, subset]) for subset in subsets]
        for depth in depths:
            values = np.array([differences(pilot, grade, depth) for grade in grades])
            machine = None if pilot.machine is None else differences(pilot, pilot.machine, depth)
            found.append(Cell(depth, people, values.mean(axis=0), (values**2).mean(axis=0), whole, machine))
    return Measured(found, pilot.cutoff, pilot.n_judges, longest, pilot.name)


def differences(pilot: Pilot, grades: np.ndarray, depth: int) -> np.ndarray:
    """(n_queries,) first ranker's nDCG minus the second's, where only the first documents of the pool are judged."""
    gain = np.where(grades == NOT, 0.0, gains(np.maximum(grades, 0)))
    gain[:, depth:] = 0
    weights = discounts(pilot.cutoff)
    best = -np.sort(-gain, axis=1)[:, : pilot.cutoff]
    ideal = best @ weights[: best.shape[1]]
    listed = np.take_along_axis(gain[None], np.maximum(pilot.tops, 0), axis=2) * (pilot.tops != NOT)
    first, second = listed @ weights
    return np.divide(first - second, ideal, out=np.zeros(len(ideal)), where=ideal > 0)


def voted(labels: np.ndarray) -> np.ndarray:
    """(n_queries, n_docs) majority of labels (n_queries, n_docs, people), NOT where there is none."""
    flat = labels.reshape(-1, labels.shape[2])
    judged = flat[:, 0] != NOT
    found = np.full(len(flat), NOT, np.int8)
    if judged.any():
        found[judged] = majority_vote(flat[judged])
    return found.reshape(labels.shape[:2])


def _subsets(judges: int, people: int, rng: np.random.Generator) -> list[list[int]]:
    """All subsets of so many judges, or random ones where there are too many."""
    if math.comb(judges, people) <= _MOST_SUBSETS:
        return [list(subset) for subset in itertools.combinations(range(judges), people)]
    return [list(rng.permutation(judges)[:people]) for _ in range(_MOST_SUBSETS)]


class Spread(NamedTuple):
    """Of one cell, or of many samples of its queries: arrays of the same shape."""

    sd: np.ndarray  # standard deviation between queries in units of the whole judgment
    slope: np.ndarray  # what is seen of a difference
    bias: np.ndarray  # mean of y / slope - r
    rho: np.ndarray  # correlation of y and f over queries; NaN without a machine


def spread(cell: Cell, queries: np.ndarray | slice = slice(None)) -> Spread:
    """The spread of a cell over samples of its queries, row numbers (..., n); all queries once."""
    # the variance over queries of one subset of people, averaged over subsets drawn for each query by itself
    y, square, r = cell.y[queries], cell.square[queries], cell.whole[queries]
    n = y.shape[-1]
    within = (square - y**2).sum(axis=-1)
    total = (square.sum(axis=-1) - (y.sum(axis=-1) ** 2 + within) / n) / (n - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = (y * r).sum(axis=-1) / (r**2).sum(axis=-1)
        rho = np.full_like(slope, np.nan)
        if cell.machine is not None:
            f = cell.machine[queries]
            common = ((y - y.mean(axis=-1, keepdims=True)) * f).sum(axis=-1) / (n - 1)
            rho = common / np.sqrt(total * f.var(axis=-1, ddof=1))
        sd = np.sqrt(np.maximum(total, 0)) / slope
        return Spread(sd, slope, y.mean(axis=-1) / slope - r.mean(axis=-1), rho)


def left_out(n: int) -> np.ndarray:
    """(n, n - 1) row numbers: all but one, for each one."""
    return np.array([np.delete(np.arange(n), q) for q in range(n)])


def interval(cell: Cell, of: Callable[[Spread], np.ndarray], log: bool = False) -> tuple[float, float]:
    """The jackknife interval over queries of a quantity of the spread (Miller 1974), on its logarithm if asked for."""
    value, error = jackknife(cell, of, log)
    wide = t_half(error, len(cell.y) - 1)
    ends = np.array([value - wide, value + wide])
    low, high = np.exp(ends) if log else ends
    return float(low), float(high)


def jackknife(cell: Cell, of: Callable[[Spread], np.ndarray], log: bool = False) -> tuple[float, float]:
    """The value of `interval` and its standard error, both of the logarithm where asked for."""
    n = len(cell.y)
    scale = np.log if log else np.asarray
    with np.errstate(divide="ignore", invalid="ignore"):  # where hardly a query differs there is no interval: NaN
        value, without = scale(of(spread(cell))), scale(of(spread(cell, left_out(n))))
        error = np.sqrt(jackknife_variance(without))
    return float(value), float(error)


@functools.lru_cache(maxsize=4096)
def bias_size(cell: Cell) -> float:
    """The size of a cell's bias as far as its pilot knows it: the root of the square of bias and standard error."""
    value, error = jackknife(cell, lambda seen: seen.bias)
    return float(np.hypot(value, error))


def between_and_judge(cell: Cell, judges: int) -> tuple[float, float]:
    """Variance between queries and that which judges add, of a cell of single opinions of so many judges."""
    if judges < 2:
        raise ValueError("pilot: no document was judged by two people, so that what judges add cannot be told")
    within = float((cell.square - cell.y**2).mean() * judges / (judges - 1))
    return float(cell.y.var(ddof=1) - within / judges), within
