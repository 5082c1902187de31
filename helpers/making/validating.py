"""Whether a pilot tells how many documents people must judge, by repeated draws of real judgments.

Writes to `data/results/05/validating`, from the judgments that are in the data directory, what is needed of them
(`needed.csv`), and whether parts of them tell it (`checked.csv`): of the queries of a collection some are drawn as a
pilot, which promises how wide an interval is by so many queries, at most half of all. That is held against the interval
on other queries, and against the spread of the value, from draws of two parts that have no query in common: the
variance of their difference is twice that of either, however few queries there are.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from helpers import paths
from helpers.judging import formats, validating
from helpers.judging.alternative import JUDGES, held_against, passing
from helpers.judging.judgments import MODEL, Coded, coded
from helpers.judging.models import confusions, page
from helpers.making import common
from helpers.studies.bounds import judges

SEED = 5
DRAWS = 400
MODELS = 5
PILOTS = {"dl19-people-machines": ((10, 20), (15, 21), (21, 21)), "llmjudge": ((10, 12), (12, 12))}
"""Collection -> queries of a pilot, and by how many the width is promised."""

COLUMNS = ["collection", "measure", "depth", "pilot", "queries", "models", "draws", "promised", "kept", "ratio",
           "ratio_low", "ratio_high", "over_spread", "over_spread_low", "over_spread_high", "covered"]  # fmt: skip

FINE = dict.fromkeys(validating.WIDTHS, 0.001)
"""Widths so small that queries needed for them are as good as no whole numbers."""


def dl19() -> pd.DataFrame:
    """NIST, eight people and five models on passages of TREC Deep Learning 2019, from the data directory."""
    return formats.read(paths.judgments("dl19-people-machines", "judgments.csv"), names=True).everyone


def llmjudge() -> pd.DataFrame:
    """NIST and 33 models on passages of TREC Deep Learning 2023, from the data directory."""
    frame = judges.llmjudge().frame
    return frame.assign(assessor=frame["assessor"].map(lambda name: name if name == "NIST" else MODEL + name))


SOURCES = {"dl19-people-machines": dl19, "llmjudge": llmjudge}


def as_three(frame: pd.DataFrame) -> pd.DataFrame:
    """Judgments of DL19 in which three judged every query, as the test wants of a pilot: the people of four pairs, each
    with queries of their own, are taken for the first and the second of one pair."""
    called = {f"person {i}": ("second", "first")[i % 2] for i in range(1, 9)}
    return frame.assign(assessor=frame["assessor"].replace(called)).drop_duplicates(["query", "doc", "assessor"])


def checked(frame: pd.DataFrame, pilots: tuple[tuple[int, int], ...], rng: np.random.Generator) -> pd.DataFrame:
    """What pilots promise beside what is seen, a row a measure, depth and kind of pilot, of the best MODELS."""
    labels = coded(frame.sort_values(["query", "doc", "assessor"]))
    best = page(labels, draws=2, rng=np.random.default_rng(SEED)).table["judge"].head(MODELS)
    models = [int(np.flatnonzero(labels.judges == judge)[0]) for judge in best]
    tables = []
    for depth in (validating.DEPTH, None):
        thinned = validating.samples(labels, depth, rng)
        counts = {model: np.stack([confusions(thin, model) for thin in thinned]) for model in models}
        for pilot, queries in pilots:
            drawn = [_widths(counts[model], labels.values, pilot, queries, rng).assign(model=model) for model in models]
            table = _summed_up(pd.concat(drawn))
            if labels.people.sum() >= JUDGES:
                shares = [_passes(thinned[0], model, pilot, queries, rng) for model in models]
                promised, kept = np.mean(shares, axis=0)
                table = pd.concat([table, pd.DataFrame([{"measure": "test", "promised": promised, "kept": kept}])])
            sizes = {"depth": depth or 0, "pilot": pilot, "queries": queries, "models": len(models), "draws": DRAWS}
            tables.append(table.assign(**sizes))
    return pd.concat(tables, ignore_index=True)


def _widths(counts: np.ndarray, values: np.ndarray, pilot: int, queries: int, rng: np.random.Generator) -> pd.DataFrame:
    """Of every draw the width promised and that on other queries, the value less that on other queries, and the queries
    needed, low to high, for the width FINE."""
    rows = []
    for _ in range(DRAWS):
        order, sample = rng.permutation(counts.shape[1]), counts[rng.integers(len(counts))]
        own, other = order[:pilot], order[pilot:][:queries]
        halves = sample[order[:queries]], sample[order[-queries:]]
        told = validating.measures(sample[own], counts[:, own], values, FINE)
        seen = validating.measures(sample[other], sample[None, other], values, FINE)
        first, second = (validating.measures(half, half[None], values, FINE) for half in halves)
        for row, beside, one, two in zip(told, seen, first, second, strict=True):
            promised = FINE[row["measure"]] * np.sqrt(row["needed"] / queries)
            row |= {"promised": promised, "kept": beside["width"], "apart": one["value"] - two["value"]}
            rows.append(row | {"scale": queries / FINE[row["measure"]] ** 2})
    return pd.DataFrame(rows)


def _summed_up(drawn: pd.DataFrame) -> pd.DataFrame:
    """A row a measure: promised, kept (mean widths), ratio with the range low to high of 95 % of the draws, over_spread
    (as ratio, of the spread of values), covered (share of intervals of the queries needed that hold those by it)."""
    spread = drawn.groupby(["measure", "model"])["apart"].transform(lambda apart: np.sqrt((apart**2).mean() / 2))
    width = 2 * 1.959964 * spread
    needed = width**2 * drawn["scale"]
    drawn = drawn.assign(
        ratio=drawn["promised"] / drawn["kept"],
        over_spread=drawn["promised"] / width,
        covered=(drawn["low"] <= needed) & (needed <= drawn["high"]),
    )
    by_measure = drawn.groupby("measure", sort=False)
    found = by_measure.agg({"promised": "mean", "kept": "mean", "covered": "mean"})
    for name in ("ratio", "over_spread"):
        ends = by_measure[name].quantile([0.5, 0.025, 0.975]).unstack()
        found[[name, f"{name}_low", f"{name}_high"]] = ends.to_numpy()
    return found.reset_index()


def _passes(labels: Coded, model: int, pilot: int, queries: int, rng: np.random.Generator) -> tuple[float, float]:
    """How often the test is passed, as pilots promise and on other queries."""
    held, n = held_against(labels, model), len(labels.queries)
    promised, kept = [], np.zeros((DRAWS, n))
    for draw in range(DRAWS):
        order = rng.permutation(n)
        counts = np.zeros((50, n))
        counts[:, order[:pilot]] = rng.multinomial(queries, np.full(pilot, 1 / pilot), size=50)
        promised.append(passing(held, counts).mean())
        kept[draw, order[pilot:][:queries]] = 1
    return float(np.mean(promised)), float(passing(held, kept).mean())


def _write() -> None:
    """Write both tables of all collections that are here; the best model alone of each has what it needs stored."""
    tables, needed = [], []
    for name, frame in paths.here(SOURCES).items():
        own = validating.needed(frame, rng=np.random.default_rng(SEED))
        needed.append(own[own["judge"] == own["judge"].iloc[0]].assign(collection=name))
        rows = checked(as_three(frame), PILOTS[name], np.random.default_rng(SEED))
        tables.append(rows.assign(collection=name)[COLUMNS])
    made_by = {"seed": SEED, "draws": DRAWS, "synthetic": False, "made_by": "helpers.making.validating"}
    common.write("05/validating", {"checked": pd.concat(tables), "needed": pd.concat(needed)}, made_by)


TASKS = {"validating": _write}
