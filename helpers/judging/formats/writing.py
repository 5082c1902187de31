"""Pairs to be judged, written as the tool takes them that wrote the judgments."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from pathlib import Path
from typing import IO

import pandas as pd

from helpers import files
from helpers.judging.formats.reading import Reading


def write_like(reading: Reading, pairs: pd.DataFrame, path: str | Path) -> None:
    """Write pairs to ask again in the format that the judgments came in.

    Quepid's books and cases: CSV query, docid, rating (empty). Mechanical Turk with one item a row: the CSV of a new
    batch. Label Studio: JSON tasks. Argilla: JSON records; doccano: JSONL, all without what judges said. Others: CSV
    query, doc. What the export shows to judges (a document's text) is kept.

    Parameters
    ----------
    reading : what `read` returned
    pairs : frame with columns query, doc
    path : the file to be written

    Raises
    ------
    OSError
        when the folder cannot be written.

    Notes
    -----
    In a CSV that people may open in a spreadsheet a text that begins with one of `files.FORMULA` gets a blank before
    it, as Quepid does; `read` takes it away. A new batch of Mechanical Turk goes to a program and stays as it is.
    """
    rows = list(pairs[["query", "doc"]].itertuples(index=False, name=None))
    with files.replacing(path) as file:
        if reading.format.startswith("quepid"):
            _csv(file, ["query", "docid", "rating"], ([*map(escaped, row), ""] for row in rows))
        elif reading.format == "mturk" and reading.tasks:
            columns = list(next(iter(reading.tasks.values())))
            tasks = _tasks(reading, rows)
            _csv(file, columns, ([task.get(column, "") for column in columns] for task in tasks))
        elif reading.format in ("label-studio", "argilla"):
            json.dump(_tasks(reading, rows), file, ensure_ascii=False, indent=1)
        elif reading.format == "doccano":
            file.writelines(json.dumps(task, ensure_ascii=False) + "\n" for task in _tasks(reading, rows))
        else:
            _csv(file, ["query", "doc"], (map(escaped, row) for row in rows))


def escaped(text: str) -> str:
    """The text with a blank before it where a spreadsheet would take it for a formula.

    >>> escaped("=1+1"), escaped("lamp")
    (' =1+1', 'lamp')
    """
    return f" {text}" if text.startswith(files.FORMULA) else text


def _tasks(reading: Reading, rows: list[tuple[str, str]]) -> list[dict]:
    """The record of each pair, a new one of query and document where the export has none."""
    return [reading.tasks.get(pair) or _new(reading, pair) for pair in rows]


def _new(reading: Reading, pair: tuple[str, str]) -> dict:
    record = dict(zip((reading.names["query"], reading.names["doc"]), pair, strict=True))
    return {"data": record} if reading.format == "label-studio" else record


def _csv(file: IO[str], header: list[str], rows: Iterable[Iterable[str]]) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
