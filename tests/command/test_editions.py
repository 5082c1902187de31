import copy

import exercise_notebooks
import nbformat
import pytest
from exercise_notebooks import cell

from helpers.command import editions


@pytest.fixture
def notebook(tmp_path):
    return nbformat.read(exercise_notebooks.write(tmp_path / "01_small.ipynb"), as_version=4)


@pytest.mark.parametrize(
    ("solution", "left"),
    [
        ("# Hint: add.\nanswer_1 = 1 + 1", "# Hint: add.\nanswer_1 = ..."),
        (
            "# Hint: count,\n# then divide.\nhalf = 1\n# so\nanswer_2 = half",
            "# Hint: count,\n# then divide.\nanswer_2 = ...",
        ),
        ("# A solution\n# Hint: add.\n# Hint: carry.\nanswer_1 = 2", "# Hint: add.\n# Hint: carry.\nanswer_1 = ..."),
        ("answer_1 = 1\nanswer_1 = answer_1 + 1\nanswer_12 = 3", "answer_1 = ...\nanswer_12 = ..."),
        ("told = 1\nif told:\n    answer_1 = 2", "# Your solution"),
        ("# Hint: only think.", "# Hint: only think."),
    ],
)
def test_of_a_solution_hints_and_names_of_answers_are_left(solution, left):
    assert editions.emptied(solution) == left


def test_students_get_all_cells_but_no_solution_and_no_verdict(notebook):
    for each in notebook.cells[2:]:
        if each.cell_type == "code":
            each.outputs = [nbformat.v4.new_output("stream", text="Right.")]
            each.execution_count = 1
    before = copy.deepcopy(notebook)
    made = editions.for_students(notebook)
    assert notebook == before
    assert [each.id for each in made.cells] == [each.id for each in before.cells]
    for each, old in zip(made.cells, before.cells, strict=True):
        if editions.tagged(each, "solution", "check"):
            assert (each.outputs, each.execution_count) == ([], None)
        else:
            assert each == old
    sources = [each.source for each in made.cells if editions.tagged(each, "solution")]
    assert sources == ["# Hint: count,\n# then divide.\nanswer_1 = ...", "answer_2 = ..."]
    nbformat.validate(made)


def test_exercises_are_listed_with_the_solution_that_follows_each(notebook):
    first, second = editions.exercises(notebook)
    assert first == editions.Exercise("**Exercise 1.** Which is it?", exercise_notebooks.SHARE)
    assert second == editions.Exercise("**Exercise 2.** Which is it?", exercise_notebooks.NAMES)


def test_an_exercise_without_a_solution_is_refused(notebook):
    at = next(number for number, each in enumerate(notebook.cells) if editions.tagged(each, "solution"))
    del notebook.cells[at]
    with pytest.raises(ValueError, match=r"no cell tagged solution follows the exercise '\*\*Exercise 1"):
        editions.exercises(notebook)
    notebook.cells = [cell("**Exercise 9.**", "exercise", kind="markdown")]
    with pytest.raises(ValueError, match="Exercise 9"):
        editions.exercises(notebook)
