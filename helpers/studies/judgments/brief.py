"""The page for a manager: the answer, its numbers, and what to do on Monday, from the answers to all questions."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from helpers.judging.judgments import are_models
from helpers.reporting.answers import counted, listed, number, share, signed
from helpers.studies.judgments import beside, findings
from helpers.studies.judgments.asked import Answers
from helpers.studies.judgments.beside import measured, plain, some
from helpers.studies.judgments.tables import ALONE

TENTATIVE = 0.667
"""Krippendorff's alpha from which on labels allow tentative conclusions."""

RELIED = {
    0.8: ("reliable", "**Rely on the labels**: two people say much the same, {}."),
    TENTATIVE: ("with care", "**Conclude with care**: people agree {}, and not enough to rely on one alone."),
    -np.inf: ("too little", "**Decide little by these labels**: two people differ too often, {}."),
}
"""By the least alpha, how far labels can be relied on: in a word, and in a sentence."""

MOST = 3
"""Names in a sentence; the others are counted."""

FIRST = 2
"""Things that look wrong, of which the answer speaks."""


def answer(found: Answers) -> str:
    """What the judgments are worth, in at most ninety words."""
    there, data = found.counts, found.given.data
    documents, queries = counted(there["documents"], "document"), counted(there["queries"], "query", "queries")
    people, models = counted(there["people"], "person", "people"), counted(there["models"], "model")
    judges = listed([people] * (there["people"] > 0) + [models] * (there["models"] > 0))
    here = f"{data[0].upper()}{data[1:]}: {documents} of {queries}, by {judges}."
    again = ""
    if len(found.to_ask) and not found.few:
        gain = share(found.to_ask["summed"].iloc[-1])
        again = f"{gain} of what more labels can mend is in {counted(len(found.to_ask), 'document')}: ask there."
    return " ".join(filter(None, [here, _wrong(found), _worth(found), *_models(found), _runs(found) or again]))


def numbers(found: Answers) -> pd.DataFrame:
    """At most six numbers as texts, of what is known: frame question, number, in a word."""
    ndcg, two = found.ndcg, "people" if found.counts["people"] else "models"
    rows = [(f"Do {two} agree? (Krippendorff's alpha, 0 is chance)", _alpha(found), _word(found))]
    if len(found.models):
        row = found.models.iloc[0]
        near = f"How near to people is {plain(row['judge'])}? (weighted kappa)"
        rows.append((near, measured(row, "weighted_kappa"), _nearness(found)))
    if len(found.ceiling) and not found.few:
        ceiling = measured(found.ceiling.iloc[0], "ceiling", digits=3)
        rows.append(
            (f"How good can a ranker be? ({ndcg} of one perfect for a judge, with another)", ceiling, "at best")
        )
    if found.decisions["ndcg"].notna().any():
        row = beside.decided(found).iloc[0]
        wins = f"Which run wins? ({ndcg}, by {beside.by(found, row['by'])})"
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
    people, alpha = found.counts["people"], _alpha(found)
    if people < 2:
        who, of = ("a second person", "of one person") if people else ("a person", "of models alone")
        return f"**Have {who} judge some of it**: {of} nobody can say how sure the labels are."
    if math.isnan(found.alpha["alpha"]):
        return f"**Nobody can say how sure the labels are**: {alpha}."
    if found.few:
        queries = counted(int(found.alpha["units"]), "query", "queries")
        return f"**Nobody can say how sure the labels are**: two people judged the same in {queries} alone."
    return _relied(found)[1].format(f"by alpha {alpha}")


def _word(found: Answers) -> str:
    """How far people agree, in a word."""
    if math.isnan(found.alpha["alpha"]):
        return "not measured"
    return "too few" if found.few else _relied(found)[0]


def _relied(found: Answers) -> tuple[str, str]:
    return next(said for least, said in RELIED.items() if found.alpha["alpha"] >= least)


def _alpha(found: Answers) -> str:
    unknown = findings.unknown(found)
    return unknown[0].lower() + unknown[1:] if math.isnan(found.alpha["alpha"]) else measured(found.alpha, "alpha")


def _nearness(found: Answers) -> str:
    """What the weighted kappa of the best model is beside."""
    if found.models["judge"].iloc[0] in found.constant:
        return "one grade for everything"
    if len(found.among_people):
        return f"people {number(found.among_people['weighted_kappa'].iloc[0], 2)}"
    return "best of " + counted(len(found.models), "model") if len(found.models) > 1 else "with one person"


def _models(found: Answers) -> list[str]:
    """Which model gives one grade to all, which rank worse for people than people do, of which no loss is shown."""
    table = found.replacements
    table = table[are_models(table["judge"])]
    if table.empty or not found.counts["people"]:
        return []
    same = found.models["judge"].isin(found.constant)
    parts = [f"**{plain(row.judge)}: {row.failures}.**" for row in found.models[same].head(1).itertuples()]
    known = table.dropna(subset=["difference", "difference_low"])
    if known.empty:
        return parts + [_nearest(found, row) for row in found.models[~same].head(1).to_dict("records")]
    worse, fine = known[known["difference_high"] < 0], known[known["difference_high"] >= 0]
    if len(worse):
        loss = f"{'the worst ' * (len(worse) > 1)}by {measured(worse.iloc[0], 'difference', signed, 3)}"
        parts.append(f"**Do not let {some(map(plain, worse['judge']), MOST)} judge alone**: worse for people, {loss}.")
    if len(fine):
        parts.append(f"Of {some(map(plain, fine['judge']), MOST)} no loss is shown.")
    return parts


def _nearest(found: Answers, row: dict) -> str:
    """Which model is nearest to people where nobody can say whether that is near enough, and why, but that one person
    judged, which the answer says before."""
    there, why, of = found.counts, "", f"{plain(row['judge'])} agrees"
    if len(found.models) > 1:
        of = f"Of {len(found.models)} models {of} best"
    if there["queries"] == 1:
        why = ", as there is one query"
    elif there["people"] > 1:
        too_few, none = ", as two people judged too few documents", ", as no two people judged the same"
        why = too_few if there["judged_twice"] else none
    people, kappa = "the person" if there["people"] == 1 else "people", measured(row, "weighted_kappa")
    return f"{of} with {people}, weighted kappa {kappa}; whether it may judge is not known{why}."


def _runs(found: Answers) -> str:
    """Which run wins, and by how many models."""
    if found.decisions["ndcg"].isna().all():
        return ""
    (which, of), alike = beside.first(found), ""
    if found.counts["people"] == 1 and len(found.models) and not math.isnan(found.models["tau"].iloc[0]):
        row = found.models.iloc[0]
        alike = f"; {plain(row['judge'])} orders them alike by tau {measured(row, 'tau')}"
    return f"**{which}** {of}{alike}."
