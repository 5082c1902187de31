"""What a report does not tell, whatever its notebook shows or fails by."""

import json

import pytest
import tiny_notebooks
from command_line import invoke
from nbformat import v4

from helpers.command import executing, private
from helpers.command.executing import Outcome
from helpers.command.placing import Told

PARAMETERS = """\
judgments: str = ""  # files
columns: str = ""  # which is which
names: bool = False  # keep names
results_dir: str = ""  # where tables are written
"""
SHOWS = "import os\nprint(judgments, os.getcwd(), os.path.expanduser('~/x'), columns and len(columns))"
FAILS = """\
try:
    open(judgments + "x")
except OSError as error:
    raise ValueError(f"{judgments}, line 3: {'Quiri' + 'na'} gave grade 2\\n   2 {'Quiri' + 'na'}") from error"""


@pytest.fixture
def study(studies_folder, tmp_path, monkeypatch):
    """A notebook of judgments that fails, and the folder of Quirina's, in which it is run."""
    desk = tmp_path / "Xanthippes-desk"
    desk.mkdir()
    for who in ("Quirina", "Xaverius"):
        (desk / f"{who}.csv").write_text(f"query,doc,{who}\nq,d,2\n")
    monkeypatch.setattr("helpers.command.rules.check_data", lambda *_: None)
    monkeypatch.chdir(desk)
    return tiny_notebooks.write(studies_folder / "06_yours.ipynb", SHOWS, FAILS, parameters=PARAMETERS)


def told_in(out):
    """All that a folder tells: what its files hold, and what they are called."""
    text = "".join(f"{file.relative_to(out)}\n{file.read_text()}" for file in out.rglob("*") if file.is_file())
    for word in ("Quirina", "Xaverius", "Xanthippe"):
        assert word not in text
    return text


def test_a_report_tells_neither_who_judged_nor_where_also_if_it_fails(study, tmp_path):
    given = {"judgments": "Quirina.csv,Xaverius.csv", "columns": "doc=doc,grade=Quirina"}
    told = [part for pair in given.items() for part in ("-p", *pair)]
    result = invoke("run", "06", *told, "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "Quirina gave grade 2" in result.stderr
    text = told_in(tmp_path / "out")
    assert "2 files" in text
    assert "doc=...,grade=..." in text
    assert "judgments,judgments . x 21" in text
    assert "ValueError: (what was found is left out, as it may name people: -p names true keeps it)" in text
    assert "----> 4     raise ValueError" in text


def test_a_batch_tells_files_apart_without_their_names(study, tmp_path, monkeypatch):
    def execute(job, board, stop):
        error = f"cell [1] raised ValueError: {job.settings['judgments']}, line 3: Quirina gave grade 2"
        return Outcome(1.0, error, None, Told(job.out / "none"))

    monkeypatch.setattr(executing, "report", execute)
    (tmp_path / "grid.yml").write_text(json.dumps({"judgments": ["Quirina.csv", "Xaverius.csv"]}))
    result = invoke("batch", "../grid.yml", "--out", tmp_path / "out", "--jobs", "1")
    assert result.exit_code == 1
    text = told_in(tmp_path / "out")
    assert "06,judgments 1,failed,1.0,cell [1] raised ValueError" in text
    assert "06,judgments 2,failed" in text


def test_a_path_is_told_by_the_name_of_its_file():
    given = {
        "dataset": "mq2008",
        "own": "/a/b/mine.txt",
        "several": "/a/q.txt,/a/runs/",
        "datasets": ["/a/b", "td2003"],
    }
    told = {"dataset": "mq2008", "own": "mine.txt", "several": "q.txt,runs", "datasets": ["b", "td2003"]}
    assert private.told(given) == told


def cleared(output, settings):
    cell = v4.new_code_cell(outputs=[output])
    private.clear(v4.new_notebook(cells=[cell], metadata={"papermill": {"parameters": {}}}), settings)
    return cell.outputs[0]


def test_what_a_figure_is_made_of_stays_as_it_is(tmp_path):
    data = {"image/png": f"{tmp_path}/x", "text/plain": f"{tmp_path}/x"}
    output = cleared(v4.new_output("display_data", data), {"dataset": f"{tmp_path}/mine.txt"})
    assert output.data == {"image/png": f"{tmp_path}/x", "text/plain": "x"}


def test_names_that_are_asked_for_are_kept_and_folders_are_not(tmp_path):
    found = f"{tmp_path}/Ann.csv, line 3: Ann"
    lines = [f"\x1b[32m{tmp_path}/a.py\x1b[0m", found]
    error = v4.new_output("error", ename="ValueError", evalue=found, traceback=lines)
    output = cleared(error, {"judgments": f"{tmp_path}/Ann.csv", "names": True})
    assert output.evalue == "Ann.csv, line 3: Ann"
    assert output.traceback == ["\x1b[32ma.py\x1b[0m", "Ann.csv, line 3: Ann"]
