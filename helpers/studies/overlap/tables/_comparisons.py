"""What the paper's statements compare."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from helpers.judging import schemes
from helpers.judging.crowd import BestJudge
from helpers.studies.overlap.tables._values import difference, holm, values

OVERHEAD = 1.4
"""Labels a pair that if-good-k costs, as Yang et al. put it."""

KINDS = ("overlap", "majority", "highest", "weighted", "till-bad")
"""What the paper holds if-good-k against; the mean and Dawid-Skene came later."""

SEVERAL = 5
"""Judges from whom on the majority is said to beat the best single one."""


def comparisons(runs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """What the paper's statements compare, as differences in NDCG@3 by query, and the cost of if-good-3.

    Parameters
    ----------
    runs : frame of `runs.label_set_runs`, without runs that failed
    rng : draws bootstrap samples

    Returns
    -------
    frame ranker, question, at, difference, low, high, p_value, p_holm, for `claims.verdicts`
        the 95 % interval is over test queries and draws both, p_value that of the paired t-test on means over draws,
        p_holm corrects it over the settings `at` of one question and ranker; the cost has no p-value
    """
    rows = []
    for ranker, found in runs.groupby("ranker", sort=False):
        by_setting = values(found)
        for question, at, first, second in _contrasts(list(by_setting)):
            row = {"ranker": ranker, "question": question, "at": at}
            rows.append(row | difference(by_setting[first], by_setting[second], rng))
        if "if-good-3" in by_setting:
            rows.append({"ranker": ranker, "question": "cost of if-good-3", "at": "labels a pair"} | _overhead(found))
    table = pd.DataFrame(rows, columns=["ranker", "question", "at", "difference", "low", "high", "p_value"])
    table["p_holm"] = table.groupby(["ranker", "question"])["p_value"].transform(holm)
    return table


def judge_comparisons(name: str, best: BestJudge) -> pd.DataFrame:
    """What the majority of m judges gains over the best single judge, for m from SEVERAL up, for `claims.verdicts`.

    Agreement on the pairs that the best judge labelled, less that of the best judge on pairs held out, which is taken
    as known: the interval is that of the majority.

    Parameters
    ----------
    name : what to call the judges
    best : of `crowd.best_judge`
    """
    rows = best.majority[best.majority["m"] >= SEVERAL]
    return pd.DataFrame(
        {
            "ranker": name,
            "question": "several judges or the best",
            "at": rows["m"],
            "difference": rows["agreement"] - best.honest,
            "low": rows["low"] - best.honest,
            "high": rows["high"] - best.honest,
        }
    )


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
    pairs += [("more than three judges or three", s, s, "if-good-3") for s in many]
    return (pair for pair in pairs if {*pair[2:]} <= {*settings} and pair[2] != pair[3])


def _overhead(runs: pd.DataFrame) -> dict:
    """How far the labels a pair of if-good-3 lie from 1.4, with the range of the draws for an interval."""
    away = (runs.loc[runs["setting"] == "if-good-3", "labels"] - OVERHEAD).abs()
    return {"difference": away.mean(), "low": away.min(), "high": away.max(), "p_value": np.nan}
