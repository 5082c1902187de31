"""Reports as pages of HTML that need nothing from elsewhere: no script at all, no style or formula of a host.

Code is folded, what is wider than the page scrolls in a box of its own, and colours follow the reader's system. The
templates beside this module say what a cell and an index look like, the style sheet the rest.
"""

from __future__ import annotations

import base64
import datetime
import functools
import html
import io
import json
import re
import urllib.parse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pandas as pd
from jinja2 import Environment
from jinja2.environment import TemplateModule
from matplotlib import mathtext
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode
from pygments.formatters import HtmlFormatter

from helpers import files
from helpers.command import swap
from helpers.command.notebooks import GUIDE, Study, available
from helpers.reporting import verdicts
from helpers.studies import ledger

_PIXELS_A_POINT = 4 / 3
_DARK_CODE = "native"  # what pygments calls its colours of code for a dark page
INDEX = "index.html"
_TITLE = "What is a relevance label worth?"
_FIXED = {"results_dir", "n_jobs"}  # parameters that say nothing of what was found
_WIDEST = 80  # characters of a parameter's value that are shown
_NAVIGATION = re.compile('<nav class="reports">.*?</nav>', re.DOTALL)
_REPORT_LINK = re.compile('href="[^"]*" data-report="([^"]*)"')
_NOTEBOOK_LINK = re.compile(r'href="(?:\./)?([^"/:#?]+)\.ipynb(?:#[^"]*)?"')
_TABLE = re.compile("<table.*?</table>", re.DOTALL)


def page(notebook: NotebookNode, title: str, kind: str = "") -> str:
    """The HTML of an executed notebook with its figures, each with its alternative text, and formulas; of a kind that
    the style sheet knows, without its code."""
    body = exported(HTMLExporter, "report.html.j2", notebook, title, exclude_input=bool(kind))
    return framed(title, f'<div class="{kind}">{body}</div>' if kind else body)


def exported(kind: type[HTMLExporter], template: str, notebook: NotebookNode, title: str, **options: bool) -> str:
    """What an exporter makes of a notebook by a template beside this module, its links leading to reports."""
    exporter = kind(raw_template=Path(__file__).with_name(template).read_text(encoding="utf-8"), **options)
    exporter.register_filter("markdown2html", markdown)
    exporter.register_filter("called", called)
    body, _ = exporter.from_notebook_node(notebook, {"metadata": {"name": title}})
    return to_reports(body)


class _Renderer(IPythonRenderer):
    """Markdown with its formulas drawn."""

    def inline_math(self, body: str) -> str:
        """A formula between dollars."""
        return formula(body)

    def block_math(self, body: str) -> str:
        """A formula between double dollars, which is wide."""
        return f'<span class="formula">{formula(body)}</span>'


def formula(tex: str) -> str:
    r"""An SVG image of a formula, or its source where matplotlib does not know it."""
    drawn, text = io.BytesIO(), html.escape(tex)
    try:
        with mpl.rc_context({"svg.fonttype": "path", "mathtext.fontset": "stix"}):
            depth = mathtext.math_to_image(f"${' '.join(tex.split())}$", drawn, format="svg")
    except ValueError:
        return f"<code>{text}</code>"
    source = base64.b64encode(drawn.getvalue()).decode()
    lowered = f"vertical-align:-{depth * _PIXELS_A_POINT:.1f}px"
    return f'<img class="formula" alt="{text}" style="{lowered}" src="data:image/svg+xml;base64,{source}">'


def markdown(source: str) -> str:
    """The HTML of a text, its formulas drawn."""
    return MarkdownWithMath(renderer=_Renderer(escape=False)).render(source)


def called(output: NotebookNode, cell: NotebookNode) -> str:
    """What the figure that is the output shows: its alternative text, or else the line of code that drew it."""
    return output.metadata.get("image/png", {}).get("alt") or cell.source.strip().splitlines()[-1]


def framed(title: str, body: str) -> str:
    """A page with its style, its tables in boxes to scroll in; what leads to other pages is left to `linked`."""
    boxed = _TABLE.sub(r'<div class="scroll" tabindex="0">\g<0></div>', str(body))
    return str(parts().frame(title, _style(), boxed)) + "\n"


@functools.cache
def parts() -> TemplateModule:
    """The parts of pages that are no notebook, to be filled in."""
    jinja = Environment(autoescape=True, keep_trailing_newline=True)
    jinja.filters["quoted"] = functools.partial(urllib.parse.quote, safe="/=,+")
    return jinja.from_string(Path(__file__).with_name("pages.html.j2").read_text(encoding="utf-8")).module


