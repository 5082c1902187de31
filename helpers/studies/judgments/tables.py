"""The tables of study 6: frames in, frames out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from helpers.judging import alternative, questions, replacing
from helpers.judging.aggregates import QUEPID, RULES, aggregate, rounded
from helpers.judging.agreements import met
from helpers.judging.confusion import probabilities
from helpers.judging.formats import Reading
from helpers.judging.judgments import Coded, are_models, coded, without_missing
from helpers.metrics import ndcg
from helpers.metrics.significance import bootstrap_counts, bootstrap_interval, ends

MANY = 10
"""Judgments from which on a judge's time is remarkable."""

HURRY = 0.25
"""Share of all judges' median time below which a judge's is remarkable."""

RARE, RARE_SHARE = 5, 1e-3
"""A grade given fewer times than this, and in a smaller share of the judgments, may be a slip off the scale."""

CHANGED = "grades that the rule changes"
PERFECT = "highest grades by majority or by the rule"

NO_RANKER = "none"
ALONE = "judged by one judge alone"
DRIFTS = {
    "severity": ("grades higher and higher over time", "grades lower and lower over time"),
    "agreement": ("agrees more and more over time", "agrees less and less over time"),
}
"""What a drift up and a drift down is called."""

WRONG = ["what", "who", "count"]


def judges(everyone: pd.DataFrame, scales: pd.DataFrame) -> pd.DataFrame:
    """A row a judge: frame judge, judgments, shared (with another judge), queries, mean, seconds (median; NaN where the
    file has none), and of `questions.by_judge` lowest, highest, grades, sign, what."""
    everyone = without_missing(everyone)
    several = everyone.groupby(["query", "doc"], sort=False)["grade"].transform("size") > 1
    seconds = everyone["seconds"] if "seconds" in everyone else pd.Series(np.nan, everyone.index)
    by_judge = everyone.assign(shared=several, seconds=pd.to_numeric(seconds)).groupby("assessor", sort=False)
    table = by_judge.agg(
        judgments=("grade", "size"), shared=("shared", "sum"), queries=("query", "nunique"), mean=("grade", "mean"),
        seconds=("seconds", "median"),
    )  # fmt: skip
    table = table.rename_axis("judge").reset_index()
    table = table.merge(scales[["judge", "lowest", "highest", "grades", "sign", "what"]], on="judge", how="left")
    return table.sort_values("judgments", ascending=False, kind="stable", ignore_index=True)


def wrong(
    frame: pd.DataFrame, scales: pd.DataFrame, drift: pd.DataFrame, reading: Reading | None = None
) -> pd.DataFrame:
    """What looks wrong, with `questions.by_judge`, how the files were read and `steadiness.drift`, the worst first:
    frame what, who (a judge; empty where several queries), count."""
    frame = without_missing(frame)
    table = judges(frame, scales)
    rows = [(row.what, row.judge, row.judgments) for row in table[table["what"] != ""].itertuples()]
    if reading is not None:
        names = {"query": "queries", "doc": "documents"}
        alike = {names[role]: len(pairs) for role, pairs in reading.alike.items() if role in names and pairs}
        rows += [(f"{count:,} {many} that others write nearly alike", "", count) for many, count in alike.items()]
        if questions.from_one(scales, reading.as_written):
            rows.append(("grades that start at 1 (is 1 not relevant?)", "", len(frame)))
    usual = pd.to_numeric(frame["seconds"]).median() if "seconds" in frame else np.nan
    fast = table[(table["judgments"] >= MANY) & (table["seconds"] < HURRY * usual)]
    rows += [
        (f"{row.seconds:.1f} s a judgment, {usual:.1f} s is usual", row.judge, row.judgments)
        for row in fast.itertuples()
    ]
    known = drift[drift["judge"].isin(table["judge"])]
    rows += [(what, row["judge"], row["documents"]) for row in known.to_dict("records") for what in drifts(row)]
    several = len(table) > 1
    apart = table[(table["shared"] == 0) & several]
    rows += [("no document in common with another judge", row.judge, row.judgments) for row in apart.itertuples()]
    given = frame["grade"].value_counts().sort_index()
    rare = given[(given < RARE) & (given < RARE_SHARE * len(frame))]
    rows += [(f"grade {grade}, off the scale?", "", count) for grade, count in rare.items()]
    if frame["query"].nunique() == 1:
        rows.append(("one query, so that nothing is known of others", "", len(frame)))
    alone = int((frame.groupby("query", sort=False)["assessor"].nunique() == 1).sum()) * several
    rows += [(ALONE, "", alone)] if alone else []
    return pd.DataFrame(rows, columns=WRONG)


def drifts(row: dict) -> list[str]:
    """What a row of `steadiness.drift` is called, for each of its intervals that does not hold 0."""
    return [
        DRIFTS[name][int(row[f"{name}_high"] < 0)]
        for name in DRIFTS
        if row[f"{name}_low"] > 0 or row[f"{name}_high"] < 0
    ]


def confusion(judged: Coded) -> pd.DataFrame:
    """Where a grade of one judge is another grade of the next: shares of a row, frame indexed by grade, NaN where a
    grade was never judged twice."""
    grades = pd.RangeIndex(judged.values.max() + 1)
    counts = np.zeros((len(grades), len(grades)), dtype=np.int64)
    counts[np.ix_(judged.values, judged.values)] = met(judged.votes, judged.offsets).sum(axis=0)
    return pd.DataFrame(probabilities(counts), pd.Index(grades, name="one judge"), pd.Index(grades, name="another"))


