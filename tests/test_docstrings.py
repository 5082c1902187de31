"""Every public function says what its parameters are and what it refuses, and what a docstring names is there."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import helpers

PACKAGE = Path(helpers.__path__[0])
OBVIOUS = {"self", "cls", "args", "kwargs", "ctx"}
"""What Python and click call so everywhere."""

OUTSIDE = {"numpy", "joblib", "records", "truth", "QUESTION"}
"""What docstrings name a part of that is no module of the package: libraries, and things within an example."""

FILES = {"csv", "parquet", "json"}
ENTRY = re.compile(r"(\*{0,2}\w+(?:, \*{0,2}\w+)*) : ")
DOTTED = re.compile(r"`([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)`")


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


def parameters(node):
    arguments = node.args
    return [a.arg for a in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]]


def is_command(node):
    """Whether a function is a command of click, which shows its docstring to users and documents options itself."""
    called = [decorator.func for decorator in node.decorator_list if isinstance(decorator, ast.Call)]
    return any(isinstance(func, ast.Attribute) and func.attr in ("command", "group") for func in called)


@pytest.mark.parametrize(("node", "text", "around"), FUNCTIONS)
def test_every_parameter_is_named(node, text, around):
    missing = [n for n in parameters(node) if n not in OBVIOUS and not named(n, text) and not named(n, around)]
    assert is_command(node) or not missing, f"{missing} not in its docstring"


def described(text):
    """The names that the section Parameters of a docstring describes."""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w+\n-+$|\Z)", text, re.DOTALL | re.MULTILINE)
    entries = ENTRY.finditer(section[1]) if section else ()
    at_the_margin = [entry for entry in entries if entry.start() == 0 or section[1][entry.start() - 1] == "\n"]
    return [name.lstrip("*") for entry in at_the_margin for name in entry[1].split(", ")]


@pytest.mark.parametrize(("node", "text", "around"), FUNCTIONS)
def test_every_parameter_that_is_described_is_there(node, text, around):
    rest = [a.arg for a in (node.args.vararg, node.args.kwarg) if a]
    names, said = parameters(node) + rest, described(text)
    assert set(said) <= set(names)
    assert len(said) == len(set(said))


@pytest.mark.parametrize(("node", "text", "around"), FUNCTIONS)
def test_what_it_raises_itself_is_said(node, text, around):
    raised = {ast.unparse(n.exc).split("(")[0] for n in ast.walk(node) if isinstance(n, ast.Raise) and n.exc}
    errors = {name for name in raised if re.fullmatch(r"\w*Error", name)}
    missing = [name for name in errors if not named(name, text) and not named(name, around)]
    assert not missing, f"{missing} not in its docstring"


MODULES = {
    ".".join(["helpers", *file.relative_to(PACKAGE).with_suffix("").parts]).removesuffix(".__init__"): file
    for file in sorted(PACKAGE.rglob("*.py"))
}


@cache
def defined(module):
    """The names that a module or package defines or imports, at its top level or in a class."""
    names = {name.removeprefix(f"{module}.") for name in MODULES if name.startswith(f"{module}.")}
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
    return names


def is_there(dotted, module):
    """Whether a dotted name, as a docstring of this module writes it, is that of a module or of what one defines."""
    first, *others = dotted.split(".")
    if first in OUTSIDE or others[-1] in FILES or (first in defined(module) and first[0].isupper()):
        return True
    for k in range(len(others) + 1, 0, -1):
        place = ".".join([first, *others][:k])
        for name in (name for name in MODULES if name == place or name.endswith(f".{place}")):
            if k > len(others) or others[k - 1] in defined(name):
                return True
    return False


@pytest.mark.parametrize("module", MODULES)
def test_every_dotted_name_in_a_docstring_exists(module):
    dotted = DOTTED.findall(MODULES[module].read_text(encoding="utf-8"))
    assert [name for name in dotted if not is_there(name, module)] == []
