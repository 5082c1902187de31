"""The scales at which every study can be run; alone here, as the command asks for them before it imports a study."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from helpers import checks

NAMES = ("demo", "study", "paper")

Sizes = TypeVar("Sizes")


def named(scale: str, sizes: Mapping[str, Sizes]) -> Sizes:
    """What a study has for a scale."""
    checks.one_of("scale", scale, sizes)
    return sizes[scale]