def models(table: pd.DataFrame, orders: pd.DataFrame, everyone: Coded, epsilon: float) -> pd.DataFrame:
    """The table of `models.page` and beside each model `alternative.alternative_tests`, and the orders of runs of
    `comparing.compared`, NaN where there are none; held_against is how many people
    the test has, and what it says is NaN, and False, where they are fewer than the JUDGES that it asks for."""
    tests = alternative.alternative_tests(everyone, list(table["judge"]), epsilon)
    few = tests["held_against"] < alternative.JUDGES
    tests = tests.assign(passes=tests["passes"].astype(bool) & ~few)
    tests[["winning_rate", "advantage"]] = tests[["winning_rate", "advantage"]].astype(float).mask(few)
    return table.merge(tests, on="judge").merge(orders, "left", "judge")


def of_people(table: pd.DataFrame, *judges: str) -> pd.DataFrame:
    """The rows of which all judges, named in these columns, are people; all rows where no judge is one."""
    models = pd.concat([are_models(table[column]) for column in judges], axis=1)
    return table if models.all(axis=None) else table[~models.any(axis=1)].reset_index(drop=True)


def best(judged: Coded, cutoffs: Sequence[int], *, draws: int, rng: np.random.Generator) -> pd.DataFrame:
    """What a ranker that is perfect for one judge reaches with another: frame cutoff, ceiling, low, high; no row where
    no document was judged twice."""
    found = [(k, *replacing.overall(replacing.crossed(judged, k), draws=draws, rng=rng)) for k in cutoffs]
    return pd.DataFrame(found, columns=["cutoff", "ceiling", "low", "high"]).dropna(subset="ceiling")


def several(frame: pd.DataFrame) -> Coded | None:
    """Judgments of documents with two labels or more, None where there are none."""
    frame = without_missing(frame)
    kept = frame[frame.groupby(["query", "doc"], sort=False)["grade"].transform("size") > 1]
    return None if kept.empty else coded(kept)


def rules(several: Coded | None, k: int, rng: np.random.Generator) -> pd.DataFrame:
    """What rules make of several labels: frame rule, changed (share of documents whose whole grade is not that of the
    majority), mean (grade), highest (share of the highest grade), ndcg (of an imagined ranking)."""
    columns = ["rule", "changed", "mean", "highest", "ndcg"]
    if several is None:
        return pd.DataFrame(columns=columns)
    top, majority = several.grade.max(), aggregate("majority", *several.labels)
    means = aggregate("mean", *several.labels)
    scores = means + means.std() * rng.standard_normal(len(means))  # SYNTHETIC
    rows = []
    for rule in RULES:
        grades = aggregate(rule, *several.labels)
        whole = rounded(grades)
        score = np.nanmean(ndcg(whole, scores, several.offsets, k)) if whole.any() else np.nan
        rows.append((rule, (whole != majority).mean(), grades.mean(), (whole == top).mean(), score))
    return pd.DataFrame(rows, columns=columns)


def ties(several: Coded | None) -> pd.DataFrame:
    """In how many documents the majority of several labels is a tie: frame labels (of a document), documents, higher
    (of two grades the higher is taken), middle (of three or more the middle one)."""
    votes = several.votes if several is not None else np.zeros((0, 1), dtype=np.int64)
    tied = (votes == votes.max(axis=1, keepdims=True, initial=0)).sum(axis=1)
    table = pd.DataFrame({"labels": votes.sum(axis=1), "documents": 1, "higher": tied == 2, "middle": tied > 2})
    return table.groupby("labels", as_index=False).sum()


def rule_comparisons(several: Coded | None, *, draws: int, rng: np.random.Generator) -> pd.DataFrame:
    """What the claims on Quepid's rule are judged by, with intervals over queries, of one query over documents: frame
    ranker (NO_RANKER), question (CHANGED, the share of documents whose grade is not that of the majority; PERFECT, the
    share of the highest grade by majority less that by the rule), at, difference, low, high."""
    rows = []
    if several is not None:
        rule, majority = (aggregate(name, *several.labels) for name in (QUEPID, "majority"))
        top = several.grade.max()
        fewer = (majority == top).astype(float) - (rule == top)
        rows = [
            _over_queries(question, values, several.of_query, draws, rng)
            for question, values in ((CHANGED, (rule != majority).astype(float)), (PERFECT, fewer))
        ]
    return pd.DataFrame(rows, columns=["ranker", "question", "at", "difference", "low", "high"])


def qrels(frame: pd.DataFrame) -> pd.DataFrame:
    """The aggregate to be used: frame query, doc, grade, the majority of each document's labels, in its order."""
    labels = coded(frame)
    _, first = np.unique(labels.pair, return_index=True)
    graded = labels.pairs.assign(grade=aggregate("majority", *labels.labels).astype(int))
    return graded.iloc[np.argsort(first)].reset_index(drop=True)


def _over_queries(question: str, values: np.ndarray, query: np.ndarray, draws: int, rng: np.random.Generator) -> dict:
    """A comparison: the mean over documents, and its interval over queries, weighed by their documents."""
    sums, sizes = np.bincount(query, values), np.bincount(query)
    row = {"ranker": NO_RANKER, "question": question, "at": 0, "difference": values.mean()}
    if len(sums) > 1:
        weights = bootstrap_counts(len(sums), draws, rng)
        low, high = ends((weights @ sums) / (weights @ sizes))
    else:
        low, high = bootstrap_interval(values, draws=draws, rng=rng) if len(values) > 1 else (np.nan, np.nan)
    return row | {"low": low, "high": high}
