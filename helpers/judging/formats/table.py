"""Delimited text and parquet files as one table of texts."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

DELIMITERS = (",", ";", "\t", "|")
BLANK = " ,;\t|"


@dataclass(frozen=True)
class Table:
    """Rows of texts under the names of the first line.

    Attributes
    ----------
    path : the file
    header : the names of the columns, without blanks around them
    rows : list of rows, each a list of texts
    places : the line that each row ends in, or its number in a parquet file
    word : what a place is called, "line" or "row"
    """

    path: Path
    header: list[str]
    rows: list[list[str]]
    places: list[int]
    word: str

    def of_equal_rows(self) -> Table:
        """The table itself; ValueError with the line where a row has more or fewer fields than the header."""
        for place, row in zip(self.places, self.rows, strict=True):
            if len(row) != len(self.header):
                raise ValueError(
                    f"{self.path}, {self.word} {place}: {len(row)} fields, expected {len(self.header)} as in the "
                    f"first {self.word}"
                )
        return self

    def without_header(self) -> Table:
        """The table whose first line is a row, its columns named by their numbers from 1."""
        if self.word == "row":
            return self
        names = [str(number) for number in range(1, len(self.header) + 1)]
        return Table(self.path, names, [self.header, *self.rows], [1, *self.places], self.word)

    def column(self, name: str) -> list[str]:
        """The texts of a column without blanks around them; ValueError where two columns have the name."""
        if self.header.count(name) > 1:
            raise ValueError(f"{self.path}: two columns are called {name!r}, expected one")
        position = self.header.index(name)
        return [row[position].strip() for row in self.rows]


def delimited(path: Path, text: str) -> Table:
    """Table of a text whose fields are separated by comma, semicolon, tab or bar: what parts its first line most.

    Blank lines do not count. Quotes are read as in CSV, and strictly: one that is not closed is an error.

    Parameters
    ----------
    path : file, for messages
    text : all that it holds

    Raises
    ------
    ValueError
        with file and line, where the text is no CSV.

    Examples
    --------
    >>> delimited(Path("a.csv"), "query;doc\\nlamp, white;d1\\n").rows
    [['lamp, white', 'd1']]
    """
    separator = max(DELIMITERS, key=lambda character: _width(path, text, character))
    numbered = list(_fields(path, text, separator))
    if not numbered:
        raise ValueError(f"{path}: no field with a text in it, expected judgments")
    (_, header), rest = numbered[0], numbered[1:]
    return Table(path, [name.strip() for name in header], [row for _, row in rest], [line for line, _ in rest], "line")


def parquet(path: Path, data: bytes) -> Table:
    """Table of the data, bytes, of the parquet file at path.

    ValueError where they are none, or a cell is no text, number or truth value.
    """
    try:
        table = pq.read_table(io.BytesIO(data))
        columns = [column.to_pylist() for column in table.itercolumns()]
    except (pa.ArrowException, OSError, ValueError) as error:
        raise ValueError(f"{path}: a damaged parquet file ({str(error).splitlines()[0]})") from None
    rows = [[cell_text(path, f"row {n}", cell) for cell in row] for n, row in enumerate(zip(*columns, strict=True))]
    return Table(path, [name.strip() for name in table.column_names], rows, list(range(len(rows))), "row")


def cell_text(path: Path, place: str, value: Any) -> str:
    """A cell or JSON value as text: "" for none; ValueError with path and place for a list, an object, or bytes.

    >>> cell_text(Path("a.json"), "record 1", 3.0), cell_text(Path("a.json"), "record 1", None)
    ('3.0', '')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if not isinstance(value, str | int | float):
        raise ValueError(f"{path}, {place}: {str(value)[:40]!r}, expected a text or a number")
    return str(value).strip()


def _width(path: Path, text: str, separator: str) -> int:
    """How many fields the first line has; 0 where it cannot be parted so."""
    try:
        return len(next(_fields(path, text, separator), (0, []))[1])
    except ValueError:
        return 0


def _fields(path: Path, text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Line number and fields of every line that has more than blanks and separators."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True, skipinitialspace=True)
    try:
        for fields in reader:
            if "".join(fields).strip(BLANK):
                yield reader.line_num, fields
    except csv.Error as error:
        raise ValueError(f"{path}, line {reader.line_num}: {error}, expected fields as in CSV") from None
