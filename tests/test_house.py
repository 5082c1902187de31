"""The rooms of the house: who may call whom, and what a run may import."""

import ast
import importlib
import pkgutil
from itertools import pairwise
from pathlib import Path

import pytest

import helpers

PACKAGE = Path(helpers.__path__[0])

FLOORS = (
    ("paths",),
    ("files", "texts", "checks", "numba_cache"),
    ("metrics", "engine"),
    ("datasets",),
    ("rankers", "judging"),
    ("reporting",),
    ("studies",),
    ("making", "command"),
)
"""From the ground up: a room calls rooms below it and itself, never its neighbours."""

FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
STUDIES = ("overlap", "bounds", "robustness", "depth", "budget", "judgments")
WHAT_A_RUN_USES = ("metrics", "rankers", "judging", "datasets.collection", "datasets.sampling", "checks")
MODULES = [module.name for module in pkgutil.walk_packages(helpers.__path__, "helpers.")]


def source_of(module):
    package = PACKAGE
    file = package.joinpath(*module.split(".")[1:])
    return (file / "__init__.py" if file.is_dir() else file.with_suffix(".py")).read_text(encoding="utf-8")


def imported(module):
    """Every module of the project that a module names in an import, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(source_of(module))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            for name in node.names:
                whole = f"{node.module}.{name.name}"
                found.add(whole if whole in MODULES else node.module)
    return {name for name in found if name.startswith("helpers.")}


IMPORTS = {module: imported(module) for module in MODULES}


def room(module):
    return module.split(".")[1]


def test_every_room_has_a_floor_and_every_floor_its_rooms():
    assert {room(module) for module in MODULES} == FLOOR.keys()


@pytest.mark.parametrize("module", MODULES)
def test_nothing_calls_upward_or_sideways(module):
    own = room(module)
    for name in IMPORTS[module]:
        assert room(name) == own or FLOOR[room(name)] < FLOOR[own], f"{module} imports {name}"


def test_there_is_no_circle_of_imports():
    done, path = set(), []

    def walk(module):
        assert module not in path, " -> ".join([*path[path.index(module) :], module])
        if module in done:
            return
        path.append(module)
        for name in sorted(IMPORTS.get(module, ())):
            walk(name)
        done.add(path.pop())

    for module in MODULES:
        walk(module)


@pytest.mark.parametrize(("one", "other"), [(a, b) for a in STUDIES for b in STUDIES if a != b])
def test_no_study_imports_another(one, other):
    of_one = {module: names for module, names in IMPORTS.items() if module.startswith(f"helpers.studies.{one}.")}
    assert of_one
    for module, names in of_one.items():
        assert not any(name.startswith(f"helpers.studies.{other}.") for name in names), module


TRIALS = [module for module in MODULES if module.startswith("helpers.studies.") and module.endswith("trial")]


@pytest.mark.parametrize("module", TRIALS)
def test_a_run_imports_no_more_than_it_uses(module):
    allowed = tuple(f"helpers.{name}" for name in WHAT_A_RUN_USES)
    own = module.rpartition(".")[0]
    for name in IMPORTS[module]:
        assert name.startswith(allowed) or (name.startswith(f"{own}.") and name.endswith("trial")), name


def test_studies_that_train_have_a_trial():
    assert {module.split(".")[2] for module in TRIALS} == {"overlap", "bounds", "robustness", "depth", "budget"}


@pytest.mark.parametrize("module", ["helpers", *MODULES])
def test_every_module_says_what_it_holds(module):
    first = ast.get_docstring(ast.parse(source_of(module))).splitlines()[0]
    assert first.endswith((".", "?", ":"))


def test_help_names_every_room_and_every_call_it_names_is_there():
    page = helpers.__doc__
    rooms = [name for floor in FLOORS[2:] for name in floor]
    lines = [line.split() for line in page.splitlines() if line.startswith("    ")]
    assert [words[0] for words in lines if words[0] in rooms] == sorted(rooms, key=[w[0] for w in lines].index)
    for call in (words[0].partition("(")[0] for words in lines if "(" in words[0]):
        module, _, name = call.rpartition(".")
        assert callable(getattr(importlib.import_module(f"helpers.{module}"), name)), call


def test_readme_says_of_the_rooms_what_help_says():
    readme = PACKAGE.parent / "README.md"
    if not readme.is_file():
        pytest.skip("README of an installed package lies elsewhere")
    said = readme.read_text(encoding="utf-8").replace("`", "")
    for line in helpers.__doc__.splitlines():
        name, _, what = line.strip().partition(" ")
        if name in FLOOR:
            assert f"| {name} | {what.strip()} |" in said


def test_tests_stand_where_what_they_test_stands():
    tests = PACKAGE.parent / "tests"
    if not tests.is_dir():
        pytest.skip("the tests of an installed package lie elsewhere")
    rooms = {folder.name for folder in tests.iterdir() if folder.is_dir() and any(folder.glob("**/test_*.py"))}
    assert rooms - {"notebooks"} <= FLOOR.keys()


def test_floors_are_a_partition():
    assert all(not set(a) & set(b) for a, b in pairwise(FLOORS))
