"""Assessors of the same documents whose rankings can be tested against each other: real ones, and simulated ones."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from helpers import paths
from helpers.datasets import portrait
from helpers.judging import formats
from helpers.judging.confusion import (
    Confusion,
    draw_labels,
    draw_pool,
    load_confusions,
    ordinal_confusion,
)
from helpers.judging.judgments import LONG

QUERY_CODES = ["QN", "QU", "NR", "RD"]
JUDGES = ("author", "colleague", "postdoc", "bibliographer")
SEVEN_BITS = bytes(byte & 127 for byte in range(256))  # a line of cf74 has the eighth bit set at the end of its words


@dataclass(frozen=True)
class Judges:
    """Assessors of the same documents, which pairs of them are compared, and a confusion matrix from elsewhere."""

    frame: pd.DataFrame  # long, of their judgments
    pairs: tuple[tuple[str, str], ...]  # (testing, training) names
    n_grades: int
    elsewhere: Confusion  # what other people did on a scale of the same size
    same: bool = True  # whether an assessor is one person in all queries


def cystic_fibrosis() -> Judges:
    """The four judges of the Cystic Fibrosis collection, every ordered pair, from the data directory.

    From elsewhere: NIST and expert reviewers on newspaper articles.
    """
    frame = read_judgments(paths.judgments("cystic-fibrosis", "cfquery"))
    pairs = tuple(itertools.permutations(JUDGES, 2))
    return Judges(frame, pairs, 3, load_confusions()["NYT_NIST_vs_expertReviewer_firstpass"])


def llmjudge() -> Judges:
    """NIST, testing, and 33 automatic judges on TREC Deep Learning 2023 (LLMJudge), from the data directory.

    Three labels off the scale of 0 to 3 are left out. From elsewhere: NIST and a language model two years before.
    """
    scores = sorted(paths.judgments("llmjudge", "scores").glob("*.txt"))
    testing = paths.judgments("llmjudge", "llmjudge_test_qrel_idx.txt")
    frame = formats.read(",".join(map(str, [testing, *scores])), "qrels", machines="none").frame  # names as they are
    frame = frame[frame["grade"] < 4].replace({"assessor": {testing.stem: "NIST"}}).reset_index(drop=True)
    pairs = tuple(("NIST", file.stem) for file in scores)
    return Judges(frame, pairs, 4, load_confusions()["DL21_NIST_vs_UMBRELA_GPT4o"])


def chorus() -> Judges:
    """The three raters of products in Chorus, an e-commerce demonstration: every ordered pair, from the data directory.

    The final rating is none of theirs and is left out. From elsewhere: NIST and a language model on web passages.
    """
    file = paths.judgments("chorus-ratings", "Broad_Query_Set_individual_ratings.csv")
    frame = formats.read(file).frame
    pairs = tuple(itertools.permutations(sorted(frame["assessor"].unique()), 2))
    return Judges(frame, pairs, 4, load_confusions()["DL21_NIST_vs_UMBRELA_GPT4o"])


def relish() -> Judges:
    """Two sessions on the biomedical articles that RELISH's experts judged twice, both ways, from the data directory.

    A session is an expert's on the articles of one seed; whether both were held by the same person is not known, and
    each query has sessions of its own. From elsewhere: NIST and expert reviewers on newspaper articles.
    """
    labels = pd.read_csv(paths.judgments("relish", "relish_labels.csv"), dtype={"seed": str, "doc": str})
    frame = labels.rename(columns={"seed": "query"}).assign(assessor=labels["session_of_seed"].map(SESSIONS))
    twice = frame["query"].isin(frame.loc[frame["assessor"] == SESSIONS[2], "query"])
    frame = frame.loc[twice, LONG].dropna().reset_index(drop=True)
    pairs = tuple(itertools.permutations(SESSIONS.values(), 2))
    return Judges(frame, pairs, 3, load_confusions()["NYT_NIST_vs_expertReviewer_firstpass"], same=False)


SESSIONS = {1: "first session", 2: "second session"}

REAL: dict[str, Callable[[], Judges]] = {
    "cystic-fibrosis": cystic_fibrosis,
    "llmjudge": llmjudge,
    "chorus": chorus,
    "relish": relish,
}

DESCRIBED = {
    "cystic-fibrosis": "four people, medical abstracts",
    "llmjudge": "33 automatic judges, NIST tests",
    "chorus": "three raters of products",
    "relish": "two sessions of experts, articles",
    "dl19-people-machines": "eight people in pairs, passages",
}
"""Who the real judges are, in a few words."""

EXCHANGEABLE = {
    "esbm": ("query", "six people choose ten facts of an entity each"),
    "target-types": ("query", "seven workers pick one type of entity for a query"),
    "flickr8k-experts": ("pair", "three experts grade captions of a picture"),
    "climate-fever": ("query", "two to five people, five sentences for a claim"),
}
"""Sets of people of whom nobody knows who is who -> within what that is known, as `judged.read` takes it, and who."""

ACCURACY = {"gold": 0.85, "silver": 0.7, "bronze": 0.55}
"""How often the simulated assessors are right: chosen so that they differ, not measured."""


def simulated(
    n_queries: int,
    rng: np.random.Generator,
    *,
    counts: np.ndarray | None = None,
    concentration: float | None = None,
) -> Judges:
    """SYNTHETIC gold, silver and bronze assessors, who grade around a hidden truth by an `ordinal_confusion` each, of
    queries with documents by true grade as in counts (any, n_grades), or in MSLR's sample; with a concentration every
    query has matrices of its own (`confusion.draw_pool`). From elsewhere: web-search crowd workers.
    """
    counts = portrait.open("mslr-sample").grade_counts if counts is None else np.atleast_2d(counts)
    n_grades = counts.shape[1]
    frames = []
    for query, profile in enumerate(counts[rng.integers(len(counts), size=n_queries)]):
        truth = np.repeat(np.arange(n_grades), profile)
        for name, accuracy in ACCURACY.items():
            matrix = ordinal_confusion(n_grades, accuracy)
            if concentration is not None:
                matrix = draw_pool(matrix, 1, concentration, rng)[0]
            labels = draw_labels(truth, matrix, rng).astype(np.int64)
            judged = {"query": str(query), "doc": np.arange(len(truth)).astype(str), "assessor": name, "grade": labels}
            frames.append(pd.DataFrame(judged))
    pairs = tuple(itertools.permutations(ACCURACY, 2))
    return Judges(pd.concat(frames, ignore_index=True), pairs, n_grades, load_confusions()["WEB5_truth_vs_worker"])


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
            for number, part in enumerate(value.split("\n"), start=line):
                if not re.fullmatch(r"(\s*[0-9]+\s+[012]{4}(?!\S))*\s*", part):
                    expected = "expected a document number and four grades from 0 to 2"
                    raise ValueError(f"{path}, line {number}: {part.strip()!r}, {expected}")
                judged = part.split()
                rows += [(query, doc, *map(int, grades)) for doc, grades in zip(judged[::2], judged[1::2], strict=True)]
    if not rows:
        raise ValueError(f"{path}: no judgment, expected lines that begin with {', '.join(QUERY_CODES)}")
    wide = pd.DataFrame(rows, columns=["query", "doc", *JUDGES])
    for query, found in wide.groupby("query").size().reindex(list(promised), fill_value=0).items():
        if found != promised[query]:
            raise ValueError(f"{path}: query {query} has {found} documents, its NR line says {promised[query]}")
    return wide.melt(["query", "doc"], var_name="assessor", value_name="grade")[LONG]


def fields(path: Path) -> list[tuple[int, str, str]]:
    """Line, code and value of every field; a line that begins without a code goes on."""
    text = path.read_bytes().translate(SEVEN_BITS).decode("ascii")
    before, *parts = re.split(r"^([A-Z]{2})(?=\s)", text, flags=re.MULTILINE)
    line, fields = 1 + before.count("\n"), []
    for code, value in zip(parts[::2], parts[1::2], strict=True):
        fields.append((line, code, value))
        line += value.count("\n")
    return fields
