"""Text files as people have them: packed or not, checked to be UTF-8, and the tables and lines of fields in them."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import re
import zlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import compute
from pyarrow import csv as arrow_csv

from helpers import files, paths

PACKED_SUFFIXES = (".gz", ".bz2", ".xz")
DAMAGED = (EOFError, OSError, lzma.LZMAError, ValueError, zlib.error)
WIDE = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
"""Marks at the start of files in other encodings."""

MARK = "\ufeff"
WIDEST = 200  # characters of what was found, in a message
BREAK = re.compile(r"\r\n|\r|\n")
RARE_BREAK = re.compile("[\u0085\u2028\u2029]")  # NEL of mainframes, LS and PS of Unicode

LONGEST_SHOWN = 60
LARGEST = 2**31 - 2  # bytes of a block of pyarrow's
UNEVEN = (b"  ", b" \n", b"\n ", b"\n\n", b"\r")
AT_THE_EDGE = re.compile(rb" *[\r\n]+ *")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def _all_streams(data: bytes, make: Callable[[], bz2.BZ2Decompressor | lzma.LZMADecompressor]) -> bytes:
    """What one packed stream or several after each other hold; all of the data must belong to one."""
    parts = []
    while data:
        stream = make()
        parts.append(stream.decompress(data))
        if not stream.eof:
            raise EOFError("it ends too early")
        data = stream.unused_data
    return b"".join(parts)


PACKED: dict[str, tuple[re.Pattern[bytes], Callable[[bytes], bytes]]] = {
    "gzip": (re.compile(rb"\x1f\x8b"), gzip.decompress),
    "bzip2": (re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"), partial(_all_streams, make=bz2.BZ2Decompressor)),
    "xz": (re.compile(rb"\xfd7zXZ\x00"), partial(_all_streams, make=lzma.LZMADecompressor)),
}
"""How packed files begin, and what unpacks them."""


def read(path: str | Path) -> str:
    """The text of a file in UTF-8, with or without a byte order mark, plain or packed by gzip, bzip2 or xz."""
    text = decoded(path, unpacked(path))
    if MARK in text:
        _refuse(path, text[: text.index(MARK)].encode(), "a byte order mark within the text")
    return with_line_feeds(text)


def with_line_feeds(text: str) -> str:
    """The text with a line feed for each NEL, LS and PS where no line ends otherwise."""
    return text if BREAK.search(text) else RARE_BREAK.sub("\n", text)


def unpacked(path: str | Path) -> bytes:
    """The bytes of the file at path, or those that it holds packed by gzip, bzip2 or xz."""
    data = files.regular(path).read_bytes()
    for name, (start, unpack) in PACKED.items():
        if start.match(data):
            try:
                return unpack(data)
            except DAMAGED as error:
                raise ValueError(f"{path}: packed by {name} and damaged ({error}), expected a whole file") from error
    return data


def arrow(data: bytes) -> pa.BufferReader:
    """The data as pyarrow reads it, in memory of its own, so that its threads touch no object of Python's."""
    memory = pa.BufferOutputStream()
    memory.write(data)
    return pa.BufferReader(memory.getvalue())


def decoded(path: str | Path, data: bytes) -> str:
    """The text in UTF-8 that bytes hold, without the byte order mark that it may begin with."""
    for mark, encoding in WIDE.items():
        if data.startswith(mark):
            raise ValueError(f"{path}: the text is in {encoding}, expected UTF-8: save it as UTF-8")
    if b"\0" in data:
        _refuse(path, data[: data.index(b"\0")], "a zero byte, as in UTF-16 and binary files")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        byte = data[error.start]
        _refuse(path, data[: error.start], f"byte 0x{byte:02x} is not UTF-8 (in Latin-1 it is {chr(byte)!r})")


