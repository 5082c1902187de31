"""What a pilot says of judging less: each of its queries judged again with fewer people and fewer documents.

y is the difference of the two rankers in nDCG by the labels of o people for the first d documents of the pool, r that
by all people and documents, f that by a machine's labels of the same d documents. All subsets of o people are gone
through where they are few, so that the mean over them is exact.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from helpers.judging.schemes import majority_vote
from helpers.metrics.ranking import discounts, gains
from helpers.studies.budget.pilot import NOT, Pilot

DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200)
MOST_SUBSETS = 20
OPINIONS = (1, 2, 3, 5)
FEWEST = 2
"""Queries on which two rankers differ, from which it can be told how much the next one may."""


@dataclass(frozen=True, eq=False)
class Cell:
    """A pilot judged by `opinions` people to `depth`: values by query.

    Attributes
    ----------
    y : (n_queries,) mean over subsets of people
    square : (n_queries,) mean of the squares over them
    whole : (n_queries,) r
    machine : (n_queries,) f, or None
    """

    depth: int
    opinions: int
    y: np.ndarray
    square: np.ndarray
    whole: np.ndarray
    machine: np.ndarray | None

    def take(self, queries: np.ndarray) -> Cell:
        """The cell of these queries, row numbers."""
        machine = None if self.machine is None else self.machine[queries]
        return Cell(self.depth, self.opinions, self.y[queries], self.square[queries], self.whole[queries], machine)


@dataclass(frozen=True, eq=False)
class Measured:
    """A pilot judged again in every way.

    Attributes
    ----------
    cells : by opinions, and for each by depth
    cutoff : of nDCG
    judges, docs : opinions a document and documents a query, at most
    name : of the data
    notes : sentences that say how its runs were read, and what nobody judged of them
    """

    cells: list[Cell]
    cutoff: int
    judges: int
    docs: int
    name: str = ""
    notes: tuple[str, ...] = ()

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
    """A cell for every depth up to the pilot's, and every number of people up to its judges.

    Parameters
    ----------
    pilot : the judgments and lists
    rng : draws subsets of people where there are more than 20 of them
    depths, opinions : documents a query and people a document; the pilot's own depth is always among the first

    Raises
    ------
    ValueError
        where the two rankers have the same nDCG on every query, or on all but one.
    """
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
    """(n_queries,) first ranker's nDCG minus the second's, where only the first documents of the pool are judged.

    Parameters
    ----------
    pilot : the lists
    grades : (n_queries, n_docs) in the order of the pool, NOT where there is none
    depth : documents a query that count, the others as grade 0
    """
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
    if math.comb(judges, people) <= MOST_SUBSETS:
        return [list(subset) for subset in itertools.combinations(range(judges), people)]
    return [list(rng.permutation(judges)[:people]) for _ in range(MOST_SUBSETS)]
