"""What there is of judgments, what looks wrong with them, and whether the judges agree."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from helpers.judging.coded import is_model
from helpers.reporting.answers import counted, interval, number, share
from helpers.studies.judgments.asked import Answers
from helpers.studies.judgments.findings._said import FEW, NO_OVERLAP
from helpers.studies.judgments.tables import ALONE

SHOWN = 4
"""Things that look wrong, of which a sentence speaks."""


def here(answers: Answers) -> str:
    """How much there is, by the tables of `answers`."""
    table, models = answers.judges, answers.judges["judge"].map(is_model)
    people = table[~models]
    shared = int(answers.unanimity["documents"].sum())
    pairs = len(answers.ask_again)
    text = (
        f"{people['judgments'].sum():,} judgments by {counted(len(people), 'judge')} of {counted(pairs, 'document')} "
        f"in {counted(answers.ask_again['query'].nunique(), 'query', 'queries')}; {share(shared / pairs)} of the "
        "documents were judged by two or more."
    )
    if models.any():
        text += f" {counted(int(models.sum()), 'model')} judged, too."
    if people["seconds"].notna().any():
        text += f" A judgment took {people['seconds'].median():.0f} s (the median judge's median)."
    return text


def wrong(answers: Answers) -> str:
    """What looks wrong with the judgments, by the tables of `answers`."""
    if answers.wrong.empty:
        return "Nothing looks wrong: every judge uses several grades and shares documents with others."
    table = answers.wrong
    parts = [
        f"{rows['who'].iloc[0]}: {what}" if len(rows) == 1 else f"{len(rows)} judges: {what}"
        for what, rows in table[table["who"] != ""].groupby("what", sort=False)
    ]
    for row in table[table["who"] == ""].itertuples():
        alone = counted(row.count, "query was", "queries were") if row.what == ALONE else ""
        times = f" (given {counted(row.count, 'time')})" if row.what.startswith("grade") else ""
        parts.append(f"{alone} {row.what}{times}".strip())
    return f"To be looked at: {'; '.join(parts[:SHOWN])}{'; and more' if len(parts) > SHOWN else ''}."


def agreement(answers: Answers) -> str:
    """Whether the judges agree, by the tables of `answers`."""
    table = answers.agreement
    if table.empty:
        return f"{NO_OVERLAP}, so nothing can be said of agreement."
    weights = table["documents"]
    equal, chance = (np.average(table[name], weights=weights) for name in ("equal", "chance"))
    text = f"Two judges give the same grade to {share(equal)} of the documents, {share(chance)} would be chance"
    known = table[table["documents"] >= FEW].dropna(subset="weighted_kappa")
    if len(known):
        middle = np.average(known["weighted_kappa"], weights=known["documents"])
        text += f"; weighted kappa is {number(middle, 2)}{_range(known['weighted_kappa'])}"
    return f"{text}; Krippendorff's alpha is {_interval(answers.alpha)}{_few(answers.alpha['units'])}."


def splits(answers: Answers) -> str:
    """How many documents are unanimous, and how many far apart, by the tables of `answers`."""
    table = answers.unanimity
    if table.empty:
        return f"{NO_OVERLAP}, so none is unanimous or split."
    unanimous = float(table.loc[table["apart"] == 0, "share"].sum())
    scale = max(_often(answers))
    ends = float(table.loc[table["apart"] == scale, "share"].sum())
    one = float(table.loc[table["apart"] == 1, "share"].sum())
    text = f"Of the documents with several labels {share(unanimous)} are unanimous"
    if scale > 1:
        return f"{text}, {share(one)} are one grade apart, and {share(ends, 1)} hold both a 0 and a {scale}."
    return f"{text} and {share(1 - unanimous)} are split."


def confused(answers: Answers) -> str:
    """The grade that the next judge confirms least, by the tables of `answers`."""
    known = answers.confusion.dropna()
    known = known.loc[known.index.intersection(_often(answers))]
    if known.empty:
        return f"{NO_OVERLAP}, so no grade was confirmed or denied."
    confirmed = pd.Series(np.diag(answers.confusion)[known.index], known.index)
    least = int(confirmed.idxmin())
    others = known.loc[least].drop(least)
    text = f"A grade of {least} is the least certain: another judge gives it again in {share(confirmed[least])}"
    said = f", and says {int(others.idxmax())} in {share(others.max())}" if len(others) else ""
    return f"{text} of the cases{said}."


def _often(answers: Answers) -> list[int]:
    """Grades that were given often enough to be spoken of."""
    rare = answers.wrong["what"].str.extract(r"^grade (\d+), off")[0].dropna().astype(int)
    return [grade for grade in answers.confusion.index if grade not in set(rare)]


def _interval(found: dict[str, float]) -> str:
    if math.isnan(found["alpha"]):
        return "undefined, as all labels are equal"
    ends = "" if math.isnan(found["low"]) else f" ({interval(found['low'], found['high'], 2)})"
    return f"{number(found['alpha'], 2)}{ends}"


def _few(units: float) -> str:
    return ", an interval of little worth as it stands on so few queries" if 1 < units < FEW else ""


def _range(values: pd.Series) -> str:
    return f", {interval(values.min(), values.max(), 2)} between two judges" if len(values) > 1 else ""
