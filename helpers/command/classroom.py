"""What a class needs of the notebooks: editions for students and for an hour, slides, and a page for the teacher.

nbconvert puts the cells into sections by their `slideshow` metadata, as for reveal.js, which it would load from another
host. Here the sections are as high as the window and the browser's own scrolling stops at each; a few lines of script,
in the page, go from one to the next by the arrow keys and make smaller what would be higher than the window.
"""

from __future__ import annotations

import ast
import copy
import re
import string
import symtable
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbconvert import SlidesExporter
from nbformat import NotebookNode, v4

from helpers import files
from helpers.command import html
from helpers.command.notebooks import available

_STUDENTS, _HOUR, _SOLUTIONS, _SLIDES, _TEACHER = "students", "hour", "solutions", "slides", "teacher.html"
# what the page for the teacher says, with places for what is listed from the notebooks
_PAGE = Path(__file__).with_name("teacher.md")
# tags: of the cell that asks, the cell that answers, and the cell that says whether the answer is right
EXERCISE, SOLUTION, CHECK = "exercise", "solution", "check"
# tags of cells whose outputs a student is not to see before they are run, and of those that an hour is made of
ANSWER, CLASS = "answer", "class"
BRIEF = "brief"  # of cells whose outputs are on the page for a manager
_UNSEEN = (SOLUTION, CHECK, ANSWER, "predict")
_TO_BE_WRITTEN = "# Your solution"
_LOOK = "set_look"  # what is called for its effect on all figures, and so needed wherever there are any
# values of `slide_type` in the metadata of a cell: the first of a slide, one more on it, on none
_START, _GOES_ON, _SKIPPED = "slide", "-", "skip"
_SHOWN_LINES = 14  # code of more lines is not shown on a slide; what it printed is
_ROOM, _WIDTH = 18, 100  # lines of a slide, and letters of a line
_FIGURE, _ROW = 11, 1.3  # lines that a figure takes, and the row of a table
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

    `students/` has the notebooks without solutions, `hour/` what of them fits an hour, `solutions/` those with
    solutions, `slides/` a page of HTML for each, and the page for the teacher says how an hour goes and lists all
    exercises. Outputs are those of the notebooks as they stand.
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
    editions = {_STUDENTS: for_students(notebook), _SOLUTIONS: notebook}
    if _has_hour(notebook):
        editions[_HOUR] = for_an_hour(notebook)
    parts = {f"{folder}/{name}.ipynb": nbformat.writes(made) + "\n" for folder, made in editions.items()}
    return parts | {f"{_SLIDES}/{name}.html": slides(notebook, title)}


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    with files.replacing(path) as file:
        file.write(text)


def _listed(titles: dict[str, str], notebooks: dict[str, NotebookNode]) -> str:
    """A table of Markdown, one row a notebook: its question, its files, and how many exercises it has."""
    rows = ["| notebook | its question | exercises | |", "|---|---|---|---|"]
    for name, notebook in notebooks.items():
        links = f"[for an hour]({_HOUR}/{name}.ipynb), " if _has_hour(notebook) else ""
        links += f"[for students]({_STUDENTS}/{name}.ipynb), [with solutions]({_SOLUTIONS}/{name}.ipynb), "
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
    """The notebook without what solves its exercises, and without the outputs that a student is to find or predict.

    The code of all other cells is as it was, as later cells need what it makes.
    """
    made = copy.deepcopy(notebook)
    for cell in made.cells:
        if tagged(cell, SOLUTION):
            cell.source = emptied(cell.source)
        if cell.cell_type == "code" and tagged(cell, *_UNSEEN):
            cell.outputs, cell.execution_count = [], None
    return made


def emptied(source: str) -> str:
    """A solution without what solves: names of answers to be assigned."""
    names = dict.fromkeys(re.findall(r"^(answer_\d+) = ", source, re.MULTILINE))
    return "\n".join(f"{name} = ..." for name in names) or _TO_BE_WRITTEN


# --- an hour


def _has_hour(notebook: NotebookNode) -> bool:
    return any(tagged(cell, CLASS) for cell in notebook.cells)


