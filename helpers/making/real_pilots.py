"""Real pilots, from the data directory: their judgments are not the project's to give, what is measured on them is.

TREC Deep Learning 2021, passages: NIST's judgments, UMBRELA's with GPT-4 of the same pairs, and 63 runs. Chorus: three
raters of a shop's search, ranked by words of the name or of the description.
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
    folder = _folder()
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder} is not here: data/README.md says where these runs come from")
    return read_runs(str(folder))


def dl21(first: str = _PAIR[0], second: str = _PAIR[1]) -> Pilot:
    """The pilot of two runs of DL21, NIST's labels and UMBRELA's."""
    people, machine = dl21_judgments()
    runs = {name: lists(_folder() / f"{name}.run").frame(LISTED) for name in (first, second)}
    return pilot(people, runs, machine, cutoff=CUTOFF, name=f"TREC DL 2021, {first} and {second}")


def _folder() -> Path:
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
    texts = {"name": table["name"], "description": table["description"]}
    runs = {
        field: pd.DataFrame({"query": table["query"], "doc": table["docid"], "score": _tfidf(table["query"], text)})
        for field, text in texts.items()
    }
    return pilot(frame, runs, cutoff=CUTOFF, name="Chorus, name and description")


def _tfidf(queries: pd.Series, texts: pd.Series) -> np.ndarray:
    words = TfidfVectorizer().fit(texts)
    return np.asarray(words.transform(queries).multiply(words.transform(texts)).sum(axis=1)).ravel()


REAL: dict[str, Callable[[], Pilot]] = {"dl21": dl21, "chorus": chorus}
