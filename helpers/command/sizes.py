"""How much work a study is at each scale: its trainings, and the hours of a core that they took here before."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from helpers import files, paths
from helpers.command.notebooks import Study
from helpers.command.placing import Told
from helpers.studies import scales

# The protocols are imported inside the functions: they bring the numeric libraries along.


def trainings(study: Study, scale: str) -> int | None:
    """Trainings of a study at a scale with its default parameters; None where it trains nothing.

    Parameters
    ----------
    study, scale : one of the project, one of `scales.NAMES`
    """
    count = COUNTS.get(study.number)
    return count(scale, study.defaults) if count else None


def core_hours(study: Study, scale: str) -> float | None:
    """Hours of a core that all trainings take, by the times of those done here; None where none was timed.

    Parameters
    ----------
    study, scale : as `trainings` takes them

    Raises
    ------
    ValueError
        where the file of times is damaged.
    """
    told, count = _times().get(f"{study.name} {scale}"), trainings(study, scale)
    return count * told["seconds"] / told["timed"] / 3600 if told and count else None


def remember(study: Study, scale: str | None, told: Told) -> None:
    """Keep the time of a study's trainings at a scale, in the user's cache.

    Parameters
    ----------
    study, scale : what was run; nothing is kept of a study without scales
    told : by its sweeps

    Raises
    ------
    OSError, ValueError
        where the file of times cannot be written, or is damaged.
    """
    if scale is None or not told.timed:
        return
    times = _times() | {f"{study.name} {scale}": {"timed": told.timed, "seconds": told.seconds}}
    file = _file()
    file.parent.mkdir(parents=True, exist_ok=True)
    with files.replacing(file) as beside:
        beside.write(json.dumps(times, indent=1) + "\n")


def rows(study: Study) -> list[tuple[str, str, str]]:
    """Scale, trainings and core hours as texts, a row a scale; none where the study trains nothing."""
    counts = {scale: trainings(study, scale) for scale in scales.NAMES}
    hours = {scale: core_hours(study, scale) for scale in scales.NAMES}
    return [
        (scale, f"{count:,}", "not timed here yet" if hours[scale] is None else f"{hours[scale]:.2f}")
        for scale, count in counts.items()
        if count is not None
    ]


def _file() -> Path:
    return paths.user_cache() / "times.json"


def _times() -> dict[str, dict[str, float]]:
    file = _file()
    if not file.exists():
        return {}
    try:
        return {name: {"timed": row["timed"], "seconds": row["seconds"]} for name, row in _read(file).items()}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"{file}: damaged, expected times of trainings by study and scale; remove it") from error


def _read(file: Path) -> dict[str, Any]:
    return json.loads(file.read_text(encoding="utf-8"))


def _overlap(scale: str, values: dict[str, Any]) -> int:
    from helpers.studies.overlap import protocol

    sizes = protocol.scale_named(scale)
    return sum(len(protocol.grid(name, sizes, values["rankers"])) for name in sizes.label_sets)


def _robustness(scale: str, values: dict[str, Any]) -> int:
    from helpers.studies.robustness import protocol

    sizes, names = protocol.scale_named(scale), values["rankers"]
    a_data_set = len(protocol.uniform_grid("", names, sizes)) + len(protocol.tie_grid("", names, sizes))
    return len(values["datasets"]) * a_data_set


def _depth(scale: str, values: dict[str, Any]) -> int:
    from helpers.studies.depth import protocol

    sizes, names = protocol.scale_named(scale), values["rankers"]
    pool = protocol.pool_grid(names, sizes, sizes.pool_queries, sizes.pool_docs)
    return len(protocol.percent_grid(names, sizes)) + len(pool)


COUNTS: dict[str, Callable[[str, dict[str, Any]], int]] = {"01": _overlap, "03": _robustness, "04": _depth}
"""Study -> its trainings at a scale, with these values of its parameters; of its pool the largest."""
