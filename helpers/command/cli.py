"""The command line: label-studies run | batch | fetch | list | claims | collection | portrait | judgments | class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from helpers.command import completion, executing
from helpers.command.refusing import PLACE, Command, Failed, refusing

if TYPE_CHECKING:
    from pathlib import Path

    from helpers.command.notebooks import Study

# The helpers behind each command are imported inside it: `label-studies --help` should not wait for them.


@click.group(cls=Command, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="label-studies")
def main() -> None:
    """What is a relevance label worth? Published studies as notebooks that can be rerun, checked and extended."""


main.add_command(executing.run)
main.add_command(executing.batch)


@main.command("list")
@click.argument("studies", nargs=-1, metavar="[STUDY]...", shell_complete=completion.studies)
def list_studies(studies: tuple[str]) -> None:
    """Show the studies and their parameters.

    Of each STUDY that is named also how many trainings it is at each scale, with its default parameters, and the core
    hours that they take by the times of those that were done here.
    """
    from helpers.command.notebooks import find
    from helpers.command.terminal import show

    with refusing():
        for study in find(studies):
            click.secho(f"{study.name}: {study.title}", bold=True)
            given = study.parameters.values()
            show(["parameter", "default", "meaning"], [(each.name, repr(each.default), each.help) for each in given])
            if studies:
                _show_sizes(study)


@main.command()
@click.argument("studies", nargs=-1, metavar="[STUDY]...", shell_complete=completion.studies)
def claims(studies: tuple[str]) -> None:
    """Show the verdict on every claim, or on those of each STUDY, such as 04, with the collections that they rest on.

    These come from the stored study-scale results; `label-studies run` shows its own.
    """
    import pandas as pd

    from helpers.command.notebooks import available
    from helpers.command.terminal import show_verdicts
    from helpers.engine import results
    from helpers.studies import ledger

    with refusing():
        numbers = _judged_studies(studies)
        titles = {study.number: study.title for study in available()}
        judged, effects, damaged = ledger.stored(*numbers), [], []
        for number in numbers if studies else ():
            try:
                effects.append(ledger.effects(number))
            except ValueError as error:
                damaged.append(str(error))
        show_verdicts(judged, titles, pd.concat(effects) if effects else None)
        for note in results.waiting_notes(*numbers):
            click.echo(note)
    if damaged:
        raise Failed("\nError: ".join(damaged))


def _judged_studies(names: tuple[str]) -> list[str]:
    from helpers.command.notebooks import find
    from helpers.studies.ledger import NUMBERS

    if not names:
        return list(NUMBERS)
    numbers = [study.number for study in find(names) if study.number in NUMBERS]
    if not numbers:
        raise ValueError(f"no claims of a paper in {', '.join(names)}, expected one of {', '.join(NUMBERS)}")
    return numbers


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
@click.argument("qrels", type=PLACE, shell_complete=completion.files)
@click.argument("runs", nargs=-1, required=True, type=PLACE, metavar="RUN...", shell_complete=completion.files)
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
@click.argument("dataset", shell_complete=completion.data_sets_and_files)
@click.option("--out", type=PLACE, required=True, metavar="FILE", help="Where the portrait is written.")
@click.option("--name", metavar="NAME", help="What to call it.  [default: the stem of FILE]")
def portrait(dataset: str, out: Path, name: str | None) -> None:
    """Measure a collection to draw ones like it.

    DATASET is a LETOR file, a folder of such files or of qrels and runs, a list QRELS,RUNS/, or a name. Its portrait,
    a small file of statistics, can be shared where the collection cannot.
    """
    import numpy as np

    from helpers.datasets import portrait as portraits
    from helpers.datasets.collection import concatenate
    from helpers.judging import judged

    with refusing():
        portraits.check_place(out)
        _check_assessors(dataset)
        collection = concatenate(judged.splits(dataset, rng=np.random.default_rng(0)))
        click.echo(portraits.save(portraits.measure(collection, name or out.stem), out))


def _check_assessors(dataset: str) -> None:
    """Raise ValueError where a portrait would mix the labels of two assessors."""
    from helpers.datasets import catalog

    if catalog.has_two_assessors(dataset):
        raise ValueError(
            f"{dataset}: one assessor labelled its training queries and another its test queries, which a portrait "
            "would mix: expected the qrels of one of them, QRELS,RUNS/"
        )


@main.command()
@click.argument("file", shell_complete=completion.files)
@click.option("--format", metavar="NAME", help="Of the file.  [default: recognised by what it holds]")
@click.option(
    "--columns", metavar="ROLE=NAME,...", help="Which column is what: query=q,doc=url,assessor=user,grade=rating."
)
@click.option("--grades", metavar="VALUE:GRADE,...", help="What stands for which grade: 0:0,1:1,10:2,100:3.")
@click.option(
    "--repeats", default="refuse", show_default=True, help="Second judgments of a judge: refuse, or keep the first."
)
@click.option("--machines", default="", metavar="NAME,...", help="Judges who are language models.")
@click.option("--names", is_flag=True, help="Show who judge 1, judge 2 and so on are, and the names of the files.")
def judgments(
    file: str, format: str | None, columns: str | None, grades: str | None, repeats: str, machines: str, names: bool
) -> None:
    """Show what would be read from a FILE of judgments.

    FILE is what a tool exports, or several files of one format separated by commas. `label-studies run 06 -p judgments
    FILE` answers what they are worth, with these options as parameters: `-p format NAME`.
    """
    from helpers.judging import formats

    how = {"columns": columns, "grades": grades, "repeats": repeats}
    how["machines"] = [name.strip() for name in machines.split(",") if name.strip()]
    with refusing():
        reading = formats.read(file, format, **how, names=names)
    click.echo(formats.describe(reading))
    if names:
        called = formats.pseudonyms(reading.frame).assign(name=reading.frame["assessor"]).drop_duplicates("name")
        people = called[called["assessor"] != called["name"]]
        click.echo("\n".join(f"{row.assessor}: {row.name}" for row in people.sort_values("name").itertuples()))


@main.command("class")
@click.option("--out", type=PLACE, required=True, metavar="DIR", help="A folder that is new or empty.")
def class_edition(out: Path) -> None:
    """Make what a class needs of the notebooks.

    Leaves in DIR the notebooks without their solutions, with them, slides, and a page for the teacher.
    """
    from helpers.command import class_edition as edition

    with refusing():
        edition.check_place(out)
    with refusing(Failed):
        click.echo(edition.write(out))


def _show_sizes(study: Study) -> None:
    from helpers.command import sizes
    from helpers.command.terminal import show

    if rows := sizes.rows(study):
        show(["scale", "trainings", "core hours"], rows)
    else:
        click.echo("  trains nothing in sweeps")
