"""Judged collections: features of documents joined with what several people said of them, label by label.

A judged collection is a folder that holds judgments, as formats.read takes them, in files called judgments*, beside
features.txt (LETOR text with document ids) or beside qrels and runs; or any data set and a file of judgments apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from helpers import checks, texts
from helpers.datasets import catalog, sampling
from helpers.datasets.collection import Collection
from helpers.judging import formats
from helpers.judging.aggregates import majority_vote
from helpers.judging.judgments import are_models, packed
from helpers.metrics.ranking import HIGHEST_LINEAR

PERSONS = ("all", "query", "pair")
PAIR = ["query", "doc"]


@dataclass(frozen=True, eq=False)
class JudgedCollection:
    """A collection and all labels that people gave to its documents.

    Attributes
    ----------
    collection : its grades are the majority of the labels, of grades as frequent the more relevant (`majority_vote`)
    labels : (n_docs, m) int8, -1 where a document has fewer than m
    judges : (n_docs, m) int64 number of who gave each label, -1 where there is none
    gains : (n_docs,) int64 what tests go by, as linear gains: of the assessor who tests, or the mean of all labels, in
        a unit in which those of a query are whole; -1 where the assessor who tests gave no label
    testable : (n_queries,) bool, whether those who test found a document Good or above
    persons : who is who, as in `read`
    good : lowest grade of "Good or above"
    notes : what was left out and how things were read, in sentences that name nobody

    Examples
    --------
    In whatever order the two people are asked, they say the same.

    >>> labels, judges = np.array([[0, 1], [0, 0]], np.int8), np.array([[0, 1], [0, 1]])
    >>> pages = Collection([[0.5], [0.25]], [1, 0], [0, 2])
    >>> judged = JudgedCollection(pages, labels, judges, labels.sum(axis=1), np.array([True]), "query", 1, [])
    >>> judged.draw(np.random.default_rng(0))[0].sum(axis=1)
    array([1, 0])
    """

    collection: Collection
    labels: np.ndarray
    judges: np.ndarray
    gains: np.ndarray
    testable: np.ndarray
    persons: str
    good: int
    notes: list[str]

    def __str__(self) -> str:
        return self.collection.name

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Labels and judges (n_docs, m) in the order in which they are asked, the same persons throughout a query.

        Where persons is "pair" the order is drawn for every document. Judges have numbers of their own where persons is
        "all"; else they are numbered in the order in which a query, or a document, asks them.
        """
        given = self.labels >= 0
        keys = np.full(given.shape, np.inf)
        if self.persons == "pair":
            keys[given] = rng.random(given.sum())
            judges = np.where(given, np.arange(given.shape[1]), -1)
        else:
            query = np.broadcast_to(self.collection.query_index[:, None], given.shape)[given]
            codes, seat = np.unique(np.stack([query, self.judges[given]]), axis=1, return_inverse=True)
            order = np.lexsort((rng.random(codes.shape[1]), codes[0]))
            place = np.empty(len(order), np.int64)
            place[order] = np.arange(len(order)) - np.searchsorted(codes[0], codes[0])
            keys[given] = place[seat.ravel()]
            judges = self.judges if self.persons == "all" else np.where(given, keys, -1).astype(np.int64)
        asked = np.argsort(keys, axis=1, kind="stable")
        if self.persons != "pair":
            judges = np.take_along_axis(judges, asked, axis=1)
        return np.take_along_axis(self.labels, asked, axis=1), judges


