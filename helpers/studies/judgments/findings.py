"""What the tables of study 6 say, a sentence or two for each question, true for any data."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from helpers.judging.aggregates import QUEPID
from helpers.judging.judgments import are_models
from helpers.reporting.answers import counted, interval, markdown, number, share, signed
from helpers.studies.judgments import beside
from helpers.studies.judgments.asked import Answers
from helpers.studies.judgments.beside import SHOWN, measured, plain, shortened
from helpers.studies.judgments.protocol import FEW
from helpers.studies.judgments.tables import ALONE, drifts, of_people

NO_OVERLAP = "No document was judged by two people"
FIFTH = 0.2
"""Share of the labels of a hidden judge, of which a sentence speaks."""


def report(answers: Answers) -> pd.DataFrame:
    """The answers, a line each, and in one line what these judgments do not answer: frame question, answer."""
    winner = beside.winner(answers), beside.unjudged(answers)
    of_runs = [("Which run wins, and by whom?", *winner), ("Do models decide so, too?", beside.decisions(answers))]
    said = [
        ("What is here?", f"{answers.given.data}: {_here(answers)}"),
        ("What is wrong with it?", wrong(answers), drifting(answers)),
        ("Do the judges agree?", agreement(answers), with_themselves(answers)),
        ("Where do they differ?", splits(answers), confused(answers)),
        ("Can one replace another?", replacing(answers)),
        ("May a model judge?", beside.nearest(answers), beside.tested(answers)),
        ("Is a score by its labels right?", corrected(answers)),
        *(of_runs if len(answers.runs) else []),
        ("What is the best possible?", best(answers)),
        ("What to do with several labels?", rules(answers)),
        ("Whom to ask again?", asking(answers), beside_list(answers), regained(answers)),
    ]
    rows = [(question, " ".join(filter(None, sentences))) for question, *sentences in said]
    if open_questions := " ".join(question for question, answer in rows if not answer):
        rows.append(("What is not known?", f"{unknown(answers)}, which leaves open: {open_questions}"))
    return pd.DataFrame([row for row in rows if row[1]], columns=["question", "answer"])


def unknown(answers: Answers) -> str:
    """Why judgments leave questions open."""
    there = answers.counts
    if not there["people"]:
        return "Nobody but models judged" if there["models"] > 1 else "One model judged"
    if there["people"] == 1:
        return "One person judged"
    if not there["judged_twice"]:
        return NO_OVERLAP
    equal = math.isnan(answers.alpha["alpha"])
    return "All labels that can be compared are equal" if equal else "Too few documents were judged by two people"


def _here(answers: Answers) -> str:
    """How much there is, by the tables of `answers`."""
    table, models, there = answers.judges, are_models(answers.judges["judge"]), answers.counts
    people = of_people(table, "judge")
    judges = counted(len(people), "model" if models.all() else "judge")
    text = (
        f"{people['judgments'].sum():,} judgments by {judges} of {counted(there['documents'], 'document')} in "
        f"{counted(there['queries'], 'query', 'queries')}; {share(there['judged_twice'] / there['documents'])} of the "
        "documents were judged by two or more."
    )
    if len(people) < len(table):
        apart = len(answers.given.everyone[["query", "doc"]].drop_duplicates()) - there["documents"]
        more = f", and {counted(apart, 'document')} that no person did" if apart else ""
        text += f" {counted(int(models.sum()), 'model')} judged, too{more}."
    if people["seconds"].notna().any():
        text += f" A judgment took {people['seconds'].median():.0f} s (the median judge's median)."
    return text


def wrong(answers: Answers) -> str:
    """What looks wrong with the judgments, by the tables of `answers`."""
    if parts := remarks(answers):
        return f"To be looked at: {shortened(parts)}."
    if answers.counts["people"] == 1:
        return "Nothing looks wrong with the one person's grades, as far as one person's can tell."
    return "Nothing looks wrong: every judge uses several grades and shares documents with others."


def remarks(answers: Answers) -> list[str]:
    """What looks wrong, a clause each, the worst first."""
    parts = []
    for what, rows in answers.wrong.groupby("what", sort=False):
        who, count = rows["who"].iloc[0], int(rows["count"].iloc[0])
        if len(rows) > 1:
            parts.append(f"{len(rows)} {'models' if are_models(rows['who']).all() else 'judges'}: {what}")
        elif who:
            parts.append(f"{who}: {what}")
        elif what == ALONE:
            parts.append(f"{counted(count, 'query was', 'queries were')} {what}")
        else:
            parts.append(f"{what} (given {counted(count, 'time')})" if what.endswith("off the scale?") else what)
    return parts


def agreement(answers: Answers) -> str:
    """Whether the judges agree, by the tables of `answers`."""
    table, alpha = answers.agreement, answers.alpha
    if table.empty:
        return ""
    equal, chance = _averages(table, "equal", "chance")
    two = "judges" if answers.counts["people"] else "models"
    text = f"Two {two} give the same grade to {share(equal)} of the documents, {share(chance)} would be chance"
    text += _middle(table[table["documents"] >= FEW], "weighted kappa", f"between two {two}")
    known = "undefined, as all labels are equal" if math.isnan(alpha["alpha"]) else measured(alpha, "alpha")
    units = counted(int(alpha["units"]), "query", "queries")
    few = f", of little worth as it stands on {units}" if alpha["units"] < FEW else ""
    return f"{text}; Krippendorff's alpha is {known}{few}."


def with_themselves(answers: Answers) -> str:
    """Whether judges say the same again of a document, and models do where they are right; "" where none was asked."""
    table = answers.with_itself
    if table.empty:
        return ""
    text = f"{counted(table['documents'].sum(), 'document')} got several grades of one judge"
    several = table[table["documents"] >= FEW]
    if several.empty:
        return f"{text}, too few by each to say how often these are equal."
    equal, chance = _averages(several, "equal", "chance")
    text += (
        f"; of {counted(len(several), 'judge')} with {FEW} or more two such grades are equal in {share(equal)}, "
        f"{share(chance)} would be chance{_middle(several, 'weighted kappa with oneself', 'by judge')}"
    )
    return f"{text}. {_calibrated(answers.calibration.dropna())}".strip()


def _averages(table: pd.DataFrame, *names: str) -> np.ndarray:
    """The means of columns, weighed by documents."""
    return np.average(table[[*names]], axis=0, weights=table["documents"])


def _middle(table: pd.DataFrame, called: str, whose: str) -> str:
    """The mean of weighted kappas that are known, weighed by documents, and their ends."""
    known = table.dropna(subset="weighted_kappa")
    if known.empty:
        return ""
    [middle] = _averages(known, "weighted_kappa")
    ends = f", {interval(known['weighted_kappa'].min(), known['weighted_kappa'].max(), 2)} {whose}"
    return f"; {called} is {number(middle, 2)}{ends * (len(known) > 1)}"


def _calibrated(table: pd.DataFrame) -> str:
    """Of how many models equal answers tell when they are right, and what that is of the first."""
    if table.empty:
        return ""
    row, told = table.iloc[0], int((table["low"] > 0).sum())
    return (
        f"Of {told} of {counted(len(table), 'model')} equal answers are shown to tell when it is right: "
        f"{plain(row['judge'])} says what a person says in {share(row['right'])} of {row['unanimous']:,} documents "
        f"with equal answers, in {share(row['right_else'])} of the others ({signed(row['difference'], 2)}; "
        f"{interval(row['low'], row['high'], 2)})."
    )


def drifting(answers: Answers) -> str:
    """Which judges grade or agree otherwise at the end than at the beginning; "" where the files hold no times."""
    known = answers.drift.dropna(subset="severity_low")
    if answers.drift.empty:
        return ""
    if known.empty:
        return f"Drift over the time of judging is not told, as nobody judged {FEW} queries with others."
    said = []
    for row in known.to_dict("records"):
        if drifts(row):
            ends = ", ".join(f"{name} {measured(row, name, signed)}" for name in ("severity", "agreement"))
            said.append(f"{plain(row['judge'])} {' and '.join(drifts(row))} ({ends})")
    if not said:
        return f"Over the time of judging none of {counted(len(known), 'judge')} is shown to change."
    chance = f"of {2 * len(known)} intervals one in twenty leaves out 0 by chance"
    return f"Over the time of judging, of {counted(len(known), 'judge')}: {shortened(said)}; {chance}."


def splits(answers: Answers) -> str:
    """How many documents are unanimous, and how many far apart, by the tables of `answers`."""
    table = answers.unanimity
    if table.empty:
        return ""
    of_apart = table.set_index("apart")["share"]
    unanimous = float(of_apart.get(0, 0.0))
    if unanimous == 1:
        return "All labels of a document are the same."
    grades = _often(answers)
    text = f"Of the documents with several labels {share(unanimous)} are unanimous"
    if len(grades) < 2 or grades[-1] - grades[0] < 2:
        return f"{text} and {share(1 - unanimous)} are split."
    both = float(of_apart.get(grades[-1] - grades[0], 0.0))
    ends = f"{share(both, 1)} hold" if both else "none holds"
    one = share(float(of_apart.get(1, 0.0)))
    return f"{text}, {one} are one grade apart, and {ends} both a {grades[0]} and a {grades[-1]}."


def confused(answers: Answers) -> str:
    """The grade that the next judge confirms least, by the tables of `answers`."""
    known = answers.confusion.loc[_often(answers)]
    confirmed = pd.Series(np.diag(answers.confusion)[known.index], known.index)
    if answers.few or known.empty or confirmed.min() == 1:
        return ""
    least = int(confirmed.idxmin())
    others = known.loc[least].drop(least)
    often = " of those given often" if len(known) < len(answers.confusion.dropna()) else ""
    return (
        f"A grade of {least} is the least certain{often}: another judge gives it again in {share(confirmed[least])} of "
        f"the cases, and says {int(others.idxmax())} in {share(others.max())}."
    )


def _often(answers: Answers) -> list[int]:
    """Grades of documents that were judged twice, from the lowest, that were given often enough to be spoken of."""
    rare = answers.wrong["what"].str.extract(r"^grade (\d+), off")[0].dropna().astype(int)
    return [grade for grade in answers.confusion.dropna().index if grade not in set(rare)]


def replacing(answers: Answers) -> str:
    """Whether a judge can stand for another, a sentence that a manager can read."""
    table = answers.replacements
    if table.empty:
        return ""
    row = _looked_at(table)
    judge, best_order = row["judge"], f"of the best {answers.ndcg} with {_others(answers, row['model'])}"
    reached = f"reaches {measured(row, 'reached', digits=3)} {best_order}"
    at_random = f"{judge} gives one grade to all documents, so that its ranking is one at random"
    if math.isnan(row["difference"]) and judge in answers.constant:
        return f"A ranking at random, all that {judge} gives, {reached}: {at_random}."
    if math.isnan(row["difference"]):
        return (
            f"A ranking that is perfect for {judge} {reached}; whether that is little cannot be said, as there are no "
            "two other people to compare with."
        )
    return (
        f"With {judge} in the place of {'a person' if row['model'] else 'another'} {answers.ndcg} changes by "
        f"{measured(row, 'difference', signed, 3)}; a ranking that is perfect "
        f"for {judge} {reached}, rankings by those people {number(row['others'])}: "
        f"{at_random if judge in answers.constant else _verdict(row, judge)}."
    )


def _others(answers: Answers, model: bool) -> str:
    """What to call the people who are not looked at."""
    there = answers.counts
    if not there["people"]:
        return "the other models" if there["models"] > 2 else "the other model"
    if there["people"] == (1 if model else 2):
        return "the one person" if model else "the other person"
    return "the people" if model else "the other people"


def corrected(answers: Answers) -> str:
    """How far a score by one judge's labels is off, run by run, or imagined ranking by imagined ranking."""
    table = answers.corrected[answers.corrected["n"] >= FEW]
    if table.empty:
        return ""
    judged = table.merge(answers.replacements[["judge", "model", "difference", "reached"]], on="judge", how="inner")
    judge = (_looked_at(judged) if len(judged) else table.iloc[0])["judge"]
    bias = table.loc[table["judge"] == judge, "bias"]
    kind, made = "runs", ""
    if not len(answers.runs):
        kind, made = "imagined rankings", "; these are people's mean grades with noise, which favours people's labels"
    off = f"{signed(bias.min())} to {signed(bias.max())}"
    return f"The labels of {judge} shift the scores of {len(bias)} {kind} by {off}{made}."


