"""Real pilots, from the data directory: their judgments are not the project's to give, what is measured on them is.

TREC Deep Learning 2021, passages: NIST's judgments, UMBRELA's with GPT-4 of the same pairs, and 63 runs. Chorus: three
raters of a shop's search, ranked by words of the name or of the description. Cystic Fibrosis: four judges of medical
abstracts, ranked by BM25 of the title, or of the abstract.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer

from helpers import paths
from helpers.datasets.runs import Lists, lists, read_runs
from helpers.judging import formats, rankings
from helpers.making import cystic_fibrosis as texts
from helpers.studies.budget.pilot import CUTOFF, LISTED, Pilot, pilot

_PAIR = ("mono_electra_h3", "p_f10_mt53b")
"""Runs of DL21 that are compared where one pair has to do: in spread and in correlation as the median pair is."""


def dl21_judgments() -> tuple[pd.DataFrame, pd.DataFrame]:
    """NIST's judgments of 2021, and UMBRELA's of the same pairs, long frames."""
    names = {"nist.dl21.txt": "NIST", "umbrela-gpt4.dl21.txt": "UMBRELA"}
    people, machine = (
        formats.read(paths.judgments("dl21-umbrela", file), "qrels", machines="*").frame.assign(assessor=name)
        for file, name in names.items()
    )
    return people, machine


def dl21_runs() -> list[Lists]:
    """The 63 runs of 2021. The ranks of uogTrPC contradict its scores, and it goes by score."""
    folder = dl21_folder()
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder} is not here: data/README.md says where these runs come from")
    return read_runs(str(folder))


def dl21() -> Pilot:
    """The pilot of two runs of DL21, NIST's labels and UMBRELA's."""
    people, machine = dl21_judgments()
    runs = {name: lists(dl21_folder() / f"{name}.run").frame(LISTED) for name in _PAIR}
    return pilot(people, runs, machine, cutoff=CUTOFF, name=f"TREC DL 2021, {' and '.join(_PAIR)}")


def dl21_folder() -> Path:
    """Where the runs of DL21 are."""
    return paths.user_data() / "SynDL-DL21" / "runs"


def system_scores(people: pd.DataFrame, runs: Sequence[Lists], cutoff: int = CUTOFF) -> pd.DataFrame:
    """nDCG of every run on every query by one judge's grades: index query, a column for each run."""
    ranked = rankings.of_runs(people.assign(assessor="judge"), runs, cutoff)
    everyone = rankings.scored(ranked)[0]
    return pd.DataFrame(everyone.own.T, pd.Index(ranked.labels.queries, name="query"), ranked.names)


def chorus() -> Pilot:
    """Three raters of a shop's search; products ranked by TF-IDF of their name, or of their description."""
    file = paths.judgments("chorus-ratings", "Broad_Query_Set_individual_ratings.csv")
    table = pd.read_csv(file, dtype=str).drop_duplicates(["query", "docid"]).fillna({"name": "", "description": ""})
    raters = [column for column in table if column.startswith("agent_")]
    frame = table.melt(["query", "docid"], raters, "assessor", "grade").dropna()
    frame = frame.rename(columns={"docid": "doc"}).astype({"grade": float}).astype({"grade": int})
    runs = {
        field: pd.DataFrame(
            {"query": table["query"], "doc": table["docid"], "score": _tfidf(table["query"], table[field])}
        )
        for field in ("name", "description")
    }
    return pilot(frame, runs, cutoff=CUTOFF, name="Chorus, name and description")


def _tfidf(queries: pd.Series, of: pd.Series) -> np.ndarray:
    words = TfidfVectorizer().fit(of)
    return np.asarray(words.transform(queries).multiply(words.transform(of)).sum(axis=1)).ravel()


def cystic_fibrosis() -> Pilot:
    """Four judges of medical abstracts."""
    collection, labels = texts.load()
    pairs = pd.DataFrame({"query": collection.query_ids[collection.query_index], "doc": collection.doc_ids})
    scores = dict(zip(texts.FEATURES, collection.features.T, strict=True))
    runs = {name: pairs.assign(score=scores[name]) for name in ("BM25 of title", "BM25 of abstract")}
    frame = pairs.assign(**dict(zip("0123", labels.T, strict=True))).melt(["query", "doc"], None, "assessor", "grade")
    return pilot(frame, runs, cutoff=CUTOFF, name="Cystic Fibrosis, title and abstract")


REAL: dict[str, Callable[[], Pilot]] = {"dl21": dl21, "chorus": chorus, "cystic-fibrosis": cystic_fibrosis}
