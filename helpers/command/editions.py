"""A notebook for a class: its exercises, and the edition in which students solve them."""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass

from nbformat import NotebookNode

EXERCISE, SOLUTION, CHECK = "exercise", "solution", "check"
"""Tags: of the cell that asks, the cell that answers, and the cell that says whether the answer is right."""

HINT = "# Hint"
TO_BE_WRITTEN = "# Your solution"


@dataclass(frozen=True)
class Exercise:
    """What is asked, in Markdown, and the code that solves it."""

    asked: str
    solution: str


def tagged(cell: NotebookNode, *tags: str) -> bool:
    """Whether a cell has one of the tags.

    Parameters
    ----------
    cell : of a notebook
    tags : names
    """
    return bool(set(tags) & set(cell.metadata.get("tags", [])))


def exercises(notebook: NotebookNode) -> list[Exercise]:
    """The exercises of a notebook in their order, each a cell tagged so with the next solution after it.

    Parameters
    ----------
    notebook : with its solutions

    Raises
    ------
    ValueError
        when an exercise has no solution before the next one.
    """
    cells = [cell for cell in notebook.cells if tagged(cell, EXERCISE, SOLUTION)]
    asked = [number for number, cell in enumerate(cells) if tagged(cell, EXERCISE)]
    for number in asked:
        if not any(tagged(cell, SOLUTION) for cell in cells[number + 1 : number + 2]):
            raise ValueError(f"no cell tagged solution follows the exercise {cells[number].source[:60]!r}")
    return [Exercise(cells[number].source, cells[number + 1].source) for number in asked]


def for_students(notebook: NotebookNode) -> NotebookNode:
    """The notebook without what solves its exercises, and without what their checks said; the rest is as it was.

    Parameters
    ----------
    notebook : with its solutions; it stays as it is
    """
    made = copy.deepcopy(notebook)
    for cell in made.cells:
        if tagged(cell, SOLUTION):
            cell.source = emptied(cell.source)
        if tagged(cell, SOLUTION, CHECK):
            cell.outputs, cell.execution_count = [], None
    return made


def emptied(source: str) -> str:
    """The code of a solution without the solution: the hints that it begins with, and names of answers to be assigned.

    Parameters
    ----------
    source : code; its comments from the first that begins with "# Hint" to the first line that is none are hints

    Examples
    --------
    >>> print(emptied("# Hint: two lines\\nequal = 3\\nanswer_1 = equal / 4"))
    # Hint: two lines
    answer_1 = ...
    """
    hints = re.search(rf"^{HINT}.*(\n#.*)*", source, re.MULTILINE)
    names = dict.fromkeys(re.findall(r"^(answer_\d+) = ", source, re.MULTILINE))
    lines = ([hints[0]] if hints else []) + [f"{name} = ..." for name in names]
    return "\n".join(lines) or TO_BE_WRITTEN
