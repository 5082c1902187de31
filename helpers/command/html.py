"""A notebook as one page of HTML that needs nothing from elsewhere: no script at all, no style or formula of a host.

Code is folded, what is wider than the page scrolls in a box of its own, and colours follow the reader's system. The
template beside this module says what a cell looks like, the style sheet and `pages` the rest.
"""

from __future__ import annotations

import base64
import html
import io
import re
from pathlib import Path

import matplotlib as mpl
from matplotlib import mathtext
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode

from helpers.command import pages

NAMELESS = re.compile("<Figure size .*>", re.DOTALL)
"""What matplotlib itself says of a figure."""

PIXELS_A_POINT = 4 / 3


def page(notebook: NotebookNode, title: str) -> str:
    """The HTML of an executed notebook, its figures and formulas in it, each figure with its name (`titled`).

    Parameters
    ----------
    notebook : with the outputs that are to be shown
    title : of the page
    """
    template = Path(__file__).with_name("report.html.j2").read_text(encoding="utf-8")
    exporter = HTMLExporter(raw_template=template)
    exporter.register_filter("markdown2html", markdown)
    exporter.register_filter("called", _called)
    body, _ = exporter.from_notebook_node(notebook)
    return pages.framed(title, pages.to_reports(body))


class _Renderer(IPythonRenderer):
    """Markdown with its formulas drawn."""

    def inline_math(self, body: str) -> str:
        """A formula between dollars."""
        return formula(body)

    def block_math(self, body: str) -> str:
        """A formula between double dollars, which is wide."""
        return f'<span class="formula">{formula(body)}</span>'


def formula(tex: str) -> str:
    r"""An SVG image of a formula, or its source where matplotlib does not know it.

    Parameters
    ----------
    tex : the formula in LaTeX, without the dollars around it

    >>> formula(r"\\begin{align} a \\end{align}")[:13]
    '<code>\\\\begin'
    >>> formula("m_t")[:28]
    '<img class="formula" alt="m_'
    """
    drawn, text = io.BytesIO(), html.escape(tex)
    try:
        with mpl.rc_context({"svg.fonttype": "path", "mathtext.fontset": "stix"}):
            depth = mathtext.math_to_image(f"${' '.join(tex.split())}$", drawn, format="svg")
    except ValueError:
        return f"<code>{text}</code>"
    source = base64.b64encode(drawn.getvalue()).decode()
    lowered = f"vertical-align:-{depth * PIXELS_A_POINT:.1f}px"
    return f'<img class="formula" alt="{text}" style="{lowered}" src="data:image/svg+xml;base64,{source}">'


def markdown(source: str) -> str:
    """The HTML of a text, its formulas drawn.

    Parameters
    ----------
    source : Markdown

    >>> markdown("*one*").strip()
    '<p><em>one</em></p>'
    """
    return MarkdownWithMath(renderer=_Renderer(escape=False)).render(source)


def _called(output: NotebookNode, cell: NotebookNode) -> str:
    """The name of the figure that is the output; where it has none, the code that drew it."""
    name = output.data.get("text/plain", "")
    return cell.source.strip().splitlines()[-1] if NAMELESS.fullmatch(name) or not name else name
