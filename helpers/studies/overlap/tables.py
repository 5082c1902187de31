"""What the runs of study 1 say, as tables: accuracy, comparisons, costs, and what is best for what it costs."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from helpers.judging import schemes
from helpers.judging.judgments import paired, without_missing
from helpers.judging.pool import AlikeJudges, Pool
from helpers.metrics import significance
from helpers.studies.overlap import judge_fit
from helpers.studies.overlap.trial import CUTOFFS, MAIN

DRAWS = 2000  # of a bootstrap

TESTED = f"ndcg@{MAIN}"
NDCG = [f"ndcg@{k}" for k in CUTOFFS]

LEVEL = 0.05

OVERHEAD = 1.4  # labels a pair that if-good-k costs, as Yang et al. put it

KINDS = ("overlap", "majority", "highest", "weighted", "till-bad")
"""What the paper holds if-good-k against; the mean and Dawid-Skene came later."""

COST, PER_LABEL = "cost of if-good-3", "gain for a further label a pair"  # questions about costs

AVERAGED = "the mean or all labels"
MEANS = {"gain-3": "3-overlap", "if-good-gain-3": "if-good-3"}
"""Scheme that trains on the mean gain of the labels -> the one that buys the same and trains on each of them."""

CELL = ["queries", "documents", "labels"]
WAYS = {"another query": "queries", "another document": "documents", "another judge": "labels"}
"""What a budget is doubled for, and the column that doubles."""

AGAINST = (
    ("another judge", "another query"),
    ("another judge", "another document"),
    ("another document", "another query"),
)
COLUMNS = ["ranker", "question", "at", "documents", "labels", "difference", "low", "high", "p_value", "p_holm"]


def accuracy(runs: pd.DataFrame) -> pd.DataFrame:
    """NDCG of every setting, the best first (Tables 1 to 5): frame ranker, setting, ndcg@k, p_value, p_holm, stars,
    stars_holm, by the paired t-test of NDCG@3 by query, mean over draws, against the baseline.

    `*` is better than the baseline at .05, `**` better than every other setting, one test each, as in the paper;
    stars_holm are by p-values corrected for the number of settings. Where a run failed, two settings are compared on
    the draws that both have.
    """
    tables = []
    for ranker, rows in runs.groupby("ranker", sort=False):
        by_setting, pairs = _values(rows), itertools.permutations(rows["setting"].unique(), 2)
        gains = [(one, other, *_gain(by_setting[one], by_setting[other])) for one, other in pairs]
        gains = pd.DataFrame(gains, columns=["setting", "over", "gain", "p_value"])
        table = rows.groupby("setting", sort=False)[NDCG].mean()
        table["p_value"] = gains[gains["over"] == "baseline"].set_index("setting")["p_value"].astype(float)
        table["p_holm"] = _holm(table["p_value"])
        for stars, p_values, correct in (("stars", "p_value", np.asarray), ("stars_holm", "p_holm", significance.holm)):
            table[stars] = [_stars(p, gains[gains["setting"] == one], correct) for one, p in table[p_values].items()]
        tables.append(table.sort_values(TESTED, ascending=False).reset_index().assign(ranker=ranker))
    return pd.concat(tables, ignore_index=True)[
        ["ranker", "setting", *NDCG, "p_value", "p_holm", "stars", "stars_holm"]
    ]


def cost_table(runs: pd.DataFrame, label_set: str, judges: Pool | AlikeJudges) -> pd.DataFrame:
    """Costs as drawn, as expected of the judges who drew them, and as printed (Tables 6 to 8): frame setting, quantity,
    drawn (mean over draws), then "fitted", or "exact" for other judges than a fitted pool, and printed.
    """
    pool = isinstance(judges, Pool)
    exact = "fitted" if pool else "exact"
    costs = judge_fit.table({label_set: judges.settings if pool else judges}).rename(columns={"fitted": exact})
    columns = {"labels": judge_fit.COST, "fair_to_good": judge_fit.RATIO}
    drawn = runs.groupby("setting", sort=False)[list(columns)].mean().rename(columns=columns)
    drawn = drawn.rename_axis(columns="quantity").stack().rename("drawn").reset_index()
    return costs.merge(drawn, on=["setting", "quantity"])[["setting", "quantity", "drawn", exact, "printed"]]


def comparisons(runs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """What the paper's statements compare, as differences in NDCG@3 by query, and costs, for
    `verdicts.from_comparisons`: frame ranker, question, at, difference, low, high, p_value, p_holm.

    The 95 % interval is over test queries and draws both, p_holm corrects over the settings `at` of a question and
    ranker; costs have the range of their draws. A gain for a further label a pair is held against that of if-good-3.
    """
    rows = []
    for ranker, found in runs.groupby("ranker", sort=False):
        by_setting = _values(found)
        for question, at, first, second in _contrasts(list(by_setting)):
            row = {"ranker": ranker, "question": question, "at": at}
            rows.append(row | _difference(by_setting[first], by_setting[second], rng))
        rows += [{"ranker": ranker} | row for row in _per_label(by_setting, found, rng)]
        away = (found.loc[found["setting"] == "if-good-3", "labels"] - OVERHEAD).abs()
        if len(away):
            row = {"ranker": ranker, "question": COST, "at": "labels a pair", "difference": away.mean()}
            rows.append(row | {"low": away.min(), "high": away.max()})
    table = pd.DataFrame(rows, columns=["ranker", "question", "at", "difference", "low", "high", "p_value"])
    table["p_holm"] = table.groupby(["ranker", "question"])["p_value"].transform(_holm)
    return table


def against_baseline(runs: pd.DataFrame, cell: list[str], means: list[str], rng: np.random.Generator) -> pd.DataFrame:
    """What each setting gains over one label, by `cell` (ranker, budget …): frame of `cell`, setting, `means`, ndcg@3,
    difference, low, high, p_value.
    """
    rows = []
    for key, found in runs.groupby(cell, sort=False):
        by_setting = _values(found)
        for setting, numbers in found.groupby("setting", sort=False)[[*means, TESTED]].mean().iterrows():
            row = dict(zip(cell, key, strict=True)) | {"setting": setting} | numbers.to_dict()
            compared = setting != "baseline" and "baseline" in by_setting
            rows.append(row | (_difference(by_setting[setting], by_setting["baseline"], rng) if compared else {}))
    return pd.DataFrame(rows, columns=[*cell, "setting", *means, TESTED, "difference", "low", "high", "p_value"])


def map_table(runs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """The same for every pair of noises, at one budget, with the setting that `wins`, and whether that is `clear`: its
    interval lies above zero, or, where the baseline wins, that of every other setting below.
    """
    table = against_baseline(runs, ["noise_irrelevant", "noise_relevant"], ["labels"], rng)
    cells = table.groupby(["noise_irrelevant", "noise_relevant"])
    table["wins"] = table[TESTED] == cells[TESTED].transform("max")
    above = (table["low"] > 0) & table["wins"]
    below = cells["high"].transform(lambda high: high.notna().any() and (high.dropna() < 0).all()) & table["wins"]
    return table.assign(clear=np.where(table["setting"] == "baseline", below, above))


def machine_table(runs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """NDCG@3 by route, and less that of a person alone: frame ranker, setting, person_labels, ndcg@3, difference, …"""
    named = runs.rename(columns={"route": "setting"}).replace({"setting": {"person": "baseline"}})
    table = against_baseline(named, ["ranker"], ["person_labels"], rng)
    return table.replace({"setting": {"baseline": "person"}})


def machine_first(frame: pd.DataFrame, person: str) -> pd.DataFrame:
    """What a person gets to see where each other assessor judges first: frame machine, pairs, person_labels (share of
    the pairs that the person sees), found (share of the person's Good+ among them), precision (share Good+ of what is
    seen).
    """
    frame, rows = without_missing(frame), []
    for machine in frame["assessor"].unique():
        if machine == person:
            continue
        both = paired(frame, person, machine)
        relevant, seen = both["testing"] >= schemes.GOOD, both["training"] >= schemes.GOOD
        row = {"machine": machine, "pairs": len(both), "person_labels": seen.mean()}
        rows.append(row | {"found": seen[relevant].mean(), "precision": relevant[seen].mean()})
    return pd.DataFrame(rows)


def surface(runs: pd.DataFrame) -> pd.DataFrame:
    """Mean NDCG@3 of every purchase: frame ranker, queries, documents, labels, spent, ndcg@3."""
    return runs.groupby(["ranker", *CELL], sort=False)[["spent", TESTED]].mean().reset_index()


def three_ways(runs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """What doubling a purchase gains in NDCG@3 in each of WAYS, which cost the same, and by one way less another,
    AGAINST: frame ranker, question, at, documents, labels, difference, low, high, p_value, p_holm.

    Differences are means over all numbers of queries from which all three could be measured.
    """
    rows = []
    for ranker, found in runs.groupby("ranker", sort=False):
        by_cell = _values(found.assign(setting=list(zip(*(found[column] for column in CELL), strict=True))))
        for (documents, labels), doubled in _doublings(by_cell):
            at = f"{documents} documents, {labels} {'label' if labels == 1 else 'labels'}"
            row = {"ranker": ranker, "at": at, "documents": documents, "labels": labels}
            for way in WAYS:
                rows.append(row | {"question": way} | _difference(doubled[way], doubled["before"], rng))
            for first, second in AGAINST:
                rows.append(
                    row | {"question": f"{first} or {second}"} | _difference(doubled[first], doubled[second], rng)
                )
    table = pd.DataFrame(rows, columns=COLUMNS[:-1])
    return table.assign(p_holm=table.groupby(["ranker", "question"])["p_value"].transform(_holm))


def _gain(first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
    """Mean of first less second and its p-value, on the draws that both have; NaN where they share none."""
    first, second = _together(first, second)
    if not len(first):
        return np.nan, np.nan
    first, second = first.mean(axis=0), second.mean(axis=0)
    return first.mean() - second.mean(), significance.paired_t(first, second).p_value


def _stars(p_value: float, gains: pd.DataFrame, correct: Callable[[np.ndarray], np.ndarray]) -> str:
    """The stars of a setting, by its p-value against the baseline and its gains over all others."""
    known = gains.dropna(subset="p_value")
    if len(known) and (known["gain"] > 0).all() and (correct(known["p_value"].to_numpy(float)) < LEVEL).all():
        return "**"
    return "*" if p_value < LEVEL and (gains.loc[gains["over"] == "baseline", "gain"] > 0).any() else ""


def _contrasts(settings: list[str]) -> Iterator[tuple[str, str, str, str]]:
    """(question, at, first, second) of what the paper says, of the settings that were run."""
    many = [s for s in settings if schemes.parse(s).kind in ("if-good", "till-bad") and schemes.parse(s).k > 3]
    pairs = [
        ("if-good-3 or one label", "if-good-3", "if-good-3", "baseline"),
        ("if-good-2 or one label", "if-good-2", "if-good-2", "baseline"),
        ("tripled weights or none", "if-good-x3", "if-good-x3", "baseline"),
    ]
    pairs += [("another setting or if-good-3", s, s, "if-good-3") for s in settings if schemes.parse(s).kind in KINDS]
    pairs += [("majority vote or all labels", f"mv{k}", f"mv{k}", f"{k}-overlap") for k in (3, 4, 11)]
    pairs += [("another k or if-good-3", s, s, "if-good-3") for s in ("if-good-2", *many)]
    pairs += [(AVERAGED, mean, mean, copies) for mean, copies in MEANS.items()]
    pairs += [("if-good-gain-3 or one label", "if-good-gain-3", "if-good-gain-3", "baseline")]
    return (pair for pair in pairs if {*pair[2:]} <= {*settings} and pair[2] != pair[3])


def _per_label(by_setting: dict[str, np.ndarray], runs: pd.DataFrame, rng: np.random.Generator) -> list[dict]:
    """Rows of PER_LABEL for the settings of KINDS that take more labels than one."""
    further = runs.groupby("setting", sort=False)["labels"].mean() - 1
    if not {"baseline", "if-good-3"} <= set(by_setting):
        return []
    gains = {s: (values - by_setting["baseline"]) / further[s] for s, values in by_setting.items() if further[s] > 0}
    others = [s for s in gains if schemes.parse(s).kind in KINDS]
    return [{"question": PER_LABEL, "at": s} | _difference(gains[s], gains["if-good-3"], rng) for s in others]


def _doublings(by_cell: dict[tuple, np.ndarray]) -> Iterator[tuple[tuple[int, int], dict[str, np.ndarray]]]:
    """(documents, labels) -> "before" and each way -> (n_draws, n_queries) NDCG@3, mean over numbers of queries."""
    shapes = sorted({cell[1:] for cell in by_cell})
    for shape in shapes:
        steps = [{"before": cell} | _doubled(cell) for cell in by_cell if cell[1:] == shape]
        whole = [step for step in steps if set(step.values()) <= set(by_cell)]
        if whole:
            yield shape, {name: np.mean([by_cell[step[name]] for step in whole], axis=0) for name in ("before", *WAYS)}


def _doubled(cell: tuple[int, int, int]) -> dict[str, tuple[int, int, int]]:
    """The three purchases of twice the price.

    >>> _doubled((8, 4, 1))
    {'another query': (16, 4, 1), 'another document': (8, 8, 1), 'another judge': (8, 4, 2)}
    """
    places = {way: CELL.index(column) for way, column in WAYS.items()}
    return {way: tuple(n * (1 + (place == i)) for i, n in enumerate(cell)) for way, place in places.items()}


def _values(runs: pd.DataFrame) -> dict[str, np.ndarray]:
    """setting -> (n_draws, n_queries) NDCG@3, without queries that have nothing relevant; NaN where a run failed."""
    draws, found = np.sort(runs["draw"].unique()), {}
    for setting, rows in runs.groupby("setting", sort=False):
        values = significance.measured(rows["per_query"].tolist())
        found[setting] = pd.DataFrame(values, index=rows["draw"]).reindex(draws).to_numpy()
    return found


def _difference(first: np.ndarray, second: np.ndarray, rng: np.random.Generator) -> dict:
    """difference, low, high, p_value of first less second; nothing where they share no draw."""
    first, second = _together(first, second)
    if not len(first):
        return {}
    by_draw = first - second
    low, high = significance.crossed_interval(by_draw, np.zeros((1, by_draw.shape[1])), draws=DRAWS, rng=rng)
    return {"difference": float(by_draw.mean()), "low": low, "high": high, "p_value": _gain(first, second)[1]}


def _together(first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The draws that both the first and the second have."""
    both = ~np.isnan(first).any(axis=1) & ~np.isnan(second).any(axis=1)
    return (first, second) if both.all() else (first[both], second[both])


def _holm(p_values: pd.Series) -> pd.Series:
    """`significance.holm` of the p-values that are there; the others stay NaN."""
    known = p_values.dropna()
    return pd.Series(significance.holm(known), index=known.index, dtype=float).reindex(p_values.index)