def rows(path: str | Path, delimiter: str, text: str | None = None) -> Iterator[tuple[int, list[str]]]:
    """Number of the first line, and fields, of each row of a delimited file; blank lines are skipped.

    Of a text that was read from it blanks before a field do not count.
    """
    as_read = {"strict": True, "skipinitialspace": text is not None}
    reader = csv.reader(io.StringIO(read(path) if text is None else text, newline=""), delimiter=delimiter, **as_read)
    start = 1
    try:
        for fields in reader:
            if fields:
                yield start, fields
            start = reader.line_num + 1
    except csv.Error as error:
        raise ValueError(f"{path}, line {start}: {error}, expected quotes that are closed in this row") from error


def table(path: str | Path, delimiter: str, expected: Sequence[str]) -> pd.DataFrame:
    """All fields of a delimited file as str under the names of its first row, indexed by the line of each row."""
    found = list(rows(path, delimiter))
    names = found[0][1] if found else []
    if len(set(names)) < max(1, len(names)):
        first = f", line {found[0][0]}: columns {shown(names)}" if found else ": empty"
        raise ValueError(f"{path}{first}, expected columns {', '.join(expected)}, each once")
    for line, fields in found:
        if len(fields) != len(names):
            raise ValueError(
                f"{path}, line {line}: {len(fields)} fields, expected {len(names)} as in line {found[0][0]}, "
                "and no comments"
            )
    lines = pd.Index([line for line, _ in found[1:]], name="line")
    return pd.DataFrame([fields for _, fields in found[1:]], columns=names, index=lines, dtype=object)


class Lines:
    """The lines of a file, blank ones left out, as columns of text: (n_lines,) pyarrow arrays of the fields wanted."""

    def __init__(self, path: str | Path, names: Sequence[str], wanted: Sequence[str], text: str | None = None):
        self.path, self.names, self._text = Path(path), names, text
        data = _with_single_blanks(self._read())
        if not 0 < len(data) <= LARGEST:
            found = "2 GiB of text or more" if data else "not a single line"
            raise ValueError(f"{path}: {found}, expected lines of {', '.join(names)}")
        try:
            table = parsed(data, names, wanted)
        except pa.ArrowInvalid:
            self._refuse_fields()
        self.columns = {name: table[name].chunk(0) for name in wanted}  # one, as there is one block

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def numbers(self, name: str) -> np.ndarray:
        """(n_lines,) float64, the column as finite numbers; ValueError with file and line where one is none."""
        values = numbers(self.columns[name])
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
        return self.line_numbers()[row]

    def line_numbers(self) -> list[int]:
        """(n_lines,) number of each line, blank lines counted."""
        return [number for number, _ in self._fields()]

    def _read(self) -> str:
        return read(self.path) if self._text is None else self._text

    def _fields(self) -> list[tuple[int, list[str]]]:
        """Number and fields of each line that is not blank, read once more and slowly."""
        lines = enumerate(BREAK.split(self._read()), start=1)
        return [(number, fields) for number, line in lines if (fields := fields_of(line))]

    def _refuse_fields(self) -> NoReturn:
        """Raise ValueError at the first line with another number of fields."""
        number, fields = next((n, f) for n, f in self._fields() if len(f) != len(self.names))
        raise ValueError(
            f"{self.path}, line {number}: {len(fields)} fields ({' '.join(fields):.{LONGEST_SHOWN}}), expected "
            f"{len(self.names)}: {', '.join(self.names)}"
        )


def fields_of(line: str) -> list[str]:
    """The fields of a line, parted by any number of blanks and tabs."""
    return [field for field in line.replace("\t", " ").split(" ") if field]


def _with_single_blanks(text: str) -> bytes:
    """The text with one blank between fields, none at the ends of lines, and no line without fields."""
    data = text.encode().replace(b"\t", b" ").strip(b" \r\n")
    if not any(pair in data for pair in UNEVEN):
        return data
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    return AT_THE_EDGE.sub(b"\n", data)


