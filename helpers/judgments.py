"""Judgments of several assessors: reading them, and counting where two assessors differ.

A long frame has one row a judgment, with the columns query, doc, assessor (str) and grade (whole numbers from 0).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

LONG = ["query", "doc", "assessor", "grade"]
CROWD_KIT = {"task": "doc", "worker": "assessor", "label": "grade"}
LONG_SUFFIXES = (".csv", ".tsv", ".parquet")
OUTSIDE = ("refuse", "drop")
CYSTIC_FIBROSIS_JUDGES = ("author", "colleague", "postdoc", "bibliographer")


@dataclass(frozen=True, eq=False)
class LabelMatrix:
    """The labels that several judges gave to pairs of a query and a document, one row a pair.

    Attributes
    ----------
    labels : (n_pairs, m) int8 grades, packed to the left; -1 where a pair has fewer than m
    judges : (n_pairs, m) int64 positions in names of those who gave them; -1 where there is no label
    pairs : frame query, doc of the rows
    names : the judges
    """

    labels: np.ndarray
    judges: np.ndarray
    pairs: pd.DataFrame
    names: list[str]


def files(source: str | Path) -> list[Path]:
    """The files that a user names: one path, or several separated by commas.

    >>> [file.name for file in files("expert.qrels, model.qrels")]
    ['expert.qrels', 'model.qrels']
    """
    whole = Path(source).expanduser()
    return [whole] if whole.exists() else [Path(part.strip()).expanduser() for part in str(source).split(",")]


def read(source: str | Path) -> pd.DataFrame:
    """Long frame from what a user has: a long file (`read_long`), or two or more qrels files, separated by commas.

    Raises
    ------
    ValueError
        as `read_long` and `read_qrels`; also when a qrels file stands alone, or two have the same name.
    """
    paths = files(source)
    if len(paths) == 1 and paths[0].suffix in LONG_SUFFIXES:
        return read_long(paths[0])
    by_name = {path.name: path for path in paths}
    if len(by_name) < max(2, len(paths)):
        raise ValueError(
            f"judgments are {source}, expected one file of all assessors ({', '.join(LONG_SUFFIXES)}), or two or more "
            "qrels files of different names, separated by commas"
        )
    return read_assessors(by_name)


def read_qrels(path: str | Path, n_grades: int | None = None, *, outside: str = "refuse") -> pd.DataFrame:
    """Judgments of one assessor in TREC's format: lines of query, iteration (ignored), document, grade.

    Parameters
    ----------
    n_grades : size of the scale, grades 0 to n_grades - 1; None for any whole numbers from 0
    outside : "refuse" a grade outside the scale, or "drop" such judgments

    Returns
    -------
    frame query, doc, grade

    Raises
    ------
    ValueError
        with file and line: not four fields, a grade that is no whole number or outside the scale, a document judged
        twice for a query; with the file: no judgment at all.
    """
    rows, lines = [], []
    with open(path, encoding="utf-8-sig") as file:
        for line, text in enumerate(file, start=1):
            fields = text.split()
            if len(fields) == 4:
                rows.append((fields[0], fields[2], fields[3]))
                lines.append(line)
            elif fields:
                raise ValueError(f"{path}, line {line}: {text.strip()!r}, expected query, iteration, document, grade")
    frame = pd.DataFrame(rows, columns=["query", "doc", "grade"], index=pd.Index(lines, name="line"))
    return _checked(frame, n_grades, outside, path)


def read_assessors(
    paths: Mapping[str, str | Path], n_grades: int | None = None, *, outside: str = "refuse"
) -> pd.DataFrame:
    """Long frame of assessors who have a qrels file each: {name: path}, the rest as in `read_qrels`."""
    frames = {name: read_qrels(path, n_grades, outside=outside) for name, path in paths.items()}
    long = pd.concat(frames, names=["assessor"]).reset_index(level="assessor")
    return long[LONG].reset_index(drop=True)


def read_long(path: str | Path, n_grades: int | None = None, *, outside: str = "refuse") -> pd.DataFrame:
    """Long frame from a CSV, TSV (``.tsv``) or parquet file with columns query, doc, assessor, grade, in any order.

    Crowd-kit's task, worker, label may stand for doc, assessor, grade. Without a column query all documents belong to
    one query, "all". Other columns are left out.

    Raises
    ------
    ValueError
        as `read_qrels`, with the row for parquet; also for a missing column, an empty field, or a line that has more or
        fewer fields than the first.
    """
    path = Path(path)
    if path.suffix == ".parquet":
        frame = pd.read_parquet(path).reset_index(drop=True).rename_axis("row")
    else:
        frame = _read_delimited(path, "\t" if path.suffix == ".tsv" else ",")
    frame = frame.rename(columns={old: new for old, new in CROWD_KIT.items() if new not in frame})
    if "query" not in frame:
        frame = frame.assign(query="all")
    missing = [column for column in LONG if column not in frame]
    if missing:
        raise ValueError(f"{path}: no column {', '.join(missing)}, expected {', '.join(LONG)}")
    return _checked(frame[LONG], n_grades, outside, path)


def read_cystic_fibrosis(path: str | Path) -> pd.DataFrame:
    """Long frame of the Cystic Fibrosis collection's query file, ``cfquery`` (Shaw et al. 1991): 4 judges, grades 0-2.

    A query's documents are those that at least one judge found relevant; the rest of the 1,239 are not in the file. Its
    RD lines hold document and four grades, its NR line says how many there are. The XML copies in circulation run
    query 93 into query 92, which that number gives away.

    Raises
    ------
    ValueError
        with file and line: an RD line that is no list of document and four grades, a QN or NR line without a number;
        with the file: a query whose documents are not as many as its NR line says, no judgment at all.
    """
    rows, promised, query, field = [], {}, "", ""
    with open(path, encoding="ascii") as file:
        for line, text in enumerate(file, start=1):
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


def paired(frame: pd.DataFrame, testing: str | Iterable[str], training: str | Iterable[str]) -> pd.DataFrame:
    """Documents judged by both assessors, the rows of a query together.

    Either may be a group of assessors: then every pair of two judges counts, one from each group.

    Returns
    -------
    frame query, doc, testing, training: the last two are the grades

    Raises
    ------
    ValueError
        when the frame has no such assessor, or no document was judged by both.

    Examples
    --------
    >>> frame = pd.DataFrame([("q", "a", "Ann", 2), ("q", "a", "Bob", 1), ("q", "b", "Bob", 0)], columns=LONG)
    >>> paired(frame, "Ann", "Bob")
      query doc  testing  training
    0     q   a        2         1
    """
    first, second = _judged_by(frame, "testing", testing), _judged_by(frame, "training", training)
    both = first.merge(second, on=["query", "doc"], suffixes=("_1", "_2"))
    both = both[both["assessor_1"] != both["assessor_2"]].sort_values("query", kind="stable", ignore_index=True)
    if both.empty:
        raise ValueError(
            f"{testing} has {len(first)} judgments and {training} {len(second)}, none of the same query and document: "
            "expected an overlap"
        )
    return both.rename(columns={"grade_1": "testing", "grade_2": "training"})[["query", "doc", "testing", "training"]]


def confusion_counts(
    frame: pd.DataFrame, testing: str | Iterable[str], training: str | Iterable[str], n_grades: int
) -> np.ndarray:
    """(n_grades, n_grades) documents by testing grade (row) and training grade (column); errors as in `paired`.

    >>> frame = pd.DataFrame([("q", "a", "Ann", 2), ("q", "a", "Bob", 1), ("q", "b", "Bob", 0)], columns=LONG)
    >>> confusion_counts(frame, "Ann", "Bob", 3)
    array([[0, 0, 0],
           [0, 0, 0],
           [0, 1, 0]])
    """
    return query_confusion_counts(paired(frame, testing, training), n_grades).sum(axis=0)


def query_confusion_counts(pairs: pd.DataFrame, n_grades: int) -> np.ndarray:
    """(n_queries, n_grades, n_grades) confusion counts of every query, from the frame that `paired` returns.

    Queries are in the order of the frame. Summed over the last axis this is every query's profile of testing grades;
    ``counts.sum(axis=0) - counts`` counts all queries but one.

    >>> pairs = pd.DataFrame({"query": ["q", "q", "r"], "testing": [0, 1, 1], "training": [0, 0, 1]})
    >>> counts = query_confusion_counts(pairs, 2)
    >>> (counts.sum(axis=0) - counts)[0]
    array([[0, 0],
           [0, 1]])
    """
    grades = pairs[["testing", "training"]].to_numpy()
    if grades.max() >= n_grades:
        raise ValueError(f"n_grades is {n_grades}, but a document has grade {grades.max()}")
    query, queries = pd.factorize(pairs["query"])
    cells = np.ravel_multi_index((query, *grades.T), (len(queries), n_grades, n_grades))
    return np.bincount(cells, minlength=len(queries) * n_grades**2).reshape(-1, n_grades, n_grades)


def label_matrix(frame: pd.DataFrame) -> LabelMatrix:
    """All labels of a long frame by pair of query and document; pairs, judges and a pair's labels in its order.

    Raises
    ------
    ValueError
        when the frame is empty, or a grade is not from 0 to 127.

    Examples
    --------
    >>> rows = [("q", "a", "Ann", 2), ("q", "b", "Ann", 0), ("q", "a", "Bob", 1)]
    >>> matrix = label_matrix(pd.DataFrame(rows, columns=LONG))
    >>> matrix.labels
    array([[ 2,  1],
           [ 0, -1]], dtype=int8)
    >>> matrix.judges
    array([[ 0,  1],
           [ 0, -1]])
    """
    if frame.empty:
        raise ValueError("frame has no judgment, expected at least one")
    grades = frame["grade"].to_numpy()
    if grades.min() < 0 or grades.max() > np.iinfo(np.int8).max:
        raise ValueError(f"frame has grades from {grades.min()} to {grades.max()}, expected 0 to 127")
    by_pair = frame.groupby(["query", "doc"], sort=False)
    cells = by_pair.ngroup().to_numpy(), by_pair.cumcount().to_numpy()
    judge, names = pd.factorize(frame["assessor"])
    shape = tuple(int(axis.max()) + 1 for axis in cells)
    labels, judges = np.full(shape, -1, dtype=np.int8), np.full(shape, -1, dtype=np.int64)
    labels[cells], judges[cells] = grades, judge
    pairs = frame[["query", "doc"]].drop_duplicates(ignore_index=True)
    return LabelMatrix(labels, judges, pairs, list(names))


def _judged_by(frame: pd.DataFrame, argument: str, assessors: str | Iterable[str]) -> pd.DataFrame:
    names = [assessors] if isinstance(assessors, str) else list(assessors)
    known = frame["assessor"].unique()
    for name in names:
        if name not in known:
            raise ValueError(f"{argument} is {name!r}, expected one of the frame's assessors: {', '.join(known)}")
    return frame.loc[frame["assessor"].isin(names), LONG]


def _checked(frame: pd.DataFrame, n_grades: int | None, outside: str, path: str | Path) -> pd.DataFrame:
    """The frame with names as str and grades as int64, or ValueError; its index says where in the file a row stands."""
    if outside not in OUTSIDE:
        raise ValueError(f"outside is {outside!r}, expected one of {', '.join(OUTSIDE)}")
    if frame.empty:
        raise ValueError(f"{path}: no judgment, expected at least one")
    names = [column for column in LONG[:3] if column in frame]
    grades = pd.to_numeric(frame["grade"], errors="coerce").astype(float)
    whole = np.isfinite(grades) & (grades == np.floor(grades))
    inside = (grades >= 0) & (grades < (n_grades or np.inf))
    scale = f"from 0 to {n_grades - 1}" if n_grades else "from 0 up"

    def refuse(wrong: pd.Series, say: Callable[[pd.Series], str]) -> None:
        if wrong.any():
            place = wrong.idxmax()
            raise ValueError(f"{path}, {frame.index.name} {place}: {say(frame.loc[place])}")

    refuse((frame.isna() | (frame == "")).any(axis=1), lambda row: f"an empty field in {row.tolist()}")
    refuse(
        ~whole | (~inside & (outside == "refuse")),
        lambda row: f"grade {row['grade']}, expected a whole number {scale}",
    )
    refuse(
        frame.duplicated(names),
        lambda row: f"a second judgment of {', '.join(f'{name} {row[name]}' for name in names)}, expected one",
    )
    kept = frame[names].astype(str).assign(grade=grades)[inside]
    return kept.astype({"grade": np.int64}).reset_index(drop=True)


def _read_delimited(path: Path, delimiter: str) -> pd.DataFrame:
    """All fields as str under the names of the first line, indexed by the line that a row ends in; no blank lines."""
    rows, lines = [], []
    with open(path, newline="", encoding="utf-8-sig") as file:
        reader = csv.reader(file, delimiter=delimiter)
        for fields in reader:
            if fields:
                rows.append(fields)
                lines.append(reader.line_num)
            if fields and len(fields) != len(rows[0]):
                raise ValueError(
                    f"{path}, line {reader.line_num}: {len(fields)} fields, expected {len(rows[0])} as in line 1"
                )
    if not rows or len(set(rows[0])) < len(rows[0]):
        found = f"{', '.join(rows[0])} in line 1" if rows else "empty"
        raise ValueError(f"{path}: {found}, expected columns {', '.join(LONG)}, each once")
    return pd.DataFrame(rows[1:], columns=rows[0], index=pd.Index(lines[1:], name="line"))


def _cystic_fibrosis_documents(path: str | Path, line: int, text: str) -> list[tuple[str, int, int, int, int]]:
    """Document and four grades of each judged document of an RD line."""
    fields = text.split()
    documents, scores = fields[::2], fields[1::2]
    if len(fields) % 2 or not all(
        d.isdecimal() and re.fullmatch("[012]{4}", s) for d, s in zip(documents, scores, strict=False)
    ):
        raise ValueError(f"{path}, line {line}: {text!r}, expected a document number and four grades from 0 to 2")
    return [(document, *map(int, score)) for document, score in zip(documents, scores, strict=True)]
