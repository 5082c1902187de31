"""Judgments of several assessors: a long frame, the same as arrays, who are machines, and where two assessors differ.

A long frame has one row a judgment, with the columns query, doc, assessor (str) and grade (whole numbers from 0 to 127,
as in a `Collection`). A row whose grade is missing is no judgment: all that take such a frame leave it out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from helpers import checks, texts
from helpers.datasets.collection import offsets_of

LONG = ["query", "doc", "assessor", "grade"]
HIGHEST = np.iinfo(np.int8).max
MODEL = "model: "
"""How the names of assessors begin who are machines."""

LIKE_MODELS = re.compile(
    "(?<![a-z])(chatgpt|claude|deepseek|gemini|gemma|gpt|llama|llm|mistral|mixtral|openai|prompt|qwen|umbrela)(?![a-z])"
)
"""A word in the name of a judge that is likely a language model."""

NOBODY = "none"
"""Said of machines where no judge is one."""

NUMBERED = "judge "
"""How people are called in a report, with a number."""


def is_model(assessor: str) -> bool:
    """Whether an assessor is a machine, by the name."""
    return assessor.startswith(MODEL)


def are_models(assessors: pd.Series) -> pd.Series:
    """(n,) bool, which assessors are machines."""
    return assessors.astype("str").str.startswith(MODEL)


def pattern_of(assessor: str) -> str:
    """What names an assessor where a list of names is typed: a ? for signs that have a meaning there."""
    return re.sub("[,;=]", "?", assessor)


def read(
    path: str | Path,
    format: str | None = None,
    *,
    columns: str | Mapping[str, str] | None = None,
    grades: str | Mapping[str, int | str] | None = None,
    repeats: str = "refuse",
    machines: str | Sequence[str] = (),
) -> pd.DataFrame:
    """Judgments of people and models from a tool's export, or several of one format: a long frame, and who is a model.

    Parameters
    ----------
    path, format, columns, grades, repeats, machines : as `formats.read` takes them, which also says what was left out

    Returns
    -------
    frame query, doc, assessor, grade, machine

    Raises
    ------
    OSError, ValueError
        as `formats.read`.

    Examples
    --------
    >>> from helpers import paths
    >>> read(paths.project("data") / "judgments_example.csv").head(2)
         query      doc  assessor  grade  machine
    0  query 1  doc 1-1  person 3      1    False
    1  query 1  doc 1-2  person 3      1    False
    """
    from helpers.judging import formats  # which has this module beneath it

    reading = formats.read(path, format, columns=columns, grades=grades, repeats=repeats, machines=machines)
    frame = reading.everyone
    return frame[LONG].assign(machine=are_models(frame["assessor"]))


def without_missing(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows with a grade, int64 where all are whole; ValueError where one has no query, document or assessor."""
    given = frame["grade"].notna()
    kept = frame if given.all() else frame[given]
    for name in (name for name in LONG[:-1] if name in kept):
        if (missing := kept[name].isna()).any():
            raise ValueError(f"frame: row {kept.index[missing.argmax()]} has no {name}, expected one for each grade")
    if kept["grade"].dtype == np.int64:
        return kept
    grades = pd.to_numeric(kept["grade"], errors="coerce").to_numpy(np.float64, na_value=np.nan)
    if not (finite := np.isfinite(grades)).all():
        row = int(np.argmin(finite))
        raise ValueError(f"frame: row {kept.index[row]} has grade {kept['grade'].iloc[row]}, expected a number")
    return kept.assign(grade=grades.astype(np.int64) if (grades == np.floor(grades)).all() else grades)


