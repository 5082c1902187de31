"""The effects of Yang et al.'s claims on each label set, from the stored intervals and runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

from helpers.engine import results
from helpers.metrics.significance import Effect
from helpers.reporting.verdicts import EFFECTS, PORTRAIT, REAL, effect_row, from_comparisons, given_effect
from helpers.studies.overlap import crowds
from helpers.studies.overlap.tables import OVERHEAD

BOTH = "both rankers"  # the paper's two rankers, averaged

OF_PLUS, ON_ALL = ("Y2",), ("Y6", "Y9")  # claims that are made of Clean+ alone, and of it and the others

SET_BEFORE, VALIDATED, EQUAL_COST = "set before", "a fifth validates", "equal cost"
"""Parts of the experiment on people: the learner is set once a collection, or a fifth of the queries chooses it as the
label sets have it; and, set before, several labels on as many fewer queries."""

AT_3, WIDE = "NDCG@3", "mean of NDCG@1, @5, @10"

OTHER, OTHER_K = "another setting or if-good-3", "another k or if-good-3"
"""Questions of the comparisons: differences to if-good-3."""

IF_GOOD = "if-good-{k}"
CONTRASTS = {
    "Y1": (IF_GOOD,), "Y4": ("{k}-overlap", IF_GOOD), "Y8": ("mv{k}", "{k}-overlap"), "Y9": ("if-good-x3", IF_GOOD),
    "Y13": (IF_GOOD, "baseline", WIDE), "Y14": ("gain-{k}",),
}  # fmt: skip
"""Claim -> what is held against what, as `gained` takes it, of people's k labels a pair."""

OTHERS = ("3-overlap", "mv3", "highest-3")  # other uses of three labels

ONE_GRADE = 0.99  # share of a single grade from which a crowd worker is taken for one who does not look, and left out


def effects() -> pd.DataFrame:
    """Frame with the columns `verdicts.EFFECTS`, of all label sets, crowds and people that are stored."""
    frames = [of_people()]
    for name, tables in results.stored("01").items():
        if name in crowds.REAL:
            frames.append(of_crowd(name, tables["comparisons"], tables["featured"]))
        elif "runs" in tables:
            frames.append(of_label_set(name, tables["comparisons"], tables["runs"]))
    return pd.concat(frames, ignore_index=True)


def of_label_set(name: str, comparisons: pd.DataFrame, runs: pd.DataFrame, basis: str = PORTRAIT) -> pd.DataFrame:
    """The effects of one label set."""
    plus = name == "clean+"
    rows = from_comparisons("01", comparisons, name, basis)
    rows = rows[rows["claim"].isin(OF_PLUS + ON_ALL) if plus else ~rows["claim"].isin((*OF_PLUS, "Y5"))]
    more = _of_plus(comparisons) if plus else _of_others(comparisons, runs)
    more = pd.DataFrame([effect_row(claim, name, basis, ranker, found) for claim, ranker, found in more])
    return pd.concat([rows, _averaged(rows), more], ignore_index=True)


def of_people(part: str = SET_BEFORE) -> pd.DataFrame:
    """The effects on the collections that several people judged: frame with the columns `verdicts.EFFECTS`."""
    rows = [row for name, tables in results.stored("01/people").items() for row in _of_collection(name, tables, part)]
    return pd.DataFrame(rows, columns=EFFECTS)


