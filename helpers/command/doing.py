"""What `run` and `batch` do after their input was looked at, and what they say of it on the terminal."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import nbformat
import pandas as pd

from helpers import files, paths
from helpers.command import classroom, executing, html, private, swap
from helpers.command.executing import Job, Outcome
from helpers.command.grids import Point
from helpers.command.notebooks import GUIDE, Study, available
from helpers.command.terminal import show_verdicts
from helpers.engine import results
from helpers.reporting.verdicts import in_words
from helpers.studies import in_short

# columns that every table of claims has
_CLAIMS = ("claim", "words", "measure", "value", "measured", "low", "high", "verdict", "rests_on")
_STAMP = "run.json"  # what is left beside the report of a run: what it was run with, and how it ended
_ELSEWHERE = ("command", "making")  # rooms of the package whose code no notebook runs
_BRIEF = "brief.html"  # the page for a manager, among the result tables of a study
_REPORT = "report.txt"  # what a study says in short, among its result tables, for those that do


def shares(plan: Mapping[Study, dict[str, Any]], jobs: int | None, share: str) -> bool:
    """Do a share, such as 3/16, of the trainings of each study, say how many, and return whether all went well."""
    executing.silence()
    succeeded, terminal = True, os.ttyname(sys.stderr.fileno()) if sys.stderr.isatty() else ""
    for study, settings in plan.items():
        click.echo(f"{study.name}: share {share}", err=True)
        job = Job(study, executing.with_workers(study, settings, jobs), Path(), study.name)
        error, told = executing.try_cells(job, terminal)
        if error and not told.sweeps:  # else the cells after the sweep, for which a share is too little
            click.echo(f"Error: {study.name}: {error}", err=True)
        failed = f", {told.failed} failed" if told.failed else ""
        click.echo(f"{study.name}: {told.done:,} of {told.trainings:,} trainings are done{failed}", err=True)
        succeeded &= not told.failed and bool(told.sweeps or not error)
    return succeeded


def studies(plan: Mapping[Study, dict[str, Any]], out: Path, jobs: int | None, brief: bool = False) -> bool:
    """Execute the studies with their settings, leave pages for a manager where these are asked for, show what was
    found, and return whether all went well."""
    todo = [Job(study, settings, out, study.name) for study, settings in plan.items()]
    succeeded = {job.study for job, outcome in executing.execute(todo, jobs).items() if not outcome.error}
    for study in (study for study in plan if brief and study in succeeded and study.is_brief):
        page = classroom.for_a_manager(nbformat.read(out / study.path.name, as_version=4), study.title)
        with swap.locked(out):
            html.write_page(out / study.name / _BRIEF, page)
        click.echo(f"For a manager: {(out / study.name / _BRIEF).absolute().as_uri()}", err=True)
    claims, damaged = gather(out)
    page, unknown = html.write_index(out, claims)
    for study in filter(succeeded.__contains__, plan):
        own = claims[claims["study"] == study.number] if len(claims) else claims
        if len(plan) == 1:
            _show_report(study, out / study.name)
            if not own.empty:
                show_verdicts(own, {study.number: study.title})
        else:
            click.echo(f"{study.number} {study.title} {in_words(own) if len(own) else ''}".rstrip())
    for error in [*damaged, *unknown]:
        click.echo(f"Error: {error}", err=True)
    click.echo(f"The answers, and all reports: {page.absolute().as_uri()}", err=True)
    return len(succeeded) == len(plan) and not damaged and not unknown


def gather(out: Path) -> tuple[pd.DataFrame, list[str]]:
    """Put the claims of every study whose tables are under `out`, but of the guide, into `claims.csv` there.

    Returns them, and what is wrong with the files that cannot be read, whose claims are left out.
    """
    with swap.locked(out):
        frames, errors = [], []
        for number, file in ((study.number, out / study.name / "claims.csv") for study in available()):
            try:
                if number != GUIDE and file.exists():
                    frames.append(_claims(file, number))
            except ValueError as error:
                errors.append(str(error))
        claims = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()
        if frames:
            results.write(out, {"claims": claims})
    return claims, errors


def _claims(file: Path, study: str) -> pd.DataFrame:
    """The claims of a study; ValueError where the file is damaged."""
    try:
        claims = pd.read_csv(file)
        claims = claims.assign(**{name: pd.to_numeric(claims[name]) for name in ("value", "measured", "low", "high")})
        claims[list(_CLAIMS)]
    except (ValueError, TypeError, KeyError, OSError) as error:
        reason = " ".join(str(error).split())
        expected = f"expected claims with columns {', '.join(_CLAIMS)}"
        raise ValueError(f"{file}: cannot be read ({reason}), {expected}; run study {study} again") from error
    claims = claims.drop(columns="study", errors="ignore")
    claims.insert(0, "study", study)
    return claims


def _show_report(study: Study, folder: Path) -> None:
    """Print what a study says in short, or else what its tables say, and where its files are."""
    file = folder / _REPORT
    said = file.read_text(encoding="utf-8").splitlines() if file.exists() else in_short.report(study.number, folder)
    if said:
        click.echo("\n".join([*said, f"Files: {folder}"]))


# --- a batch


def grid(points: Sequence[Point], out: Path, jobs: int | None) -> bool:
    """Execute those runs that are not done, gather what all of them left, and return whether none failed.

    A run is done that did not fail, as long as its notebook, the code, the data, its files and the libraries stay.
    """
    asked = _asked(points)
    stamps = {folder: _stamp(out / folder / _STAMP, run) for folder, run in asked.items()}
    due = []
    for point in points:
        if stamps[point.folder].get("error", "not run") is not None:
            said = ", ".join(f"{name} {value}" for name, value in point.columns.items())
            due.append(Job(point.study, point.settings, out / point.folder, f"{point.study.name} {said}".rstrip()))

    def stamp(job: Job, outcome: Outcome) -> None:
        error, folder = outcome.error and private.error(outcome.error, job.settings), job.out.relative_to(out)
        stamps[folder] = {"run": asked[folder], "seconds": round(outcome.seconds, 1), "error": error}
        with files.replacing(job.out / _STAMP) as file:
            file.write(json.dumps(stamps[folder], indent=1) + "\n")

    click.echo(f"{len(points):,} runs, of which {len(points) - len(due):,} are done already", err=True)
    if due:
        executing.execute(due, jobs, "runs", stamp)
    runs = _collect(points, stamps, out)
    failed = runs[runs["state"] != "done"]
    click.echo(f"{len(runs) - len(failed):,} of {len(runs):,} runs are done: {out / 'runs.csv'}", err=True)
    for run in failed.itertuples():
        click.echo(f"Error: {run.folder}: {run.error}", err=True)
    return failed.empty


def _asked(points: Iterable[Point]) -> dict[Path, dict[str, Any]]:
    """Folder of a run -> what it depends on."""
    package = paths.package()
    code = [file for file in _files(package, "*.py") if file.relative_to(package).parts[0] not in _ELSEWHERE]
    made_by = {"project": _digest([*code, *_files(paths.project("data"))])}
    made_by |= {name: importlib.metadata.version(name) for name in results.LIBRARIES}
    notebooks = {study: _digest([study.path]) for study in {point.study for point in points}}
    asked = {}
    for point in points:
        texts = [part for text in private.said(point.settings) for part in (text, *text.split(","))]
        named = [path for path in map(Path, texts) if path.is_absolute() and path.exists()]
        stats = {str(file): file.stat() for path in named for file in _files(path)}
        written = {file: [stat.st_size, stat.st_mtime_ns] for file, stat in stats.items()}
        read = json.dumps([point.settings, written], sort_keys=True)
        asked[point.folder] = {
            "parameters": private.told(point.settings),
            "notebook": notebooks[point.study],
            "made by": made_by,
            "files": hashlib.sha256(read.encode()).hexdigest(),
        }
    return asked


def _stamp(file: Path, run: dict[str, Any]) -> dict[str, Any]:
    """What was kept of a run; empty where there was none, or another one."""
    if not file.exists():
        return {}
    try:
        stamp = json.loads(file.read_text(encoding="utf-8"))
        return {name: stamp[name] for name in ("run", "seconds", "error")} if stamp["run"] == run else {}
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{file}: damaged, expected what a run was made with; remove it") from error


def _collect(points: Sequence[Point], stamps: Mapping[Path, dict[str, Any]], out: Path) -> pd.DataFrame:
    """Write the tables of all runs, with the parameters as columns, and a page that leads to every report.

    `runs.csv` says of every run how it ended, `verdicts.csv` has the claims of all that are done; every other result
    table stands in the folder of its study.
    """
    rows, left = [], {}
    for point in points:
        stamp = stamps[point.folder]
        state = "not run" if not stamp else "failed" if stamp["error"] else "done"
        ended = {"state": state, "seconds": stamp.get("seconds"), "error": stamp.get("error")}
        rows.append(_beside(point, ended) | ended | {"folder": point.folder.as_posix()})
        if state == "done":
            tables = sorted((out / point.folder / point.study.name).glob("*.csv"))
            left[point.folder] = {file.stem: _with_parameters(point, results.read(file)) for file in tables}
    claims = {folder: tables.pop("claims") for folder, tables in left.items() if "claims" in tables}
    for study in dict.fromkeys(point.study for point in points):
        mine = [left[point.folder] for point in points if point.study == study and point.folder in left]
        names = dict.fromkeys(name for tables in mine for name in tables)
        if mine:
            of_all = {name: [tables[name] for tables in mine if name in tables] for name in names}
            results.write(out / study.name, {name: pd.concat(each, ignore_index=True) for name, each in of_all.items()})
    runs = pd.DataFrame(rows)
    verdicts = {"verdicts": pd.concat(claims.values(), ignore_index=True)} if claims else {}
    results.write(out, {"runs": runs} | verdicts)
    words = [in_words(claims[point.folder]) if point.folder in claims else "" for point in points]
    _write_pages(points, runs.assign(verdicts=words), out)
    return runs


def _with_parameters(point: Point, table: pd.DataFrame) -> pd.DataFrame:
    """A table of a run with its study and parameters in front."""
    table = table.drop(columns="study", errors="ignore")
    said = {name: [value] * len(table) for name, value in _beside(point, table).items()}
    return pd.concat([pd.DataFrame(said, index=table.index), table], axis=1)


def _beside(point: Point, taken: Iterable[str]) -> dict[str, Any]:
    """Study and parameters of a run as columns; one whose name a table has already is called parameter_<name>."""
    taken = {"study", *taken}
    told = {f"parameter_{name}" if name in taken else name: value for name, value in point.columns.items()}
    return {"study": point.study.number} | told


def _write_pages(points: Sequence[Point], runs: pd.DataFrame, out: Path) -> None:
    """A page with the verdicts of every run, which leads to reports and tables, and from each report back to it."""
    places = []
    for point, state in zip(points, runs["state"], strict=True):
        report = point.folder / (point.study.report if state == "done" else point.study.failed)[1]
        places.append(report.as_posix() if (out / report).exists() else "")
    shown = runs.drop(columns="folder").astype(object)
    rows = shown.where(shown.notna(), "").astype(str).to_numpy().tolist()
    tables = sorted(file.relative_to(out) for file in [*out.glob("*.csv"), *out.glob("*/*.csv")])
    body = html.parts().grid([*shown, "report"], rows, places, tables)
    html.write_page(out / html.INDEX, html.linked(html.framed("Runs", body), "", {}))
    for report in filter(None, places):
        page = (out / report).read_text(encoding="utf-8")
        html.write_page(out / report, html.linked(page, "", {}, up="../../"))


def _files(place: Path, pattern: str = "*") -> list[Path]:
    """The file itself, or the files of a folder and all folders in it, in order."""
    return [place] if place.is_file() else sorted(path for path in place.rglob(pattern) if path.is_file())


def _digest(paths: Iterable[Path]) -> str:
    """What tells the contents of files apart from others."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
