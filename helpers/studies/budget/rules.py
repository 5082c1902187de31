"""Rules of thumb held against real collections: what each promises, and what was measured."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy import stats

from helpers.engine import results
from helpers.metrics import power
from helpers.metrics.significance import LEVEL
from helpers.reporting import verdicts
from helpers.studies.budget import stored
from helpers.studies.budget.costs import Costs
from helpers.studies.budget.resampling import Measured, Spread, interval

COSTS = Costs(5, 1)
_PAGE = 10
_GOOD_KAPPA, _GOOD_AGREEMENT = 0.6, 0.85
_WIDE = stats.norm.ppf((1 + LEVEL) / 2)

FIFTY, TWO_HUNDRED, _HUNDRED = (
    "fifty queries are enough",
    "200 queries are enough",
    "a hundred judgments are a solid start",
)
_TWICE, TEN, ONE = "judge to twice the depth of the page", "pools of depth ten", "one opinion and more queries"
KAPPA, AGREEMENT = "kappa above .6 is good enough", "fifty labels that agree in .85 of cases are enough"
ITEMS, MODEL = "100 items decide the alternative annotator test", "a language model is as good as a second person"


def claims(pilots: Mapping[str, Measured]) -> pd.DataFrame:
    """The verdicts of pilots on the claims of study 5, with the stored tables of those that are stored."""
    found = comparisons(pilots, results.stored(stored.STUDY))
    rows = [verdicts.from_comparisons("05", own, name, verdicts.REAL) for name, own in found.groupby("collection")]
    return verdicts.verdicts(pd.concat(rows, ignore_index=True))


def comparisons(pilots: Mapping[str, Measured], tables: Mapping[str, Mapping[str, pd.DataFrame]]) -> pd.DataFrame:
    """Every rule that pilots, and the tables `judges` and `items` of these, can answer, as verdicts on claims take
    them: frame collection, ranker, question, at, difference, low, high."""
    rows = [row for name, measured in pilots.items() for row in _of_pilot(name, measured)]
    asked = {name: found for name, found in tables.items() if name in pilots and "judges" in found}
    for name, found in asked.items():
        rows += _good_enough(name, found["judges"])
        rows += [_items(name, found["items"])] if "items" in found else []
    if asked:
        rows += _models(pd.concat([found["judges"] for found in asked.values()], ignore_index=True))
    found = pd.DataFrame(rows, columns=["collection", "question", "at", "difference", "low", "high"])
    found.insert(1, "ranker", "")
    return found.sort_values("question", kind="stable", ignore_index=True)


def _of_pilot(name: str, measured: Measured) -> list[tuple]:
    page = _depth(measured, _PAGE)
    rows = [
        (name, question, "", *_seen(measured, n, depth))
        for question, n, depth in ((FIFTY, 50, measured.docs), (TWO_HUNDRED, 200, measured.docs), (_HUNDRED, 10, page))
    ]
    for question, docs in ((_TWICE, 30), (TEN, 15)):
        rows.append((name, question, "", *ratio(measured, (_depth(measured, docs), 1), (measured.docs, 1), 1.0)))
    if measured.judges >= 3:  # what money buys of one opinion, over what it buys of three, to the depth of a page
        price = COSTS.of_query(page, 3) / COSTS.of_query(page, 1)
        rows.append((name, ONE, "", *(end - 1 for end in ratio(measured, (page, 1), (page, 3), price))))
    return rows


def _depth(measured: Measured, wanted: int) -> int:
    """The deepest that was measured down to what is wanted."""
    return int(measured.depths[measured.depths <= max(wanted, 2)].max())


def _seen(measured: Measured, n: int, depth: int) -> np.ndarray:
    """The difference that n queries see, the median over pairs, with its jackknife interval."""
    cell, factor = measured.cell(depth), power.detectable(1.0, n)
    return np.exp(interval(lambda found: np.log(factor * np.median(found.sd[cell], axis=0)), measured))


def ratio(measured: Measured, one: tuple[int, int], other: tuple[int, int], price: float) -> np.ndarray:
    """price x (sd of the other / sd of the one)^2, the median over pairs, with its jackknife interval."""
    cells = [measured.cell(*shape) for shape in (one, other)]

    def of(found: Spread) -> np.ndarray:
        first, second = found.sd[cells]
        return np.median(np.log(price) + 2 * np.log(second / first), axis=0)

    return np.exp(interval(of, measured))


def _good_enough(name: str, pairs: pd.DataFrame) -> list[tuple]:
    """How well the differences of the two judges go together who agree best, where that is well enough to be asked."""
    rows = []
    for question, column, edge in ((KAPPA, "kappa", _GOOD_KAPPA), (AGREEMENT, "agreement", _GOOD_AGREEMENT)):
        best = pairs.loc[pairs[column].idxmax()]
        if best[column] >= edge:
            ends = np.tanh(math.atanh(best["rho"]) + _WIDE * np.array([-1, 1]) / math.sqrt(best["queries"] - 3))
            rows.append((name, question, f"{best[column]:.2f}", best["rho"], *ends))  # by Fisher's transformation
    return rows


def _items(name: str, found: pd.DataFrame) -> tuple:
    """Share of the samples of the most documents that decide as all do; the interval is that of the draws alone."""
    most = found[found["items"] == found["items"].max()]
    share, draws = most["same"].mean(), most["draws"].sum()
    return name, ITEMS, "", share, *stats.binomtest(round(share * draws), int(draws)).proportion_ci(LEVEL, "wilson")


def _models(judges: pd.DataFrame) -> list[tuple]:
    """The correlation of a second person's differences with a person's, elsewhere, less that of a model's."""
    models = judges[judges["second"] == "UMBRELA"]
    people = judges[judges["second"] != "UMBRELA"].groupby("collection")[["rho", "queries"]].median()
    rows = []
    for model in models.itertuples():
        for collection, other in people.iterrows():
            least = math.atanh(other["rho"])
            wide = _WIDE * math.sqrt(1 / (model.queries - 3) + 1 / (other["queries"] - 3))
            gap = math.atanh(model.rho) - least
            ends = [other["rho"] - math.tanh(least + end) for end in (gap, gap + wide, gap - wide)]
            rows.append((model.collection, MODEL, f"people of {collection}", *ends))
    return rows
