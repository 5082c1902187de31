"""Target types of queries: what is fetched becomes the folder of a judged collection."""

import os

import numpy as np
import pandas as pd
import pytest

from helpers.datasets import catalog, fetch, letor, target_types
from helpers.judging import judged

NAMES = [f"feature {n}" for n in range(1, 25)]


def table_of(path, rows):
    """The published table: rows of query, type and votes; feature n of row i is i + n / 8, and the last is missing."""
    frame = pd.DataFrame(rows, columns=["query_id", "type", "target"])
    features = np.arange(len(rows))[:, None] + np.arange(1, 25) / 8
    pd.concat([frame, pd.DataFrame(features, columns=NAMES).astype(str).assign(**{NAMES[-1]: "-"})], axis=1).to_csv(
        path, sep="\t", index=False
    )


@pytest.fixture
def fetched(tmp_path, monkeypatch):
    """The name of the set in an empty data directory, where three types of one query have 4, 0 and 2 of seven votes."""
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("LABEL_STUDIES_CACHE", str(tmp_path / "cache"))
    rows = [("q1", "<dbo:Food>", 4), ("q1", "<dbo:Place>", 0), ("q1", "<dbo:Plant>", 2), ("q2", "<dbo:Work>", 7)]
    monkeypatch.setattr(fetch, "download_file", lambda address, sha256, path: table_of(path, rows))
    monkeypatch.setattr(target_types, "PICKED", [1, 0, 1, 0, 1, 0, 0, 1])
    assert catalog.fetch("target-types") == tmp_path / "data" / "multi-judge" / "target-types"
    return "target-types"


def test_what_is_fetched_is_a_judged_collection_by_its_name(fetched):
    assert catalog.is_judged(fetched)
    people = judged.read(fetched, persons="query")
    assert people.collection.name == "target-types"
    assert people.collection.doc_ids.tolist() == ["<dbo:Food>", "<dbo:Place>", "<dbo:Plant>", "<dbo:Work>"]
    assert people.labels.tolist() == [[1] * 4 + [0] * 3, [0] * 7, [0] * 4 + [1] * 2 + [0], [1] * 7]
    assert people.collection.features[1].tolist() == [*(1 + np.arange(1, 24) / 8), -1]
    assert judged.load(fetched).grades.tolist() == [1, 0, 0, 1]


def test_another_table_than_that_of_the_commit_is_refused(fetched, monkeypatch, tmp_path):
    monkeypatch.setattr(target_types, "PICKED", [2, 1, 0, 0, 1, 0, 0, 1])
    with pytest.raises(ValueError, match=r"\.tsv: types by how many workers picked them are \[1, 0, 1, .* expected"):
        target_types.download(tmp_path / "again")
    assert not (tmp_path / "again").exists()


@pytest.mark.skipif(os.environ.get("LABEL_STUDIES_TESTS") != "all", reason="writes it all: LABEL_STUDIES_TESTS=all")
def test_the_folder_that_stored_results_were_made_of_comes_out(real_data, tmp_path):
    """Of a table put together again from it."""
    there = real_data / "multi-judge" / "target-types"
    if not there.is_dir():
        pytest.skip(f"{there} is not here")
    collection, judgments = letor.read(there / "features.txt"), pd.read_csv(there / "judgments.csv")
    frame = pd.DataFrame(collection.features, columns=NAMES)
    votes = judgments.groupby(["query", "doc"], sort=False)["grade"].sum()
    pairs = pd.DataFrame({"query_id": collection.query_ids[collection.query_index], "type": collection.doc_ids})
    pairs["target"] = votes.to_numpy()
    pd.concat([pairs, frame], axis=1).to_csv(tmp_path / "table.tsv", sep="\t", index=False)
    target_types.convert(tmp_path / "table.tsv", tmp_path / "made")
    made = letor.read(tmp_path / "made" / "features.txt")
    np.testing.assert_array_equal(made.features, collection.features)
    np.testing.assert_array_equal(made.grades, collection.grades)
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "made" / "judgments.csv"), judgments)
