"""One verdict a claim: its effects by collection are pooled, held against a margin, and said in one of four words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import pandas as pd
from scipy import stats

from helpers import checks, paths
from helpers.metrics import significance
from helpers.reporting.answers import counted, end, interval, listed, number, signed

WORDS = ("holds", "opposite", "too small to matter", "cannot tell")  # in the order in which they are asked for

# what a claim says of an effect less its value: above 0, below 0, no higher than the margin (two words for it), within
# the margin on both sides, above 0
SAYS = ("better", "worse", "as good", "at most", "near", "above")

REAL, PORTRAIT, ARITHMETIC = "real", "portrait", "arithmetic"  # what an effect, and so a verdict, rests on

PAPER, OURS = "paper", "ours"  # kinds of claims beside ARITHMETIC: of a paper, and what this project asks

# how the names of portraits end, `portrait.SUFFIX` and of a file; its module brings scikit-learn along
DRAWN = ("-portrait", ".npz")
SYNTHETIC = "On synthetic data: "  # how every sentence begins that rests on portraits alone

# of a table of effects: a row a claim, collection and ranker
EFFECTS = [
    "claim", "collection", "basis", "ranker", "measure", "effect", "se", "low", "high", "queries", "draws"
]  # fmt: skip

# of a table of verdicts: a row a claim
VERDICTS = [
    "claim", "study", "kind", "words", "where", "printed", "printed_effect", "says", "value", "measured", "low", "high",
    "tau", "prediction_low", "prediction_high", "collections", "rankers", "measure", "margin", "margin_worth",
    "verdict", "excludes", "rests_on", "left_out",
]  # fmt: skip


@cache
def claims() -> pd.DataFrame:
    """The claims that are judged, a row each, from `data/claims.csv`.

    Returns
    -------
    frame claim, study, kind, words, where, printed, printed_effect, says, value, margin, measure, rankers, scope,
    question, at, like
        `words` state it in the paper's scope; `says` is one of SAYS, of the effect less `value`; `rankers` are those
        whose row decides, "" where none is trained; `question` and `at` find it in a study's table of comparisons;
        `like` is the collection of study 4 whose curve prices the margin

    Examples
    --------
    >>> claims().set_index("claim").loc["Y1", ["study", "words", "says"]].tolist()
    ['01', 'if-good-3 beats one label a pair', 'better']
    """
    texts = dict.fromkeys(
        ("claim", "study", "kind", "words", "where", "printed", "says", "measure", "rankers", "scope", "question", "at",
         "like"), str,
    )  # fmt: skip
    file = paths.project("data") / "claims.csv"
    return pd.read_csv(file, dtype=texts, keep_default_na=False, na_values={"printed_effect": [""]})


def word(says: str, low: float, high: float, value: float = 0.0, margin: float = 0.0) -> str:
    """The first of WORDS that an interval bears out.

    Parameters
    ----------
    says : what the claim says, one of SAYS
    low, high : interval of the effect
    value : what the effect is held against
    margin : difference that is taken for none

    Examples
    --------
    >>> word("better", 0.001, 0.02, margin=0.005), word("better", -0.002, 0.004, margin=0.005)
    ('holds', 'too small to matter')
    >>> word("as good", 0.001, 0.004, margin=0.005), word("as good", 0.006, 0.02, margin=0.005)
    ('holds', 'opposite')
    """
    checks.one_of("says", says, SAYS)
    low, high = (-high + value, -low + value) if says == "worse" else (low - value, high - value)
    if says in ("better", "worse", "above"):
        found = low > 0, high < 0, max(-low, high) <= margin
    elif says == "near":
        found = max(-low, high) <= margin, low > margin or high < -margin, False
    else:
        found = high <= margin, low > margin, False
    return next((name for name, is_so in zip(WORDS, found, strict=False) if is_so), WORDS[-1])


def effect_row(claim: str, collection: str, basis: str, ranker: str, found: significance.Effect) -> dict:
    """A row of a table of effects, in the claim's own measure.

    Parameters
    ----------
    claim : its id in `claims`
    collection, basis, ranker : what it was measured on, what that is (REAL, PORTRAIT, ARITHMETIC), and with what
    found : of `significance.crossed_effect`, or `significance.Effect` of what is stored

    Examples
    --------
    >>> row = effect_row("Y1", "clean07", REAL, "LambdaRank", significance.Effect(0.01, 0.002, 0.006, 0.014, 500, 10))
    >>> row["measure"], row["effect"], row["queries"]
    ('NDCG@3', 0.01, 500)
    """
    [measure] = claims().loc[claims()["claim"] == claim, "measure"]
    place = {"claim": claim, "collection": collection, "basis": basis, "ranker": ranker, "measure": measure}
    return place | found._asdict()


def given_effect(effect: float, low: float, high: float) -> significance.Effect:
    """An effect of which only the 95 % interval is stored; its standard error is that of a normal interval."""
    se = float((high - low) / 2 / stats.norm.isf(0.025))
    return significance.Effect(effect, se, low, high, np.nan, np.nan)


def of_contrasts(table: pd.DataFrame) -> pd.DataFrame:
    """The effects that differences by query and by draw give: frame with the columns EFFECTS.

    Parameters
    ----------
    table : frame claim, collection, ranker, unit, number, value: a row a query (mean over draws) and a draw (mean over
        queries), and one of the residual, as `significance.crossed_means` gives them

    Examples
    --------
    Over queries 0, .02, .04, over draws .01, .03: both are .02 in the mean.

    >>> values = {"query": [0, 0.02, 0.04], "draw": [0.01, 0.03], "residual": [0.0]}
    >>> rows = [("Y1", "clean07", "LambdaRank", unit, k, v) for unit, vs in values.items() for k, v in enumerate(vs)]
    >>> table = pd.DataFrame(rows, columns=["claim", "collection", "ranker", "unit", "number", "value"])
    >>> of_contrasts(table)[["claim", "basis", "effect", "queries", "draws"]]
      claim basis  effect  queries  draws
    0    Y1  real    0.02        3      2
    """
    rows = []
    for (claim, collection, ranker), own in table.groupby(["claim", "collection", "ranker"], sort=False):
        values = {unit: part["value"].to_numpy(float) for unit, part in own.groupby("unit")}
        found = significance.crossed_effect(values["query"], values["draw"], float(values["residual"][0]))
        rows.append(effect_row(claim, collection, basis_of(collection), ranker, found))
    return pd.DataFrame(rows, columns=EFFECTS)


def contrast_rows(differences: np.ndarray, order: np.ndarray, **place: str) -> list[dict]:
    """Rows at one place of a table of `of_contrasts`, from differences (n_draws, n_queries).

    The order of the queries is drawn, so that none can be told.
    """
    by_query, by_draw, residual = significance.crossed_means(differences)
    values = {"query": by_query[order], "draw": by_draw, "residual": [residual]}
    return [place | {"unit": unit, "number": k, "value": v} for unit, vs in values.items() for k, v in enumerate(vs)]


def from_comparisons(study: str, comparisons: pd.DataFrame, collection: str, basis: str) -> pd.DataFrame:
    """The effects of a study's claims on one collection, from intervals that are given.

    The standard error is that of a normal interval. Where a claim speaks of several settings, effect and error are
    their means: the settings share queries and draws, so that none is taken from the error.

    Parameters
    ----------
    study : number
    comparisons : frame ranker, question, at, difference, low, high
    collection : its name
    basis : REAL, PORTRAIT or ARITHMETIC

    Examples
    --------
    >>> asked = {"ranker": "LambdaRank", "question": "if-good-3 or one label", "at": "if-good-3"}
    >>> table = pd.DataFrame([asked | {"difference": 0.01, "low": 0.006, "high": 0.014}])
    >>> from_comparisons("01", table, "clean07", REAL)[["claim", "effect", "low", "high"]]
      claim  effect    low   high
    0    Y1    0.01  0.006  0.014
    """
    rows = []
    for claim in claims().query("study == @study and question != ''").itertuples():
        asked = comparisons[comparisons["question"] == claim.question]
        if claim.at:
            asked = asked[asked["at"].astype(str).isin(claim.at.split(", "))]
        asked = asked.assign(ranker=asked["ranker"].fillna("") if claim.rankers else "")
        for ranker, found in asked.groupby("ranker", sort=False):
            if claim.at and found["at"].nunique() < len(claim.at.split(", ")):
                continue
            given = given_effect(*found[["difference", "low", "high"]].drop_duplicates().mean())
            rows.append(effect_row(claim.claim, collection, basis, ranker, given))
    return pd.DataFrame(rows, columns=EFFECTS)


def verdicts(
    effects: pd.DataFrame,
    *,
    ranker: str | None = None,
    margin: float | None = None,
    worths: Mapping[str, float] | None = None,
) -> pd.DataFrame:
    """The verdict on every claim that has an effect, a row each, in the order of `claims`.

    Where an effect was measured on a real collection, the real ones decide, else portraits do, and the verdict rests on
    these. Three or more are pooled (`significance.pool`). Of two, both intervals have to bear the word out: `low` and
    `high` are the lower of the lower ends and the higher of the higher ones, and `measured` is the mean. One stands for
    itself.

    Parameters
    ----------
    effects : frame with the columns EFFECTS
    ranker : whose rows are judged; None takes those that the claim was made for
    margin : difference that is taken for none; None leaves every claim its own
    worths : collection of study 4 -> NDCG@10 that twice the judgments gain there; a margin is priced where it is known

    Returns
    -------
    frame with the columns VERDICTS
        `margin_worth` is the share of judgments more that buys the margin; `excludes` says which effects the interval
        excludes, and `left_out` what was measured and did not decide

    Examples
    --------
    >>> found = significance.Effect(0.01, 0.002, 0.006, 0.014, 500, 10)
    >>> rows = [effect_row("Y1", "clean07", REAL, "both rankers", found)]
    >>> verdicts(pd.DataFrame(rows, columns=EFFECTS))[["claim", "measured", "low", "high", "verdict"]]
      claim  measured    low   high verdict
    0    Y1      0.01  0.006  0.014   holds
    """
    found, effects = [], effects.reset_index(drop=True)
    for claim in claims().to_dict("records"):
        rows = effects[effects["claim"] == claim["claim"]]
        wanted = claim["rankers"] if ranker is None else ranker if claim["rankers"] else ""
        own = rows[rows["ranker"].fillna("") == wanted]
        if len(own):
            least = claim["margin"] if margin is None else margin
            gained = (worths or {}).get(claim["like"], 0.0)
            price = 2 ** (least / gained) - 1 if gained > 0 and least else np.nan
            found.append(claim | {"margin": least, "margin_worth": price} | _judged(claim, own, rows, least))
    return pd.DataFrame(found, columns=VERDICTS)


def of_rankers(effects: pd.DataFrame) -> pd.DataFrame:
    """The verdicts with each ranker that there is, as `verdicts` gives them; what depends on none stands once."""
    names = [name for name in effects["ranker"].unique() if name] or [""]
    found = pd.concat([verdicts(effects, ranker=name) for name in names])
    return found.drop_duplicates(["claim", "rankers"]).reset_index(drop=True)


def basis_of(name: str) -> str:
    """What an effect on a collection of that name rests on, REAL or PORTRAIT."""
    return PORTRAIT if name.endswith(DRAWN) or "SYNTHETIC" in name else REAL


def _judged(claim: dict, own: pd.DataFrame, rows: pd.DataFrame, margin: float) -> dict:
    """One collection as it is, two side by side, three and more pooled; what is exact has a range in place of error."""
    real = own[own["basis"] != PORTRAIT]
    deciding = real if len(real) else own
    if len(deciding) > 2 and (deciding["se"] > 0).all():
        of_all = significance.pool(deciding["effect"], deciding["se"])
    else:
        ends = deciding["low"].min(), deciding["high"].max()
        of_all = significance.Pooled(deciding["effect"].mean(), *ends, np.nan, np.nan, np.nan)
    found = word(claim["says"], of_all.low, of_all.high, claim["value"], margin)
    return of_all._asdict() | {
        "measured": of_all.effect,
        "collections": ", ".join(deciding["collection"]),
        "rankers": deciding["ranker"].iloc[0],
        "verdict": found,
        "excludes": _excluded(claim, of_all, found, margin),
        "rests_on": claim["kind"] if claim["kind"] == ARITHMETIC else REAL if len(real) else PORTRAIT,
        "left_out": _left_out(deciding, rows),
    }


def _excluded(claim: dict, of_all: significance.Pooled, found: str, margin: float) -> str:
    """Which effects the interval excludes, as far as the word asks for it."""
    low, high, value = of_all.low, of_all.high, claim["value"]
    if found == "cannot tell":
        return f"less than {end(low)}, more than {end(high)}"
    if found == "too small to matter":
        return f"more than {number(margin)} either way"
    if claim["says"] in ("better", "worse", "above"):
        side = (found == "holds") != (claim["says"] == "worse")
        within = margin > 0 and max(abs(low - value), abs(high - value)) < margin
        said = f"{number(value, 2) if value else '0'} and {'less' if side else 'more'}"
        return f"{said}, and {number(margin)} and {'more' if side else 'less'}" if within else said
    ends = {"near": (value - margin, value + margin)}.get(claim["says"], (None, value + margin))
    if found == "opposite":
        return f"{number(ends[1])} and less" if low > ends[1] else f"{number(ends[0])} and more"
    return f"more than {number(ends[1])}" + (f", less than {number(ends[0])}" if ends[0] is not None else "")


def _left_out(deciding: pd.DataFrame, rows: pd.DataFrame) -> str:
    """What was measured of a claim and did not decide: portraits, and rankers that it was not made for."""
    others = rows.drop(deciding.index)
    drawn = others[(others["basis"] == PORTRAIT) & ~others["collection"].isin(deciding["collection"])]
    portraits = drawn["collection"].nunique()
    names = [name for name in others["ranker"].fillna("").unique() if name not in ("", deciding["ranker"].iloc[0])]
    return "; ".join(filter(None, [counted(portraits, "portrait") if portraits else "", ", ".join(names)]))


def by_margin(effects: pd.DataFrame, margins: Sequence[float]) -> pd.DataFrame:
    """The verdicts on claims measured in NDCG under several margins: claims, with their words, by margins."""
    found = {margin: verdicts(effects, margin=margin) for margin in margins}
    words = {margin: rows.set_index(rows["claim"] + "  " + rows["words"]) for margin, rows in found.items()}
    in_ndcg = {margin: rows.query("measure.str.match('(mean of )?NDCG@')") for margin, rows in words.items()}
    return pd.DataFrame({margin: rows["verdict"] for margin, rows in in_ndcg.items()})


def effect(row: Mapping) -> str:
    """An effect and its interval: three decimals, more where all of them would be 0; one number where it is exact.

    Parameters
    ----------
    row : measured, low, high, and value where the effect is held against another than 0: then it has no sign

    Examples
    --------
    >>> effect({"measured": 0.0213, "low": 0.0104, "high": 0.0322, "value": 0})
    '+.021 (.010 to .032)'
    >>> effect({"measured": 0.3935, "low": 0.3935, "high": 0.3935, "value": 0.4})
    '.394'
    """
    largest = max(abs(row[end]) for end in ("measured", "low", "high"))
    digits = int(1 - np.floor(np.log10(largest))) if 0 < largest < 0.0005 else 3
    measured = (number if row.get("value") else signed)(row["measured"], digits)
    return measured if row["low"] == row["high"] else f"{measured} ({interval(row['low'], row['high'], digits)})"


def sentence(row: Mapping) -> str:
    """A verdict as a sentence, with its number, its interval and what it rests on.

    Parameters
    ----------
    row : of `verdicts`

    Examples
    --------
    >>> row = {"words": "Half trains as well as all", "verdict": "holds", "measured": 0.001, "low": -0.002,
    ...        "high": 0.004, "measure": "NDCG@10", "collections": "a, b, c", "rests_on": "real", "excludes": "x",
    ...        "rankers": "LambdaRank", "value": 0}
    >>> sentence(row)
    '*Half trains as well as all*: holds, +.001 (-.002 to .004) NDCG@10, 3 real collections, LambdaRank.'
    """
    many = len(row["collections"].split(", "))
    kinds = {REAL: counted(many, "real collection"), PORTRAIT: "", ARITHMETIC: "arithmetic"}
    excluded = f"; excluded is {row['excludes']}" if row["verdict"] == "cannot tell" else ""
    parts = [f"{effect(row)} {row['measure']}{excluded}", kinds[row["rests_on"]], row["rankers"]]
    begin = SYNTHETIC if row["rests_on"] == PORTRAIT else ""
    return f"{begin}*{row['words']}*: {row['verdict']}, {', '.join(filter(None, parts))}."


TABLE = {"words": "claim", "printed": "printed", "ours": "ours, pooled", "verdict": "in a word"}


def table(judged: pd.DataFrame) -> pd.DataFrame:
    """Verdicts as a reader is shown them: the claim, what is printed, what is measured, and the word.

    Parameters
    ----------
    judged : of `verdicts`

    Returns
    -------
    frame of texts, its columns the values of TABLE

    Examples
    --------
    >>> found = significance.Effect(0.01, 0.002, 0.006, 0.014, 500, 10)
    >>> rows = [effect_row("Y1", "clean07", REAL, "both rankers", found)]
    >>> table(verdicts(pd.DataFrame(rows, columns=EFFECTS))).iloc[0].tolist()
    ['if-good-3 beats one label a pair', '.0046 to .0192, significant', '+.010 (.006 to .014) NDCG@3', 'holds']
    """
    ours = [
        f"{SYNTHETIC if row['rests_on'] == PORTRAIT else ''}{effect(row)} {row['measure']}"
        for row in judged.to_dict("records")
    ]
    return judged.assign(ours=ours)[list(TABLE)].rename(columns=TABLE)


def in_words(judged: pd.DataFrame) -> str:
    """Which claims came out how, in a sentence that names each once a word, with its rankers where these differ in it.

    Parameters
    ----------
    judged : of `verdicts` or `of_rankers`

    Examples
    --------
    >>> in_words(pd.DataFrame({"claim": ["R1", "R2", "R3"], "verdict": ["holds", "cannot tell", "holds"]}))
    'R1 and R3: holds; R2: cannot tell.'
    >>> claims, words = ["Y1", "Y3", "Y1", "Y3"], ["holds", "holds", "cannot tell", "holds"]
    >>> rankers = ["RankSVM", "RankSVM", "ListNet", "ListNet"]
    >>> in_words(pd.DataFrame({"claim": claims, "verdict": words, "rankers": rankers}))
    'Y1 (RankSVM) and Y3: holds; Y1 (ListNet): cannot tell.'
    """
    rankers = judged["rankers"].astype(object).fillna("") if "rankers" in judged else ""
    differ = judged.groupby("claim")["verdict"].transform("nunique") > 1
    rows = judged.assign(ranker=pd.Series(rankers, judged.index).where(differ, ""))
    said = []
    for found in WORDS:
        own = rows[rows["verdict"] == found].groupby("claim", sort=False)["ranker"].unique()
        names = [f"{claim} ({', '.join(of)})" if any(of) else claim for claim, of in own.items()]
        said += [f"{listed(names)}: {found}"] if names else []
    return "; ".join(said) + "."
