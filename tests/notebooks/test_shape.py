"""A notebook answers first and stays short: cells, figures, panels and words, what its answer is, what figures say."""

import ast
import base64
import io
import itertools
import re

import nbformat
import pytest
from PIL import Image

from helpers.command.notebooks import GUIDE, available

EXERCISE = {"exercise", "solution", "check"}

CELLS, CELLS_OF_APPENDIX = 35, 30
LINES = 12
FIGURES, PANELS = 5, 12
WORDS, WORDS_OF_ANSWER = 1500, 90
ROWS, COLUMNS = 6, 4  # of the table that answers
WIDEST = 1020  # pixels of a figure

TAG = re.compile(r"<[^>]*>|`[^`]*`|!?\[([^\]]*)\]\([^)]*\)")
WORD = re.compile(r"[A-Za-z]{2,}")
AXES = re.compile(r"with (\d+) Axes")
COLOUR_BAR = 1  # an axes that is no panel


def named(studies):
    return [pytest.param(study, id=study.number) for study in studies]


def tags(cell):
    return set(cell.metadata.get("tags", []))


def shown(cell, kind):
    """What the outputs of a cell hold of that kind."""
    return [output.data[kind] for output in cell.get("outputs", []) if kind in output.get("data", {})]


def cells_of(study):
    """The cells of a notebook that are of no exercise."""
    return [cell for cell in nbformat.read(study.path, as_version=4).cells if not tags(cell) & EXERCISE]


def figures(cells):
    return [output for cell in cells for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]


def words(cells):
    """Words that a reader sees: of texts and of what is said, but for tables and code."""
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    texts += [text for cell in cells for text in shown(cell, "text/markdown")]
    texts += [output.text for cell in cells for output in cell.get("outputs", []) if output.output_type == "stream"]
    lines = [line for text in texts for line in text.splitlines() if not line.startswith("|")]
    return len(WORD.findall(TAG.sub(r"\1", "\n".join(lines))))


def answer(study):
    """What the first cell that says something says."""
    return next(text for cell in cells_of(study) for text in shown(cell, "text/markdown"))


def first_table(study):
    said = [text.splitlines() for cell in cells_of(study) for text in shown(cell, "text/markdown")]
    return next(([line for line in lines if line.startswith("|")] for lines in said if any(
        line.startswith("|") for line in lines)), [])  # fmt: skip


ALL = available()
MAIN = [study for study in ALL if not study.is_appendix and study.number != GUIDE]


@pytest.mark.parametrize("study", named(ALL))
def test_it_has_few_cells(study):
    assert len(cells_of(study)) <= (CELLS_OF_APPENDIX if study.is_appendix else CELLS)


@pytest.mark.parametrize("study", named(ALL))
def test_a_cell_of_code_is_short(study):
    code = [cell for cell in cells_of(study) if cell.cell_type == "code" and "parameters" not in tags(cell)]
    long = [cell.source for cell in code if cell.source.count("\n") >= LINES]
    assert long == []


@pytest.mark.parametrize("study", named([study for study in ALL if not study.is_appendix]))
def test_it_has_few_figures_and_panels(study):
    drawn = figures(cells_of(study))
    assert 1 <= len(drawn) <= FIGURES
    axes = [AXES.search(str(output.data["text/plain"])) for output in drawn]
    assert sum(int(found[1]) for found in axes if found) <= PANELS + COLOUR_BAR


@pytest.mark.parametrize("study", named([study for study in ALL if not study.is_appendix]))
def test_it_has_few_words(study):
    assert words(cells_of(study)) <= WORDS


@pytest.mark.parametrize("study", named(MAIN))
def test_it_answers_first_in_few_words_and_with_a_figure_and_a_short_table(study):
    assert WORD.search(answer(study))
    assert len(WORD.findall(TAG.sub(r"\1", answer(study)))) <= WORDS_OF_ANSWER
    speaking = [cell for cell in cells_of(study) if cell.cell_type == "code" and cell.get("outputs")]
    assert tags(speaking[0]) >= {"answer"}
    assert figures(speaking[:3])
    head, _, *rows = first_table(study)
    assert len(rows) <= ROWS
    assert head.count("|") - 1 <= COLUMNS


@pytest.mark.parametrize("study", named(ALL))
def test_a_sentence_stands_before_every_cell_of_code(study):
    cells = cells_of(study)
    alone = [
        cell.source.splitlines()[0]
        for before, cell in itertools.pairwise(cells)
        if cell.cell_type == "code" and not tags(cell) & {"answer", "parameters"} and not speaks(before)
    ]
    assert alone == []


def speaks(cell):
    """Whether a cell leads to the next: a text, one that says, prints or draws something, one of imports."""
    if cell.cell_type == "markdown" or tags(cell) & {"parameters"} or imports_alone(cell):
        return True
    printed = any(output.output_type == "stream" for output in cell.get("outputs", []))
    return bool(printed or shown(cell, "text/markdown") or figures([cell]))


def imports_alone(cell):
    """Whether a cell of code does nothing but import and set what was imported."""
    return all(isinstance(node, ast.Import | ast.ImportFrom | ast.Expr) for node in ast.parse(cell.source).body)


@pytest.mark.parametrize("study", named(ALL))
def test_every_figure_says_what_it_shows_to_those_who_cannot_see_it_and_fits(study):
    drawn = figures(cells_of(study))
    silent = [number for number, output in enumerate(drawn) if not output.metadata.get("image/png", {}).get("alt")]
    sizes = [Image.open(io.BytesIO(base64.b64decode(output.data["image/png"]))).width for output in drawn]
    assert silent == []
    assert [size for size in sizes if size > WIDEST] == []
