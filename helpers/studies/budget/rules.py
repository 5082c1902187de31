"""Rules of thumb held against real collections: what each promises, what was measured, and a computed verdict."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy import stats

from helpers.metrics import power
from helpers.studies.budget.costs import Costs
from helpers.studies.budget.resampling import Measured
from helpers.studies.budget.spread import LEVEL, interval, left_out, spread

COLUMNS = ["rule", "source", "asked", "collection", "measured", "low", "high", "verdict"]
HOLDS, FAILS, UNDECIDED = "holds", "does not hold", "undecided"

ENOUGH = 0.05
"""Difference in nDCG that a comparison is to see."""

START = 0.1
"""Difference that a first comparison is to see."""

KEPT = 0.9
"""Of the queries' worth that judging less may not fall below."""

STANDS_FOR = 0.9
"""Correlation of the differences from which one judge stands for another."""

COSTS = Costs(5, 1)
PAGE = 10


def verdict(low: float, high: float, edge: float, above: bool) -> str:
    """Whether an interval lies on the right side of an edge.

    Parameters
    ----------
    low, high : the interval
    edge : that it is held against
    above : which side is right

    Examples
    --------
    >>> verdict(0.02, 0.04, 0.05, above=False), verdict(0.04, 0.06, 0.05, above=False)
    ('holds', 'undecided')
    """
    sides = (low > edge, high < edge) if above else (high < edge, low > edge)
    return HOLDS if sides[0] else FAILS if sides[1] else UNDECIDED


def table(pilots: Mapping[str, Measured], judges: pd.DataFrame) -> pd.DataFrame:
    """Every rule on every collection that can answer it: frame of COLUMNS.

    Parameters
    ----------
    pilots : collection -> what was measured on it
    judges : frame collection, first, second, kappa, rho, queries, of every two judges
    """
    rows = [row for name, measured in pilots.items() for row in _of_pilot(name, measured)]
    rows += [row for name, pairs in judges.groupby("collection", sort=False) for row in _kappa(name, pairs)]
    return pd.DataFrame([*rows, *_machine(judges)], columns=COLUMNS).sort_values(
        "rule", kind="stable", ignore_index=True
    )


def _of_pilot(name: str, measured: Measured) -> list[dict]:
    rows = [
        _seen("fifty queries are enough", "TREC's custom", name, measured, 50, measured.docs, ENOUGH),
        _seen("200 queries are enough", "a consultancy's page", name, measured, 200, measured.docs, ENOUGH),
        _seen("a hundred judgments are a solid start", "Quepid's documentation", name, measured, 10, PAGE, START),
        _worth("judge to twice the depth of the page", "OpenSearch, project-website 3503", name, measured, 30),
        _worth("pools of depth ten", "TREC's pools", name, measured, 15),
    ]
    return rows + (_opinions(name, measured) if measured.judges >= 3 else [])


def _depth(measured: Measured, wanted: int) -> int:
    """The deepest that was measured down to what is wanted."""
    return max(cell.depth for cell in measured.cells if cell.depth <= max(wanted, 2))


def _seen(rule: str, source: str, name: str, measured: Measured, n: int, docs: int, edge: float) -> dict:
    """Whether n queries see a difference."""
    cell = measured.cell(_depth(measured, docs))
    factor = power.detectable(1.0, n)
    low, high = (factor * end for end in interval(cell, lambda seen: seen.sd, log=True))
    asked = f"sees a difference of {edge} nDCG@{measured.cutoff}"
    return _row(rule, source, asked, name, factor * float(spread(cell).sd), low, high, edge, above=False)


def _worth(rule: str, source: str, name: str, measured: Measured, docs: int) -> dict:
    """What a query is worth that is judged less deep, as a share of one judged whole."""
    value, low, high = ratio(measured, (_depth(measured, docs), 1), (measured.docs, 1), 1.0)
    return _row(rule, source, f"a query keeps {KEPT:.0%} of its worth", name, value, low, high, KEPT, above=True)


