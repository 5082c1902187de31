"""The studies: which notebooks there are, what each can be told, and what a user told it."""

from __future__ import annotations

import ast
import functools
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import papermill
import yaml

from helpers import assessors, catalog, judgments, paths, portrait

KINDS = {kind.__name__: kind for kind in (bool, int, float, str, list, dict)}
ANYTHING = type(None)


@dataclass(frozen=True)
class Parameter:
    """One line of a notebook's `parameters` cell: name, type, default and help."""

    name: str
    kind: type
    default: Any
    help: str

    def convert(self, value: Any) -> Any:
        """The value as this parameter's type, from text or as read from a YAML file.

        >>> Parameter("cost", float, 0.5, "judgments a query").convert("1e-3")
        0.001

        Raises
        ------
        ValueError
            when the value is of another type; a default of None takes anything.
        """
        try:
            return _as_kind(value, self.kind, self.default)
        except TypeError as error:
            raise ValueError(
                f"parameter {self.name} is {value!r}, expected {self.kind.__name__} like its default, {self.default!r}"
            ) from error


@dataclass(frozen=True)
class Study:
    """A notebook of the project; "04" and "04_queries_versus_depth" both name it."""

    path: Path

    @property
    def name(self) -> str:
        """The notebook's stem."""
        return self.path.stem

    @property
    def number(self) -> str:
        """What stands before the first underscore of the stem."""
        return self.name.partition("_")[0]

    @functools.cached_property
    def title(self) -> str:
        """The notebook's first heading."""
        cells = nbformat.read(self.path, as_version=4).cells
        lines = (line for cell in cells if cell.cell_type == "markdown" for line in cell.source.splitlines())
        return next((line.lstrip("# ") for line in lines if line.startswith("#")), self.name)

    @functools.cached_property
    def parameters(self) -> dict[str, Parameter]:
        """What the notebook can be told, in the order of its `parameters` cell."""
        lines = papermill.inspect_notebook(self.path).values()
        return {line["name"]: _parameter(**line) for line in lines}


def available() -> list[Study]:
    """Every notebook of the project that carries a number, in order."""
    return [Study(path) for path in sorted(paths.project("notebooks").glob("[0-9][0-9]_*.ipynb"))]


def find(names: Sequence[str]) -> list[Study]:
    """The studies of those numbers or stems, each once and in the order given; all of them where none is named.

    Raises
    ------
    ValueError
        when no study has that name.
    """
    studies = available()
    by_name = {name: study for study in studies for name in (study.number, study.name)}
    for name in names:
        if name not in by_name:
            raise ValueError(f"no study {name!r}, expected one of {', '.join(study.name for study in studies)}")
    return list(dict.fromkeys(by_name[name] for name in names)) or studies


def read_settings(path: Path) -> dict[str, Any]:
    """Parameter values from a YAML file of lines `name: value`; ValueError where it holds something else."""
    try:
        content = yaml.safe_load(path.read_text())
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ValueError(f"{path}: cannot be read as YAML: {' '.join(str(error).split())}") from error
    if not isinstance(content, dict):
        raise ValueError(f"{path}: found {type(content).__name__}, expected lines of the form `name: value`")
    return content


def check_known(studies: Sequence[Study], names: Iterable[str]) -> None:
    """Raise ValueError at a name that no study has among its parameters."""
    known = list(dict.fromkeys(name for study in studies for name in study.parameters))
    for name in names:
        if name not in known:
            raise ValueError(f"no parameter {name!r}, expected one of {', '.join(known)}")


def settings(study: Study, given: dict[str, Any]) -> dict[str, Any]:
    """Those of the given values that the study has a parameter for, each as the parameter's type.

    Raises
    ------
    ValueError
        when a value is of another type, one of the `rankers` or the `judges` are unknown, or the `dataset`, the
        `judgments` or the `matrices` are damaged.
    FileNotFoundError
        when they are not here.
    """
    values = {name: study.parameters[name].convert(value) for name, value in given.items() if name in study.parameters}
    _check_names(values.get("rankers", []), values.get("judges", ""))
    if values.get("dataset"):
        defaults = {name: parameter.default for name, parameter in study.parameters.items()}
        values["dataset"] = _readable(values["dataset"], (defaults | values).get("fold", 1))
    if values.get("judgments"):
        values["judgments"] = _readable_judgments(values["judgments"])
    if values.get("matrices"):
        assessors.load(values["matrices"])
        values["matrices"] = os.path.abspath(values["matrices"])
    return values


def _check_names(names: Sequence[str], judges: str) -> None:
    """Raise ValueError at a ranker or a matrix of judges that no study knows."""
    if names or judges:
        from helpers import overlap_study, rankers  # here, as they take a second to import

        for name in names:
            rankers.make(name)
        if judges:
            overlap_study.judges_named(judges, "clean07")


def _readable_judgments(source: str) -> str:
    """The files of judgments with their paths made absolute, once they were seen to be whole."""
    judgments.read(source)
    return ",".join(os.path.abspath(file) for file in judgments.files(source))


def _readable(dataset: str, fold: int) -> str:
    """The data set, a path made absolute, once it was seen to be whole; what was read stays in the cache."""
    if not portrait.named(dataset):
        catalog.splits(dataset, fold, np.random.default_rng(0))
    has_name = dataset in catalog.names() or dataset.endswith(portrait.SUFFIX)
    return dataset if has_name else os.path.abspath(Path(dataset).expanduser())


def _parameter(name: str, inferred_type_name: str, default: str, help: str) -> Parameter:
    value = _literal(default)
    return Parameter(name, KINDS.get(inferred_type_name, type(value)), value, help)


def _as_kind(value: Any, kind: type, default: Any) -> Any:
    """The value as that kind, TypeError where it is another; members of a list are held to those of the default."""
    read = value if kind is str else _literal(value)
    if kind is ANYTHING or (read is None and default is None):
        return read
    if kind is float and type(read) is int:
        return float(read)
    if type(read) is not kind:
        raise TypeError(kind)
    if kind is list and default:
        member = _common_kind(default)
        return [_as_kind(item, member, default[0]) for item in read]
    return read


def _common_kind(members: list) -> type:
    kinds = {type(member) for member in members}
    return kinds.pop() if len(kinds) == 1 else float if kinds == {int, float} else ANYTHING


def _literal(value: Any) -> Any:
    """Text as Python reads it or, failing that, YAML: 1e-3 is a number, true a bool, and a bare word is itself."""
    if not isinstance(value, str):
        return value
    for read in (ast.literal_eval, yaml.safe_load):
        try:
            return read(value)
        except (ValueError, TypeError, SyntaxError, yaml.YAMLError):
            continue
    return value
