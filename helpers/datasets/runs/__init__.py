"""Collections from qrels and runs: who retrieved what at which place, and what an assessor said of it."""

from helpers.datasets.runs.joining import read, read_noted

__all__ = ["read", "read_noted"]
