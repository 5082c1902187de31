"""What the tables of study 6 say of runs: which wins by whom, which decisions change, and how much nobody judged."""

from __future__ import annotations

import math

import pandas as pd

from helpers.judging.comparing import MODEL, PERSON, WITH
from helpers.judging.judgments import MODEL as MARK
from helpers.judging.rankings import ALL
from helpers.reporting.answers import counted, interval, listed, number, share
from helpers.studies.judgments.asked import Answers

SHOWN = 4
"""Judges of whom a sentence speaks; the others are counted."""

_DIGITS = 12
"""In which runs that are equally good have the same nDCG."""


def report(answers: Answers, cutoff: int) -> list[tuple[str, str]]:
    """Questions on runs and their answers."""
    return [
        ("Which run wins, and by whom?", f"{winner(answers, cutoff)} {unjudged(answers, cutoff)}".strip()),
        ("Do models decide so, too?", f"{decisions(answers)} {orders(answers)}".strip()),
    ]


def winner(answers: Answers, cutoff: int) -> str:
    """Which run is the first by people, by models and by single persons, a sentence that a manager can read."""
    if answers.decisions.empty:
        return ""
    first, others = answers.decisions.iloc[0], decided(answers).iloc[1:].dropna(subset="ndcg")
    if math.isnan(first["ndcg"]):
        return f"No run can be scored by {first['by']}, as nothing relevant was judged in a query that runs list."
    models, n = others[others["kind"] == MODEL], answers.runs["run"].nunique()
    if len(best := best_of(answers, first["by"])) > 1:
        equal = f"{_some(best)} are the first of {n} runs by {first['by']}, equally good"
        return f"{equal}; they reach nDCG@{cutoff} {number(first['ndcg'])}."
    text = f"{first['best']} is the first of {n} runs by {first['by']}"
    if len(models):
        text += f", and by {(models['best'] == first['best']).sum() or 'none'} of {counted(len(models), 'model')}"
    text += f"; it reaches nDCG@{cutoff} {number(first['ndcg'])}"
    text += "" if math.isnan(first["low"]) else f" ({interval(first['low'], first['high'])})"
    apart = f"told apart from {first['beaten'] or 'none'} of the other {n - 1}"
    if n == 2:
        apart = f"{'' if first['beaten'] else 'not '}told apart from the other"
    text += f" and is {apart}"
    elsewhere = models[models["best"] != first["best"]]
    parts = [
        f"{rows['best'].iloc[0]} by {_some(rows['by'].str.removeprefix(MARK))}"
        for _, rows in elsewhere.groupby("best", sort=False)
    ]
    if parts:
        text += f"; the first is {listed(parts[:SHOWN])}{_more(parts)}"
    persons = others[others["kind"] == PERSON]
    if len(persons):
        same = (persons["best"] == first["best"]).sum()
        text += f"; {same} of {len(persons)} persons alone put {first['best']} first"
    return f"{text}."


def decided(answers: Answers) -> pd.DataFrame:
    """The decisions, where several runs are equally good with "none alone" in place of the best."""
    several = answers.decisions["by"].map(lambda by: len(best_of(answers, by)) > 1).astype(bool)
    return answers.decisions.assign(best=answers.decisions["best"].mask(several, "none alone"))


def best_of(answers: Answers, by: str) -> pd.Series:
    """The runs that are the first by a judge, several where they are equally good."""
    own = answers.runs[answers.runs["by"] == by]
    return own.loc[own["ndcg"].round(_DIGITS) == own["ndcg"].max().round(_DIGITS), "run"]


def decisions(answers: Answers) -> str:
    """How many pairs of runs people tell apart, and what models make of these, by the tables of `answers`."""
    if not _scored(answers):
        return ""
    table = answers.decisions
    people, models = table.iloc[0], table[table["kind"] == MODEL].sort_values("kept", ascending=False, kind="stable")
    if people["kind"] != ALL:
        return "No person judged, so that nobody knows whether a model decides rightly between runs."
    n = len(answers.run_pairs) // len(table)
    text = f"People tell {people['apart'] or 'none'} of {counted(n, 'pair')} of runs apart"
    if len(models):
        parts = [
            f"{row.kept:,}, {row.reversed:,} and {row.added:,} by {row.by.removeprefix(MARK)}"
            for row in models.itertuples()
        ]
        text += (
            f"; told apart as well, turned round, and told apart although people do not are {listed(parts[:SHOWN])}"
            f"{_more(parts)}"
        )
    both = table[(table["kind"] == WITH.strip()) & (table["queries"] > people["queries"])]
    if len(both):
        row = both.sort_values("kept", kind="stable").iloc[-1]
        text += (
            f"; {row['by']}, which judged {row['queries']:,} queries where people judged {people['queries']:,}, tell "
            f"{row['kept'] + row['added']:,} apart and put {row['best']} first"
        )
    return f"{text} (paired t-tests, by Holm's correction for all pairs)."


def orders(answers: Answers) -> str:
    """How alike the best model's order of runs is to people's, and how many queries it spares, by `answers`."""
    known = answers.models.dropna(subset="tau")
    if known.empty:
        return ""
    row = known.iloc[0]
    tau, tau_ap = (
        f"{number(row[name], 2)} ({interval(row[f'{name}_low'], row[f'{name}_high'], 2)})" for name in ("tau", "tau_ap")
    )
    text = (
        f"{row['judge'].removeprefix(MARK)}, whose grades agree best, orders the runs as people do by Kendall's tau "
        f"{tau}, where the first ones count more by tau_ap {tau_ap}"
    )
    if math.isnan(row["needed"]):
        return f"{text}."
    spared = f"people would still judge {share(row['needed'])} of the queries that they need alone to compare two runs"
    return f"{text}; were its labels free, {spared}."


def unjudged(answers: Answers, cutoff: int) -> str:
    """How much of what runs list nobody judged, and what else was found in their files, by `answers`."""
    if not _scored(answers):
        return ""
    first = answers.decisions["by"].iloc[0]
    rows = answers.runs[answers.runs["by"] == first]
    most = rows.loc[rows["unjudged"].idxmax()]
    if not most["unjudged"] > 0:
        text = f"Of the first {cutoff} documents of the runs all were judged by {first}."
    else:
        text = (
            f"Of the first {cutoff} documents of the runs {share(rows['unjudged'].mean())} were not judged by {first} "
            f"and count as irrelevant, {share(most['unjudged'])} of {most['run']}: a run unlike those that were judged "
            "seems worse than it is."
        )
    notes, more = answers.run_notes[:SHOWN], len(answers.run_notes) - SHOWN
    return " ".join([text, *notes, *([f"{more} more files have such notes."] if more > 0 else [])])


def _scored(answers: Answers) -> bool:
    """Whether there are runs that can be scored."""
    return len(answers.decisions) > 0 and not math.isnan(answers.decisions["ndcg"].iloc[0])


def _some(names: pd.Series) -> str:
    """The first of the names, and how many more there are."""
    return listed([*names[:SHOWN], *([f"{len(names) - SHOWN} more"] if len(names) > SHOWN else [])])


def _more(parts: list[str]) -> str:
    """How many parts are not told."""
    return f"; and {len(parts) - SHOWN} more" if len(parts) > SHOWN else ""
