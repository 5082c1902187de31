"""What every committed notebook keeps to, so that it can be run in batch, checked by nbval and compared by git."""

import ast

import nbformat
import pytest

from helpers.command.notebooks import GUIDE, available

WITHOUT_SWEEPS = {"05", "06"}
"""Studies that train nothing."""

NOT_COMMITTED = {"papermill", "execution"}


@pytest.fixture(scope="module", params=available(), ids=lambda study: study.name)
def study(request):
    return request.param


@pytest.fixture(scope="module")
def notebook(study):
    return nbformat.read(study.path, as_version=4)


def tagged(notebook, tag):
    return [cell for cell in notebook.cells if tag in cell.metadata.get("tags", [])]


def test_one_cell_holds_the_parameters_and_every_line_of_it_can_be_set_and_has_help(study, notebook):
    [cell] = tagged(notebook, "parameters")
    assigned = [node.target.id for node in ast.parse(cell.source).body]
    assert assigned == list(study.parameters)
    assert all(parameter.help for parameter in study.parameters.values())


def test_the_common_parameters_are_there_and_by_default_a_demo_is_run_and_no_table_written(study):
    is_study = study.number != GUIDE and not study.is_appendix  # these may show what is stored
    expected = {"results_dir": str} | ({"seed": int} if is_study else {})
    expected |= {"scale": str, "n_jobs": int} if is_study and study.number not in WITHOUT_SWEEPS else {}
    assert {name: study.parameters[name].kind for name in expected} == expected
    assert "scale" not in study.parameters or study.parameters["scale"].default == "demo"
    assert study.parameters["results_dir"].default == ""


def test_the_committed_notebook_was_run_from_top_to_bottom_with_its_defaults(notebook):
    counts = [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))
    assert not tagged(notebook, "injected-parameters")


def test_no_output_is_an_error_or_a_warning_and_a_cell_has_one_stream(notebook):
    for cell in notebook.cells:
        outputs = cell.get("outputs", [])
        assert not [output for output in outputs if output.output_type == "error" or output.get("name") == "stderr"]
        # else executing it again would change it
        assert sum(output.output_type == "stream" for output in outputs) <= 1


def test_metadata_holds_nothing_of_one_run_or_machine(notebook):
    assert notebook.metadata.kernelspec.name == "python3"
    assert "version" not in notebook.metadata.language_info
    for holder in (notebook, *notebook.cells):
        assert not NOT_COMMITTED & holder.metadata.keys()
