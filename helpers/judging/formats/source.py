"""A file as it came: unpacked, decoded, and held as text, JSON, lines or a table, whichever a format asks for."""

from __future__ import annotations

import io
import json
import math
import re
import zipfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import compute

from helpers import checks, texts
from helpers.judging.judgments import LONG

PARQUET, ZIP = b"PAR1", b"PK\x03\x04"
LARGEST = 2**30  # bytes of what a zip archive holds
HALF = re.compile(r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})")
"""A backslash of its own, an escaped pair of surrogates, or one that stands alone, which is no character."""

DELIMITERS = (",", ";", "\t", "|")
BLANK = " ,;\t|"
TEXT = ("string", "large_string", "string_view")
DECISIONS = ["Approve", "Reject"]  # columns of Mechanical Turk that rows may end before
DAMAGED = (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError)


class Content:
    """What one file holds: path, stem (its name without endings), data (bytes, unpacked), is_parquet.

    OSError where it cannot be read; ValueError where it is empty, damaged in its packing, or several files or a sheet.
    """

    def __init__(self, path: Path):
        self.path, self.data = path, texts.unpacked(path)
        packed = path.suffix in texts.PACKED_SUFFIXES
        if self.data.startswith(ZIP):
            self.data, packed = _unzipped(path, self.data), path.suffix == ".zip"
        self.stem = Path(path.stem if packed else path.name).stem
        self.is_parquet = self.data.startswith(PARQUET)
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

    @cached_property
    def is_json(self) -> bool:
        """Whether the text begins as JSON does."""
        return not self.is_parquet and self.text.lstrip()[:1] in ("{", "[")

    @cached_property
    def records(self) -> list[tuple[str, dict]]:
        """The JSON objects of the file with the place of each: "record 3" of an array, "line 3", or "" of the whole."""
        if not self.is_json:
            raise ValueError(f"{self.path}: no JSON, expected a file that begins with [ or {{")
        if self._has_object_a_line:
            found = [(f"line {n}", self._json(text, n)) for n, text in enumerate(self.lines, 1) if text.strip()]
        else:
            document = self._json(self.text, 1)
            several = isinstance(document, list)
            found = [(f"record {n}", record) for n, record in enumerate(document, 1)] if several else [("", document)]
        for place, record in found:
            if not isinstance(record, dict):
                raise ValueError(f"{self.path}, {place}: {str(record)[:40]!r}, expected a JSON object")
        return found

    @cached_property
    def names(self) -> dict[str, bool]:
        """What `names_of` finds in the records."""
        return names_of([record for _, record in self.records])

    @cached_property
    def table(self) -> Table:
        """The file as rows and columns."""
        if self.is_parquet:
            return parquet(self.path, self.data)
        return delimited(self.path, texts.with_line_feeds(self.text))

    @cached_property
    def numbered(self) -> Table:
        """The table whose first line is a row, its columns named by their numbers from 1."""
        return delimited(self.path, texts.with_line_feeds(self.text), numbered=True).of_equal_rows()

    @cached_property
    def rows(self) -> Table:
        """The table with rows as long as its header; ValueError where one is not, or the file is JSON."""
        if self.is_json:
            raise ValueError(f"{self.path}: JSON, expected a table (CSV, TSV, parquet)")
        return self.table.of_equal_rows()

    @property
    def header(self) -> list[str]:
        """The names of columns, or of all keys of JSON."""
        return list(self.names) if self.is_json else self.table.header

    @cached_property
    def _has_object_a_line(self) -> bool:
        first = next(line for line in self.lines if line.strip())
        try:
            return isinstance(json.loads(first), dict) and sum(bool(line.strip()) for line in self.lines) > 1
        except (ValueError, RecursionError):
            return False

    def _json(self, text: str, line: int) -> Any:
        for half in (match for match in HALF.finditer(text) if match[1]) if "\\u" in text else ():
            place = f"line {line + text.count(chr(10), 0, half.start())}"
            raise ValueError(f"{self.path}, {place}: {half[1]}, half of a character, expected text that is whole")
        try:
            return WHOLE.decode(text)
        except json.JSONDecodeError as error:
            if (fed := texts.with_line_feeds(text)) != text:
                return self._json(fed, line)
            found = f"line {line + error.lineno - 1}: not valid JSON ({error.msg}, column {error.colno})"
        except RecursionError:
            found = "JSON nested too deeply to read"
        except ValueError as error:
            found = f"from line {line}: {error}"
        raise ValueError(f"{self.path}, {found}, expected JSON")


