import re

import pytest
from exercise_notebooks import cell
from nbformat import v4

from helpers.command import slides

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def text(source, *tags):
    return cell(source, *tags, kind="markdown")


def code(source, *tags, printed="", **data):
    made = cell(source, *tags)
    if printed:
        made.outputs.append(v4.new_output("stream", text=printed))
    if data:
        made.outputs.append(
            v4.new_output("display_data", data={kind.replace("_", "/"): of for kind, of in data.items()})
        )
    return made


def types(*cells):
    made = slides.laid_out(v4.new_notebook(cells=list(cells)))
    return [each.metadata.slideshow.slide_type for each in made.cells]


def test_a_slide_begins_at_a_heading_at_an_exercise_and_at_a_text_after_something_shown():
    cells = [text("# A question"), text("More of it."), text("## A result"), code("draw()", image_png=PIXEL)]
    cells += [code("show()", text_html="<table></table>"), text("What it says."), text("**Exercise 1.**", "exercise")]
    assert types(*cells) == ["slide", "-", "slide", "-", "-", "slide", "slide"]


def test_what_leaves_nothing_to_see_is_on_no_slide_nor_a_text_that_only_introduces_it():
    cells = [
        text("# A question"),
        text("## Parameters"),
        code("n = 3", "parameters"),
        text("The calls:"),
        code("import os"),
    ]
    assert types(*cells) == ["slide", "skip", "skip", "skip", "skip"]


def test_a_heading_stays_though_the_next_cell_is_on_no_slide():
    assert types(text("# A question"), text("## Drawn"), code("def draw(): ..."), code("draw()", printed="3")) == [
        "slide",
        "slide",
        "skip",
        "-",
    ]


def test_solutions_and_checks_are_on_no_slide():
    cells = [text("**Exercise 1.**", "exercise"), code("answer_1 = 3", "solution", printed="3")]
    cells += [code("check_1(answer_1)", "check", printed="Right.")]
    assert types(*cells) == ["slide", "skip", "skip"]


def test_a_text_is_divided_at_its_headings():
    made = slides.laid_out(v4.new_notebook(cells=[text("# A question\n\nWhy?\n\n## One\n\n# not this\n\n### Two")]))
    assert [each.source for each in made.cells] == ["# A question\n\nWhy?\n\n", "## One\n\n# not this\n\n", "### Two"]
    assert len({each.id for each in made.cells}) == 3


def test_what_the_metadata_of_a_cell_say_holds():
    here, gone = text("more"), text("## Aside")
    here.metadata["slideshow"], gone.metadata["slideshow"] = {"slide_type": "slide"}, {"slide_type": "skip"}
    assert types(text("# A question"), here, gone) == ["slide", "slide", "skip"]


def test_the_notebook_stays_as_it_is():
    notebook = v4.new_notebook(cells=[text("# A question\n\n## One"), code("print(3)", printed="3")])
    before = str(notebook)
    slides.page(notebook, "A question")
    assert str(notebook) == before


@pytest.fixture
def page():
    cells = [text("# A question\n\n$E = m$"), code("print(2 + 3)", printed="five"), text("## Drawn")]
    cells += [code("draw_it()", image_png=PIXEL), code("tell()", text_markdown="*said*"), text("## Long")]
    cells += [code("\n".join(["step()"] * 30), printed="long"), text("**Exercise 1.**", "exercise")]
    cells += [code("answer_1 = 42", "solution"), code("exercises.check_1(answer_1)", "check", printed="Right.")]
    return slides.page(v4.new_notebook(cells=cells), "Questions & answers")


def test_code_is_shown_with_what_it_printed_unless_it_is_long_and_never_above_a_figure_or_a_sentence(page):
    body = re.sub(r"<[^>]*>", "", page[page.index("<body") :])
    for shown in ("print", "five", "said", "long", "Exercise 1."):
        assert shown in body
    for hidden in ("draw_it", "tell", "step()", "answer_1", "check_1", "Right."):
        assert hidden not in body
    assert f"data:image/png;base64,{PIXEL}" in page


def test_a_figure_is_called_by_the_line_before_it_and_links_lead_to_other_slides():
    cells = [text("# A question\n\nSee [another](02_other.ipynb).\nAll < none:"), code("draw()", image_png=PIXEL)]
    made = slides.page(v4.new_notebook(cells=cells), "A question")
    assert re.findall(r'<img alt="([^"]*)"', made) == ["All &lt; none:"]
    assert 'href="02_other.html"' in made


def test_sections_are_closed_and_each_slide_is_one(page):
    assert page.count("<section") == page.count("</section>") == 2 * 4  # a stack and the slide in it
    assert "<title>Questions &amp; answers</title>" in page


def test_the_page_asks_no_other_host_for_anything(page):
    asked = re.findall(r"<(?:script|img|link|iframe)\b[^>]*?\s(?:src|href)=[\"']?([^\"'\s>]+)", page)
    assert len(asked) == 2
    assert all(address.startswith("data:") for address in asked)
    assert not re.findall(r"@import|url\(\s*[\"']?https?:", page)
    assert page.count("<script") == page.count("</script>") == 1
    assert 'alt="E = m"' in page
