"""Reports as pages of HTML that need nothing from elsewhere: no script at all, no style or formula of a host.

Code is folded, what is wider than the page scrolls in a box of its own, and colours follow the reader's system. The
template beside this module says what a cell looks like, the style sheet the rest.
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
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import pandas as pd
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

_NAMELESS = re.compile("<Figure size .*>", re.DOTALL)  # what matplotlib itself says of a figure
_PIXELS_A_POINT = 4 / 3
_DARK_CODE = "native"  # what pygments calls its colours of code for a dark page
INDEX = "index.html"
_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<nav class="reports"></nav>
<main>
{body}
</main>
</body>
</html>
"""

_TITLE = "What is a relevance label worth?"
_FIXED = {"results_dir", "n_jobs"}  # parameters that say nothing of what was found
_IN_LINKS = "/=,+"  # characters of a path that stay as they are
_WIDEST = 80  # characters of a parameter's value that are shown
_NAVIGATION = re.compile('<nav class="reports">.*?</nav>', re.DOTALL)
_REPORT_LINK = re.compile('href="[^"]*" data-report="([^"]*)"')
_NOTEBOOK_LINK = re.compile(r'href="(?:\./)?([^"/:#?]+)\.ipynb(?:#[^"]*)?"')
_TABLE = re.compile("<table.*?</table>", re.DOTALL)


def page(notebook: NotebookNode, title: str) -> str:
    """The HTML of an executed notebook with its figures, each with its name (`kernel.name_of`), and formulas."""
    template = Path(__file__).with_name("report.html.j2").read_text(encoding="utf-8")
    exporter = HTMLExporter(raw_template=template)
    exporter.register_filter("markdown2html", markdown)
    exporter.register_filter("called", called)
    body, _ = exporter.from_notebook_node(notebook)
    return framed(title, to_reports(body))


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
    """What the figure that is the output shows: its alternative text, else its name, else the code that drew it."""
    of_picture = output.get("metadata", {}).get("image/png", {})
    name = of_picture.get("alt") or output.metadata.get("alt") or output.data.get("text/plain", "")
    return cell.source.strip().splitlines()[-1] if _NAMELESS.fullmatch(name) or not name else name


def framed(title: str, body: str) -> str:
    """A page with its style, its tables in boxes to scroll in; what leads to other pages is left to `linked`."""
    return _PAGE.format(title=html.escape(title), style=_style(), body=_TABLE.sub(_boxed, body))


def to_reports(body: str) -> str:
    """The body with its links to notebooks turned into links to their reports, which `linked` knows."""
    return _NOTEBOOK_LINK.sub(r'href="\1.html" data-report="\1"', body)


def linked(page: str, name: str, reports: Mapping[str, str], up: str = "") -> str:
    """The page with links to the reports that are there; those to others lead to where the index speaks of them."""
    texts = {f"{up}{INDEX}": "All reports"} | {f"{each}.html": text for each, text in reports.items()}
    here = f"{name}.html" if name else INDEX
    links = [f'<a href="{file}"{_current(file == here)}>{html.escape(text)}</a>' for file, text in texts.items()]
    page = _NAVIGATION.sub(lambda _: f'<nav class="reports">{"".join(links)}</nav>', page, count=1)
    return _REPORT_LINK.sub(lambda match: _link(match[1], reports, up), page)


def write_page(path: Path, page: str) -> None:
    """Write a page whole, unless the file holds it already."""
    if not path.is_file() or path.read_text(encoding="utf-8") != page:
        with files.replacing(path) as file:
            file.write(page)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "", links: Sequence[str] = ()) -> str:
    """A table of plain texts, and a link at the end of each row."""
    cells = [[html.escape(text) for text in row] for row in rows]
    for row, place in zip(cells, links, strict=False):
        row.append(f'<a href="{html.escape(urllib.parse.quote(place, safe=_IN_LINKS))}">open</a>' if place else "")
    head = "".join(f"<th>{html.escape(text)}</th>" for text in heads)
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in cells)
    of_kind = f' class="{kind}"' if kind else ""
    return f"<table{of_kind}><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"


def _boxed(match: re.Match) -> str:
    return f'<div class="scroll" tabindex="0">{match[0]}</div>'


def _current(is_current: bool) -> str:
    return ' aria-current="page"' if is_current else ""


def _link(name: str, reports: Mapping[str, str], up: str) -> str:
    place = f"{name}.html" if name in reports else f"{up}{INDEX}#{name}"
    return f'href="{place}" data-report="{name}"'


@functools.cache
def _style() -> str:
    light, dark = (HtmlFormatter(style=style).get_style_defs(".highlight") for style in ("default", _DARK_CODE))
    own = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
    return f"{light}\n@media screen and (prefers-color-scheme: dark) {{\n{dark}\n}}\n{own}"


class _Run(NamedTuple):
    """What a report says of its run."""

    given: dict[str, Any]
    ended: str
    seconds: float | None
    answer: str


