"""Delimited text and parquet files as one table of texts."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import repeat
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from helpers import texts

DELIMITERS = (",", ";", "\t", "|")
BLANK = " ,;\t|"
TEXT = ("string", "large_string", "string_view")
TEST = "answers to test questions"
GOLDEN = "GOLDEN:"  # columns of Toloka with the answer that is expected to a test question
STATUSES = {
    "AssignmentStatus": {"Approved": "", "Submitted": "", "Rejected": "rejected assignments"},
    "ASSIGNMENT:status": {
        **{"APPROVED": "", "ACCEPTED": "", "SUBMITTED": "", "REJECTED": "rejected assignments"},
        **{"ACTIVE": "unfinished assignments", "SKIPPED": "skipped assignments", "EXPIRED": "expired assignments"},
    },
    "_golden": {"true": TEST, "false": "", "": ""},
    "_tainted": {"true": "answers of workers who failed the test questions (_tainted)", "false": "", "": ""},
}
"""Columns of Mechanical Turk, Toloka and Appen: for each status, why a row that has it does not count."""

DAMAGED = (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError)


@dataclass(frozen=True)
class Table:
    """Rows of texts under the names of the first line.

    Attributes
    ----------
    path : the file
    header : the names of the columns, without blanks around them
    rows : list of rows, each a list of cells, which are texts, or what a parquet file holds
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
        """The texts of the column of that name without blanks around them; errors as of `ids`."""
        return [text.strip() for text in self.ids(name)]

    def ids(self, name: str) -> list[str]:
        """The texts of a column as they stand; ValueError where two columns have the name, or as `cells`."""
        if self.header.count(name) > 1:
            raise ValueError(f"{self.path}: two columns are called {name!r}, expected one")
        return self.cells(self.header.index(name))

    def cells(self, position: int) -> list[str]:
        """The texts of the column at a position; ValueError with the row where one is no text, number or truth."""
        return [
            cell_text(self.path, f"{self.word} {place}", row[position])
            for place, row in zip(self.places, self.rows, strict=True)
        ]

    def counting(self) -> tuple[Table, dict[str, int]]:
        """The rows that count, by the columns in which Mechanical Turk, Toloka and Appen say so, and numbers of others.

        Raises
        ------
        ValueError
            with file and line: a status that such a column does not have.
        """
        reasons = [""] * len(self.rows)
        for position, name in enumerate(self.header):
            if name not in STATUSES and not name.startswith(GOLDEN):
                continue
            for number, cell in enumerate(map(str.strip, self.cells(position))):
                reasons[number] = reasons[number] or self._reason(name, cell, self.places[number])
        kept = [number for number, reason in enumerate(reasons) if not reason]
        rows, places = ([whole[number] for number in kept] for whole in (self.rows, self.places))
        return Table(self.path, self.header, rows, places, self.word), dict(Counter(filter(None, reasons)))

    def _reason(self, name: str, cell: str, place: int) -> str:
        """Why a row does not count, where a cell of this column says so."""
        if name.startswith(GOLDEN):
            return TEST if cell else ""
        for status, reason in STATUSES[name].items():
            if cell.casefold() == status.casefold():
                return reason
        expected = ", ".join(status or "nothing" for status in STATUSES[name])
        raise ValueError(f"{self.path}, {self.word} {place}: {name} is {cell!r}, expected one of {expected}")


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
    """Table of the data, bytes, of the parquet file at path; ValueError as `columns_of`.

    Cells of columns that are neither text nor numbers are not read: each is the type of its column.
    """
    table, schema = columns_of(path, data, lambda field: _is_plain(field.type))
    columns = [
        table[field.name].to_pylist() if _is_plain(field.type) else repeat(field.type, len(table)) for field in schema
    ]
    rows = list(map(list, zip(*columns, strict=True)))
    return Table(path, [name.strip() for name in schema.names], rows, list(range(len(rows))), "row")


def columns_of(path: Path, data: bytes, wanted: Callable[[pa.Field], bool]) -> tuple[pa.Table, pa.Schema]:
    """Those columns of a parquet file that are wanted, and its schema, which has all of them; others are not looked at.

    Nor are the statistics that such a file may hold: pyarrow ends the process where they are damaged. It reads in this
    thread alone and in memory of its own, as threads of its that touch Python's while that ends do so too.

    Parameters
    ----------
    path, data : the file, for messages, and its bytes
    wanted : says of a field of the schema whether it is

    Raises
    ------
    ValueError
        naming the file: damaged, or a column twice.
    """
    try:
        with pq.ParquetFile(texts.arrow(data), page_checksum_verification=True, pre_buffer=False) as file:
            schema, promised = file.schema_arrow, file.metadata.num_rows
            table = file.read([field.name for field in schema if wanted(field)], use_threads=False)
            table.validate(full=True)
    except DAMAGED as error:
        said = " ".join(str(error).split())
        raise ValueError(f"{path}: cannot be read as parquet ({said:.200}), expected a whole file") from error
    if len(table) != promised:
        raise ValueError(f"{path}: {len(table)} rows were read, expected the {promised} that the file says it has")
    if len(set(schema.names)) < len(schema.names):
        raise ValueError(f"{path}: columns {texts.shown(schema.names)}, expected each once")
    return table, schema


def cell_text(path: Path, place: str, value: Any) -> str:
    """A cell or JSON value as text: "" for none; ValueError with path and place for a list, an object, or a time.

    >>> cell_text(Path("a.json"), "record 1", 3.0), cell_text(Path("a.json"), "record 1", None)
    ('3.0', '')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if not isinstance(value, str | int | float | Decimal):
        raise ValueError(f"{path}, {place}: {str(value)[:40]!r}, expected a text or a number")
    return str(value)


def _is_plain(kind: pa.DataType) -> bool:
    """Whether cells of a column are texts, numbers or truth values."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    return is_number or pa.types.is_boolean(kind) or pa.types.is_null(kind) or str(kind) in TEXT


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