@dataclass(frozen=True, eq=False)
class Coded:
    """Judgments, one a pair of query and document and judge, and what their positions stand for.

    Attributes
    ----------
    pair, judge, grade : (n,) of every judgment: position in pairs, position in judges, grade
    pairs : frame query, doc; the pairs of a query stand together
    offsets : (n_queries + 1,) query q owns pairs offsets[q]:offsets[q + 1]
    queries, judges : names
    values : (n_grades,) the grades that occur, rising
    """

    pair: np.ndarray
    judge: np.ndarray
    grade: np.ndarray
    pairs: pd.DataFrame
    offsets: np.ndarray
    queries: np.ndarray
    judges: np.ndarray
    values: np.ndarray

    @cached_property
    def people(self) -> np.ndarray:
        """(n_judges,) bool, whether a judge is no model."""
        return np.array([not is_model(name) for name in self.judges])

    @cached_property
    def of_query(self) -> np.ndarray:
        """(n_pairs,) position of every pair's query."""
        return np.repeat(np.arange(len(self.queries)), np.diff(self.offsets))

    @cached_property
    def level(self) -> np.ndarray:
        """(n,) position of every judgment's grade in values."""
        return np.searchsorted(self.values, self.grade)

    @cached_property
    def votes(self) -> np.ndarray:
        """(n_pairs, n_grades) how often each grade was given to a pair."""
        return self.votes_of(np.arange(len(self.pair)))

    @cached_property
    def votes_of_people(self) -> np.ndarray:
        """(n_pairs, n_grades) how often people gave each grade to a pair."""
        return self.votes_of(self.people[self.judge])

    @cached_property
    def means(self) -> np.ndarray:
        """(n_pairs,) mean grade of every pair."""
        return self.votes @ self.values / self.votes.sum(axis=1)

    def votes_of(self, which: np.ndarray) -> np.ndarray:
        """(n_pairs, n_grades) how often each grade was given to a pair by these judgments, a mask or positions."""
        shape = len(self.pairs), len(self.values)
        return np.bincount(self.pair[which] * shape[1] + self.level[which], minlength=np.prod(shape)).reshape(shape)

    @cached_property
    def by_judge(self) -> csr_array:
        """(n_judges, n_pairs) 1 + the grade that a judge gave to a pair; what is not stored was not judged."""
        cells = self.judge, self.pair
        return csr_array((self.grade + 1, cells), shape=(len(self.judges), len(self.pairs)))

    @cached_property
    def labels(self) -> tuple[np.ndarray, np.ndarray]:
        """(n_pairs, m) int8 grades of each pair, and positions of the judges who gave them, as `packed` has them."""
        if self.values[0] < 0 or self.values[-1] > HIGHEST or self.values.dtype.kind == "f":
            found = f"grades from {self.values[0]} to {self.values[-1]}"
            raise ValueError(f"frame has {found}, expected whole numbers from 0 to {HIGHEST}")
        grades, judges = packed(self.pair, self.grade, self.judge)
        return grades.astype(np.int8), judges


