"""Executing notebooks: each into a folder with its HTML and its result tables, whole or not at all."""

from __future__ import annotations

import logging
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import nbformat
import papermill
from papermill.exceptions import PapermillExecutionError

from helpers import files
from helpers.command import html, private, swap, titled
from helpers.command.jobs import Outcome
from helpers.command.notebooks import Study

PROGRESS = "LABEL_STUDIES_PROGRESS"
"""Environment variable: the terminal or file on which a sweep inside a notebook draws its bar."""

OnCell = Callable[[str], None]
"""What is called with the id of a cell."""


def execute(
    study: Study, settings: dict[str, Any], out: Path, *, bar: str | None = None, on_cell: OnCell | None = None
) -> Outcome:
    """Execute a study's notebook and leave `<name>.ipynb`, `<name>.html` and result tables in `<name>/` under `out`.

    Everything is made in a hidden folder and moved at the end (`swap.replacing`): an interrupted run leaves what was
    there before. What a notebook that fails leaves, or of a report that a full disk cuts short what is whole, is kept
    as `<name>.failed.ipynb` and so on (`Study.failed`), and the report before stays; the next one that does not fail
    removes it.

    Parameters
    ----------
    settings : parameter name -> value; `results_dir` is set where the notebook has it
    bar : path of a terminal, or a file, on which bars show the progress of the sweeps in it; no bars where None
    on_cell : is called with the id of each cell when it begins

    Raises
    ------
    OSError
        when `out` cannot be written.
    """
    start = time.perf_counter()
    with swap.replacing(out, study.name, [*study.report, *study.failed]) as hidden:
        tables = hidden / study.name
        tables.mkdir()
        if "results_dir" in study.parameters:
            settings = settings | {"results_dir": os.path.relpath(tables)}
        notebook = hidden / study.path.name
        error = _run(study, settings, notebook, bar, on_cell=on_cell)
        unfinished = _finish(study, settings, notebook, tables, study.failed if error else study.report)
        error = error or unfinished
        parts = study.failed if error else study.report
        page = out / parts[1] if notebook.with_suffix(".html").exists() else None
        if error:
            with swap.replacing(out, study.failed[-1], study.failed) as beside:
                for part, failed in zip(study.report, study.failed, strict=True):
                    swap.move(hidden / part, beside / failed)
    return Outcome(time.perf_counter() - start, error and error.replace(str(hidden), str(out)), page)


def try_cells(study: Study, settings: dict[str, Any], *, bar: str | None = None) -> str | None:
    """Execute all cells of a notebook, also after one that fails, for what its sweeps store; nothing else is left.

    Parameters
    ----------
    study : whose notebook is executed
    settings, bar : as `execute` takes them

    Returns
    -------
    The error of the first cell that failed, or None.
    """
    with tempfile.TemporaryDirectory(prefix="label-studies-") as folder:
        if "results_dir" in study.parameters:
            settings = settings | {"results_dir": folder}
        return _run(study, settings, Path(folder, study.path.name), bar, allow_errors=True)


def silence() -> None:
    """Keep what the notebook machinery logs off the terminal; what matters of it is in the outcome."""
    for name in ("papermill", "traitlets", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _run(
    study: Study,
    settings: dict[str, Any],
    output: Path,
    bar: str | None,
    *,
    on_cell: OnCell | None = None,
    allow_errors: bool = False,
) -> str | None:
    """Execute the notebook; the error that stopped it, or None."""
    os.environ[PROGRESS] = bar or ""
    try:
        papermill.execute_notebook(
            study.path,
            output,
            settings,
            progress_bar=False,
            extra_arguments=["--log-level=CRITICAL", f"--IPKernelApp.exec_lines={titled.LINES}"],
            allow_errors=allow_errors,
            on_cell_start=on_cell and (lambda cell, cell_index: on_cell(cell.get("id", ""))),
        )
    except PapermillExecutionError as error:
        return f"cell [{error.exec_count}] raised {error.ename}: {error.evalue}"
    except OSError as error:
        return f"{error.filename or output}: {error.strerror or error}"
    except RuntimeError as error:  # the kernel died, or did not come up
        return str(error)
    return None


def _finish(study: Study, settings: dict[str, Any], notebook: Path, tables: Path, parts: Sequence[str]) -> str | None:
    """Name files in the executed notebook as these parts of a report, and nothing that is `private`; add the HTML.

    The error that stopped this is returned, as the tables are to be kept; a notebook that was cut short is not, and
    where it left no tables there is no report.
    """
    try:
        text = notebook.read_text(encoding="utf-8").replace(f"{notebook.parent.name}/{study.name}", parts[-1])
        node = nbformat.reads(text, as_version=4)
    except (OSError, ValueError) as error:
        notebook.unlink(missing_ok=True)
        if not any(tables.iterdir()):
            tables.rmdir()  # nothing was made at all
        return f"{notebook}: was not written to its end ({' '.join(str(error).split())[:80]})"
    node.metadata.papermill.update(input_path=notebook.name, output_path=parts[0])
    private.clear(node, settings)
    pages = {notebook: nbformat.writes(node) + "\n", notebook.with_suffix(".html"): html.page(node, study.title)}
    for path, content in pages.items():
        try:
            with files.replacing(path) as file:
                file.write(content)
        except OSError as error:
            return f"{path}: {error.strerror}"
    return None