def write_index(out: Path, judged: pd.DataFrame) -> tuple[Path, list[str]]:
    """Leave `index.html` in a folder of reports, and in every report the links to the others."""
    known, damaged = {}, []
    for study in available():  # before the lock, for no other run to wait
        try:
            known[study] = _known(study)
        except ValueError as error:
            known[study] = f"<p>{html.escape(str(error))}</p>"
            damaged.append(str(error))
    with swap.locked(out):
        there = [study for study in known if (out / f"{study.name}.html").exists()]
        tried = [study for study in known if study in there or _failed(study, out)]
        numbers = {study.name: study.number for study in there}
        body = "\n".join([*(_section(study, known[study], out, judged) for study in tried), _not_run(known, tried)])
        page = framed(_TITLE, f"<h1>{_TITLE}</h1>\n{_of_all(there)}\n{body}")
        write_page(out / INDEX, linked(page, "", numbers))
        for name in [part for study in known for part in (study.name, study.failed[-1])]:
            file = out / f"{name}.html"
            if file.exists():
                write_page(file, linked(file.read_text(encoding="utf-8"), name, numbers))
    return out / INDEX, list(dict.fromkeys(damaged))


def _run_of(study: Study, out: Path) -> _Run:
    """What the executed notebook of a study says of its run."""
    file = out / study.path.name
    try:
        notebook = json.loads(file.read_text(encoding="utf-8"))
        run = notebook["metadata"]["papermill"]
        given = {name: value for name, value in run["parameters"].items() if name not in _FIXED}
        ended = datetime.datetime.fromisoformat(run["end_time"]).astimezone()
        return _Run(given, f"{ended:%Y-%m-%d %H:%M}", run["duration"], _answer(notebook.get("cells", [])))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise ValueError(
            f"{file}: no executed notebook ({reason}), expected one; run study {study.number} again"
        ) from error


def _answer(cells: Sequence[Mapping[str, Any]]) -> str:
    """What the cells tagged `answer` said first in Markdown."""
    outputs = [output for cell in cells if "answer" in cell["metadata"].get("tags", []) for output in cell["outputs"]]
    texts = ("".join(output.get("data", {}).get("text/markdown", "")) for output in outputs)
    return next(filter(None, texts), "")


def _failed(study: Study, out: Path) -> str | None:
    """What a run left that failed: its page, or else its notebook."""
    return next((part for part in (study.failed[1], study.failed[0]) if (out / part).exists()), None)


def _section(study: Study, known: str, out: Path, judged: pd.DataFrame) -> str:
    """What a study's run answered, how it went, what a run left that failed, and what is settled."""
    there = (out / f"{study.name}.html").exists()
    title = html.escape(study.title)
    head = f'<a href="{study.name}.html">{title}</a>' if there else title
    parts = [f'<h2 id="{study.name}">{study.number} {head}</h2>']
    if failed := _failed(study, out):
        parts.append(f'<p>The last run failed: <a href="{failed}">what it left</a></p>')
    if there:
        parts.append(_report(study, out, judged))
    return "\n".join([*parts, known])


def _not_run(known: Mapping[Study, str], tried: Sequence[Study]) -> str:
    """A list of the notebooks that were not run, to which reports may lead."""
    rows = [
        f'<li id="{study.name}">{study.number} {html.escape(study.title)} '
        f"<code>label-studies run {study.number}</code></li>"
        for study in known
        if study not in tried
    ]
    return f"<h2>Not run here</h2>\n<ul>{''.join(rows)}</ul>" if rows else ""


def _known(study: Study) -> str:
    """The table of the stored verdicts, folded, for a study that has claims."""
    if study.number not in ledger.NUMBERS:
        return ""
    shown = verdicts.table(ledger.stored(study.number))
    rows = table(list(shown.columns), shown.to_numpy().tolist(), "card")
    return f"<details><summary>Settled verdicts, which come with the project</summary>{rows}</details>"


def _report(study: Study, out: Path, judged: pd.DataFrame) -> str:
    report, tables = _run_of(study, out), out / study.name
    facts = {"run": report.ended}
    facts |= {} if report.seconds is None else {"took": f"{report.seconds:.0f} s"}
    own = judged[judged["study"] == study.number] if len(judged) else judged
    facts |= {"its verdicts": verdicts.in_words(own)} if len(own) else {}
    facts |= {name: _shown(value) for name, value in report.given.items()}
    listed = "".join(f"<dt>{html.escape(name)}</dt><dd>{html.escape(text)}</dd>" for name, text in facts.items())
    return f"{to_reports(markdown(report.answer))}<dl>{listed}</dl>\n{_files(study, tables)}"


def _files(study: Study, tables: Path) -> str:
    names = [Path(study.path.name), *(Path(study.name, file.name) for file in sorted(tables.glob("*.*")))]
    return f"<details><summary>Notebook and tables</summary><p>{links(names, short=True)}</p></details>"


def links(places: Sequence[Path], short: bool = False) -> str:
    """Links to files, each called by its path, or by its name alone."""
    return ", ".join(
        f'<a href="{html.escape(urllib.parse.quote(place.as_posix(), safe=_IN_LINKS))}">'
        f"{html.escape(place.name if short else place.as_posix())}</a>"
        for place in places
    )


def _of_all(there: list[Study]) -> str:
    guide = next((study for study in there if study.number == GUIDE), None)
    first = f'The <a href="{guide.name}.html">guide</a> says what they come to. ' if guide else ""
    return (
        f"<p>{first}Below stands what each notebook that was run here answers, with the verdicts of that run: a demo "
        "run shows the method, and its verdicts are those of a small sample.</p>"
    )


def _shown(value: Any) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]}..."
