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
from helpers.command.executing import Done, Job
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
    succeeded = True
    for study, settings in plan.items():
        click.echo(f"{study.name}: share {share}", err=True)
        error, told = executing.try_cells(study, executing.with_workers(study, settings, jobs), _terminal())
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
    succeeded = {done.job.study for done in executing.execute(todo, jobs) if not done.outcome.error}
    if brief:
        for study in (study for study in plan if study in succeeded and study.is_brief):
            click.echo(f"For a manager: {_write_brief(study, out).absolute().as_uri()}", err=True)
    claims, damaged = gather(out)
    page, unknown = html.write_index(out, claims)
    for study in filter(succeeded.__contains__, plan):
        own = claims[claims["study"] == study.number] if len(claims) else claims
        if len(plan) == 1:
            _show_report(out / study.name / _REPORT)
            if not own.empty:
                show_verdicts(own, {study.number: study.title for study in available()})
        else:
            click.echo(f"{study.number} {study.title} {in_words(own) if len(own) else ''}".rstrip())
    for error in [*damaged, *unknown]:
        click.echo(f"Error: {error}", err=True)
    click.echo(f"The answers, and all reports: {page.absolute().as_uri()}", err=True)
    return len(succeeded) == len(plan) and not damaged and not unknown


def grid(points: Sequence[Point], out: Path, jobs: int | None) -> bool:
    """Execute those runs that are not done, gather what all of them left, and return whether none failed."""
    batch = Batch(points, out)
    due = batch.due()
    click.echo(f"{len(points):,} runs, of which {len(points) - len(due):,} are done already", err=True)
    if due:
        executing.execute(due, jobs, "runs", batch.stamp)
    runs = batch.collect()
    failed = runs[runs["state"] != "done"]
    click.echo(f"{len(runs) - len(failed):,} of {len(runs):,} runs are done: {out / 'runs.csv'}", err=True)
    for run in failed.itertuples():
        click.echo(f"Error: {run.folder}: {run.error}", err=True)
    return failed.empty


