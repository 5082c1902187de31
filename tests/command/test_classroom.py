"""What a class gets: notebooks without solutions, slides, and a page for the teacher."""

import copy
import os
import re
from pathlib import Path

import nbformat
import pytest
import tiny_notebooks
from command_line import invoke
from nbclient import NotebookClient
from nbformat import v4
from tiny_notebooks import PIXEL, code, text

from helpers import paths
from helpers.command import classroom

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
TOLD = "from helpers.reporting.exercises import told"
SHARE = "equal = 3\nanswer_1 = equal / 4"
NAMES = "answer_2 = ['judge 1', 'judge 2']"


def write(path: Path) -> Path:
    """A study with two exercises whose solutions are right."""
    asked = {1: (SHARE, "0.75"), 2: (NAMES, "{'judge 1', 'judge 2'}")}
    notebook = nbformat.read(tiny_notebooks.write(path, title="Do they agree?"), as_version=4)
    notebook.cells += [code(TOLD), code("print('seen by all')")]
    for number, (solution, expected) in asked.items():
        notebook.cells.append(text(f"**Exercise {number}.** Which is it?", "exercise"))
        notebook.cells += [code(solution, "solution"), code(f"told(answer_{number}, {expected})", "check")]
    nbformat.write(notebook, path)
    return path


@pytest.fixture
def notebook(tmp_path):
    return nbformat.read(write(tmp_path / "01_small.ipynb"), as_version=4)


def test_of_a_solution_the_names_of_answers_are_left():
    solutions = {
        "# Add.\nhalf = 1\nanswer_1 = half + 1": "answer_1 = ...",
        "answer_1 = 1\nanswer_1 = answer_1 + 1\nanswer_12 = 3": "answer_1 = ...\nanswer_12 = ...",
        "told = 1\nif told:\n    answer_1 = 2": "# Your solution",
    }
    assert {solution: classroom.emptied(solution) for solution in solutions} == solutions


def test_students_get_all_cells_but_no_solution_and_no_output_that_they_are_to_find(notebook):
    notebook.cells += [code("share = 2\nshare", "answer"), code("run(3)", "predict"), code("share", "exhibit")]
    for each in notebook.cells[2:]:
        if each.cell_type == "code":
            each.outputs = [nbformat.v4.new_output("stream", text="Right.")]
            each.execution_count = 1
    before = copy.deepcopy(notebook)
    made = classroom.for_students(notebook)
    assert notebook == before
    unseen = [each for each in made.cells if classroom.tagged(each, "solution", "check", "answer", "predict")]
    assert [(each.outputs, each.execution_count) for each in unseen] == [([], None)] * 6
    assert [each.source for each in unseen if classroom.tagged(each, "solution")] == [
        "answer_1 = ...",
        "answer_2 = ...",
    ]
    for each, old in zip(made.cells, before.cells, strict=True):
        assert each == old or each in unseen
        assert each.source == old.source or classroom.tagged(each, "solution")
    nbformat.validate(made)


WHOLE = [
    ("import math\nfrom os import path, sep\nset_look()", ""),
    ("import json\nunused = json\nsay(unused)", "class answer"),
    ("seed: int = 1\nscale: str = 'demo'", "parameters"),
    ("base = seed + 1\nother = base\ntable = {}", ""),
    ("table['a'] = base\nprint(other)", "exhibit"),
    ("def double(x):\n    base, table = x, {}\n    table['b'] = x\n    return math.pi * base", ""),
    ("print(double(table['a']))", "class predict"),
    ("late = 3\nother = late", ""),
    ("answer_1 = late", "class solution"),
    ("told(answer_1, late)\nsep", "class check"),
]


def test_an_hour_has_the_cells_tagged_so_with_the_answer_last_and_the_statements_that_they_need_before_them():
    cells = [code(source, *tags.split()) for source, tags in WHOLE]
    notebook = v4.new_notebook(cells=[text("# A question", "class"), *cells, text("Not this.")])
    assert [each.source for each in classroom.for_an_hour(notebook).cells] == [
        "# A question",
        "import math\nfrom os import path, sep\nset_look()",
        "seed: int = 1\nscale: str = 'demo'",
        "base = seed + 1\ntable = {}\ntable['a'] = base\n"
        "def double(x):\n    base, table = x, {}\n    table['b'] = x\n    return math.pi * base",
        "print(double(table['a']))",
        "late = 3",
        "answer_1 = ...",
        "told(answer_1, late)\nsep",
        "import json\nunused = json\nsay(unused)",
    ]


