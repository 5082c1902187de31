"""What each paper claims, and the verdict on it, computed from a table of comparisons."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from helpers import results as stored_results

MARGIN = 0.005
"""NDCG below which a difference is taken for none, unless a claim or a caller sets another."""

VERDICTS = ("not reproduced", "undecided", "reproduced")
"""From the worst: that of a claim about several settings is the worst that one of them has."""

COLUMNS = ["claim", "source", "published", "ranker", "measured", "low", "high", "verdict"]


@dataclass(frozen=True)
class Claim:
    """One statement of a paper, and the rows of a comparison table that it speaks of.

    Attributes
    ----------
    claim, source, published : the statement, where it stands, what is printed there
    question : rows of the comparison table with this `question`
    better : True where the paper says that the first of the two compared is better at all those rows; False where
        it says that the second is as good as the first
    at : only rows with these values of `at`; all of them where empty
    margin : difference that is taken for none
    """

    claim: str
    source: str
    published: str
    question: str
    better: bool
    at: tuple[int, ...] = ()
    margin: float = MARGIN


METRIKOV = "Metrikov, Pavlu and Aslam 2012"
NIU = "Niu, Lan, Guo, Cheng and Geng 2014"
YANG = "Yang, Mityagin, Svore and Markov 2010"
YILMAZ = "Yilmaz and Robertson 2009"

GAIN = 0.003
"""NDCG@3 below which a gain is taken for none in study 1: the smallest that its paper makes a claim of is .0037."""

CLAIMS = {
    "01": [
        Claim(
            "if-good-3 beats one label a pair",
            f"{YANG}, Tables 1 to 4",
            ".0046 to .0192 NDCG@3, significant",
            "if-good-3 or one label",
            better=True,
            margin=GAIN,
        ),
        Claim(
            "if-good-2 beats one label a pair",
            f"{YANG}, Table 5",
            ".0037 NDCG@3 on Clean+, significant",
            "if-good-2 or one label",
            better=True,
            margin=GAIN,
        ),
        Claim(
            "No other setting is better than if-good-3",
            f"{YANG}, Tables 1 to 4 and text",
            "best, or level with the best",
            "another setting or if-good-3",
            better=False,
            margin=GAIN,
        ),
        Claim(
            "if-good-3 costs about 1.4 labels a pair",
            f"{YANG}, Tables 6 to 8",
            "1.41, 1.45 and 1.48",
            "cost of if-good-3",
            better=False,
            margin=0.1,
        ),
        Claim(
            "The majority vote is no better than training on all of its labels",
            f"{YANG}, section 7; mv11 on Clean07 as in the paper or as on the slides",
            "performs significantly worse in some cases",
            "majority vote or all labels",
            better=False,
            margin=GAIN,
        ),
        Claim(
            "Tripling the weight of Good+ labels does not help",
            f"{YANG}, Tables 1 to 5 and section 7",
            "middle to low among all runs",
            "tripled weights or none",
            better=False,
            margin=GAIN,
        ),
        Claim(
            "More than two additional labels gain nothing",
            f"{YANG}, Figures 4 and 5",
            "best at k = 3",
            "more than three judges or three",
            better=False,
            margin=GAIN,
        ),
        Claim(
            "The majority of five judges and more beats the best single judge",
            f"{YANG}, Figure 1",
            "better when the number of labels is greater than 5",
            "several judges or the best",
            better=True,
            margin=0.02,
        ),
    ],
    "02": [
        Claim(
            "The confusion matrix alone predicts the real limit",
            f"{METRIKOV}, Figure 1",
            "accurate in most cases",
            "error of the limit",
            better=False,
            margin=0.02,
        ),
        Claim(
            "A matrix from the same data predicts the limit better than one from elsewhere",
            f"{METRIKOV}, Figure 1, left against right",
            "the more accurate matrix yields better results",
            "matrix from elsewhere or own",
            better=True,
        ),
        Claim(
            "The approximation gets better as lists get longer",
            f"{METRIKOV}, text",
            "more accurate as rank-lists get longer",
            "approximation on lists ten times as long",
            better=True,
        ),
        Claim(
            "Learned rankers are near the limit",
            f"{METRIKOV}, Table 1 and text",
            "reasonably close under C_MSR, room for improvement under C_YanU",
            "ceiling or learned",
            better=False,
            margin=0.05,
        ),
    ],
    "03": [
        Claim(
            "The same dNoise makes performance fall far more on TD2003 than on MSLR-WEB10K",
            f"{NIU}, Figure 1 and text",
            "quickly on TD2003, hardly affected on MSLR-WEB10K",
            "fall at equal dNoise",
            better=True,
            at=(10, 50),
        ),
        Claim(
            "pNoise rather than dNoise explains the fall on all data sets",
            f"{NIU}, Figure 2 and text",
            "surprisingly consistent behavior across data sets",
            "explained by pNoise or dNoise",
            better=True,
        ),
        Claim(
            "Up to the turning point of pNoise performance is stable",
            f"{NIU}, Figure 2 and text",
            "quite stable as pNoise is low",
            "loss before the turning point",
            better=False,
        ),
        Claim(
            "After the turning point of pNoise performance falls more steeply",
            f"{NIU}, Figure 2 and text",
            "drops quickly beyond a point around 0.5",
            "fall after the turning point",
            better=True,
        ),
        Claim(
            "Of pairs with a tie about half are predicted each way",
            f"{NIU}, Table 2",
            ".44 to .50",
            "tied pairs",
            better=False,
            margin=0.1,
        ),
        Claim(
            "TD2003 passes pNoise .4 at dNoise .1",
            f"{NIU}, Figure 3 and text",
            "above .4",
            "pNoise of TD2003",
            better=True,
            at=(10,),
        ),
        Claim(
            "MSLR-WEB10K stays below a pNoise of about .4 at dNoise .5",
            f"{NIU}, Figure 3 and text",
            "still below a threshold (about .4)",
            "pNoise of MSLR",
            better=False,
            at=(50,),
        ),
    ],
    "04": [
        Claim(
            "Sampling documents beats sampling queries at every equal budget",
            f"{YILMAZ}, Figure 1",
            "higher at every p, significant at .05",
            "documents or queries",
            better=True,
        ),
        Claim(
            "Half of each query's documents train as well as all of them",
            f"{YILMAZ}, Figure 1",
            "optimum at 50 %, no gain after it",
            "all documents or half",
            better=False,
        ),
        Claim(
            "16 documents a query do as well as the deepest judging",
            f"{YILMAZ}, Figure 2",
            "16 comparable to 128",
            "all documents or fewer",
            better=False,
            at=(16,),
        ),
        Claim(
            "Below 8 documents a query it is better to drop queries and keep 8 documents",
            f"{YILMAZ}, Figure 2 and text",
            "lower bound of 8, then fewer queries",
            "fewer queries of 8 documents",
            better=True,
        ),
        Claim(
            "Below 8 documents a query, few queries judged in full are better than many shallow ones",
            f"{YILMAZ}, Figure 2, its two curves",
            "sharp decrease below 8",
            "fewer queries or documents",
            better=True,
            at=(2, 4),
        ),
    ],
}


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

    Examples
    --------
    >>> rows = pd.DataFrame({"ranker": "LambdaRank", "question": "all documents or half", "at": [50],
    ...                      "difference": [0.001], "low": [-0.002], "high": [0.004]})
    >>> verdicts("04", rows).query("measured.notna()")[["measured", "verdict"]].values.tolist()
    [[0.001, 'reproduced']]
    """
    if study not in CLAIMS:
        raise ValueError(f"study is {study!r}, expected one of {', '.join(CLAIMS)}")
    rows = []
    for claim in CLAIMS[study]:
        measured = _measured(claim, results)
        for ranker in (results if measured.empty else measured)["ranker"].unique():
            stated = {"claim": claim.claim, "source": claim.source, "published": claim.published, "ranker": ranker}
            rows.append(stated | _judged(claim, measured[measured["ranker"] == ranker], margin))
    return pd.DataFrame(rows, columns=COLUMNS)


