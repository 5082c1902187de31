"""The effects of Yang et al.'s claims on each label set, from the stored intervals and runs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy import stats

from helpers.engine import results
from helpers.metrics.significance import Effect
from helpers.reporting.verdicts import EFFECTS, PORTRAIT, REAL, effect_row, from_comparisons, given_effect
from helpers.studies.overlap import crowds

BOTH = "both rankers"
"""The paper's two rankers, averaged."""

OF_PLUS, ON_ALL = ("Y2", "Y5b"), ("Y6", "Y9")
"""Claims that are made of Clean+ alone, and of it and the others."""

PEOPLE = "cystic-fibrosis"
"""Several real judges of each pair, in place of the label sets."""

OTHER, OTHER_K = "another setting or if-good-3", "another k or if-good-3"
"""Questions of the comparisons: differences to if-good-3."""

OTHERS = ("3-overlap", "mv3", "highest-3")
"""Other uses of three labels."""

ONE_GRADE = 0.99
"""Share of a single grade from which a crowd worker is taken for one who does not look, and left out."""


def effects() -> pd.DataFrame:
    """Frame with the columns `verdicts.EFFECTS`, of all label sets and crowds that are stored."""
    frames = []
    for name, tables in results.stored("01").items():
        if name in crowds.REAL:
            frames.append(of_crowd(name, tables["comparisons"], tables["featured"]))
        elif "runs" in tables:
            frames.append(of_label_set(name, tables["comparisons"], tables["runs"]))
    return pd.concat(frames, ignore_index=True)


def of_label_set(name: str, comparisons: pd.DataFrame, runs: pd.DataFrame, basis: str = "") -> pd.DataFrame:
    """The effects of one label set.

    Parameters
    ----------
    name : of it
    comparisons : frame ranker, question, at, difference, low, high
    runs : frame ranker, setting, draw, squared_error
    basis : what they rest on; "" is `basis_of`
    """
    basis, plus = basis or basis_of(name), name == "clean+"
    rows = from_comparisons("01", comparisons, name, basis)
    rows = rows[rows["claim"].isin(OF_PLUS + ON_ALL) if plus else ~rows["claim"].isin((*OF_PLUS, "Y5"))]
    more = _of_plus(comparisons) if plus else _of_others(comparisons, runs)
    more = pd.DataFrame([effect_row(claim, name, basis, ranker, found) for claim, ranker, found in more])
    return pd.concat([rows, _averaged(rows), more], ignore_index=True)


def basis_of(name: str) -> str:
    """What the effects on a label set rest on: its judges are drawn but where people judged.

    Parameters
    ----------
    name : of a label set or a crowd

    >>> basis_of("clean07"), basis_of("cystic-fibrosis")
    ('portrait', 'real')
    """
    return REAL if name in (PEOPLE, *crowds.REAL) else PORTRAIT


def of_crowd(name: str, comparisons: pd.DataFrame, featured: pd.DataFrame) -> pd.DataFrame:
    """The effects of a crowd, without featured judges who give one grade to everything.

    Parameters
    ----------
    name : of it
    comparisons : frame ranker, question, at, difference, low, high
    featured : frame featured, by, grade, share
    """
    own = featured[(featured["by"] == "judge") & (featured["share"] >= ONE_GRADE)]
    left_out = comparisons["at"].astype(str).isin(own["featured"].astype(str))
    left_out &= comparisons["question"] == "featured judges or the majority"
    return from_comparisons("01", comparisons[~left_out], name, REAL)


def _averaged(rows: pd.DataFrame) -> pd.DataFrame:
    """The mean of both rankers on the same queries; its error is the mean of theirs, as they are not independent."""
    whole = rows[rows["ranker"] != ""].groupby(["claim", "collection", "basis", "measure"], sort=False)
    means = whole[["effect", "se", "low", "high", "queries", "draws"]].mean()
    return means[whole["ranker"].nunique() == 2].reset_index().assign(ranker=BOTH)[EFFECTS]


def _of_plus(comparisons: pd.DataFrame) -> Iterator[tuple[str, str, Effect]]:
    """The least lead of if-good-2 over another setting, by differences to if-good-3 taken for independent."""
    less = comparisons[comparisons["question"].isin([OTHER_K, OTHER]) & (comparisons["ranker"] == "LambdaRank")]
    less = less.drop_duplicates("at").set_index("at")
    if "if-good-2" not in less.index:
        return
    found = {at: given_effect(*row) for at, row in less[["difference", "low", "high"]].iterrows()}
    two = found.pop("if-good-2")
    leads = [two, *(_normal(two.effect - other.effect, np.hypot(two.se, other.se)) for other in found.values())]
    yield "Y2b", "LambdaRank", min(leads, key=lambda lead: lead.effect)


def _of_others(comparisons: pd.DataFrame, runs: pd.DataFrame) -> Iterator[tuple[str, str, Effect]]:
    """How far the best other k is above if-good-3, how often it is ahead of other schemes, and the error of labels."""
    rows = comparisons[(comparisons["question"] == OTHER_K) & (comparisons["ranker"] == "LambdaRank")]
    if len(rows):
        best = rows.loc[rows["difference"].idxmax()]
        yield "Y5", "LambdaRank", given_effect(*best[["difference", "low", "high"]])
    schemes = comparisons[(comparisons["question"] == OTHER) & comparisons["at"].isin(OTHERS)]
    if schemes["ranker"].nunique() == 2:
        ahead = int((schemes["difference"] < 0).sum())
        ends = stats.binomtest(ahead, len(schemes)).proportion_ci(method="wilson")
        yield "Y3", BOTH, given_effect(ahead / len(schemes), ends.low, ends.high)
    by_draw = runs.pivot_table(index="draw", columns="setting", values="squared_error")
    if {"if-good-3", "baseline"} <= {*by_draw} and len(by_draw) > 1:
        less = by_draw["if-good-3"] - by_draw["baseline"]
        yield "Y12", "", _normal(less.mean(), less.std(ddof=1) / np.sqrt(len(less)))


def _normal(effect: float, se: float) -> Effect:
    half = stats.norm.isf(0.025) * se
    return given_effect(float(effect), float(effect - half), float(effect + half))
