"""What a class needs of the notebooks: an edition without solutions, slides, and a page for the teacher.

nbconvert puts the cells into sections by their `slideshow` metadata, as for reveal.js, which it would load from another
host. Here the sections are as high as the window and the browser's own scrolling stops at each; a few lines of script,
in the page, go from one to the next by the arrow keys.
"""

from __future__ import annotations

import copy
import re
import string
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbconvert import SlidesExporter
from nbformat import NotebookNode, v4

from helpers import files
from helpers.command import html
from helpers.command.notebooks import available

_STUDENTS, _SOLUTIONS, _SLIDES, _TEACHER = "students", "solutions", "slides", "teacher.html"
# what the page for the teacher says, with places for what is listed from the notebooks
_PAGE = Path(__file__).with_name("teacher.md")
# tags: of the cell that asks, the cell that answers, and the cell that says whether the answer is right
EXERCISE, SOLUTION, CHECK = "exercise", "solution", "check"
HINT = "# Hint"
_TO_BE_WRITTEN = "# Your solution"
# values of `slide_type` in the metadata of a cell: the first of a slide, one more on it, on none
_START, _GOES_ON, _SKIPPED = "slide", "-", "skip"
_SHOWN_LINES = 14  # code of more lines is not shown on a slide; what it printed is
_HEADING = re.compile(r"^#{1,6} ")


@dataclass(frozen=True)
class Exercise:
    """What is asked, in Markdown, and the code that solves it."""

    asked: str
    solution: str


def check_place(out: Path) -> None:
    """Raise ValueError where a class edition cannot be put: in a folder that holds something, or in place of a file."""
    files.check_links(out)
    if out.exists() and not (out.is_dir() and not any(out.iterdir())):
        raise ValueError(f"{out}: holds something already, expected a folder that is new or empty")


def write(out: Path) -> Path:
    """Make a class edition of every notebook of the project, whole or not at all.

    `students/` has the notebooks without solutions, `solutions/` those with them, `slides/` a page of HTML for each,
    and the page for the teacher says how an hour goes and lists all exercises. Outputs are those of the notebooks as
    they stand.
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
        _write(folder / _TEACHER, _teachers_page(titles, notebooks))
    return out / _TEACHER


def _teachers_page(titles: dict[str, str], notebooks: dict[str, NotebookNode]) -> str:
    """The page for the teacher as HTML."""
    text = string.Template(_PAGE.read_text(encoding="utf-8"))
    listed = text.substitute(files=_listed(titles, notebooks), exercises=_exercises(notebooks))
    return html.page(v4.new_notebook(cells=[v4.new_markdown_cell(listed)]), "For the teacher")


def _parts(name: str, title: str, notebook: NotebookNode) -> dict[str, str]:
    """File in the folder -> what it holds, of one notebook."""
    return {
        f"{_STUDENTS}/{name}.ipynb": nbformat.writes(for_students(notebook)) + "\n",
        f"{_SOLUTIONS}/{name}.ipynb": nbformat.writes(notebook) + "\n",
        f"{_SLIDES}/{name}.html": slides(notebook, title),
    }


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    with files.replacing(path) as file:
        file.write(text)


def _listed(titles: dict[str, str], notebooks: dict[str, NotebookNode]) -> str:
    """A table of Markdown, one row a notebook: its question, its files, and how many exercises it has."""
    rows = ["| notebook | its question | exercises | |", "|---|---|---|---|"]
    for name, notebook in notebooks.items():
        links = f"[for students]({_STUDENTS}/{name}.ipynb), [with solutions]({_SOLUTIONS}/{name}.ipynb), "
        links += f"[slides]({_SLIDES}/{name}.html)"
        rows.append(f"| {name} | {titles[name]} | {len(exercises(notebook)) or 'none'} | {links} |")
    return "\n".join(rows)


def _exercises(notebooks: dict[str, NotebookNode]) -> str:
    """Markdown: of each notebook that has exercises each of them, with its solution."""
    parts = []
    for name, notebook in notebooks.items():
        found = exercises(notebook)
        parts += [f"### {name}"] * bool(found)
        parts += [f"{each.asked}\n\n```python\n{each.solution}\n```" for each in found]
    return "\n\n".join(parts)


def tagged(cell: NotebookNode, *tags: str) -> bool:
    """Whether a cell has one of the tags."""
    return bool(set(tags) & set(cell.metadata.get("tags", [])))


def exercises(notebook: NotebookNode) -> list[Exercise]:
    """The exercises of a notebook in their order, each a cell tagged so with the next solution after it."""
    cells = [cell for cell in notebook.cells if tagged(cell, EXERCISE, SOLUTION)]
    asked = [number for number, cell in enumerate(cells) if tagged(cell, EXERCISE)]
    for number in asked:
        if not any(tagged(cell, SOLUTION) for cell in cells[number + 1 : number + 2]):
            raise ValueError(f"no cell tagged solution follows the exercise {cells[number].source[:60]!r}")
    return [Exercise(cells[number].source, cells[number + 1].source) for number in asked]


def for_students(notebook: NotebookNode) -> NotebookNode:
    """The notebook without what solves its exercises, and without what their checks said; the rest is as it was."""
    made = copy.deepcopy(notebook)
    for cell in made.cells:
        if tagged(cell, SOLUTION):
            cell.source = emptied(cell.source)
        if tagged(cell, SOLUTION, CHECK):
            cell.outputs, cell.execution_count = [], None
    return made


def emptied(source: str) -> str:
    """A solution without what solves: the hints that it begins with, and names of answers to be assigned."""
    hints = re.search(rf"^{HINT}.*(\n#.*)*", source, re.MULTILINE)
    names = dict.fromkeys(re.findall(r"^(answer_\d+) = ", source, re.MULTILINE))
    lines = ([hints[0]] if hints else []) + [f"{name} = ..." for name in names]
    return "\n".join(lines) or _TO_BE_WRITTEN


def slides(notebook: NotebookNode, title: str) -> str:
    """The HTML of a notebook's slides, its figures and formulas in it; solutions and checks are on none."""
    template = Path(__file__).with_name("slides.html.j2").read_text(encoding="utf-8")
    exporter = SlidesExporter(raw_template=template)
    exporter.register_filter("markdown2html", html.markdown)
    body, _ = exporter.from_notebook_node(laid_out(notebook), {"metadata": {"name": title}})
    return html.to_reports(body)  # the slides of another notebook are called as its report


