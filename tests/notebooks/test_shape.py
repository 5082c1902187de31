"""A notebook answers first and stays short: how many cells, figures and tables it has, and what stands before them."""

import ast
import itertools
import re

import nbformat
import pytest

from helpers.command.notebooks import GUIDE, available

FIGURES, TABLES, ROWS, IMPORTS = 8, 5, 10, 8
CELLS = range(12, 26)
FIGURES_OF_GUIDE = FIGURES + 1
"""One a study, and the ledger."""

FIRST = 5
"""Cells of code within which the answer and its figure stand."""

EXERCISE = {"solution", "check"}
HTML_ROW = re.compile(r"<tr\b")
CARD = "| claim "
COMPUTED = re.compile(r"\b(findings\.|titles\.|guide\.of_|in_words|title|headed\(|forest\()")
"""Where a figure's title is made."""


@pytest.fixture(
    scope="module", params=[study for study in available() if not study.is_appendix], ids=lambda study: study.name
)
def study(request):
    return request.param


@pytest.fixture(scope="module")
def cells(study):
    return nbformat.read(study.path, as_version=4).cells


def tags(cell):
    return set(cell.metadata.get("tags", []))


def code(cells):
    """The code cells that are not of an exercise."""
    return [cell for cell in cells if cell.cell_type == "code" and not tags(cell) & EXERCISE]


def shown(cell, kind):
    """What the outputs of a cell hold of that kind."""
    return [output.data[kind] for output in cell.get("outputs", []) if kind in output.get("data", {})]


def tables(cell):
    """Rows of each table that a cell shows: of frames, and of Markdown but for the answer card."""
    rows = [len(HTML_ROW.findall(page.partition("<tbody")[2])) for page in shown(cell, "text/html") if "<table" in page]
    for text in shown(cell, "text/markdown"):
        lines = [line for line in text.splitlines() if line.startswith("|")]
        rows += [len(lines) - 2] if lines and not lines[0].startswith(CARD) else []
    return rows


def test_it_has_few_cells_of_code(study, cells):
    most = CELLS[-1]
    least = 1 if study.number == GUIDE else CELLS[0]
    assert least <= len(code(cells)) <= most


def test_it_has_few_figures(study, cells):
    drawn = sum(len(shown(cell, "image/png")) for cell in cells)
    assert 1 <= drawn <= (FIGURES_OF_GUIDE if study.number == GUIDE else FIGURES)


def test_it_has_few_tables_and_these_are_short(cells):
    rows = [count for cell in cells for count in tables(cell)]
    assert len(rows) <= TABLES
    assert max(rows, default=0) <= ROWS


def test_cells_import_little(cells):
    assert max(map(imports_in, code(cells))) <= IMPORTS


def is_import(node):
    return isinstance(node, ast.Import | ast.ImportFrom)


def imports_in(cell):
    """Lines of a cell that import."""
    return sum(node.end_lineno - node.lineno + 1 for node in ast.parse(cell.source).body if is_import(node))


def test_a_sentence_stands_before_every_cell_of_code(cells):
    alone = [
        cell.source.splitlines()[0]
        for before, cell in itertools.pairwise(cells)
        if cell.cell_type == "code" and before.cell_type != "markdown" and "check" not in tags(cell)
    ]
    assert alone == []


def test_every_figure_has_a_title_that_is_computed(cells):
    untitled = [cell.source for cell in cells if shown(cell, "image/png") and not COMPUTED.search(cell.source)]
    assert untitled == []


def test_it_answers_before_it_explains(cells):
    first = code(cells)[:FIRST]
    assert any(shown(cell, "text/markdown") for cell in first)
    assert any(shown(cell, "image/png") for cell in first)


def test_the_rows_of_a_table_are_counted():
    frame = "<table><thead><tr><th>a</th></tr></thead><tbody><tr></tr><tr></tr></tbody></table>"
    markdown = "Said.\n\n| rule | verdict |\n| :-- | :-- |\n| one | holds |"
    outputs = [
        nbformat.v4.new_output("display_data", {"text/html": frame}),
        nbformat.v4.new_output("display_data", {"text/markdown": markdown}),
        nbformat.v4.new_output("display_data", {"text/markdown": f"{CARD} verdict |\n| :-- | :-- |\n| c | open |"}),
        nbformat.v4.new_output("display_data", {"text/markdown": "No table."}),
    ]
    assert tables(nbformat.v4.new_code_cell("", outputs=outputs)) == [2, 1]
