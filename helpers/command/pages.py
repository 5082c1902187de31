"""Pages of HTML that need nothing from elsewhere, and the links between those of a folder of reports."""

from __future__ import annotations

import functools
import html
import re
import urllib.parse
from collections.abc import Mapping, Sequence
from pathlib import Path

from pygments.formatters import HtmlFormatter

from helpers import files

DARK_CODE = "native"
"""What pygments calls its colours of code for a dark page."""

INDEX = "index.html"

PAGE = """\
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

NAVIGATION = re.compile('<nav class="reports">.*?</nav>', re.DOTALL)
REPORT_LINK = re.compile('href="[^"]*" data-report="([^"]*)"')
NOTEBOOK_LINK = re.compile(r'href="(?:\./)?([^"/:#?]+)\.ipynb(?:#[^"]*)?"')
TABLE = re.compile("<table.*?</table>", re.DOTALL)


def framed(title: str, body: str) -> str:
    """A page with its style, its tables in boxes to scroll in; what leads to other pages is left to `linked`.

    Parameters
    ----------
    title : plain text
    body : HTML of what stands in it

    Examples
    --------
    >>> "<title>Costs &amp; gains</title>" in framed("Costs & gains", "<p>text</p>")
    True
    """
    return PAGE.format(title=html.escape(title), style=_style(), body=TABLE.sub(_boxed, body))


def to_reports(body: str) -> str:
    """The body with its links to notebooks turned into links to their reports, which `linked` knows.

    Parameters
    ----------
    body : HTML

    Examples
    --------
    >>> to_reports('<a href="01_a.ipynb#Costs">one</a>')
    '<a href="01_a.html" data-report="01_a">one</a>'
    """
    return NOTEBOOK_LINK.sub(r'href="\1.html" data-report="\1"', body)


def linked(page: str, name: str, reports: Mapping[str, str], up: str = "") -> str:
    """The page with links to the reports that are there; those to others lead to where the index speaks of them.

    Parameters
    ----------
    page : as `framed` made it, linked before or not
    name : of its own report, "" for the index
    reports : name -> short text, of every report that stands in the folder
    up : where the index is, from the folder of the page, such as "../"
    """
    texts = {f"{up}{INDEX}": "All reports"} | {f"{each}.html": text for each, text in reports.items()}
    here = f"{name}.html" if name else INDEX
    links = [f'<a href="{file}"{_current(file == here)}>{html.escape(text)}</a>' for file, text in texts.items()]
    page = NAVIGATION.sub(lambda _: f'<nav class="reports">{"".join(links)}</nav>', page, count=1)
    return REPORT_LINK.sub(lambda match: _link(match[1], reports, up), page)


def write(path: Path, page: str) -> None:
    """Write a page whole, unless the file holds it already.

    Parameters
    ----------
    path : of the file
    page : its text

    Raises
    ------
    OSError
        when it cannot be written.
    """
    if not path.is_file() or path.read_text(encoding="utf-8") != page:
        with files.replacing(path) as file:
            file.write(page)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "", links: Sequence[str] = ()) -> str:
    """A table of plain texts, and a link at the end of each row.

    Parameters
    ----------
    heads, rows : texts
    kind : its class, for the style
    links : where each row leads to, or ""; none where left out

    Examples
    --------
    >>> table(["a"], [["<1"]])
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>&lt;1</td></tr></tbody></table>'
    """
    cells = [[html.escape(text) for text in row] for row in rows]
    for row, place in zip(cells, links, strict=False):
        row.append(f'<a href="{html.escape(urllib.parse.quote(place, safe="/=,+"))}">open</a>' if place else "")
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
    light, dark = (HtmlFormatter(style=style).get_style_defs(".highlight") for style in ("default", DARK_CODE))
    own = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
    return f"{light}\n@media screen and (prefers-color-scheme: dark) {{\n{dark}\n}}\n{own}"