def coded(frame: pd.DataFrame) -> Coded:
    """The judgments of a long frame as arrays; queries in the order of the frame, judges in that of their first.

    What asks many things of one file takes these arrays in place of the frame, so that it is coded once.

    Parameters
    ----------
    frame : query, doc, assessor, grade; an assessor judges a pair once, and a missing grade is no judgment

    Raises
    ------
    ValueError
        when the frame is empty, a judgment has no query, document, assessor or number as its grade, or an assessor
        judges a pair twice.

    Examples
    --------
    >>> rows = [("q", "a", "Ann", 2), ("r", "a", "Ann", 0), ("q", "b", "Bob", 1), ("q", "a", "Bob", 2)]
    >>> judged = coded(pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"]))
    >>> judged.pair, judged.judge, judged.offsets, judged.votes.tolist()
    (array([0, 2, 1, 0]), array([0, 0, 1, 1]), array([0, 2, 3]), [[0, 0, 2], [0, 1, 0], [1, 0, 0]])
    >>> grades, judges = judged.labels
    >>> grades.tolist(), judges.tolist()
    ([[2, 2], [1, -1], [0, -1]], [[0, 1], [1, -1], [0, -1]])
    """
    frame = without_missing(frame)
    if frame.empty:
        raise ValueError("frame has no judgment, expected at least one")
    query, queries = pd.factorize(frame["query"])
    doc, docs = pd.factorize(frame["doc"])
    judge, judges = pd.factorize(frame["assessor"])
    keys, first, pair = np.unique(query * len(docs) + doc, return_index=True, return_inverse=True)
    if not pd.Index(pair * len(judges) + judge).is_unique:
        raise ValueError("frame: an assessor judges a pair of query and document twice, expected once")
    offsets = offsets_of(np.bincount(keys // len(docs)))
    pairs = frame[["query", "doc"]].iloc[first].reset_index(drop=True)
    grade = frame["grade"].to_numpy()
    return Coded(pair, judge, grade, pairs, offsets, np.asarray(queries), np.asarray(judges), np.unique(grade))


def as_coded(judged: pd.DataFrame | Coded) -> Coded:
    """Judgments that are coded already, or a long frame of them coded."""
    return judged if isinstance(judged, Coded) else coded(judged)


def packed(pair: np.ndarray, *values: np.ndarray) -> list[np.ndarray]:
    """(n_pairs, m) values of the judgments of each pair, in their order and to the left, -1 where there are fewer."""
    order = np.argsort(pair, kind="stable")
    rows = pair[order]
    columns = np.arange(len(rows)) - np.searchsorted(rows, rows)
    matrices = []
    for value in values:
        matrix = np.full((rows[-1] + 1, columns.max() + 1), -1, dtype=value.dtype)
        matrix[rows, columns] = value[order]
        matrices.append(matrix)
    return matrices


def paired(frame: pd.DataFrame, testing: str | Iterable[str], training: str | Iterable[str]) -> pd.DataFrame:
    """Frame query, doc, testing, training: grades of documents judged by both, the rows of a query together.

    Either may be a group of assessors: then every pair of two judges counts, one from each group.
    """
    frame = without_missing(frame)
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
    """(n_grades, n_grades) documents that two assessors judged, by testing grade (row) and training grade (column).

    Parameters
    ----------
    frame : long frame of judgments
    testing, training : names of assessors, or groups of them: then every pair of two judges counts, one from each
    n_grades : size of the scale

    Raises
    ------
    ValueError
        when the frame has no such assessor, no document was judged by both, or a grade is not below n_grades.

    Examples
    --------
    >>> frame = pd.DataFrame([("q", "a", "Ann", 2), ("q", "a", "Bob", 1), ("q", "b", "Bob", 0)], columns=LONG)
    >>> confusion_counts(frame, "Ann", "Bob", 3)
    array([[0, 0, 0],
           [0, 0, 0],
           [0, 1, 0]])
    """
    return query_confusion_counts(paired(frame, testing, training), n_grades).sum(axis=0)


def query_confusion_counts(pairs: pd.DataFrame, n_grades: int) -> np.ndarray:
    """(n_queries, n_grades, n_grades) confusion counts of every query, in the order of pairs, a frame of `paired`.

    Summed over the last axis this is every query's profile of testing grades; ``counts.sum(axis=0) - counts`` counts
    all queries but one. ValueError when a grade is missing, no whole number, or not below n_grades.

    Examples
    --------
    >>> pairs = pd.DataFrame({"query": ["q", "q", "r"], "testing": [0, 1, 1], "training": [0, 0, 1]})
    >>> counts = query_confusion_counts(pairs, 2)
    >>> (counts.sum(axis=0) - counts)[0]
    array([[0, 0],
           [0, 1]])
    """
    given = pairs[["testing", "training"]].to_numpy(np.float64, na_value=np.nan)
    if (given != np.floor(given)).any():
        raise ValueError("pairs: a grade is missing or no whole number, expected those of documents that both judged")
    grades = given.astype(np.int64)
    if grades.max() >= n_grades:
        raise ValueError(f"n_grades is {n_grades}, but a document has grade {grades.max()}")
    query, queries = pd.factorize(pairs["query"])
    cells = np.ravel_multi_index((query, *grades.T), (len(queries), n_grades, n_grades))
    return np.bincount(cells, minlength=len(queries) * n_grades**2).reshape(-1, n_grades, n_grades)


def _judged_by(frame: pd.DataFrame, argument: str, assessors: str | Iterable[str]) -> pd.DataFrame:
    names = [assessors] if isinstance(assessors, str) else list(assessors)
    known = frame["assessor"].unique()
    for name in names:
        checks.one_of(argument, name, known)
    return frame.loc[frame["assessor"].isin(names), LONG]


def named(said: str, names: Iterable[str]) -> list[str]:
    """The names that a name or pattern (`gpt*`) means, with or without the mark of a model; if none is it, in any case.

    >>> named("GPT*", ["model: gpt-4", "gpt-5", "Ann"]), named("gpt", ["GPT", "gpt"])
    (['model: gpt-4', 'gpt-5'], ['gpt'])
    """
    plain = {name: name.removeprefix(MODEL) for name in names}
    said = said.removeprefix(MODEL)
    same = [name for name in plain if plain[name] == said]
    return same or [name for name in plain if fnmatchcase(plain[name].casefold(), said.casefold())]


def machines_of(said: str | Sequence[str]) -> tuple[str, ...]:
    """The names and patterns in what a user says of machines, "gpt*,llama 3" or a list."""
    return tuple(filter(None, map(str.strip, said.split(",") if isinstance(said, str) else said)))


def reported(
    frame: pd.DataFrame,
    again: pd.DataFrame,
    apart: pd.DataFrame,
    machines: Sequence[str],
    path: str,
    names: bool,
) -> tuple[pd.DataFrame, pd.DataFrame, str]:
    """Two frames of the same judges as reports call them, and a sentence on who is a machine, as `machines` (names or
    patterns, or `NOBODY`) and marks say, also those of a frame apart; people by number unless names are kept.

    ValueError where nothing is said and a name without mark is like a model's.
    """
    judges = list(frame["assessor"].unique())
    marks = [name for name in [*judges, *apart["assessor"].unique()] if is_model(name)]
    wanted = [said for said in machines if said.casefold() != NOBODY]
    if wanted and len(wanted) < len(machines):
        raise ValueError(f"machines is {','.join(machines)}, expected {NOBODY} alone, or names")
    for said in wanted:
        if not named(said, [*judges, *marks]):
            checks.one_of("one of machines", said, [*judges, *(mark for mark in marks if mark not in judges)])
    like = [name for name in judges if not is_model(name) and LIKE_MODELS.search(name.casefold())]
    if like and not machines:
        said = checks.advice("machines", ",".join(map(pattern_of, like)))
        raise ValueError(
            f"{path}: {checks.some(like, 20)} {'is' if len(like) == 1 else 'are'} called like a language model, which "
            f"never counts as a person: add {said}, or {checks.advice('machines', NOBODY)} where people are called so"
        )
    called = {name: MODEL + name for said in wanted for name in named(said, judges) if not is_model(name)}
    models = sorted({*called.values(), *marks})
    named_so = checks.some((name.removeprefix(MODEL) for name in models), 10)
    told = f"People: {len(judges) - len({*called, *marks} & {*judges})}, machines: {named_so or NOBODY}"
    if missed := len(set(like) - set(called)) if wanted else 0:
        told += f"; of the people {missed} {'is' if missed == 1 else 'are'} called like a model"
    called |= {} if names else by_number(name for name in judges if name not in called)
    return _renamed(frame, called), _renamed(again, called), f"{told}."


def pseudonyms(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with "judge 1", "judge 2", ... for its people, by the order of their names; models keep theirs."""
    return _renamed(frame, by_number(frame["assessor"].unique()))


def _renamed(frame: pd.DataFrame, called: Mapping[str, str]) -> pd.DataFrame:
    """The rows with other names for some assessors."""
    return frame.assign(assessor=texts.changed(frame["assessor"], lambda name: called.get(name, name)))


def by_number(judges: Iterable[str], machines: Sequence[str] = ()) -> dict[str, str]:
    """What people among the judges are called in a report, by their name: as the names rise, w9 before w10."""
    models = {name for said in machines for name in named(said, judges)}
    people = (name for name in judges if not is_model(name) and name not in models)
    parts = {name: re.split("([0-9]+)", name) for name in people}
    rising = {n: [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts[n]] for n in parts}
    return {name: f"{NUMBERED}{n}" for n, name in enumerate(sorted(rising, key=lambda n: (rising[n], n)), start=1)}


def __getattr__(name: str) -> None:
    if name == "label_matrix":
        raise AttributeError(
            f"{__name__}.label_matrix(frame) is now coded(frame), its labels and judges coded(frame).labels"
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
