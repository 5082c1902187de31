"""What the source of a module says: a digest that comments and docstrings leave, imports, and code objects."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import CodeType
from typing import NamedTuple

DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class Source(NamedTuple):
    """What the source of a module says: its digest, what it imports, and all its code objects."""

    digest: str
    imports: list[str]
    code: list[CodeType]


def read(file: str, package: str) -> Source:
    """What a module's file says now.

    Parameters
    ----------
    file : its path
    package : which relative imports start from

    Raises
    ------
    ValueError
        where the file is gone or is no Python, with the line.
    """
    try:
        return _parsed(Path(file).read_bytes(), file, package)
    except (SyntaxError, OSError) as error:
        where = f"{file}, line {error.lineno}" if isinstance(error, SyntaxError) else file
        reason = error.msg if isinstance(error, SyntaxError) else error.strerror
        raise ValueError(f"{where}: {reason}, so what runs cannot be told: mend it and restart Python") from error


@cache
def _parsed(source: bytes, file: str, package: str) -> Source:
    tree = ast.parse(source, file)
    code = list(_nested(compile(source, file, "exec", dont_inherit=True)))
    imports = list(dict.fromkeys(imported(tree, package)))
    return Source(digest(tree), imports, code)


def digest(tree: ast.Module) -> str:
    """Hex digest of a syntax tree, which has no comments, with its docstrings taken out of it.

    Parameters
    ----------
    tree : of a module; it is changed

    >>> digest(ast.parse("k = 3")) == digest(ast.parse("k  =  3  # words")) != digest(ast.parse("k = 4"))
    True
    """
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
            del node.body[0]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()


def imported(tree: ast.Module, package: str) -> Iterator[str]:
    """Dotted names of all that is imported; the last word may name a module or something inside one.

    Parameters
    ----------
    tree : of a module
    package : which relative imports start from

    >>> list(imported(ast.parse("import numpy; from . import metrics"), "helpers"))
    ['numpy', 'helpers.metrics']
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)
