"""Digests of the code and of the data behind a result, which tell whether what made a stored result has changed.

The code of a function is: the function; every module of the project that its module imports, and so on, comments and
docstrings left out; where it was defined in a notebook or script, what it uses of the names there; the versions of the
libraries that all this imports, of numpy and of Python. The project is this package and all else that is neither in
the standard library nor in site-packages. The data is what the function is given, a closure's variables and defaults
among it, with the functions and classes that it holds. A file that the code reads while it runs is not seen: pass what
the file holds as data.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import importlib.util
import inspect
import io
import json
import pickle
import symtable
import sys
import textwrap
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.abc import InspectLoader
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import joblib
import numpy as np

_Parts = Iterator[tuple[str, str]]
_CODE = (FunctionType, BuiltinFunctionType, ModuleType, type)
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_first_digests: WeakKeyDictionary[ModuleType, str] = WeakKeyDictionary()


class Fingerprint(NamedTuple):
    """What made a result: the dotted name of a function, and hex digests of its code and of the data it is given."""

    function: str
    code: str
    data: str


class _Source(NamedTuple):
    """What the source of a module says: its digest, what it imports, and all its code objects."""

    digest: str
    imports: list[str]
    code: list[CodeType]


def fingerprint(function: FunctionType, data: dict[str, Any]) -> Fingerprint:
    """Name, code and data of a function's runs; arrays and Collections count by their content, mapped or not."""
    if not inspect.isfunction(function):
        raise ValueError(f"function is {function!r:.80}, expected one that def made")
    name = f"{function.__module__}.{function.__qualname__}"
    seen: set = {function}
    code = [("python", "{}.{}".format(*sys.version_info)), ("numpy", np.__version__), *_of_source(function, seen)]
    given = [*_of_values(name, _captured(function), seen), *_of_values("data", data, seen)]
    return Fingerprint(name, _of_parts(code), _of_parts(given))


def _of_parts(parts: list[tuple[str, str]]) -> str:
    return hashlib.sha256(json.dumps(sorted(parts)).encode()).hexdigest()


def _of_values(label: str, values: dict[str, Any], seen: set) -> _Parts:
    for name in sorted(values):
        yield from _of_value(f"{label}, {name}", values[name], seen)


def _of_value(label: str, value: Any, seen: set) -> _Parts:
    """What a value brings along, as pairs of a name and a digest; seen holds the code that has been walked."""
    if isinstance(value, ModuleType):
        yield from _of_module(value.__name__, seen)
    elif inspect.isfunction(value) or inspect.isclass(value):
        if value not in seen:
            seen.add(value)
            yield from _of_source(value, seen)
            if inspect.isfunction(value):
                yield from _of_values(f"{value.__module__}.{value.__qualname__}", _captured(value), seen)
    elif inspect.isbuiltin(value):
        yield from _of_module(value.__module__ or "builtins", seen)
    elif hasattr(value, "__wrapped__"):  # a compiled or cached function
        yield from _of_value(label, value.__wrapped__, seen)
    else:
        value = whole(value)
        yield label, _content(value)
        for code in _code_held(value):
            yield from _of_value(label, code, seen)


def _content(value: Any) -> str:
    try:
        return joblib.hash(value, hash_name="sha1", coerce_mmap=True)
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise ValueError(f"{value!r:.80} has no content to compare, expected something that pickles") from error


def whole(value: Any) -> Any:
    """The value with what is mapped from a file `unmapped`: it would pickle as no more than its path."""
    if hasattr(value, "unmapped"):
        return value.unmapped()
    if isinstance(value, dict):
        return {name: whole(item) for name, item in value.items()}
    make = getattr(value, "_make", type(value))  # named tuples do not take their members as a list
    return make([*map(whole, value)]) if isinstance(value, list | tuple) else value


def _code_held(value: Any) -> list:
    """Functions, classes and modules somewhere inside a value, found by walking it as pickle does."""
    held = []

    class Finder(pickle.Pickler):
        def persistent_id(self, item: Any) -> str | None:
            if isinstance(item, _CODE) or hasattr(item, "__wrapped__"):
                held.append(item)
                return "code"
            return "array" if isinstance(item, np.ndarray) else None

    Finder(io.BytesIO()).dump(value)
    return held


def _of_source(definition: FunctionType | type, seen: set) -> _Parts:
    """The module of a definition; of one in a notebook its own source, and what it uses of the names there."""
    if find_spec(definition.__module__):
        yield from _of_module(definition.__module__, seen)
        return
    name, source = f"{definition.__module__}.{definition.__qualname__}", _source(definition)
    tree = ast.parse(source)
    yield name, _digest(tree)
    yield from _of_imports(_imported(tree, ""), seen)
    yield from _of_values(name, _globals_used(source, vars(sys.modules[definition.__module__])), seen)


