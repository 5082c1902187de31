import os

import exercise_notebooks
import nbformat
import pytest
from command_line import invoke
from nbclient import NotebookClient

from helpers import paths
from helpers.command import class_edition, editions

NAME = "01_small"
PARTS = ["slides", "solutions", "students", "teacher.html"]


@pytest.fixture
def notebooks(tmp_path, monkeypatch):
    """Folder of one notebook with two exercises."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    exercise_notebooks.write(folder / f"{NAME}.ipynb")
    monkeypatch.setattr(paths, "project", lambda part: folder)
    return folder


def make(out):
    return invoke("class", "--out", out)


def read(out, part):
    return nbformat.read(out / part / f"{NAME}.ipynb", as_version=4)


def test_a_class_gets_notebooks_slides_and_a_page_for_the_teacher(notebooks, tmp_path):
    out = tmp_path / "in" / "class"
    result = make(out)
    assert (result.exit_code, result.output) == (0, f"{out / 'teacher.html'}\n")
    assert sorted(os.listdir(out)) == PARTS
    assert os.listdir(out / "students") == os.listdir(out / "solutions") == [f"{NAME}.ipynb"]
    assert os.listdir(out / "slides") == [f"{NAME}.html"]
    assert os.listdir(out.parent) == ["class"]
    assert read(out, "solutions") == nbformat.read(notebooks / f"{NAME}.ipynb", as_version=4)
    assert read(out, "students") == editions.for_students(read(out, "solutions"))


def test_an_appendix_is_there_too_and_a_notebook_without_exercises_stays_as_it_is(notebooks, tmp_path):
    appendix = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# More of it")])
    nbformat.write(appendix, notebooks / "01a_more.ipynb")
    assert make(tmp_path / "class").exit_code == 0
    assert sorted(os.listdir(tmp_path / "class" / "students")) == [f"{NAME}.ipynb", "01a_more.ipynb"]
    assert nbformat.read(tmp_path / "class" / "students" / "01a_more.ipynb", as_version=4) == appendix
    assert "More of it" in (tmp_path / "class" / "teacher.html").read_text(encoding="utf-8")


def test_the_page_for_the_teacher_has_every_exercise_its_solution_and_links_that_lead_somewhere(notebooks, tmp_path):
    out = tmp_path / "class"
    make(out)
    page = (out / "teacher.html").read_text(encoding="utf-8")
    assert page.count("Which is it?") == 2
    assert "An hour on 02" in page
    assert "An hour on 04" in page
    assert "$files" not in page
    assert "$exercises" not in page
    for folder, file in (("students", "ipynb"), ("solutions", "ipynb"), ("slides", "html")):
        assert f'href="{folder}/{NAME}.{file}"' in page
    assert "answer_2" in page


def test_a_folder_that_is_empty_is_taken(notebooks, tmp_path):
    (tmp_path / "class").mkdir()
    assert make(tmp_path / "class").exit_code == 0


@pytest.mark.parametrize("kept", ["class/mine.txt", "class/students/01_small.ipynb", "class"])
def test_what_holds_something_is_refused_in_one_line_and_stays_as_it_is(notebooks, tmp_path, kept):
    (tmp_path / kept).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / kept).write_text("mine")
    result = make(tmp_path / "class")
    told = f"Error: {tmp_path / 'class'}: holds something already, expected a folder that is new or empty\n"
    assert (result.exit_code, result.stderr) == (2, told)
    assert (tmp_path / kept).read_text() == "mine"


def test_an_exercise_without_a_solution_leaves_nothing(notebooks, tmp_path):
    notebook = nbformat.read(notebooks / f"{NAME}.ipynb", as_version=4)
    notebook.cells = [cell for cell in notebook.cells if not editions.tagged(cell, "solution")]
    nbformat.write(notebook, notebooks / f"{NAME}.ipynb")
    result = make(tmp_path / "class")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: no cell tagged solution follows the exercise")
    assert not (tmp_path / "class").exists()
    assert os.listdir(tmp_path) == ["notebooks"]


def said(notebook):
    """What each check of a notebook prints when it is run."""
    NotebookClient(notebook, timeout=60).execute()
    return [cell.outputs[0].text.strip() for cell in notebook.cells if editions.tagged(cell, "check")]


@pytest.mark.filterwarnings("default")
def test_both_editions_run_and_their_checks_say_no_answer_yet_and_right(notebooks, tmp_path):
    class_edition.write(tmp_path / "class")
    assert said(read(tmp_path / "class", "students")) == ["No answer yet."] * 2
    assert said(read(tmp_path / "class", "solutions")) == ["Right."] * 2
