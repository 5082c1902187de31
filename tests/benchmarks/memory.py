"""Time and peak memory of a step, measured in a process of its own."""

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

MEASURE = """
import resource, sys, time
peak = lambda: 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
exec(sys.argv[1])
before, start = peak(), time.process_time()
exec(sys.argv[2])
print(time.process_time() - start, peak(), peak() - before)
"""
SMALL_PARENT = "import subprocess, sys; subprocess.run([sys.executable, *sys.argv[1:]], check=True)"


class Cost(NamedTuple):
    """Seconds of a processor that a step takes, peak of memory in bytes, and how much of that is the step's own."""

    seconds: float
    peak: int
    growth: int


def cost(prepare: str, step: str) -> Cost:
    """What Python code `step` takes after `prepare`, which is not counted but in the peak.

    Not by the clock, so that a busy machine changes little. A process inherits the peak of the one that starts it, so
    that must be a small one.
    """
    command = [sys.executable, "-c", SMALL_PARENT, "-c", MEASURE, prepare, step]
    result = subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path(__file__).parent)
    seconds, peak, growth = result.stdout.split()
    return Cost(float(seconds), int(peak), int(growth))


def peak_growth(prepare: str, step: str) -> int:
    """Bytes by which Python code `step` raises the peak of memory that `prepare` has left."""
    return cost(prepare, step).growth
