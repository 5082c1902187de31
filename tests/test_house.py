"""The rooms of the house: what a run may import, and what pages say of the rooms. Who may call whom: pyproject.toml."""

import ast
import pkgutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import helpers

PACKAGE = Path(helpers.__path__[0])
WHAT_A_RUN_USES = ("metrics", "rankers", "judging", "datasets.collection", "datasets.sampling", "checks")
MODULES = [module.name for module in pkgutil.walk_packages(helpers.__path__, "helpers.")]
TRIALS = [module for module in MODULES if module.endswith("trial")]


def floors():
    """The rooms from the ground up, as the linter of imports has them."""
    contracts = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    return [floor.split(" | ") for floor in reversed(contracts["contracts"][0]["layers"])]


def tree(module):
    file = PACKAGE.joinpath(*module.split(".")[1:])
    return ast.parse((file / "__init__.py" if file.is_dir() else file.with_suffix(".py")).read_text(encoding="utf-8"))


def imported(module):
    """Every module of the project that a module names in an import, anywhere in it."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("helpers"):
            for name in node.names:
                whole = f"{node.module}.{name.name}"
                yield whole if whole in MODULES else node.module


def test_every_room_has_a_floor_and_every_floor_its_rooms():
    assert {module.split(".")[1] for module in MODULES} == {room for floor in floors() for room in floor}


@pytest.mark.parametrize("module", TRIALS)
def test_a_run_imports_no_more_than_it_uses(module):
    allowed = tuple(f"helpers.{name}" for name in WHAT_A_RUN_USES)
    own = module.rpartition(".")[0]
    others = [name for name in imported(module) if name != "helpers" and not name.startswith(allowed)]
    assert all(name.startswith(f"{own}.") and name.endswith("trial") for name in others), others


def test_studies_that_train_have_a_trial():
    assert {module.split(".")[2] for module in TRIALS if module.startswith("helpers.studies.")} == {
        "overlap", "robustness", "depth"
    }  # fmt: skip


def test_every_module_says_what_it_holds():
    silent = [
        module for module in MODULES if not ast.get_docstring(tree(module)).splitlines()[0].endswith((".", "?", ":"))
    ]
    assert silent == []


def test_help_names_every_room_and_every_call_it_names_is_there():
    rooms = [room for floor in floors()[3:] for room in floor]
    lines = [line.split() for line in helpers.__doc__.splitlines() if line.startswith("    ")]
    assert {words[0] for words in lines} >= set(rooms)
    for call in (words[0].partition("(")[0] for words in lines if "(" in words[0]):
        module, _, name = call.partition(".")
        assert callable(getattr(getattr(helpers, module), name)), call


def test_the_face_gives_its_names_and_nothing_is_imported_for_it():
    for name in ("catalog", "letor", "runs", "judgments", "ceilings", "sampling", "schemes", "noise", "sweep"):
        assert getattr(helpers, name).__name__ == f"helpers.{helpers.FACE[name]}"
    assert helpers.Collection.__module__ == "helpers.datasets.collection"
    with pytest.raises(AttributeError, match="module 'helpers' has no attribute 'colection'"):
        helpers.colection  # noqa: B018
    run = "import helpers, sys; assert not {'numpy', 'pandas', 'helpers.datasets'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", run], check=True)


def test_tests_stand_where_what_they_test_stands():
    tests = PACKAGE.parent / "tests"
    if not tests.is_dir():
        pytest.skip("the tests of an installed package lie elsewhere")
    rooms = {folder.name for folder in tests.iterdir() if folder.is_dir() and any(folder.glob("**/test_*.py"))}
    assert rooms - {"notebooks"} <= {room for floor in floors() for room in floor}