def _of_collection(name: str, tables: Mapping[str, pd.DataFrame], part: str) -> Iterator[dict]:
    """Rows of one collection, whose name says how many labels of a pair there are where these are not three."""
    k, cost = labels_a_pair(tables), tables["facts"]["cost"].iloc[0] - OVERHEAD
    name, held = name if k == 3 else f"{name} (k = {k})", partial(gained, tables, part=part)
    contrasts = {claim: held(*contrast) for claim, contrast in CONTRASTS.items()}
    contrasts |= {"Y15": gained(tables, "gain-{k}", part=EQUAL_COST)} if part == SET_BEFORE else {}
    for claim, rows in contrasts.items():
        for row in rows.to_dict("records"):
            yield effect_row(claim, name, REAL, row["ranker"], _stored(row))
    others = pd.concat([held(setting, IF_GOOD) for setting in ("{k}-overlap", "mv{k}", "highest-{k}")])
    others = others[others["ranker"] != BOTH].drop_duplicates(["ranker", "setting"])
    yield effect_row("Y3", name, REAL, BOTH, _ahead(others["effect"]))
    if k == 3:
        other_k = pd.concat([held(setting, IF_GOOD) for setting in ("if-good-2", "if-good-5", "good-till-bad")])
        other_k = other_k[other_k["ranker"] == "LambdaRank"]
        yield effect_row("Y5", name, REAL, "LambdaRank", _stored(other_k.loc[other_k["effect"].idxmax()]))
    yield effect_row("Y6", name, REAL, "", Effect(cost, 0.0, cost, cost, np.nan, np.nan))
    if "labels" in tables:
        yield effect_row("Y12", name, REAL, "", _stored(named(tables["labels"], f"if-good-{k}").iloc[0]))


def labels_a_pair(tables: Mapping[str, pd.DataFrame]) -> int:
    """The k of a collection that people judged."""
    return int(tables["facts"]["k"].iloc[0])


def gained(
    tables: Mapping[str, pd.DataFrame],
    setting: str,
    against: str = "baseline",
    measure: str = AT_3,
    *,
    part: str = SET_BEFORE,
    ranker: str = "",
    every_budget: bool = False,
) -> pd.DataFrame:
    """What a setting gains over another on a collection, "{k}" being its k: a row for each ranker, or of one; at equal
    cost with the whole budget, or for every budget.
    """
    k, found = labels_a_pair(tables), tables["effects"]
    wanted = {"part": part, "measure": measure, "against": against.format(k=k)} | ({"ranker": ranker} if ranker else {})
    found = found[np.logical_and.reduce([found[column] == value for column, value in wanted.items()])]
    rows = named(found, setting.format(k=k))
    return rows[rows["budget"] == 1] if part == EQUAL_COST and not every_budget else rows


def named(rows: pd.DataFrame, setting: str) -> pd.DataFrame:
    """The rows of a setting, which has the name of all settings that make the same labels."""
    return rows.loc[[setting in names.split(", ") for names in rows["setting"]]]


def _stored(row: Mapping) -> Effect:
    """The effect of a row of the stored tables."""
    return Effect(*(row[field] for field in Effect._fields))


def basis_of(name: str) -> str:
    """What the labels of a crowd rest on: those of the pool are drawn."""
    return REAL if name in crowds.REAL else PORTRAIT


def of_crowd(name: str, comparisons: pd.DataFrame, featured: pd.DataFrame) -> pd.DataFrame:
    """The effects of a crowd, without featured judges who give one grade to everything."""
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
        yield "Y3", BOTH, _ahead(schemes["difference"])
    by_draw = runs.pivot_table(index="draw", columns="setting", values="squared_error")
    if {"if-good-3", "baseline"} <= {*by_draw} and len(by_draw) > 1:
        less = by_draw["if-good-3"] / by_draw["baseline"] - 1
        yield "Y12", "", _normal(less.mean(), less.std(ddof=1) / np.sqrt(len(less)))


def _ahead(less: pd.Series) -> Effect:
    """How often if-good-3 is ahead, of differences of others to it, with Wilson's interval."""
    ahead = int((less < 0).sum())
    ends = stats.binomtest(ahead, len(less)).proportion_ci(method="wilson")
    return given_effect(ahead / len(less), ends.low, ends.high)


def _normal(effect: float, se: float) -> Effect:
    half = stats.norm.isf(0.025) * se
    return given_effect(float(effect), float(effect - half), float(effect + half))
