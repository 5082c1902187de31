"""Verdicts as words, and the card that answers a study's question."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

import pandas as pd

from helpers.reporting.answers._words import interval, listed, number, signed
from helpers.reporting.verdicts import SAYS, VERDICTS, Claim

COLUMNS = ["the paper says", "published", "verdict", "effect", "reproduced if", "where", "rests on"]
"""Of a card."""

REAL = "real"
"""What a verdict rests on that needs nothing synthetic."""

NONE = "No claim was measured."


def of_verdicts(verdicts: pd.DataFrame) -> str:
    """How many verdicts are reproduced, how many not, and how many are undecided, as a sentence.

    Parameters
    ----------
    verdicts : frame verdict

    Examples
    --------
    >>> of_verdicts(pd.DataFrame({"verdict": ["reproduced", "undecided", "undecided"]}))
    'Of 3 verdicts 1 is reproduced and 2 are undecided.'
    """
    counts = _counts(verdicts["verdict"])
    if not counts:
        return NONE
    if len(counts) == 1:
        [(verdict, count)] = counts.items()
        return f"The only verdict is {verdict}." if count == 1 else f"All {count:,} verdicts are {verdict}."
    said = listed(f"{count:,} {'is' if count == 1 else 'are'} {verdict}" for verdict, count in counts.items())
    return f"Of {len(verdicts):,} verdicts {said}."


def card(verdicts: pd.DataFrame, limit: int = 6) -> pd.DataFrame:
    """The answer card of a study: a row for each claim that was measured, in the order of the frame.

    Of a claim that was measured on several data sets, or with several rankers, the verdicts are counted, a case being a
    data set with a ranker. The effect is that of the verdict which decides: of those that are not undecided, and of
    these of those on real data, the one whose interval is the narrowest beside its effect; where verdicts differ, it
    says for which of them it stands. Where some of them rest on real data and some do not, so does what the real say.

    Parameters
    ----------
    verdicts : frame claim, published, where, ranker, measured, low, high, expected, verdict, rests_on, and data or
        not, of `claims.ledger` or `claims.verdicts`
    limit : most rows

    Returns
    -------
    frame the paper says, published, verdict, effect, reproduced if, where, rests on, all of them texts; an effect's
        interval has to lie where `reproduced if` says

    Examples
    --------
    >>> rows = pd.DataFrame({"claim": "More is better", "published": ".02", "where": ["a", "b"], "ranker": "",
    ...                      "measured": [0.03, 0.01], "low": [0.02, -0.01], "high": [0.04, 0.03], "data": ["a", "b"],
    ...                      "verdict": ["reproduced", "undecided"], "rests_on": "real", "expected": "above 0"})
    >>> card(rows)[["verdict", "effect", "reproduced if", "where"]].iloc[0].to_list()
    ['reproduced on 1 of 2 data sets, undecided on 1', 'reproduced: +.030 (.020 to .040)', 'above 0', 'a']
    """
    measured = verdicts.dropna(subset="measured")
    rows = [_row(claim, rows) for claim, rows in measured.groupby("claim", sort=False)]
    return pd.DataFrame(rows[:limit], columns=COLUMNS)


def card_markdown(card: pd.DataFrame) -> str:
    """A card as a table in Markdown, which takes its colours from the page that it stands on.

    Parameters
    ----------
    card : of `card`

    Examples
    --------
    >>> print(card_markdown(pd.DataFrame({"verdict": ["a | b"]})))
    | verdict |
    | :-- |
    | a \\| b |
    """
    if card.empty:
        return NONE
    heads, rules = [str(head) for head in card.columns], [":--"] * len(card.columns)
    return "\n".join(_line(cells) for cells in [heads, rules, *card.map(_plain).to_numpy().tolist()])


def sentences(card: pd.DataFrame) -> list[str]:
    """A card in prose, a sentence for each of its claims.

    Parameters
    ----------
    card : of `card`

    Examples
    --------
    >>> row = ["More is better", ".02", "undecided", "+.010 (-.010 to .030)", "above 0", "x: half", "synthetic"]
    >>> sentences(pd.DataFrame([row], columns=COLUMNS))
    ['*More is better*: undecided (synthetic).']
    """
    return [
        f"*{_plain(row['the paper says'])}*: {row['verdict']}{_unless_real(row['rests on'])}."
        for _, row in card.iterrows()
    ]


def place(row: pd.Series) -> str:
    """Where a verdict was decided: the data set, the setting and the ranker, each where it is known.

    Parameters
    ----------
    row : where, ranker, and data or not; `where` may begin with the data set

    Examples
    --------
    >>> place(pd.Series({"data": "mq2008", "where": "50 %", "ranker": "LambdaMART"}))
    'mq2008: 50 %, LambdaMART'
    """
    data, where = row.get("data") or "", row["where"]
    parts = [data, where.removeprefix(data).removeprefix(": ")]
    return ", ".join(filter(None, [": ".join(filter(None, parts)), row["ranker"]]))


def effect(row: pd.Series) -> str:
    """The effect that decided a verdict, and its interval: three decimals, more where all of them would be 0.

    Parameters
    ----------
    row : measured, low, high

    Examples
    --------
    >>> effect(pd.Series({"measured": 0.0213, "low": 0.0104, "high": 0.0322}))
    '+.021 (.010 to .032)'
    >>> effect(pd.Series({"measured": 0.00037, "low": 0.00035, "high": 0.00039}))
    '+.00037 (.00035 to .00039)'
    """
    largest = max(map(abs, row[["measured", "low", "high"]]))
    digits = 1 - math.floor(math.log10(largest)) if 0 < largest < 0.0005 else 3
    return f"{signed(row['measured'], digits)} ({interval(row['low'], row['high'], digits)})"


def expected(claim: Claim, margin: float | None = None) -> str:
    """Where an interval must lie for the claim to be reproduced.

    Parameters
    ----------
    claim : what it says
    margin : difference that is taken for none; None is the claim's own

    Examples
    --------
    >>> expected(Claim("Half is as good", "a paper", "no loss", "all or half", "as good", margin=0.005))
    'below .005'
    """
    return SAYS[claim.says].words.format(margin=number(claim.margin if margin is None else margin))


def _row(claim: str, rows: pd.DataFrame) -> list[str]:
    first = _deciding(rows)
    shown = f"{first['verdict']}: {effect(first)}" if rows["verdict"].nunique() > 1 else effect(first)
    return [claim, first["published"], _verdict(rows), shown, first["expected"], place(first), _rests_on(rows)]


def _deciding(rows: pd.DataFrame) -> pd.Series:
    ordered = rows.assign(
        open=rows["verdict"] == "undecided",
        other=rows["rests_on"] != REAL,
        wide=(rows["high"] - rows["low"]) / rows["measured"].abs(),
    )
    return ordered.sort_values(["open", "other", "wide"], kind="stable").iloc[0]


def _verdict(rows: pd.DataFrame) -> str:
    """The verdicts on one claim, counted, the most frequent first."""
    counts = sorted(_counts(rows["verdict"]).items(), key=lambda item: -item[1])
    said, count = counts[0]
    preposition, noun = _counted_by(rows)
    if len(rows) == 1:
        return said
    if len(counts) == 1:
        return f"{said} {preposition} {'both' if count == 2 else f'all {count}'} {noun}"
    others = [f"{verdict} {preposition} {some}" for verdict, some in counts[1:]]
    return ", ".join([f"{said} {preposition} {count} of {len(rows)} {noun}", *others])


def _counted_by(rows: pd.DataFrame) -> tuple[str, str]:
    """What the verdicts on a claim are for, each: a data set, a ranker, or a data set with a ranker."""
    data = rows["data"].nunique() if "data" in rows else 1
    if data == len(rows):
        return "on", "data sets"
    return ("with", "rankers") if data == 1 else ("in", "cases")


def _rests_on(rows: pd.DataFrame) -> str:
    """What the verdicts on one claim rest on; where only some are real, also what these say."""
    real = rows["rests_on"] == REAL
    others = listed(rows.loc[~real, "rests_on"].unique())
    if not real.any() or real.all():
        return REAL if real.all() else others
    return f"in part {others}; real data alone: {_verdict(rows[real])}"


def _counts(verdicts: pd.Series) -> dict[str, int]:
    """Verdict -> how many of them, where any is, reproduced first."""
    counts = verdicts.value_counts()
    return {verdict: int(counts[verdict]) for verdict in reversed(VERDICTS) if verdict in counts}


def _unless_real(basis: str) -> str:
    """What a verdict rests on in brackets, nothing where that is real data."""
    return "" if basis == REAL else f" ({basis})"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(text: str) -> str:
    """The text with a backslash before each sign that Markdown, or a formula, would take for its own."""
    return re.sub(r"([|$*_<`\\])", r"\\\1", text)
