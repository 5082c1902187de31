"""The judgments of the Cystic Fibrosis collection (Shaw et al. 1991): four judges of a hundred queries."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd

from helpers.judging.judgments import LONG

QUERY_CODES = ["QN", "QU", "NR", "RD"]
JUDGES = ("author", "colleague", "postdoc", "bibliographer")
SEVEN_BITS = bytes(byte & 127 for byte in range(256))  # a line of cf74 has the eighth bit set at the end of its words


def read_judgments(path: str | Path) -> pd.DataFrame:
    """Long frame of the file cfquery at path: grades 0-2 of four JUDGES; ValueError with file, and line where one is.

    A query's documents are those that at least one judge found relevant; the rest of the 1,239 are not in the file. Its
    RD lines hold document and four grades, its NR line says how many there are. The XML copies in circulation run
    query 93 into query 92, which that number gives away.
    """
    rows, promised, query = [], {}, ""
    for line, code, value in fields(Path(path)):
        text = value.strip()
        if code in ("QN", "NR") and not text.isdecimal():
            raise ValueError(f"{path}, line {line}: {f'{code} {text}'!r}, expected {code} and a number")
        if code == "QN":
            query = str(int(text))
        elif code == "NR":
            promised[query] = int(text)
        elif code == "RD":
            parts = enumerate(value.split("\n"), start=line)
            rows += [(query, *judged) for number, part in parts for judged in _judged(path, number, part)]
    if not rows:
        raise ValueError(f"{path}: no judgment, expected lines that begin with {', '.join(QUERY_CODES)}")
    wide = pd.DataFrame(rows, columns=["query", "doc", *JUDGES])
    for query, found in wide.groupby("query").size().reindex(list(promised), fill_value=0).items():
        if found != promised[query]:
            raise ValueError(f"{path}: query {query} has {found} documents, its NR line says {promised[query]}")
    return wide.melt(["query", "doc"], var_name="assessor", value_name="grade")[LONG]


def _judged(path: str | Path, line: int, text: str) -> list[tuple[str, int, int, int, int]]:
    """Document and four grades of each judged document of an RD line."""
    fields = text.split()
    documents, scores = fields[::2], fields[1::2]
    if len(fields) % 2 or not all(
        d.isdecimal() and re.fullmatch("[012]{4}", s) for d, s in zip(documents, scores, strict=False)
    ):
        raise ValueError(
            f"{path}, line {line}: {text.strip()!r}, expected a document number and four grades from 0 to 2"
        )
    return [(document, *map(int, score)) for document, score in zip(documents, scores, strict=True)]


def fields(path: Path) -> list[tuple[int, str, str]]:
    """Line, code and value of every field; a line that begins without a code goes on."""
    text = path.read_bytes().translate(SEVEN_BITS).decode("ascii")
    before, *parts = re.split(r"^([A-Z]{2})(?=\s)", text, flags=re.MULTILINE)
    line, fields = 1 + before.count("\n"), []
    for code, value in zip(parts[::2], parts[1::2], strict=True):
        fields.append((line, code, value))
        line += value.count("\n")
    return fields
