"""Result tables on disk."""

import json

import numpy as np
import pandas as pd
import pytest

from helpers import files, paths
from helpers.engine import results


def test_tables_come_back_without_their_list_columns(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "project", lambda part: tmp_path / part)
    runs = pd.DataFrame({"ranker": ["a", "b"], "ndcg": [0.1, 1 / 3], "per_query": [[0.1], [0.2, 0.3]]})
    results.write(tmp_path / "data" / "results" / "04" / "toy", {"percent": runs}, {"seed": 7})
    tables = results.stored("04")
    pd.testing.assert_frame_equal(tables["toy"]["percent"], runs[["ranker", "ndcg"]])
    assert results.produced_by("04", "toy")["seed"] == 7
    assert results.stored("01") == {}


def test_a_failed_write_leaves_the_old_table(tmp_path, monkeypatch):
    results.write(tmp_path, {"t": pd.DataFrame({"a": [1]})})

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(files.os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        results.write(tmp_path, {"t": pd.DataFrame({"a": [2]})})
    assert [file.name for file in tmp_path.iterdir()] == ["t.csv"]
    assert (tmp_path / "t.csv").read_text() == "a\n1\n"


def test_what_produced_it_names_the_settings_and_the_libraries(tmp_path):
    results.write(tmp_path, {}, {"scale": "study"})
    made_by = json.loads((tmp_path / "produced_by.json").read_text())
    assert made_by == {"scale": "study", "libraries": made_by["libraries"]}
    assert made_by["libraries"]["numpy"] == np.__version__


def test_a_table_without_rows_keeps_its_columns(tmp_path):
    results.write(tmp_path, {"empty": pd.DataFrame({"claim": [], "low": []})})
    assert pd.read_csv(tmp_path / "empty.csv").columns.tolist() == ["claim", "low"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"",
            r"claims.csv: not a table of results \(No columns to parse from file\): remove it, or run its study again",
        ),
        (b"claim,low\n1\n2,3,4\n", r"claims.csv: not a table of results \(Error tokenizing data"),
        (b"claim,low\n\xff\xfe,1\n", r"claims.csv: not a table of results \('utf-8' codec can't decode"),
        (b'claim,low\n"a,1\n', r"claims.csv: not a table of results \(Error tokenizing data"),
        (b"low,high\n1,2\n", r"claims.csv: no column 'claim' among low, high: remove it, or run its study again"),
    ],
)
def test_a_table_that_is_empty_or_damaged_is_named(tmp_path, content, message):
    (tmp_path / "claims.csv").write_bytes(content)
    with pytest.raises(ValueError, match=message) as refused:
        results.read(tmp_path / "claims.csv", ["claim", "low"])
    assert "\n" not in str(refused.value)


def test_a_table_comes_back_as_it_was_written(tmp_path):
    table = pd.DataFrame({"claim": ["a, b", "c"], "low": [0.1, 1 / 3]})
    results.write(tmp_path, {"claims": table})
    pd.testing.assert_frame_equal(results.read(tmp_path / "claims.csv", ["claim", "low"]), table)


def test_text_that_would_be_a_formula_in_a_spreadsheet_is_written_as_text(tmp_path):
    cells = ['=HYPERLINK("x")', "+1+1", "-1-1", "@SUM(A1)", "＝1", "＋1", "－x", "＠A1", "-0.5", "+3", "a=b", "", None]
    results.write(tmp_path, {"t": pd.DataFrame({"doc": cells, 7: np.arange(13) - 4.0})})
    written = pd.read_csv(tmp_path / "t.csv", dtype={"doc": str}, keep_default_na=False)
    assert written["doc"].tolist() == ["'" + cell for cell in cells[:8]] + ["-0.5", "+3", "a=b", "", ""]
    assert written["7"].tolist() == list(range(-4, 9))


def test_no_table_of_the_project_has_text_that_is_written_otherwise():
    files = sorted((paths.project("data") / "results").rglob("*.csv"))
    assert files
    for file in files:
        table = pd.read_csv(file, dtype=str, keep_default_na=False)
        pd.testing.assert_frame_equal(results._plain(table), table)


def test_tables_that_wait_are_named_with_what_they_wait_for(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "project", lambda part: tmp_path / part)
    for name, made_by in {"old": {"seed": 1, results.WAITS: "another draw"}, "new": {"seed": 1}}.items():
        results.write(tmp_path / "data" / "results" / "04" / name, {"t": pd.DataFrame({"a": [1]})}, made_by)
    assert results.waiting("04") == {"old": "another draw"}
    assert results.waiting("01") == {}
    [note] = results.waiting_notes("01", "04")
    assert note == "Stored tables 04/old wait to be made again: made before another draw"