def test_exercises_are_listed_with_the_solution_that_follows_each_and_one_without_is_refused(notebook):
    asked = [f"**Exercise {number}.** Which is it?" for number in (1, 2)]
    assert classroom.exercises(notebook) == list(zip(asked, (SHARE, NAMES), strict=True))
    at = next(number for number, each in enumerate(notebook.cells) if classroom.tagged(each, "solution"))
    for cells in (notebook.cells[:at] + notebook.cells[at + 1 :], notebook.cells[:at]):
        notebook.cells = cells
        with pytest.raises(ValueError, match=r"no cell tagged solution follows the exercise '\*\*Exercise 1"):
            classroom.exercises(notebook)


HERE, GONE = text("more"), text("## Aside")
HERE.metadata["slideshow"], GONE.metadata["slideshow"] = {"slide_type": "slide"}, {"slide_type": "skip"}
FIGURE, LONG, MORE = code("draw()", image_png=PIXEL), text("Word for word. " * 60), text("Word for word. " * 60)
PLACES = {
    "a slide begins at a heading and an exercise, and what is shown has the paragraph that reads it": [
        (text("# A question"), "slide"),
        (text("More of it."), "-"),
        (text("## A result"), "slide"),
        (FIGURE, "-"),
        (text("What it says.\n\nThe next one."), "- slide"),
        (code("show()", text_html="<table></table>"), "-"),
        (text("Now look:"), "slide"),
        (code("print(1)", printed="1"), "-"),
        (text("**Exercise 1.**\n\nWhich?", "exercise"), "slide"),
        (text("On we go."), "slide"),
    ],
    "what has no room begins the next": [
        (text("# A question"), "slide"),
        (LONG, "-"),
        (FIGURE, "slide"),
        (MORE, "slide"),
    ],
    "what leaves nothing to see is on none, nor a text that only introduces it": [
        (text("# A question"), "slide"),
        (text("## Parameters"), "skip"),
        (code("n = 3", "parameters"), "skip"),
        (text("The calls:"), "skip"),
        (code("import os"), "skip"),
    ],
    "a heading stays though the next cell is on none": [
        (text("## Drawn"), "slide"),
        (code("def draw(): ..."), "skip"),
        (code("draw()", printed="3"), "-"),
    ],
    "solutions and checks are on none": [
        (text("**Exercise 1.**", "exercise"), "slide"),
        (code("answer_1 = 3", "solution", printed="3"), "skip"),
        (code("check_1(answer_1)", "check", printed="Right."), "skip"),
        (text("On we go."), "slide"),
    ],
    "what the metadata of a cell say holds": [(text("# A question"), "slide"), (HERE, "slide"), (GONE, "skip")],
    "a text is divided at its headings": [
        (text("# A question\n\nWhy?\n\n## One\n\n# not this\n\n### Two"), "slide slide slide")
    ],
}


@pytest.mark.parametrize("case", PLACES)
def test_a_cell_is_the_first_of_a_slide_one_more_on_it_or_on_none(case):
    cells, expected = zip(*PLACES[case], strict=True)
    notebook = v4.new_notebook(cells=list(cells))
    before = str(notebook)
    made = classroom.laid_out(notebook)
    assert [each.metadata.slideshow.slide_type for each in made.cells] == " ".join(expected).split()
    assert str(notebook) == before
    assert len({each.id for each in made.cells}) == len(made.cells)


@pytest.fixture(scope="module")
def page():
    cells = [text("# A question\n\n$E = m$"), code("print(2 + 3)", printed="five"), text("## Drawn")]
    cells += [code("draw_it()", image_png=PIXEL), code("tell()", text_markdown="*said*"), text("## Long")]
    cells += [code("\n".join(["step()"] * 30), printed="long"), text("**Exercise 1.**", "exercise")]
    cells += [code("answer_1 = 42", "solution"), code("exercises.check_1(answer_1)", "check", printed="Right.")]
    return classroom.slides(v4.new_notebook(cells=cells), "Questions & answers")


def test_code_is_shown_with_what_it_printed_unless_it_is_long_and_never_above_a_figure_or_a_sentence(page):
    body = re.sub(r"<[^>]*>", "", page[page.index("<body") :])
    for shown in ("print", "five", "said", "long", "Exercise 1."):
        assert shown in body
    for hidden in ("draw_it", "tell", "step()", "answer_1", "check_1", "Right."):
        assert hidden not in body
    assert f"data:image/png;base64,{PIXEL}" in page


def test_a_figure_has_its_alternative_text_and_links_lead_to_other_slides():
    drawn = code("draw()", image_png=PIXEL, alt="All < none")
    made = classroom.slides(v4.new_notebook(cells=[text("# A\n\nSee [another](02_other.ipynb)."), drawn]), "A question")
    assert re.findall(r'<img alt="([^"]*)"', made) == ["All &lt; none"]
    assert 'href="02_other.html"' in made


