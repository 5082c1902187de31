"""Rules of thumb for spending a budget on people's judgments, with where they are said."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from helpers.studies.budget.costs import Costs


class Page(NamedTuple):
    """What a rule looks at: the cut-off of the measure, opinions to be had, and documents a query."""

    cutoff: int
    judges: int
    docs: int


class Habit(NamedTuple):
    """A rule of thumb.

    Attributes
    ----------
    rule : in words
    source : who says so
    shape : of page, costs and budget: queries, depth and opinions, or None where the money or the judges do not do
    """

    rule: str
    source: str
    shape: Callable[[Page, Costs, float], tuple[int, int, int] | None]


def _queries(n: int) -> Callable[[Page, Costs, float], tuple[int, int, int] | None]:
    """So many queries, as deep as the money goes."""

    def shape(page: Page, costs: Costs, budget: float) -> tuple[int, int, int] | None:
        left = budget / n - costs.query
        depth = page.docs if costs.judgment == 0 else int(left / costs.judgment + 1e-9)
        return (n, min(depth, page.docs), 1) if left >= costs.judgment else None

    return shape


def _depth(times: float, opinions: int = 1, most: int | None = None) -> Callable:
    """So many times the page deep, by so many people, as many queries as the money buys, or at most so many."""

    def shape(page: Page, costs: Costs, budget: float) -> tuple[int, int, int] | None:
        depth = max(1, min(int(times * page.cutoff), page.docs))
        queries = int(budget / costs.of_query(depth, opinions) + 1e-9)
        return (min(queries, most or queries), depth, opinions) if opinions <= page.judges else None

    return shape


def _hundred(page: Page, costs: Costs, budget: float) -> tuple[int, int, int] | None:
    """A hundred judgments, a page of each query."""
    depth = min(page.cutoff, page.docs)
    queries = 100 // depth
    return (queries, depth, 1) if queries * costs.of_query(depth, 1) <= budget else None


FIFTY = "fifty queries, as deep as the money goes"
USUAL = "fifty queries to depth 20"
TWICE = "twice the depth of the page"
TEN = "pools of depth ten"
THREE = "three opinions and a majority"
ONE = "one opinion and more queries"
HUNDRED = "a hundred judgments"


TWICE_DOCS, TEN_DOCS = 3, 1.5
"""Documents in the top of two rankers together, of which half of the second's are the first's, in pages."""


def _usual(page: Page, costs: Costs, budget: float) -> tuple[int, int, int] | None:
    """Fifty queries to depth 20, where the money buys them."""
    depth = min(20, page.docs)
    return (50, depth, 1) if 50 * costs.of_query(depth, 1) <= budget else None


HABITS = (
    Habit(FIFTY, "TREC's custom", _queries(50)),
    Habit(USUAL, "TREC's custom", _usual),
    Habit(TWICE, "OpenSearch, project-website 3503", _depth(TWICE_DOCS)),
    Habit(TEN, "TREC's pools, of two rankers", _depth(TEN_DOCS)),
    Habit(THREE, "common in crowdsourcing", _depth(1, 3)),
    Habit(ONE, "Kumar and Lease 2011", _depth(1)),
    Habit(HUNDRED, "Quepid's documentation", _hundred),
)
