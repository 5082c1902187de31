"""A sweep that leaves in a log which of its runs took place, and were not taken from the store."""

from pathlib import Path

import pytest

from helpers.engine import sweep


def logged(i, log, broken, rng):
    """A run that leaves its number in a log, and fails if it is 50 while a file exists."""
    with open(log, "a") as file:
        file.write(f"{i}\n")
    if i == 50 and Path(broken).exists():
        raise LookupError("no fold 6")
    return {"value": rng.random()}


@pytest.fixture
def traced(tmp_path):
    """Sweeps `logged`, and returns the table and the numbers that were run."""

    def run(numbers=(5, 50, 100), folder="store", **options):
        log = tmp_path / "log"
        log.write_text("")
        shared = {"log": str(log), "broken": str(tmp_path / "broken")}
        table = sweep.run(logged, sweep.grid(i=list(numbers)), store=tmp_path / folder, shared=shared, **options)
        return table, [int(line) for line in log.read_text().split()]

    return run
