"""Collections from qrels and runs: who retrieved what at which place, and what an assessor said of it."""

from helpers.datasets.runs.joining import read, read_noted
from helpers.datasets.runs.trec import Lists, lists, note_of_unjudged, read_runs

__all__ = ["Lists", "lists", "note_of_unjudged", "read", "read_noted", "read_runs"]
