"""Rules of thumb for spending a budget to measure, with who says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from helpers.studies.budget.costs import Costs


class Page(NamedTuple):
    """What a rule to measure looks at: the cut-off of the measure, opinions to be had, and documents a query."""

    cutoff: int
    judges: int
    docs: int


class Rule(NamedTuple):
    """A rule of thumb: queries, depth and opinions, None where the money or the judges do not do."""

    name: str
    source: str
    to_measure: Callable[[Page, Costs, float], tuple[int, int, int] | None]


def _queries(n: int) -> Callable[[Page, Costs, float], tuple[int, int, int] | None]:
    """So many queries, as deep as the money goes."""

    def shape(page: Page, costs: Costs, budget: float) -> tuple[int, int, int] | None:
        left = budget / n - costs.query
        depth = page.docs if costs.judgment == 0 else int(left / costs.judgment + 1e-9)
        return (n, min(depth, page.docs), 1) if left >= costs.judgment else None

    return shape


def _depth(times: float, opinions: int = 1) -> Callable[[Page, Costs, float], tuple[int, int, int] | None]:
    """So many times the page deep, by so many people, as many queries as the money buys."""

    def shape(page: Page, costs: Costs, budget: float) -> tuple[int, int, int] | None:
        depth = max(1, min(int(times * page.cutoff), page.docs))
        queries = int(budget / costs.of_query(depth, opinions) + 1e-9)
        return (queries, depth, opinions) if opinions <= page.judges else None

    return shape


def _hundred(page: Page, costs: Costs, budget: float) -> tuple[int, int, int] | None:
    """A hundred judgments, a page of each query."""
    depth = min(page.cutoff, page.docs)
    queries = 100 // depth
    return (queries, depth, 1) if queries * costs.of_query(depth, 1) <= budget else None


def _usual(page: Page, costs: Costs, budget: float) -> tuple[int, int, int] | None:
    """Fifty queries to depth 20, where the money buys them."""
    depth = min(20, page.docs)
    return (50, depth, 1) if 50 * costs.of_query(depth, 1) <= budget else None


USUAL = "fifty queries to depth 20"
_CUSTOM, _PAGE = "TREC's custom", "OpenSearch, project-website 3503"
_TWICE_DOCS, _TEN_DOCS = 3, 1.5
"""Documents in the top of two rankers together, of which half of the second's are the first's, in pages."""

TO_MEASURE = (
    Rule("fifty queries, as deep as the money goes", _CUSTOM, _queries(50)),
    Rule(USUAL, _CUSTOM, _usual),
    Rule("twice the depth of the page", _PAGE, _depth(_TWICE_DOCS)),
    Rule("pools of depth ten", "TREC's pools, of two rankers", _depth(_TEN_DOCS)),
    Rule("three opinions and a majority", "common in crowdsourcing", _depth(1, 3)),
    Rule("one opinion and more queries", "Kumar and Lease 2011", _depth(1)),
    Rule("a hundred judgments", "Quepid's documentation", _hundred),
)
