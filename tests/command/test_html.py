"""Pages of a report, and the index of a folder of reports."""

import os
import re
from html import escape

import pandas as pd
import pytest
import tiny_notebooks
from nbformat import v4
from parsed_html import Parsed, loaded
from tiny_notebooks import PIXEL, code, text

from helpers import paths
from helpers.command import doing, html, swap
from helpers.command.notebooks import available
from helpers.reporting import verdicts
from helpers.studies import ledger


@pytest.fixture(scope="module")
def page():
    cells = [text("# Labels\n\nThe share $m_t = E[p^t]$ and\n\n$$\\sum_i x_i$$\n\n`$code$` costs 5 $.")]
    cells.append(code("seed: int = 1", "parameters"))
    table = "<table class='dataframe'><tr><td>1</td></tr></table>"
    shown = [
        code("", text_markdown="so $1 + (k-1)\\,m_1$\n\n| a |\n|---|\n| 1 |"),
        code("", text_html=table, text_plain="1"),
        code("", image_png=PIXEL, alt='Deep beats "shallow" & <all>'),
        code("", image_png=PIXEL),
        code("", **{"application/vnd.jupyter.widget-view+json": {"model_id": "m"}}),
        code("", printed="1 < 2"),
    ]
    cells.append(code("import study\n_ = study.draw()"))
    cells[-1].outputs = [output for each in shown for output in each.outputs]
    cells.append(code("answer_1 = 3", "solution"))
    cells.append(code("check_1(answer_1)", "check", printed="Right."))
    cells.append(text("See [the other](02_other.ipynb#Parameters) and [this](#Labels)."))
    cells.append(code("1 / 0"))
    cells[-1].outputs = [v4.new_output("error", ename="E", evalue="v", traceback=["a < b"])]
    state = {"application/vnd.jupyter.widget-state+json": {"state": {"m": {}}, "version_major": 2, "version_minor": 0}}
    return html.page(v4.new_notebook(cells=cells, metadata={"widgets": state}), "How <deep>?")


@pytest.fixture(scope="module")
def parsed(page):
    return Parsed(page)


FOREIGN = ['<script src="https://a.b"></script>', "<script>1</script>", '<img src="a.png">', '<link href="a">']
FOREIGN += ["<style>a{b:url(c)}</style>"]


def test_a_page_loads_nothing_from_elsewhere_runs_no_script_and_what_would_be_loaded_is_seen(page, parsed):
    assert loaded(page) == []
    assert not parsed["script"]
    assert all(loaded(page.replace("<main>", f"<main>{foreign}")) for foreign in FOREIGN)


def test_formulas_are_drawn_and_say_their_source_and_one_that_cannot_be_drawn_is_left_readable(page, parsed):
    drawn = [attributes["alt"] for attributes, _ in parsed["img"] if attributes.get("class") == "formula"]
    assert drawn == ["m_t = E[p^t]", r"\sum_i x_i", r"1 + (k-1)\,m_1"]
    assert "<code>$code$</code> costs 5 $." in page  # code and lone dollars
    assert html.formula(r"\begin{align} a &< b \end{align}") == r"<code>\begin{align} a &amp;&lt; b \end{align}</code>"


def test_a_figure_says_its_alternative_text_and_one_without_the_code_that_drew_it(parsed):
    names = [attributes["alt"] for attributes, inside in parsed["img"] if inside[-1] == "figure"]
    assert names == ['Deep beats "shallow" & <all>', "_ = study.draw()"]


def test_code_is_folded_solutions_with_what_their_checks_say_and_parameters_are_not(page, parsed):
    folds = re.findall(
        r'<details class="code"( open)?[^>]*><summary>([\w ]+)</summary>', page.replace('open=""', "open")
    )
    assert folds == [
        (" open", "Parameters"),
        ("", "Code"),
        ("", "Solution"),
        ("", "Check of the solution"),
        ("", "Code"),
    ]
    assert all(inside[-1] == "section" for _, inside in parsed["details"])
    assert "Right." in re.search("<summary>Check of the solution(.*?)</details>", page, re.DOTALL)[1]


