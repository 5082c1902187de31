import nbformat
import pytest
import tiny_notebooks
from matplotlib.figure import Figure

from helpers.command import batch, titled
from helpers.command.notebooks import Study

DRAWS = """\
import matplotlib.pyplot as plt
figure, axes = plt.subplots()
_ = axes.set_title("Deep beats shallow")"""


@pytest.mark.parametrize(
    ("draw", "name"),
    [
        (lambda figure, left, right: figure.suptitle("a\nfinding"), "a finding"),
        (lambda figure, left, right: (left.set_title("one", loc="left"), right.set_title("two")), "one; two"),
        (lambda figure, left, right: (left.set_title("same"), right.set_title("same")), "same"),
        (lambda figure, left, right: (figure.suptitle("all"), right.set_title("part")), "all; part"),
        (lambda figure, left, right: (left.set(xlabel="x", ylabel="y"), right.set(xlabel="z")), "y by x; z"),
        (lambda figure, left, right: None, "Figure"),
    ],
)
def test_a_figure_is_called_by_its_titles_or_else_by_what_its_axes_show(draw, name):
    figure = Figure()
    draw(figure, *figure.subplots(1, 2))
    assert titled.name_of(figure) == name


def test_a_run_names_its_figures_and_no_other_notebook_has_to_do_anything(tmp_path):
    study = Study(
        tiny_notebooks.write(tmp_path / "01_draws.ipynb", DRAWS, "sorted(set(dir()) & {'titled', '_titled'})")
    )
    (tmp_path / "out").mkdir()
    assert batch.execute(study, {}, tmp_path / "out").error is None
    [figure, names] = [
        output
        for cell in nbformat.read(tmp_path / "out" / "01_draws.ipynb", as_version=4).cells
        for output in cell.get("outputs", [])
    ]
    assert figure.data["text/plain"] == "Deep beats shallow"
    assert names.data["text/plain"] == "[]"
    assert '<img alt="Deep beats shallow" src="data:image/png' in (tmp_path / "out" / "01_draws.html").read_text()