def to_reports(body: str) -> str:
    """The body with its links to notebooks turned into links to their reports, which `linked` knows."""
    return _NOTEBOOK_LINK.sub(r'href="\1.html" data-report="\1"', body)


def linked(page: str, name: str, reports: Mapping[str, str], up: str = "") -> str:
    """The page with links to the reports that are there; those to others lead to where the index speaks of them."""
    texts = {f"{up}{INDEX}": "All reports"} | {f"{each}.html": text for each, text in reports.items()}
    current = {f"{name}.html" if name else INDEX: ' aria-current="page"'}
    links = [f'<a href="{file}"{current.get(file, "")}>{html.escape(text)}</a>' for file, text in texts.items()]
    page = _NAVIGATION.sub(lambda _: f'<nav class="reports">{"".join(links)}</nav>', page, count=1)
    places = {report: f"{report}.html" for report in reports}
    return _REPORT_LINK.sub(
        lambda match: f'href="{places.get(match[1], f"{up}{INDEX}#{match[1]}")}" data-report="{match[1]}"', page
    )


def write_page(path: Path, page: str) -> None:
    """Write a page whole, unless the file holds it already."""
    if not path.is_file() or path.read_text(encoding="utf-8") != page:
        with files.replacing(path) as file:
            file.write(page)


@functools.cache
def _style() -> str:
    light, dark = (HtmlFormatter(style=style).get_style_defs(".highlight") for style in ("default", _DARK_CODE))
    own = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
    return f"{light}\n@media screen and (prefers-color-scheme: dark) {{\n{dark}\n}}\n{own}"


def write_index(out: Path, judged: pd.DataFrame) -> tuple[Path, list[str]]:
    """Leave `index.html` in a folder of reports, and in every report the links to the others.

    Returns its path, and what is wrong with stored verdicts of studies.
    """
    settled = {study: _settled(study) for study in available()}  # before the lock, for no other run to wait
    with swap.locked(out):
        there = [study for study in settled if (out / f"{study.name}.html").exists()]
        guide = next((study.name for study in there if study.number == GUIDE), "")
        numbers = {study.name: study.number for study in there}
        tried, others = [], []
        for study, (table, wrong) in settled.items():
            run = _run_of(study, out, judged) if study in there else None
            _, page, _ = study.failed
            failed = next((part for part in (page, study.failed[0]) if (out / part).exists()), None)
            if run or failed:
                tried.append((study, run, failed, table, wrong))
            else:
                others.append(study)
        write_page(out / INDEX, linked(framed(_TITLE, parts().index(_TITLE, guide, tried, others)), "", numbers))
        for name in [part for study in settled for part in (study.name, study.failed[-1])]:
            file = out / f"{name}.html"
            if file.exists():
                write_page(file, linked(file.read_text(encoding="utf-8"), name, numbers))
    return out / INDEX, list(dict.fromkeys(wrong for _, wrong in settled.values() if wrong))


def _settled(study: Study) -> tuple[pd.DataFrame | None, str]:
    """The table of the stored verdicts of a study that has claims, or what is wrong with these."""
    try:
        return (verdicts.table(ledger.stored(study.number)) if study.number in ledger.NUMBERS else None), ""
    except ValueError as error:
        return None, str(error)


def _run_of(study: Study, out: Path, judged: pd.DataFrame) -> dict[str, Any]:
    """What the report of a study says of its run: its answer in HTML, facts, when it was and with what, and files."""
    file = out / study.path.name
    try:
        notebook = json.loads(file.read_text(encoding="utf-8"))
        run = notebook["metadata"]["papermill"]
        facts = {"run": f"{datetime.datetime.fromisoformat(run['end_time']).astimezone():%Y-%m-%d %H:%M}"}
        facts |= {} if run["duration"] is None else {"took": f"{run['duration']:.0f} s"}
        given = {}
        for name, value in run["parameters"].items():
            text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            if name not in _FIXED:
                given[name] = text if len(text) <= _WIDEST else f"{text[:_WIDEST]}..."
        cells = [cell for cell in notebook.get("cells", []) if "answer" in cell["metadata"].get("tags", [])]
        said = ["".join(each.get("data", {}).get("text/markdown", "")) for cell in cells for each in cell["outputs"]]
        answer = to_reports(markdown(next(filter(None, said), "")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise ValueError(
            f"{file}: no executed notebook ({reason}), expected one; run study {study.number} again"
        ) from error
    own = judged[judged["study"] == study.number] if len(judged) else judged
    facts |= {"its verdicts": verdicts.in_words(own)} if len(own) else {}
    tables = [table.relative_to(out) for table in sorted((out / study.name).glob("*.*"))]
    return {"answer": answer, "facts": facts | given, "files": [Path(study.path.name), *tables]}
