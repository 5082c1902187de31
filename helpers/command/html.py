"""A notebook as one page of HTML that needs nothing from elsewhere: no script, style or formula of another host."""

from __future__ import annotations

import base64
import html
import io

import matplotlib as mpl
from matplotlib import mathtext
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode

REMOTE = ("html_head_js_requirejs", "html_head_js_mathjax", "html_head_js_mermaidjs", "jupyter_widgets")
"""Blocks of nbconvert's page that load scripts."""

TEMPLATE = "{% extends 'index.html.j2' %}" + "".join(f"{{% block {name} %}}{{% endblock %}}" for name in REMOTE)
PIXELS_A_POINT = 4 / 3


def page(notebook: NotebookNode, title: str) -> str:
    """The HTML of an executed notebook, its figures and formulas in it.

    Parameters
    ----------
    notebook : with the outputs that are to be shown
    title : of the page
    """
    exporter = HTMLExporter(raw_template=TEMPLATE)
    exporter.register_filter("markdown2html", markdown)
    body, _ = exporter.from_notebook_node(notebook, {"metadata": {"name": title}})
    return body


class _Renderer(IPythonRenderer):
    """Markdown with its formulas drawn."""

    def inline_math(self, body: str) -> str:
        """A formula between dollars."""
        return formula(body)

    def block_math(self, body: str) -> str:
        """A formula between double dollars."""
        return f"<p>{formula(body)}</p>"


def formula(tex: str) -> str:
    r"""An SVG image of a formula, or its source where matplotlib does not know it.

    Parameters
    ----------
    tex : the formula in LaTeX, without the dollars around it

    >>> formula(r"\\begin{align} a \\end{align}")[:13]
    '<code>\\\\begin'
    >>> formula("m_t")[:23]
    '<img alt="m_t" style="v'
    """
    drawn, text = io.BytesIO(), html.escape(tex)
    try:
        with mpl.rc_context({"svg.fonttype": "path", "mathtext.fontset": "stix"}):
            depth = mathtext.math_to_image(f"${' '.join(tex.split())}$", drawn, format="svg")
    except ValueError:
        return f"<code>{text}</code>"
    source = base64.b64encode(drawn.getvalue()).decode()
    lowered = f"vertical-align:-{depth * PIXELS_A_POINT:.1f}px"
    return f'<img alt="{text}" style="{lowered}" src="data:image/svg+xml;base64,{source}">'


def markdown(source: str) -> str:
    """The HTML of a text, its formulas drawn.

    Parameters
    ----------
    source : Markdown

    >>> markdown("*one*").strip()
    '<p><em>one</em></p>'
    """
    return MarkdownWithMath(renderer=_Renderer(escape=False)).render(source)
