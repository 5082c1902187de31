"""What the paper's statements compare."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy import stats

from helpers.judging import schemes
from helpers.judging.crowd import BestJudge
from helpers.studies.overlap.tables._values import difference, holm, values

OVERHEAD = 1.4
"""Labels a pair that if-good-k costs, as Yang et al. put it."""

LEVEL = 0.05
NORMAL = stats.norm.isf(LEVEL / 2)

KINDS = ("overlap", "majority", "highest", "weighted", "till-bad")
"""What the paper holds if-good-k against; the mean and Dawid-Skene came later."""

FEW = 5
"""Judges of whom more, as a majority, are said to beat the best single one."""

COST, TILL_BAD_COST, PER_LABEL = "cost of if-good-3", "cost of good-till-bad", "gain for a further label a pair"
"""Questions about costs."""


AVERAGED = "the mean or all labels"
MEANS = {"gain-3": "3-overlap", "if-good-gain-3": "if-good-3"}
"""Scheme that trains on the mean gain of the labels -> the one that buys the same and trains on each of them."""


def comparisons(runs: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """What the paper's statements compare, as differences in NDCG@3 by query, and costs.

    Parameters
    ----------
    runs : frame of `runs.label_set_runs`, without runs that failed
    rng : draws bootstrap samples

    Returns
    -------
    frame ranker, question, at, difference, low, high, p_value, p_holm, for `verdicts.from_comparisons`
        the 95 % interval is over test queries and draws both, p_value that of the paired t-test on means over draws,
        p_holm corrects it over the settings `at` of one question and ranker; costs have no p-value, and for an interval
        the range of their draws. "gain for a further label a pair" is what a setting gains over one label, for each
        further label that it takes, less what if-good-3 gains so
    """
    rows = []
    for ranker, found in runs.groupby("ranker", sort=False):
        by_setting = values(found)
        for question, at, first, second in _contrasts(list(by_setting)):
            row = {"ranker": ranker, "question": question, "at": at}
            rows.append(row | difference(by_setting[first], by_setting[second], rng))
        rows += [{"ranker": ranker} | row for row in _per_label(by_setting, found, rng) + _costs(found)]
    table = pd.DataFrame(rows, columns=["ranker", "question", "at", "difference", "low", "high", "p_value"])
    table["p_holm"] = table.groupby(["ranker", "question"])["p_value"].transform(holm)
    return table


def judge_comparisons(name: str, best: BestJudge, costs: pd.DataFrame, featured: pd.DataFrame) -> pd.DataFrame:
    """What is said of judges without training on their labels, for `verdicts.from_comparisons`.

    Parameters
    ----------
    name : what to call the judges
    best : of `crowd.best_judge`
    costs : of `own_schemes.own_costs`, of their labels
    featured : of `crowd.featured_judges`

    Returns
    -------
    frame ranker (the name), question, at, difference, low, high
        "several judges or the best" [m judges, more than FEW] : agreement of the majority on the pairs that the best
            judge labelled, less that of the best judge on pairs held out; the interval counts the pairs of both
        "cost of if-good-3" : how far labels a pair lie from OVERHEAD; the interval is that over pairs
        "featured judges or the majority" [grade] : half the sum of the differences between the shares of grades of the
            judge who gives this one most and those of the majority; the interval is that of two samples of labels, down
            to 0 where the chi-squared test does not tell them apart, as by chance alone the sum is above 0
    """
    frames = [_several(best), _bought(costs), _featured(featured)]
    return pd.concat(frames, ignore_index=True).assign(ranker=name)[
        ["ranker", "question", "at", "difference", "low", "high"]
    ]


def _several(best: BestJudge) -> pd.DataFrame:
    rows = best.majority[best.majority["m"] > FEW]
    own = NORMAL**2 * best.honest * (1 - best.honest) / best.pairs
    difference = rows["agreement"] - best.honest
    table = pd.DataFrame({"question": "several judges or the best", "at": rows["m"], "difference": difference})
    table["low"] = difference - np.sqrt((rows["agreement"] - rows["low"]) ** 2 + own)
    table["high"] = difference + np.sqrt((rows["high"] - rows["agreement"]) ** 2 + own)
    return table


def _bought(costs: pd.DataFrame) -> pd.DataFrame:
    """How far if-good-3 lies from OVERHEAD: 1 label, and 2 more for the share of pairs whose first is Good or above."""
    costs = costs.set_index("setting")
    labels, pairs = costs.loc["if-good-3", "labels"], costs.loc["baseline", "bought"]
    good = (labels - 1) / 2
    half = 2 * NORMAL * np.sqrt(good * (1 - good) / pairs)
    away = abs(labels - OVERHEAD)
    return pd.DataFrame(
        {"question": COST, "at": "labels a pair", "difference": away, "low": away - half, "high": away + half},
        index=[0],
    )


def _featured(featured: pd.DataFrame) -> pd.DataFrame:
    frames = [_apart(rows).assign(at=grade) for grade, rows in featured.groupby("featured")]
    return pd.concat(frames, ignore_index=True).assign(question="featured judges or the majority")


def _apart(featured: pd.DataFrame) -> pd.DataFrame:
    """Half the sum of the differences between the two rows of shares; their signs are taken for known."""
    counts = featured.pivot(index="by", columns="grade", values="count").to_numpy()
    labels = counts.sum(axis=1, keepdims=True)
    shares = counts / labels
    sign = np.sign(shares[0] - shares[1])
    variance = ((sign**2 * shares).sum(axis=1) - (sign * shares).sum(axis=1) ** 2) / labels.ravel()
    difference, half = sign @ (shares[0] - shares[1]) / 2, NORMAL * np.sqrt(variance.sum()) / 2
    low = difference - half if (featured["p_value"] < LEVEL).all() else min(0.0, difference - half)
    return pd.DataFrame({"difference": difference, "low": low, "high": min(difference + half, 1.0)}, index=[0])


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
    return [{"question": PER_LABEL, "at": s} | difference(gains[s], gains["if-good-3"], rng) for s in others]


def _costs(runs: pd.DataFrame) -> list[dict]:
    """Rows of COST, and of TILL_BAD_COST where runs with all labels tell how many judges there are."""
    labels = runs.pivot(index="draw", columns="setting", values="labels")
    rows = []
    if "if-good-3" in labels:
        rows.append(_over_draws(COST, (labels["if-good-3"] - OVERHEAD).abs()))
    judges = max((schemes.parse(s).k for s in labels if schemes.parse(s).kind == "overlap"), default=0)
    if judges and {"baseline", "good-till-bad"} <= set(labels):
        ratio = 1 / runs[runs["setting"] == "baseline"].set_index("draw")["fair_to_good"]
        rows.append(_over_draws(TILL_BAD_COST, labels["good-till-bad"] - (1 + ratio * judges) / (1 + ratio)))
    return rows


def _over_draws(question: str, values: pd.Series) -> dict:
    """A row of a cost, with the range of the draws for an interval."""
    bounds = {"difference": values.mean(), "low": values.min(), "high": values.max(), "p_value": np.nan}
    return {"question": question, "at": "labels a pair"} | bounds
