"""Executing notebooks: each into a folder with its HTML and its result tables, whole or not at all."""

from __future__ import annotations

import logging
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pandas as pd
import papermill
from papermill.exceptions import PapermillExecutionError

from helpers import files
from helpers.command import html, swap
from helpers.command.notebooks import GUIDE, Study, available
from helpers.engine import results

CLAIMS = ("claim", "source", "published", "measured", "low", "high", "verdict")
"""Columns that every table of claims has."""

REPORT = "report.txt"
"""What a study says in short, among its result tables, for those that do."""

PROGRESS = "LABEL_STUDIES_PROGRESS"
"""Environment variable: the terminal on which a sweep inside a notebook draws its bar."""


@dataclass(frozen=True)
class Outcome:
    """How the execution of a notebook ended: its seconds, and the error that stopped it, if any."""

    seconds: float
    error: str | None


def execute(study: Study, settings: dict[str, Any], out: Path, *, terminal: str | None = None) -> Outcome:
    """Execute a study's notebook and leave `<name>.ipynb`, `<name>.html` and result tables in `<name>/` under `out`.

    Everything is made in a hidden folder and moved at the end (`swap.replacing`): an interrupted run leaves what was
    there before. A notebook that fails is kept, together with the tables that it wrote before it failed; of a report
    that a full disk cuts short, what is whole is kept, and where that is nothing, the report before stays.

    Parameters
    ----------
    settings : parameter name -> value; `results_dir` is set where the notebook has it
    terminal : path of the terminal that the standard error is, on which bars show the progress of the notebook and of
        the sweeps in it; no bars where None

    Raises
    ------
    OSError
        when `out` cannot be written.
    """
    start = time.perf_counter()
    with swap.replacing(out, study.name, study.report) as hidden:
        tables = hidden / study.name
        tables.mkdir()
        if "results_dir" in study.parameters:
            settings = settings | {"results_dir": os.path.relpath(tables)}
        notebook = hidden / study.path.name
        errors = [_run(study, settings, notebook, terminal), _finish(notebook, tables)]
    error = next(filter(None, errors), None)
    return Outcome(time.perf_counter() - start, error and error.replace(str(hidden), str(out)))


def try_cells(study: Study, settings: dict[str, Any], *, terminal: str | None = None) -> str | None:
    """Execute all cells of a notebook, also after one that fails, for what its sweeps store; nothing else is left.

    Parameters
    ----------
    study : whose notebook is executed
    settings, terminal : as `execute` takes them

    Returns
    -------
    The error of the first cell that failed, or None.
    """
    with tempfile.TemporaryDirectory(prefix="label-studies-") as folder:
        if "results_dir" in study.parameters:
            settings = settings | {"results_dir": folder}
        return _run(study, settings, Path(folder, study.path.name), terminal, allow_errors=True)


def write_ledger(out: Path) -> tuple[pd.DataFrame, list[str]]:
    """Gather the claims of every study whose tables are under `out` in `claims.csv` there.

    What the guide shows are the claims of others.

    Returns
    -------
    claims : of all studies, and what is wrong with the files that cannot be read, whose claims are left out

    Raises
    ------
    OSError
        when the file cannot be written.
    """
    with swap.locked(out):
        frames, errors = [], []
        for study in (study for study in available() if study.number != GUIDE):
            try:
                frames += _claims(out / study.name / "claims.csv", study.number)
            except ValueError as error:
                errors.append(str(error))
        claims = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()
        if frames:
            results.write(out, {"claims": claims})
    return claims, errors


def silence() -> None:
    """Keep what the notebook machinery logs off the terminal; what matters of it is in the outcome."""
    for name in ("papermill", "traitlets", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _claims(file: Path, study: str) -> list[pd.DataFrame]:
    """The claims of a study, if there are any; ValueError where the file is damaged."""
    if not file.exists():
        return []
    try:
        claims = pd.read_csv(file)
        claims = claims.assign(**{name: pd.to_numeric(claims[name]) for name in ("measured", "low", "high")})
        claims[list(CLAIMS)]
    except (ValueError, TypeError, KeyError, OSError) as error:
        reason = " ".join(str(error).split())
        expected = f"expected claims with columns {', '.join(CLAIMS)}"
        raise ValueError(f"{file}: cannot be read ({reason}), {expected}; run study {study} again") from error
    claims.insert(0, "study", study)
    return [claims]


def _run(
    study: Study, settings: dict[str, Any], output: Path, terminal: str | None, *, allow_errors: bool = False
) -> str | None:
    """Execute the notebook; the error that stopped it, or None."""
    os.environ[PROGRESS] = terminal or ""
    try:
        papermill.execute_notebook(
            study.path,
            output,
            settings,
            progress_bar={"desc": study.name, "disable": False} if terminal else False,
            extra_arguments=["--log-level=CRITICAL"],
            allow_errors=allow_errors,
        )
    except PapermillExecutionError as error:
        return f"cell [{error.exec_count}] raised {error.ename}: {error.evalue}"
    except OSError as error:
        return f"{error.filename or output}: {error.strerror or error}"
    except RuntimeError as error:  # the kernel died, or did not come up
        return str(error)
    return None


def _finish(notebook: Path, tables: Path) -> str | None:
    """Name files in the executed notebook as they lie in the end, without this machine's folders; add the HTML.

    The error that stopped this is returned, as the tables are to be kept; a notebook that was cut short is not, and
    where it left no tables there is no report.
    """
    try:
        text = notebook.read_text(encoding="utf-8").replace(f"{notebook.parent.name}/", "")
        node = nbformat.reads(text, as_version=4)
    except (OSError, ValueError) as error:
        notebook.unlink(missing_ok=True)
        if not any(tables.iterdir()):
            tables.rmdir()  # nothing was made at all
        return f"{notebook}: was not written to its end ({' '.join(str(error).split())[:80]})"
    node.metadata.papermill.update(input_path=notebook.name, output_path=notebook.name)
    pages = {notebook: nbformat.writes(node) + "\n", notebook.with_suffix(".html"): html.page(node, notebook.stem)}
    for path, content in pages.items():
        try:
            with files.replacing(path) as file:
                file.write(content)
        except OSError as error:
            return f"{path}: {error.strerror}"
    return None
