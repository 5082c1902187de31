"""Every public function says what each of its parameters is, and that it refuses what it refuses."""

import ast
import re
from pathlib import Path

import pytest

import helpers

PACKAGE = Path(helpers.__path__[0])
OBVIOUS = {"self", "cls", "args", "kwargs"}


def functions():
    """(where, definition, docstring) of every public function and method of the package."""
    for file in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        owners = [tree, *(n for n in tree.body if isinstance(n, ast.ClassDef) and not n.name.startswith("_"))]
        for owner in owners:
            for node in owner.body:
                if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                    where = f"{file.relative_to(PACKAGE)}:{node.name}"
                    yield pytest.param(node, ast.get_docstring(node) or "", owner_text(owner), id=where)


def owner_text(owner):
    """What a class says of itself, which holds for its methods too."""
    return (ast.get_docstring(owner) or "") if isinstance(owner, ast.ClassDef) else ""


FUNCTIONS = list(functions())


def named(name, text):
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


@pytest.mark.parametrize(("node", "text", "around"), FUNCTIONS)
def test_every_parameter_is_named(node, text, around):
    arguments = node.args
    names = [a.arg for a in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]]
    commands = any(
        "click" in ast.dump(decorator) or "command" in ast.dump(decorator) for decorator in node.decorator_list
    )
    missing = [n for n in names if n not in OBVIOUS and not named(n, text) and not named(n, around)]
    assert commands or not missing, f"{missing} not in its docstring"


@pytest.mark.parametrize(("node", "text", "around"), FUNCTIONS)
def test_what_it_raises_itself_is_said(node, text, around):
    raised = {ast.unparse(n.exc).split("(")[0] for n in ast.walk(node) if isinstance(n, ast.Raise) and n.exc}
    errors = {name for name in raised if re.fullmatch(r"\w*Error", name)}
    missing = [name for name in errors if not named(name, text) and not named(name, around)]
    assert not missing, f"{missing} not in its docstring"
