import re

import pytest
from nbformat import v4

from helpers.command import html


@pytest.fixture(scope="module")
def page():
    cells = [v4.new_markdown_cell("# Labels\n\nThe share $m_t = E[p^t]$ and\n\n$$\\sum_i x_i$$\n\n`$code$` costs 5 $.")]
    cells.append(
        v4.new_code_cell("1", outputs=[v4.new_output("display_data", {"text/markdown": "so $1 + (k-1)\\,m_1$"})])
    )
    state = {"application/vnd.jupyter.widget-state+json": {"state": {}, "version_major": 2, "version_minor": 0}}
    return html.page(v4.new_notebook(cells=cells, metadata={"widgets": state}), "04_depth")


def test_a_page_loads_nothing_from_elsewhere(page):
    sources = re.findall(r"""<[^>]*\b(?:src|href)\s*=\s*["']([^"']*)""", page)
    assert [source[:5] for source in sources if not source.startswith("#")] == ["data:"] * 3
    assert re.findall(r"<script([^>]*)>", page) == [' type="application/vnd.jupyter.widget-state+json"']  # data only
    assert "@import" not in page
    assert not re.search(r"url\(\s*[\"']?http", page)


def test_formulas_are_drawn_and_say_their_source(page):
    assert re.findall(r'<img alt="([^"]*)"', page) == ["m_t = E[p^t]", r"\sum_i x_i", r"1 + (k-1)\,m_1"]


def test_code_and_lone_dollars_stay_as_they_are(page):
    assert "<code>$code$</code> costs 5 $." in page


def test_a_page_has_its_title_and_the_look_of_notebooks(page):
    assert "<title>04_depth</title>" in page
    assert "--jp-content-font-color1" in page


def test_a_formula_that_cannot_be_drawn_is_left_readable():
    assert html.formula(r"\begin{align} a &< b \end{align}") == r"<code>\begin{align} a &amp;&lt; b \end{align}</code>"
