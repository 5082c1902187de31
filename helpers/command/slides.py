"""A notebook as slides, one page of HTML that needs nothing from elsewhere.

nbconvert puts the cells into sections by their `slideshow` metadata, as for reveal.js, which it would load from another
host. Here the sections are as high as the window and the browser's own scrolling stops at each; a few lines of script,
in the page, go from one to the next by the arrow keys.
"""

from __future__ import annotations

import copy
import re

from nbconvert import SlidesExporter
from nbformat import NotebookNode

from helpers.command import editions, html, pages

START, GOES_ON, SKIPPED = "slide", "-", "skip"
"""Values of `slide_type` in the metadata of a cell: the first of a slide, one more on it, on none."""

SHOWN_LINES = 14
"""Code of more lines is not shown on a slide; what it printed is."""

HEADING = re.compile(r"^#{1,6} ")

TEMPLATE = """{% extends 'index.html.j2' %}
{% block header %}<!DOCTYPE html>
<html lang="{{ resources.language_code }}">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<title>{{ resources['metadata']['name'] | escape_html }}</title>
{{ resources.include_css("static/index.css") }}
{{ resources.include_css("static/theme-light.css") }}
{% for css in resources.inlining.css %}<style>{{ css }}</style>{% endfor %}
<style>
:root { --jp-ui-font-size1: 20px; --jp-content-font-size1: 20px; --jp-code-font-size: 17px; --jp-cell-prompt-width: 0; }
html { scroll-snap-type: y proximity; scroll-padding: 0; }
body.jp-Notebook { padding: 0; margin: 0; counter-reset: slide; display: block; height: auto; overflow: visible; }
section section { counter-increment: slide; position: relative; box-sizing: border-box; min-height: 100vh;
  padding: 4vh 6vw; scroll-snap-align: start; overflow-x: auto; border-bottom: 1px solid #ddd; }
section section::after { content: counter(slide); position: absolute; right: 2vw; bottom: 2vh; color: #777; }
.jp-OutputArea-output img { max-height: 66vh; max-width: 100%; height: auto; width: auto; }
.jp-InputPrompt, .jp-OutputPrompt, a.anchor-link { display: none; }
@media print { section section { break-after: page; border: 0; } }
</style>
</head>{% endblock header %}
{% block data_png scoped %}<div class="jp-RenderedImage jp-OutputArea-output">
<img alt="{{ output.metadata['alt'] | escape_html }}" src="data:image/png;base64,{{ output.data['image/png'] }}">
</div>{% endblock data_png %}
{% block body_header %}<body class="jp-Notebook" data-jp-theme-light="true"><main>{% endblock body_header %}
{% block body_footer %}</main></body>{% endblock body_footer %}
{% block footer_js %}<script>
const slides = [...document.querySelectorAll("section section")];
const steps = { ArrowRight: 1, PageDown: 1, " ": 1, ArrowLeft: -1, PageUp: -1 };
addEventListener("keydown", (pressed) => {
  const step = steps[pressed.key];
  if (!step || pressed.ctrlKey || pressed.altKey || pressed.metaKey) return;
  pressed.preventDefault();
  const here = slides.findLastIndex((slide) => slide.getBoundingClientRect().top < 2);
  slides[Math.max(0, Math.min(slides.length - 1, here + step))].scrollIntoView();
});
</script>{% endblock footer_js %}"""


def page(notebook: NotebookNode, title: str) -> str:
    """The HTML of a notebook's slides, its figures and formulas in it; solutions and checks are on none.

    Parameters
    ----------
    notebook : executed; it stays as it is
    title : of the page
    """
    exporter = SlidesExporter(raw_template=TEMPLATE)
    exporter.register_filter("markdown2html", html.markdown)
    body, _ = exporter.from_notebook_node(laid_out(notebook), {"metadata": {"name": title}})
    return pages.to_reports(body)  # the slides of another notebook are called as its report


def laid_out(notebook: NotebookNode) -> NotebookNode:
    """The notebook with a `slide_type` for every cell, its Markdown divided at headings.

    A slide begins at a heading, at an exercise, and at a text after something that was printed or drawn. Code that
    leaves nothing to see is on no slide, nor is a text that only introduces it. What a cell's own metadata say holds.
    A figure is called by the line of text before it.

    Parameters
    ----------
    notebook : executed; it stays as it is
    """
    made = copy.deepcopy(notebook)
    made.cells = [part for cell in made.cells for part in _divided(cell)]
    shown_before, text = False, ""
    for cell, following in zip(made.cells, [*made.cells[1:], None], strict=True):
        text = cell.source if cell.cell_type == "markdown" else text
        for output in cell.get("outputs", []):
            output.setdefault("metadata", NotebookNode())["alt"] = text.strip().rpartition("\n")[2]
        kind = _type(cell, following, shown_before)
        kind = cell.metadata.setdefault("slideshow", NotebookNode()).setdefault("slide_type", kind)
        shown_before = kind != SKIPPED and cell.cell_type == "code"
        cell.metadata["transient"] = {"remove_source": cell.cell_type == "code" and not _code_is_shown(cell)}
    return made


def _divided(cell: NotebookNode) -> list[NotebookNode]:
    """The cell itself, or one for each heading in its Markdown and what stands under it."""
    sources = [source for source in re.split(r"(?m)^(?=##)", cell.source) if source.strip()]
    if cell.cell_type != "markdown" or len(sources) < 2:
        return [cell]
    parts = [copy.deepcopy(cell) for _ in sources]
    for number, (part, source) in enumerate(zip(parts, sources, strict=True)):
        part.update(source=source, id=f"{cell.id}-{number}")
    return parts


def _type(cell: NotebookNode, following: NotebookNode | None, shown_before: bool) -> str:
    if cell.cell_type == "code":
        return SKIPPED if _leaves_nothing(cell) else GOES_ON
    if editions.tagged(cell, editions.EXERCISE):
        return START
    heading = HEADING.match(cell.source)
    if _introduces_nothing(following, bool(heading)):
        return SKIPPED
    return START if heading or shown_before else GOES_ON


def _leaves_nothing(cell: NotebookNode) -> bool:
    return not cell.outputs or editions.tagged(cell, editions.SOLUTION, editions.CHECK)


def _introduces_nothing(following: NotebookNode | None, heading: bool) -> bool:
    """Whether the cell after a text is on no slide; a heading counts for more than the next cell, except parameters."""
    if following is None or following.cell_type != "code" or not _leaves_nothing(following):
        return False
    return not heading or editions.tagged(following, "parameters")


def _code_is_shown(cell: NotebookNode) -> bool:
    """Of a figure, a table or a sentence only that is shown; what was printed, together with the code."""
    rich = {kind for output in cell.get("outputs", []) for kind in output.get("data", {})} - {"text/plain"}
    return not rich and cell.source.count("\n") < SHOWN_LINES