def test_each_section_is_a_slide_and_the_page_asks_no_other_host_for_anything(page):
    assert page.count("<section") == page.count("</section>") == 2 * 4  # a stack and the slide in it
    assert "<title>Questions &amp; answers</title>" in page
    asked = re.findall(r"<(?:script|img|link|iframe)\b[^>]*?\s(?:src|href)=[\"']?([^\"'\s>]+)", page)
    assert len(asked) == 2
    assert all(address.startswith("data:") for address in asked)
    assert not re.findall(r"@import|url\(\s*[\"']?https?:", page)
    assert page.count("<script") == page.count("</script>") == 1
    assert 'alt="E = m"' in page


NAME = "01_small"
PARTS = ["slides", "solutions", "students", "teacher.html"]


@pytest.fixture
def notebooks(tmp_path, monkeypatch):
    """Folder of one notebook with two exercises."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    write(folder / f"{NAME}.ipynb")
    monkeypatch.setattr(paths, "project", lambda part: folder)
    return folder


def make(out):
    return invoke("class", "--out", out)


def read(out, part):
    return nbformat.read(out / part / f"{NAME}.ipynb", as_version=4)


def test_a_class_gets_notebooks_slides_and_a_page_for_the_teacher(notebooks, tmp_path):
    appendix = v4.new_notebook(cells=[v4.new_markdown_cell("# More of it")])
    nbformat.write(appendix, notebooks / "01a_more.ipynb")
    out = tmp_path / "in" / "class"
    out.mkdir(parents=True)  # one that is empty is taken
    result = make(out)
    assert (result.exit_code, result.output) == (0, f"{out / 'teacher.html'}\n")
    assert sorted(os.listdir(out)) == PARTS
    assert sorted(os.listdir(out / "students")) == sorted(os.listdir(out / "solutions"))
    assert sorted(os.listdir(out / "slides")) == [f"{NAME}.html", "01a_more.html"]
    assert os.listdir(out.parent) == ["class"]
    assert read(out, "solutions") == nbformat.read(notebooks / f"{NAME}.ipynb", as_version=4)
    assert read(out, "students") == classroom.for_students(read(out, "solutions"))
    assert nbformat.read(out / "students" / "01a_more.ipynb", as_version=4) == appendix
    page = (out / "teacher.html").read_text(encoding="utf-8")
    assert page.count("Which is it?") == 2
    for said in ("More of it", "An hour on 02", "An hour on 04", "answer_2"):
        assert said in page
    assert not {"$files", "$exercises"} & set(page.split())
    for folder, file in (("students", "ipynb"), ("solutions", "ipynb"), ("slides", "html")):
        assert f'href="{folder}/{NAME}.{file}"' in page


@pytest.mark.parametrize("kept", ["class/mine.txt", "class/students/01_small.ipynb", "class"])
def test_what_holds_something_is_refused_in_one_line_and_stays_as_it_is(notebooks, tmp_path, kept):
    (tmp_path / kept).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / kept).write_text("mine")
    result = make(tmp_path / "class")
    told = f"Error: {tmp_path / 'class'}: holds something already, expected a folder that is new or empty\n"
    assert (result.exit_code, result.stderr) == (2, told)
    assert (tmp_path / kept).read_text() == "mine"


def test_an_exercise_without_a_solution_leaves_nothing(notebooks, tmp_path):
    notebook = nbformat.read(notebooks / f"{NAME}.ipynb", as_version=4)
    notebook.cells = [cell for cell in notebook.cells if not classroom.tagged(cell, "solution")]
    nbformat.write(notebook, notebooks / f"{NAME}.ipynb")
    result = make(tmp_path / "class")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: no cell tagged solution follows the exercise")
    assert os.listdir(tmp_path) == ["notebooks"]


@pytest.mark.skipif(not LARGE, reason="executes notebooks: LABEL_STUDIES_TESTS=all")
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(("edition", "said"), [("students", "No answer yet."), ("solutions", "Right.")])
def test_both_editions_run_and_their_checks_say_no_answer_yet_and_right(notebooks, tmp_path, edition, said):
    classroom.write(tmp_path / "class")
    NotebookClient(notebook := read(tmp_path / "class", edition), timeout=60).execute()
    checks = [cell for cell in notebook.cells if classroom.tagged(cell, classroom.CHECK)]
    assert [cell.outputs[0].text.strip() for cell in checks] == [said] * 2
