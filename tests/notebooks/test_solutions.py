"""Exercises of the committed notebooks: each has a solution and a check, and the student edition runs without them."""

import ast
import copy
import os
import re
import subprocess
import sys

import nbformat
import pytest
from nbclient import NotebookClient

from helpers.command import classroom
from helpers.command.notebooks import GUIDE, available

AT_LEAST, AT_MOST = 4, 6
IN_AN_HOUR = 18  # cells that are of no exercise
FOLDED = re.compile(r"<details><summary>Hint</summary>.+</details>\s*$", re.DOTALL)
LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
CHECK = re.compile(r"exercises\.check_(\d+)\(answer_(\d+)(, [^\n]*)?\)")
PARTS = (classroom.EXERCISE, classroom.SOLUTION, classroom.CHECK)
STUDIES = [study for study in available() if study.number != GUIDE and not study.is_appendix]


@pytest.fixture(scope="module", params=STUDIES, ids=lambda study: study.name)
def notebook(request):
    return nbformat.read(request.param.path, as_version=4)


def of(notebook, tag):
    return [cell for cell in notebook.cells if classroom.tagged(cell, tag)]


def test_there_are_enough_and_each_is_asked_solved_and_checked_in_turn(notebook):
    parts = [tag for cell in notebook.cells for tag in PARTS if classroom.tagged(cell, tag)]
    assert parts == list(PARTS) * (len(parts) // 3)
    assert AT_LEAST <= len(parts) // 3 <= AT_MOST
    of_each = zip(*(of(notebook, tag) for tag in PARTS), strict=True)
    for number, (exercise, solution, check) in enumerate(of_each, start=1):
        assert exercise.source.startswith(f"**Exercise {number}.** ")
        assert FOLDED.search(exercise.source)
        assert "# Hint" not in solution.source
        assert classroom.emptied(solution.source).endswith(f"answer_{number} = ...")
        assert CHECK.fullmatch(check.source).group(1, 2) == (str(number), str(number))
        assert [output.text for output in check.outputs] == ["Right.\n"]


def names(cell, kind):
    nodes = list(ast.walk(ast.parse(cell.source)))
    own = {node.arg for node in nodes if isinstance(node, ast.arg) and kind is ast.Store}
    return own | {node.id for node in nodes if isinstance(node, ast.Name) and type(node.ctx) is kind}


def test_no_other_cell_uses_what_a_solution_made(notebook):
    made = set()
    for cell in (cell for cell in notebook.cells if cell.cell_type == "code"):
        if classroom.tagged(cell, classroom.SOLUTION):
            made |= names(cell, ast.Store)
        elif not classroom.tagged(cell, classroom.CHECK):
            made -= names(cell, ast.Store)
            assert not made & names(cell, ast.Load)


@pytest.mark.parametrize("number", ["02", "04"])
def test_an_hour_is_short_and_has_every_name_that_its_cells_use(number):
    [study] = [study for study in STUDIES if study.number == number]
    hour = classroom.for_an_hour(nbformat.read(study.path, as_version=4)).cells
    assert len([cell for cell in hour if not classroom.tagged(cell, *PARTS)]) <= IN_AN_HOUR
    source = "\n".join(cell.source for cell in hour if cell.cell_type == "code")
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821", "-"]
    assert subprocess.run(command, input=source, capture_output=True, text=True).stdout == "All checks passed!\n"


@pytest.mark.skipif(not LARGE, reason="runs every notebook: LABEL_STUDIES_TESTS=all")
@pytest.mark.filterwarnings("default")
def test_the_edition_for_students_runs_and_no_check_has_an_answer(notebook):
    students = copy.deepcopy(classroom.for_students(notebook))
    NotebookClient(students, timeout=600).execute()
    # what is printed may come in pieces
    told = ["".join(output.text for output in cell.outputs) for cell in of(students, classroom.CHECK)]
    assert set(told) == {"No answer yet.\n"}
