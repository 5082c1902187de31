"""Notebooks are compared in their figures, too: in what is seen of them, not in how a file holds it."""

import base64
import io
import os
import sys

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
from compared_figures import PNG, SQUARE, TOLERANCE, TRAINING, difference, differences, squares
from nbformat.v4 import new_code_cell, new_notebook, new_output
from PIL import Image

from helpers import paths

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
CELL = "import matplotlib.pyplot as plt\n_ = plt.plot([1, 3, 2])"
PLUGIN = "compared_figures"


def encoded(image, **options):
    file = io.BytesIO()
    image.save(file, "PNG", **options)
    return base64.b64encode(file.getvalue()).decode()


def decoded(picture):
    return Image.open(io.BytesIO(base64.b64decode(picture)))


def drawn(values, size=(4, 3)):
    """A line plot as the notebooks would hold it."""
    figure, axes = plt.subplots(figsize=size)
    axes.plot(values)
    file = io.BytesIO()
    figure.savefig(file)
    return encoded(Image.open(file))


@pytest.fixture
def picture(closed_figures):
    return drawn([1, 3, 2])


def test_mean_colours_of_squares_may_differ_by_the_tolerance_and_no_more():
    colours = np.zeros((SQUARE, SQUARE + 2, 3))
    colours[:, : SQUARE // 2, 0] = 100
    colours[: SQUARE // 4, SQUARE:, 1] = 40
    assert squares(colours).tolist() == [[[50, 0, 0], [0, 10, 0]]]
    white = np.full((SQUARE, SQUARE, 3), 255.0)
    assert difference(white, white - [0, TOLERANCE, 0]) == ""
    assert difference(white, white - [0, TOLERANCE + 0.1, 0]).startswith("1 of 1 squares")


def test_the_same_picture_in_another_compression_is_the_same(picture):
    again = encoded(decoded(picture), compress_level=0)
    assert again != picture
    assert differences([picture], [again]) == []


@pytest.mark.parametrize("values", [[1, 2, 3], [1, 3, 2.2], [1, 3, 2, 2]])
def test_another_figure_of_the_same_size_is_another_picture_and_none_is_a_difference(picture, values):
    [found] = differences([picture], [drawn(values)])
    assert "squares of 16 pixels differ" in found
    assert differences([picture], []) == ["0 figures are drawn, 1 are committed"]


def notebook_with(picture):
    """A notebook of one cell whose committed figure is that picture."""
    data = {PNG: picture, "text/plain": "<Figure size 640x480 with 1 Axes>"}
    cell = new_code_cell(CELL, execution_count=1, outputs=[new_output("display_data", data)])
    return new_notebook(cells=[cell])


def nbval(pytester, notebook, name="one", *plugins):
    nbformat.write(notebook, pytester.path / f"{name}.ipynb")
    options = [option for plugin in (PLUGIN, *plugins) for option in ("-p", plugin)]
    return pytester.runpytest_subprocess(*options, "--nbval", "--nbval-current-env", f"{name}.ipynb")


@pytest.fixture
def found_by_nbval(pytester, monkeypatch, request):
    """What nbval with the plugin says of a committed red pixel."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(request.path.parent), str(request.config.rootpath)]))
    return nbval(pytester, notebook_with(encoded(Image.new("RGB", (1, 1), "red"))))


def test_nbval_with_the_plugin_fails_a_red_pixel(found_by_nbval):
    found_by_nbval.assert_outcomes(failed=1)
    said = ["*Cell figures differ*", "*figure 1: drawn with * pixels, committed with 1 x 1*"]
    found_by_nbval.stdout.fnmatch_lines(said)


@pytest.mark.skipif(not LARGE, reason="executes a notebook three times: LABEL_STUDIES_TESTS=all")
def test_nbval_with_the_plugin_passes_what_was_drawn(pytester, found_by_nbval):
    command = ["-m", "jupyter", "nbconvert", "--to", "notebook", "--execute", "--inplace", "one.ipynb"]
    pytester.run(sys.executable, *command)
    [output] = nbformat.read(pytester.path / "one.ipynb", as_version=4).cells[0].outputs
    nbval(pytester, notebook_with(encoded(decoded(output.data[PNG]), compress_level=1))).assert_outcomes(passed=1)


@pytest.mark.skipif(not LARGE, reason="runs nbval twice: LABEL_STUDIES_TESTS=all")
def test_where_portraits_are_drawn_otherwise_what_trains_on_them_is_executed_and_not_compared(
    pytester, monkeypatch, request
):
    folders = [request.path.parent, request.config.rootpath, pytester.path]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, folders)))
    pytester.makepyfile(elsewhere=f"import {PLUGIN}\n{PLUGIN}.as_stored = lambda: False")
    red = notebook_with(encoded(Image.new("RGB", (1, 1), "red")))
    training = nbval(pytester, red, TRAINING[0], "elsewhere")
    training.assert_outcomes(passed=1)
    training.stdout.fnmatch_lines(["not compared: *01_overlapping_labels*C library*"])
    nbval(pytester, red, "another", "elsewhere").assert_outcomes(failed=1)


def test_what_is_not_compared_then_are_the_notebooks_that_train():
    sources = {path.stem: path.read_text(encoding="utf-8") for path in paths.project("notebooks").glob("*.ipynb")}
    assert {name for name, source in sources.items() if "sweep.outcome(" in source} == set(TRAINING)
