"""Tables for the terminal, fitted to its width."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    import pandas as pd


def show(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table of texts: the names of its columns, and its rows, each with a text for every column."""
    table = Table(*columns, box=box.SIMPLE_HEAD)
    for row in rows:
        table.add_row(*map(Text, row))
    Console().print(table)


def show_ledger(claims: pd.DataFrame) -> None:
    """Print each claim with its source, and under it the verdicts, a line for each setting that decides and ranker.

    Parameters
    ----------
    claims : frame study, claim, source, published, measured, low, high, verdict, with data, where, ranker and rests_on
        or without, as `claims.ledger` and `claims.verdicts` return them
    """
    if {"data", "where"} <= set(claims):
        claims = claims.assign(where=_places(claims)).drop(columns="data")
    columns = ("data", "where", "ranker", "measured", "verdict", "rests_on")
    findings = [column for column in columns if column in claims]
    shown = claims.assign(measured=[_interval(*row) for row in claims[["measured", "low", "high"]].to_numpy(float)])
    console = Console()
    for (study, claim, source, published), rows in shown.groupby(
        ["study", "claim", "source", "published"], sort=False, dropna=False
    ):
        console.print(Text.assemble((f"\n{study} {claim}", "bold"), f"\n{source}: {published}"))
        table = Table(*findings, box=None, show_header=False)
        for row in rows[findings].astype(object).fillna("").to_numpy():
            table.add_row(*map(Text, row))
        console.print(table)


def _places(claims: pd.DataFrame) -> list[str]:
    """`where` with the data set in front, once."""
    places = claims[["data", "where"]].astype(object).fillna("").astype(str).itertuples(index=False)
    return [where if where.startswith(data) else f"{data}: {where}".rstrip(": ") for data, where in places]


def _interval(measured: float, low: float, high: float) -> str:
    """
    >>> _interval(0.0123, 0.004, 0.02)
    '0.012 (0.004 to 0.020)'
    """
    if math.isnan(measured):
        return "not measured"
    return f"{measured:.3f} ({low:.3f} to {high:.3f})"
