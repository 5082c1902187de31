"""Damaged files of judgments: what is read is what an independent reader reads, all else is one line that says where.

Under LABEL_STUDIES_TESTS=all 10,000 files of each kind.
"""

import bz2
import collections
import gzip
import io
import lzma
import os
import re
import zlib

import numpy as np
import pandas as pd
import pytest
from pyarrow import parquet

from helpers.judging import judgments

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
N_TEXTS, N_PARQUETS = (10_000, 10_000) if LARGE else (300, 60)
PACKERS = (gzip, bz2, lzma)
PIECES = [
    b'"',
    b",",
    b"\t",
    b" ",
    b"\r",
    b"\n",
    b"\r\n",
    b"\0",
    b"\xff",
    b"\xc3\xa9",
    b"\xef\xbb\xbf",
    b"#",
    b"1",
    b"-",
]
GRADES = ["", " ", "128", "127", "-1", "1.0", "1.5", "1e300", "1e1", "nan", "inf", "0x1", "9" * 40, str(2**63), "good"]
NO_LINE = re.compile(r": (no judgment|empty|no column|the text is in UTF|packed by \w+ and damaged)")


def damaged(rows, delimiter, rng):
    """Bytes of rows of fields, changed in one to three ways."""
    rows = [list(row) for row in rows]
    for _ in range(rng.integers(3)):
        at = int(rng.integers(len(rows)))
        row = rows[at]
        match rng.integers(6):
            case 0:
                row[-1:] = [str(rng.choice(GRADES))]
            case 1:
                rows.insert(int(rng.integers(len(rows))), list(row))
            case 2:
                row.pop(int(rng.integers(len(row)))) if row else None
            case 3:
                row.insert(int(rng.integers(len(row) + 1)), str(rng.choice(["", "x", "# no"])))
            case 4:
                row[:] = [f'"{field}"' for field in row]
            case 5:
                rows[at] = []
    data = str(rng.choice(["\n", "\r\n"])).join(delimiter.join(row) for row in rows).encode()
    for _ in range(rng.integers(3)):
        at, length = int(rng.integers(len(data) + 1)), int(rng.integers(2))
        piece = PIECES[rng.integers(len(PIECES))] if rng.random() < 0.7 else bytes([rng.integers(256)])
        data = data[:at] + piece + data[at + length :]
    match rng.integers(12):
        case 0:
            data = b"\xef\xbb\xbf" + data
        case 1:
            data = data.decode("utf-8", "ignore").encode("utf-16")
        case 2:
            data = data[: rng.integers(len(data) + 1)]
        case 3 | 4:
            data = PACKERS[rng.integers(3)].compress(data)
            if rng.random() < 0.5:
                at = int(rng.integers(len(data)))
                data = data[:at] + bytes([data[at] ^ (1 << int(rng.integers(8)))]) + data[at + 1 :]
    return data


def text_of(data):
    """The text, or None where it is none: by the tools of the standard library that read files."""
    for packer, start in ((gzip, b"\x1f\x8b"), (bz2, b"BZh"), (lzma, b"\xfd7zXZ\0")):
        if data.startswith(start):
            try:
                data = packer.open(io.BytesIO(data)).read()
            except (OSError, EOFError, lzma.LZMAError, zlib.error, ValueError):
                return None
            break
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    text = text[1:] if text.startswith("\ufeff") else text
    return None if "\0" in text or "\ufeff" in text else text


def judged(rows):
    """The rows with grades as numbers, or None where one is no judgment or comes twice."""
    found = {}
    for *names, grade in rows:
        whole = re.fullmatch(r"[+-]?[0-9]+(\.0*)?", grade.strip(" \t"))
        if not whole or not 0 <= float(grade) <= 127 or tuple(names) in found:
            return None
        if any(not name.strip() or "\n" in name or "\r" in name for name in names):
            return None
        found[tuple(names)] = int(float(grade))
    return [[*names, grade] for names, grade in found.items()] or None


def qrels_by_hand(data):
    text = text_of(data)
    if text is None:
        return None
    lines = [
        re.split("[ \t\f\v]+", line.strip(" \t\f\v"))
        for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    ]
    lines = [fields for fields in lines if fields != [""]]
    if any(len(fields) != 4 or fields[0] == "#" for fields in lines):
        return None
    return judged([(fields[0], fields[2], fields[3]) for fields in lines])


def fields_by_hand(text):
    """Rows of a delimited text, read a character at a time, or None."""
    rows, row, field, state = [], [], "", "start"
    for character in text.replace("\r\n", "\n").replace("\r", "\n") + "\n":
        if state == "quoted":
            field, state = (field, "closed") if character == '"' else (field + character, state)
        elif state == "closed" and character == '"':
            field, state = field + character, "quoted"
        elif character in ",\n":
            row, field, state = [*row, field], "", "start"
            if character == "\n":
                rows, row = [*rows, row] if row != [""] or "" in rows else rows, []
        elif state == "closed":
            return None
        elif state == "start" and character == '"':
            state = "quoted"
        else:
            field, state = field + character, "plain"
    return rows if state == "start" and not row else None


