"""The page for a manager: the answer, its numbers, and what to do on Monday, from the answers to all questions."""

from __future__ import annotations

import math

import pandas as pd

from helpers.judging.comparing import MODEL
from helpers.judging.judgments import are_models
from helpers.judging.rankings import ALL
from helpers.reporting.answers import counted, listed, number, share, signed
from helpers.studies.judgments import beside, findings
from helpers.studies.judgments.asked import Answers
from helpers.studies.judgments.beside import measured, plain, some
from helpers.studies.judgments.tables import ALONE

RELIABLE, TENTATIVE = 0.8, 0.667
"""Krippendorff's alpha from which on labels can be relied on, and from which on they allow tentative conclusions."""

MOST = 3
"""Names in a sentence; the others are counted."""

FIRST = 2
"""Things that look wrong, of which the answer speaks."""


def answer(found: Answers) -> str:
    """What the judgments are worth, in at most ninety words."""
    parts = [_here(found), _wrong(found), _worth(found), _models(found), _runs(found) or _again(found)]
    return " ".join(filter(None, parts))


def numbers(found: Answers) -> pd.DataFrame:
    """At most six numbers as texts, of what is known: frame question, number, in a word."""
    ndcg, two = f"nDCG@{found.settings['cutoff']:g}", "people" if found.counts["people"] else "models"
    rows = [(f"Do {two} agree? (Krippendorff's alpha, 0 is chance)", _alpha(found), _word(found))]
    if len(found.models):
        row = found.models.iloc[0]
        near = f"How near to people is {plain(row['judge'])}? (weighted kappa)"
        rows.append((near, measured(row, "weighted_kappa"), _nearness(found)))
    best = found.best[found.best["cutoff"] == found.settings["cutoff"]]
    if len(best) and not found.few:
        ceiling = measured(best.iloc[0], "ceiling", digits=3)
        rows.append(
            (f"How good can a ranker be? ({ndcg} of one perfect for a judge, with another)", ceiling, "at best")
        )
    if found.decisions["ndcg"].notna().any():
        row = beside.decided(found).iloc[0]
        wins = f"Which run wins? ({ndcg}, by {_by(found, row['by'])})"
        rows.append((wins, measured(row, "ndcg", digits=3), row["best"]))
    if not math.isnan(found.threshold):
        moved = number(found.threshold)
        two = "runs" if len(found.runs) else "imagined rankings"
        rows.append((f"Which difference of two {two} in {ndcg} do labels undo?", moved, "or less"))
    if len(found.to_ask) and not found.few:
        held = share(found.to_ask["summed"].iloc[-1])
        what = "what decides between two runs" if "decides" in found.to_ask else "the gain"
        rows.append(("Whom to ask again?", counted(len(found.to_ask), "document"), f"{held} of {what}"))
    return pd.DataFrame(rows, columns=["question", "number", "in a word"])


def monday(found: Answers) -> list[str]:
    """What to do, the first first."""
    steps = []
    alone, people = found.unanimity.empty, found.counts["people"]
    few = found.few
    if alone or few or not people:
        who = "a second person" if people else "a person"
        steps.append(f"Have {who} judge fifty documents: without it nothing says how sure these labels are.")
    remarks = found.wrong[(found.wrong["who"] != "") & ~are_models(found.wrong["who"])]
    if len(remarks) and not alone:
        said = [f"{row.who} ({row.what})" for row in remarks.itertuples()]
        steps.append(f"Look at the labels of {some(said, MOST)}.")
    failing = found.models[found.models["failures"] != ""]
    if len(failing):
        said = [f"{plain(row.judge)} ({row.failures})" for row in failing.itertuples()]
        steps.append(f"Leave out, or prompt anew, {some(said, MOST)}.")
    if len(found.boundaries) and not few and found.boundaries["differ"].iloc[0] > 0:
        row = found.boundaries.iloc[0]
        steps.append(
            f"Write down what parts grade {row['below']:.0f} from {row['above']:.0f}: of two labels of a document, "
            f"{share(row['differ'])} lie on different sides."
        )
    worst = found.worst_queries
    worst = worst[worst["alpha"] < min(TENTATIVE, found.alpha["alpha"])] if len(worst) else worst
    if len(worst) and not few:
        names = worst["query"].head(MOST)
        who = "people" if people else "models"
        steps.append(f"Talk about {listed(names)} (see `worst_queries`), where {who} agree least: what is wanted?")
    if len(found.to_ask) and not few:
        again = counted(len(found.to_ask), "document")
        steps.append(f"Have {again} judged once more, those in `ask_again` in their order, and stop there.")
    if not math.isnan(found.threshold):
        moved = number(found.threshold)
        which = "of these runs" if len(found.runs) else "for imagined ones"
        steps.append(f"Call no difference of two rankers below {moved} a gain: it moves so much {which}.")
    return steps or ["Keep these labels as they are: nothing in them asks for more."]


