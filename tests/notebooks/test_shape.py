"""A notebook answers first and stays short: cells, figures, panels and words, what its answer is, what figures say."""

import ast
import base64
import io
import itertools
import re

import nbformat
import pytest
from PIL import Image

from helpers.command import classroom
from helpers.command.notebooks import GUIDE, available

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

ALL = available()
MAIN = [study for study in ALL if not study.is_appendix and study.number != GUIDE]
named = {"argvalues": ALL, "ids": lambda study: study.number}


def tags(cell):
    return set(cell.metadata.get("tags", []))


def shown(cell, kind):
    """What the outputs of a cell hold of that kind."""
    return [output.data[kind] for output in cell.get("outputs", []) if kind in output.get("data", {})]


def printed(cell):
    return [output.text for output in cell.get("outputs", []) if output.output_type == "stream"]


@pytest.fixture
def cells(study):
    """The cells of a notebook that are of no exercise."""
    exercise = {classroom.EXERCISE, classroom.SOLUTION, classroom.CHECK}
    return [cell for cell in nbformat.read(study.path, as_version=4).cells if not tags(cell) & exercise]


def figures(cells):
    return [output for cell in cells for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]


def words(text):
    """How many words a reader sees of a text, but for tables and code."""
    lines = [line for line in text.splitlines() if not line.startswith("|")]
    return len(WORD.findall(TAG.sub(r"\1", "\n".join(lines))))


@pytest.mark.parametrize("study", **named)
def test_it_is_short(study, cells):
    assert len(cells) <= (CELLS_OF_APPENDIX if study.is_appendix else CELLS)
    code = [cell for cell in cells if cell.cell_type == "code" and "parameters" not in tags(cell)]
    assert [cell.source for cell in code if cell.source.count("\n") >= LINES] == []
    if study.is_appendix:
        return
    drawn = figures(cells)
    assert 1 <= len(drawn) <= FIGURES
    axes = [AXES.search(str(output.data["text/plain"])) for output in drawn]
    assert sum(int(found[1]) for found in axes if found) <= PANELS + COLOUR_BAR
    said = [text for cell in cells for text in (*shown(cell, "text/markdown"), *printed(cell))]
    assert words("\n".join([*said, *(cell.source for cell in cells if cell.cell_type == "markdown")])) <= WORDS


@pytest.mark.parametrize("study", MAIN, ids=lambda study: study.number)
def test_it_answers_first_in_few_words_and_with_a_figure_and_a_short_table(study, cells):
    said = [text for cell in cells for text in shown(cell, "text/markdown")]
    assert 0 < len(WORD.findall(TAG.sub(r"\1", said[0]))) <= WORDS_OF_ANSWER
    speaking = [cell for cell in cells if cell.cell_type == "code" and cell.get("outputs")]
    assert tags(speaking[0]) >= {"answer"}
    assert figures(speaking[:3])
    tables = [[line for line in text.splitlines() if line.startswith("|")] for text in said]
    head, _, *rows = next(filter(None, tables))
    assert len(rows) <= ROWS
    assert head.count("|") - 1 <= COLUMNS


@pytest.mark.parametrize("study", **named)
def test_a_sentence_stands_before_every_cell_of_code(study, cells):
    alone = [
        cell.source.splitlines()[0]
        for before, cell in itertools.pairwise(cells)
        if cell.cell_type == "code" and not tags(cell) & {"answer", "parameters"} and not speaks(before)
    ]
    assert alone == []


def speaks(cell):
    """Whether a cell leads to the next: a text, one that says, prints or draws something, one of imports alone."""
    if cell.cell_type == "markdown" or tags(cell) & {"parameters"}:
        return True
    alone = all(isinstance(node, ast.Import | ast.ImportFrom | ast.Expr) for node in ast.parse(cell.source).body)
    return bool(alone or printed(cell) or shown(cell, "text/markdown") or figures([cell]))


@pytest.mark.parametrize("study", **named)
def test_every_figure_says_what_it_shows_to_those_who_cannot_see_it_and_fits(study, cells):
    drawn = figures(cells)
    silent = [number for number, output in enumerate(drawn) if not output.metadata.get("image/png", {}).get("alt")]
    sizes = [Image.open(io.BytesIO(base64.b64decode(output.data["image/png"]))).width for output in drawn]
    assert silent == []
    assert [size for size in sizes if size > WIDEST] == []