def _looked_at(table: pd.DataFrame) -> pd.Series:
    """The model that does best, or where there is none the judge who does worst."""
    chosen = table[table["model"].astype(bool)]
    by = {"by": ["difference", "reached"], "kind": "stable"}
    return table.sort_values(**by).iloc[0] if chosen.empty else chosen.sort_values(**by, na_position="first").iloc[-1]


def _verdict(row: pd.Series, judge: str) -> str:
    if row["difference_high"] < 0:
        return f"{judge} is worse than one of them"
    if row["difference_low"] > 0:
        return f"{judge} is better than one of them"
    if math.isnan(row["difference_low"]):
        return "of one query, so that nothing is shown"
    return f"no loss from replacing one of them by {judge} is shown"


def best(answers: Answers) -> str:
    """The best that a ranker can reach, and which differences are none."""
    if answers.ceiling.empty:
        return ""
    row = answers.ceiling.iloc[0]
    text = f"A ranker perfect for one judge reaches {answers.ndcg} {measured(row, 'ceiling', digits=3)} with another"
    if math.isnan(answers.threshold):
        return f"{text}."
    two = f"two {'runs' if len(answers.runs) else 'imagined rankings'} a difference below {number(answers.threshold)}"
    return f"{text}; of {two} is within the judges' disagreement."


