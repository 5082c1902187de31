import importlib
import subprocess
import sys

import pytest

from helpers import rankers
from helpers.command import rules
from helpers.command.notebooks import available
from helpers.datasets import portrait
from helpers.judging import formats
from helpers.judging.formats.rows import REPEATS
from helpers.studies import scales

DEFAULTS = {"scale": "demo", "rankers": ["LambdaRank"], "datasets": ["ohsumed"], "judges": "", "n_jobs": 2, "seed": 7}
DEFAULTS |= {"margin": 0.005, "cutoff": 10, "good": 2, "results_dir": "", "repeats": "refuse"}


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("scale", "stduy", "scale is 'stduy', expected one of demo, study, paper"),
        ("rankers", [], "rankers is empty, expected one or more of LambdaMART, LambdaRank"),
        ("rankers", ["ListNet", "ListNet"], "rankers has 'ListNet' twice"),
        (
            "rankers",
            ["ListNet", "Foo"],
            "rankers has 'Foo', expected one of .*; two of them are written LambdaMART,La",
        ),
        ("judges", "nobody", "judges is 'nobody', expected one of .*WEB5_truth_vs_worker"),
        ("datasets", [], "datasets is empty"),
        ("datasets", ["td2003", "nonsense"], "datasets: nonsense: no such file or folder, nor a data set"),
        ("datasets", ["syndl-dl21-portrait"], "datasets is 'syndl-dl21-portrait', expected one of .*robust04-portrait"),
        ("cutoff", 0, "cutoff is 0, expected at least 1"),
        ("seed", -1, "seed is -1, expected at least 0"),
        ("n_jobs", 0, "n_jobs is 0, expected at least 1, or as joblib"),
        ("margin", -0.1, "margin is -0.1, expected at least 0"),
        ("margin", float("nan"), "margin is nan, expected at least 0"),
        ("margin", float("inf"), "margin is inf, expected at least 0"),
        ("good", 0, "good is 0, expected 1 to 127"),
        ("good", 128, "good is 128, expected 1 to 127"),
        ("repeats", "last", "repeats is 'last', expected one of refuse, first"),
        ("format", "xlsx", "format is 'xlsx', expected one of opensearch"),
        ("epsilon", 1.5, "epsilon is 1.5, expected 0 to 1"),
        ("judgments", "no_such.csv", "no_such.csv: no such file"),
        ("results_dir", "here", "results_dir is set by this command, expected `--out DIR`"),
    ],
)
def test_what_no_study_can_work_with_is_refused(name, value, message):
    with pytest.raises((ValueError, FileNotFoundError), match=message):
        rules.checked({name: value}, DEFAULTS)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("scale", "paper"), ("rankers", ["RankSVM", "ListNet"]), ("judges", "WEB5_truth_vs_worker"),
        ("datasets", ["td2003", *(f"{name}-portrait" for name in portrait.names())]), ("cutoff", 1), ("seed", 0),
        ("n_jobs", -1), ("margin", 0.0), ("good", 1), ("repeats", "first"), ("unruled", object),
    ],
)  # fmt: skip
def test_what_a_study_can_work_with_is_taken_as_it_is(name, value):
    assert rules.checked({name: value}, DEFAULTS) == {name: value}


def test_the_names_of_rankers_and_formats_are_those_there_are():
    assert sorted(rules.RANKERS) == sorted(rankers.NAMES)
    assert tuple(formats.FORMATS) == rules.FORMATS
    assert rules.CHOICES["repeats"] == REPEATS


def test_every_study_has_the_scales():
    for study in ("overlap", "bounds", "robustness", "depth"):
        assert tuple(importlib.import_module(f"helpers.studies.{study}.protocol").SCALES) == scales.NAMES


def test_every_parameter_of_the_notebooks_has_a_rule_but_a_switch():
    parameters = [parameter for study in available() for parameter in study.parameters.values()]
    assert {parameter.name for parameter in parameters if parameter.kind is not bool} <= {*rules.RULES, *rules.READ}


def test_a_refusal_does_not_wait_for_the_numeric_libraries():
    code = "import sys, helpers.command.cli as c; sys.argv[1:] = ['run', '04', '-p', 'scale', 'stduy']\n"
    code += "try: c.main()\nexcept SystemExit as end: print(end.code, *sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "Error: scale is 'stduy', expected one of demo, study, paper\n"
    assert done.stdout.startswith("2 ")
    heavy = {"numpy", "pandas", "scipy", "sklearn", "numba", "lightgbm", "papermill", "nbformat", "nbconvert", "joblib"}
    assert not heavy & set(done.stdout.split())


def test_a_cutoff_that_the_stored_pilot_was_not_measured_at_is_refused_before_a_notebook_runs():
    [study] = [study for study in available() if study.number == "05"]
    with pytest.raises(ValueError, match="cutoff is 5, expected 10, that of the worked example, or judgments and runs"):
        rules.check_data(study, {"cutoff": 5})


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"runs": "one.run"}, ValueError, r"runs is 'one.run', one run, expected two or more: a folder, or files"),
        ({"runs": "empty"}, FileNotFoundError, "empty: no file, expected one for each run"),
        ({"runs": "one.run,other/one.txt"}, ValueError, "both called one, expected different names"),
        (
            {"runs": "one.run,else.run"},
            ValueError,
            "runs: no judged queries, expected ids such as q, found ids such as",
        ),
        ({"runs": "one.run,two.run", "judgments": ""}, ValueError, "but judgments is empty, expected those that the"),
    ],
)
def test_runs_that_cannot_be_compared_are_refused_before_a_notebook_runs(put, monkeypatch, given, error, message):
    mine = put("mine.csv", "query,doc,assessor,grade\nq,a,Ann,1\n").parent
    for name in ("one.run", "else.run", "two.run", "other/one.txt"):
        put(name, "p Q0 a 1 2 t\n")
    (mine / "empty").mkdir()
    monkeypatch.chdir(mine)
    [study] = [study for study in available() if study.number == "06"]
    with pytest.raises(error, match=message):
        rules.check_data(study, {"judgments": "mine.csv"} | given)
