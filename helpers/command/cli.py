"""The command line: label-studies run | fetch | list | claims | portrait."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    import pandas as pd

    from helpers.command.notebooks import Study

# The helpers behind each command are imported inside it: `label-studies --help` should not wait for them.

INTERRUPTED = 130


class Interruptible(click.Group):
    """Commands that end at Ctrl-C with the exit code which a shell expects."""

    def invoke(self, ctx: click.Context) -> None:
        """Invoke a command."""
        try:
            super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("\ninterrupted", err=True)
            ctx.exit(INTERRUPTED)


class Refused(click.ClickException):
    """What the user asked for cannot be done as it was asked."""

    exit_code = 2


class Failed(click.ClickException):
    """What the user asked for was begun and did not come to its end."""

    exit_code = 1


@contextlib.contextmanager
def refusing(kind: type[click.ClickException] = Refused) -> Iterator[None]:
    """Turn errors of bad input, or of a disk, into one line and the exit code of that kind."""
    try:
        yield
    except (ValueError, OSError) as error:
        raise kind(" ".join(str(error).splitlines())) from error


@click.group(cls=Interruptible, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="label-studies")
def main() -> None:
    """What is a relevance label worth? Published studies as notebooks that can be rerun, checked and extended."""


@main.command()
@click.argument("studies", nargs=-1, metavar="[STUDY]...")
@click.option("-p", "given", nargs=2, multiple=True, metavar="NAME VALUE", help="Set a parameter; may be repeated.")
@click.option("-f", "file", type=Path, metavar="PARAMS.YML", help="Set parameters from a YAML file; -p overrides it.")
@click.option("--out", type=Path, default="reports", show_default=True, metavar="DIR", help="Where results are left.")
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="Parallel runs in a study.  [default: one a core]"
)
def run(studies: tuple[str], given: tuple[tuple[str, str]], file: Path | None, out: Path, jobs: int | None) -> None:
    """Execute the notebooks of each STUDY, such as 04, or of all.

    Leaves each executed notebook, its HTML and a folder of its result tables in DIR, and the verdicts on all claims
    in claims.csv beside them. A parameter goes to every study that has it; `label-studies list` shows them all.
    """
    from helpers.command import notebooks as known
    from helpers.command import swap

    with refusing():
        known.check_not_hidden(Path.cwd())
        chosen = known.find(studies)
        values = _given(given, file)
        known.check_known(chosen, values)
        plan = {study: known.settings(study, values) for study in chosen}
        for study, settings in plan.items():
            known.check_data(study, settings)
        out.mkdir(parents=True, exist_ok=True)
        swap.tidy(out, {study.name: study.report for study in known.available()})
    with refusing(Failed):
        sys.exit(not _execute_all(plan, out, jobs))


@main.command("list")
def list_studies() -> None:
    """Show the studies and their parameters."""
    from helpers.command.notebooks import available
    from helpers.command.terminal import show

    for study in available():
        click.secho(f"{study.name}: {study.title}", bold=True)
        rows = [(parameter.name, repr(parameter.default), parameter.help) for parameter in study.parameters.values()]
        show(["parameter", "default", "meaning"], rows)


@main.command()
def claims() -> None:
    """Show all claims and the verdicts on them.

    These come from the stored study-scale results; `label-studies run` shows its own.
    """
    from helpers.engine import results
    from helpers.studies.claims import CLAIMS, ledger

    _show_claims(ledger())
    for note in results.waiting_notes(*CLAIMS):
        click.echo(note)


@main.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
def fetch(names: tuple[str]) -> None:
    """Get the data sets named, or show all.

    Without a NAME: which there are, where each comes from, its terms, and whether it is here.
    """
    from helpers.datasets import catalog

    if not names:
        for row in catalog.sources().itertuples():
            click.secho(f"{row.name}: {'here' if row.here else 'not here'}", bold=True)
            click.echo(f"  {row.title}\n  {row.source}\n  {row.terms}")
    for name in names:
        with refusing():
            click.echo(catalog.fetch(name))


@main.command()
@click.argument("dataset")
@click.option("--out", type=Path, required=True, metavar="FILE", help="Where the portrait is written.")
@click.option("--name", metavar="NAME", help="What to call it.  [default: the stem of FILE]")
def portrait(dataset: str, out: Path, name: str | None) -> None:
    """Measure a collection to draw ones like it.

    DATASET is a LETOR file, a folder of such files, or a name. Its portrait, a small file of statistics, can be shared
    where the collection cannot.
    """
    import numpy as np

    from helpers.datasets import catalog
    from helpers.datasets import portrait as portraits
    from helpers.datasets.collection import concatenate

    with refusing():
        portraits.check_place(out)
        collection = concatenate(catalog.splits(dataset, rng=np.random.default_rng(0)))
        click.echo(portraits.save(portraits.measure(collection, name or out.stem), out))


def _given(pairs: tuple[tuple[str, str]], file: Path | None) -> dict[str, Any]:
    """The values of a file, and over them those of the command line, each given once."""
    from helpers.command import parameters

    parameters.check_once(name for name, _ in pairs)
    return (parameters.read_file(file) if file else {}) | dict(pairs)


def _execute_all(plan: dict[Study, dict[str, Any]], out: Path, jobs: int | None) -> bool:
    """Execute the studies with their settings, show the claims, and return whether all went well."""
    from joblib import cpu_count

    from helpers.command import batch

    batch.silence()
    n_jobs = {"n_jobs": jobs or cpu_count()}
    succeeded = [
        _execute(study, (n_jobs if "n_jobs" in study.parameters else {}) | settings, out)
        for study, settings in plan.items()
    ]
    claims, errors = batch.write_ledger(out)
    _show_claims(claims)
    for error in errors:
        click.echo(f"Error: {error}", err=True)
    return all(succeeded) and not errors


def _execute(study: Study, settings: dict[str, Any], out: Path) -> bool:
    """Execute one study, tell the user how it goes, and return whether it succeeded."""
    from helpers.command import batch

    terminal = os.ttyname(sys.stderr.fileno()) if sys.stderr.isatty() else None
    if terminal is None:
        click.echo(f"{study.name}: running", err=True)
    outcome = batch.execute(study, settings, out, terminal=terminal)
    if outcome.error:
        click.echo(f"Error: {study.name}: {outcome.error}", err=True)
    _show_report(out / study.name / batch.REPORT)
    click.echo(f"{study.name}: {outcome.seconds:.0f} s, {out / study.name}.html", err=True)
    return outcome.error is None


def _show_report(file: Path) -> None:
    """Print what a study says in short, where it does, and where its files are."""
    if file.exists():
        click.echo(file.read_text(encoding="utf-8") + f"Files: {file.parent}")


def _show_claims(claims: pd.DataFrame) -> None:
    from helpers.command.terminal import show_ledger

    if not claims.empty:
        show_ledger(claims)
