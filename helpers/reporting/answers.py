"""What tables say, as words: numbers, intervals, counts, verdicts, and the card that answers a study's question."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import pandas as pd

from helpers.reporting.verdicts import SAYS, VERDICTS, Claim

if TYPE_CHECKING:
    from IPython.display import Markdown

UNKNOWN = "unknown"
"""What stands for a number that could not be computed."""

COLUMNS = ["the paper says", "published", "verdict", "effect", "where", "rests on"]
"""Of a card."""

REAL = "real"
"""What a verdict rests on that needs nothing synthetic."""

NONE = "No claim was measured."


def number(value: float, digits: int = 3) -> str:
    """A number without a zero in front of its point, or "unknown" for NaN.

    Parameters
    ----------
    value : any number
    digits : after the point; one fewer where the number is 1 or more in size

    Examples
    --------
    >>> number(0.0213), number(-0.5), number(0.213, 2), number(1.4142), number(-0.0001), number(float("nan"))
    ('.021', '-.500', '.21', '1.41', '.000', 'unknown')
    """
    if math.isnan(value):
        return UNKNOWN
    shown = f"{value:,.{digits if abs(value) < 1 else digits - 1}f}"
    return re.sub(r"^(-?)0\.", r"\1.", shown) if float(shown.replace(",", "")) else shown.lstrip("-")[1:]


def signed(value: float, digits: int = 3) -> str:
    """A difference with its sign, which one that is rounded to nothing has not.

    Parameters
    ----------
    value, digits : as in `number`

    Examples
    --------
    >>> signed(0.0213), signed(-0.0213), signed(0.0001)
    ('+.021', '-.021', '.000')
    """
    shown = number(value, digits)
    return f"+{shown}" if value > 0 and shown.strip(".0") else shown


def interval(low: float, high: float, digits: int = 3) -> str:
    """The ends of an interval, or that there is none where one of them is NaN.

    Parameters
    ----------
    low, high : ends
    digits : as in `number`

    Examples
    --------
    >>> interval(0.0101, 0.0324), interval(float("nan"), 0.1)
    ('.010 to .032', 'no interval')
    """
    if math.isnan(low) or math.isnan(high):
        return "no interval"
    return f"{number(low, digits)} to {number(high, digits)}"


def listed(names: Iterable[str]) -> str:
    """Names as a sentence lists them, "none" where there is none.

    Parameters
    ----------
    names : in the order in which they are listed

    Examples
    --------
    >>> listed(["A", "B", "C"]), listed(["A"]), listed([])
    ('A, B and C', 'A', 'none')
    """
    *others, last = list(names) or ["none"]
    return f"{', '.join(others)} and {last}" if others else last


def counted(count: int, one: str, many: str = "") -> str:
    """A count and what is counted.

    Parameters
    ----------
    count : how many there are
    one, many : the word for one of them, and for several; an s is added where the second is not given

    Examples
    --------
    >>> counted(1, "query", "queries"), counted(3200, "query", "queries"), counted(0, "judge")
    ('1 query', '3,200 queries', '0 judges')
    """
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def share(value: float, digits: int = 0) -> str:
    """A share in per cent, or "unknown" for NaN.

    Parameters
    ----------
    value : a share of 1
    digits : after the point

    Examples
    --------
    >>> share(0.384), share(0.0153, 1)
    ('38 %', '1.5 %')
    """
    return UNKNOWN if math.isnan(value) else f"{100 * value:.{digits}f} %"


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
    verdicts : frame claim, published, where, ranker, measured, low, high, verdict, rests_on, and data or not, of
        `claims.ledger` or `claims.verdicts`
    limit : most rows

    Returns
    -------
    frame the paper says, published, verdict, effect, where, rests on, all of them texts

    Examples
    --------
    >>> rows = pd.DataFrame({"claim": "More is better", "published": ".02", "where": ["a", "b"], "ranker": "",
    ...                      "measured": [0.03, 0.01], "low": [0.02, -0.01], "high": [0.04, 0.03], "data": ["a", "b"],
    ...                      "verdict": ["reproduced", "undecided"], "rests_on": "real"})
    >>> card(rows)[["verdict", "effect", "where"]].iloc[0].to_list()
    ['reproduced on 1 of 2 data sets, undecided on 1', 'reproduced: +.030 (.020 to .040)', 'a']
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
    >>> row = ["More is better", ".02", "undecided", "+.010 (-.010 to .030)", "x: half of them", "synthetic"]
    >>> sentences(pd.DataFrame([row], columns=COLUMNS))
    ['*More is better*: undecided (synthetic).']
    """
    return [
        f"*{_plain(row['the paper says'])}*: {row['verdict']}{_unless_real(row['rests on'])}."
        for _, row in card.iterrows()
    ]


def show(*sentences: str) -> Markdown:
    """Sentences, or a card, as what a notebook's cell ends with: each a paragraph.

    >>> show("This is so.", "That is not.").data
    'This is so.\\n\\nThat is not.'
    """
    from IPython.display import Markdown

    return Markdown("\n\n".join(sentences))


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
    """The effect that decided a verdict, and its interval.

    Parameters
    ----------
    row : measured, low, high

    Examples
    --------
    >>> effect(pd.Series({"measured": 0.0213, "low": 0.0104, "high": 0.0322}))
    '+.021 (.010 to .032)'
    """
    return f"{signed(row['measured'])} ({interval(row['low'], row['high'])})"


def expected(claim: Claim) -> str:
    """Where an interval must lie for the claim to be reproduced.

    Parameters
    ----------
    claim : what it says, and its margin

    Examples
    --------
    >>> expected(Claim("Half is as good", "a paper", "no loss", "all or half", "as good", margin=0.005))
    'below .005'
    """
    return SAYS[claim.says].words.format(margin=number(claim.margin))


def _row(claim: str, rows: pd.DataFrame) -> list[str]:
    first = _deciding(rows)
    shown = f"{first['verdict']}: {effect(first)}" if rows["verdict"].nunique() > 1 else effect(first)
    return [claim, first["published"], _verdict(rows), shown, place(first), _rests_on(rows)]


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
