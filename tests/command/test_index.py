import html
import json
import os
import re

import pandas as pd
import pytest
import tiny_notebooks
from parsed_html import Parsed

from helpers import paths
from helpers.command import index, ledger, pages, swap
from helpers.command.notebooks import available
from helpers.reporting import verdicts
from helpers.studies import ledger as kept

ROW = {"study": "04", "claim": "R1", "words": "Deep <beats> shallow", "printed": "higher", "measure": "NDCG@10"}
ROW |= {"value": 0, "measured": 0.01, "low": 0.004, "high": 0.02, "verdict": "holds", "rests_on": "real"}


LINKS = '<h2 id="Parameters">P</h2><a href="04_depth.ipynb">four</a> <a href="02_bounds.ipynb#x">two</a> <a href="https://a.b">out</a>'


def report(out, study, parts=None, **given):
    """What a run of a study leaves, without its outputs."""
    notebook, page, tables = parts or study.report
    run = {"parameters": given | {"results_dir": study.name}, "end_time": "2026-11-28T12:00:00+00:00", "duration": 12.4}
    (out / notebook).write_text(json.dumps({"metadata": {"papermill": run}}))
    (out / page).write_text(pages.framed(study.title, pages.to_reports(LINKS)))
    (out / tables).mkdir()


@pytest.fixture
def out(tmp_path, monkeypatch):
    """Reports on the guide, on study 4 with another parameter, and on 6, whose last run failed; 2 was not run."""
    notebooks = tmp_path / "notebooks"
    notebooks.mkdir()
    monkeypatch.setattr(paths, "project", lambda part: notebooks)
    monkeypatch.setattr(kept, "stored", lambda study: pd.DataFrame([ROW] if study == "04" else [], columns=list(ROW)))
    for name in ("00_guide", "02_bounds", "04_depth", "06_yours"):
        tiny_notebooks.write(notebooks / f"{name}.ipynb", title=f"What of {name}?")
    out = tmp_path / "out"
    out.mkdir()
    guide, _, depth, yours = available()
    report(out, guide)
    report(out, depth, draws=3, rankers=["a", "b"])
    for parts in (yours.report, yours.failed):
        report(out, yours, parts)
    (out / "04_depth" / "claims.csv").write_text(
        "claim,words,measure,value,measured,low,high,verdict,rests_on\nc,w,m,0,.1,0,.2,holds,real\n"
    )
    index.write(out, ledger.write(out)[0])
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
    for head, text in verdicts.table(pd.DataFrame([ROW])).iloc[0].items():
        assert f"<th>{head}</th>" in page
        assert f"<td>{html.escape(text)}</td>" in page


def test_the_index_says_of_each_report_its_parameters_its_time_and_how_it_went(out):
    sections = re.split("<h2 ", (out / "index.html").read_text())
    guide, bounds, depth, yours = sections[1:]
    assert "<dt>draws</dt><dd>3</dd><dt>rankers</dt><dd>a, b</dd>" in depth
    assert "<dt>draws</dt>" not in guide
    assert re.search(r"<dt>run</dt><dd>\d{4}-\d\d-\d\d \d\d:\d\d</dd><dt>took</dt><dd>12 s</dd>", guide)
    assert "results_dir" not in depth
    assert "<dt>its verdicts</dt><dd>c: holds.</dd>" in depth
    assert '<p>The last run failed: <a href="06_yours.failed.html">what it left</a></p>' in yours
    assert "<dt>took</dt>" in yours
    assert "failed" not in guide + depth
    assert "Not run here: <code>label-studies run 02</code>" in bounds
    assert 'href="04_depth/claims.csv"' in depth
    assert 'href="04_depth.ipynb"' in depth


def test_a_later_run_is_linked_from_the_reports_that_are_there(out):
    [bounds] = [study for study in available() if study.number == "02"]
    report(out, bounds)
    index.write(out, ledger.write(out)[0])
    assert "02_bounds.html" in targets((out / "04_depth.html").read_text())
    assert "index.html#02_bounds" not in targets((out / "04_depth.html").read_text())


def test_pages_that_say_what_they_said_are_not_written_again(out):
    before = {path.name: os.stat(path).st_ino for path in out.glob("*.html")}
    index.write(out, ledger.write(out)[0])
    assert {path.name: os.stat(path).st_ino for path in out.glob("*.html")} == before


@pytest.mark.parametrize("content", ["{", '{"metadata": {}}', '{"metadata": {"papermill": {"parameters": 1}}}'])
def test_a_damaged_report_is_named(out, content):
    (out / "04_depth.ipynb").write_text(content)
    with pytest.raises(ValueError, match=r"04_depth.ipynb: no executed notebook \(.*run study 04 again"):
        index.write(out, pd.DataFrame())


def test_of_a_study_whose_settled_results_are_damaged_that_is_said_and_the_others_are_shown(out, monkeypatch):
    def stored(study):
        with swap.FileLock(out / swap.LOCK, blocking=False):  # no other run waits meanwhile
            pass
        if study == "02":
            raise ValueError("02/<effects>.csv: is damaged, get it back: so")
        return pd.DataFrame([ROW])

    monkeypatch.setattr(kept, "stored", stored)
    page, damaged = index.write(out, pd.DataFrame())
    assert damaged == ["02/<effects>.csv: is damaged, get it back: so"]
    guide, bounds, depth, yours = re.split("<h2 ", page.read_text())[1:]
    assert "<p>02/&lt;effects&gt;.csv: is damaged, get it back: so</p>" in bounds
    assert "Deep &lt;beats&gt; shallow" in depth
    assert "is damaged" not in guide + depth + yours
