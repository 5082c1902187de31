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
from collections.abc import Mapping
from pathlib import Path

import nbformat
from nbconvert import SlidesExporter
from nbformat import NotebookNode, v4

from helpers import files
from helpers.command import html
from helpers.command.notebooks import Study, available

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
    notebooks = {study: nbformat.read(study.path, as_version=4) for study in available()}
    made = {_TEACHER: _teachers_page(notebooks)}
    for study, notebook in notebooks.items():
        editions = {_STUDENTS: for_students(notebook), _SOLUTIONS: notebook}
        if _has_hour(notebook):
            editions[_HOUR] = for_an_hour(notebook)
        made |= {f"{part}/{study.name}.ipynb": nbformat.writes(each) + "\n" for part, each in editions.items()}
        made[f"{_SLIDES}/{study.name}.html"] = slides(notebook, study.title)
    if out.exists():
        out.rmdir()
    with files.new_folder(out) as folder:
        for part, text in made.items():
            (folder / part).parent.mkdir(exist_ok=True)
            (folder / part).write_text(text, encoding="utf-8", newline="")
    return out / _TEACHER


def _teachers_page(notebooks: Mapping[Study, NotebookNode]) -> str:
    """The page for the teacher as HTML: a row for each notebook, and its exercises, each with its solution."""
    rows, parts = ["| notebook | its question | exercises | |", "|---|---|---|---|"], []
    for study, notebook in notebooks.items():
        name, found = study.name, exercises(notebook)
        links = f"[for an hour]({_HOUR}/{name}.ipynb), " if _has_hour(notebook) else ""
        links += f"[for students]({_STUDENTS}/{name}.ipynb), [with solutions]({_SOLUTIONS}/{name}.ipynb), "
        links += f"[slides]({_SLIDES}/{name}.html)"
        rows.append(f"| {name} | {study.title} | {len(found) or 'none'} | {links} |")
        parts += [f"### {name}"] * bool(found)
        parts += [f"{asked}\n\n```python\n{solution}\n```" for asked, solution in found]
    page = string.Template(_PAGE.read_text(encoding="utf-8"))
    listed = page.substitute(files="\n".join(rows), exercises="\n\n".join(parts))
    return html.page(v4.new_notebook(cells=[v4.new_markdown_cell(listed)]), "For the teacher")


def tagged(cell: NotebookNode, *tags: str) -> bool:
    """Whether a cell has one of the tags."""
    return bool(set(tags) & set(cell.metadata.get("tags", [])))


def exercises(notebook: NotebookNode) -> list[tuple[str, str]]:
    """What the exercises of a notebook ask, in Markdown, with the code that solves each: the next cell tagged so."""
    cells = [cell for cell in notebook.cells if tagged(cell, EXERCISE, SOLUTION)]
    asked = [number for number, cell in enumerate(cells) if tagged(cell, EXERCISE)]
    for number in asked:
        if not any(tagged(cell, SOLUTION) for cell in cells[number + 1 : number + 2]):
            raise ValueError(f"no cell tagged solution follows the exercise {cells[number].source[:60]!r}")
    return [(cells[number].source, cells[number + 1].source) for number in asked]


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
        _, needed = _needed(cell, needed, whole=True)
    for cell in reversed(made.cells):
        if tagged(cell, CLASS) and f"{cell.id}-last" not in [each.id for each in last]:
            kept.append(cell)
            _, needed = _needed(cell, needed, whole=True)
        elif cell.cell_type == "code" and not tagged(cell, SOLUTION, CHECK):
            statements, needed = _needed(cell, needed)
            if statements and tagged(cell, "parameters"):
                kept.append(cell)
            elif statements and kept and kept[-1].metadata.get("needed"):
                kept[-1].source = "\n".join([*statements, kept[-1].source])
            elif statements:
                kept.append(v4.new_code_cell("\n".join(statements), id=cell.id, metadata={"needed": True}))
    made.cells = kept[::-1]
    return made


def _needed(cell: NotebookNode, needed: set[str], whole: bool = False) -> tuple[list[str], set[str]]:
    """The statements of a cell that make one of the names, or what makes it, or all; the names needed before them."""
    kept = []
    for statement in reversed(_statements(cell.source)) if cell.cell_type == "code" else ():
        bound, taken = _names(statement)
        if whole or bound & needed or _LOOK in statement:
            kept.insert(0, statement)
            needed = needed - bound | taken
    return kept, needed


def _statements(source: str) -> list[str]:
    lines = source.splitlines()
    return ["\n".join(lines[node.lineno - 1 : node.end_lineno]) for node in ast.parse(source).body]


def _names(statement: str) -> tuple[set[str], set[str]]:
    """The names that a statement binds, wholly or a part of them, and those that it takes from elsewhere.

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
    parts = [node for node in ast.walk(ast.parse(statement)) if isinstance(node, ast.Subscript | ast.Attribute)]
    changed = (node.value for node in parts if isinstance(node.ctx, ast.Store))
    return bound | {value.id for value in changed if isinstance(value, ast.Name)} & taken, taken


# --- slides


def slides(notebook: NotebookNode, title: str) -> str:
    """The HTML of a notebook's slides, its figures and formulas in it; solutions and checks are on none."""
    return html.exported(SlidesExporter, "slides.html.j2", laid_out(notebook), title)


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
    fitting = _START if lines + _lines(cell) > _ROOM else _GOES_ON
    if cell.cell_type == "code":
        return fitting if _is_shown(cell) else _SKIPPED
    if tagged(cell, EXERCISE):
        return _START
    unseen = following and following.cell_type == "code" and not _is_shown(following)
    if unseen and (not _HEADING.match(cell.source) or tagged(following, "parameters")):
        return _SKIPPED  # a heading counts for more than the next cell
    opens = cell.metadata["opens"] or before is None or tagged(before, EXERCISE)
    introduces = _is_shown(before) and cell.source.rstrip().endswith(":")
    return _START if opens or introduces else fitting


def _lines(cell: NotebookNode) -> float:
    """About how many lines of a slide a cell takes."""
    if cell.cell_type == "markdown":
        return 1 + _lines_of_text(cell.source)
    lines = 1 + cell.source.count("\n") if _code_is_shown(cell) else 0
    for output in cell.outputs:
        data = output.get("data", {})
        if "image/png" in data:
            lines += _FIGURE
        elif "text/html" in data:
            lines += _ROW * data["text/html"].count("<tr")
        else:
            lines += _lines_of_text(data.get("text/markdown") or data.get("text/plain") or output.get("text", ""))
    return lines


def _lines_of_text(text: str) -> float:
    return sum(1 + len(line) // _WIDTH for line in text.splitlines() if line)


def _is_shown(cell: NotebookNode | None) -> bool:
    """Whether it is code that leaves something on a slide."""
    return bool(cell and cell.cell_type == "code" and cell.outputs and not tagged(cell, SOLUTION, CHECK))


def _code_is_shown(cell: NotebookNode) -> bool:
    """Of a figure, a table or a sentence only that is shown; what was printed, together with the code."""
    rich = {kind for output in cell.get("outputs", []) for kind in output.get("data", {})} - {"text/plain"}
    return not rich and cell.source.count("\n") < _SHOWN_LINES