def test_what_cannot_be_shown_is_said_and_an_error_is_shown(page):
    assert "open in JupyterLab" in page
    assert "widget-state" not in page
    assert "1 &lt; 2" in page
    assert re.search('<pre class="failed">a &lt; b', page)


def test_a_page_has_its_title_and_colours_for_the_dark_and_what_is_wide_scrolls(page, parsed):
    assert "<title>How &lt;deep&gt;?</title>" in page
    assert [inside[-1] for _, inside in parsed["table"]] == ["div.scroll"] * 2
    for kind in (r"\.scroll", "figure", "pre"):
        assert re.search(rf"{kind} \{{[^}}]*overflow-x: auto", page)
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
    there = html.linked(page, "01_labels", {"01_labels": "01", "02_other": "02"})
    assert '<a href="02_other.html" data-report="02_other">' in there
    assert '<a href="02_other.html">02</a>' in there
    assert '<a href="01_labels.html" aria-current="page">01</a>' in there
    gone = html.linked(there, "01_labels", {"01_labels": "01"})
    assert '<a href="index.html#02_other" data-report="02_other">' in gone
    assert gone.count("<nav") == 1
    assert html.linked(gone, "01_labels", {"01_labels": "01", "02_other": "02"}) == there


ROW = {"study": "04", "claim": "R1", "words": "Deep <beats> shallow", "printed": "higher", "measure": "NDCG@10"}
ROW |= {"value": 0, "measured": 0.01, "low": 0.004, "high": 0.02, "verdict": "holds", "rests_on": "real"}


LINKS = '<h2 id="Parameters">P</h2><a href="04_depth.ipynb">four</a> <a href="02_bounds.ipynb#x">two</a> <a href="https://a.b">out</a>'


def report(out, study, failed=False, **given):
    """What a run of a study leaves, without its outputs."""
    said = [
        {"data": {"text/plain": "it"}},
        {"data": {"text/markdown": ["Judge *many*,\n", "see [it](02_bounds.ipynb)."]}},
    ]
    cells = [{"metadata": {}, "outputs": said[:1]}, {"metadata": {"tags": ["answer"]}, "outputs": said}]
    return tiny_notebooks.leave(study, out, given | {"results_dir": study.name}, LINKS, failed, cells)


@pytest.fixture
def out(tmp_path, monkeypatch):
    """Reports on the guide, on study 4 with another parameter, and on 6, whose last run failed; 2 was not run."""
    notebooks = tmp_path / "notebooks"
    notebooks.mkdir()
    monkeypatch.setattr(paths, "project", lambda part: notebooks)
    monkeypatch.setattr(ledger, "stored", lambda study: pd.DataFrame([ROW] if study == "04" else [], columns=list(ROW)))
    for name in ("00_guide", "02_bounds", "04_depth", "06_yours"):
        tiny_notebooks.write(notebooks / f"{name}.ipynb", title=f"What of {name}?")
    out = tmp_path / "out"
    out.mkdir()
    guide, _, depth, yours = available()
    report(out, guide)
    tables = report(out, depth, draws=3, rankers=["a", "b"])
    (tables / "claims.csv").write_text(tiny_notebooks.CLAIM.format(measured=0.2))
    for failed in (False, True):
        report(out, yours, failed)
    html.write_index(out, doing.gather(out)[0])
    return out


def targets(page):
    """Where the links of a page lead, but to other hosts."""
    return [link for link in Parsed(page).links if not link.startswith("https:")]


