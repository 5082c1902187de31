"""Executing notebooks: each into a folder with its HTML and its result tables, whole or not at all."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pandas as pd
import papermill
from nbconvert import HTMLExporter
from papermill.exceptions import PapermillExecutionError

from helpers import results
from helpers.studies import Study, available

PROGRESS = "LABEL_STUDIES_PROGRESS"
"""Environment variable: the terminal on which a sweep inside a notebook draws its bar."""


@dataclass(frozen=True)
class Outcome:
    """How the execution of a notebook ended: its seconds, and the error that stopped it, if any."""

    seconds: float
    error: str | None


def execute(study: Study, settings: dict[str, Any], out: Path, *, terminal: str | None = None) -> Outcome:
    """Execute a study's notebook and leave `<name>.ipynb`, `<name>.html` and result tables in `<name>/` under `out`.

    Everything is made in a hidden folder and moved at the end: an interrupted run leaves what was there before. A
    notebook that fails is kept, together with the tables that it wrote before it failed.

    Parameters
    ----------
    settings : parameter name -> value; `results_dir` is set where the notebook has it
    terminal : path of the terminal that the standard error is, on which bars show the progress of the notebook and of
        the sweeps in it; no bars where None
    """
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(dir=out, prefix=f".{study.name}-") as hidden:
        working = Path(hidden)
        tables = working / study.name
        tables.mkdir()
        if "results_dir" in study.parameters:
            settings = settings | {"results_dir": os.path.relpath(tables)}
        error = _run(study, settings, working / study.path.name, terminal)
        _finish(working / study.path.name)
        for made in working.iterdir():
            _replace(made, out / made.name)
    return Outcome(time.perf_counter() - start, error)


def write_ledger(out: Path) -> pd.DataFrame:
    """Gather the claims of every study whose tables are under `out` in `claims.csv` there, and return them."""
    files = {study.number: out / study.name / "claims.csv" for study in available()}
    frames = [pd.read_csv(file).assign(study=number) for number, file in files.items() if file.exists()]
    if not frames:
        return pd.DataFrame()
    claims = pd.concat(frames, ignore_index=True)
    claims.insert(0, "study", claims.pop("study"))
    results.write(out, {"claims": claims})
    return claims


def silence() -> None:
    """Keep what the notebook machinery logs off the terminal; what matters of it is in the outcome."""
    for name in ("papermill", "traitlets", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _run(study: Study, settings: dict[str, Any], output: Path, terminal: str | None) -> str | None:
    """Execute the notebook; the error that stopped it, or None."""
    os.environ[PROGRESS] = terminal or ""
    try:
        papermill.execute_notebook(
            study.path,
            output,
            settings,
            progress_bar={"desc": study.name, "disable": False} if terminal else False,
            extra_arguments=["--log-level=CRITICAL"],
        )
    except PapermillExecutionError as error:
        return f"cell [{error.exec_count}] raised {error.ename}: {error.evalue}"
    except RuntimeError as error:  # the kernel died, or did not come up
        return str(error)
    return None


def _finish(notebook: Path) -> None:
    """Name files in the executed notebook as they lie in the end, without this machine's folders; add the HTML."""
    text = notebook.read_text(encoding="utf-8").replace(f"{notebook.parent.name}/", "")
    node = nbformat.reads(text, as_version=4)
    node.metadata.papermill.update(input_path=notebook.name, output_path=notebook.name)
    nbformat.write(node, notebook)
    body, _ = HTMLExporter().from_notebook_node(node, {"metadata": {"name": notebook.stem}})
    notebook.with_suffix(".html").write_text(body, encoding="utf-8")


def _replace(made: Path, place: Path) -> None:
    if place.is_dir():
        shutil.rmtree(place)
    os.replace(made, place)