def by_margin(study: str, results: pd.DataFrame, margins: list[float]) -> pd.DataFrame:
    """The verdicts under several margins: a row for each claim and ranker, a column for each margin."""
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


def _measured(claim: Claim, results: pd.DataFrame) -> pd.DataFrame:
    """The comparisons that a claim speaks of."""
    rows = results[results["question"] == claim.question]
    return rows[rows["at"].isin(claim.at)] if claim.at else rows


def _judged(claim: Claim, rows: pd.DataFrame, margin: float | None) -> dict:
    if rows.empty:
        return {"measured": np.nan, "low": np.nan, "high": np.nan, "verdict": "undecided"}
    judge, margin = _better if claim.better else _as_good, claim.margin if margin is None else margin
    found = np.array([judge(low, high, margin) for low, high in zip(rows["low"], rows["high"], strict=True)])
    verdict = next(worst for worst in VERDICTS if worst in found)
    deciding = rows[found == verdict]
    against = np.argmin(deciding["low"].to_numpy()) if claim.better else np.argmax(deciding["high"].to_numpy())
    decisive = deciding.iloc[against]
    return {
        "measured": decisive["difference"],
        "low": decisive["low"],
        "high": decisive["high"],
        "verdict": verdict,
    }


def _better(low: float, high: float, margin: float) -> str:
    if low > 0:
        return "reproduced"
    return "not reproduced" if high < margin else "undecided"


def _as_good(low: float, high: float, margin: float) -> str:
    if high < margin:
        return "reproduced"
    return "not reproduced" if low > 0 else "undecided"
