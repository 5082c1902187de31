"""Accuracy and costs of the settings, beside what the paper prints (its Tables 1 to 8)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

from helpers import paths
from helpers.judging import pool_costs
from helpers.judging.pool import AlikeJudges, Pool
from helpers.metrics import significance
from helpers.studies.overlap import judge_fit
from helpers.studies.overlap.tables._values import TESTED, holm, together, values
from helpers.studies.overlap.trial import CUTOFFS

ALPHA = 0.05
NDCG = [f"ndcg@{k}" for k in CUTOFFS]


def accuracy(runs: pd.DataFrame) -> pd.DataFrame:
    """NDCG of every setting with the paper's stars, the best first (Tables 1 to 5).

    Parameters
    ----------
    runs : frame of `runs.label_set_runs`, without runs that failed

    Returns
    -------
    frame ranker, setting, ndcg@k (means over queries and draws), p_value, p_holm, stars, stars_holm
        p-values are those of the paired t-test of a setting's NDCG@3 by query, mean over draws, against the baseline's;
        p_holm is corrected for the number of settings. `*` is better than the baseline at .05, `**` better than every
        other setting, one test each, as in the paper; stars_holm are the same by corrected p-values. Where a run
        failed, two settings are compared on the draws that both have.
    """
    tables = []
    for ranker, rows in runs.groupby("ranker", sort=False):
        by_setting = values(rows)
        table = rows.groupby("setting", sort=False)[NDCG].mean()
        others = [setting for setting in table.index if setting != "baseline"]
        table["p_value"] = pd.Series({name: _gain(by_setting, name, "baseline")[1] for name in others}, dtype=float)
        table["p_holm"] = holm(table["p_value"])
        for stars, corrected in (("stars", False), ("stars_holm", True)):
            table[stars] = [_stars(by_setting, setting, table, corrected) for setting in table.index]
        tables.append(table.sort_values(TESTED, ascending=False).reset_index().assign(ranker=ranker))
    return pd.concat(tables, ignore_index=True)[
        ["ranker", "setting", *NDCG, "p_value", "p_holm", "stars", "stars_holm"]
    ]


def printed_accuracy() -> pd.DataFrame:
    """Tables 1 to 5 and those of the slides: frame label_set, ranker, setting, ndcg@k, stars, source, table."""
    return pd.read_csv(paths.project("data") / "published" / "yang2010_accuracy.csv", keep_default_na=False).apply(
        lambda column: pd.to_numeric(column, errors="coerce") if column.name in NDCG else column
    )


def beside_printed(ours: pd.DataFrame, label_set: str) -> pd.DataFrame:
    """Gains in NDCG@3 over the baseline, ours beside those of the paper and of its slides.

    Parameters
    ----------
    ours : frame of `accuracy`
    label_set : whose printed figures stand beside them

    Returns
    -------
    frame ranker, setting, ours, paper, slides: NDCG@3 less the baseline's, settings that both have
    """
    printed = printed_accuracy().query("label_set == @label_set")
    gains = {"ours": _gains(ours)} | {source: _gains(rows) for source, rows in printed.groupby("source")}
    table = pd.DataFrame(gains).dropna(subset=["paper", "ours"]).rename_axis(["ranker", "setting"])
    return table.sort_values(["ranker", "paper"], ascending=False).reset_index()


def rank_correlation(beside: pd.DataFrame) -> pd.DataFrame:
    """How alike two sources order the settings: frame ranker, first, second, settings, tau (Kendall's), p_value.

    Parameters
    ----------
    beside : frame of `beside_printed`
    """
    rows = []
    for ranker, table in beside.groupby("ranker", sort=False):
        for first, second in (("ours", "paper"), ("ours", "slides"), ("paper", "slides")):
            both = table.dropna(subset=[first, second])
            tau, p_value = kendalltau(both[first], both[second])
            row = {"ranker": ranker, "first": first, "second": second, "settings": len(both)}
            rows.append(row | {"tau": tau, "p_value": p_value})
    return pd.DataFrame(rows)


def cost_table(runs: pd.DataFrame, label_set: str, judges: Pool | AlikeJudges) -> pd.DataFrame:
    """Costs as drawn, as expected of the judges who drew them, and as printed (Tables 6 to 8).

    Parameters
    ----------
    runs : frame of `runs.label_set_runs`
    label_set : whose printed costs stand beside them
    judges : who gave the labels of the runs (`protocol.judges_named`)

    Returns
    -------
    frame setting, quantity, drawn (mean over draws), then "fitted", or "exact" for other judges than a fitted pool, as
    `pool_costs.expected` has it, and printed
    """
    pool = isinstance(judges, Pool)
    exact = "fitted" if pool else "exact"
    costs = judge_fit.table({label_set: judges.settings if pool else judges}).rename(columns={"fitted": exact})
    columns = {"labels": pool_costs.COST, "fair_to_good": pool_costs.RATIO}
    drawn = runs.groupby("setting", sort=False)[list(columns)].mean().rename(columns=columns)
    drawn = drawn.rename_axis(columns="quantity").stack().rename("drawn").reset_index()
    return costs.merge(drawn, on=["setting", "quantity"])[["setting", "quantity", "drawn", exact, "printed"]]


def till_bad_bound(costs: pd.DataFrame) -> pd.DataFrame:
    """The highest Fair-:Good+ ratio that good-till-bad can have at its cost, beside the printed one.

    Every label of a pair but its first follows one of Good or above. So of c labels a pair at least c - 1 are such, and
    of the others there are at most one: the ratio is at most 1 / (c - 1).

    Parameters
    ----------
    costs : frame of `judge_fit.printed`

    Returns
    -------
    frame label_set, labeling_overhead, highest, fair_to_good_ratio
    """
    rows = costs[costs["setting"] == "good-till-bad"]
    rows = rows.assign(highest=1 / (rows[pool_costs.COST] - 1))
    return rows[["label_set", pool_costs.COST, "highest", pool_costs.RATIO]].reset_index(drop=True)


def _gains(rows: pd.DataFrame) -> pd.Series:
    known = rows.set_index(["ranker", "setting"])[TESTED]
    baseline = known.xs("baseline", level="setting")
    return known - baseline.reindex(known.index.get_level_values("ranker")).to_numpy()


def _gain(by_setting: dict[str, np.ndarray], first: str, second: str) -> tuple[float, float]:
    """Mean of first less second and its p-value, on the draws that both have; NaN where they share none."""
    if second not in by_setting:
        return np.nan, np.nan
    a, b = together(by_setting[first], by_setting[second])
    if not len(a):
        return np.nan, np.nan
    a, b = a.mean(axis=0), b.mean(axis=0)
    return a.mean() - b.mean(), significance.paired_t(a, b).p_value


def _stars(by_setting: dict[str, np.ndarray], setting: str, table: pd.DataFrame, corrected: bool) -> str:
    gains = np.array([_gain(by_setting, setting, other) for other in by_setting if other != setting]).reshape(-1, 2)
    gains = gains[~np.isnan(gains[:, 1])]
    p_values = significance.holm(gains[:, 1]) if corrected else gains[:, 1]
    if len(gains) and np.all((gains[:, 0] > 0) & (p_values < ALPHA)):
        return "**"
    p_value = table.loc[setting, "p_holm" if corrected else "p_value"]
    return "*" if p_value < ALPHA and _gain(by_setting, setting, "baseline")[0] > 0 else ""
