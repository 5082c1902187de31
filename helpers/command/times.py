"""How long cells of notebooks and trainings of studies took here before: one file in the user's cache.

A row is a notebook at a scale, such as "04_queries_versus_depth demo": the seconds of its cells in the last run that
succeeded, and of the trainings of the last run that had any how many were timed, and their seconds of a core.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
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
    return _read().get(_name(study, scale), {}).get("cells", {})


def remember(study: Study, scale: str | None, cells: Mapping[str, float], told: Told | None = None) -> None:
    """Keep the seconds of cells, if there are any, and of the trainings of a study with scales, if any were timed."""
    fresh = {"cells": {cell: round(seconds, 3) for cell, seconds in cells.items()}} if cells else {}
    if told and told.timed and scale is not None:
        fresh |= {"timed": told.timed, "seconds": told.seconds}
    if fresh:
        rows, name = _read(), _name(study, scale)
        rows[name] = rows.get(name, {}) | fresh
        paths.user_cache().mkdir(parents=True, exist_ok=True)
        with files.replacing(paths.user_cache() / "times.json") as file:
            file.write(json.dumps(rows, indent=1) + "\n")


def trainings(study: Study) -> list[tuple[str, int, float | None]]:
    """Scale, trainings with the default parameters and their hours of a core, by the times of those done here or None,
    a row a scale; none where the study trains nothing in sweeps."""
    if study.number not in _COUNTED:
        return []
    counted = importlib.import_module(_COUNTED[study.number]).trainings
    counts = {scale: counted(scale, study.defaults) for scale in scales.NAMES}
    kept, rows = _read(), []
    for scale, count in counts.items():
        row = kept.get(_name(study, scale), {})
        rows.append((scale, count, count * row["seconds"] / row["timed"] / 3600 if "timed" in row else None))
    return rows


def _name(study: Study, scale: str | None) -> str:
    return f"{study.name} {scale or ''}".rstrip()


def _read() -> dict[str, dict[str, Any]]:
    file = paths.user_cache() / "times.json"
    if not file.exists():
        return {}
    try:
        return {name: _checked(row) for name, row in json.loads(file.read_text(encoding="utf-8")).items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise ValueError(f"{file}: damaged, expected seconds of cells and trainings by notebook; remove it") from error


def _checked(row: Mapping[str, Any]) -> dict[str, Any]:
    numbers = {name: float(row[name]) for name in ("timed", "seconds") if name in row}
    return numbers | {"cells": {cell: float(value) for cell, value in row.get("cells", {}).items()}}