def _here(found: Answers) -> str:
    there = found.counts
    documents, queries = counted(there["documents"], "document"), counted(there["queries"], "query", "queries")
    people, models = counted(there["people"], "person", "people"), counted(there["models"], "model")
    judges = [text for text, number in ((people, there["people"]), (models, there["models"])) if number]
    return f"{found.given.data[0].upper()}{found.given.data[1:]}: {documents} of {queries}, by {listed(judges)}."


def _wrong(found: Answers) -> str:
    """What looks wrong first, but for queries that were judged by one judge alone."""
    parts = [part for part in findings.remarks(found) if not part.endswith(ALONE)]
    scales = found.judges[are_models(found.judges["judge"]) & ~found.judges["judge"].isin(found.constant)]
    scales = scales[scales["what"] != ""] if found.counts["people"] else scales[:0]
    for what, rows in scales.groupby("what", sort=False):
        parts.append(f"{plain(rows['judge'].iloc[0]) if len(rows) == 1 else f'{len(rows)} models'}: {what}")
    more = f" and {len(parts) - FIRST} more" if len(parts) > FIRST else ""
    return f"**Look first at** {'; '.join(parts[:FIRST])}{more}." if parts else ""


def _worth(found: Answers) -> str:
    """How far the labels can be relied on."""
    there, alpha = found.counts, f"by alpha {_alpha(found)}"
    if not there["people"]:
        return "**Have a person judge some of it**: of models alone nobody can say how sure the labels are."
    if there["people"] == 1:
        return "**Have a second person judge some of it**: of one person nobody can say how sure the labels are."
    if math.isnan(found.alpha["alpha"]):
        return f"**Nobody can say how sure the labels are**: {_alpha(found)}."
    if found.few:
        return f"**Nobody can say how sure the labels are**: {_twice(found)}."
    if found.alpha["alpha"] >= RELIABLE:
        return f"**Rely on the labels**: two people say much the same, {alpha}."
    if found.alpha["alpha"] >= TENTATIVE:
        return f"**Conclude with care**: people agree {alpha}, and not enough to rely on one alone."
    return f"**Decide little by these labels**: two people differ too often, {alpha}."


def _twice(found: Answers) -> str:
    queries = counted(int(found.alpha["units"]), "query", "queries")
    return f"two people judged the same in {queries} alone"


def _word(found: Answers) -> str:
    """How far people agree, in a word."""
    value = found.alpha["alpha"]
    if math.isnan(value):
        return "not measured"
    if found.few:
        return "too few"
    return "reliable" if value >= RELIABLE else "with care" if value >= TENTATIVE else "too little"


def _alpha(found: Answers) -> str:
    if math.isnan(found.alpha["alpha"]):
        return findings.unknown(found)[0].lower() + findings.unknown(found)[1:]
    return measured(found.alpha, "alpha")


