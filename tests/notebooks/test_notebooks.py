"""What every committed notebook keeps to, so that it can be run in batch, checked by nbval and compared by git."""

import ast

import nbformat
import pytest

from helpers.command.notebooks import GUIDE, available

COMMON = {"results_dir": str}
OF_STUDIES = {"seed": int}
OF_SWEEPS = {"scale": str, "n_jobs": int}
WITHOUT_SWEEPS = {"05", "06"}
"""Studies that train nothing."""

NOT_COMMITTED = {"papermill", "execution"}


@pytest.fixture(scope="module", params=available(), ids=lambda study: study.name)
def study(request):
    return request.param


@pytest.fixture(scope="module")
def notebook(study):
    return nbformat.read(study.path, as_version=4)


def is_study(study):
    return study.number != GUIDE and not study.is_appendix


def trains(study):
    """Whether it has sweeps; an appendix and the guide may show what is stored."""
    return is_study(study) and study.number not in WITHOUT_SWEEPS


def tagged(notebook, tag):
    return [cell for cell in notebook.cells if tag in cell.metadata.get("tags", [])]


def test_one_cell_holds_the_parameters_and_every_line_of_it_can_be_set_and_has_help(study, notebook):
    [cell] = tagged(notebook, "parameters")
    assigned = [node.target.id for node in ast.parse(cell.source).body]
    assert assigned == list(study.parameters)
    assert all(parameter.help for parameter in study.parameters.values())


def test_the_common_parameters_are_there(study):
    expected = COMMON | (OF_STUDIES if is_study(study) else {}) | (OF_SWEEPS if trains(study) else {})
    assert {name: study.parameters[name].kind for name in expected} == expected


def test_demo_is_the_default_and_no_tables_are_written(study):
    if "scale" in study.parameters:
        assert study.parameters["scale"].default == "demo"
    assert study.parameters["results_dir"].default == ""


def test_the_committed_notebook_was_run_from_top_to_bottom_with_its_defaults(notebook):
    counts = [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))
    assert not tagged(notebook, "injected-parameters")


def test_no_output_is_an_error_or_a_warning(notebook):
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.output_type == "error" or output.get("name") == "stderr"]


def test_metadata_holds_nothing_of_one_run_or_machine(notebook):
    assert notebook.metadata.kernelspec.name == "python3"
    assert "version" not in notebook.metadata.language_info
    for holder in (notebook, *notebook.cells):
        assert not NOT_COMMITTED & holder.metadata.keys()


def test_each_cell_has_one_stream_so_that_executing_it_again_changes_nothing(notebook):
    for cell in notebook.cells:
        names = [output.name for output in cell.get("outputs", []) if output.output_type == "stream"]
        assert len(names) == len(set(names))