def read(
    dataset: str | Path,
    judgments: str | Path = "",
    *,
    tested_by: str = "",
    persons: str = "all",
    good: int | None = None,
    format: str | None = None,
    columns: str | Mapping[str, str] | None = None,
    grades: str | Mapping[str, int | str] | None = None,
    repeats: str = "refuse",
    machines: Sequence[str] = (),
) -> JudgedCollection:
    r"""The judged collection that features and judgments of the same pairs of query and document make.

    Parameters
    ----------
    dataset : folder of a judged collection; or, where judgments are given, any that `catalog.load` takes
    judgments : files as formats.read takes them; "" for those of the folder
    tested_by : an assessor, or in the folder a file of qrels, by whom alone rankers are tested, and who never trains
        one; "" where all people test
    persons : who is who: "all", an assessor is one person everywhere; "query", within a query only; "pair", labels
        of a document are by different people, nothing more is known
    good : lowest grade of "Good or above"; None is where the upper half of the grades begins
    format, columns, grades, repeats, machines : as formats.read takes them; machines are left out

    Raises
    ------
    OSError
        when a file cannot be read.
    ValueError
        as formats.read and the readers of features; also when the features name no documents or one twice, there are
        several qrels and no tested_by, nobody has its name, no pair is in both, or no pair has two labels.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     mine = Path(folder)
    ...     _ = (mine / "mine.txt").write_text("1 qid:q 1:0.5 #docid = a\n0 qid:q 1:0.25 #docid = b\n")
    ...     said = "query,doc,assessor,grade\nq,a,Ann,1\nq,b,Ann,0\nq,a,Bob,1\nq,b,Bob,1\n"
    ...     _ = (mine / "said.csv").write_text(said)
    ...     read(mine / "mine.txt", mine / "said.csv").labels
    array([[1, 1],
           [0, 1]], dtype=int8)
    """
    checks.one_of("persons", persons, PERSONS)
    features, own, qrels = catalog.judged_files(dataset, tested_by) if catalog.is_judged(dataset) else (None, [], "")
    if not judgments and not own:
        raise ValueError(f"{dataset}: no judgments, expected files called judgments* beside its features")
    features = catalog.load(dataset) if features is None else features
    reading = formats.read(
        judgments or ",".join(map(str, own)),
        format,
        columns=columns,
        grades=grades,
        repeats=repeats,
        machines=machines,
    )
    pairs = _pairs_of(features)
    frame, tester = _without(reading.frame, tested_by, persons, features if qrels else None)
    people = frame[~are_models(frame["assessor"])]
    if people.empty:
        raise ValueError(f"{features.name}: no judgment by a person who does not test, expected those of two or more")
    labels, judges, rows = _joined(pairs, people, features.name)
    if labels.shape[1] < 2:
        raise ValueError(
            f"{features.name}: one label a pair everywhere, so that there is nothing to compare: expected several "
            "people's labels of the same documents, apart from those of machines and of the one who tests"
        )
    collection = features.take_rows(rows).with_grades(majority_vote(labels))
    highest = int(labels.max())
    good = max(1, (highest + 1) // 2) if good is None else good
    if not 1 <= good <= highest:
        raise ValueError(f"good is {good}, expected 1 to {highest}, the highest grade that a person gave")
    gains, found = _tested(labels, pairs.iloc[rows], tester, good, collection)
    testable = np.logical_or.reduceat(found, collection.offsets[:-1])
    n_machines = frame["assessor"].nunique() - people["assessor"].nunique()
    are, left = "machine is" if n_machines == 1 else "machines are", len(frame) - len(people)
    notes = [
        f"{features.name}: {collection.n_docs:,} pairs of {collection.n_queries:,} queries with labels of people, "
        f"{(labels >= 0).sum(axis=1).mean():.2f} a pair; the labels in its own file are ignored, and where one "
        "grade is wanted it is the majority, of grades as frequent the more relevant.",
        *([f"{n_machines} {are} left out, with {left:,} judgments."] if n_machines else []),
        *_only_one(pairs, people, features.name),
        *([] if persons == "pair" else _partly(collection, labels, judges)),
        *_untested(collection, labels, gains, testable),
    ]
    return JudgedCollection(collection, labels, judges, gains, testable, persons, good, notes)


def load(dataset: str | Path) -> Collection:
    """As `catalog.load`, and of a judged collection the majority of its people, which its name then says."""
    if not catalog.is_judged(dataset):
        return catalog.load(dataset)
    collection = read(dataset).collection
    collection.name = f"{collection.name} (majority)"
    return collection


def splits(
    dataset: str | Path | JudgedCollection, fold: int = 1, rng: np.random.Generator | None = None
) -> tuple[Collection, Collection, Collection]:
    """As `catalog.splits`; the queries of a judged collection are divided as those of a file, by the majority."""
    if isinstance(dataset, JudgedCollection):
        return tuple(sampling.divide(dataset.collection, (0.6, 0.2, 0.2), rng))
    if not catalog.is_judged(dataset):
        return catalog.splits(dataset, fold, rng)
    if fold != 1:
        raise ValueError(f"fold is {fold}, but {dataset} has no folds, expected 1")
    return tuple(sampling.divide(load(dataset), (0.6, 0.2, 0.2), rng))


def _pairs_of(features: Collection) -> pd.DataFrame:
    """Frame query, doc of the rows."""
    if features.doc_ids is None or (features.doc_ids == "").any():
        raise ValueError(
            f"{features.name}: lines without a document id, by which judgments are joined: expected `# docid = ID` at "
            "the end of every line"
        )
    pairs = pd.DataFrame({"query": features.query_ids[features.query_index], "doc": features.doc_ids}, dtype=object)
    if (twice := pairs.duplicated()).any():
        query, doc = pairs[twice].iloc[0]
        raise ValueError(f"{features.name}: document {doc} stands twice in query {query}, expected once")
    return pairs


def _without(
    frame: pd.DataFrame, tested_by: str, persons: str, qrels: Collection | None
) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """The judgments of all but the one who tests, and those of that one: of a file of qrels, or an assessor."""
    if not tested_by:
        return frame, None
    if qrels is None:
        checks.one_of("tested_by", tested_by, frame["assessor"].unique())
        if persons != "all":
            raise ValueError(f"tested_by is an assessor, but persons is {persons!r}, expected 'all': one everywhere")
        mine = frame["assessor"] == tested_by
        return frame[~mine], frame.loc[mine, [*PAIR, "grade"]]
    mine = frame["assessor"].str.casefold() == tested_by.casefold()
    return frame[~mine], _pairs_of(qrels).assign(grade=qrels.grades.astype(np.int64))


def _joined(pairs: pd.DataFrame, people: pd.DataFrame, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels and judges (n_docs, m) of the pairs that are in both, in the order of the features, and their rows."""
    both = pairs.reset_index(names="row").merge(people, on=PAIR)
    if both.empty:
        one, other = (f"query {query}, document {doc}" for query, doc in (pairs.iloc[0], people[PAIR].iloc[0]))
        found = "; ".join([f"features are of {one}, judgments of {other}", *_near(pairs, people)])
        raise ValueError(f"{name}: no pair of query and document has both: {found}; expected the same ids")
    pair, rows = pd.factorize(both["row"])
    labels, judges = packed(pair, both["grade"].to_numpy(np.int8), pd.factorize(both["assessor"])[0])
    return labels, judges, rows


def _only_one(pairs: pd.DataFrame, people: pd.DataFrame, name: str) -> list[str]:
    """Notes on pairs that only features or only judgments have, and on ids that may be meant as the same."""
    sides = pairs.merge(people[PAIR].drop_duplicates(), on=PAIR, how="outer", indicator=True)
    notes = []
    for side, why in (("left_only", "as nobody judged them"), ("right_only", f"as {name} has no features of them")):
        rows = sides[sides["_merge"] == side]
        if len(rows):
            named = texts.shown(f"{query} {doc}" for query, doc in rows[PAIR].to_numpy()[:5])
            notes.append(f"{len(rows):,} pairs are left out, {why}: {named}{', …' * (len(rows) > 5)}.")
    return [*notes, *(f"{near}." for near in _near(pairs, people))]


def _near(pairs: pd.DataFrame, people: pd.DataFrame) -> list[str]:
    """What is written nearly alike in the features and in the judgments."""
    said = []
    for role, called in (("query", "queries"), ("doc", "documents")):
        ids = [pairs[role].unique(), people[role].unique()]
        near = texts.alike(np.concatenate(ids), np.repeat(["features", "judgments"], [len(own) for own in ids]))
        if near:
            one, other = near[0]
            said.append(f"{len(near):,} {called} are written nearly alike, such as {one!r} and {other!r}")
    return said


def _tested(
    labels: np.ndarray, pairs: pd.DataFrame, tester: pd.DataFrame | None, good: int, collection: Collection
) -> tuple[np.ndarray, np.ndarray]:
    """(n_docs,) gains that tests go by, and whether who tests found each document Good or above."""
    if tester is not None:
        merged = pairs.merge(tester, on=PAIR, how="left")["grade"].fillna(-1).to_numpy(np.int64)
        gains, found = np.where(merged < 0, -1, 2.0 ** np.maximum(merged, 0) - 1), merged >= good
    else:
        given = labels >= 0
        total, n = np.where(given, 2.0 ** np.maximum(labels, 0) - 1, 0).sum(axis=1), given.sum(axis=1)
        common = np.lcm.reduceat(n, collection.offsets[:-1])[collection.query_index]
        gains, found = total * (common // n), (labels >= good).any(axis=1)
    if gains.max() > HIGHEST_LINEAR:
        raise ValueError(
            f"{collection.name}: gains of a document add up to {gains.max():.0f}, expected at most {HIGHEST_LINEAR}: "
            "fewer grades, or as many labels of each document of a query"
        )
    return gains.astype(np.int64), found


def _partly(collection: Collection, labels: np.ndarray, judges: np.ndarray) -> list[str]:
    """A note on people who judged a part of a query."""
    given = labels >= 0
    query = np.broadcast_to(collection.query_index[:, None], given.shape)[given]
    seats, n = np.unique(np.stack([query, judges[given]]), axis=1, return_counts=True)
    part = np.flatnonzero(n < collection.group[seats[0]])
    if not len(part):
        return []
    first = seats[0, part[0]]
    where = f"{n[part[0]]:,} of {collection.group[first]:,} documents of query {collection.query_ids[first]}"
    return [
        f"{len(part):,} of {len(n):,} times a person judged only a part of a query, such as {where}: for the rest the "
        "next person is asked."
    ]


def _untested(collection: Collection, labels: np.ndarray, gains: np.ndarray, testable: np.ndarray) -> list[str]:
    """Notes on what tests go by where labels are not as many, and on what does not test."""
    n, starts = (labels >= 0).sum(axis=1), collection.offsets[:-1]
    uneven = int((np.minimum.reduceat(n, starts) < np.maximum.reduceat(n, starts)).sum())
    missing, n_empty = int((gains < 0).sum()), int((~testable).sum())
    notes = {
        f"Queries whose documents have unequal numbers of labels: {uneven:,}; all count by their means.": uneven,
        f"{missing:,} documents test nothing, as the one who tests did not judge them.": missing,
        f"{n_empty:,} of {len(testable):,} queries test nothing, as nobody who tests found a good one.": n_empty,
    }
    return [note for note, count in notes.items() if count]
