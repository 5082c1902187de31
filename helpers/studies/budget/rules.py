"""Rules of thumb held against real collections: what each promises, what was measured, and a computed verdict."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy import stats

from helpers.metrics import power
from helpers.metrics.significance import LEVEL
from helpers.reporting import verdicts
from helpers.studies.budget import stored
from helpers.studies.budget.costs import Costs
from helpers.studies.budget.resampling import Measured, interval, spread

COLUMNS = ["rule", "source", "asked", "collection", "at", "measured", "low", "high", "verdict"]
NOT_ASKED = "not asked"

COSTS = Costs(5, 1)
_PAGE = 10
_GOOD_KAPPA, _GOOD_AGREEMENT = 0.6, 0.85

FIFTY, TWO_HUNDRED, _HUNDRED = (
    "fifty queries are enough",
    "200 queries are enough",
    "a hundred judgments are a solid start",
)
_TWICE, TEN, ONE = "judge to twice the depth of the page", "pools of depth ten", "one opinion and more queries"
KAPPA, AGREEMENT = "kappa above .6 is good enough", "fifty labels that agree in .85 of cases are enough"
ITEMS, MODEL = "100 items decide the alternative annotator test", "a language model is as good as a second person"


def table(
    pilots: Mapping[str, Measured], judges: pd.DataFrame, items: Mapping[str, pd.DataFrame] | None = None
) -> pd.DataFrame:
    """Every rule on every collection that can answer it: frame of COLUMNS."""
    rows = [row for name, measured in pilots.items() for row in _of_pilot(name, measured)]
    for name, pairs in judges.groupby("collection", sort=False):
        rows += [
            _good_enough(KAPPA, name, pairs, "kappa", _GOOD_KAPPA),
            _good_enough(AGREEMENT, name, pairs, "agreement", _GOOD_AGREEMENT),
        ]
    rows += [_items(name, found) for name, found in (items or {}).items() if len(found)]
    found = pd.DataFrame([*rows, *_machine(judges)], columns=COLUMNS)
    return found.sort_values("rule", kind="stable", ignore_index=True)


def tested(pilots: Mapping[str, Measured]) -> pd.DataFrame:
    """Every rule of thumb on pilots, with the stored tables of those that are stored: frame of COLUMNS."""
    kept = {name: stored.tables(name) for name in stored.pilots() if name in pilots}
    pairs = pd.concat([tables["judges"] for tables in kept.values()], ignore_index=True)
    return table(pilots, pairs, {name: tables["items"] for name, tables in kept.items() if "items" in tables})


def claims(pilots: Mapping[str, Measured]) -> pd.DataFrame:
    """The verdicts of pilots on the claims of study 5."""
    found = tested(pilots)
    rows = [verdicts.from_comparisons("05", comparisons(found, name), name, verdicts.REAL) for name in pilots]
    return verdicts.verdicts(pd.concat(rows, ignore_index=True))


def comparisons(table: pd.DataFrame, collection: str) -> pd.DataFrame:
    """Rows of a collection as verdicts on claims take them: frame ranker, question, at, difference, low, high."""
    rows = table[(table["collection"] == collection) & (table["verdict"] != NOT_ASKED)]
    names = {"rule": "question", "measured": "difference"}
    return rows.rename(columns=names).assign(ranker="")[["ranker", "question", "at", "difference", "low", "high"]]


def _of_pilot(name: str, measured: Measured) -> list[dict]:
    rows = [
        _seen(FIFTY, name, measured, 50, measured.docs),
        _seen(TWO_HUNDRED, name, measured, 200, measured.docs),
        _seen(_HUNDRED, name, measured, 10, _PAGE),
        _worth(_TWICE, name, measured, 30),
        _worth(TEN, name, measured, 15),
    ]
    return rows + (_opinions(name, measured) if measured.judges >= 3 else [])


def _depth(measured: Measured, wanted: int) -> int:
    """The deepest that was measured down to what is wanted."""
    return max(cell.depth for cell in measured.cells if cell.depth <= max(wanted, 2))


def _seen(rule: str, name: str, measured: Measured, n: int, docs: int) -> dict:
    """The difference that n queries see."""
    cell, factor = measured.cell(_depth(measured, docs)), power.detectable(1.0, n)
    ends = interval(lambda weights: np.log(factor * np.median(spread(cell, weights).sd, axis=0)), measured.n_queries)
    return _row(rule, name, *np.exp(ends))


def _worth(rule: str, name: str, measured: Measured, docs: int) -> dict:
    """What a query is worth that is judged less deep, as a share of one judged whole."""
    return _row(rule, name, *ratio(measured, (_depth(measured, docs), 1), (measured.docs, 1), 1.0))


def _opinions(name: str, measured: Measured) -> list[dict]:
    """What money buys of one opinion, over what it buys of three, to the depth of a page."""
    depth = _depth(measured, _PAGE)
    price = COSTS.of_query(depth, 3) / COSTS.of_query(depth, 1)
    ends = [end - 1 for end in ratio(measured, (depth, 1), (depth, 3), price)]
    return [_row(ONE, name, *ends)]


def ratio(measured: Measured, one: tuple[int, int], other: tuple[int, int], price: float) -> tuple[float, ...]:
    """price x (sd of the other / sd of the one)^2, the median over pairs, with its jackknife interval."""

    def of(weights: np.ndarray) -> np.ndarray:
        first, second = (spread(measured.cell(*shape), weights).sd for shape in (one, other))
        return np.median(np.log(price) + 2 * np.log(second / first), axis=0)

    return tuple(np.exp(interval(of, measured.n_queries)))


def _good_enough(rule: str, name: str, pairs: pd.DataFrame, column: str, edge: float) -> dict:
    """How well the differences of the two judges go together who agree best; not asked where that is below the edge."""
    best = pairs.loc[pairs[column].idxmax()]
    row = _row(rule, name, best["rho"], *_fisher(best["rho"], best["queries"]), at=f"{best[column]:.2f}")
    return row if best[column] >= edge else row | {"verdict": NOT_ASKED}


def _items(name: str, found: pd.DataFrame) -> dict:
    """Share of the samples of the most documents that decide as all do; the interval is that of the draws alone."""
    most = found[found["items"] == found["items"].max()]
    share, draws = most["same"].mean(), most["draws"].sum()
    low, high = stats.binomtest(round(share * draws), int(draws)).proportion_ci(LEVEL, "wilson")
    return _row(ITEMS, name, share, low, high)


def _machine(judges: pd.DataFrame) -> list[dict]:
    """The correlation of a second person's differences with a person's, elsewhere, less that of a model's."""
    models = judges[judges["second"] == "UMBRELA"]
    people = judges[judges["second"] != "UMBRELA"].groupby("collection")[["rho", "queries"]].median()
    rows = []
    for model in models.itertuples():
        for collection, other in people.iterrows():
            gap = math.atanh(model.rho) - math.atanh(other["rho"])
            error = math.sqrt(1 / (model.queries - 3) + 1 / (other["queries"] - 3))
            wide = stats.norm.ppf((1 + LEVEL) / 2) * error
            ends = [-_of_gap(end, other["rho"]) for end in (gap, gap + wide, gap - wide)]
            rows.append(_row(MODEL, model.collection, *ends, at=f"people of {collection}"))
    return rows


def _of_gap(gap: float, rho: float) -> float:
    return math.tanh(math.atanh(rho) + gap) - rho


def _fisher(rho: float, n: float) -> tuple[float, float]:
    """The interval of a correlation over n queries by Fisher's transformation."""
    wide = stats.norm.ppf((1 + LEVEL) / 2) / math.sqrt(n - 3)
    return math.tanh(math.atanh(rho) - wide), math.tanh(math.atanh(rho) + wide)


def _row(rule: str, name: str, value: float, low: float, high: float, at: str = "") -> dict:
    """A row with the verdict on the rule's claim."""
    [claim] = verdicts.claims().query("question == @rule").to_dict("records")
    said = verdicts.word(claim["says"], low, high, claim["value"], claim["margin"])
    row = (rule, claim["where"], claim["words"], name, at, value, low, high, said)
    return dict(zip(COLUMNS, row, strict=True))
