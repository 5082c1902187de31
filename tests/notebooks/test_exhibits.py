"""What a student changes first: the constants of exhibits. Text, figure and checks follow them, in one process."""

import ast
import contextlib
import functools
import io
import re
from unittest import mock

import matplotlib.pyplot as plt
import nbformat
import pytest
from matplotlib.text import Text

from helpers.command.notebooks import available
from helpers.reporting import answers

EXHIBITS = {
    "01": [("k", ("2", "5")), ("lowest", ("1", "3"))],
    "03": [
        ("clean", ("[3, 2, 1, 0, 0, 0]", "[1, 1, 1, 0, 0, 0]")),
        ("noisy", ("[0, 1, 1, 0, 0, 0]", "[2, 2, 1, 1, 0, 0]")),
        ("wrong", ("0.02", "0.3")),
    ],
    "03a": [
        ("grades", ("[2]", "[3, 4]")),
        ("relevant", ("[0.3, 0.4]", "[0.02]")),
        ("documents", ("[50]", "[100, 10_000]")),
    ],
    "02": [
        ("profile", ("np.array([50, 4, 3, 2, 1])", "np.array([0, 0, 15, 0, 0])")),
        ("step", ("0", "2")),
        ("pool", ('"chorus"', '"relish"')),
    ],
    "04": [
        ("share", ("1 / 2", "1 / 6")),
        ("collection", ('"microblog"', '"mq2008"')),
        ("ranker", ('"LambdaMART"', '"RankSVM"')),
        ("cost", ("8", "64")),
    ],
    "05": [
        ("depth", ("2", "5")),
        ("true", ("0.02", "0.1")),
        ("spread", ("0.1", "0.3")),
        ("queries", ("25", "200")),
        ("plans", ("2", "50")),
    ],
    "06": [
        ("one", ("np.array([0, 2, 1, 3, 4])", "np.array([4, 1, 2, 3, 0])")),
        ("milder", ("1", "-1")),
        ("queries", ("len(by_query) // 4", "100")),
        ("model", ("0", "3")),
        ("part", ("3 / 4", "1 / 10")),
    ],
}
"""Notebook -> its constants, each with two values that are not its own, as they are written in the cell."""

CASES = [
    pytest.param(number, name, value, id=f"{number}-{name}-{value}"[:60])
    for number, constants in EXHIBITS.items()
    for name, values in constants
    for value in values
]
NOTEBOOKS = {study.number: study.path for study in available()}


def cells(number, *tags):
    """Sources of the cells of code that have one of the tags; of all without tags."""
    found = [cell for cell in nbformat.read(NOTEBOOKS[number], as_version=4).cells if cell.cell_type == "code"]
    return [cell.source for cell in found if not tags or set(tags) & set(cell.metadata.get("tags", []))]


def imports(number):
    nodes = [node for source in cells(number) for node in ast.parse(source).body]
    return "\n".join(ast.unparse(node) for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))


def constant(name):
    return re.compile(rf"^{name} = .*$", re.MULTILINE)


def shown(number, name="", value=""):
    """What the exhibits of a notebook print and write into figures, where a constant has another value."""
    plt.close("all")
    space, printed = {"__name__": "exhibit"}, io.StringIO()
    with contextlib.redirect_stdout(printed), mock.patch.object(answers, "show", print):
        for source in [imports(number), *cells(number, "parameters"), *cells(number, "exhibit")]:
            changed = constant(name).sub(f"{name} = {value}", source) if name else source
            exec(compile(changed, f"{number}.{name}", "exec"), space)
    figures = [plt.figure(n) for n in plt.get_fignums()]
    return [printed.getvalue(), *([text.get_text() for text in figure.findobj(Text)] for figure in figures)]


@functools.cache
def committed(number):
    return shown(number)


@pytest.mark.parametrize(("number", "name", "value"), CASES)
@pytest.mark.usefixtures("closed_figures")
def test_an_exhibit_follows_its_constant(number, name, value):
    exhibits = cells(number, "exhibit")
    assert sum(len(constant(name).findall(source)) for source in exhibits) == 1
    assert constant(name).search("\n".join(exhibits))[0] != f"{name} = {value}"
    before, after = committed(number), shown(number, name, value)
    assert len(after) == len(before) > 1
    assert after != before