def _nearness(found: Answers) -> str:
    """What the weighted kappa of the best model is beside."""
    if found.models["judge"].iloc[0] in found.constant:
        return "one grade for everything"
    if len(found.among_people):
        return f"people {number(found.among_people['weighted_kappa'].iloc[0], 2)}"
    return "best of " + counted(len(found.models), "model") if len(found.models) > 1 else "with one person"


def _models(found: Answers) -> str:
    """Which model gives one grade to all, which rank worse for people than people do, of which no loss is shown."""
    table = found.replacements
    table = table[are_models(table["judge"])]
    if table.empty or not found.counts["people"]:
        return ""
    same = found.models[found.models["judge"].isin(found.constant)]
    parts = [f"**{plain(row.judge)}: {row.failures}.**" for row in same.head(1).itertuples()]
    known = table.dropna(subset=["difference", "difference_low"])
    return " ".join([*parts, *(_nearest(found) if known.empty else _replaceable(known))])


def _nearest(found: Answers) -> list[str]:
    """Which model is nearest to people where nobody can say whether that is near enough."""
    near = found.models[~found.models["judge"].isin(found.constant)]
    if near.empty:
        return []
    row, people = near.iloc[0], "the person" if found.counts["people"] == 1 else "people"
    kappa = measured(row, "weighted_kappa")
    of = (
        f"Of {len(found.models)} models {plain(row['judge'])} agrees best"
        if len(found.models) > 1
        else f"{plain(row['judge'])} agrees"
    )
    why = _why(found)
    return [f"{of} with {people}, weighted kappa {kappa}; whether it may judge is not known{why}."]


def _why(found: Answers) -> str:
    """Why nobody can say whether a model may judge, but that one person judged, which the answer says before."""
    if found.counts["queries"] == 1:
        return ", as there is one query"
    if found.counts["people"] == 1:
        return ""
    few = "two people judged too few documents" if found.counts["judged_twice"] else "no two people judged the same"
    return f", as {few}"


def _replaceable(known: pd.DataFrame) -> list[str]:
    """Which models rank worse for people than people do, and of which no loss is shown."""
    parts = []
    worse, fine = known[known["difference_high"] < 0], known[known["difference_high"] >= 0]
    if len(worse):
        row = worse.iloc[0]
        loss = measured(row, "difference", signed, 3)
        which = f"the worst by {loss}" if len(worse) > 1 else f"by {loss}"
        names = some(map(plain, worse["judge"]), MOST)
        parts.append(f"**Do not let {names} judge alone**: worse for people, {which}.")
    if len(fine):
        parts.append(f"Of {some(map(plain, fine['judge']), MOST)} no loss is shown.")
    return parts


def _runs(found: Answers) -> str:
    """Which run wins, and by how many models."""
    if found.decisions["ndcg"].isna().all():
        return ""
    decisions = beside.decided(found)
    first, models = decisions.iloc[0], decisions[decisions["kind"] == MODEL]
    agree = (models["best"] == first["best"]).sum() or "none"
    by = f", and by {agree} of {beside.scored(found, len(models), 'model')}"
    of = f"of {counted(found.runs['run'].nunique(), 'run')} by {_by(found, first['by'])}"
    if len(best := beside.best_of(found, first["by"])) > 1:
        return f"**{some(best, MOST)} are the first** {of}, equally good."
    alike = ""
    if found.counts["people"] == 1 and len(found.models) and not math.isnan(found.models["tau"].iloc[0]):
        row = found.models.iloc[0]
        alike = f"; {plain(row['judge'])} orders them alike by tau {measured(row, 'tau')}"
    return f"**{first['best']} is the first** {of}{by if len(models) and first['kind'] != MODEL else ''}{alike}."


def _by(found: Answers, judge: str) -> str:
    """By whose labels."""
    return "the person" if judge == ALL and found.counts["people"] == 1 else plain(judge)


def _again(found: Answers) -> str:
    if found.to_ask.empty or found.few:
        return ""
    gain = share(found.to_ask["summed"].iloc[-1])
    return f"{gain} of what more labels can mend is in {counted(len(found.to_ask), 'document')}: ask there."
