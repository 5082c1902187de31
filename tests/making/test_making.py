"""What is made is made by the commands that `data/README.md` names."""

import importlib
import re

import pytest

from helpers import paths
from helpers.making import __main__ as making
from helpers.making import verdicts

COMMAND = re.compile(r"^    python -m helpers\.making (\S+)", re.MULTILINE)


def test_the_readme_of_the_data_names_every_module_that_makes_some_and_no_other():
    readme = (paths.project("data") / "README.md").read_text(encoding="utf-8")
    assert set(COMMAND.findall(readme)) == set(making.MAKERS)


@pytest.mark.parametrize("name", making.MAKERS)
def test_a_module_has_tasks(name):
    module = importlib.import_module(f"helpers.making.{name}")
    assert all(map(callable, module.TASKS.values()))
    assert {making.ONLY_NAMED.get(name)} <= {None, *module.TASKS}


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (["tea"], "WHAT is 'tea', expected one of baselines, "),
        (["overlap", "clean09"], r"NAME is 'clean09', expected one of clean07, clean08, clean\+, three-ways"),
    ],
)
def test_what_nobody_makes_is_refused(asked, message):
    with pytest.raises(ValueError, match=message):
        making.main(*asked)


def test_without_names_what_is_not_here_is_left_out_and_what_is_only_named_is_not_done(monkeypatch, capsys):
    done = []
    tasks = {"a": lambda: paths.judgments("nowhere"), "b": lambda: done.append("b"), "c": lambda: done.append("c")}
    monkeypatch.setattr(verdicts, "TASKS", tasks)
    monkeypatch.setattr(making, "ONLY_NAMED", {"verdicts": "c"})
    making.main("verdicts")
    assert done == ["b"]
    assert capsys.readouterr().out.startswith("a is left out: ")
    making.main("verdicts", "c")
    assert done == ["b", "c"]
    with pytest.raises(FileNotFoundError, match="nowhere is not here"):
        making.main("verdicts", "a")


def test_what_is_missing_of_the_project_itself_is_no_real_data_that_are_left_out(monkeypatch):
    stored = paths.project("data") / "results" / "nowhere.csv"
    monkeypatch.setattr(verdicts, "TASKS", {"a": lambda: stored.read_text(encoding="utf-8")})
    with pytest.raises(FileNotFoundError, match="nowhere"):
        making.main("verdicts")