def names_of(records: Sequence[dict]) -> dict[str, bool]:
    """The dotted names of all that stands in records, through lists; and whether it is a list of objects."""
    found: dict[str, bool] = {}

    def look(value: Any, name: str) -> None:
        if isinstance(value, list):
            found[name] = found.get(name, False) or any(isinstance(item, dict) for item in value)
            for item in value:
                look(item, name)
            return
        if name:
            found.setdefault(name, False)
        for inner, of in value.items() if isinstance(value, dict) else ():
            look(of, f"{name}.{inner}" if name else inner)

    for record in records:
        look(record, "")
    return found


def _unzipped(path: Path, data: bytes) -> bytes:
    """What the one file in a zip archive holds; ValueError for a spreadsheet, several files, or one that is damaged."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            inside = [member for member in archive.infolist() if not member.is_dir()]
            if len(inside) == 1 and inside[0].file_size <= LARGEST:
                return archive.read(inside[0])
            names = [member.filename for member in inside]
    except (*DAMAGED, zipfile.BadZipFile, RuntimeError) as error:
        raise ValueError(
            f"{path}: a zip archive or a spreadsheet (xlsx), damaged ({error}), expected it whole"
        ) from error
    if "[Content_Types].xml" in names:
        raise ValueError(f"{path}: a spreadsheet (xlsx), expected the sheet as CSV")
    raise ValueError(f"{path}: a zip archive of {texts.shown(names)}, expected one file in it of at most 1 GiB")


def _object(pairs: list[tuple[str, Any]]) -> dict:
    """The object of the pairs; ValueError where a key stands twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return found


WHOLE = json.JSONDecoder(object_pairs_hook=_object, parse_constant=lambda _: None)
"""Refuses what says a key twice, and takes NaN for nothing; json.loads would make one for each line."""


@dataclass(frozen=True)
class Table:
    """Cells, texts or what parquet holds, in columns 0, 1, ..., and what these are called; places say where each row
    is, as "line 3"."""

    path: Path
    header: list[str]
    cells: pd.DataFrame
    places: pd.Series
    word: str = "row"
    separator: str = ""

    @classmethod
    def of(cls, path: Path, header: list[str], rows: Sequence[Sequence[str]], places: Sequence[str]) -> Table:
        """The table of rows of texts."""
        cells = pd.DataFrame(rows, columns=range(len(header)), dtype="str")
        return cls(path, header, cells, pd.Series(places, dtype="str"))

    def __len__(self) -> int:
        return len(self.places)

    def of_equal_rows(self) -> Table:
        """The table with rows as long as its header, which may end with `DECISIONS` where rows end before; ValueError
        with the line of a row with more or fewer fields."""
        if self.word != "line":
            return self
        width, lengths = len(self.header), self.cells.notna().sum(axis=1)
        short = width - len(DECISIONS) if self.header[-len(DECISIONS) :] == DECISIONS else width
        for row in np.flatnonzero((lengths != width) & (lengths != short)):
            found = f"{self.path}, {self.places[row]}: {lengths[row]} fields"
            raise ValueError(f"{found}, expected {width} as in the first {self.word}")
        return replace(self, cells=self.cells.reindex(columns=range(width)).fillna(""))

    def with_columns(self, columns: Mapping[str, Sequence[str]], instead_of: Collection[str]) -> Table:
        """The table with columns of these texts, and some of its own without name."""
        header = ["" if name in instead_of else name for name in self.header]
        more = pd.DataFrame(dict(enumerate(columns.values(), start=len(header))), self.cells.index, dtype="str")
        return replace(self, header=[*header, *columns], cells=self.cells.join(more))

    def column(self, name: str) -> pd.Series:
        """The texts of the column of that name as they stand; ValueError where none or two have it, or as `texts`."""
        if (found := self.header.count(name)) != 1:
            said = (
                f"two columns are called {name!r}" if found else f"columns {checks.some(self.header)}, none is {name}"
            )
            raise ValueError(f"{self.path}: {said}, expected one")
        return self.texts(self.header.index(name))

    def texts(self, position: int) -> pd.Series:
        """The texts of the column at a position; ValueError with the row where one is no text, number or truth."""
        cells = self.cells[position]
        if cells.dtype == "str":
            return cells
        texts = [cell_text(self.path, place, cell) for place, cell in zip(self.places, cells, strict=True)]
        return pd.Series(texts, cells.index, dtype="str")