def csv_by_hand(data):
    text = text_of(data)
    rows = None if text is None else fields_by_hand(text)
    if not rows or any(len(row) != len(rows[0]) for row in rows) or len(set(rows[0])) < len(rows[0]):
        return None
    if set(rows[0]) < set(judgments.LONG) or not set(judgments.LONG) <= set(rows[0]):
        return None
    order = [rows[0].index(name) for name in judgments.LONG]
    return judged([[row[i] for i in order] for row in rows[1:]])


def outcome(path, read):
    """The rows that were read, or None where the file was refused as it should be."""
    try:
        return read(path).to_numpy().tolist()
    except ValueError as error:
        said = str(error)
    assert said.startswith(str(path)), said
    assert "\n" not in said
    assert "expected" in said
    assert re.match(r", line \d+: ", said[len(str(path)) :]) or NO_LINE.match(said[len(str(path)) :]), said
    return None


def fuzzed(tmp_path, name, rows, delimiter, read, by_hand):
    rng, counts = np.random.default_rng(2011), collections.Counter()
    path = tmp_path / name
    for i in range(N_TEXTS):
        data = damaged(rows, delimiter, rng)
        path.write_bytes(data)
        expected = by_hand(data)
        assert outcome(path, read) == expected, (i, data)
        counts["refused" if expected is None else "read"] += 1
    print(name, dict(counts))
    assert min(counts["read"], counts["refused"]) > N_TEXTS / 10


QRELS = [(f"q{i // 3}", "0", f"dé{i % 3}", str(i % 4)) for i in range(9)]
LONG_ROWS = [("query", "doc", "assessor", "grade")]
LONG_ROWS += [(f"q{i // 6}", f"dé{i // 2 % 3}", "AB"[i % 2], str(i % 4)) for i in range(12)]


def test_damaged_qrels_are_read_as_by_hand_or_refused_with_their_line(tmp_path):
    fuzzed(tmp_path, "judged.qrels", QRELS, " ", judgments.read_qrels, qrels_by_hand)


def test_damaged_csv_is_read_as_by_hand_or_refused_with_its_line(tmp_path):
    fuzzed(tmp_path, "judged.csv", LONG_ROWS, ",", judgments.read_long, csv_by_hand)


def parquet_bytes(rng, **options):
    """A parquet file of judgments written in one of many ways."""
    frame = pd.DataFrame(LONG_ROWS[1:], columns=judgments.LONG).sample(frac=1, random_state=int(rng.integers(2**31)))
    kinds = {"grade": str(rng.choice(["int8", "int64", "uint64", "float64", "str", "category"]))}
    kinds |= {"assessor": str(rng.choice(["str", "object", "category"]))}
    frame = frame.astype({"grade": int}).astype(kinds)
    index = [[], ["query"], ["query", "doc"], ["assessor", "grade"]][rng.integers(4)]
    written = frame.set_index(index) if index else frame
    file = io.BytesIO()
    options |= {"compression": str(rng.choice(["none", "snappy", "zstd"])), "use_dictionary": bool(rng.integers(2))}
    options |= {"row_group_size": int(rng.integers(1, 20)), "data_page_version": str(rng.choice(["1.0", "2.0"]))}
    written.to_parquet(file, **options)
    return file.getvalue(), frame.astype({"grade": str}).astype({"grade": float}).to_numpy().tolist()


def refused_parquet(path, error):
    said = str(error)
    assert said.startswith(f"{path}"), said
    assert "\n" not in said
    assert "expected" in said


def test_parquet_written_in_any_way_is_read_as_it_was_made(tmp_path):
    rng, path = np.random.default_rng(2012), tmp_path / "judged.parquet"
    for _ in range(N_PARQUETS):
        data, expected = parquet_bytes(rng)
        path.write_bytes(data)
        assert judgments.read_long(path).to_numpy().tolist() == expected


@pytest.mark.parametrize("checksums", [True, False])
def test_damaged_parquet_is_read_as_it_was_made_or_refused_with_its_name(tmp_path, checksums):
    """Without checksums a flipped bit in a page can make another whole file, which pyarrow reads as we do."""
    rng, path, counts = np.random.default_rng(2013), tmp_path / "judged.parquet", collections.Counter()
    whole = [parquet_bytes(rng, write_page_checksum=checksums) for _ in range(N_PARQUETS // 20)]
    for i in range(N_PARQUETS):
        data, made = whole[i % len(whole)]
        at = int(rng.integers(len(data)))
        match rng.integers(4):
            case 0:
                data = data[:at]
            case 1:
                data = data[:at] + bytes([rng.integers(256)]) + data[at + 1 :]
            case _:
                data = data[:at] + bytes([data[at] ^ (1 << int(rng.integers(8)))]) + data[at + 1 :]
        path.write_bytes(data)
        try:
            read = judgments.read_long(path).to_numpy().tolist()
        except ValueError as error:
            refused_parquet(path, error)
            counts["refused"] += 1
            continue
        counts["as made" if read == made else "another whole file"] += 1
        if read != made:
            assert not checksums, (i, at)
            table = parquet.ParquetFile(io.BytesIO(data)).read().to_pandas(ignore_metadata=True)[judgments.LONG]
            assert read == table.astype(str).astype({"grade": float}).to_numpy().tolist(), i
    print("checksums" if checksums else "no checksums", dict(counts))
    assert counts["refused"] > N_PARQUETS / 10
