"""What the report of every committed notebook is: whole without a network, each figure once and named, no dead link."""

import os

import nbformat
import pytest
from parsed_html import Parsed, loaded

from helpers.command import html
from helpers.command.notebooks import available

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
STUDIES = [study for study in available() if LARGE or study.number in ("00", "02")]
"""Without LABEL_STUDIES_TESTS=all the guide and one with sliders."""


@pytest.fixture(scope="module", params=STUDIES, ids=lambda study: study.name)
def page(request):
    return html.page(nbformat.read(request.param.path, as_version=4), request.param.title)


@pytest.fixture(scope="module")
def parsed(page):
    return Parsed(page)


def test_nothing_is_loaded(page):
    assert loaded(page) == []


def test_every_image_says_what_it_is(parsed):
    assert all(attributes.get("alt", "").strip() for attributes, _ in parsed["img"])


def test_every_figure_stands_once(parsed):
    figures = [attributes["src"] for attributes, inside in parsed["img"] if inside[-1] == "figure"]
    assert len(set(figures)) == len(figures)


def test_a_link_leads_into_the_page_to_another_notebook_or_to_another_host(parsed):
    reports = {f"{study.name}.html" for study in available()}
    for link in parsed.links:
        file, _, name = link.partition("#")
        assert link.startswith(("https://", "http://")) or (file in reports if file else name in parsed.names), link


def test_what_is_wide_scrolls_in_a_box_of_its_own(parsed):
    assert all(inside[-1] == "div.scroll" for _, inside in parsed["table"])
