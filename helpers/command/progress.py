"""How the notebooks of a run go, on the terminal: the section that each is in, and how long the rest may take."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from helpers.command import pace

if TYPE_CHECKING:
    from helpers.command.jobs import Done, Job

REFRESH = 2
"""How often a second the terminal is drawn."""

TAIL = 4_000
"""Bytes of a file of bars that are looked at."""


class Board:
    """What the user sees while notebooks are executed: lines that change on a terminal, a line an event elsewhere.

    To be used as a context.

    Parameters
    ----------
    jobs : all that will be executed
    at_once : how many at a time
    unit : what they are called
    """

    def __init__(self, jobs: Sequence[Job], at_once: int, unit: str = "notebooks"):
        self._waiting = {job: pace.known(pace_name(job)) for job in jobs}
        self._under_way: dict[Job, Course] = {}
        self._over: list[Course] = []
        self._total, self._at_once, self._unit = len(jobs), at_once, unit
        self._stack = contextlib.ExitStack()
        self._folder: str | None = None
        self._lock = threading.Lock()  # a thread draws

    def __enter__(self) -> Board:
        if sys.stderr.isatty():
            self._folder = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="label-studies-"))
            how = {"refresh_per_second": REFRESH, "transient": True, "redirect_stdout": False}
            self._stack.enter_context(Live(console=Console(stderr=True), get_renderable=self._drawn, **how))
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def started(self, job: Job) -> str | None:
        """Show that a job begins; returns the file to which its sweeps draw their bars, None without a terminal.

        Parameters
        ----------
        job : one of those that were announced
        """
        bar = Path(self._folder, f"bar-{self._total - len(self._waiting)}") if self._folder else None
        with self._lock:
            self._under_way[job] = Course(job.study.sections, self._waiting.pop(job), bar)
        if bar is None:
            click.echo(f"{job.label}: running", err=True)
        return bar and str(bar)

    def cell(self, job: Job, cell_id: str) -> None:
        """A cell of a job begins.

        Parameters
        ----------
        job, cell_id : which of them; a cell that the notebook does not have, as papermill adds one, is not counted
        """
        with self._lock:
            self._under_way[job].cell(cell_id)

    def ended(self, done: Done) -> None:
        """Say how a job ended, and keep the times of its cells where it succeeded.

        Parameters
        ----------
        done : the job with its outcome
        """
        job, outcome = done.job, done.outcome
        with self._lock:
            course = self._under_way.pop(job)
            course.end()
            self._over.append(course)
        if outcome.error:
            click.echo(f"Error: {job.label}: {outcome.error}", err=True)
        else:
            _remember(job, course)
        click.echo(f"{job.label}: {outcome.seconds:.0f} s, {outcome.page or 'no report'}", err=True)

    def lines(self) -> list[str]:
        """What the terminal shows now: a line for every notebook that is under way, and one for all."""
        with self._lock:
            rate = self._rate()
            shown = [f"{job.label}: {course.line(rate)}" for job, course in self._under_way.items()]
            return [*shown, f"{len(self._over)} of {self._total} {self._unit} are done{_about(self._left(rate))}"]

    def _drawn(self) -> Group:
        return Group(*(Text(line, no_wrap=True, overflow="ellipsis") for line in self.lines()))

    def _rate(self) -> float | None:
        """Seconds of a cell on average so far."""
        courses = [*self._over, *self._under_way.values()]
        seconds = [value for course in courses for value in course.seconds.values()]
        return sum(seconds) / len(seconds) if seconds else None

    def _left(self, rate: float | None) -> float | None:
        """Seconds until all notebooks are done: the longest one, or the work divided by how many are done at once."""
        waiting = [pace.left(pace.of(job.study.sections, times), rate) for job, times in self._waiting.items()]
        lefts = [*waiting, *(course.left(rate) for course in self._under_way.values())]
        if None in lefts:
            return None
        return max([sum(lefts) / self._at_once, *lefts])


class Course:
    """How far the execution of a notebook has come.

    Parameters
    ----------
    sections : cell id -> heading, of every code cell
    known : cell id -> seconds in the last run
    bar : file to which its sweeps draw, if any

    Attributes
    ----------
    seconds : cell id -> seconds, of the cells that are done
    """

    def __init__(self, sections: Mapping[str, str], known: Mapping[str, float], bar: Path | None):
        self._sections, self._bar = sections, bar
        self._times = pace.of(sections, known)
        self._start = self._since = time.monotonic()
        self._at: str | None = None
        self.seconds: dict[str, float] = {}

    def cell(self, cell_id: str) -> None:
        """A cell begins, and the one before it has ended.

        Parameters
        ----------
        cell_id : of it
        """
        self.end()
        if cell_id in self._sections:
            self._at, self._since = cell_id, time.monotonic()

    def end(self) -> None:
        """The cell that it was at has ended."""
        if self._at:
            self.seconds[self._at] = time.monotonic() - self._since
        self._at = None

    def left(self, rate: float | None) -> float | None:
        """Seconds that the rest takes, as `pace.left` says.

        Parameters
        ----------
        rate : seconds of a cell on average
        """
        seconds = pace.left({cell: known for cell, known in self._times.items() if cell not in self.seconds}, rate)
        gone = time.monotonic() - self._since if self._at else 0
        return seconds and max(seconds - gone, 0)

    def line(self, rate: float | None) -> str:
        """The section, the cells, the time, and what the sweep that is going on says.

        Parameters
        ----------
        rate : as `left` takes it
        """
        cell = self._at or next(reversed(self.seconds), None)
        parts = [self._sections.get(cell) or "starting", f"{len(self.seconds)} of {len(self._sections)} cells"]
        parts.append(f"{_clock(time.monotonic() - self._start)}{_about(self.left(rate))}")
        return ", ".join(filter(None, [*parts, self._sweep()]))

    def _sweep(self) -> str:
        """The last state of the bar that a sweep drew, or its last message; bars that are done say nothing."""
        if not self._bar or not self._bar.exists() or not self._at:
            return ""
        with self._bar.open("rb") as file:
            file.seek(max(os.path.getsize(self._bar) - TAIL, 0))
            return file.read().decode(errors="replace").replace("\r", "\n").rpartition("\n")[2]


def pace_name(job: Job) -> str:
    """What the times of a job's cells are kept under: its notebook and scale.

    Parameters
    ----------
    job : what is executed
    """
    return f"{job.study.name} {scale_of(job) or ''}".rstrip()


def scale_of(job: Job) -> str | None:
    """The scale at which a job is executed, where its notebook has scales.

    Parameters
    ----------
    job : what is executed
    """
    return (job.study.defaults | job.settings).get("scale")


def _remember(job: Job, course: Course) -> None:
    """Keep the times of the cells of a job; that they cannot be kept is said, and fails nothing."""
    try:
        pace.remember(pace_name(job), course.seconds)
    except OSError as error:
        click.echo(f"The times of {job.label} are not kept: {error}", err=True)


def _about(seconds: float | None) -> str:
    """
    >>> _about(75.2), _about(None)
    (', about 1:15 left', '')
    """
    return "" if seconds is None else f", about {_clock(seconds)} left"


def _clock(seconds: float) -> str:
    """
    >>> _clock(62), _clock(3723.4)
    ('1:02', '1:02:03')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
