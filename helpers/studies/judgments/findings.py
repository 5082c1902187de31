"""What the tables of study 6 say, a sentence or two for each question, true for any data."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from helpers.judging.aggregates import QUEPID
from helpers.judging.alternative import JUDGES
from helpers.judging.judgments import is_model
from helpers.reporting.answers import counted, interval, number, share, signed
from helpers.studies.judgments.asked import Answers
from helpers.studies.judgments.protocol import FEW
from helpers.studies.judgments.tables import ALONE

NO_OVERLAP = "No document was judged by two people"
SHOWN = 4
"""Things that look wrong, of which a sentence speaks."""

FIFTH = 0.2
"""Share of the labels of a hidden judge, of which a sentence speaks."""


def _between(row: pd.Series, low: str, high: str) -> str:
    """An interval in brackets, or nothing where it is not known."""
    return "" if math.isnan(row[low]) else f" ({interval(row[low], row[high])})"


def report(answers: Answers, cutoff: int, epsilon: float, data: str) -> pd.DataFrame:
    """The answers in ten lines: frame question, answer."""
    rows = [
        ("What is here?", f"{data}: {_here(answers)}"),
        ("What is wrong with it?", wrong(answers)),
        ("Do the judges agree?", agreement(answers)),
        ("Where do they differ?", f"{splits(answers)} {confused(answers)}"),
        ("Can one replace another?", replacing(answers, cutoff)),
        ("Does a test say so?", tested(answers, epsilon)),
        ("Is a score by its labels right?", corrected(answers)),
        ("What is the best possible?", best(answers, cutoff)),
        ("What to do with several labels?", rules(answers)),
        ("Whom to ask again?", f"{asking(answers, cutoff)} {regained(answers)}"),
    ]
    return pd.DataFrame(rows, columns=["question", "answer"])


def _here(answers: Answers) -> str:
    """How much there is, by the tables of `answers`."""
    table, models, there = answers.judges, answers.judges["judge"].map(is_model), answers.counts
    people = table[~models]
    text = (
        f"{people['judgments'].sum():,} judgments by {counted(len(people), 'judge')} of "
        f"{counted(there['documents'], 'document')} in {counted(there['queries'], 'query', 'queries')}; "
        f"{share(there['judged_twice'] / there['documents'])} of the documents were judged by two or more."
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


def replacing(answers: Answers, cutoff: int) -> str:
    """Whether a judge can stand for another, a sentence that a manager can read."""
    table = answers.replacements
    if table.empty:
        return f"{NO_OVERLAP}, so no judge can be held against another."
    row = _looked_at(table)
    judge = row["judge"]
    text = (
        f"A ranking that is perfect for {judge} reaches {number(row['reached'])}{_between(row, 'low', 'high')} "
        f"of the best nDCG@{cutoff} with {'the' if row['model'] else 'the other'} people"
    )
    if math.isnan(row["difference"]):
        return f"{text}; whether that is little cannot be said, as there are no two other people to compare with."
    end = f"; rankings by those people reach {number(row['others'])}, a difference of {signed(row['difference'])}"
    end += _between(row, "difference_low", "difference_high")
    return f"{text}{end}: {_verdict(row, judge)}."


def tested(answers: Answers, epsilon: float) -> str:
    """What the alternative annotator test says."""
    table = answers.replacements.dropna(subset="winning_rate")
    if table.empty:
        return "The alternative annotator test needs documents that three judged: there are too few."
    passed, few = int(table["passes"].sum()), bool(table["held_against"].min() < JUDGES)
    of = counted(len(table), "judge")
    row = _looked_at(table)
    text = (
        f"The alternative annotator test, tolerance {epsilon:g}, is passed by {passed} of {of}; "
        f"{row['judge']} has the winning rate {number(row['winning_rate'], 2)} and is at least as good as the one left "
        f"out in {share(row['advantage'])} of the documents"
    )
    return f"{text}{' (the paper asks for three others, here some have fewer)' if few else ''}."


def corrected(answers: Answers) -> str:
    """The bias of a score by one judge's labels, and what its correction needs, by the tables of `answers`."""
    table = answers.corrected[answers.corrected["n"] >= FEW]
    if table.empty:
        return f"Fewer than {FEW} queries were judged by two people, so the bias of a score cannot be measured."
    judged = table.merge(answers.replacements[["judge", "model", "difference", "reached"]], on="judge", how="inner")
    row = _looked_at(judged) if len(judged) else table.iloc[0]
    text = (
        f"A score by the labels of {row['judge']} is off by {signed(row['bias'])}"
        f"{_between(row, 'bias_low', 'bias_high')} against the others' labels"
    )
    if math.isnan(row["rho"]):
        return f"{text}; its queries do not vary, so that it corrects nothing."
    return (
        f"{text}; corrected on the {row['n']:.0f} queries that people judged too it is {number(row['estimate'])} ± "
        f"{number(row['high'] - row['estimate'])} (correlation {number(row['rho'], 2)}: were its labels free, people "
        f"would still judge {share(1 - row['rho'] ** 2)} of the queries that they need alone)."
    )


