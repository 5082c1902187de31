"""Tables for the terminal, fitted to its width."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from helpers.reporting import answers
from helpers.studies.claims import CLAIMS
from helpers.studies.measures import measured

HEADS = {"data set, setting, ranker": "where", "measured": "effect", "verdict": "verdict", "rests on": "rests on"}
"""Of a table of verdicts -> columns of a card."""

TEXTS = ["data", "where", "ranker", "expected", "rests_on"]
"""Columns of claims that may be left out, or empty."""

COLOURS = {"reproduced": "green", "undecided": "yellow", "not reproduced": "red"}

READING = (
    "What was measured is a difference, + where the first is larger, and in brackets its 95 % interval, which is wider "
    "where one setting of several decides. A claim is reproduced where all of the interval lies as the paper says."
)


def show(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table of texts: the names of its columns, and its rows, each with a text for every column."""
    table = Table(*columns, box=box.SIMPLE_HEAD)
    for row in rows:
        table.add_row(*map(Text, row))
    Console().print(table)


def show_ledger(claims: pd.DataFrame, titles: Mapping[str, str] | None = None) -> None:
    """Print each claim with its source and what is measured, under it a line for each data set, then the totals.

    What several rankers say is counted in the line of their data set (`answers.card`).

    Parameters
    ----------
    claims : frame study, claim, source, published, measured, low, high, verdict, with data, where, ranker and rests_on
        or without, as `claims.ledger` and `claims.verdicts` return them
    titles : study -> its title; studies without one are shown by their number
    """
    whole = claims.reindex(columns=[*claims, *(column for column in TEXTS if column not in claims)])
    whole[TEXTS] = whole[TEXTS].astype(object).fillna("").astype(str)
    console = Console()
    console.print(Text(READING, "dim"))
    for study, rows in whole.groupby("study", sort=False):
        console.print(Text(f"\n{study} {(titles or {}).get(study, '')}".rstrip(), "bold underline"))
        for claim, found in rows.groupby("claim", sort=False):
            console.print(_stated(study, claim, found.iloc[0]))
            console.print(_lines(found))
        console.print(Text(f"\n{study}: {answers.of_verdicts(rows.dropna(subset='measured'))}"))
    if claims["study"].nunique() > 1:
        console.print(Text(f"\nAll: {answers.of_verdicts(whole.dropna(subset='measured'))}", "bold"))


def _stated(study: str, claim: str, row: pd.Series) -> Text:
    """A claim, its source, what is printed there, what was measured and where that must lie for the claim to hold."""
    text = Text.assemble((f"\n{claim}", "bold"), f"\n{row['source']}: {row['published']}")
    known = {each.claim: each for each in CLAIMS.get(study, ())}.get(claim)
    if known:
        text.append(f"\nmeasured: {measured(study, known.question)}; the paper says {row['expected']}")
    return text


def _lines(rows: pd.DataFrame) -> Table | Text:
    """The verdicts on a claim as a table with heads, a line for each data set."""
    cards = [answers.card(found) for _, found in rows.groupby("data", sort=False)]
    found = pd.concat(cards).astype(str)
    if found.empty:
        return Text("not measured", "dim")
    table = Table(*HEADS, box=None, header_style="dim", pad_edge=False)
    for row in found[list(HEADS.values())].to_numpy():
        table.add_row(*map(Text, row[:2]), Text(row[2], _colour(row[2])), *map(Text, row[3:]))
    return table


def _colour(verdict: str) -> str:
    """
    >>> _colour("not reproduced on both data sets"), _colour("reproduced with 4 of 6 rankers, undecided with 2")
    ('red', 'yellow')
    """
    said = {part.partition(" on ")[0].partition(" with ")[0].partition(" in ")[0] for part in verdict.split(", ")}
    return COLOURS[said.pop()] if len(said) == 1 else COLOURS["undecided"]