def rules(answers: Answers) -> str:
    """What rules make of several labels, by the tables of `answers`."""
    table, documents = answers.rules.set_index("rule"), answers.ties["documents"].sum()
    if table.empty:
        return ""
    if documents < FEW:
        return f"Too few documents have several labels, {documents}, to say what a rule changes. {tied(answers)}"
    changed = table.loc[QUEPID, "changed"]
    if not changed:
        return f"The rule decides nothing here: the majority and the {QUEPID} give the same grades. {tied(answers)}"
    return f"The rule decides: the {QUEPID} changes {share(changed, 1)} of the grades of the majority. {tied(answers)}"


def rule_table(answers: Answers) -> pd.DataFrame:
    """The rules as texts, if any changes a grade of the majority, of FEW documents or more."""
    told = answers.ties["documents"].sum() >= FEW and answers.rules["changed"].any()
    table = answers.rules if told else answers.rules[:0]
    columns = {"changed": share, "mean": number, "highest": share, "ndcg": number}
    shown = {name: table[name].map(text) for name, text in columns.items()}
    return pd.DataFrame({"rule": table["rule"], **shown}).rename(columns={"mean": "mean grade", "ndcg": "nDCG"})


def ask_table(answers: Answers) -> pd.DataFrame:
    """The first documents to ask again, as texts."""
    table = answers.to_ask.head(SHOWN)
    worth = [name for name in ("expected", "decides") if name in table]
    return table[["query", "doc", "labels"]].join(table[worth].map(number))


