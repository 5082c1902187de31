"""What `run` and `batch` do after their input was looked at, and what they say of it on the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from helpers.command import collecting, index, ledger, placing, running
from helpers.command.jobs import Job
from helpers.command.notebooks import Study, available
from helpers.command.terminal import show_verdicts
from helpers.reporting.verdicts import in_words
from helpers.studies import in_short

if TYPE_CHECKING:
    import pandas as pd

    from helpers.command.grids import Point


def shares(plan: Mapping[Study, dict[str, Any]], jobs: int | None, share: str) -> bool:
    """Do a share of the trainings of each study, say how many, and return whether all went well.

    Parameters
    ----------
    plan : study -> its settings
    jobs : workers in a sweep, one a core where None
    share : which one of how many, such as 3/16, as the environment says it too
    """
    from helpers.command import batch

    batch.silence()
    succeeded = True
    for study, settings in plan.items():
        click.echo(f"{study.name}: share {share}", err=True)
        with placing.listening() as heard:
            error = batch.try_cells(study, running.with_workers(study, settings, jobs), bar=_terminal())
        [told] = heard
        if error and not told.sweeps:  # else the cells after the sweep, for which a share is too little
            click.echo(f"Error: {study.name}: {error}", err=True)
        failed = f", {told.failed} failed" if told.failed else ""
        click.echo(f"{study.name}: {told.done:,} of {told.trainings:,} trainings are done{failed}", err=True)
        succeeded &= not told.failed and bool(told.sweeps or not error)
    return succeeded


def studies(plan: Mapping[Study, dict[str, Any]], out: Path, jobs: int | None) -> bool:
    """Execute the studies with their settings, show what they found, and return whether all went well.

    Parameters
    ----------
    plan : study -> its settings
    out : folder of reports, which is there
    jobs : processes at work, one a core where None

    Raises
    ------
    OSError
        when the folder cannot be written.
    ValueError
        when what an earlier run left there is damaged.
    """
    todo = [Job(study, settings, out, study.name) for study, settings in plan.items()]
    succeeded = {done.job.study for done in running.execute(todo, jobs) if not done.outcome.error}
    claims, damaged = ledger.write(out)
    page, unknown = index.write(out, claims)
    for study in filter(succeeded.__contains__, plan):
        own = claims[claims["study"] == study.number] if len(claims) else claims
        if len(plan) == 1:
            _show_report(out / study.name / ledger.REPORT)
            show_claims(own)
        else:
            click.echo(f"{study.number} {study.title} {in_words(own) if len(own) else ''}".rstrip())
    click.echo(f"All reports: {page}", err=True)
    for error in [*damaged, *unknown]:
        click.echo(f"Error: {error}", err=True)
    return len(succeeded) == len(plan) and not damaged and not unknown


def grid(points: Sequence[Point], out: Path, jobs: int | None) -> bool:
    """Execute those runs that are not done, gather what all of them left, and return whether none failed.

    Parameters
    ----------
    points : all runs
    out : folder of the batch, in which each run's is there
    jobs : processes at work, one a core where None

    Raises
    ------
    OSError
        when the folder cannot be written.
    ValueError
        when what an earlier run left there is damaged.
    """
    batch = collecting.Batch(points, out)
    due = batch.due()
    click.echo(f"{len(points):,} runs, of which {len(points) - len(due):,} are done already", err=True)
    for done in running.execute(due, jobs, "runs") if due else ():
        batch.stamp(done)
    runs = batch.collect()
    failed = runs[runs["state"] != "done"]
    click.echo(f"{len(runs) - len(failed):,} of {len(runs):,} runs are done: {out / 'runs.csv'}", err=True)
    for run in failed.itertuples():
        click.echo(f"Error: {run.folder}: {run.error}", err=True)
    return failed.empty


def show_claims(claims: pd.DataFrame) -> None:
    """Show claims and the verdicts on them, if there are any, under the questions of their studies.

    Parameters
    ----------
    claims : as `terminal.show_verdicts` takes them
    """
    if not claims.empty:
        show_verdicts(claims, {study.number: study.title for study in available()})


def _terminal() -> str | None:
    """The path of the terminal that the standard error is, if it is one."""
    return os.ttyname(sys.stderr.fileno()) if sys.stderr.isatty() else None


def _show_report(file: Path) -> None:
    """Print what a study says in short, or else what its tables say, and where its files are."""
    folder = file.parent
    study = folder.name.partition("_")[0]
    said = file.read_text(encoding="utf-8").splitlines() if file.exists() else in_short.report(study, folder)
    if said:
        click.echo("\n".join([*said, f"Files: {folder}"]))