def laid_out(notebook: NotebookNode) -> NotebookNode:
    """The notebook with a `slide_type` for every cell, its Markdown divided at headings.

    A slide begins at a heading, at an exercise, and at a text after one, or after something printed or drawn. Code that
    leaves nothing to see is on no slide, nor is a text that only introduces it. What a cell's own metadata say holds.
    A figure is called by the line of text before it.
    """
    made = copy.deepcopy(notebook)
    made.cells = [part for cell in made.cells for part in _divided(cell)]
    shown_before, text = False, ""
    for cell, following in zip(made.cells, [*made.cells[1:], None], strict=True):
        text = cell.source if cell.cell_type == "markdown" else text
        for output in cell.get("outputs", []):
            output.setdefault("metadata", NotebookNode())["alt"] = text.strip().rpartition("\n")[2]
        kind = _type(cell, following, shown_before)
        kind = cell.metadata.setdefault("slideshow", NotebookNode()).setdefault("slide_type", kind)
        if kind != _SKIPPED:
            shown_before = cell.cell_type == "code" or tagged(cell, EXERCISE)
        cell.metadata["transient"] = {"remove_source": cell.cell_type == "code" and not _code_is_shown(cell)}
    return made


def _divided(cell: NotebookNode) -> list[NotebookNode]:
    """The cell itself, or one for each heading in its Markdown and what stands under it."""
    sources = [source for source in re.split(r"(?m)^(?=##)", cell.source) if source.strip()]
    if cell.cell_type != "markdown" or len(sources) < 2:
        return [cell]
    parts = [copy.deepcopy(cell) for _ in sources]
    for number, (part, source) in enumerate(zip(parts, sources, strict=True)):
        part.update(source=source, id=f"{cell.id}-{number}")
    return parts


def _type(cell: NotebookNode, following: NotebookNode | None, shown_before: bool) -> str:
    if cell.cell_type == "code":
        return _SKIPPED if _leaves_nothing(cell) else _GOES_ON
    if tagged(cell, EXERCISE):
        return _START
    heading = _HEADING.match(cell.source)
    if _introduces_nothing(following, bool(heading)):
        return _SKIPPED
    return _START if heading or shown_before else _GOES_ON


def _leaves_nothing(cell: NotebookNode) -> bool:
    return not cell.outputs or tagged(cell, SOLUTION, CHECK)


def _introduces_nothing(following: NotebookNode | None, heading: bool) -> bool:
    """Whether the cell after a text is on no slide; a heading counts for more than the next cell, except parameters."""
    if following is None or following.cell_type != "code" or not _leaves_nothing(following):
        return False
    return not heading or tagged(following, "parameters")


def _code_is_shown(cell: NotebookNode) -> bool:
    """Of a figure, a table or a sentence only that is shown; what was printed, together with the code."""
    rich = {kind for output in cell.get("outputs", []) for kind in output.get("data", {})} - {"text/plain"}
    return not rich and cell.source.count("\n") < _SHOWN_LINES
