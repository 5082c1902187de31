"""The page for a manager: cut from a notebook by a tag, without code, and printed on one sheet."""

import base64
import io
import re
import shutil
import subprocess

import matplotlib.pyplot as plt
import nbformat
import pytest
import tiny_notebooks
from command_line import invoke
from nbformat import v4
from tiny_notebooks import code, text

from helpers.command import classroom, notebooks

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
TOLD = "from IPython.display import Markdown; Markdown('Ask **{}** again.')"


def picture(height):
    figure, drawn = plt.figure(figsize=(9.5, height)), io.BytesIO()
    figure.savefig(drawn)
    plt.close(figure)
    return base64.b64encode(drawn.getvalue()).decode()


def test_it_has_what_its_cells_left_in_their_order_and_no_code():
    said = {"First.": ("answer", "brief"), "Not this.": (), "Last.": ("brief",)}
    told = [text("Nor this."), *(code("secret = 1", *tags, text_markdown=said) for said, tags in said.items())]
    page = classroom.for_a_manager(v4.new_notebook(cells=told), "What now?")
    body = page.partition("<main>")[2]
    assert re.findall(r">([^<>]+\.?)<", body.replace("\n", ""))[:1] == ["What now?"]
    assert body.index("First.") < body.index("Last.")
    assert not re.search("secret|Not this|Nor this|<details", body)


@pytest.mark.skipif(not CHROMIUM, reason="no browser is here that prints")
def test_it_is_printed_on_one_sheet_however_many_judges_there_are(tmp_path):
    ninety = " ".join(["labels"] * 90)
    numbers = (
        "| number | what it is |\n| :-- | :-- |\n" + "| .812 (.764 to .851) | of a ranker with another judge |\n" * 3
    )
    steps = "\n".join("1. " + " ".join(["labels"] * 25) for _ in range(6))
    told = [code("x", "brief", text_markdown=f"{ninety}\n\n{numbers}")]
    told += [code("x", "brief", image_png=picture(height)) for height in (6.4, 8.0)]
    told.append(code("x", "brief", text_markdown=steps))
    page = classroom.for_a_manager(v4.new_notebook(cells=told), "What now?")
    (tmp_path / "brief.html").write_text(page, encoding="utf-8")
    pdf = tmp_path / "brief.pdf"
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    printed = [CHROMIUM, *options, f"--print-to-pdf={pdf}", (tmp_path / "brief.html").as_uri()]
    subprocess.run(printed, check=True, capture_output=True, timeout=120)
    assert re.findall(rb"/Type\s*/Pages.*?/Count (\d+)", pdf.read_bytes(), re.DOTALL) == [b"1"]


@pytest.fixture
def study(studies_folder):
    tiny_notebooks.write(studies_folder / "02_none.ipynb")
    file = tiny_notebooks.write(studies_folder / "01_one.ipynb", TOLD.format("two"), TOLD.format("all"))
    made = nbformat.read(file, as_version=4)
    made.cells[-2].metadata["tags"] = ["brief"]
    nbformat.write(made, file)


def test_a_run_leaves_it_where_it_is_asked_for(study, tmp_path):
    result = invoke("run", "01", "02", "--brief", "--jobs", "1", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    [brief] = (tmp_path / "out").glob("*/brief.html")
    assert f"For a manager: {brief.as_uri()}" in result.stderr
    page = brief.read_text(encoding="utf-8")
    assert "<strong>two</strong>" in page
    assert "<strong>all</strong>" not in page
    assert "brief.html" in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["02", "--brief"], "--brief, but no study of 02 has a page for a manager, expected 01"),
        (["01", "--brief", "--share", "1/2"], "--brief with --share, which leaves no report: expected one of them"),
    ],
)
def test_where_there_would_be_none_it_is_refused(study, arguments, message):
    result = invoke("run", *arguments)
    assert (result.exit_code, result.stderr) == (2, f"Error: {message}\n")


def test_study_6_has_two_figures_on_it():
    [study] = notebooks.find(["06"])
    told = nbformat.read(study.path, as_version=4).cells
    brief = [each for each in told if classroom.tagged(each, classroom.BRIEF)]
    drawn = [o for each in brief if each.cell_type == "code" for o in each.outputs if "image/png" in o.get("data", {})]
    assert (study.is_brief, len(drawn)) == (True, 2)
    assert not any(classroom.tagged(each, "exercise", "solution", "check") for each in brief)
