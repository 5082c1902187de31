"""The names of .docs/api.txt say what they take, refuse and give; what any docstring names is there."""

import ast
import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import helpers

OUTSIDE = {"numpy", "joblib", "records", "truth"}
"""What docstrings name a part of that is no module of the package."""

SHOWN = {
    "engine.sweep.run": "its function must have a source that can be read",
    "datasets.catalog.fetch": "it downloads",
    "datasets.portrait.measure": "it takes seconds",
    "reporting.figures.sliders": "it needs a notebook",
}
"""Names with a call that is shown, not run, and why."""

PACKAGE = Path(helpers.__path__[0])
LIST = PACKAGE.parent / ".docs" / "api.txt"
API = (
    [line for line in LIST.read_text(encoding="utf-8").split("\n") if line and line[0] != "#"] if LIST.is_file() else []
)


def found(name):
    """What a name, as it stands below helpers, is."""
    module, _, own = name.rpartition(".")
    return getattr(importlib.import_module(f"helpers.{module}"), own)


def test_the_list_names_each_thing_once():
    assert len(API) == len(set(API))


@pytest.mark.parametrize("name", API)
def test_an_api_name_says_what_it_takes_and_refuses(name):
    thing = found(name)
    parts = [thing, *(vars(thing).values() if inspect.isclass(thing) else ())]
    text = " ".join(inspect.getdoc(part) or "" for part in parts)
    parameters = [p for p in inspect.signature(thing).parameters if p not in ("args", "kwargs", "self")]
    assert [p for p in parameters if not re.search(rf"\b{p}\b", text)] == [], "parameters that it does not name"
    raised = {ast.unparse(n.exc).split("(")[0] for n in ast.walk(source(thing)) if isinstance(n, ast.Raise) and n.exc}
    assert [error for error in raised if error.endswith("Error") and error not in text] == [], "errors it does not name"


@pytest.mark.parametrize("name", API)
def test_an_api_name_has_an_example(name):
    text, called = inspect.getdoc(found(name)), rf"\b{name.rpartition('.')[2]}\b"
    if name in SHOWN:
        assert re.search(rf"^    .*{called}\(", text, re.MULTILINE)
    else:
        run = "".join(example.source for example in doctest.DocTestParser().get_examples(text))
        assert re.search(called, run)


def test_what_is_shown_and_not_run_is_of_the_list():
    assert not API or set(SHOWN) <= set(API)


@pytest.mark.parametrize(("old", "new"), helpers.MOVED.items())
def test_a_module_that_moved_says_where_it_is(old, new):
    importlib.import_module(new)
    room, _, own = old.rpartition(".")
    for statement in (f"import {old}", f"from {room} import {own}", f"from {old} import anything"):
        with pytest.raises(ImportError, match=f"^{re.escape(f'{old} is now {new}')}$"):
            exec(statement, {})


def test_a_function_that_moved_says_where_it_is():
    with pytest.raises(AttributeError, match=r"judgments\.label_matrix\(frame\) is now coded\(frame\)"):
        _ = helpers.judgments.label_matrix


def source(thing):
    return ast.parse(inspect.cleandoc("\n" + inspect.getsource(thing)))


def endings():
    """How the dotted name of every module, of what it has, and of what its classes have may end."""
    for module in pkgutil.walk_packages(helpers.__path__, "helpers."):
        loaded = importlib.import_module(module.name)
        inside = {
            name: [*dir(thing), *getattr(thing, "__annotations__", ())]
            for name, thing in vars(loaded).items()
            if inspect.isclass(thing)
        }
        for name in ["", *dir(loaded), *(f"{name}.{part}" for name, parts in inside.items() for part in parts)]:
            whole = f"{module.name}.{name}".rstrip(".").split(".")
            yield from (".".join(whole[k:]) for k in range(len(whole) - 1))


def test_dotted_names_in_docstrings_exist():
    there = set(endings())
    for file in PACKAGE.rglob("*.py"):
        named = set(re.findall(r"`([a-z_]+(?:\.[A-Za-z_]\w*)+)(?:\(\))?`", file.read_text(encoding="utf-8")))
        outside = {
            n for n in named if n.split(".")[0] in OUTSIDE or n.rpartition(".")[2] in ("csv", "parquet", "json", "html")
        }
        assert named - outside <= there, f"{file.name}: {named - outside - there}"
