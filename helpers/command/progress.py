"""How the notebooks of a run go, on the terminal: the section that each is in, and how long the rest may take."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from helpers.command import times

if TYPE_CHECKING:
    from helpers.command.executing import Job, Outcome

_REFRESH = 2  # how often a second the terminal is drawn
_TAIL = 4_000  # bytes of a file of bars that are looked at


class Board:
    """What the user sees while notebooks are executed: lines that change on a terminal, a line an event elsewhere.

    A context. It is told of jobs by the threads that execute them.
    """

    def __init__(self, jobs: Sequence[Job], at_once: int, unit: str = "notebooks"):
        self._courses = {job: _Course(job.study.sections, times.cells(job.study, job.scale)) for job in jobs}
        self._at_once, self._unit = at_once, unit
        self._stack = contextlib.ExitStack()
        self._folder: str | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Board:
        if sys.stderr.isatty():
            self._folder = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="label-studies-"))
            how = {"refresh_per_second": _REFRESH, "transient": True, "redirect_stdout": False}
            self._stack.enter_context(Live(console=Console(stderr=True), get_renderable=self._drawn, **how))
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def started(self, job: Job) -> str:
        """Show that a job begins; returns the file to which its sweeps draw their bars, empty without a terminal."""
        with self._lock:
            number = sum(course.begun is not None for course in self._courses.values())
            bar = f"{self._folder}/bar-{number}" if self._folder else ""
            self._courses[job].begun, self._courses[job].bar = time.monotonic(), bar
        if not bar:
            click.echo(f"{job.label}: running", err=True)
        return bar

    def cell(self, job: Job, cell_id: str) -> None:
        """A cell of a job begins; one that the notebook does not have, as papermill adds one, is not counted."""
        with self._lock:
            self._courses[job].cell(cell_id)

    def ended(self, job: Job, outcome: Outcome) -> None:
        """Say how a job ended."""
        with self._lock:
            self._courses[job].cell("")
            self._courses[job].over = True
        if outcome.error:
            click.echo(f"Error: {job.label}: {outcome.error}", err=True)
        click.echo(f"{job.label}: {outcome.seconds:.0f} s, {outcome.page or 'no report'}", err=True)

    def seconds(self, job: Job) -> dict[str, float]:
        """The seconds of the cells of a job that ended, by id."""
        return self._courses[job].seconds

    def lines(self) -> list[str]:
        """What the terminal shows now: a line for every notebook that is under way, and one for all.

        All are done when the longest one is, or the work divided by how many are done at once.
        """
        with self._lock:
            courses = self._courses.values()
            took = [seconds for course in courses for seconds in course.seconds.values()]
            rate = sum(took) / len(took) if took else None
            lefts = [course.left(rate) for course in courses if not course.over]
            left = None if None in lefts else max([sum(lefts) / self._at_once, *lefts])
            under_way = {job: each for job, each in self._courses.items() if each.begun is not None and not each.over}
            shown = [f"{job.label}: {course.line(rate)}" for job, course in under_way.items()]
            return [*shown, f"{len(courses) - len(lefts)} of {len(courses)} {self._unit} are done{_about(left)}"]

    def _drawn(self) -> Group:
        return Group(*(Text(line, no_wrap=True, overflow="ellipsis") for line in self.lines()))


@dataclass
class _Course:
    """How far the execution of a notebook has come, by its cells' headings and their seconds in the last run."""

    sections: Mapping[str, str]
    known: Mapping[str, float]
    begun: float | None = None
    over: bool = False
    seconds: dict[str, float] = field(default_factory=dict)
    bar: str = ""  # the file to which its sweeps draw
    at: str | None = None  # the cell that it is in
    since: float = 0.0

    def cell(self, cell_id: str) -> None:
        """A cell begins, and the one before it has ended."""
        if self.at:
            self.seconds[self.at] = time.monotonic() - self.since
        self.at, self.since = (cell_id if cell_id in self.sections else None), time.monotonic()

    def left(self, rate: float | None) -> float | None:
        """Seconds that the rest takes, rate being that of a cell that was not in the last run; None where unknown."""
        seconds = [self.known.get(cell, rate) for cell in self.sections if cell not in self.seconds]
        if None in seconds:
            return None
        return max(sum(seconds) - (time.monotonic() - self.since if self.at else 0), 0)

    def line(self, rate: float | None) -> str:
        """The section, the cells, the time, and what the sweep that is going on says."""
        cell = self.at or next(reversed(self.seconds), None)
        parts = [self.sections.get(cell) or "starting", f"{len(self.seconds)} of {len(self.sections)} cells"]
        parts.append(f"{_clock(time.monotonic() - self.begun)}{_about(self.left(rate))}")
        return ", ".join(filter(None, [*parts, self._sweep()]))

    def _sweep(self) -> str:
        """The last state of the bar that a sweep drew, or its last message; bars that are done say nothing."""
        if not os.path.exists(self.bar) or not self.at:
            return ""
        with Path(self.bar).open("rb") as file:
            file.seek(max(os.path.getsize(self.bar) - _TAIL, 0))
            return file.read().decode(errors="replace").replace("\r", "\n").rpartition("\n")[2]


def _about(seconds: float | None) -> str:
    return "" if seconds is None else f", about {_clock(seconds)} left"


def _clock(seconds: float) -> str:
    """
    >>> _clock(62), _clock(3723.4)
    ('1:02', '1:02:03')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
