"""Notebooks executed one after the other in this process, or several at once, each in a process of its own."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

from helpers.command import placing
from helpers.command.jobs import Done, Job, Outcome

# `helpers.command.batch` is imported where notebooks are executed: the process that waits for them does without it.

DIED = "the process that executed it died, of a crash or for want of memory"


class Watcher(Protocol):
    """What is told how jobs go: that a job has started, cell by cell_id, and that it is done.

    `helpers.command.progress.Board` is one.
    """

    def started(self, job: Job) -> str | None:
        """A job begins; returns the file to which its sweeps draw their bars, if any."""

    def cell(self, job: Job, cell_id: str) -> None:
        """The cell of that id begins."""

    def ended(self, done: Done) -> None:
        """The job has ended."""


def work_through(jobs: Sequence[Job], at_once: int, watcher: Watcher) -> Iterator[Done]:
    """Execute notebooks, and how each ended as it does; every report is the one that a single process leaves.

    Parameters
    ----------
    jobs : in the order in which they begin
    at_once : how many are executed at a time; 1 for all in this process
    watcher : is told of every cell

    Raises
    ------
    OSError
        when a report cannot be written; what is under way is ended, without leaving anything.
    """
    for done in _here(jobs, watcher) if min(at_once, len(jobs)) == 1 else _in_processes(jobs, at_once, watcher):
        watcher.ended(done)
        yield done


def divided(processes: int, jobs: int) -> tuple[int, int]:
    """How many notebooks at once, and how many workers in the sweeps of each, so many processes are.

    Parameters
    ----------
    processes : to be at work
    jobs : notebooks that there are

    Examples
    --------
    >>> divided(2, 7), divided(8, 3), divided(8, 1), divided(1, 7)
    ((2, 1), (3, 3), (1, 8), (1, 1))
    """
    at_once = min(processes, jobs)
    return at_once, -(-processes // at_once)


def _here(jobs: Sequence[Job], watcher: Watcher) -> Iterator[Done]:
    from helpers.command import batch

    batch.silence()
    for job in jobs:
        bar = watcher.started(job)
        yield _execute(job, bar, lambda cell_id, job=job: watcher.cell(job, cell_id))


def _execute(job: Job, bar: str | None, on_cell: Callable[[str], None]) -> Done:
    from helpers.command import batch

    with placing.listening() as heard:
        outcome = batch.execute(job.study, job.settings, job.out, bar=bar, on_cell=on_cell)
    return Done(job, outcome, heard[0])


class _Worker:
    """A process that executes the notebooks that it is sent, one at a time."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")  # which has the environment and the folder of now
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()
        self.job: Job | None = None

    def send(self, job: Job, bar: str | None) -> None:
        self.job = job
        with contextlib.suppress(OSError):  # it died meanwhile, which `receive` says
            self.pipe.send((job, bar))

    def receive(self) -> Any:
        """What it says: the id of a cell, or how the job ended; an error that it met is raised."""
        try:
            message = self.pipe.recv()
        except (EOFError, OSError):
            return Done(self.job, Outcome(0.0, DIED), placing.Told([]))
        if isinstance(message, Exception):
            self.job = None
            raise message
        return message

    def end(self) -> None:
        """Have it end, with the notebook that it is at."""
        self.pipe.close()
        if self.process.is_alive() and self.job:
            self.process.terminate() if os.name == "nt" else os.kill(self.process.pid, signal.SIGINT)


def _in_processes(jobs: Sequence[Job], at_once: int, watcher: Watcher) -> Iterator[Done]:
    waiting, crew = deque(jobs), {}
    try:
        while waiting or any(worker.job for worker in crew.values()):
            _fill(crew, waiting, at_once, watcher)
            for pipe in wait([pipe for pipe, worker in crew.items() if worker.job]):
                worker = crew[pipe]
                message = worker.receive()
                if not isinstance(message, Done):
                    watcher.cell(worker.job, message)
                    continue
                message, worker.job = message._replace(job=worker.job), None
                if message.outcome.error == DIED:
                    del crew[pipe]
                yield message
    finally:
        for worker in crew.values():
            worker.end()
        for worker in crew.values():
            worker.process.join()


def _fill(crew: dict[Connection, _Worker], waiting: deque[Job], at_once: int, watcher: Watcher) -> None:
    """Give every worker something to do; there are no more of them than there are jobs."""
    idle = [worker for worker in crew.values() if not worker.job]
    while waiting and (idle or len(crew) < at_once):
        worker = idle.pop() if idle else _Worker()
        crew[worker.pipe] = worker
        job = waiting.popleft()
        worker.send(job, watcher.started(job))


def _serve(pipe: Connection) -> None:
    """Execute what comes through the pipe until it is closed, or Ctrl-C is passed on."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if os.name != "nt":
        os.setpgrp()  # of a Ctrl-C on the terminal it is told once, by the process that started it
    threading.Thread(target=_end_with_parent, daemon=True).start()
    from helpers.command import batch

    batch.silence()
    with contextlib.suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            job, bar = pipe.recv()
            try:
                message = _execute(job, bar, pipe.send)
            except Exception as error:
                message = error
            pipe.send(message)


def _end_with_parent() -> None:
    multiprocessing.parent_process().join()
    os._exit(1)
