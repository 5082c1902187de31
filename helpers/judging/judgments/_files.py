"""Files of judgments: TREC's qrels, and long tables in CSV, TSV or parquet."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from helpers import texts
from helpers.judging.judgments import _parquet
from helpers.judging.judgments._frames import ALIASES, LONG, checked

LONG_SUFFIXES = (".csv", ".tsv", ".parquet")


def read(source: str | Path, *, repeats: str = "refuse") -> pd.DataFrame:
    """Long frame from what a user has: a long file (`read_long`), or two or more qrels files, separated by commas.

    Text may be packed by gzip, bzip2 or xz. `summary` says what was read.

    Parameters
    ----------
    source : the file, or files
    repeats : "refuse" a second judgment of a document by the same assessor for the same query, or keep the "first"

    Raises
    ------
    ValueError
        as `read_long` and `read_qrels`; also when a qrels file stands alone, or two have the same name.
    OSError
        when a file cannot be read.
    """
    paths = texts.named(source)
    if len(paths) == 1 and texts.suffix(paths[0]) in LONG_SUFFIXES:
        return read_long(paths[0], repeats=repeats)
    by_name = {path.name: path for path in paths}
    if len(by_name) < max(2, len(paths)):
        raise ValueError(
            f"judgments are {source}, expected one file of all assessors ({', '.join(LONG_SUFFIXES)}), or two or more "
            "qrels files of different names, separated by commas"
        )
    return read_assessors(by_name, repeats=repeats)


def read_qrels(
    path: str | Path, n_grades: int | None = None, *, outside: str = "refuse", repeats: str = "refuse"
) -> pd.DataFrame:
    """Judgments of one assessor in TREC's format: lines of query, iteration (ignored), document, grade.

    Parameters
    ----------
    path : text as `texts.read` takes it, with blanks or tabs between fields
    n_grades, outside, repeats : as `checked` takes them

    Returns
    -------
    frame query, doc, grade

    Raises
    ------
    ValueError
        as `texts.read` and `checked`; also with file and line: not four fields, or a comment.
    """
    rows, lines = [], []
    for line, text in enumerate(texts.BREAK.split(texts.read(path)), start=1):
        fields = text.encode().split()  # at the blanks of ASCII only, as others read these files
        if fields and (len(fields) != 4 or fields[0] == b"#"):
            raise ValueError(
                f"{path}, line {line}: {text.strip()!r:.80}, expected query, iteration, document, grade, and no comment"
            )
        if fields:
            rows.append((fields[0].decode(), fields[2].decode(), fields[3].decode()))
            lines.append(line)
    frame = pd.DataFrame(rows, columns=["query", "doc", "grade"], dtype=object)
    return checked(frame, path, lines, n_grades=n_grades, outside=outside, repeats=repeats)


def read_assessors(
    paths: Mapping[str, str | Path],
    n_grades: int | None = None,
    *,
    outside: str = "refuse",
    repeats: str = "refuse",
) -> pd.DataFrame:
    """Long frame of assessors who have a qrels file each.

    Parameters
    ----------
    paths : name of an assessor -> file
    n_grades, outside, repeats : as in `read_qrels`, errors too
    """
    frames = {
        name: read_qrels(path, n_grades, outside=outside, repeats=repeats).assign(assessor=name)
        for name, path in paths.items()
    }
    return pd.concat(frames.values(), ignore_index=True)[LONG]


def read_long(
    path: str | Path, n_grades: int | None = None, *, outside: str = "refuse", repeats: str = "refuse"
) -> pd.DataFrame:
    """Long frame from a CSV, TSV (``.tsv``) or parquet file with columns query, doc, assessor, grade, in any order.

    Crowd-kit's task, worker, label may stand for doc, assessor, grade, and where these three are all the columns, as
    crowd-kit has them, its documents belong to one query, "all". Other columns are left out. The index of a parquet
    file is a column as any other.

    Parameters
    ----------
    path : file
    n_grades, outside, repeats : as `checked` takes them

    Raises
    ------
    ValueError
        as `texts.table` and `checked`, with the row for parquet; also for a missing column, or a parquet file that is
        damaged or whose columns are neither text nor numbers.
    """
    path = Path(path)
    if path.suffix == ".parquet":
        frame, lines = _parquet.read(path), None
    else:
        frame = texts.table(path, "\t" if texts.suffix(path) == ".tsv" else ",", LONG)
        lines = frame.index
    if set(frame) == set(ALIASES):
        frame = frame.assign(query="all")
    frame = frame.rename(columns={old: new for old, new in ALIASES.items() if new not in frame})
    texts.check_columns(path, list(frame), LONG)
    return checked(frame[LONG], path, lines, n_grades=n_grades, outside=outside, repeats=repeats)
