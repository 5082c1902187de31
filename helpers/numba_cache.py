"""A place for compiled functions where numba has none of its own: alone, as it goes before all that imports numba."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

VARIABLE = "NUMBA_CACHE_DIR"


def provide() -> None:
    """Have numba keep compiled functions in a temporary folder, where it would find no place and refuse to compile."""
    if VARIABLE not in os.environ and not _is_writable(Path(__file__).parent) and not _is_writable(_users_place()):
        os.environ[VARIABLE] = tempfile.mkdtemp(prefix="label-studies-")
        atexit.register(shutil.rmtree, os.environ[VARIABLE], ignore_errors=True)


def _users_place() -> Path:
    import pooch  # takes its time, and most have no need of it

    return Path(pooch.os_cache("numba"))


def _is_writable(place: Path) -> bool:
    """Whether numba could make its folder, and a file in it, below this one."""
    try:
        (place / "__pycache__").mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=place / "__pycache__"):
            return True
    except OSError:
        return False
