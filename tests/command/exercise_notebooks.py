"""A notebook with exercises, for tests of what is made of it for a class."""

from pathlib import Path

import nbformat
import tiny_notebooks

TOLD = "from helpers.reporting.exercises import told"
SHARE = "# Hint: count,\n# then divide.\nequal = 3\nanswer_1 = equal / 4"
NAMES = "answer_2 = ['judge 1', 'judge 2']"


def write(path: Path) -> Path:
    """A study with two exercises whose solutions are right."""
    asked = {1: (SHARE, "0.75"), 2: (NAMES, "{'judge 1', 'judge 2'}")}
    cells = [cell(TOLD), cell("print('seen by all')")]
    for number, (solution, expected) in asked.items():
        cells.append(cell(f"**Exercise {number}.** Which is it?", "exercise", kind="markdown"))
        cells.append(cell(solution, "solution"))
        cells.append(cell(f"told(answer_{number}, {expected})", "check"))
    notebook = nbformat.read(tiny_notebooks.write(path, title="Do they agree?"), as_version=4)
    notebook.cells += cells
    nbformat.write(notebook, path)
    return path


def cell(source: str, *tags: str, kind: str = "code") -> nbformat.NotebookNode:
    made = nbformat.v4.new_code_cell(source) if kind == "code" else nbformat.v4.new_markdown_cell(source)
    if tags:
        made.metadata["tags"] = list(tags)
    return made
