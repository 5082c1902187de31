"""The commands that read judgments, with the options of their reader: `judgments` and `plan`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from helpers.command.refusing import FOLDER, PLACE, Failed, refusing

# The helpers behind each command are imported inside it: `label-studies --help` should not wait for them.

_READING = (
    click.option("--format", metavar="NAME", help="Of the file.  [default: recognised by what it holds]"),
    click.option(
        "--columns", metavar="ROLE=NAME,...", help="Which column is what: query=q,doc=url,assessor=user,grade=rating."
    ),
    click.option(
        "--grades",
        metavar="VALUE:GRADE,...",
        help="What stands for which grade: 0:0,1:1,10:2, or where 1, 2, ... begin: 0.3,0.6; by judge: ben=25,50,75.",
    ),
    click.option(
        "--repeats",
        default="refuse",
        show_default=True,
        help="Second judgments of a judge: refuse, keep the first, or mean.",
    ),
    click.option(
        "--machines",
        default="",
        metavar="NAME,...",
        help="Judges who are language models, gpt* for several, or none.",
    ),
    click.option("--names", is_flag=True, help="Show who judge 1, judge 2 and so on are, and the names of the files."),
)


def reading(command: Callable) -> Callable:
    """Give a command the options of the reader of judgments, by the names of its parameters."""
    for option in reversed(_READING):
        command = option(command)
    return command


@click.command()
@click.argument("file", type=click.Path())
@reading
def judgments(file: str, names: bool, **how: str | None) -> None:
    """Show what would be read from a FILE of judgments.

    FILE is what a tool exports, or several files of one format separated by commas. `label-studies run 06 -p judgments
    FILE` answers what they are worth, with these options as parameters: `-p format NAME`.
    """
    from helpers.judging import formats, questions

    with refusing():
        found = formats.read(file, **how, names=names)
    click.echo(formats.describe(found))
    click.echo(questions.shown(found.scales))
    if names:
        called = formats.pseudonyms(found.frame).assign(name=found.frame["assessor"]).drop_duplicates("name")
        people = called[called["assessor"] != called["name"]]
        click.echo("\n".join(f"{row.assessor}: {row.name}" for row in people.sort_values("name").itertuples()))


@click.command()
@click.option("--judgments", default="", metavar="FILE,...", help="Of people, and of a machine; a tool's export.")
@click.option("--runs", default="", metavar="DIR|FILE,...", help="TREC run files of the rankers to compare.")
@click.option("--budget", type=float, required=True, metavar="N", help="To spend, in the unit of the costs.")
@click.option("--cost-query", type=float, default=5, show_default=True, help="Of a query: finding, understanding it.")
@click.option("--cost-judgment", type=float, default=1, show_default=True, help="Of a judgment by a person.")
@click.option("--cost-machine", type=float, default=0.02, show_default=True, help="Of a judgment by a machine.")
@click.option("--pair", default="", metavar="RUN,RUN", help="The two runs that matter.  [default: the best five]")
@click.option("--cutoff", type=click.IntRange(min=1), default=10, show_default=True, help="Of nDCG.")
@click.option("--seed", type=click.IntRange(min=0), default=5, show_default=True, help="Of everything that is drawn.")
@reading
@click.option("--out", type=FOLDER, metavar="DIR", help="Where plan.json and the tables are left.")
@click.option("--list", "listed", type=PLACE, metavar="FILE", help="Where to list what to judge, for your tool.")
def plan(budget: float, seed: int, out: Path | None, listed: Path | None, **given: Any) -> None:
    """Plan how to spend a label budget to measure which ranker is better.

    From a pilot, judgments of some queries and runs that list them: how many queries, how deep, how many people, and
    whether a machine pays, for half, this and twice the budget. Without runs a worked example is shown. `label-studies
    run 05` tells more, with these options as parameters: `-p cost_query 5`.
    """
    with refusing():
        from helpers.studies.budget import planned

        prices = [given.pop(f"cost_{name}") for name in ("query", "judgment", "machine")]
        planned.check_places(out, listed)
        found = planned.plan(budget, prices, seed, **given)
        to_judge = planned.to_judge(found) if listed else None
    from helpers.command.terminal import show
    from helpers.studies.budget import findings

    texts = findings.budgets(found.three)
    show(list(texts), texts.to_numpy().tolist())
    click.echo("\n".join(found.said))
    with refusing(Failed):
        if out:
            planned.write(out, found)
        if listed:
            click.echo(planned.write_list(listed, found, to_judge))
