"""Result tables on disk."""

import hashlib
import subprocess

import numpy as np
import pandas as pd
import pytest
from damage import damaged

from helpers import paths
from helpers.engine import results


def test_tables_come_back_without_their_list_columns(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "project", lambda part: tmp_path / part)
    runs = pd.DataFrame({"ranker": ["a", "b"], "ndcg": [0.1, 1 / 3], "per_query": [[0.1], [0.2, 0.3]]})
    results.write(tmp_path / "data" / "results" / "04" / "toy", {"percent": runs}, {"seed": 7})
    tables = results.stored("04")
    pd.testing.assert_frame_equal(tables["toy"]["percent"], runs[["ranker", "ndcg"]])
    made_by = results.produced_by("04", "toy")
    assert made_by == {"seed": 7, "libraries": made_by["libraries"]}
    assert made_by["libraries"]["numpy"] == np.__version__
    assert results.stored("01") == {}


def test_a_table_without_rows_keeps_its_columns(tmp_path):
    results.write(tmp_path, {"empty": pd.DataFrame({"claim": [], "low": []})})
    assert results.read(tmp_path / "empty.csv").columns.tolist() == ["claim", "low"]


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


def test_text_that_would_be_a_formula_in_a_spreadsheet_is_written_as_text(tmp_path):
    cells = ['=HYPERLINK("x")', "+1+1", "-1-1", "@SUM(A1)", "＝1", "＋1", "－x", "＠A1", "-0.5", "+3", "a=b", "", None]
    results.write(tmp_path, {"t": pd.DataFrame({"doc": cells, 7: np.arange(13) - 4.0})})
    written = pd.read_csv(tmp_path / "t.csv", dtype={"doc": str}, keep_default_na=False)
    assert written["doc"].tolist() == ["'" + cell for cell in cells[:8]] + ["-0.5", "+3", "a=b", "", ""]
    assert written["7"].tolist() == list(range(-4, 9))


def test_tables_that_wait_are_named_with_what_they_wait_for(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "project", lambda part: tmp_path / part)
    for name, made_by in {"old": {"seed": 1, results.WAITS: "another draw"}, "new": {"seed": 1}}.items():
        results.write(tmp_path / "data" / "results" / "04" / name, {"t": pd.DataFrame({"a": [1]})}, made_by)
    assert results.waiting("04") == {"old": "another draw"}
    assert results.waiting("01") == {}
    [note] = results.waiting_notes("01", "04")
    assert note == "Stored tables 04/old wait to be made again: made before another draw"


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Folder of a project, which keeps two tables of study 4 and what produced them."""
    monkeypatch.setattr(paths, "project", lambda part: tmp_path / part)
    tables = {name: pd.DataFrame({"ranker": ["a", "b"], "low": [0.25, -1.5]}) for name in ("percent", "comparisons")}
    results.write(tmp_path / "data" / "results" / "04" / "toy", tables, {"seed": 7})
    return tmp_path / "data" / "results"


def refused(kept):
    """What is said where the tables of study 4 are read, and what produced them."""
    with pytest.raises(ValueError, match=r"get it back: install label-studies again") as error:
        (results.stored("04"), results.produced_by("04", "toy"))
    [line] = str(error.value).splitlines()
    return line.removeprefix(f"{kept}/").partition(",")[0]


@pytest.mark.parametrize("name", ["percent.csv", "comparisons.csv", "produced_by.json"])
def test_a_file_kept_with_the_project_that_is_damaged_in_any_way_is_named(kept, rng, name):
    file = kept / "04" / "toy" / name
    whole = file.read_bytes()
    header = whole.splitlines(keepends=True)[0]
    for content in (header, b"", *(damaged(whole, rng) for _ in range(20))):
        file.write_bytes(content)
        if content != whole:
            assert refused(kept) == f"04/toy/{name}: is damaged"
    file.unlink()
    assert refused(kept) == f"04/toy/{name}: is missing"


def test_sums_that_are_damaged_never_let_a_table_be_lost(kept, rng):
    whole, expected = (kept / results.SUMS).read_bytes(), results.stored("04")
    for _ in range(30):
        (kept / results.SUMS).write_bytes(damaged(whole, rng))
        try:
            found = results.stored("04")
        except ValueError as error:
            assert str(kept) in str(error)  # noqa: PT017
        else:
            pd.testing.assert_frame_equal(found["toy"]["percent"], expected["toy"]["percent"])


def test_a_table_that_is_made_again_is_known_and_one_that_is_dropped_is_not_missed(kept):
    (kept / "04" / "toy" / "percent.csv").unlink()
    results.write(kept / "04" / "toy", {"comparisons": pd.DataFrame({"low": [1.0]})}, {"seed": 8})
    assert list(results.stored("04")["toy"]) == ["comparisons"]
    assert results.stored("04")["toy"]["comparisons"]["low"].tolist() == [1.0]


def test_the_way_back_in_a_checkout_brings_the_table_back(kept, tmp_path):
    git = ["git", "-C", str(tmp_path), "-c", "user.name=any", "-c", "user.email=any@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Tables"]):
        subprocess.run([*git, *command], check=True)
    (kept / "04" / "toy" / "percent.csv").write_text("ranker,low\n")
    with pytest.raises(ValueError, match="is damaged") as error:
        results.stored("04")
    subprocess.run(str(error.value).partition("get it back: ")[2].split(), check=True, capture_output=True)
    assert len(results.stored("04")["toy"]["percent"]) == 2


def test_every_table_of_the_project_is_the_one_that_its_sum_was_made_of():
    """Where one was changed by hand: cd data/results && sha256sum $(git ls-files '*.csv' '*.json') > SHA256SUMS."""
    root = paths.project("data") / "results"
    files = [*root.rglob("*.csv"), *root.rglob(results.PRODUCED_BY)]
    assert results._sums() == {file: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def test_files_read_are_known_by_their_hashes(tmp_path):
    def sha256(*texts):
        return [hashlib.sha256(text.encode()).hexdigest() for text in texts]

    for name in ("nist.qrels", "model.qrels", "a,b.csv", "rank.train", "rank.train.query"):
        (tmp_path / name).write_text(name)
    (tmp_path / "letor" / "Fold1").mkdir(parents=True)
    (tmp_path / "letor" / "Fold1" / "train.txt").write_text("1 qid:1 1:1")
    (tmp_path / "letor" / "README").write_text("")
    two = results.files_read(f"{tmp_path}/nist.qrels, {tmp_path}/model.qrels")
    assert two == sha256("nist.qrels", "model.qrels")
    assert results.files_read(f"{tmp_path}/a,b.csv") == sha256("a,b.csv")  # one file, whose name has a comma
    assert results.files_read(f"{tmp_path}/letor") == sha256("1 qid:1 1:1", "")
    assert results.files_read(f"{tmp_path}/rank.train") == sha256("rank.train", "rank.train.query")
    assert (results.files_read("mq2008"), results.files_read("")) == ([], [])
