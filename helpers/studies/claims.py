"""What each paper claims, and the verdict on it, computed from a table of comparisons."""

from __future__ import annotations

import numpy as np
import pandas as pd

from helpers import checks
from helpers.engine import results as stored_results
from helpers.reporting import answers
from helpers.reporting.verdicts import COLUMNS, Claim, judged, speaks_of
from helpers.studies.bounds import claims as bounds
from helpers.studies.budget import claims as budget
from helpers.studies.depth import claims as depth
from helpers.studies.judgments import claims as judgments
from helpers.studies.overlap import claims as overlap
from helpers.studies.robustness import claims as robustness

STUDIES = {"01": overlap, "02": bounds, "03": robustness, "04": depth, "05": budget, "06": judgments}

CLAIMS = {number: study.CLAIMS for number, study in STUDIES.items()}
"""Study -> what its paper claims; of study 5, what rules of thumb promise; of study 6, what is said of a tool."""

LEFT_OUT = {"TD2003": "hangs on TD2003", "synthetic": "hangs on synthetic data"}
"""What a comparison may be `without` -> what a verdict that changes then rests on."""

UNKNOWN = "not said"
"""What a verdict rests on where neither the caller nor the table names the data."""


def verdicts(study: str, results: pd.DataFrame, margin: float | None = None, data: str | None = None) -> pd.DataFrame:
    """The verdict on every claim of a study that was made for such data, for every ranker that it was measured with.

    What each claim says of a difference is one of `verdicts.SAYS`. It is *reproduced* where the interval lies wholly on
    the side of the claim, *not reproduced* where it lies on the other (within the margin, for a claim that there is a
    difference), else *undecided*. A claim of several settings is reproduced where it is at each of them, and not where
    one says so at Holm's level; of a claim of some settings it is the other way round (`verdicts.judged`).

    Parameters
    ----------
    study : number of the study, a key of CLAIMS
    results : comparisons, columns ranker, question, at, difference, low, high; a claim without rows is undecided. With
        a column `without`, rows that have one of LEFT_OUT there say the same of fewer data sets; with a column
        `rests_on`, it says of each row what it rests on
    margin : difference that is taken for none; None leaves every claim its own
    data : name of the data set or label set; None judges all claims, whatever data they were made for

    Returns
    -------
    frame claim, source, published, where, ranker, measured, low, high, expected, verdict, rests_on
        `where` is the setting that decides, and of how many; `ranker` is empty where a claim depends on none;
        `expected` is where the interval has to lie for it to be reproduced

    Raises
    ------
    ValueError
        when there is no such study.

    Examples
    --------
    >>> rows = pd.DataFrame({"ranker": "LambdaRank", "question": "all documents or half", "at": [50],
    ...                      "difference": [0.001], "low": [-0.002], "high": [0.004]})
    >>> found = verdicts("04", rows, data="mq2008").query("measured.notna()")
    >>> found[["where", "measured", "verdict", "rests_on"]].values.tolist()
    [['mq2008: 50 % of the documents', 0.001, 'reproduced', 'real']]
    """
    checks.one_of("study", study, CLAIMS)
    results = results.assign(without=results["without"].astype(object).fillna("") if "without" in results else "")
    rows = []
    for claim in CLAIMS[study]:
        if not claim.made_for(data):
            continue
        measured = speaks_of(claim, results)
        for ranker in (results if measured.empty else measured)["ranker"].unique():
            stated = {"claim": claim.claim, "source": claim.source, "published": claim.published, "ranker": ranker}
            stated |= {"expected": answers.expected(claim, margin)}
            rows.append(stated | _verdict(study, claim, measured[measured["ranker"] == ranker], margin, data))
    return pd.DataFrame(rows, columns=COLUMNS)


def _verdict(study: str, claim: Claim, rows: pd.DataFrame, margin: float | None, data: str | None) -> dict:
    found = judged(claim, rows[rows["without"] == ""], margin)
    if found["where"] and data:
        found["where"] = f"{data}: {found['where']}"
    return found | {"rests_on": _rests_on(study, claim, rows, margin, data, found["verdict"])}


def _rests_on(
    study: str, claim: Claim, rows: pd.DataFrame, margin: float | None, data: str | None, verdict: str
) -> str:
    if data in claim.by_construction:
        return "by construction"
    for part, hangs in LEFT_OUT.items():
        fewer = rows[rows["without"] == part]
        if len(fewer) and judged(claim, fewer, margin)["verdict"] != verdict:
            return hangs
    if "rests_on" in rows and len(rows):
        bases = rows["rests_on"].unique()
        return bases[0] if len(bases) == 1 else "real"
    return STUDIES[study].rests_on(data) if data else UNKNOWN


def by_margin(study: str, results: pd.DataFrame, margins: list[float], data: str | None = None) -> pd.DataFrame:
    """The verdicts under several margins: a row for each claim and ranker, a column for each margin.

    Parameters
    ----------
    study, results, data : as in `verdicts`
    margins : differences that are taken for none
    """
    frames = [verdicts(study, results, margin, data).assign(margin=margin) for margin in margins]
    return pd.concat(frames).set_index(["claim", "ranker", "margin"])["verdict"].unstack(sort=False)


def headlines(study: str) -> list[str]:
    """The claims that a short answer of a study is made of: its HEADLINES, or all of them.

    Parameters
    ----------
    study : number of the study, a key of CLAIMS

    Examples
    --------
    >>> headlines("06")[0]
    'The rule gives other grades than the majority'
    """
    return list(getattr(STUDIES[study], "HEADLINES", [claim.claim for claim in CLAIMS[study]]))


def ledger(*studies: str) -> pd.DataFrame:
    """Verdicts of these studies, or all, from their stored tables, where a claim was measured; claims as in CLAIMS.

    Returns
    -------
    frame study, data, claim, source, published, where, ranker, measured, low, high, expected, verdict, rests_on
    """
    frames = [
        verdicts(study, tables["comparisons"], data=data).assign(study=study, data=data)
        for study in studies or CLAIMS
        for data, tables in stored_results.stored(study).items()
        if len(tables.get("comparisons", ()))
    ]
    if not frames:
        return pd.DataFrame(columns=["study", "data", *COLUMNS])
    found = pd.concat(frames).dropna(subset="measured")
    places = {(study, claim.claim): place for study in CLAIMS for place, claim in enumerate(CLAIMS[study])}
    order = np.argsort([places[key] for key in zip(found["study"], found["claim"], strict=True)], kind="stable")
    return found.iloc[order].sort_values("study", kind="stable", ignore_index=True)[["study", "data", *COLUMNS]]
