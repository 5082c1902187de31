"""A folder for a class: notebooks without solutions, with them, slides, and a page for the teacher."""

from __future__ import annotations

import string
from pathlib import Path

import nbformat
from nbformat import NotebookNode, v4

from helpers import files
from helpers.command import editions, html, slides
from helpers.command.notebooks import available

STUDENTS, SOLUTIONS, SLIDES, TEACHER = "students", "solutions", "slides", "teacher.html"

PAGE = Path(__file__).with_name("teacher.md")
"""What the page for the teacher says, with places for what is listed from the notebooks."""


def check_place(out: Path) -> None:
    """Raise ValueError where a class edition cannot be put: in a folder that holds something, or in place of a file.

    Parameters
    ----------
    out : where it is to be
    """
    files.check_links(out)
    if out.exists() and not (out.is_dir() and not any(out.iterdir())):
        raise ValueError(f"{out}: holds something already, expected a folder that is new or empty")


def write(out: Path) -> Path:
    """Make a class edition of every notebook of the project, whole or not at all.

    `students/` has the notebooks without solutions, `solutions/` those with them, `slides/` a page of HTML for each,
    and the page for the teacher says how an hour goes and lists all exercises. Outputs are those of the notebooks as
    they stand.

    Parameters
    ----------
    out : folder that is made; it may be there if it is empty

    Returns
    -------
    The page for the teacher.

    Raises
    ------
    ValueError
        when the folder holds something, or an exercise has no solution.
    OSError
        when it cannot be written.
    """
    check_place(out)
    titles = {study.name: study.title for study in available()}
    notebooks = {study.name: nbformat.read(study.path, as_version=4) for study in available()}
    if out.exists():
        out.rmdir()
    with files.new_folder(out) as folder:
        for name, notebook in notebooks.items():
            for part, text in _parts(name, titles[name], notebook).items():
                _write(folder / part, text)
        _write(folder / TEACHER, teachers_page(titles, notebooks))
    return out / TEACHER


def teachers_page(titles: dict[str, str], notebooks: dict[str, NotebookNode]) -> str:
    """The page for the teacher as HTML.

    Parameters
    ----------
    titles : stem -> first heading of each notebook
    notebooks : stem -> notebook, of which the files and the exercises are listed
    """
    text = string.Template(PAGE.read_text(encoding="utf-8"))
    listed = text.substitute(files=_listed(titles, notebooks), exercises=_exercises(notebooks))
    return html.page(v4.new_notebook(cells=[v4.new_markdown_cell(listed)]), "For the teacher")


def _parts(name: str, title: str, notebook: NotebookNode) -> dict[str, str]:
    """File in the folder -> what it holds, of one notebook."""
    return {
        f"{STUDENTS}/{name}.ipynb": nbformat.writes(editions.for_students(notebook)) + "\n",
        f"{SOLUTIONS}/{name}.ipynb": nbformat.writes(notebook) + "\n",
        f"{SLIDES}/{name}.html": slides.page(notebook, title),
    }


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    with files.replacing(path) as file:
        file.write(text)


def _listed(titles: dict[str, str], notebooks: dict[str, NotebookNode]) -> str:
    """A table of Markdown, one row a notebook: its question, its files, and how many exercises it has."""
    rows = ["| notebook | its question | exercises | |", "|---|---|---|---|"]
    for name, notebook in notebooks.items():
        links = f"[for students]({STUDENTS}/{name}.ipynb), [with solutions]({SOLUTIONS}/{name}.ipynb), "
        links += f"[slides]({SLIDES}/{name}.html)"
        rows.append(f"| {name} | {titles[name]} | {len(editions.exercises(notebook)) or 'none'} | {links} |")
    return "\n".join(rows)


def _exercises(notebooks: dict[str, NotebookNode]) -> str:
    """Markdown: of each notebook that has exercises each of them, with its solution."""
    parts = []
    for name, notebook in notebooks.items():
        found = editions.exercises(notebook)
        parts += [f"### {name}"] * bool(found)
        parts += [f"{each.asked}\n\n```python\n{each.solution}\n```" for each in found]
    return "\n\n".join(parts)
