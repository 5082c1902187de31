"""A file as it came: unpacked, decoded, and held as text, JSON, lines or a table, whichever a format asks for."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cached_property
from pathlib import Path
from typing import Any

from helpers import texts
from helpers.judging.formats.table import Table, delimited, parquet

PARQUET, ZIP = b"PAR1", b"PK\x03\x04"
HALF = re.compile(r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})")
"""A backslash of its own, an escaped pair of surrogates, or one that stands alone, which is no character."""


class Content:
    """What one file holds.

    Parameters
    ----------
    path : the file; gzip, bzip2 and xz are told by its first bytes and unpacked

    Attributes
    ----------
    path, stem : the file, and its name without endings (that of a packed file and one more)
    data : its bytes, unpacked
    is_parquet : whether it is a parquet file

    Raises
    ------
    OSError
        when the file cannot be read.
    ValueError
        when it is empty, no regular file, damaged in its packing, or a zip archive or spreadsheet.
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
