"""What a pilot says of judging less: each of its queries judged again with fewer people and fewer documents.

y is the difference of two rankers in nDCG by the labels of o people for the first d documents of the pool, r that by
all people and documents, f that by a machine's labels of the same d documents. All subsets of o people are gone through
where they are few, so that the mean over them is exact. Judged less, a difference shrinks, y = slope x r + error, so
that its spread in units of the whole judgment is sd(y) / slope: a query judged to a depth at which that is 1.4 times
the whole one's is worth half a query.

Samples of the queries are weights: how often each of them is in the sample. The jackknife's are 1 but for a single 0.
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

from helpers.metrics.significance import jackknife_variance, t_half
from helpers.studies.budget.pilot import Pilot, scores, voted

DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200)
_MOST_SUBSETS = 20
OPINIONS = (1, 2, 3, 5)
FEWEST = 3
"""Queries on which two rankers differ, from which it can be told how much the next one may, and how surely."""

LEAST_SLOPE = 0.05
"""Below which judging shows next to nothing of a difference, and is no plan."""


@dataclass(frozen=True, eq=False)
class Cell:
    """A pilot judged by `opinions` people to `depth`: values by pair of rankers and query."""

    depth: int
    opinions: int
    y: np.ndarray  # (n_pairs, n_queries) mean over subsets of people
    square: np.ndarray  # (n_pairs, n_queries) mean of the squares over them
    whole: np.ndarray  # (n_pairs, n_queries) r
    machine: np.ndarray | None  # (n_pairs, n_queries) f

    def take(self, queries: np.ndarray) -> Cell:
        """The cell of these queries, row numbers."""
        values = (self.y, self.square, self.whole, self.machine)
        return Cell(self.depth, self.opinions, *(v if v is None else v[..., queries] for v in values))


@dataclass(frozen=True, eq=False)
class Measured:
    """A pilot judged again in every way."""

    cells: list[Cell]  # by opinions, and for each by depth
    cutoff: int
    judges: int  # opinions a document
    docs: int  # of a query, at most
    name: str = ""
    pairs: tuple[tuple[str, str], ...] = (("first", "second"),)  # of rankers that are compared

    @property
    def n_queries(self) -> int:
        """Queries of the pilot."""
        return self.cells[0].whole.shape[-1]

    @functools.cached_property
    def stacked(self) -> Cell:
        """All cells as one: values (n_cells, n_pairs, n_queries)."""
        y, square, whole = (np.stack([getattr(cell, n) for cell in self.cells]) for n in ("y", "square", "whole"))
        known = self.cells[0].machine is not None
        return Cell(0, 0, y, square, whole, np.stack([cell.machine for cell in self.cells]) if known else None)

    def cell(self, depth: int, opinions: int = 1) -> Cell:
        """That of a depth and number of opinions which were measured."""
        return next(cell for cell in self.cells if (cell.depth, cell.opinions) == (depth, opinions))

    def take(self, queries: np.ndarray) -> Measured:
        """The same of these queries, row numbers."""
        return dataclasses.replace(self, cells=[cell.take(queries) for cell in self.cells])


def measure(
    pilot: Pilot, rng: np.random.Generator, depths: Sequence[int] = DEPTHS, opinions: Sequence[int] = OPINIONS
) -> Measured:
    """A cell for every depth up to the pilot's, and every number of people up to its judges, of every two rankers.

    Rankers that have the same nDCG on all queries but two are no pair: nothing can be told of them.
    """
    longest = pilot.n_docs
    depths = sorted({*(d for d in depths if d < longest), longest})
    pairs = np.array(list(itertools.combinations(range(len(pilot.tops)), 2)))

    def between(grades: np.ndarray, depth: int) -> np.ndarray:
        found = scores(pilot, grades, depth)
        return found[pairs[:, 0]] - found[pairs[:, 1]]

    whole = between(voted(pilot.labels), longest)
    differ = np.count_nonzero(whole, axis=1)
    told = differ >= FEWEST
    if not told.any():
        same = ("every query", "all queries but one", "all queries but two")[differ.max()]
        who = "the two rankers have" if len(pairs) == 1 else "any two rankers have"
        raise ValueError(f"pilot: {who} the same nDCG on {same}, so that nothing can be told")
    pairs, whole = pairs[told], whole[told]
    found = []
    for people in (o for o in opinions if o <= pilot.n_judges):
        subsets = _subsets(pilot.n_judges, people, rng)
        grades = [voted(pilot.labels[:, :, subset]) for subset in subsets]
        for depth in depths:
            values = np.array([between(grade, depth) for grade in grades])
            machine = None if pilot.machine is None else between(pilot.machine, depth)
            found.append(Cell(depth, people, values.mean(axis=0), (values**2).mean(axis=0), whole, machine))
    names = tuple((pilot.runs[one], pilot.runs[other]) for one, other in pairs)
    return Measured(found, pilot.cutoff, pilot.n_judges, longest, pilot.name, pairs=names)


def differences(pilot: Pilot, grades: np.ndarray, depth: int) -> np.ndarray:
    """(n_queries,) first ranker's nDCG minus the second's, where only the first documents of the pool are judged."""
    first, second = scores(pilot, grades, depth)[:2]
    return first - second


def _subsets(judges: int, people: int, rng: np.random.Generator) -> list[list[int]]:
    """All subsets of so many judges, or random ones where there are too many."""
    if math.comb(judges, people) <= _MOST_SUBSETS:
        return [list(subset) for subset in itertools.combinations(range(judges), people)]
    return [list(rng.permutation(judges)[:people]) for _ in range(_MOST_SUBSETS)]


class Spread(NamedTuple):
    """Of a cell, or many, and of samples of its queries: arrays of the same shape, NaN where queries do not tell."""

    sd: np.ndarray  # standard deviation between queries in units of the whole judgment
    slope: np.ndarray  # what is seen of a difference
    bias: np.ndarray  # mean of y / slope - r
    error: np.ndarray  # standard error of the bias
    rho: np.ndarray  # correlation of y and f over queries; NaN without a machine


def spread(cell: Cell, weights: np.ndarray | None = None) -> Spread:
    """The spread of a cell (..., n_queries) in samples of its queries.

    The error of the bias is that of the infinitesimal jackknife (Jaeckel 1972). NaN stands where the samples show a
    difference at this depth on a single query or none: the bias cannot be known.

    Parameters
    ----------
    cell : or many, stacked
    weights : (..., n_queries) how often each query is in each sample; without them every query is once

    Returns
    -------
    arrays of the cell's shape, without its queries, and of that of the samples
    """
    y, r = cell.y, np.broadcast_to(cell.whole, cell.y.shape)
    weights = np.ones(y.shape[-1]) if weights is None else np.asarray(weights, float)
    n = weights.sum(axis=-1)
    terms = np.stack([y, y * r, r**2, r])
    sums = terms @ weights.T
    squares = (terms[:, None] * terms) @ weights.T
    # the variance over queries of one subset of people, averaged over subsets drawn for each query by itself
    within = cell.square @ weights.T - squares[0, 0]
    total = (squares[0, 0] + within - (sums[0] ** 2 + within) / n) / (n - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = sums[1] / sums[2]
        bias = (sums[0] / slope - sums[3]) / n
        # the influence of a query on the bias is `parts` times its terms, less the bias
        pull = sums[0] / slope / sums[2]
        parts = np.stack([1 / slope, -pull / slope, pull, -np.ones_like(pull)])
        around = np.einsum("i...,ij...,j...->...", parts, squares, parts) - n * bias**2
        error = np.sqrt(np.maximum(around, 0) / (n * (n - 1)))
        rho = np.full_like(slope, np.nan)
        if cell.machine is not None:
            f = cell.machine
            own, square, common = (values @ weights.T for values in (f, f**2, y * f))
            rho = (common - sums[0] * own / n) / (n - 1) / np.sqrt(total * (square - own**2 / n) / (n - 1))
        known = ((y != 0) @ (weights > 0).T.astype(float)) >= FEWEST - 1
        sd = np.sqrt(np.maximum(total, 0)) / slope
    return Spread(*(np.where(known, values, np.nan) for values in (sd, slope, bias, error, rho)))


def interval(of: Callable[[np.ndarray], np.ndarray], n: int) -> tuple[float, float, float]:
    """A function of weights (..., n) of n queries where all are 1, and its jackknife interval (Miller 1974)."""
    value, error = jackknife(of, n)
    wide = t_half(error, n - 1)
    return value, value - wide, value + wide


def jackknife(of: Callable[[np.ndarray], np.ndarray], n: int) -> tuple[float, float]:
    """The value of `interval` and its standard error."""
    with np.errstate(divide="ignore", invalid="ignore"):  # where hardly a query differs there is no interval: NaN
        value, without = of(np.ones(n)), of(1 - np.eye(n))
        return float(value), float(np.sqrt(jackknife_variance(without)))
