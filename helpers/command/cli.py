"""The command line: label-studies run, batch, fetch, list, claims, collection, portrait, judgments, plan and class."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from helpers.command import completion, judging
from helpers.command.refusing import FOLDER, PLACE, Command, Failed, refusing

if TYPE_CHECKING:
    from helpers.command.notebooks import Study

# The helpers behind each command are imported inside it: `label-studies --help` should not wait for them.

_studies_argument = click.argument("studies", nargs=-1, metavar="[STUDY]...", shell_complete=completion.studies)


def _executing(out: str) -> Callable[[Callable], Callable]:
    """Give a command the options of those that execute notebooks: where they leave what, and who trains."""
    return judging.taking(
        click.option(
            "--out", type=FOLDER, default=out, show_default=True, metavar="DIR", help="Where results are left."
        ),
        click.option(
            "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes at work.  [default: one a core]"
        ),
        click.option(
            "--cluster", metavar="ADDRESS", help="Train on a dask cluster: tcp://HOST:8786, or local:4 for one here."
        ),
        click.option(
            "--shared", type=FOLDER, metavar="DIR", help="Folder that all workers see; data is sent without it."
        ),
    )


@click.group(cls=Command, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="label-studies")
def main() -> None:
    """What is a relevance label worth? Published studies as notebooks that can be rerun, checked and extended."""


main.add_command(judging.judgments)
main.add_command(judging.plan)


@main.command(cls=completion.Remembering)
@_studies_argument
@click.option(
    "-p",
    "given",
    nargs=2,
    multiple=True,
    metavar="NAME VALUE",
    help="Set a parameter; may be repeated.",
    shell_complete=completion.parameter,
)
@click.option("-f", "file", type=PLACE, metavar="PARAMS.YML", help="Set parameters from a YAML file; -p overrides it.")
@_executing("reports")
@click.option("--share", metavar="N/M", help="Do one of so many shares of all trainings, such as 3/16, and no report.")
@click.option("--brief", is_flag=True, help="Leave a page for a manager as well: brief.html of study 06.")
def run(
    studies: tuple[str],
    given: tuple[tuple[str, str]],
    file: Path | None,
    out: Path,
    jobs: int | None,
    cluster: str | None,
    shared: Path | None,
    share: str | None,
    brief: bool,
) -> None:
    """Execute the notebooks of each STUDY, such as 04, or of all and the guide.

    An appendix, such as 01a, is executed where it is named. Leaves each executed notebook, its HTML and a folder of its
    result tables in DIR, the verdicts on all claims in claims.csv, and index.html, which leads to all of it. A
    parameter goes to every study that has it; `label-studies list` shows them all.
    """
    with contextlib.ExitStack() as stack:
        with refusing():
            plan = _planned(studies, given, file)
            if brief:
                _check_brief(plan, share)
            _prepare(stack, cluster, shared, share, [] if share else [out])
        from helpers.command import doing

        with refusing(Failed):
            sys.exit(not (doing.shares(plan, jobs, share) if share else doing.studies(plan, out, jobs, brief)))


@main.command()
@click.argument("grid", type=PLACE, metavar="GRID.YML")
@_executing("batch")
def batch(grid: Path, out: Path, jobs: int | None, cluster: str | None, shared: Path | None) -> None:
    """Execute studies at every combination of values.

    GRID.YML has lines such as `studies: [02, 05]` and `seed: [1, 2, 3]`; of a parameter that is itself a list, it
    lists lists. Leaves a folder for every run in DIR, and tables of all of them with the parameters as columns. The
    same command goes on where it was stopped, and tries again what failed.
    """
    from helpers.command import grids, notebooks

    with contextlib.ExitStack() as stack:
        with refusing():
            notebooks.check_not_hidden(Path.cwd())
            points = grids.read(grid)
            _prepare(stack, cluster, shared, None, [out / point.folder for point in points])
        from helpers.command import doing

        with refusing(Failed):
            sys.exit(not doing.grid(points, out, jobs))


@main.command("list")
@_studies_argument
def list_studies(studies: tuple[str]) -> None:
    """Show the studies and their parameters.

    Of each STUDY that is named also how many trainings it is at each scale, with its default parameters, and the core
    hours that they take by the times of those that were done here.
    """
    from helpers.command.notebooks import find
    from helpers.command.terminal import show

    if studies:
        from helpers.command import times
    with refusing():
        for study in find(studies):
            click.secho(f"{study.name}: {study.title}", bold=True)
            given = study.parameters.values()
            show(["parameter", "default", "meaning"], [(each.name, repr(each.default), each.help) for each in given])
            if studies and (rows := times.trainings(study)):
                texts = [(scale, f"{n:,}", "not timed here yet" if t is None else f"{t:.2f}") for scale, n, t in rows]
                show(["scale", "trainings", "core hours"], texts)
            elif studies:
                click.echo("  trains nothing in sweeps")


@main.command()
@_studies_argument
def claims(studies: tuple[str]) -> None:
    """Show the verdict on every claim, or on those of each STUDY, such as 04, with the collections that they rest on.

    These come from the stored study-scale results; `label-studies run` shows its own.
    """
    import pandas as pd

    from helpers.command.notebooks import find
    from helpers.command.terminal import show_verdicts
    from helpers.engine import results
    from helpers.studies import ledger

    with refusing():
        titles = {study.number: study.title for study in find(studies) if study.number in ledger.NUMBERS}
        if not titles:
            raise ValueError(
                f"no claims of a paper in {', '.join(studies)}, expected one of {', '.join(ledger.NUMBERS)}"
            )
        judged, effects, damaged = ledger.stored(*titles), [], []
        for number in titles if studies else ():
            try:
                effects.append(ledger.effects(number))
            except ValueError as error:
                damaged.append(str(error))
        show_verdicts(judged, titles, pd.concat(effects) if effects else None)
        for note in results.waiting_notes(*titles):
            click.echo(note)
    if damaged:
        raise Failed("\nError: ".join(damaged))


@main.command()
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=completion.data_sets)
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
@click.argument("qrels", type=PLACE)
@click.argument("runs", nargs=-1, required=True, type=PLACE, metavar="RUN...")
@click.option(
    "--out", type=PLACE, required=True, metavar="FILE", help="Where the collection is written, as LETOR text."
)
@click.option("--pairs", default="retrieved", show_default=True, help="retrieved: judged pairs of a run; judged: all.")
@click.option("--negative", default="drop", show_default=True, help="drop or refuse pairs with a grade below 0.")
def collection(qrels: Path, runs: tuple[Path], out: Path, pairs: str, negative: str) -> None:
    """Make a collection of QRELS and runs.

    Of each RUN a document has three features: score, reciprocal rank, and whether it was retrieved. Their names are
    left beside FILE, one a line, in FILE.names.
    """
    from helpers import files
    from helpers.datasets import letor
    from helpers.datasets import runs as joined

    with refusing():
        made, notes = joined.read_noted(qrels, runs, pairs=pairs, negative=negative)
        letor.write(made, out)
        with files.replacing(f"{out}.names") as file:
            file.writelines(f"{name}\n" for name in made.feature_names)
    for note in notes:
        click.echo(note, err=True)
    click.echo(out)


@main.command()
@click.argument("dataset", shell_complete=completion.data_sets)
@click.option("--out", type=PLACE, required=True, metavar="FILE", help="Where the portrait is written.")
@click.option("--name", metavar="NAME", help="What to call it.  [default: the stem of FILE]")
def portrait(dataset: str, out: Path, name: str | None) -> None:
    """Measure a collection to draw ones like it.

    DATASET is a LETOR file, a folder of such files or of qrels and runs, a list QRELS,RUNS/, or a name. Its portrait,
    a small file of statistics, can be shared where the collection cannot.
    """
    import numpy as np

    from helpers.datasets import catalog
    from helpers.datasets import portrait as portraits
    from helpers.datasets.collection import concatenate
    from helpers.judging import judged

    with refusing():
        portraits.check_place(out)
        catalog.check_one_assessor(dataset, "a portrait")
        collection = concatenate(judged.splits(dataset, rng=np.random.default_rng(0)))
        click.echo(portraits.save(portraits.measure(collection, name or out.stem), out))


@main.command("class")
@click.option("--out", type=FOLDER, required=True, metavar="DIR", help="A folder that is new or empty.")
def class_edition(out: Path) -> None:
    """Make what a class needs of the notebooks.

    Leaves in DIR the notebooks without their solutions, of two what fits an hour, with solutions, slides, and a page
    for the teacher.
    """
    from helpers.command import classroom

    with refusing():
        classroom.check_place(out)
    with refusing(Failed):
        click.echo(classroom.write(out))


def _planned(studies: tuple[str], pairs: tuple[tuple[str, str]], file: Path | None) -> dict[Study, dict[str, Any]]:
    """The studies named, with the settings of each, the line's over the file's, after their data was looked at."""
    from helpers.command import notebooks, rules

    notebooks.check_once(name for name, _ in pairs)
    for name, value in pairs:
        if name in rules.PLACES and not value:
            raise ValueError(f"-p {name} is empty, expected a path; left out, the notebook takes its own data")
    values = (notebooks.read_file(file) if file else {}) | dict(pairs)
    notebooks.check_not_hidden(Path.cwd())
    chosen = notebooks.to_run(studies)
    notebooks.check_known(chosen, values)
    plan = {study: notebooks.settings(study, values) for study in chosen}
    for study, settings in plan.items():
        rules.check_data(study, settings)
    return plan


def _check_brief(plan: Iterable[Study], share: str | None) -> None:
    """Raise ValueError where no page for a manager would be left."""
    from helpers.command.notebooks import available

    if share:
        raise ValueError("--brief with --share, which leaves no report: expected one of them")
    if not any(study.is_brief for study in plan):
        expected = ", ".join(study.number for study in available() if study.is_brief)
        those = ", ".join(study.number for study in plan)
        raise ValueError(f"--brief, but no study of {those} has a page for a manager, expected {expected}")


def _prepare(
    stack: contextlib.ExitStack, cluster: str | None, shared: Path | None, share: str | None, folders: Iterable[Path]
) -> None:
    """Until the stack is left, have the trainings done where the user wants them, and leave nothing elsewhere than in
    the folders, which are made."""
    from helpers import files
    from helpers.command import placing, swap
    from helpers.command.notebooks import available
    from helpers.engine import backends

    stack.enter_context(swap.temporary())
    if share:
        backends.read_share(share)
        stack.enter_context(backends.environment({backends.SHARE: share}))
    stack.enter_context(placing.on_cluster(cluster, shared))
    reports = {study.failed[-1]: study.failed for study in available()}
    reports |= {study.name: [*study.report, *study.failed] for study in available()}
    for folder in folders:
        files.check_links(folder)
        folder.mkdir(parents=True, exist_ok=True)
        swap.tidy(folder, reports)