def _captured(function: FunctionType) -> dict[str, Any]:
    """What was fixed when the function was made: its defaults and the variables of the functions around it."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    defaults = {"defaults": function.__defaults__, "keyword defaults": function.__kwdefaults__}
    return defaults | {name: cell.cell_contents for name, cell in cells}


def _source(definition: FunctionType | type) -> str:
    try:
        source = textwrap.dedent(inspect.getsource(definition))
        ast.parse(source)
        return source
    except (OSError, TypeError, SyntaxError) as error:
        raise ValueError(f"cannot read the source of {definition.__qualname__}: move it to a module") from error


def _globals_used(source: str, namespace: dict[str, Any]) -> dict[str, Any]:
    tables, names = [symtable.symtable(source, "source", "exec")], set()
    while tables:
        table = tables.pop()
        names |= {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global()}
        tables += table.get_children()
    return {name: value for name, value in namespace.items() if name in names}


def _of_module(name: str, seen: set) -> _Parts:
    """Source and imports of a project's module, the version of a library, nothing of the standard library."""
    top = name.partition(".")[0]
    if top in sys.stdlib_module_names or not seen.isdisjoint({name, f"version of {top}"}):
        return
    if _is_library(top):
        seen.add(f"version of {top}")
        yield top, _version(top)
    elif (spec := find_spec(name)) and spec.origin and spec.origin.endswith(".py"):
        seen.add(name)
        read = _read(spec.origin, spec.parent)
        _check_current(spec, read)
        yield name, read.digest
        yield from _of_imports(read.imports, seen)


def _of_imports(names: Iterable[str], seen: set) -> _Parts:
    for name in names:
        words = name.split(".")
        for n in range(1, len(words) + 1):
            yield from _of_module(".".join(words[:n]), seen)


def find_spec(name: str) -> ModuleSpec | None:
    """Where the module `name` is imported from; None for a notebook or a script, and for what is no module."""
    try:
        return importlib.util.find_spec(name)
    except (ModuleNotFoundError, ValueError):  # not a module; or a module without a file, as a notebook's __main__
        return None


@cache
def _is_library(top: str) -> bool:
    """Whether a top-level module is an installed one, and not this package; a missing one counts as installed."""
    spec = find_spec(top)
    places = [spec.origin, *(spec.submodule_search_locations or ())] if spec else ["site-packages"]
    installed = any({"site-packages", "dist-packages"} & set(Path(place).parts) for place in places if place)
    return installed and top != __name__.partition(".")[0]


_distributions = cache(importlib.metadata.packages_distributions)


@cache
def _version(top: str) -> str:
    names = sorted(set(_distributions().get(top, [])))
    return ", ".join(f"{name} {importlib.metadata.version(name)}" for name in names)


def _check_current(spec: ModuleSpec, read: _Source) -> None:
    """Raise ValueError where a module's file is not what was imported."""
    if spec.name not in sys.modules or not isinstance(spec.loader, InspectLoader):
        return
    module = sys.modules[spec.name]
    # of what is no function, only what the file says now with what it said when it was first read here
    stale = [
        f"{spec.origin}, {function.__qualname__}"
        for function in _functions(module)
        if function.__code__.co_filename == spec.origin and _plain(function.__code__) not in read.code
    ]
    if stale or _first_digests.setdefault(module, read.digest) != read.digest:
        raise ValueError(f"{(stale or [spec.origin])[0]}: edited after it was imported, restart Python")


def _plain(code: CodeType) -> CodeType:
    """The code without its flags, of which numba takes some away where a profiler watches a compiled function."""
    return code.replace(co_flags=0)


def _functions(module: ModuleType) -> Iterator[FunctionType]:
    """The functions of a module and the methods of its classes, as they were imported."""
    classes = [item for item in vars(module).values() if inspect.isclass(item) and item.__module__ == module.__name__]
    for item in [*vars(module).values(), *(method for owner in classes for method in vars(owner).values())]:
        item = inspect.unwrap(item) if hasattr(item, "__wrapped__") else item
        if inspect.isfunction(item) and item.__module__ == module.__name__:
            yield item


def _read(file: str, package: str) -> _Source:
    """What a module's file says now, whose relative imports start from the package."""
    try:
        return _parsed(Path(file).read_bytes(), file, package)
    except (SyntaxError, OSError) as error:
        where = f"{file}, line {error.lineno}" if isinstance(error, SyntaxError) else file
        reason = error.msg if isinstance(error, SyntaxError) else error.strerror
        raise ValueError(f"{where}: {reason}, so what runs cannot be told: mend it and restart Python") from error


@cache
def _parsed(source: bytes, file: str, package: str) -> _Source:
    tree = ast.parse(source, file)
    code = [_plain(own) for own in _nested(compile(source, file, "exec", dont_inherit=True))]
    imports = list(dict.fromkeys(_imported(tree, package)))
    return _Source(_digest(tree), imports, code)


def _digest(tree: ast.Module) -> str:
    """Hex digest of a syntax tree, which has no comments, after its docstrings are taken out of it."""
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node) is not None:
            del node.body[0]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()


def _imported(tree: ast.Module, package: str) -> Iterator[str]:
    """Dotted names of all that is imported; the last word may name a module or something inside one."""
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
