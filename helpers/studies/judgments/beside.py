"""What the tables of study 6 say of models beside people: how near they are, what a map mends, which runs win."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import pandas as pd

from helpers.judging import comparing
from helpers.judging.alternative import FEWEST, FEWEST_UNITS, JUDGES
from helpers.judging.judgments import MODEL
from helpers.judging.rankings import ALL
from helpers.judging.replacing import MOST
from helpers.reporting.answers import counted, interval, listed, number, share, signed
from helpers.studies.judgments.asked import Answers

SHOWN = 4
"""Judges, or models that fail, of which a sentence speaks; the others are counted."""

LEVELS = 6
"""Grades of people up to which a table says how far a model is from each."""

_DIGITS = 12
"""In which runs that are equally good have the same nDCG."""


def measured(row: pd.Series | dict, name: str, shown: Callable[[float, int], str] = number, digits: int = 2) -> str:
    """What was measured, and in brackets its interval, if it is known: NAME_low to NAME_high, or low to high."""
    low, high = (row.get(f"{name}_{end}", row.get(end)) for end in ("low", "high"))
    return shown(row[name], digits) + ("" if math.isnan(low) else f" ({interval(low, high, digits)})")


def shortened(parts: list[str]) -> str:
    """The first SHOWN parts of a sentence, and how many more there are."""
    return "; ".join(parts[:SHOWN]) + (f"; and {len(parts) - SHOWN} more" if len(parts) > SHOWN else "")


def some(names: Iterable[str], most: int) -> str:
    """The first names, and how many more there are."""
    names = list(names)
    return listed([*names[:most], *([f"{len(names) - most} more"] if len(names) > most else [])])


def nearest(answers: Answers) -> str:
    """Which model is best, how near it is to people, and which models fail, a sentence that a manager can read."""
    table = answers.models
    if table.empty:
        there = answers.counts
        if not there["people"]:
            return "Models alone judged, so that there is nobody to hold them against."
        return "No model and person judged the same document." if there["models"] else "No model judged."
    row, people = table.iloc[0], "the one person" if answers.counts["people"] == 1 else "the people"
    how = f"agrees with {people}" if len(table) == 1 else f"of {len(table)} models agrees best with {people}"
    if row["judge"] in answers.constant:
        how = f"gives one grade to all documents of {people}"
    parts = [f"{plain(row['judge'])} {how}, weighted kappa {measured(row, 'weighted_kappa')}"]
    if len(answers.among_people):
        parts.append(f"people agree with each other by {measured(answers.among_people.iloc[0], 'weighted_kappa')}")
    if len(table) > 1 and not math.isnan(row["behind_low"]):
        good = int((table["behind_low"].iloc[1:] <= 0).sum())
        others = f"{good} of the others {'is' if good == 1 else 'are'} not shown to be" if good else "all others are"
        parts.append(f"{others} worse")
    parts.append(f"its grades are off by {measured(row, 'bias', signed)} on average")
    failing = [
        f"{plain(rows['judge'].iloc[0]) if len(rows) == 1 else f'{len(rows)} models'}: {failures}"
        for failures, rows in table[table["failures"] != ""].groupby("failures", sort=False)
    ]
    return "; ".join(parts) + (f". To be looked at: {shortened(failing)}." if failing else ".")


def mapped(answers: Answers) -> str:
    """What the map of the best model to people's grades mends, by the tables of `answers`."""
    if answers.models.empty:
        return nearest(answers)
    row = answers.models.iloc[0]
    if row["judge"] in answers.constant:
        return "One grade for everything cannot be mapped so that documents differ."
    if math.isnan(row["mapped_error"]):
        return "A map to people's grades cannot be tried on other queries, as there is one alone."
    steps = answers.model_maps[answers.model_maps["judge"] == row["judge"]]
    said = ", ".join(f"{step.grade} to {number(step.mapped)}" for step in steps.head(LEVELS).itertuples())
    return (
        f"Mapped to people's grades, {said}{', …' * (len(steps) > LEVELS)}, {plain(row['judge'])} is "
        f"{number(row['mapped_error'])} from a person's grade, {number(row['error'])} as it is; the map mends "
        f"{measured(row, 'mended', signed)}."
    )


