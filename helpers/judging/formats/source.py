"""A file as it came: unpacked, decoded, and held as text, JSON, lines or a table, whichever a format asks for."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import repeat
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from helpers import texts

PARQUET, ZIP = b"PAR1", b"PK\x03\x04"
HALF = re.compile(r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})")
"""A backslash of its own, an escaped pair of surrogates, or one that stands alone, which is no character."""

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


class Content:
    """What one file holds: path, stem (its name without endings), data (bytes, unpacked), is_parquet.

    OSError where it cannot be read; ValueError where it is empty, damaged in its packing, or a zip archive or sheet.
    """

    def __init__(self, path: Path):
        self.path = path
        self.stem = Path(path.stem if path.suffix in texts.PACKED_SUFFIXES else path.name).stem
        self.data = texts.unpacked(path)
        self.is_parquet = self.data.startswith(PARQUET)
        if self.data.startswith(ZIP):
            raise ValueError(
                f"{path}: a zip archive or a spreadsheet (xlsx), expected the file in it, or the sheet as CSV"
            )
        if not self.data.strip():
            raise ValueError(f"{path}: empty, expected judgments")

    @cached_property
    def text(self) -> str:
        """The text, without a byte order mark; ValueError where it is no UTF-8."""
        if self.is_parquet:
            raise ValueError(f"{self.path}: a parquet file, expected text")
        return texts.decoded(self.path, self.data)

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their ends, which may be those of any system."""
        return texts.BREAK.split(texts.with_line_feeds(self.text))

    @property
    def is_json(self) -> bool:
        """Whether the text begins as JSON does."""
        return not self.is_parquet and self.text.lstrip()[:1] in ("{", "[")

    @cached_property
    def document(self) -> Any:
        """The file as one JSON value; a file of a JSON object a line is the list of them."""
        if not self.is_json:
            raise ValueError(f"{self.path}: no JSON, expected a file that begins with [ or {{")
        if self._has_object_a_line:
            return [record for _, record in self.records]
        return self._json(self.text, 1)

    @cached_property
    def records(self) -> list[tuple[str, dict]]:
        """The JSON objects of the file with the place of each, "record 3" in an array or "line 3"."""
        if self.is_json and self._has_object_a_line:
            lines = [(f"line {n}", self._json(text, n)) for n, text in enumerate(self.lines, 1) if text.strip()]
        else:
            document = self.document
            records = document if isinstance(document, list) else [document]
            lines = [(f"record {n}", record) for n, record in enumerate(records, 1)]
        for place, record in lines:
            if not isinstance(record, dict):
                raise ValueError(f"{self.path}, {place}: {str(record)[:40]!r}, expected a JSON object")
        return lines

    @cached_property
    def table(self) -> Table:
        """The file as rows and columns."""
        if self.is_parquet:
            return parquet(self.path, self.data)
        return delimited(self.path, texts.with_line_feeds(self.text))

    @cached_property
    def _has_object_a_line(self) -> bool:
        first = next(line for line in self.lines if line.strip())
        try:
            return isinstance(json.loads(first), dict) and sum(bool(line.strip()) for line in self.lines) > 1
        except (ValueError, RecursionError):
            return False

    def _json(self, text: str, line: int) -> Any:
        for half in (match for match in HALF.finditer(text) if match[1]):
            place = f"line {line + text.count(chr(10), 0, half.start())}"
            raise ValueError(f"{self.path}, {place}: {half[1]}, half of a character, expected text that is whole")
        try:
            return json.loads(text, object_pairs_hook=_object, parse_constant=lambda _: None)
        except json.JSONDecodeError as error:
            if (fed := texts.with_line_feeds(text)) != text:
                return self._json(fed, line)
            found = f"line {line + error.lineno - 1}: not valid JSON ({error.msg}, column {error.colno})"
        except RecursionError:
            found = "JSON nested too deeply to read"
        except ValueError as error:
            found = f"from line {line}: {error}"
        raise ValueError(f"{self.path}, {found}, expected JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict:
    """The object of the pairs; ValueError where a key stands twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return found


@dataclass(frozen=True)
class Table:
    """Rows of texts, or of what parquet holds, under their header; word says what places are: line or row."""

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
        """The rows that count, as Mechanical Turk, Toloka and Appen say in columns of theirs, and how many do not, by
        reason."""
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
    """Table of a text whose fields are separated by what parts its first line most; blank lines do not count."""
    separator = max(DELIMITERS, key=lambda character: _width(path, text, character))
    numbered = list(_fields(path, text, separator))
    if not numbered:
        raise ValueError(f"{path}: no field with a text in it, expected judgments")
    (_, header), rest = numbered[0], numbered[1:]
    return Table(path, [name.strip() for name in header], [row for _, row in rest], [line for line, _ in rest], "line")


def parquet(path: Path, data: bytes) -> Table:
    """Table of the parquet file at path; cells of columns that are neither text nor numbers are the column's type."""
    table, schema = _plain_columns(path, data)
    columns = [
        table[field.name].to_pylist() if _is_plain(field.type) else repeat(field.type, len(table)) for field in schema
    ]
    rows = list(map(list, zip(*columns, strict=True)))
    return Table(path, [name.strip() for name in schema.names], rows, list(range(len(rows))), "row")


def _plain_columns(path: Path, data: bytes) -> tuple[pa.Table, pa.Schema]:
    """The columns of a parquet file that are texts or numbers, and its schema, which has all of them.

    Nor are the statistics that such a file may hold looked at: pyarrow ends the process where they are damaged. It
    reads in this thread and memory of its own, as threads of its that touch Python's while that ends do so too.
    """
    try:
        with pq.ParquetFile(texts.arrow(data), page_checksum_verification=True, pre_buffer=False) as file:
            schema, promised = file.schema_arrow, file.metadata.num_rows
            table = file.read([field.name for field in schema if _is_plain(field.type)], use_threads=False)
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
    """A cell or JSON value as text: "" for none; ValueError with path and place for a list, an object, or a time."""
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
