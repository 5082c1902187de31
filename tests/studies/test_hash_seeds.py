"""The order of rows hangs on no set, whose order is another in every process."""

import ast
import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest

import helpers
from helpers.command.notebooks import available

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
PACKAGE = Path(helpers.__path__[0])
UNORDERED = {"sorted", "set", "frozenset", "any", "all", "min", "max", "len"}
IN_ORDER = {"list", "tuple", "iter", "next", "enumerate", "zip", "map", "filter", "join", "fromkeys", "array", "chain"}
"""Calls that make no use of the order of what they are given, and that do."""


def is_set(node, names):
    """Whether an expression is a set by its looks, or one of the names that a set was kept under."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr | ast.BitAnd | ast.Sub | ast.BitXor):
        return is_set(node.left, names) or is_set(node.right, names)
    called = isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("set", "frozenset")
    return isinstance(node, ast.Set | ast.SetComp) or called or (isinstance(node, ast.Name) and node.id in names)


def iterated(node):
    """What a node goes through, one after the other, where the order can be seen."""
    if isinstance(node, ast.For | ast.comprehension):
        return [node.iter]
    if isinstance(node, ast.List | ast.Tuple):
        return [each.value for each in node.elts if isinstance(each, ast.Starred)]
    called = getattr(node.func, "id", getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else ""
    return [each.value if isinstance(each, ast.Starred) else each for each in node.args] if called in IN_ORDER else []


def without_order(tree):
    """Nodes under what makes no use of an order: sorted(…), any(…), and the set that a set is made of."""
    for node in ast.walk(tree):
        if isinstance(node, ast.SetComp):
            yield from ast.walk(node)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in UNORDERED:
            yield from itertools.chain(*map(ast.walk, node.args))


def test_nothing_goes_through_a_set_in_its_order():
    found = []
    for file in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        free = set(map(id, without_order(tree)))
        for scope in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
            kept = [node for node in ast.walk(scope) if isinstance(node, ast.Assign) and is_set(node.value, ())]
            names = {target.id for node in kept for target in node.targets if isinstance(target, ast.Name)}
            through = [each for node in ast.walk(scope) for each in iterated(node) if is_set(each, names)]
            found += [
                f"{file.name}, line {each.lineno}: {ast.unparse(each)}" for each in through if id(each) not in free
            ]
    assert found == []


@pytest.mark.skipif(not LARGE, reason="minutes: LABEL_STUDIES_TESTS=all runs it")
@pytest.mark.parametrize("number", [study.number for study in available()])
def test_a_whole_run_leaves_the_same_tables_under_two_hash_seeds(tmp_path, monkeypatch, number):
    monkeypatch.setenv("LABEL_STUDIES_CACHE", str(tmp_path / "cache"))
    command = [sys.executable, "-c", "from helpers.command.cli import main; main()", "run", number, "--out"]
    for seed in "12":
        subprocess.run([*command, tmp_path / seed], env=os.environ | {"PYTHONHASHSEED": seed}, check=True)
    one, other = ({file.name: file.read_text() for file in (tmp_path / seed).glob("*/*.csv")} for seed in "12")
    assert one == other
