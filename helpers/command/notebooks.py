"""The notebooks: which there are, what each can be told, and values read from text as the types of its parameters.

The guide is `00_guide`, a study `01_...`, and an appendix of it `01a_...`.
"""

from __future__ import annotations

import ast
import functools
import importlib.machinery
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import yaml

from helpers import checks, paths
from helpers.command import rules

_RENAMED = {"pilot": "judgments"}  # parameters that were called otherwise, and what they are called now
GUIDE = "00"  # number of the notebook that tells what the studies found
_NUMBERED = re.compile("[0-9]{2}[a-z]?_.*")
KINDS = {kind.__name__: kind for kind in (bool, int, float, str, list, dict)}
_ANYTHING = type(None)
# what the reader of YAML raises at text that is none of it
_UNREADABLE = (ValueError, TypeError, RecursionError, MemoryError, yaml.YAMLError)
_WORDS = {"true": True, "false": False, "": None, "~": None, "null": None, "none": None}
_WHOLE = re.compile(r"[-+]?[0-9]+|0x[0-9a-f]+|0o[0-7]+", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)(e[-+]?[0-9]+)?", re.IGNORECASE)
_NO_NUMBER = re.compile(r"[-+]?\.inf|\.nan", re.IGNORECASE)
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")  # what no notebook and no name of a file can hold
_TAGS = {f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map")}  # of what nobody tagged


@dataclass(frozen=True)
class Parameter:
    """One line of a notebook's `parameters` cell."""

    name: str
    kind: type
    default: Any
    help: str

    def convert(self, value: Any) -> Any:
        """The value as this parameter's type, from text or as read from a YAML file; a list may be written a,b.

        >>> Parameter("cost", float, 0.5, "judgments a query").convert("1e-3")
        0.001
        >>> Parameter("rankers", list, ["ListNet"], "trained").convert("LambdaRank, RankSVM")
        ['LambdaRank', 'RankSVM']
        """
        try:
            return _as_kind(value, self.kind, self.default)
        except (TypeError, OverflowError) as error:
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

    @property
    def is_appendix(self) -> bool:
        """Whether it holds what a study left out: its number ends in a letter, as 01a does."""
        return self.number[-1].isalpha()

    @property
    def report(self) -> list[str]:
        """The files and the folder that a run of it leaves; they belong together."""
        return [self.path.name, f"{self.name}.html", self.name]

    @property
    def failed(self) -> list[str]:
        """The same of a run that failed, which stands beside the report of one that did not."""
        return [self.path.with_suffix(".failed.ipynb").name, f"{self.name}.failed.html", f"{self.name}.failed"]

    @functools.cached_property
    def title(self) -> str:
        """The notebook's first heading."""
        texts = (_source(cell) for cell in self._cells if cell["cell_type"] == "markdown")
        lines = (line for text in texts for line in text.splitlines())
        return next((line.lstrip("# ") for line in lines if line.startswith("#")), self.name)

    @functools.cached_property
    def parameters(self) -> dict[str, Parameter]:
        """What the notebook can be told, in the order of its `parameters` cell."""
        cells = (cell for cell in self._cells if "parameters" in cell["metadata"].get("tags", []))
        return inspect(next(map(_source, cells), ""))

    @property
    def is_brief(self) -> bool:
        """Whether a page for a manager can be cut from it."""
        return any("brief" in cell["metadata"].get("tags", []) for cell in self._cells)

    @functools.cached_property
    def sections(self) -> dict[str, str]:
        """Id of every code cell -> the heading that it stands under."""
        found, heading = {}, ""
        for cell in self._cells:
            if cell["cell_type"] == "code":
                found[cell.get("id", "")] = heading
            elif cell["cell_type"] == "markdown":
                headings = [line for line in _source(cell).splitlines() if line.startswith("#")]
                heading = headings[-1].lstrip("# ") if headings else heading
        return found

    @property
    def defaults(self) -> dict[str, Any]:
        """Parameter name -> its value in the notebook."""
        return {name: parameter.default for name, parameter in self.parameters.items()}

    @functools.cached_property
    def _cells(self) -> list[dict]:
        """The cells as the file has them: nbformat and papermill take seconds to import."""
        return json.loads(self.path.read_text(encoding="utf-8"))["cells"]


def available() -> list[Study]:
    """Every notebook of the project that carries a number, in order."""
    return [Study(path) for path in sorted(paths.project("notebooks").glob("*.ipynb")) if _NUMBERED.match(path.stem)]


def find(names: Sequence[str]) -> list[Study]:
    """The studies of those names, numbers or stems, each once and in the order given; all where none is named."""
    studies = available()
    by_name = {name: study for study in studies for name in (study.number, study.name)}
    for name in names:
        if name not in by_name:
            raise ValueError(f"no study {name!r}, expected one of {', '.join(study.name for study in studies)}")
    return list(dict.fromkeys(by_name[name] for name in names)) or studies


def to_run(names: Sequence[str]) -> list[Study]:
    """The studies of those names, as `find` has them; the guide and all studies, no appendix, where none is named."""
    return find(names) if names else [study for study in available() if not study.is_appendix]


def check_known(studies: Sequence[Study], values: Mapping[str, Any]) -> None:
    """Raise ValueError at a name that is a parameter of none of the studies; says which other study has it."""
    known = list(dict.fromkeys(name for study in studies for name in study.parameters))
    for name, value in values.items():
        text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
        if name in _RENAMED:
            raise ValueError(
                f"parameter {name} is called {_RENAMED[name]} now, expected {checks.advice(_RENAMED[name], text)}"
            )
        if name not in known:
            others = [study for study in available() if name in study.parameters]
            these, those = (", ".join(study.name for study in some) for some in (studies, others))
            command = " ".join(["label-studies run", *(study.number for study in others)])
            where = f" in {these}, but in {those}: {command} {checks.advice(name, text, checks.RUN)}"
            where = where if others else f", expected one of {', '.join(known)}"
            raise ValueError(f"no parameter {name!r}{where}")


def settings(study: Study, given: dict[str, Any]) -> dict[str, Any]:
    """Those of the given values that the study has a parameter for, as they are used: see `rules.checked`."""
    values = {
        name: study.parameters[name].convert(rules.as_text(name, value))
        for name, value in given.items()
        if name in study.parameters
    }
    return rules.checked(values, study.defaults)


def check_not_hidden(folder: str | Path) -> None:
    """Raise ValueError where a module of the folder would be imported in place of this package.

    A notebook's kernel runs in the folder of its caller, where Python looks first.
    """
    found = importlib.machinery.PathFinder.find_spec("helpers", [os.fspath(folder)])
    if found and found.origin and not os.path.samefile(found.origin, paths.package() / "__init__.py"):
        raise ValueError(
            f"{found.origin} would be imported in place of the package of label-studies: rename it, or run the command "
            "in another folder"
        )


def _source(cell: dict) -> str:
    """The text of a cell, which a notebook file keeps whole or as a list of lines."""
    return "".join(cell["source"])


def inspect(source: str) -> dict[str, Parameter]:
    """The parameters of a cell, lines of the form ``name: type = default  # help``, by name and in order."""
    lines = [line.encode() for line in source.splitlines()]
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.AnnAssign | ast.Assign) and node.value is not None:
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            kind = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else ""
            default = ast.literal_eval(node.value)
            behind = lines[node.end_lineno - 1][node.end_col_offset :].decode()
            help = behind.partition("#")[2].strip()
            found[target.id] = Parameter(target.id, KINDS.get(kind, type(default)), default, help)
    return found


