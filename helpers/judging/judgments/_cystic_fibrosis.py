"""The query file of the Cystic Fibrosis collection."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd

from helpers import texts
from helpers.judging.judgments._frames import LONG

CYSTIC_FIBROSIS_JUDGES = ("author", "colleague", "postdoc", "bibliographer")


def read_cystic_fibrosis(path: str | Path) -> pd.DataFrame:
    """Long frame of the Cystic Fibrosis collection's query file (Shaw et al. 1991): 4 judges, grades 0-2.

    A query's documents are those that at least one judge found relevant; the rest of the 1,239 are not in the file. Its
    RD lines hold document and four grades, its NR line says how many there are. The XML copies in circulation run
    query 93 into query 92, which that number gives away.

    Parameters
    ----------
    path : the file ``cfquery``

    Raises
    ------
    ValueError
        with file and line: an RD line that is no list of document and four grades, a QN or NR line without a number;
        with the file: a query whose documents are not as many as its NR line says, no judgment at all.
    """
    rows, promised, query, field = [], {}, "", ""
    for line, text in enumerate(texts.BREAK.split(texts.read(path)), start=1):
        field, value = text[:2].strip() or field, text[2:].strip()
        if field in ("QN", "NR") and value and not value.isdecimal():
            raise ValueError(f"{path}, line {line}: {text.strip()!r}, expected {field} and a number")
        if field == "QN" and value:
            query = str(int(value))
        elif field == "NR" and value:
            promised[query] = int(value)
        elif field == "RD":
            rows += [(query, *judged) for judged in _cystic_fibrosis_documents(path, line, value)]
    if not rows:
        raise ValueError(f"{path}: no judgment, expected lines that begin with QN, QU, NR, RD")
    wide = pd.DataFrame(rows, columns=["query", "doc", *CYSTIC_FIBROSIS_JUDGES])
    for query, found in wide.groupby("query").size().reindex(list(promised), fill_value=0).items():
        if found != promised[query]:
            raise ValueError(f"{path}: query {query} has {found} documents, its NR line says {promised[query]}")
    return wide.melt(["query", "doc"], var_name="assessor", value_name="grade")[LONG]


def _cystic_fibrosis_documents(path: str | Path, line: int, text: str) -> list[tuple[str, int, int, int, int]]:
    """Document and four grades of each judged document of an RD line."""
    fields = text.split()
    documents, scores = fields[::2], fields[1::2]
    if len(fields) % 2 or not all(
        d.isdecimal() and re.fullmatch("[012]{4}", s) for d, s in zip(documents, scores, strict=False)
    ):
        raise ValueError(f"{path}, line {line}: {text!r}, expected a document number and four grades from 0 to 2")
    return [(document, *map(int, score)) for document, score in zip(documents, scores, strict=True)]