def for_a_manager(notebook: NotebookNode, title: str) -> str:
    """The HTML of a page that is printed on one sheet: what the cells tagged `brief` left, without code."""
    made = copy.deepcopy(notebook)
    made.cells = [v4.new_markdown_cell(f"# {title}"), *(cell for cell in made.cells if tagged(cell, BRIEF))]
    return html.page(made, title, "brief")


def for_an_hour(notebook: NotebookNode) -> NotebookNode:
    """Those cells of the edition for students that are tagged `class`, and of the others the statements they need.

    The answer comes last, as a class votes first. Statements are found by the names that a cell takes from elsewhere,
    and stand together before the cell that needs them; the `parameters` cell comes as it is where one of them is.
    """
    made = for_students(notebook)
    answers = [number for number, cell in enumerate(made.cells) if tagged(cell, CLASS) and tagged(cell, ANSWER)]
    last = made.cells[answers[0] : answers[-1] + 1] if answers else []
    last = [copy.deepcopy(cell) for cell in last if tagged(cell, CLASS)]
    kept, needed = last[::-1], set()
    for cell in kept:
        cell.id = f"{cell.id}-last"
        needed = _before(cell, needed)
    for cell in reversed(made.cells):
        if tagged(cell, CLASS) and f"{cell.id}-last" not in [each.id for each in last]:
            kept.append(cell)
            needed = _before(cell, needed)
        elif cell.cell_type == "code" and not tagged(cell, SOLUTION, CHECK):
            statements, needed = _needed_of(cell, needed)
            if statements and tagged(cell, "parameters"):
                kept.append(cell)
            elif statements:
                _put_before(kept, cell, "\n".join(statements))
    made.cells = kept[::-1]
    return made


def _put_before(kept: list[NotebookNode], cell: NotebookNode, source: str) -> None:
    """Add code to the end of cells in reversed order: to the last of them where that is such code, too."""
    if kept and kept[-1].metadata.get("needed"):
        kept[-1].source = f"{source}\n{kept[-1].source}"
    else:
        kept.append(v4.new_code_cell(source, id=cell.id, metadata={"needed": True}))


def _before(cell: NotebookNode, needed: set[str]) -> set[str]:
    """The names that have to be there before a cell, for it and for what comes after it."""
    for statement in reversed(_statements(cell.source)) if cell.cell_type == "code" else ():
        bound, taken = _names(statement)
        needed = needed - bound | taken
    return needed


def _needed_of(cell: NotebookNode, needed: set[str]) -> tuple[list[str], set[str]]:
    """The statements of a cell that make one of the names, or what makes it, and the names needed before them."""
    kept = []
    for statement in reversed(_statements(cell.source)):
        bound, taken = _names(statement)
        if bound & needed or _changed(statement) & needed or _LOOK in statement:
            kept.insert(0, statement)
            needed = needed - bound | taken
    return kept, needed


def _statements(source: str) -> list[str]:
    lines = source.splitlines()
    return ["\n".join(lines[node.lineno - 1 : node.end_lineno]) for node in ast.parse(source).body]


def _names(statement: str) -> tuple[set[str], set[str]]:
    """The names that a statement binds, and those that it takes from elsewhere.

    >>> _names("def twice(x):\\n    return x * number")
    ({'twice'}, {'number'})
    """
    tables = [symtable.symtable(statement, "cell", "exec")]
    bound = {each.get_name() for each in tables[0].get_symbols() if each.is_assigned() or each.is_imported()}
    taken = {each.get_name() for each in tables[0].get_symbols() if each.is_referenced()}
    taken |= set(re.findall(r"@(\w+)", statement))  # in the query of a frame
    for table in tables:
        tables += table.get_children()
        taken |= {each.get_name() for each in table.get_symbols() if each.is_global() and each.is_referenced()}
    return bound, taken


def _changed(statement: str) -> set[str]:
    """The names of which a statement assigns a part."""
    nodes = [node for node in ast.walk(ast.parse(statement)) if isinstance(node, ast.Subscript | ast.Attribute)]
    return {node.value.id for node in nodes if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name)}


# --- slides


