"""How long cells of notebooks and trainings of studies took here before: one file in the user's cache.

A row is a notebook at a scale, such as "04_queries_versus_depth demo": the seconds of its cells in the last run that
succeeded, and of the trainings of the last run that had any how many were timed, and their seconds of a core.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from helpers import files, paths
from helpers.command.notebooks import Study
from helpers.command.placing import Told
from helpers.studies import scales

# study -> module whose `trainings` counts what it trains in sweeps
_COUNTED = {
    "01": "helpers.studies.overlap.protocol",
    "03": "helpers.studies.robustness.protocol",
    "04": "helpers.studies.depth.protocol",
}


def cells(study: Study, scale: str | None) -> dict[str, float]:
    """Seconds of every cell in the last run, by the cell's id; empty where there was none."""
    return _read().get(_row(study, scale), {}).get("cells", {})


def remember_cells(study: Study, scale: str | None, seconds: Mapping[str, float]) -> None:
    """Keep the seconds of the cells of a notebook that succeeded."""
    _update(_row(study, scale), {"cells": {cell: round(value, 3) for cell, value in seconds.items()}})


def remember_trainings(study: Study, scale: str | None, told: Told) -> None:
    """Keep the time of a study's trainings at a scale, where any were timed; a study without scales has none."""
    if scale is not None and told.timed:
        _update(_row(study, scale), {"timed": told.timed, "seconds": told.seconds})


def trainings(study: Study, scale: str) -> int | None:
    """Trainings of a study at a scale with its default parameters; None where it trains nothing in sweeps."""
    if study.number not in _COUNTED:
        return None
    return importlib.import_module(_COUNTED[study.number]).trainings(scale, study.defaults)


def core_hours(study: Study, scale: str) -> float | None:
    """Hours of a core that all trainings take, by the times of those done here; None where none was timed."""
    row = _read().get(_row(study, scale), {})
    count = trainings(study, scale) if "timed" in row else None
    return count * row["seconds"] / row["timed"] / 3600 if count else None


def rows(study: Study) -> list[tuple[str, str, str]]:
    """Scale, trainings and core hours as texts, a row a scale; none where the study trains nothing."""
    counts = {scale: trainings(study, scale) for scale in scales.NAMES}
    hours = {scale: core_hours(study, scale) for scale in scales.NAMES}
    return [
        (scale, f"{count:,}", "not timed here yet" if hours[scale] is None else f"{hours[scale]:.2f}")
        for scale, count in counts.items()
        if count is not None
    ]


def _row(study: Study, scale: str | None) -> str:
    return f"{study.name} {scale or ''}".rstrip()


def _file() -> Path:
    return paths.user_cache() / "times.json"


def _read() -> dict[str, dict[str, Any]]:
    file = _file()
    if not file.exists():
        return {}
    try:
        return {name: _checked(row) for name, row in json.loads(file.read_text(encoding="utf-8")).items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise ValueError(f"{file}: damaged, expected seconds of cells and trainings by notebook; remove it") from error


def _checked(row: Mapping[str, Any]) -> dict[str, Any]:
    numbers = {name: float(row[name]) for name in ("timed", "seconds") if name in row}
    return numbers | {"cells": {cell: float(value) for cell, value in row.get("cells", {}).items()}}


def _update(name: str, fresh: Mapping[str, Any]) -> None:
    rows = _read()
    rows[name] = rows.get(name, {}) | fresh
    file = _file()
    file.parent.mkdir(parents=True, exist_ok=True)
    with files.replacing(file) as beside:
        beside.write(json.dumps(rows, indent=1) + "\n")
