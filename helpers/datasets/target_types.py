"""Target types of queries (Garigliotti, Hasibi, Balog, SIGIR 2017), fetched as the folder of a judged collection.

The query is one of a web or entity search, its documents are types of the DBpedia ontology. Seven workers picked a type
each, or none. The table that is fetched says how many picked a type; who did is not published.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from helpers.datasets import fetch, letor
from helpers.datasets.collection import Collection, offsets_of
from helpers.files import new_folder

ADDRESS = (
    "https://github.com/iai-group/sigir2017-query_types/raw/5e166483f556d5a793093708911e6e2da4cb2991/data/ml/"
    "ml_features-full_dataset.tsv"
)
WORKERS = 7
PICKED = [12_355, 207, 87, 75, 68, 64, 85, 213]
"""How many types were picked by nobody, by one worker, and so on, in the table of that commit."""

MISSING = -1.0


def download(target: Path) -> None:
    """Download the table and make the folder of it; ValueError where it holds other counts than PICKED."""
    with tempfile.TemporaryDirectory() as room:
        table = Path(room, "features.tsv")
        fetch.download_file(ADDRESS, None, table)
        convert(table, target)


def convert(table: Path, target: Path) -> None:
    """Write features.txt, judgments.csv and names.txt of the table into a new folder.

    A type's label is whether most of the workers picked it. The workers are laid out so that each picks at most one
    type of a query: they are the same within a query only.
    """
    frame = pd.read_csv(table, sep="\t", dtype={"query_id": str, "type": str}, na_values="-", keep_default_na=False)
    picked = np.bincount(frame["target"], minlength=WORKERS + 1).tolist()
    if picked != PICKED:
        raise ValueError(f"{ADDRESS}: types by how many workers picked them are {picked}, expected {PICKED}")
    names = frame.columns[3:]
    features = frame[names].fillna(MISSING).map(lambda value: float(f"{value:.6g}")).to_numpy(np.float32)
    group = frame.groupby("query_id", sort=False)
    collection = Collection(
        features,
        (2 * frame["target"] > WORKERS).to_numpy(np.int8),
        offsets_of(group.size()),
        query_ids=frame["query_id"].unique(),
        doc_ids=frame["type"],
    )
    with new_folder(target) as made:
        letor.write(collection, made / "features.txt")
        _judgments(frame, group["target"].cumsum()).to_csv(made / "judgments.csv", index=False)
        (made / "names.txt").write_text("".join(f"{number} {name}\n" for number, name in enumerate(names, start=1)))


def _judgments(frame: pd.DataFrame, upto: pd.Series) -> pd.DataFrame:
    """A row for each type and worker; those who picked a type follow those who picked the ones before it."""
    worker = np.arange(WORKERS)
    grades = (worker >= (upto - frame["target"]).to_numpy()[:, None]) & (worker < upto.to_numpy()[:, None])
    rows = frame[["query_id", "type"]].set_axis(["query", "doc"], axis=1)
    rows = rows.loc[rows.index.repeat(WORKERS)].reset_index(drop=True)
    return rows.assign(
        assessor=np.tile([f"worker{n + 1}" for n in worker], len(frame)), grade=grades.ravel().astype(int)
    )