def slides(notebook: NotebookNode, title: str) -> str:
    """The HTML of a notebook's slides, its figures and formulas in it; solutions and checks are on none."""
    template = Path(__file__).with_name("slides.html.j2").read_text(encoding="utf-8")
    exporter = SlidesExporter(raw_template=template)
    exporter.register_filter("markdown2html", html.markdown)
    exporter.register_filter("called", html.called)
    body, _ = exporter.from_notebook_node(laid_out(notebook), {"metadata": {"name": title}})
    return html.to_reports(body)  # the slides of another notebook are called as its report


def laid_out(notebook: NotebookNode) -> NotebookNode:
    """The notebook with a `slide_type` for every cell, its Markdown divided at headings and where it is long.

    A slide begins at a heading, at an exercise, where what comes next has no room on it, and at a text after something
    printed or drawn, but for its first paragraph, which reads that. Code that leaves nothing to see is on no slide, nor
    is a text that only introduces it. What a cell's own metadata say holds.
    """
    made = copy.deepcopy(notebook)
    pairs = zip([None, *made.cells], made.cells, strict=False)
    made.cells = [part for before, cell in pairs for part in _divided(cell, _is_shown(before))]
    before, lines = None, 0
    for cell, following in zip(made.cells, [*made.cells[1:], None], strict=True):
        kind = _type(cell, following, before, lines)
        kind = cell.metadata.setdefault("slideshow", NotebookNode()).setdefault("slide_type", kind)
        if kind != _SKIPPED:
            lines = _lines(cell) + (lines if kind == _GOES_ON else 0)
            before = cell
        cell.metadata["transient"] = {"remove_source": cell.cell_type == "code" and not _code_is_shown(cell)}
    return made


def _divided(cell: NotebookNode, reads: bool) -> list[NotebookNode]:
    """The cell itself, or one for each heading in its Markdown, and one for the paragraph that reads what is shown."""
    if cell.cell_type != "markdown" or tagged(cell, EXERCISE):
        return [cell]
    sources = [part for part in re.split(r"(?m)^(?=##)", cell.source) if part.strip()]
    reading, _, rest = sources[0].partition("\n\n") if reads and not _HEADING.match(sources[0]) else ("", "", "")
    sources[:1] = [reading, rest] if rest else sources[:1]
    parts = [copy.deepcopy(cell) for _ in sources]
    for number, (part, source) in enumerate(zip(parts, sources, strict=True)):
        part.update(source=source, id=f"{cell.id}-{number}" if len(sources) > 1 else cell.id)
        part.metadata["opens"] = bool(_HEADING.match(source) or (rest and number))
    return parts


def _type(cell: NotebookNode, following: NotebookNode | None, before: NotebookNode | None, lines: float) -> str:
    if cell.cell_type == "code":
        return _fitting(cell, lines) if _is_shown(cell) else _SKIPPED
    if tagged(cell, EXERCISE):
        return _START
    opens = cell.metadata["opens"] or before is None or tagged(before, EXERCISE)
    if _introduces_nothing(following, bool(_HEADING.match(cell.source))):
        return _SKIPPED
    introduces = _is_shown(before) and cell.source.rstrip().endswith(":")
    return _START if opens or introduces else _fitting(cell, lines)


def _fitting(cell: NotebookNode, lines: int) -> str:
    return _START if lines + _lines(cell) > _ROOM else _GOES_ON


def _lines(cell: NotebookNode) -> float:
    """About how many lines of a slide a cell takes."""
    if cell.cell_type == "markdown":
        return 1 + _lines_of_text(cell.source)
    shown = 1 + cell.source.count("\n") if _code_is_shown(cell) else 0
    return shown + sum(map(_lines_of_output, cell.outputs))


def _lines_of_output(output: NotebookNode) -> float:
    data = output.get("data", {})
    if "image/png" in data:
        return _FIGURE
    if "text/html" in data:
        return _ROW * data["text/html"].count("<tr")
    return _lines_of_text(data.get("text/markdown") or data.get("text/plain") or output.get("text", ""))


def _lines_of_text(text: str) -> float:
    return sum(1 + len(line) // _WIDTH for line in text.splitlines() if line)


def _is_shown(cell: NotebookNode | None) -> bool:
    """Whether it is code that leaves something on a slide."""
    return cell is not None and cell.cell_type == "code" and not _leaves_nothing(cell)


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
