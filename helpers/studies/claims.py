"""What each paper claims, and the verdict on it, computed from a table of comparisons."""

from __future__ import annotations

import pandas as pd

from helpers import checks
from helpers.engine import results as stored_results
from helpers.reporting.verdicts import COLUMNS, _judged, _measured
from helpers.studies.bounds import claims as bounds
from helpers.studies.depth import claims as depth
from helpers.studies.judgments import claims as judgments
from helpers.studies.overlap import claims as overlap
from helpers.studies.robustness import claims as robustness

CLAIMS = {
    "01": overlap.CLAIMS,
    "02": bounds.CLAIMS,
    "03": robustness.CLAIMS,
    "04": depth.CLAIMS,
    "06": judgments.CLAIMS,
}
"""Study -> what its paper claims; of study 6, what is said of a tool."""


def verdicts(study: str, results: pd.DataFrame, margin: float | None = None) -> pd.DataFrame:
    """The verdict on every claim of a study, for every ranker that it was measured with.

    A claim that one thing is better is *reproduced* where the whole interval of the difference lies above zero, *not
    reproduced* where it lies below the margin, else *undecided*. A claim that one thing is as good as another is
    *reproduced* where the interval of what is lost lies below the margin, *not reproduced* where it lies above zero,
    else *undecided*. A claim about several settings is reproduced where it is at each of them, and not where it is
    not at one; `measured`, `low` and `high` are those of the setting that decides, of several the one that speaks
    most against the claim.

    Parameters
    ----------
    study : number of the study, a key of CLAIMS
    results : comparisons, columns ranker, question, at, difference, low, high; a claim without rows is undecided
    margin : difference that is taken for none; None leaves every claim its own

    Returns
    -------
    frame claim, source, published, ranker, measured, low, high, verdict

    Raises
    ------
    ValueError
        when there is no such study.

    Examples
    --------
    >>> rows = pd.DataFrame({"ranker": "LambdaRank", "question": "all documents or half", "at": [50],
    ...                      "difference": [0.001], "low": [-0.002], "high": [0.004]})
    >>> verdicts("04", rows).query("measured.notna()")[["measured", "verdict"]].values.tolist()
    [[0.001, 'reproduced']]
    """
    checks.one_of("study", study, CLAIMS)
    rows = []
    for claim in CLAIMS[study]:
        measured = _measured(claim, results)
        for ranker in (results if measured.empty else measured)["ranker"].unique():
            stated = {"claim": claim.claim, "source": claim.source, "published": claim.published, "ranker": ranker}
            rows.append(stated | _judged(claim, measured[measured["ranker"] == ranker], margin))
    return pd.DataFrame(rows, columns=COLUMNS)


def by_margin(study: str, results: pd.DataFrame, margins: list[float]) -> pd.DataFrame:
    """The verdicts under several margins: a row for each claim and ranker, a column for each margin.

    Parameters
    ----------
    study, results : as in `verdicts`
    margins : differences that are taken for none
    """
    frames = [verdicts(study, results, margin).assign(margin=margin) for margin in margins]
    return pd.concat(frames).set_index(["claim", "ranker", "margin"])["verdict"].unstack(sort=False)


def ledger(*studies: str) -> pd.DataFrame:
    """Verdicts of these studies, or all, from their stored tables, where a claim was measured.

    Returns
    -------
    frame study, data, claim, source, published, ranker, measured, low, high, verdict
    """
    frames = [
        verdicts(study, tables["comparisons"]).assign(study=study, data=data)
        for study in studies or CLAIMS
        for data, tables in stored_results.stored(study).items()
        if len(tables.get("comparisons", ()))
    ]
    if not frames:
        return pd.DataFrame(columns=["study", "data", *COLUMNS])
    found = pd.concat(frames).dropna(subset="measured")
    return found.reset_index(drop=True)[["study", "data", *COLUMNS]]
