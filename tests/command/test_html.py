import re

import pytest
from nbformat import v4
from parsed_html import Parsed, loaded

from helpers.command import html, pages

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg=="


def figure(name):
    return v4.new_output("display_data", {"image/png": PIXEL, "text/plain": name})


@pytest.fixture(scope="module")
def page():
    cells = [v4.new_markdown_cell("# Labels\n\nThe share $m_t = E[p^t]$ and\n\n$$\\sum_i x_i$$\n\n`$code$` costs 5 $.")]
    cells.append(v4.new_code_cell("seed: int = 1", metadata={"tags": ["parameters"]}))
    table = "<table class='dataframe'><tr><td>1</td></tr></table>"
    outputs = [
        v4.new_output("display_data", {"text/markdown": "so $1 + (k-1)\\,m_1$\n\n| a |\n|---|\n| 1 |"}),
        v4.new_output("display_data", {"text/html": table, "text/plain": "1"}),
        figure('Deep beats "shallow" & <all>'),
        figure("<Figure size 10x10 with 1 Axes>"),
        v4.new_output("display_data", {"application/vnd.jupyter.widget-view+json": {"model_id": "m"}}),
        v4.new_output("stream", name="stdout", text="1 < 2"),
    ]
    cells.append(v4.new_code_cell("import study\n_ = study.draw()", outputs=outputs))
    cells.append(v4.new_markdown_cell("See [the other](02_other.ipynb#Parameters) and [this](#Labels)."))
    cells.append(
        v4.new_code_cell("1 / 0", outputs=[v4.new_output("error", ename="E", evalue="v", traceback=["a < b"])])
    )
    state = {"application/vnd.jupyter.widget-state+json": {"state": {"m": {}}, "version_major": 2, "version_minor": 0}}
    return html.page(v4.new_notebook(cells=cells, metadata={"widgets": state}), "How <deep>?")


@pytest.fixture(scope="module")
def parsed(page):
    return Parsed(page)


def test_a_page_loads_nothing_from_elsewhere_and_runs_no_script(page, parsed):
    assert loaded(page) == []
    assert not parsed["script"]


@pytest.mark.parametrize(
    "foreign",
    [
        '<script src="https://a.b"></script>',
        "<script>1</script>",
        '<img src="a.png">',
        "<style>a{b:url(c)}</style>",
        '<link href="a">',
    ],
)
def test_what_would_be_loaded_is_seen(page, foreign):
    assert loaded(page.replace("<main>", f"<main>{foreign}"))


def test_formulas_are_drawn_and_say_their_source(parsed):
    drawn = [attributes["alt"] for attributes, _ in parsed["img"] if attributes.get("class") == "formula"]
    assert drawn == ["m_t = E[p^t]", r"\sum_i x_i", r"1 + (k-1)\,m_1"]


def test_a_figure_says_its_name_and_one_without_the_code_that_drew_it(parsed):
    names = [attributes["alt"] for attributes, inside in parsed["img"] if inside[-1] == "figure"]
    assert names == ['Deep beats "shallow" & <all>', "_ = study.draw()"]


def test_code_is_folded_and_parameters_are_not(page, parsed):
    folds = re.findall(
        r"<details class=\"code\"( open)?[^>]*><summary>(\w+)</summary>", page.replace('open=""', "open")
    )
    assert folds == [(" open", "Parameters"), ("", "Code"), ("", "Code")]
    assert all(inside[-1] == "section" for _, inside in parsed["details"])


def test_every_table_scrolls_in_a_box_of_its_own_and_so_does_a_figure(page, parsed):
    assert len(parsed["table"]) == 2
    assert all(inside[-1] == "div.scroll" for _, inside in parsed["table"])
    for rule in (
        r"\.scroll \{[^}]*overflow-x: auto",
        r"figure \{[^}]*overflow-x: auto",
        r"pre \{[^}]*overflow-x: auto",
    ):
        assert re.search(rule, page)


def test_what_cannot_be_shown_is_said_and_an_error_is_shown(page):
    assert "open in JupyterLab" in page
    assert "widget-state" not in page
    assert "1 &lt; 2" in page
    assert re.search('<pre class="failed">a &lt; b', page)


def test_code_and_lone_dollars_stay_as_they_are(page):
    assert "<code>$code$</code> costs 5 $." in page


def test_a_page_has_its_title_and_colours_for_the_dark(page):
    assert "<title>How &lt;deep&gt;?</title>" in page
    dark = page.split("@media screen and (prefers-color-scheme: dark)")
    assert len(dark) == 3  # of code, and of all else
    names = set(re.findall(r"var\((--\w+)\)", page))
    for block in (
        re.search(r":root \{(.*?)\}", page, re.DOTALL)[1],
        re.search(r":root \{(.*?)\}", dark[2], re.DOTALL)[1],
    ):
        assert set(re.findall(r"(--\w+):", block)) == names


def test_a_link_to_another_notebook_leads_to_its_report_or_to_the_index(page):
    assert 'href="#Labels"' in page
    there = pages.linked(page, "01_labels", {"01_labels": "01", "02_other": "02"})
    assert '<a href="02_other.html" data-report="02_other">' in there
    assert '<a href="02_other.html">02</a>' in there
    assert '<a href="01_labels.html" aria-current="page">01</a>' in there
    gone = pages.linked(there, "01_labels", {"01_labels": "01"})
    assert '<a href="index.html#02_other" data-report="02_other">' in gone
    assert gone.count("<nav") == 1
    assert pages.linked(gone, "01_labels", {"01_labels": "01", "02_other": "02"}) == there


def test_a_formula_that_cannot_be_drawn_is_left_readable():
    assert html.formula(r"\begin{align} a &< b \end{align}") == r"<code>\begin{align} a &amp;&lt; b \end{align}</code>"