def tested(answers: Answers) -> str:
    """What the alternative annotator test says of models; "" where none is held against people."""
    table = answers.models
    if table.empty:
        return ""
    known = table.dropna(subset="winning_rate")
    if known.empty:
        return (
            f"The alternative annotator test cannot be made, as it asks for {JUDGES} people who judged the same "
            f"documents, {FEWEST} or more in {FEWEST_UNITS} queries or more; kappa stands alone."
        )
    row, epsilon = known.iloc[0], answers.settings["epsilon"]
    return (
        f"The alternative annotator test, tolerance {epsilon:g}, is passed by {int(known['passes'].sum())} of "
        f"{counted(len(known), 'model')}; {plain(row['judge'])} has the winning rate {number(row['winning_rate'], 2)} "
        f"against {row['held_against']} people, and is at least as near to the others as the one left out in "
        f"{share(row['advantage'])} of a query's documents."
    )


def table(answers: Answers) -> pd.DataFrame:
    """The models as texts, best first; AC1 and the test are there where they are known of one of them."""
    rows = []
    for row in answers.models.to_dict("records"):
        by_grade = answers.model_bias[answers.model_bias["judge"] == row["judge"]]
        grades = ", ".join(f"{own.grade}: {signed(own.bias, 2)}" for own in by_grade.itertuples())
        grades = f" ({grades})" if len(by_grade) <= LEVELS else ""
        rows.append(
            {
                "model": plain(row["judge"]),
                "weighted kappa": measured(row, "weighted_kappa"),
                "kappa": measured(row, "kappa"),
                "AC1": measured(row, "ac1"),
                "bias (by people's grade)": signed(row["bias"], 2) + grades,
                "error, mapped": f"{number(row['error'])}, {number(row['mapped_error'])}",
                "winning rate": f"{number(row['winning_rate'], 2)}, {'passes' if row['passes'] else 'fails'}",
                "to be looked at": row["failures"],
            }
        )
    unknown = {"AC1": "ac1", "winning rate": "winning_rate"}
    absent = [name for name, key in unknown.items() if answers.models[key].isna().all()]
    return pd.DataFrame(rows).drop(columns=absent, errors="ignore")


def run_table(answers: Answers) -> pd.DataFrame:
    """How alike models order runs to people, as texts, in the order of `table`; no row where no order is known."""
    models = answers.models if answers.models["tau"].notna().any() else answers.models[:0]
    rows = [
        {
            "model": plain(row["judge"]),
            "tau": measured(row, "tau"),
            "tau_ap": measured(row, "tau_ap"),
            "kept": share(row["kept"]),
            "reversed": share(row["reversed"]),
            "queries needed": share(row["needed"]),
        }
        for row in models.to_dict("records")
    ]
    return pd.DataFrame(rows)


def plain(judge: str) -> str:
    """A model's name without the mark that it is one."""
    return judge.removeprefix(MODEL)


def by(answers: Answers, judge: str) -> str:
    """By whose labels."""
    return "the person" if judge == ALL and answers.counts["people"] == 1 else plain(judge)


def first(answers: Answers) -> tuple[str, str]:
    """Which run is the first, or which are, and of how many by whom, where runs can be scored."""
    leading, models, n = answers.decisions.iloc[0], _models(answers), answers.runs["run"].nunique()
    of = f"of {counted(n, 'run')} by {by(answers, leading['by'])}"
    if len(best := best_of(answers, leading["by"])) > 1:
        return f"{some(best, SHOWN)} are the first", f"{of}, equally good"
    if len(models):
        agree = (models["best"] == leading["best"]).sum() or "none"
        kind = "other model" if leading["kind"] == comparing.MODEL else "model"
        of += f", and by {agree} of {scored(answers, len(models), kind)}"
    return f"{leading['best']} is the first", of


