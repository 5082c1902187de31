import errno
import os

import nbformat
import pandas as pd
import pytest
import tiny_notebooks

from helpers import files, paths
from helpers.command import batch, ledger, swap
from helpers.command.notebooks import Study, available

CLAIM = "claim,words,measure,value,measured,low,high,rests_on,verdict\nc,w,m,0.0,0.1,0.0,0.2,real,"
KILL = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Folder of a run with other parameters, made from another directory."""
    home, elsewhere = tmp_path_factory.mktemp("project"), tmp_path_factory.mktemp("elsewhere")
    study = Study(tiny_notebooks.write(home / "04_depth.ipynb", "print(draws)", tiny_notebooks.CLAIMS))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(elsewhere)
        outcome = batch.execute(study, {"draws": 3}, elsewhere)
    assert outcome.error is None
    return elsewhere


def test_a_run_leaves_notebook_html_and_tables_and_nothing_else(finished):
    assert sorted(path.name for path in finished.iterdir()) == [
        swap.LOCK,
        "04_depth",
        "04_depth.html",
        "04_depth.ipynb",
    ]
    assert [path.name for path in (finished / "04_depth").iterdir()] == ["claims.csv"]


def test_the_notebook_was_executed_with_the_settings(finished):
    cells = nbformat.read(finished / "04_depth.ipynb", as_version=4).cells
    assert [output.text for cell in cells if "outputs" in cell for output in cell.outputs] == ["3\n"]
    assert pd.read_csv(finished / "04_depth" / "claims.csv")["measured"].item() == pytest.approx(0.3)


def test_the_notebook_names_files_as_they_lie_and_no_folder_of_this_machine(finished):
    text = (finished / "04_depth.ipynb").read_text()
    assert 'results_dir = \\"04_depth\\"' in text
    assert str(finished.parent) not in text


def test_the_html_shows_the_notebook(finished):
    html = (finished / "04_depth.html").read_text()
    assert "<title>How deep?</title>" in html
    assert "A question." in html


def good_report(out):
    """What a run before left, which says so."""
    (out / "04_depth").mkdir(parents=True)
    for name in ("04_depth.ipynb", "04_depth.html", "04_depth/table.csv"):
        (out / name).write_text("earlier")


def shown(out):
    """What each file of the report of a run that did not fail says."""
    names = ("04_depth.ipynb", "04_depth.html", "04_depth/table.csv")
    return [(out / name).read_text() for name in names if (out / name).exists()]


def test_a_notebook_that_fails_is_kept_with_the_tables_before_its_error_beside_the_good_report(tmp_path):
    study = Study(tiny_notebooks.write(tmp_path / "04_depth.ipynb", tiny_notebooks.CLAIMS, "1 / 0", "print('after')"))
    out = tmp_path / "out"
    good_report(out)
    (out / "04_depth.failed").mkdir()
    (out / "04_depth.failed" / "stale.csv").touch()
    outcome = batch.execute(study, {}, out)
    assert outcome.error == "cell [4] raised ZeroDivisionError: division by zero"
    assert outcome.page == out / "04_depth.failed.html"
    assert "ZeroDivisionError" in (out / "04_depth.failed.ipynb").read_text()
    assert '04_depth.failed\\"' in (out / "04_depth.failed.ipynb").read_text()
    assert "ZeroDivisionError" in (out / "04_depth.failed.html").read_text()
    assert [path.name for path in (out / "04_depth.failed").iterdir()] == ["claims.csv"]
    assert shown(out) == ["earlier"] * 3
    tiny_notebooks.write(tmp_path / "04_depth.ipynb", tiny_notebooks.CLAIMS)
    assert batch.execute(Study(study.path), {}, out).page == out / "04_depth.html"
    assert {path.name for path in out.iterdir()} == {swap.LOCK, "04_depth", "04_depth.html", "04_depth.ipynb"}
    assert [path.name for path in (out / "04_depth").iterdir()] == ["claims.csv"]


def test_a_kernel_that_is_killed_ends_the_run_with_an_error_and_the_good_report_stays(tmp_path):
    study = Study(tiny_notebooks.write(tmp_path / "04_depth.ipynb", "print('before')", KILL))
    good_report(tmp_path / "out")
    outcome = batch.execute(study, {}, tmp_path / "out")
    assert outcome[1:] == ("Kernel died", tmp_path / "out" / "04_depth.failed.html")
    assert "before" in (tmp_path / "out" / "04_depth.failed.ipynb").read_text()
    assert shown(tmp_path / "out") == ["earlier"] * 3


def test_an_interrupted_run_leaves_what_was_there(tmp_path, monkeypatch):
    study = Study(tiny_notebooks.write(tmp_path / "04_depth.ipynb"))
    out = tmp_path / "out"
    out.mkdir()
    (out / "04_depth.ipynb").write_text("earlier")

    def interrupted(path, output, *args, **options):
        output.write_text("half")
        raise KeyboardInterrupt

    monkeypatch.setattr(batch.papermill, "execute_notebook", interrupted)
    with pytest.raises(KeyboardInterrupt):
        batch.execute(study, {}, out)
    assert sorted(path.name for path in out.iterdir()) == [swap.LOCK, "04_depth.ipynb"]
    assert (out / "04_depth.ipynb").read_text() == "earlier"


def test_a_full_disk_at_the_end_is_told_in_one_line_and_what_is_whole_is_kept(tmp_path, monkeypatch):
    study = Study(tiny_notebooks.write(tmp_path / "04_depth.ipynb", tiny_notebooks.CLAIMS))
    out = tmp_path / "out"
    good_report(out)
    replacing = files.replacing

    def full(path, *args):
        if path.suffix == ".html":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return replacing(path, *args)

    monkeypatch.setattr(batch.files, "replacing", full)
    outcome = batch.execute(study, {}, out)
    assert (outcome.error, outcome.page) == (f"{out}/04_depth.html: No space left on device", None)
    assert (out / "04_depth.failed" / "claims.csv").exists()
    assert nbformat.read(out / "04_depth.failed.ipynb", as_version=4).cells
    assert shown(out) == ["earlier"] * 3


@pytest.mark.parametrize("tables", [["claims.csv"], []])
def test_of_a_notebook_that_a_full_disk_cuts_short_the_tables_are_kept_beside_the_report_before(
    tmp_path, monkeypatch, tables
):
    study = Study(tiny_notebooks.write(tmp_path / "04_depth.ipynb"))
    good_report(tmp_path / "out")

    def full(path, output, settings, **options):
        for table in tables:
            (output.parent / "04_depth" / table).write_text(CLAIM)
        output.write_text('{"cells": [')
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(output))

    monkeypatch.setattr(batch.papermill, "execute_notebook", full)
    error = batch.execute(study, {}, tmp_path / "out").error
    assert error == f"{tmp_path}/out/04_depth.ipynb: No space left on device"
    kept = {path.name: path for path in (tmp_path / "out").glob("[!.]*")}
    assert ("04_depth.failed" in kept) == bool(tables)
    assert not tables or (kept["04_depth.failed"] / "claims.csv").read_text() == CLAIM
    assert len(kept) == 3 + len(tables)
    assert shown(tmp_path / "out") == ["earlier"] * 3


def test_the_ledger_gathers_the_claims_of_all_studies_in_the_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "project", lambda part: tmp_path)
    for name, verdict in (("01_a", "holds"), ("02_b", "cannot tell"), ("03_no_claims", None)):
        tiny_notebooks.write(tmp_path / f"{name}.ipynb")
        (tmp_path / "out" / name).mkdir(parents=True)
        if verdict:
            (tmp_path / "out" / name / "claims.csv").write_text(CLAIM + verdict)
    assert len(available()) == 3
    columns = {"claim": "c", "words": "w", "measure": "m", "value": 0.0, "measured": 0.1, "low": 0.0, "high": 0.2}
    expected = pd.DataFrame({"study": ["01", "02"], **columns, "rests_on": "real", "verdict": ["holds", "cannot tell"]})
    claims, errors = ledger.write(tmp_path / "out")
    pd.testing.assert_frame_equal(claims, expected)
    assert errors == []
    assert (tmp_path / "out" / "claims.csv").read_text() == expected.to_csv(index=False)


@pytest.mark.parametrize(
    "damaged",
    [b"", b"claim\nc\n", CLAIM.replace("0.1", "high").encode(), b"\xff\xfe\x00", b'"a', b"a,b\n1\n1,2,3\n"],
    ids=["empty", "no columns", "no number", "no text", "open quote", "ragged"],
)
def test_damaged_claims_of_another_study_are_named_in_one_line_and_the_others_kept(tmp_path, monkeypatch, damaged):
    monkeypatch.setattr(paths, "project", lambda part: tmp_path)
    for name, content in (("01_a", damaged), ("02_b", f"{CLAIM}holds".encode())):
        tiny_notebooks.write(tmp_path / f"{name}.ipynb")
        (tmp_path / name).mkdir()
        (tmp_path / name / "claims.csv").write_bytes(content)
    claims, errors = ledger.write(tmp_path)
    assert claims["study"].tolist() == ["02"]
    assert pd.read_csv(tmp_path / "claims.csv")["verdict"].tolist() == ["holds"]
    (error,) = errors
    assert error.startswith(f"{tmp_path}/01_a/claims.csv: cannot be read (")
    assert error.endswith(
        "expected claims with columns claim, words, measure, value, measured, low, high, verdict, rests_on; "
        "run study 01 again"
    )
    assert "\n" not in error


def test_without_claims_the_ledger_is_empty_and_not_written(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "project", lambda part: tmp_path)
    claims, errors = ledger.write(tmp_path)
    assert (claims.empty, errors) == (True, [])
    assert [path.name for path in tmp_path.iterdir()] == [swap.LOCK]
