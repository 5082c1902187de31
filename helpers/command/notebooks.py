"""The notebooks: which there are, what each can be told, and what a user told it.

The guide is `00_guide`, a study `01_...`, and an appendix of it `01a_...`.
"""

from __future__ import annotations

import functools
import importlib.machinery
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helpers import checks, paths
from helpers.command import parameters, rules
from helpers.command.parameters import Parameter

RENAMED = {"pilot": "judgments"}
"""Parameters that were called otherwise, and what they are called now."""

GUIDE = "00"
"""Number of the notebook that tells what the studies found."""

NUMBERED = re.compile("[0-9]{2}[a-z]?_.*")


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
        return parameters.inspect(next(map(_source, cells), ""))

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
    return [Study(path) for path in sorted(paths.project("notebooks").glob("*.ipynb")) if NUMBERED.match(path.stem)]


def find(names: Sequence[str]) -> list[Study]:
    """The studies of those names, numbers or stems, each once and in the order given; all where none is named.

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


def to_run(names: Sequence[str]) -> list[Study]:
    """The studies of those names, as `find` has them; the guide and all studies, no appendix, where none is named.

    Parameters
    ----------
    names : numbers or stems

    Raises
    ------
    ValueError
        when no study has that name.
    """
    return find(names) if names else [study for study in available() if not study.is_appendix]


def check_known(studies: Sequence[Study], values: Mapping[str, Any]) -> None:
    """Raise ValueError at one of the names that none of the studies has among its parameters; says which other has it.

    Parameters
    ----------
    studies : those to be run
    values : by the name of their parameter
    """
    known = list(dict.fromkeys(name for study in studies for name in study.parameters))
    for name, value in values.items():
        text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
        if name in RENAMED:
            raise ValueError(
                f"parameter {name} is called {RENAMED[name]} now, expected {checks.advice(RENAMED[name], text)}"
            )
        if name not in known:
            where = _elsewhere(name, text, studies) or f", expected one of {', '.join(known)}"
            raise ValueError(f"no parameter {name!r}{where}")


def _elsewhere(name: str, value: str, studies: Sequence[Study]) -> str:
    """Which studies have a parameter that those given do not have, and how to run them; empty where none has it."""
    others = [study for study in available() if name in study.parameters]
    if not others:
        return ""
    these, those = (", ".join(study.name for study in some) for some in (studies, others))
    numbers = " ".join(study.number for study in others)
    return f" in {these}, but in {those}: label-studies run {numbers} {checks.advice(name, value, checks.RUN)}"


def settings(study: Study, given: dict[str, Any]) -> dict[str, Any]:
    """Those of the given values that the study has a parameter for, as they are used: see `rules.checked`.

    No data is read yet; `check_data` does that.

    Raises
    ------
    ValueError
        when a value is of another type, or one that no study can work with.
    FileNotFoundError
        when it names a file that is not here.
    """
    values = {name: study.parameters[name].convert(value) for name, value in given.items() if name in study.parameters}
    return rules.checked(values, study.defaults)


def check_data(study: Study, settings: dict[str, Any]) -> None:
    """Read the data that the settings name; ValueError or OSError where it is damaged, or too little for the study."""
    rules.check_data(settings, study.defaults)


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