def _looked_at(table: pd.DataFrame) -> pd.Series:
    """The model that does worst, or where there is none the judge who does."""
    chosen = table[table["model"].astype(bool)]
    chosen = table if chosen.empty else chosen
    return chosen.sort_values(["difference", "reached"], kind="stable").iloc[0]


def _verdict(row: pd.Series, judge: str) -> str:
    if row["difference_high"] < 0:
        return f"{judge} is worse than one of them"
    if row["difference_low"] > 0:
        return f"{judge} is better than one of them"
    if math.isnan(row["difference_low"]):
        return "of one query, so that nothing is shown"
    return f"no loss from replacing one of them by {judge} is shown"


def best(answers: Answers, cutoff: int) -> str:
    """The best that a ranker can reach, and which differences are none."""
    found = answers.best[answers.best["cutoff"] == cutoff]
    if found.empty:
        return f"{NO_OVERLAP} with a grade above 0, so no ceiling can be computed."
    row = found.iloc[0]
    text = (
        f"A ranker perfect for one judge reaches nDCG@{cutoff} {number(row['ceiling'])}{_between(row, 'low', 'high')}"
    )
    text += " with another"
    if not math.isnan(row["predicted"]):
        text += f" ({number(row['predicted'])} if judges differed alike in all queries)"
    moved = answers.threshold
    if math.isnan(moved):
        return f"{text}."
    return f"{text}; a difference of two rankers below {number(moved)} is within the judges' disagreement."


def rules(answers: Answers) -> str:
    """What rules make of several labels, by the tables of `answers`."""
    table = answers.rules.set_index("rule")
    if table.empty:
        return f"{NO_OVERLAP}, so every rule gives the same grades."
    quepid, majority = table.loc[QUEPID], table.loc["majority"]
    spread = table["ndcg"].max() - table["ndcg"].min()
    text = (
        f"The rule decides: the {QUEPID} changes {share(quepid['changed'], 1)} of the grades of the majority and takes "
        f"the highest grade from {share(majority['highest'])} to {share(quepid['highest'])} of the documents"
    )
    return text + (
        f"; one ranking scores {number(spread)} higher or lower by the rule alone." if spread == spread else "."
    )


def asking(answers: Answers, cutoff: int) -> str:
    """What to ask again, and where to stop."""
    if answers.unanimity.empty:
        return f"{NO_OVERLAP}, so it cannot be said whom to ask again."
    chosen = answers.to_ask
    if chosen.empty:
        return f"No single label more is expected to change nDCG@{cutoff}."
    first = counted(len(chosen), "document")
    return (
        f"Ask again the first {first} of the list: of all that more labels are expected to gain in nDCG@{cutoff} they "
        f"hold {share(chosen['summed'].iloc[-1])}, and any other is worth less than one at random."
    )


def regained(answers: Answers) -> str:
    """What asking again was worth when a judge was hidden."""
    means = closed(answers.hidden)
    if means.empty:
        return "No judge can be hidden to see what asking again would have been worth."
    chosen, random = (share(means.loc[FIFTH, name]) for name in ("chosen", "random"))
    return f"A fifth of a hidden judge's labels regains {chosen} of what nDCG lost, chosen so; {random} at random."


def closed(table: pd.DataFrame) -> pd.DataFrame:
    """Means over hidden judges of the shares of the gap that are closed, weighed by their gaps: frame chosen, random,
    indexed by share; empty where no judge could be hidden.
    """
    weighed = table[["chosen", "random"]].mul(table["gap"], axis=0).assign(share=table["share"], gap=table["gap"])
    sums = weighed.groupby("share").sum()
    return sums[["chosen", "random"]].div(sums["gap"], axis=0)
