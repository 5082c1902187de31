"""label-studies batch: what it leaves, what it does again, and the tables of all runs."""

import json
import os
from pathlib import Path

import pandas as pd
import pytest
import tiny_notebooks
from command_line import invoke
from parsed_html import Parsed

PARAMETERS = 'draws: int = 2  # runs\ncost: float = 1.0  # each\nresults_dir: str = ""  # tables\n'


@pytest.fixture(autouse=True)
def notebooks(studies_folder, executed):
    tiny_notebooks.write(studies_folder / "01_works.ipynb", parameters=PARAMETERS)
    return studies_folder


def run(text, *arguments):
    Path("grid.yml").write_text(text)
    return invoke("batch", "grid.yml", "--jobs", "1", *arguments)


def test_every_combination_has_a_folder_and_all_have_one_table(executed):
    result = run("draws: [3, 4]\ncost: 0.5\n")
    assert result.exit_code == 0, result.stderr
    assert result.stderr.splitlines()[0] == "2 runs, of which 0 are done already"
    assert result.stderr.splitlines()[-1] == "2 of 2 runs are done: batch/runs.csv"
    runs = pd.read_csv("batch/runs.csv", dtype={"study": str})
    assert runs.drop(columns="seconds").to_dict("list") == {
        "study": ["01"] * 2,
        "draws": [3, 4],
        "cost": [0.5] * 2,
        "state": ["done"] * 2,
        "error": [pytest.approx(float("nan"), nan_ok=True)] * 2,
        "folder": ["01_works/cost=0.5,draws=3", "01_works/cost=0.5,draws=4"],
    }
    for folder in runs["folder"]:
        assert {"01_works.html", "01_works.ipynb", "01_works"} <= set(os.listdir(f"batch/{folder}"))
    verdicts = pd.read_csv("batch/verdicts.csv")
    assert verdicts[["draws", "measured"]].to_numpy().tolist() == [[3, pytest.approx(0.3)], [4, pytest.approx(0.4)]]
    values = pd.read_csv("batch/01_works/values.csv")
    assert list(values) == ["study", "draws", "parameter_cost", "cost", "seed", "value"]
    assert values["value"].tolist() == [3, -3, 4, -4]
    assert values["parameter_cost"].tolist() == [0.5] * 4


def test_the_same_command_does_only_what_is_missing(executed):
    run("draws: [3, 4]")
    run("draws: [3, 4, 5]")
    assert [settings["draws"] for settings in executed] == [3, 4, 5]
    assert pd.read_csv("batch/verdicts.csv")["draws"].tolist() == [3, 4, 5]
    run("draws: [5]")
    assert len(executed) == 3
    assert pd.read_csv("batch/verdicts.csv")["draws"].tolist() == [5]


def test_a_failure_is_kept_and_named_and_tried_again(executed):
    result = run("draws: [13, 4]")
    assert result.exit_code == 1
    error = "cell [4] raised AssertionError: unlucky"
    assert result.stderr.splitlines()[-2:] == [
        "1 of 2 runs are done: batch/runs.csv",
        f"Error: 01_works/draws=13: {error}",
    ]
    runs = pd.read_csv("batch/runs.csv")
    assert runs["state"].tolist() == ["failed", "done"]
    assert runs["error"][0] == error
    assert Path("batch/01_works/draws=13/01_works.failed.html").exists()
    assert pd.read_csv("batch/verdicts.csv")["draws"].tolist() == [4]
    assert run("draws: [13, 4]").exit_code == 1
    assert [settings["draws"] for settings in executed] == [13, 4, 13]


@pytest.mark.parametrize("changed", ["notebook", "data", "stamp"])
def test_a_run_is_done_again_when_what_it_was_made_with_is_another(executed, notebooks, changed):
    (notebooks / "table.csv").write_text("a\n1\n")  # the project's data are in this folder too
    run("draws: [3]")
    if changed == "notebook":
        tiny_notebooks.write(notebooks / "01_works.ipynb", "print('new')", parameters=PARAMETERS)
    elif changed == "data":
        (notebooks / "table.csv").write_text("a\n2\n")
    else:
        os.unlink("batch/01_works/draws=3/run.json")
    assert run("draws: [3]").exit_code == 0
    assert len(executed) == 2


def test_what_is_stamped_is_what_the_run_was_asked_for_and_a_damaged_stamp_is_named():
    run("draws: [3]")
    stamp = json.loads(Path("batch/01_works/draws=3/run.json").read_text())
    assert (stamp["run"]["parameters"], stamp["error"]) == ({"draws": 3}, None)
    for content in ("{", "[]", "{}"):
        Path("batch/01_works/draws=3/run.json").write_text(content)
        result = run("draws: [3]")
        assert result.exit_code == 1
        assert result.stderr.startswith("Error: batch/01_works/draws=3/run.json: damaged, expected what a run was made")


def test_a_wrong_value_anywhere_is_refused_before_anything_runs(executed):
    result = run("draws: [1, 2, many]")
    assert result.exit_code == 2
    assert result.stderr == "Error: grid.yml: parameter draws is 'many', expected int like its default, 2\n"
    assert executed == []
    assert os.listdir() == ["grid.yml"]


def test_the_page_of_a_batch_leads_to_every_report_and_back(notebooks):
    tiny_notebooks.write(notebooks / "02_none.ipynb", parameters="other: int = 1  # o")
    run("draws: [3, 13]\n", "--out", "b")
    for page in Path("b").rglob("*.html"):
        links = Parsed(page.read_text()).links
        files = [link.partition("#")[0] for link in links]
        assert all((page.parent / file).exists() for file in files if file), links
        assert any(file.endswith("index.html") for file in files)
    assert sum(page.name == "index.html" for page in Path("b").rglob("*.html")) == 1
    assert Path("b/02_none/defaults/02_none.html").exists()
    index = Parsed(Path("b/index.html").read_text())
    assert {"runs.csv", "verdicts.csv", "01_works/values.csv"} <= set(index.links)
    assert Path("b/index.html").read_text().count("<td>X1: holds.</td>") == 2
