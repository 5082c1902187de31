"""Lines of fields parted by blanks, as TREC's files have them, read column by column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import numpy as np
import pyarrow as pa
from pyarrow import compute, csv

from helpers import texts

BLANKS = " \t"
LONGEST_SHOWN = 60
LARGEST = 2**31 - 2  # bytes of a block of pyarrow's
AT_THE_EDGE = re.compile(rb" *[\r\n]+ *")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


class Lines:
    """The lines of a file, blank ones left out, as columns of text.

    Parameters
    ----------
    path : file as `texts.read` takes it; fields are parted by any number of blanks and tabs, and may hold anything else
    names : of the fields, all of which each line has
    wanted : those that are read

    Attributes
    ----------
    columns : by name, (n_lines,) pyarrow array of str

    Raises
    ------
    ValueError
        naming the file: as `texts.read`, no line, or 2 GiB of text; naming file and line: another number of fields.
    OSError
        when the file cannot be read.
    """

    def __init__(self, path: str | Path, names: Sequence[str], wanted: Sequence[str]):
        self.path, self.names = Path(path), names
        data = _with_single_blanks(texts.read(path))
        if not 0 < len(data) <= LARGEST:
            found = "2 GiB of text or more" if data else "not a single line"
            raise ValueError(f"{path}: {found}, expected lines of {', '.join(names)}")
        try:
            table = _parsed(data, names, wanted)
        except pa.ArrowInvalid:
            self._refuse_fields()
        self.columns = {name: table[name].chunk(0) for name in wanted}  # one, as there is one block

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def numbers(self, name: str) -> np.ndarray:
        """(n_lines,) float64, the column as finite numbers; ValueError with file and line where one is none."""
        try:
            values = compute.cast(self.columns[name], pa.float64()).to_numpy()
        except pa.ArrowInvalid:  # a sign or a form that pyarrow does not read
            fields = self.columns[name].to_pylist()
            values = np.array([float(field) if NUMBER.fullmatch(field) else np.nan for field in fields])
        wrong = np.flatnonzero(~np.isfinite(values))
        if len(wrong):
            self.refuse(wrong[0], f"{name} {self.shown(name, wrong[0])}, expected a finite number")
        return values

    def whole_numbers(self, name: str) -> np.ndarray:
        """(n_lines,) int64, the column as whole numbers; ValueError with file and line where one is none."""
        values = self.numbers(name)
        wrong = np.flatnonzero((values != np.floor(values)) | (np.abs(values) > 2**53))
        if len(wrong):
            self.refuse(wrong[0], f"{name} {self.shown(name, wrong[0])}, expected a whole number")
        return values.astype(np.int64)

    def shown(self, name: str, row: int) -> str:
        """The field `name` of the line at position `row` as a message shows it, cut after LONGEST_SHOWN characters."""
        return repr(f"{self.columns[name][row].as_py():.{LONGEST_SHOWN}}")

    def refuse(self, row: int, wrong: str) -> NoReturn:
        """Raise ValueError with the file, the line of this row, and what is wrong there."""
        raise ValueError(f"{self.path}, line {self.number(row)}: {wrong}")

    def number(self, row: int) -> int:
        """Number of the line of a row, blank lines counted."""
        return next(number for r, (number, _) in enumerate(self._fields()) if r == row)

    def _fields(self) -> list[tuple[int, list[str]]]:
        """Number and fields of each line that is not blank, read once more and slowly."""
        lines = enumerate(texts.BREAK.split(texts.read(self.path)), start=1)
        parted = ((number, [field for field in re.split(f"[{BLANKS}]", line) if field]) for number, line in lines)
        return [(number, fields) for number, fields in parted if fields]

    def _refuse_fields(self) -> NoReturn:
        """Raise ValueError at the first line with another number of fields."""
        number, fields = next((n, f) for n, f in self._fields() if len(f) != len(self.names))
        raise ValueError(
            f"{self.path}, line {number}: {len(fields)} fields ({' '.join(fields):.{LONGEST_SHOWN}}), expected "
            f"{len(self.names)}: {', '.join(self.names)}"
        )


def _with_single_blanks(text: str) -> bytes:
    """The text with one blank between fields, none at the ends of lines, and no line without fields."""
    data = text.encode().replace(b"\t", b" ").strip(b" \r\n")
    if _is_even(data):
        return data
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    return AT_THE_EDGE.sub(b"\n", data)


def _is_even(data: bytes) -> bool:
    """Whether no two characters that part fields or lines follow each other."""
    parts = np.frombuffer(data, np.uint8) <= ord(" ")
    return not np.any(parts[1:] & parts[:-1])


def _parsed(data: bytes, names: Sequence[str], wanted: Sequence[str]) -> pa.Table:
    return csv.read_csv(
        texts.arrow(data),
        read_options=csv.ReadOptions(column_names=list(names), block_size=len(data) + 1),
        parse_options=csv.ParseOptions(delimiter=" ", quote_char=False, double_quote=False, escape_char=False),
        convert_options=csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()), null_values=[], include_columns=list(wanted)
        ),
    )
