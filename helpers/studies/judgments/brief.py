"""The page for a manager: the answer, three numbers, and what to do on Monday, from the answers to all questions."""

from __future__ import annotations

import math

import pandas as pd

from helpers.judging.judgments import is_model
from helpers.reporting.answers import counted, interval, listed, number, share, signed
from helpers.studies.judgments.asked import Answers

RELIABLE, TENTATIVE = 0.8, 0.667
"""Krippendorff's alpha from which on labels can be relied on, and from which on they allow tentative conclusions."""

MOST = 3
"""Names in a sentence; the others are counted."""


def answer(found: Answers) -> str:
    """What the judgments are worth, in at most ninety words."""
    return " ".join(filter(None, [_here(found), _worth(found), _models(found), _again(found)]))


def numbers(found: Answers) -> pd.DataFrame:
    """Three numbers as texts: frame number, what it is."""
    best = found.best[found.best["cutoff"] == found.settings["cutoff"]]
    ceiling = best.iloc[0] if len(best) else pd.Series({"ceiling": math.nan, "low": math.nan, "high": math.nan})
    ndcg = f"nDCG@{found.settings['cutoff']:g}"
    rows = [
        (
            _with_interval(found.alpha["alpha"], found.alpha["low"], found.alpha["high"], 2),
            f"agreement of the {'judges' if found.counts['people'] else 'models'} (Krippendorff's alpha: 0 is chance, "
            f"{number(RELIABLE, 1)} can be relied on)",
        ),
        (
            _with_interval(ceiling["ceiling"], ceiling["low"], ceiling["high"]),
            f"the best {ndcg} to hope for: of a ranker that is perfect for one judge, with another",
        ),
        (
            number(found.threshold),
            f"the smallest difference of two {'runs' if len(found.runs) else '(imagined) rankers'} in {ndcg} that "
            "another judge's labels do not undo",
        ),
    ]
    return pd.DataFrame(rows, columns=["number", "what it is"])


def monday(found: Answers) -> list[str]:
    """What to do, the first first."""
    steps = []
    alone, people = found.unanimity.empty, found.counts["people"]
    if not people:
        steps.append("Have a person judge fifty documents: without it nothing says how sure these labels are.")
    elif alone:
        steps.append("Have a second person judge fifty documents: without it nothing says how sure these labels are.")
    remarks = found.wrong[(found.wrong["who"] != "") & ~found.wrong["who"].map(is_model).astype(bool)]
    if len(remarks) and not alone:
        said = [f"{row.who} ({row.what})" for row in remarks.head(MOST).itertuples()]
        more = len(remarks) - MOST
        steps.append(f"Look at the labels of {_few(said, more)}.")
    failing = found.models[found.models["failures"] != ""]
    if len(failing):
        said = [f"{row.judge} ({row.failures})" for row in failing.head(MOST).itertuples()]
        steps.append(f"Leave out, or prompt anew, {_few(said, len(failing) - MOST)}.")
    if len(found.boundaries) and found.boundaries["differ"].iloc[0] > 0:
        row = found.boundaries.iloc[0]
        steps.append(
            f"Write down what parts grade {row['below']:.0f} from {row['above']:.0f}: of two labels of a document, "
            f"{share(row['differ'])} lie on different sides."
        )
    worst = found.worst_queries
    worst = worst[worst["alpha"] < min(TENTATIVE, found.alpha["alpha"])] if len(worst) else worst
    if len(worst):
        names = worst["query"].head(MOST)
        steps.append(f"Talk about {listed(names)} (see `worst_queries`), where people agree least: what is wanted?")
    if len(found.to_ask):
        steps.append(
            f"Have the {counted(len(found.to_ask), 'document')} in `ask_again` judged once more, in this order, and "
            "stop there."
        )
    if not math.isnan(found.threshold):
        steps.append(f"Call no difference of two rankers below {number(found.threshold)} a gain.")
    return steps


def _here(found: Answers) -> str:
    there = found.counts
    documents, queries = counted(there["documents"], "document"), counted(there["queries"], "query", "queries")
    models = counted(there["models"], "model")
    people = counted(there["people"], "judge") + f" (and {models})" * bool(there["models"])
    judges = people if there["people"] else models
    return f"{found.given.data[0].upper()}{found.given.data[1:]}: {documents} of {queries}, by {judges}."


def _worth(found: Answers) -> str:
    value = found.alpha["alpha"]
    if not found.counts["people"]:
        return "**Nobody can say how sure the labels are**: models alone judged."
    if math.isnan(value):
        return "**Nobody can say how sure the labels are**: no two judges gave different grades, or judged the same."
    if value >= RELIABLE:
        return "**The labels can be relied on**: two judges say much the same."
    if value >= TENTATIVE:
        return "**The labels allow careful conclusions**: judges agree, but not enough to rely on one alone."
    return "**The labels decide little as they are**: two judges differ too often."


def _models(found: Answers) -> str:
    """Which model gives one grade to all, which rank worse for people than people do, of which no loss is shown."""
    table = found.replacements
    table = table[table["judge"].map(is_model).astype(bool)]
    if table.empty:
        return ""
    known = table.dropna(subset=["difference", "difference_low"])
    same = found.models[found.models["failures"].str.contains(" for all ")]
    parts = [f"**{row.judge}: {row.failures}.**" for row in same.head(1).itertuples()]
    if known.empty:
        why = "no two people judged the same documents" if table["difference"].isna().all() else "there is one query"
        parts.append(f"Whether a model may judge is not known: {why}.")
        if len(found.models):
            row = found.models.iloc[0]
            kappa = _with_interval(*(row[f"weighted_kappa{end}"] for end in ("", "_low", "_high")), 2)
            parts.append(f"{row['judge']} agrees best, by weighted kappa {kappa}.")
        return " ".join(parts)
    worse = known[known["difference_high"] < 0]
    fine = known[known["difference_high"] >= 0]
    if len(worse):
        row = worse.iloc[0]
        loss = f"{signed(row['difference'])} ({interval(row['difference_low'], row['difference_high'])})"
        which = f"the worst by {loss}" if len(worse) > 1 else f"by {loss}"
        names = worse["judge"].head(MOST).tolist()
        parts.append(f"**Do not let {_few(names, len(worse) - MOST)} judge alone**: worse for people, {which}.")
    if len(fine):
        names = fine["judge"].head(MOST).tolist()
        parts.append(f"Of {_few(names, len(fine) - MOST)} no loss is shown.")
    return " ".join(parts)


def _again(found: Answers) -> str:
    if found.to_ask.empty:
        return ""
    gain = share(found.to_ask["summed"].iloc[-1])
    return f"{gain} of what more labels can mend is in {counted(len(found.to_ask), 'document')}: ask there."


def _few(names: list[str], more: int) -> str:
    return listed([*names, f"{more} more"] if more > 0 else names)


def _with_interval(value: float, low: float, high: float, digits: int = 3) -> str:
    ends = "" if math.isnan(low) else f" ({interval(low, high, digits)})"
    return f"{number(value, digits)}{ends}"
