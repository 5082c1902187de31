"""A file that lists values of parameters, and the runs that it stands for: every combination, each checked."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helpers import checks
from helpers.command import notebooks as known
from helpers.command import private, rules
from helpers.command.notebooks import Parameter, Study

_STUDIES = "studies"  # the line of a grid that is no parameter
_LONGEST = 80  # characters of a folder's name, without what tells names apart that had to be changed
_DRAWN = {"seed"}  # parameters that change nothing in what of the data is checked


@dataclass(frozen=True)
class Point:
    """One run of a grid."""

    study: Study
    told: dict[str, Any]
    settings: dict[str, Any]
    place: dict[str, int]

    @property
    def columns(self) -> dict[str, Any]:
        """Parameter -> what a table has of it: a number, a text as `-p` takes it, or the place of what is `private`."""
        written = private.told(self.told)
        return {
            name: f"{name} {self.place[name]}"
            if name in private.HIDDEN and written[name] != value
            else ",".join(map(str, written[name]))
            if isinstance(value, list)
            else written[name]
            for name, value in self.told.items()
        }

    @property
    def folder(self) -> Path:
        """Where it is left, in the folder of the batch: study, and the parameters by name."""
        written = ",".join(f"{name}={value}" for name, value in sorted(self.columns.items())) or "defaults"
        safe = re.sub("[^A-Za-z0-9.,=+-]+", "_", written)[:_LONGEST]
        digest = hashlib.sha256(json.dumps(sorted(self.settings.items())).encode()).hexdigest()[:8]
        return Path(self.study.name, safe if safe == written else f"{safe}-{digest}")


def read(path: Path) -> list[Point]:
    """The runs that a file asks for, study by study, the parameter of the last line changing fastest.

    Its lines are `name: value` or `name: [value, value]`, and `studies: [02, 05]` for the studies, which otherwise are
    the guide and all of them. A parameter that is a list itself, such as rankers, has several values where it is given
    a list of lists. A parameter goes to the studies that have it.
    """
    lines = known.read_file(path)
    try:
        named = lines.pop(_STUDIES, [])
        named = named if isinstance(named, list) else [named]
        # YAML takes 03 for a number
        studies = known.to_run([f"{name:02}" if type(name) is int else str(name) for name in named])
        known.check_known(studies, lines)
        points = [point for study in studies for point in _points(study, lines)]
        seen = set()
        for point in points:  # each once
            looked_at = {name: value for name, value in point.settings.items() if name not in _DRAWN}
            key = json.dumps([point.study.name, looked_at], sort_keys=True)
            if key not in seen:
                rules.check_data(point.study, point.settings)
            seen.add(key)
    except (ValueError, FileNotFoundError) as error:
        raise type(error)(f"{path}: {error}") from error
    return points


def _points(study: Study, lines: Mapping[str, Any]) -> Iterator[Point]:
    names = [name for name in lines if name in study.parameters]
    values = [_values(study.parameters[name], lines[name]) for name in names]
    for chosen in itertools.product(*(enumerate(listed, start=1) for listed in values)):
        told = {name: value for name, (_, value) in zip(names, chosen, strict=True)}
        place = {name: number for name, (number, _) in zip(names, chosen, strict=True)}
        yield Point(study, told, known.settings(study, told), place)


def _values(parameter: Parameter, line: Any) -> list[Any]:
    """The values that a line lists for a parameter, each as its type."""
    has_several = isinstance(line, list) and (
        parameter.kind is not list or any(isinstance(each, list) for each in line)
    )
    values = [parameter.convert(value) for value in (line if has_several else [line])]
    if not values:
        raise ValueError(f"{parameter.name} has no value, expected at least one")
    checks.each_once(parameter.name, values)
    return values