def test_every_link_of_every_page_leads_to_a_file_and_a_place_in_it(out):
    pages = {path.name: path.read_text() for path in out.glob("*.html")}
    assert sorted(pages) == ["00_guide.html", "04_depth.html", "06_yours.failed.html", "06_yours.html", "index.html"]
    for name, page in pages.items():
        assert {"index.html", "00_guide.html", "04_depth.html", "06_yours.html"} <= set(targets(page))
        for target in targets(page):
            file, _, place = target.partition("#")
            assert (out / (file or name)).exists(), target
            assert not place or f'id="{place}"' in pages[file or name], target
    assert "index.html#02_bounds" in targets(pages["04_depth.html"])
    assert pages["04_depth.html"].count('aria-current="page"') == 1


def test_the_index_has_the_table_of_the_settled_verdicts_as_texts(out):
    page = (out / "index.html").read_text()
    assert "Deep &lt;beats&gt; shallow" in page
    for head, told in verdicts.table(pd.DataFrame([ROW])).iloc[0].items():
        assert f"<th>{head}</th>" in page
        assert f"<td>{escape(told)}</td>" in page


def test_the_index_has_of_each_notebook_that_was_run_its_answer_its_parameters_and_how_it_went(out):
    guide, depth, yours, rest = re.split("<h2", (out / "index.html").read_text())[1:]
    assert "<p>Judge <em>many</em>,\nsee <a href=" in depth
    assert depth.index("Judge") < depth.index("<dt>run</dt>") < depth.index("<summary>Settled verdicts")
    assert "<dt>draws</dt><dd>3</dd><dt>rankers</dt><dd>a, b</dd>" in depth
    assert "<dt>draws</dt>" not in guide
    assert re.search(r"<dt>run</dt><dd>\d{4}-\d\d-\d\d \d\d:\d\d</dd><dt>took</dt><dd>12 s</dd>", guide)
    assert "results_dir" not in depth
    assert "<dt>its verdicts</dt><dd>X1: holds.</dd>" in depth
    assert '<p>The last run failed: <a href="06_yours.failed.html">what it left</a></p>' in yours
    assert "<dt>took</dt>" in yours
    assert "failed" not in guide + depth
    assert '<li id="02_bounds">02 What of 02_bounds? <code>label-studies run 02</code></li>' in rest
    assert "<table" not in rest
    assert 'href="04_depth/claims.csv"' in depth
    assert 'href="04_depth.ipynb"' in depth


def test_a_later_run_is_linked_from_the_reports_that_are_there_and_a_page_that_says_the_same_is_not_written(out):
    before = {path.name: os.stat(path).st_ino for path in out.glob("*.html")}
    html.write_index(out, doing.gather(out)[0])
    assert {path.name: os.stat(path).st_ino for path in out.glob("*.html")} == before
    report(out, available()[1])
    html.write_index(out, doing.gather(out)[0])
    links = targets((out / "04_depth.html").read_text())
    assert "02_bounds.html" in links
    assert "index.html#02_bounds" not in links


@pytest.mark.parametrize("content", ["{", '{"metadata": {}}', '{"metadata": {"papermill": {"parameters": 1}}}'])
def test_a_damaged_report_is_named(out, content):
    (out / "04_depth.ipynb").write_text(content)
    with pytest.raises(ValueError, match=r"04_depth.ipynb: no executed notebook \(.*run study 04 again"):
        html.write_index(out, pd.DataFrame())


def test_of_a_study_whose_settled_results_are_damaged_that_is_said_and_the_others_are_shown(out, monkeypatch):
    def stored(study):
        with swap.FileLock(out / swap.LOCK, blocking=False):  # no other run waits meanwhile
            pass
        if study == "06":
            raise ValueError("06/<effects>.csv: is damaged, get it back: so")
        return pd.DataFrame([ROW])

    monkeypatch.setattr(ledger, "stored", stored)
    page, damaged = html.write_index(out, pd.DataFrame())
    assert damaged == ["06/<effects>.csv: is damaged, get it back: so"]
    guide, depth, yours, rest = re.split("<h2", page.read_text())[1:]
    assert "<p>06/&lt;effects&gt;.csv: is damaged, get it back: so</p>" in yours
    assert "Deep &lt;beats&gt; shallow" in depth
    assert "is damaged" not in guide + depth + rest
