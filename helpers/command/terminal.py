"""Tables for the terminal, fitted to its width: alone, as commands import it once they have something to show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from helpers.reporting.verdicts import PORTRAIT, WORDS, effect

_COLOURS = dict(zip(WORDS, ("green", "red", "yellow", "dim"), strict=True))
_READING = (
    "A row a claim: the word, the effect with its 95 % interval, pooled over real collections, or over synthetic ones "
    "(S) where there is no real one."
)


def show(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table of texts: the names of its columns, and its rows, each with a text for every column."""
    table = Table(*columns, box=box.SIMPLE_HEAD)
    for row in rows:
        table.add_row(*map(Text, row))
    Console().print(table)


def show_verdicts(judged: pd.DataFrame, titles: Mapping[str, str], effects: pd.DataFrame | None = None) -> None:
    """Print a line a claim under the title of its study, and below it a line for each effect where these are given."""
    console = Console(highlight=False, soft_wrap=True)
    console.print(Text(_READING, "dim"))
    for study, rows in judged.groupby("study", sort=False):
        console.print(Text(f"\n{study} {titles.get(study, '')}".rstrip(), "bold"))
        several = rows["claim"].duplicated(keep=False) & ("rankers" in rows)
        for row, is_told in zip(rows.to_dict("records"), several, strict=True):
            ranker = f", {row['rankers']}" if is_told else ""
            synthetic = "S " if row["rests_on"] == PORTRAIT else "  "
            word = (f"{row['verdict']:20}", _COLOURS.get(row["verdict"], ""))
            line = f"{synthetic}{effect(row):26}{row['words']} [{row['measure']}{ranker}]"
            console.print(Text.assemble(f"{row['claim']:6}", word, line))
            if effects is not None:
                for found in effects[effects["claim"] == row["claim"]].to_dict("records"):
                    shown = effect(found | {"measured": found["effect"], "value": row["value"]})
                    ranker = f", {found['ranker']}" if found["ranker"] else ""
                    console.print(Text(f"{'':28}{shown:26}{found['collection']}, {found['basis']}{ranker}", "dim"))
