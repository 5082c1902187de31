"""What the tables of study 6 say of models beside people: how near, what a map mends, and whether they may judge."""

from __future__ import annotations

import math
from collections.abc import Callable

import pandas as pd

from helpers.judging.alternative import FEWEST, FEWEST_UNITS, JUDGES
from helpers.judging.judgments import MODEL, is_model
from helpers.reporting.answers import counted, interval, number, share, signed
from helpers.studies.judgments.asked import Answers

SHOWN = 4
"""Models that fail, of which a sentence speaks."""

LEVELS = 6
"""Grades of people up to which a table says how far a model is from each."""


def between(row: pd.Series | dict, low: str, high: str, digits: int = 3) -> str:
    """An interval in brackets, or nothing where it is not known."""
    return "" if math.isnan(row[low]) else f" ({interval(row[low], row[high], digits)})"


def _people(answers: Answers) -> str:
    """What to call the people."""
    return "the one person" if (~answers.judges["judge"].map(is_model)).sum() == 1 else "the people"


def nearest(answers: Answers) -> str:
    """Which model is best, how near it is to people, and which models fail, a sentence that a manager can read."""
    table = answers.models
    if table.empty:
        there = answers.counts
        if not there["people"]:
            return "Models alone judged, so that there is nobody to hold them against."
        return "No model and person judged the same document." if there["models"] else "No model judged."
    row, people = table.iloc[0], _people(answers)
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
    more = f", and {len(failing) - SHOWN} more" if len(failing) > SHOWN else ""
    return "; ".join(parts) + (f". To be looked at: {'; '.join(failing[:SHOWN])}{more}." if failing else ".")


def measured(row: pd.Series | dict, name: str, shown: Callable[[float, int], str] = number) -> str:
    """What was measured of a model, with its interval."""
    return f"{shown(row[name], 2)}{between(row, f'{name}_low', f'{name}_high', 2)}"


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


def tested(answers: Answers, epsilon: float) -> str:
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
    row = known.iloc[0]
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
                "tau": measured(row, "tau"),
                "tau_ap": measured(row, "tau_ap"),
                "kept": f"{share(row['kept'])}, {share(row['reversed'])} reversed",
                "queries needed": share(row["needed"]),
                "winning rate": f"{number(row['winning_rate'], 2)}, {'passes' if row['passes'] else 'fails'}",
                "to be looked at": row["failures"],
            }
        )
    unknown = {"AC1": "ac1", "winning rate": "winning_rate"} | {name: name for name in ("tau", "tau_ap", "kept")}
    unknown |= {"queries needed": "needed"}
    absent = [name for name, key in unknown.items() if answers.models[key].isna().all()]
    return pd.DataFrame(rows).drop(columns=absent, errors="ignore")


def plain(judge: str) -> str:
    """A model's name without the mark that it is one."""
    return judge.removeprefix(MODEL)
