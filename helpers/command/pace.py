"""How long the cells of notebooks took here before, for an estimate of how long they will take."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from helpers import files, paths


def known(name: str) -> dict[str, float]:
    """Seconds of every cell in the last run, by the cell's id; empty where there was none.

    Parameters
    ----------
    name : of a notebook at a scale, such as "04_queries_versus_depth demo"

    Raises
    ------
    ValueError
        where the file of times is damaged.
    """
    return _all().get(name, {})


def remember(name: str, seconds: Mapping[str, float]) -> None:
    """Keep the seconds of the cells of a notebook that succeeded, in the user's cache.

    Parameters
    ----------
    name : as `known` takes it
    seconds : cell id -> seconds

    Raises
    ------
    OSError, ValueError
        where the file of times cannot be written, or is damaged.
    """
    times = _all() | {name: {cell: round(value, 3) for cell, value in seconds.items()}}
    file = _file()
    file.parent.mkdir(parents=True, exist_ok=True)
    with files.replacing(file) as beside:
        beside.write(json.dumps(times, indent=1) + "\n")


def left(cells: Mapping[str, float | None], rate: float | None) -> float | None:
    """Seconds that cells will take; None where that of one is not known and there is no rate.

    Parameters
    ----------
    cells : cell id -> its seconds in the last run, None where it was not in it
    rate : seconds that a cell has taken on average so far, for those

    Examples
    --------
    >>> left({"a": 1.5, "b": None}, 2.0), left({"b": None}, None), left({}, None)
    (3.5, None, 0)
    """
    if rate is None and None in cells.values():
        return None
    return sum(rate if seconds is None else seconds for seconds in cells.values())


def of(sections: Mapping[str, str], known: Mapping[str, float]) -> dict[str, float | None]:
    """Cell id -> seconds in the last run or None, of every code cell.

    Parameters
    ----------
    sections, known : by cell id

    Examples
    --------
    >>> of({"a": "1. Method", "b": "1. Method"}, {"a": 2.0, "gone": 1.0})
    {'a': 2.0, 'b': None}
    """
    return {cell: known.get(cell) for cell in sections}


def _file() -> Path:
    return paths.user_cache() / "pace.json"


def _all() -> dict[str, dict[str, float]]:
    file = _file()
    if not file.exists():
        return {}
    try:
        times = json.loads(file.read_text(encoding="utf-8"))
        return {name: {cell: float(value) for cell, value in cells.items()} for name, cells in times.items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise ValueError(f"{file}: damaged, expected seconds of cells by notebook; remove it") from error
