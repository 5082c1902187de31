"""Tables for the terminal, fitted to its width."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text


def show(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table of texts."""
    table = Table(*columns, box=box.SIMPLE_HEAD)
    for row in rows:
        table.add_row(*map(Text, row))
    Console().print(table)


def show_ledger(claims: pd.DataFrame) -> None:
    """Print each claim with its source beside the verdicts on it, one line for each ranker and data set."""
    findings = [column for column in ("data", "ranker") if column in claims] + ["measured", "verdict"]
    table = Table("study", "claim", box=box.SIMPLE_HEAD, leading=1)
    for column in findings:
        table.add_column(column, no_wrap=True)
    shown = claims.assign(measured=[_interval(*row) for row in claims[["measured", "low", "high"]].to_numpy()])
    for (study, claim, source, published), rows in shown.groupby(
        ["study", "claim", "source", "published"], sort=False, dropna=False
    ):
        stated = Text.assemble((claim, "bold"), f"\n{source}: {published}")
        table.add_row(study, stated, *(Text("\n".join(rows[column].fillna(""))) for column in findings))
    Console().print(table)


def _interval(measured: float, low: float, high: float) -> str:
    """
    >>> _interval(0.0123, 0.004, 0.02)
    '0.012 (0.004 to 0.020)'
    """
    if pd.isna(measured):
        return "not measured"
    return f"{measured:.3f} ({low:.3f} to {high:.3f})"