def delimited(path: Path, text: str, *, numbered: bool = False) -> Table:
    """Table of a text whose fields are separated by what parts its first line most; blank lines do not count.

    Its first line says what the columns are called, unless they are numbered.
    """
    separator = max(DELIMITERS, key=lambda character: _width(path, text, character))
    if _width(path, text, separator) < 2 and _width(path, text, " ") == len(LONG):
        separator = " "
    cells = _at_once(text, separator, _width(path, text, separator))
    if cells is None:  # lines of different widths, blank ones, quotes
        lines = list(_fields(path, text, separator))
        if not lines:
            raise ValueError(f"{path}: no field with a text in it, expected judgments")
        width = max(len(fields) for _, fields in lines)
        rows = [fields + [None] * (width - len(fields)) for _, fields in lines]
        cells = pd.DataFrame(rows, [number for number, _ in lines], dtype="str")
    header = cells.iloc[0].dropna().str.strip().tolist()
    if numbered:
        header = [str(number) for number in range(1, len(header) + 1)]
    cells = cells.iloc[0 if numbered else 1 :]
    places = pd.Series("line " + cells.index.astype(str), dtype="str")
    return Table(path, header, cells.reset_index(drop=True), places, "line", separator)


def _at_once(text: str, separator: str, width: int) -> pd.DataFrame | None:
    """The cells of a text by line where all have so many fields and there are no quotes; else None."""
    data = text.encode()
    if '"' in text or width == 0 or len(data) > texts.LARGEST:
        return None
    names = [str(n) for n in range(width)]
    try:
        columns = [compute.utf8_ltrim(column, " ") for column in texts.parsed(data, names, names, separator).columns]
    except pa.ArrowInvalid:
        return None
    n_lines = text.count("\n") + text.count("\r") - text.count("\r\n") + (not text.endswith(("\n", "\r")))
    if len(columns[0]) < n_lines or compute.any(compute.equal(compute.utf8_trim(columns[0], BLANK), "")).as_py():
        return None
    return pd.DataFrame({n: pd.array(column, dtype="str") for n, column in enumerate(columns)}, range(1, n_lines + 1))


def parquet(path: Path, data: bytes) -> Table:
    """Table of the parquet file at path; cells of columns that are neither text nor numbers are the column's type.

    These are not read, nor are the statistics that such a file may hold: pyarrow ends the process where they are
    damaged. It reads in this thread and memory of its own, as threads of its that touch Python's while that ends do so
    too.
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
    columns = [table[field.name].to_pylist() if _is_plain(field.type) else [field.type] * promised for field in schema]
    kinds = ["str" if all(type(cell) is str for cell in column) else object for column in columns]
    cells = {n: pd.Series(column, dtype=kind) for n, (column, kind) in enumerate(zip(columns, kinds, strict=True))}
    places = pd.Series([f"row {n}" for n in range(promised)], dtype="str")
    return Table(path, [name.strip() for name in schema.names], pd.DataFrame(cells), places)


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
    """Line number and fields of every row that has more than blanks and separators."""
    for line, fields in texts.rows(path, separator, text):
        if "".join(fields).strip(BLANK):
            yield line, fields