def gather(out: Path) -> tuple[pd.DataFrame, list[str]]:
    """Put the claims of every study whose tables are under `out`, but of the guide, into `claims.csv` there.

    Returns them, and what is wrong with the files that cannot be read, whose claims are left out.
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


def _claims(file: Path, study: str) -> list[pd.DataFrame]:
    """The claims of a study, if there are any; ValueError where the file is damaged."""
    if not file.exists():
        return []
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
    return [claims]


def _write_brief(study: Study, out: Path) -> Path:
    """Cut the page for a manager from an executed notebook, into the folder of its result tables."""
    file = out / study.name / _BRIEF
    with swap.locked(out):
        html.write_page(file, classroom.for_a_manager(nbformat.read(out / study.path.name, as_version=4), study.title))
    return file


def _terminal() -> str:
    """The path of the terminal that the standard error is; empty where it is none."""
    return os.ttyname(sys.stderr.fileno()) if sys.stderr.isatty() else ""


def _show_report(file: Path) -> None:
    """Print what a study says in short, or else what its tables say, and where its files are."""
    folder = file.parent
    study = folder.name.partition("_")[0]
    said = file.read_text(encoding="utf-8").splitlines() if file.exists() else in_short.report(study, folder)
    if said:
        click.echo("\n".join([*said, f"Files: {folder}"]))


class Batch:
    """A folder with a folder for each run of a grid."""

    def __init__(self, points: Sequence[Point], out: Path):
        self.points, self.out = points, out
        self._made_by = {"project": _digest([*_code(), *_files(paths.project("data"))])}
        self._made_by |= {name: importlib.metadata.version(name) for name in results.LIBRARIES}
        self._notebooks = {
            study.name: _digest([study.path]) for study in dict.fromkeys(point.study for point in points)
        }

    def due(self) -> list[Job]:
        """The runs that were not done, failed, or were made with another notebook, code, data or libraries."""
        return [self._job(point) for point in self.points if self._state(point) != "done"]

    def stamp(self, done: Done) -> None:
        """Keep how a run ended beside what it left."""
        [point] = [point for point in self.points if self.out / point.folder == done.job.out]
        error = done.outcome.error and private.error(done.outcome.error, point.settings)
        stamp = {"run": self._identity(point), "seconds": round(done.outcome.seconds, 1), "error": error}
        with files.replacing(done.job.out / _STAMP) as file:
            file.write(json.dumps(stamp, indent=1) + "\n")

    def collect(self) -> pd.DataFrame:
        """Write the tables of all runs, with the parameters as columns, and a page that leads to every report.

        `runs.csv` says of every run how it ended, `verdicts.csv` has the claims of all that are done; every other
        result table stands in the folder of its study.
        """
        runs = pd.DataFrame([self._row(point) for point in self.points])
        done = [point for point in self.points if self._state(point) == "done"]
        for study in dict.fromkeys(point.study for point in done):
            tables = _joined([point for point in done if point.study == study], self.out)
            results.write(self.out / study.name, {name: table for name, table in tables.items() if name != "claims"})
        verdicts = _joined(done, self.out, ["claims"]).get("claims")
        results.write(self.out, {"runs": runs} | ({} if verdicts is None else {"verdicts": verdicts}))
        self._write_pages(runs)
        return runs

    def _job(self, point: Point) -> Job:
        said = ", ".join(f"{name} {value}" for name, value in point.columns.items())
        return Job(point.study, point.settings, self.out / point.folder, f"{point.study.name} {said}".rstrip())

    def _identity(self, point: Point) -> dict[str, Any]:
        """What a run depends on: it is done as long as all of this stays the same."""
        named = [path for path in map(Path, _texts(point.settings)) if path.is_absolute() and path.exists()]
        files = {str(file): _written(file) for path in named for file in _files(path)}
        read = json.dumps([point.settings, files], sort_keys=True)
        return {
            "parameters": private.told(point.settings),
            "notebook": self._notebooks[point.study.name],
            "made by": self._made_by,
            "files": hashlib.sha256(read.encode()).hexdigest(),
        }

    def _stamp(self, point: Point) -> dict[str, Any]:
        """What was kept of the run that this point asks for; empty where there was none, or another one."""
        file = self.out / point.folder / _STAMP
        if not file.exists():
            return {}
        try:
            stamp = json.loads(file.read_text(encoding="utf-8"))
            return stamp if stamp["run"] == self._identity(point) else {}
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{file}: damaged, expected what a run was made with; remove it") from error

    def _state(self, point: Point) -> str:
        stamp = self._stamp(point)
        return "not run" if not stamp else "failed" if stamp["error"] else "done"

    def _row(self, point: Point) -> dict[str, Any]:
        stamp = self._stamp(point)
        ended = {"state": self._state(point), "seconds": stamp.get("seconds"), "error": stamp.get("error")}
        return {"study": point.study.number} | _beside(point, ended) | ended | {"folder": point.folder.as_posix()}

    def _write_pages(self, runs: pd.DataFrame) -> None:
        """A page with the verdicts of every run, which leads to reports and tables, and from each report back to it."""
        parts = [point.study.report if self._state(point) == "done" else point.study.failed for point in self.points]
        reports = [point.folder / page for point, (_, page, _) in zip(self.points, parts, strict=True)]
        places = [report.as_posix() if (self.out / report).exists() else "" for report in reports]
        shown = runs.drop(columns="folder").assign(verdicts=[self._verdicts(point) for point in self.points])
        rows = [list(map(_text, row)) for row in shown.astype(object).to_numpy().tolist()]
        tables = sorted(file.relative_to(self.out) for file in [*self.out.glob("*.csv"), *self.out.glob("*/*.csv")])
        body = html.parts().grid([*shown.columns, "report"], rows, places, tables)
        html.write_page(self.out / html.INDEX, html.linked(html.framed("Runs", body), "", {}))
        for report in filter(None, places):
            page = (self.out / report).read_text(encoding="utf-8")
            html.write_page(self.out / report, html.linked(page, "", {}, up="../../"))

    def _verdicts(self, point: Point) -> str:
        """Which claims came out how in a run that is done."""
        found = _joined([point], self.out, ["claims"]).get("claims") if self._state(point) == "done" else None
        return "" if found is None else in_words(found)


def _joined(points: Iterable[Point], out: Path, names: Sequence[str] = ()) -> dict[str, pd.DataFrame]:
    """Table name -> the rows of all runs, the parameters in front; of these names, or all that there are."""
    found: dict[str, list[pd.DataFrame]] = {}
    for point in points:
        for file in sorted((out / point.folder / point.study.name).glob("*.csv")):
            if not names or file.stem in names:
                table = results.read(file).drop(columns="study", errors="ignore")
                said = {"study": point.study.number} | _beside(point, table)
                fresh = pd.DataFrame({name: [value] * len(table) for name, value in said.items()}, index=table.index)
                found.setdefault(file.stem, []).append(pd.concat([fresh, table], axis=1))
    return {name: pd.concat(tables, ignore_index=True) for name, tables in found.items()}


def _beside(point: Point, taken: Iterable[str]) -> dict[str, Any]:
    """The parameters of a run as columns; one whose name a table has already is called parameter_<name>."""
    taken = {"study", *taken}
    return {f"parameter_{name}" if name in taken else name: value for name, value in point.columns.items()}


def _texts(settings: Mapping[str, Any]) -> list[str]:
    """Every text among the values, also of lists and of files separated by commas."""
    values = [each for value in settings.values() for each in (value if isinstance(value, list) else [value])]
    return [part for value in values if isinstance(value, str) for part in dict.fromkeys([value, *value.split(",")])]


def _written(file: Path) -> list[int]:
    """How large a file is, and when it was written."""
    return [file.stat().st_size, file.stat().st_mtime_ns]


def _text(value: Any) -> str:
    return "" if value is None or value != value else str(value)


def _code() -> list[Path]:
    package = paths.package()
    return [file for file in _files(package, "*.py") if file.relative_to(package).parts[0] not in _ELSEWHERE]


def _files(place: Path, pattern: str = "*") -> list[Path]:
    """The file itself, or the files of a folder and all folders in it, in order."""
    return [place] if place.is_file() else sorted(path for path in place.rglob(pattern) if path.is_file())


def _digest(paths: Iterable[Path]) -> str:
    """What tells the contents of files apart from others."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