def read_file(path: Path) -> dict[str, Any]:
    """Parameter values from the YAML file at path, of lines `name: value`."""
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), _Reader)
    except _UNREADABLE as error:
        raise ValueError(f"{path}: cannot be read as YAML: {' '.join(str(error).split())}") from error
    if not isinstance(content, dict):
        raise ValueError(f"{path}: found {type(content).__name__}, expected lines of the form `name: value`")
    return content


def check_once(names: Iterable[str]) -> None:
    """Raise ValueError at a name that comes twice."""
    seen = set()
    for name in names:
        if name in seen:
            raise ValueError(f"parameter {name} is given twice, expected once")
        seen.add(name)


def _as_kind(value: Any, kind: type, default: Any) -> Any:
    """The value as that kind, TypeError where it is another; members of a list are held to those of the default."""
    read = value if kind is str else _literal(value)
    if kind is _ANYTHING or (read is None and default is None):
        return read
    if kind is float and type(read) is int:
        return float(read)
    if kind is list and isinstance(value, str):  # as YAML read it, or what stands between its commas
        read = _literal(f"[{value}]") if value.lstrip().startswith(("'", '"')) else read
        read = read if isinstance(read, list) else [part.strip() for part in value.split(",")] * bool(value.strip())
    if type(read) is not kind or (kind is str and _UNWRITABLE.search(read)):
        raise TypeError(kind)
    if kind is list and default:
        kinds = {type(member) for member in default}
        member = kinds.pop() if len(kinds) == 1 else float if kinds == {int, float} else _ANYTHING
        return [_as_kind(item, member, default[0]) for item in read]
    return read


def _literal(value: Any) -> Any:
    """Text as YAML reads it: 1e-3 is a number, true a bool, and a bare word is itself; so is what is no YAML."""
    try:
        return yaml.load(value, _Reader) if isinstance(value, str) else value
    except _UNREADABLE:
        return value


class _Reader(yaml.SafeLoader):
    """Reads plain values alone, each name once: no tag, and no alias, of which a few stand for very many values."""

    yaml_implicit_resolvers: ClassVar = {}

    def compose_node(self, parent: yaml.Node, index: Any) -> yaml.Node:
        """A node of the document."""
        event = self.peek_event()
        if isinstance(event, yaml.AliasEvent):
            raise ValueError(
                f"line {event.start_mark.line + 1}: an alias, *{event.anchor}, expected the values themselves"
            )
        node = super().compose_node(parent, index)
        if node.tag not in _TAGS:
            raise ValueError(f"line {node.start_mark.line + 1}: a tag, {node.tag}, expected plain values")
        return node

    def construct_mapping(self, node: yaml.Node, deep: bool = False) -> dict:
        """A mapping."""
        check_once(str(name.value) for name, _ in node.value)
        return super().construct_mapping(node, deep)

    def construct_scalar(self, node: yaml.Node) -> Any:
        """A value by YAML 1.2, and Python's None: 010 is 10, 0x10 is 16; 1:30, yes and what is quoted are texts."""
        text = super().construct_scalar(node)
        if node.style is not None:
            return text
        if text.lower() in _WORDS:
            return _WORDS[text.lower()]
        if _WHOLE.fullmatch(text):
            return int(text, {"0x": 16, "0o": 8}.get(text[:2].lower(), 10))
        if _NUMBER.fullmatch(text):
            return float(text)
        return float(text.replace(".", "")) if _NO_NUMBER.fullmatch(text) else text