def listing(table: pd.DataFrame) -> list[str]:
    """A table of texts in Markdown, if it has rows."""
    return [markdown(table)] if len(table) else []


def tied(answers: Answers) -> str:
    """How ties of several labels fall in the grades that are written."""
    table = answers.ties.set_index("labels")
    documents, higher, middle = table[["documents", "higher", "middle"]].sum()
    if not higher + middle:
        return f"No majority of several labels is a tie, in {counted(documents, 'document')}."
    two = f"two {'people' if answers.counts['people'] else 'models'}"
    always = f", always where {two} differ ({table.loc[2, 'higher']:,})" if table["higher"].get(2) else ""
    taken = [f"{counted(higher, 'time')} the higher of two grades{always}"] if higher else []
    taken += [f"{counted(middle, 'time')} the middle one of three or more"] if middle else []
    return (
        f"The majority is a tie in {higher + middle:,} of {counted(documents, 'document')} with several labels, and "
        f"taken is {'; '.join(taken)}."
    )


def asking(answers: Answers) -> str:
    """What to ask again, and where to stop."""
    if answers.unanimity.empty:
        return ""
    chosen, changed = answers.to_ask, answers.ndcg
    gain = f"gain in {changed}"
    if "decides" in chosen:
        first, second = answers.run_pairs.loc[0, ["first", "second"]]
        changed = f"the difference of {first} and {second} in {changed}"
        gain = f"change in {changed}"
    if chosen.empty:
        return f"No single label more is expected to change {changed}."
    first = "first document" if len(chosen) == 1 else f"first {len(chosen):,} documents"
    they = "it holds" if len(chosen) == 1 else "they hold"
    return (
        f"Ask again the {first} of the list: of all that more labels are expected to {gain} {they} "
        f"{share(chosen['summed'].iloc[-1])}, and any other is worth less than one at random."
    )


def beside_list(answers: Answers) -> str:
    """What the list of what to ask again leaves out; "" for nothing."""
    left_out = counted(answers.counts["documents"] - len(answers.ask_again), "document")
    if len(answers.ask_again) == answers.counts["documents"]:
        return ""
    return f"Not on the list: {left_out} on which all agree, in queries in which nothing is relevant."


def regained(answers: Answers) -> str:
    """What asking again was worth when a judge was hidden."""
    means = closed(answers.hidden)
    if means.empty:
        return ""
    chosen, random = (share(means.loc[FIFTH, name]) for name in ("chosen", "random"))
    other = "; this goes by what nDCG gains, the list by what decides between two runs"
    other *= "decides" in answers.ask_again
    return (
        f"A fifth of a hidden judge's labels regains {chosen} of what nDCG lost if chosen by worth, {random} at random"
        f"{other}."
    )


def closed(table: pd.DataFrame) -> pd.DataFrame:
    """Means over hidden judges of the shares of the gap that are closed, weighed by their gaps: frame chosen, random,
    indexed by share; empty where no judge could be hidden.
    """
    weighed = table[["chosen", "random"]].mul(table["gap"], axis=0).assign(share=table["share"], gap=table["gap"])
    sums = weighed.groupby("share").sum()
    return sums[["chosen", "random"]].div(sums["gap"], axis=0)
