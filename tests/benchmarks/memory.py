"""Peak memory of a step, measured in a process of its own."""

import subprocess
import sys
from pathlib import Path

GROWTH = """
import resource, sys
peak = lambda: 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
exec(sys.argv[1])
before = peak()
exec(sys.argv[2])
print(peak() - before)
"""
SMALL_PARENT = "import subprocess, sys; subprocess.run([sys.executable, *sys.argv[1:]], check=True)"


def peak_growth(prepare: str, step: str) -> int:
    """Bytes by which Python code `step` raises the peak of memory that `prepare` has left.

    A process inherits the peak of the one that starts it, so that must be a small one.
    """
    command = [sys.executable, "-c", SMALL_PARENT, "-c", GROWTH, prepare, step]
    result = subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path(__file__).parent)
    return int(result.stdout)


COST = """
import resource, sys, time
exec(sys.argv[1])
start = time.perf_counter()
exec(sys.argv[2])
print(time.perf_counter() - start, 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def cost(prepare: str, step: str) -> tuple[float, int]:
    """Seconds that `step` takes after `prepare`, and the peak of memory in bytes that both leave."""
    command = [sys.executable, "-c", SMALL_PARENT, "-c", COST, prepare, step]
    result = subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path(__file__).parent)
    seconds, peak = result.stdout.split()
    return float(seconds), int(peak)
