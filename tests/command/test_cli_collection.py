"""Qrels and runs on the command line: written as LETOR text, portrayed, and checked as a `dataset`."""

from pathlib import Path

import numpy as np
import pytest
from command_line import invoke

from helpers.command import given_data, rules
from helpers.datasets import letor, portrait, runs

QUERIES = [f"q{number}" for number in range(40)]
DEFAULTS = {"dataset": "ohsumed-portrait", "fold": 1, "rankers": ["LambdaRank"]}


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch, rng):
    """Qrels of 40 queries and two runs, in the working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LABEL_STUDIES_CACHE", str(tmp_path / "cache"))
    Path("runs").mkdir()
    pairs = [(query, f"d{number}", number % 3) for query in QUERIES for number in range(6)]
    Path("qrels.txt").write_text("".join(f"{q} 0 {d} {grade}\n" for q, d, grade in pairs) + "q0 0 spam -2\n")
    for name in ("bm25", "dense"):
        lines = (f"{q} Q0 {d} 0 {grade + rng.normal():.3f} {name}\n" for q, d, grade in pairs[:-1])
        Path(f"runs/{name}.run").write_text("".join(lines))
    return tmp_path


def test_collection_writes_letor_text_and_the_names_of_features():
    result = invoke("collection", "qrels.txt", "runs/dense.run", "runs/bm25.run", "--out", "new/mine.txt")
    assert (result.exit_code, result.stdout) == (0, "new/mine.txt\n")
    assert result.stderr.splitlines() == [
        "qrels.txt: 1 of 241 lines have a grade below 0 and are left out.",
        "Not judged of the first 10 documents of each query: none of 2 runs.",
        "1 of 240 judged pairs are left out, as no run retrieved them.",
    ]
    made, written = runs.read("qrels.txt", sorted(Path("runs").iterdir())), letor.read("new/mine.txt")
    np.testing.assert_array_equal(written.features, made.features)
    np.testing.assert_array_equal(written.doc_ids, made.doc_ids)
    assert Path("new/mine.txt.names").read_text().splitlines() == made.feature_names.tolist()


def test_collection_takes_all_judged_pairs_on_request():
    assert invoke("collection", "qrels.txt", "runs/bm25.run", "--pairs", "judged", "--out", "mine.txt").exit_code == 0
    assert letor.read("mine.txt").n_docs == 240


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["qrels.txt", "qrels.txt"], "qrels.txt, line 1: 4 fields"),
        (["qrels.txt", "runs/bm25.run", "--pairs", "all"], "pairs is 'all', expected one of retrieved, judged"),
        (["qrels.txt", "runs/bm25.run", "--negative", "refuse"], "qrels.txt, line 241: grade '-2', expected"),
        (["qrels.txt", "runs"], "runs: is a directory"),
        (["absent", "runs/bm25.run"], "absent: no such file or directory"),
    ],
)
def test_collection_that_is_refused_writes_nothing(arguments, message):
    result = invoke("collection", *arguments, "--out", "mine.txt")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: {message}")
    assert not list(Path().glob("mine*"))


@pytest.mark.parametrize("dataset", [".", "qrels.txt,runs/"])
def test_portrait_measures_qrels_and_runs(dataset):
    result = invoke("portrait", dataset, "--out", "mine.npz")
    assert result.exit_code == 0, result.output
    assert portrait.load("mine.npz").grade_counts.sum() == 239


@pytest.mark.parametrize(
    ("dataset", "message"),
    [
        ("qrels.tsv,runs/", "qrels.tsv: no such file or folder, expected qrels.txt,runs/ or"),
        ("qrels.txt,runs/bm26.run", "runs/bm26.run: no such file or folder, expected qrels.txt,runs/ or"),
        ("qrels.txt,others.txt,runs/", "qrels.txt,others.txt,runs/: one assessor labelled its training queries and "),
        ("runs", "runs: expected Fold1 to Fold5, files as train.txt and test.txt, or qrels* and runs/, found bm25.run"),
    ],
)
def test_portrait_refuses_a_mistaken_list_before_it_measures(monkeypatch, dataset, message):
    Path("others.txt").write_text(Path("qrels.txt").read_text())
    monkeypatch.setattr(portrait, "measure", lambda *_: pytest.fail("it was measured"))
    result = invoke("portrait", dataset, "--out", "mine.npz")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert message in result.stderr
    assert not Path("mine.npz").exists()


def test_portrait_names_the_line_of_a_damaged_run():
    Path("runs/dense.run").write_text("q1 Q0 d1\n")
    result = invoke("portrait", "qrels.txt,runs/", "--out", "mine.npz")
    assert (result.exit_code, "dense.run, line 1: 3 fields" in result.stderr) == (2, True)


def test_a_dataset_of_qrels_and_runs_is_checked_before_anything_runs(files):
    given = rules.checked({"dataset": "qrels.txt,runs/"}, DEFAULTS)
    assert given == {"dataset": f"{files}/qrels.txt,{files}/runs"}
    rules.check_data(given, DEFAULTS)
    with pytest.raises(FileNotFoundError, match=r"qrels.tsv: no such file or folder, expected qrels.txt,runs/ or"):
        rules.checked({"dataset": "qrels.tsv,runs/"}, DEFAULTS)
    Path("runs/dense.run").write_text("q1 Q0 d1\n")
    with pytest.raises(ValueError, match=r"dense.run, line 1: 3 fields"):
        rules.check_data(given, DEFAULTS)


def test_a_fold_that_a_dataset_of_runs_does_not_have_is_refused():
    with pytest.raises(ValueError, match=r"fold is 2, but .* has no folds, only 1"):
        given_data.check_dataset({**DEFAULTS, "dataset": ".", "fold": 2})


def test_a_study_that_draws_folds_refuses_labels_of_two_assessors_at_once():
    Path("others.txt").write_text(Path("qrels.txt").read_text())
    given = rules.checked({"dataset": "qrels.txt,others.txt,runs/"}, DEFAULTS)
    with pytest.raises(ValueError, match=r"one assessor labelled its training queries and another its test queries"):
        rules.check_data(given, DEFAULTS | {"datasets": ["ohsumed"]})