def _opinions(name: str, measured: Measured) -> list[dict]:
    """What money buys of one opinion, as a share of what it buys of three, to the depth of a page."""
    depth = _depth(measured, PAGE)
    price = COSTS.of_query(depth, 3) / COSTS.of_query(depth, 1)
    value, low, high = ratio(measured, (depth, 1), (depth, 3), price)
    asked = "worth of one opinion over that of three for the same money"
    rules = (("one opinion and more queries", "Kumar and Lease 2011"), ("three opinions and a majority", "common"))
    ends = ((value, low, high, 1.0, True), (value, low, high, 1.0, False))
    return [_row(*rule, asked, name, *end) for rule, end in zip(rules, ends, strict=True)]


def ratio(measured: Measured, one: tuple[int, int], other: tuple[int, int], price: float) -> tuple[float, ...]:
    """price x (sd of the other / sd of the one)^2 with its jackknife interval.

    Parameters
    ----------
    measured : a pilot
    one, other : depth and opinions of the cells that are compared
    price : factor, above 0
    """
    cells = [measured.cell(*shape) for shape in (one, other)]

    def of(queries: np.ndarray | slice) -> np.ndarray:
        first, second = (spread(cell, queries).sd for cell in cells)
        return np.log(price) + 2 * np.log(second / first)

    n = measured.n_queries
    value, without = float(of(slice(None))), of(left_out(n))
    wide = stats.t.ppf((1 + LEVEL) / 2, n - 1) * math.sqrt((n - 1) * without.var())
    return tuple(math.exp(end) for end in (value, value - wide, value + wide))


def _kappa(name: str, pairs: pd.DataFrame) -> list[dict]:
    """How well the differences of the two judges with the highest kappa go together, where that is above .6."""
    best = pairs.loc[pairs["kappa"].idxmax()]
    rule, source = "kappa above .6 is good enough", "a list of search tools"
    asked = f"differences by two judges correlate at {STANDS_FOR}; their kappa is {best['kappa']:.2f}"
    if best["kappa"] < 0.6:
        row = _row(rule, source, asked, name, best["rho"], *_fisher(best["rho"], best["queries"]), STANDS_FOR, True)
        return [row | {"verdict": "not asked, as no kappa is above .6"}]
    return [_row(rule, source, asked, name, best["rho"], *_fisher(best["rho"], best["queries"]), STANDS_FOR, True)]


def _machine(judges: pd.DataFrame) -> list[dict]:
    """The correlation of a model's differences with a person's, minus that of a second person's, elsewhere."""
    models = judges[judges["second"] == "UMBRELA"]
    people = judges[judges["second"] != "UMBRELA"].groupby("collection")[["rho", "queries"]].median()
    rows = []
    for model in models.itertuples():
        for collection, other in people.iterrows():
            gap = math.atanh(model.rho) - math.atanh(other["rho"])
            error = math.sqrt(1 / (model.queries - 3) + 1 / (other["queries"] - 3))
            wide = stats.norm.ppf((1 + LEVEL) / 2) * error
            ends = [_of_gap(end, other["rho"]) for end in (gap, gap - wide, gap + wide)]
            where = f"{model.collection}, people of {collection}"
            asked = "correlation of differences with a person's, minus a second person's"
            rule = "a language model is as good as a second person"
            rows.append(_row(rule, "common", asked, where, *ends, 0.0, above=True))
    return rows


def _of_gap(gap: float, rho: float) -> float:
    return math.tanh(math.atanh(rho) + gap) - rho


def _fisher(rho: float, n: float) -> tuple[float, float]:
    """The interval of a correlation over n queries by Fisher's transformation.

    >>> tuple(round(end, 2) for end in _fisher(0.67, 53))
    (0.49, 0.8)
    """
    wide = stats.norm.ppf((1 + LEVEL) / 2) / math.sqrt(n - 3)
    return math.tanh(math.atanh(rho) - wide), math.tanh(math.atanh(rho) + wide)


def _row(
    rule: str, source: str, asked: str, name: str, value: float, low: float, high: float, edge: float, above: bool
) -> dict:
    said = verdict(low, high, edge, above)
    return dict(zip(COLUMNS, (rule, source, asked, name, value, low, high, said), strict=True))