def winner(answers: Answers) -> str:
    """Which run is the first by people, by models and by single persons, a sentence that a manager can read."""
    if answers.decisions.empty:
        return ""
    leading, n = answers.decisions.iloc[0], answers.runs["run"].nunique()
    if math.isnan(leading["ndcg"]):
        return f"No run can be scored by {leading['by']}, as nothing relevant was judged in a query that runs list."
    text = " ".join(first(answers))
    if len(best_of(answers, leading["by"])) > 1:
        return f"{text}; they reach {answers.ndcg} {number(leading['ndcg'])}."
    apart = f"told apart from {leading['beaten'] or 'none'} of the other {n - 1}"
    if n == 2:
        apart = f"{'' if leading['beaten'] else 'not '}told apart from the other"
    text += f"; it reaches {answers.ndcg} {measured(leading, 'ndcg', digits=3)} and is {apart}"
    models, persons = _models(answers), _models(answers, comparing.PERSON)
    elsewhere = models[models["best"] != leading["best"]].groupby("best", sort=False)["by"]
    if parts := [f"{run} by {some(map(plain, judges), SHOWN)}" for run, judges in elsewhere]:
        text += f"; the first is {some(parts, SHOWN)}"
    if len(persons):
        same = (persons["best"] == leading["best"]).sum()
        text += f"; {same} of {scored(answers, len(persons), 'person')} alone put {leading['best']} first"
    return f"{text}."


def _models(answers: Answers, kind: str = comparing.MODEL) -> pd.DataFrame:
    """The decisions, as `decided` has them, of the models that score runs, or of others, but of the first judge."""
    others = decided(answers).iloc[1:].dropna(subset="ndcg")
    return others[others["kind"] == kind]


def scored(answers: Answers, count: int, kind: str) -> str:
    """How many models or persons score runs, and of how many where those who judged are more than are compared.

    With 39 of 60 persons it is "the 39 persons compared (of 60)".
    """
    there, who = answers.counts["people" if kind == "person" else "models"], counted(count, kind)
    many = answers.counts["people"] + answers.counts["models"] > MOST
    return f"the {who} compared (of {there:,})" if many and count < there else who


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
    people, models = table.iloc[0], table[table["kind"] == comparing.MODEL]
    models = models.sort_values("kept", ascending=False, kind="stable")
    if people["kind"] != ALL:
        return "No person judged, so that nobody knows whether a model decides rightly between runs."
    n = len(answers.run_pairs) // len(table)
    text = f"People tell {people['apart'] or 'none'} of {counted(n, 'pair')} of runs apart"
    if len(models):
        parts = [f"{row.kept:,}, {row.reversed:,} and {row.added:,} by {plain(row.by)}" for row in models.itertuples()]
        said = some(parts, SHOWN)
        text += f"; told apart as well, turned round, and told apart although people do not are {said}"
    both = table[(table["kind"] == comparing.WITH.strip()) & (table["queries"] > people["queries"])]
    if len(both):
        row = both.sort_values("kept", kind="stable").iloc[-1]
        text += (
            f"; {row['by']}, which judged {row['queries']:,} queries where people judged {people['queries']:,}, tell "
            f"{row['kept'] + row['added']:,} apart and put {row['best']} first"
        )
    return f"{text} (paired t-tests, by Holm's correction for all pairs)."


def unjudged(answers: Answers) -> str:
    """How much of what runs list nobody judged, and what else was found in their files, by `answers`."""
    if not _scored(answers):
        return ""
    cutoff, first = answers.settings["cutoff"], answers.decisions["by"].iloc[0]
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
    others = f"{more} more {'file has' if more == 1 else 'files have'} such notes."
    return " ".join([text, *notes, *([others] if more > 0 else [])])


def _scored(answers: Answers) -> bool:
    """Whether there are runs that can be scored."""
    return len(answers.decisions) > 0 and not math.isnan(answers.decisions["ndcg"].iloc[0])
