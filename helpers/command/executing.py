"""Notebooks executed, several at once, each into a folder with its HTML and its result tables, whole or not at all.

A notebook has a kernel, which is a process, and here a thread that waits for it.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import click
import nbformat
import papermill
from joblib import cpu_count
from jupyter_client import AsyncKernelManager
from jupyter_core.utils import ensure_event_loop
from papermill.exceptions import PapermillExecutionError

from helpers import files
from helpers.command import html, private, progress, swap, times
from helpers.command.notebooks import Study
from helpers.command.placing import Told
from helpers.engine import backends

# environment variable: the terminal or file on which a sweep inside a notebook draws its bar
_PROGRESS = "LABEL_STUDIES_PROGRESS"
_LOG = ".sweeps"  # where in the hidden folder of a report its sweeps tell what they did
_AWAKE = 1  # seconds after which a thread that waits looks whether all is to end

_drawing = threading.Lock()  # of formulas in pages: matplotlib takes one thread at a time


class Outcome(NamedTuple):
    """How a notebook ended: its seconds, the error that stopped it, if any, the page it left, what its sweeps told."""

    seconds: float
    error: str | None
    page: Path | None
    told: Told


@dataclass(frozen=True)
class Job:
    """A notebook to be executed with settings, the folder for its report, and what it is called on the terminal."""

    study: Study
    settings: dict[str, Any] = field(hash=False)
    out: Path
    label: str

    @property
    def scale(self) -> str | None:
        """The scale at which it is executed, where its notebook has scales."""
        return (self.study.defaults | self.settings).get("scale")


def execute(
    jobs: Sequence[Job],
    processes: int | None,
    unit: str = "notebooks",
    on_done: Callable[[Job, Outcome], None] = lambda *_: None,
) -> dict[Job, Outcome]:
    """Execute notebooks, tell the user how it goes, and return how each ended; `on_done` is called as each does.

    As many are executed at once as there are processes, one a core where None, those first that took longest the last
    time; where there are fewer notebooks, the sweeps in each have several workers. When a report cannot be written, or
    at Ctrl-C, what is under way is ended and leaves nothing.
    """
    silence()
    at_once, workers = divided(processes or cpu_count(), len(jobs))
    jobs = [replace(job, settings=with_workers(job.study, job.settings, workers)) for job in jobs]
    stop, outcomes = threading.Event(), {}
    with progress.Board(jobs, at_once, unit) as board, ThreadPoolExecutor(at_once) as pool:
        try:
            order = jobs if at_once == 1 else longest_first(jobs)
            pending = {pool.submit(report, job, board, stop): job for job in order}
            while pending:
                for future in wait(pending, _AWAKE, FIRST_COMPLETED).done:
                    job, outcome = pending.pop(future), future.result()
                    _remember(job, outcome, board.seconds(job))
                    outcomes[job] = outcome
                    on_done(job, outcome)
        finally:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
    return outcomes


def divided(processes: int, jobs: int) -> tuple[int, int]:
    """How many notebooks at once, and how many workers in the sweeps of each, so many processes are.

    >>> divided(2, 7), divided(8, 3), divided(8, 1), divided(1, 7)
    ((2, 1), (3, 3), (1, 8), (1, 1))
    """
    at_once = min(processes, jobs)
    return at_once, -(-processes // at_once)


def with_workers(study: Study, settings: dict[str, Any], workers: int | None) -> dict[str, Any]:
    """The settings, with the number of workers, one a core where None, if the study has sweeps and they do not say."""
    return ({"n_jobs": workers or cpu_count()} if "n_jobs" in study.parameters else {}) | settings


def longest_first(jobs: Sequence[Job]) -> list[Job]:
    """The jobs in the order in which several at once take the least time; those whose time is unknown come first."""

    def seconds(job: Job) -> float:
        known = times.cells(job.study, job.scale)
        return sum(known.get(cell, math.inf) for cell in job.study.sections)

    return sorted(jobs, key=seconds, reverse=True)


def silence() -> None:
    """Keep what the notebook machinery logs off the terminal; what matters of it is in the outcome."""
    for name in ("papermill", "traitlets", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def try_cells(job: Job, bar: str) -> tuple[str | None, Told]:
    """Execute all cells of a notebook, also after one that fails, for what its sweeps store; nothing else is left.

    Returns the error of the first cell that failed, or None, and what its sweeps told.
    """
    with tempfile.TemporaryDirectory(prefix="label-studies-") as folder:
        error = _run(job, folder, Path(folder, job.study.path.name), bar, allow_errors=True)
        return error, Told(Path(folder, _LOG))


def report(job: Job, board: progress.Board, stop: threading.Event) -> Outcome:
    """Execute a study's notebook and leave `<name>.ipynb`, `<name>.html` and result tables in `<name>/` under `out`.

    Everything is made in a hidden folder and moved at the end (`swap.replacing`): an interrupted run leaves what was
    there before. What a notebook that fails leaves, or of a report that a full disk cuts short what is whole, is kept
    as `<name>.failed.ipynb` and so on (`Study.failed`), and the report before stays; the next one that does not fail
    removes it. The board is told how it goes; `CancelledError` is raised, and nothing left, when `stop` is set.
    """
    study, out, start, bar = job.study, job.out, time.perf_counter(), board.started(job)
    with swap.replacing(out, study.name, [*study.report, *study.failed]) as hidden:
        notebook, tables = hidden / study.path.name, hidden / study.name
        tables.mkdir()
        tell = {"on_cell_start": lambda cell, cell_index: board.cell(job, cell.get("id", ""))}
        error = _run(job, os.path.relpath(tables), notebook, bar, kernel_manager_class=_ending_with(stop), **tell)
        if stop.is_set():
            raise CancelledError
        unfinished = _finish(job, notebook, tables, study.failed if error else study.report)
        error = error or unfinished
        page = out / (study.failed if error else study.report)[1]
        page, told = page if notebook.with_suffix(".html").exists() else None, Told(hidden / _LOG)
        if error:
            with swap.replacing(out, study.failed[-1], study.failed) as beside:
                for part, failed in zip(study.report, study.failed, strict=True):
                    swap.move(hidden / part, beside / failed)
    error = error and error.replace(str(hidden), str(out))
    outcome = Outcome(time.perf_counter() - start, error, page, told)
    board.ended(job, outcome)
    return outcome


def _remember(job: Job, outcome: Outcome, cells: dict[str, float]) -> None:
    """Keep the times of a job, of its cells where it succeeded; that they cannot be kept is said, and fails nothing."""
    try:
        times.remember(job.study, job.scale, {} if outcome.error else cells, outcome.told)
    except OSError as error:
        click.echo(f"The times of {job.label} are not kept: {error}", err=True)


def _run(job: Job, tables: str, output: Path, bar: str, **how: Any) -> str | None:
    """Execute the notebook, its sweeps with a bar and a log beside the output; the error that stopped it, or None."""
    settings = job.settings | ({"results_dir": tables} if "results_dir" in job.study.parameters else {})
    environment = {_PROGRESS: bar, backends.LOG: str(output.with_name(_LOG).absolute())}
    first = f"__import__('os').environ.update({environment!r})"
    try:
        papermill.execute_notebook(
            _braced(job.study.path.absolute()),  # papermill keeps one working directory for all threads
            _braced(output.absolute()),
            settings,
            progress_bar=False,
            extra_arguments=["--log-level=CRITICAL", f"--IPKernelApp.exec_lines={first}"],
            **how,
        )
    except PapermillExecutionError as error:
        return f"cell [{error.exec_count}] raised {error.ename}: {error.evalue}"
    except OSError as error:
        return f"{error.filename or output}: {error.strerror or error}"
    except RuntimeError as error:  # the kernel died, or did not come up
        return str(error)
    finally:
        ensure_event_loop().close()  # which Jupyter made for this thread
    return None


def _braced(path: Path) -> str:
    """The path as papermill takes it, which fills parameters in where braces stand."""
    return str(path).replace("{", "{{").replace("}", "}}")


def _ending_with(stop: threading.Event) -> type[AsyncKernelManager]:
    """A manager of a kernel that ends it soon after `stop` was set."""

    class Manager(AsyncKernelManager):
        async def start_kernel(self, **options: Any) -> None:
            await super().start_kernel(**options)
            self.watching = asyncio.create_task(self.watch())

        async def watch(self) -> None:
            while not stop.is_set():
                await asyncio.sleep(_AWAKE)
            await self.shutdown_kernel()

        async def cleanup_resources(self, restart: bool = False) -> None:
            self.watching.cancel()
            await super().cleanup_resources(restart)

    return Manager


def _finish(job: Job, notebook: Path, tables: Path, parts: Sequence[str]) -> str | None:
    """Name files in the executed notebook as these parts of a report, and nothing that is `private`; add the HTML.

    The error that stopped this is returned, as the tables are to be kept; a notebook that was cut short is not, and
    where it left no tables there is no report.
    """
    try:
        text = notebook.read_text(encoding="utf-8").replace(f"{notebook.parent.name}/{job.study.name}", parts[-1])
        node = nbformat.reads(text, as_version=4)
    except (OSError, ValueError) as error:
        notebook.unlink(missing_ok=True)
        if not any(tables.iterdir()):
            tables.rmdir()  # nothing was made at all
        return f"{notebook}: was not written to its end ({' '.join(str(error).split())[:80]})"
    node.metadata.papermill.update(input_path=notebook.name, output_path=parts[0])
    private.clear(node, job.settings)
    with _drawing:
        page = html.page(node, job.study.title)
    for path, content in {notebook: nbformat.writes(node) + "\n", notebook.with_suffix(".html"): page}.items():
        try:
            with files.replacing(path) as file:
                file.write(content)
        except OSError as error:
            return f"{path}: {error.strerror}"
    return None