def parsed(data: bytes, names: Sequence[str], wanted: Sequence[str], delimiter: str = " ") -> pa.Table:
    """Columns of text of lines of so many fields without quotes; pa.ArrowInvalid where a line has another number."""
    return arrow_csv.read_csv(
        arrow(data),
        read_options=arrow_csv.ReadOptions(column_names=list(names), block_size=len(data) + 1),
        parse_options=arrow_csv.ParseOptions(
            delimiter=delimiter, quote_char=False, double_quote=False, escape_char=False
        ),
        convert_options=arrow_csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()), null_values=[], include_columns=list(wanted)
        ),
    )


def numbers(fields: pa.Array) -> np.ndarray:
    """(n,) float64 of fields of text, NaN where one is no number."""
    try:
        return compute.cast(fields, pa.float64()).to_numpy()
    except pa.ArrowInvalid:  # a sign or a form that pyarrow does not read
        texts = fields.to_pylist()
        return np.array([float(text) if NUMBER.fullmatch(text) else np.nan for text in texts])


def shown(values: Iterable) -> str:
    """What was found in a file, for a message: on one line and not too long."""
    texts = [text if text.isprintable() else repr(text) for text in map(str, values)]
    return f"{', '.join(texts):.{WIDEST}}"


def check_columns(path: str | Path, found: Sequence[str], expected: Sequence[str]) -> None:
    """Raise ValueError where expected columns are missing; the message says which there are."""
    missing = [column for column in expected if column not in found]
    if missing:
        raise ValueError(f"{path}: no column {', '.join(missing)} among {shown(found)}, expected {', '.join(expected)}")


def alike(ids: Sequence[str], sources: Sequence[Hashable]) -> list[tuple[str, str]]:
    """(an id, the one like it that is in most sources), of ids that may be meant as the same; sources (n,) of ids (n,).

    They differ in case, blanks at the ends, Unicode's way to write accents, zeros before a whole number or .0 behind
    it; and each of the two is in a source that has not the other.
    """
    position, unique = pd.factorize(pd.Series(ids, dtype="str"))
    keys = pd.Series(folded(pa.array(unique, pa.string())).to_numpy(zero_copy_only=False), index=unique)
    near = keys.duplicated(keep=False).to_numpy()[position]
    few = pd.DataFrame({"id": unique[position[near]], "source": np.asarray(sources)[near]}).drop_duplicates()
    found = []
    for _, group in few.groupby(few["id"].map(keys), sort=False):
        own = {name: set(rows) for name, rows in group.groupby("id", sort=False)["source"]}
        most = max(own, key=lambda name: len(own[name]))
        found += [(name, most) for name in own if own[name] - own[most] and own[most] - own[name]]
    return found


def folded(ids: pa.Array) -> pa.Array:
    """The ids in the one form that `alike` takes for all that are alike."""
    if not compute.all(compute.string_is_ascii(ids)).as_py():
        ids = compute.utf8_normalize(ids, form="NFC")
    lower = compute.utf8_lower(compute.utf8_trim_whitespace(ids))
    return compute.replace_substring_regex(lower, r"^0*([0-9]+?)(\.0*)?$", r"\1")


def changed(names: pd.Series, function: Callable[[str], str | None]) -> pd.Series:
    """The texts, each different one changed by a function once; what is missing stays so."""
    which, unique = pd.factorize(names)
    made = pd.array([function(text) for text in unique], dtype="str")
    return pd.Series(made.take(which, allow_fill=True), names.index)


def suffix(path: str | Path) -> str:
    """The ending of the name of a file at path, that of packed files left out."""
    path = Path(path)
    return Path(path.stem).suffix if path.suffix in PACKED_SUFFIXES else path.suffix


def named(source: str | Path) -> list[Path]:
    """The files that a user names as source: one path, or several separated by commas."""
    whole = paths.named(source)
    return [whole] if whole.exists() else [paths.named(part.strip()) for part in str(source).split(",")]


def _refuse(path: str | Path, before: bytes, found: str) -> NoReturn:
    """Raise ValueError at what was found behind these bytes of a file."""
    line = len(BREAK.findall(before.decode("utf-8", "ignore"))) + 1
    raise ValueError(f"{path}, line {line}: {found}, expected text in UTF-8")
