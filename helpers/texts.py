"""Text files as people have them: packed or not, checked to be UTF-8, and tables of fields in them."""

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


def rows(path: str | Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Number of the first line, and fields, of each row of a delimited file; blank lines are skipped."""
    reader = csv.reader(io.StringIO(read(path), newline=""), delimiter=delimiter, strict=True)
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
    pairs = pd.DataFrame({"id": np.asarray(ids, dtype=object), "source": np.asarray(sources)}).drop_duplicates()
    unique = pairs["id"].unique()
    keys = pd.Series(folded(pa.array(unique, pa.string())).to_numpy(zero_copy_only=False), index=unique)
    few = pairs[pairs["id"].isin(keys.index[keys.duplicated(keep=False)])]
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
