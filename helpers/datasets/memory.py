"""How much memory there is to be had."""

from __future__ import annotations

import os
import sys
from pathlib import Path

MEMINFO = Path("/proc/meminfo")


def available() -> int:
    """Bytes that a program may ask for: what Linux calls available, elsewhere all there are, sys.maxsize if unknown."""
    if MEMINFO.is_file():
        amounts = dict(line.split(":") for line in MEMINFO.read_text().splitlines())
        if "MemAvailable" in amounts:
            return int(amounts["MemAvailable"].removesuffix("kB")) * 1024
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError):  # not POSIX
        return sys.maxsize
