"""The commands that read judgments, with the options of their reader: `judgments` and `plan`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from helpers.command import rules
from helpers.command.refusing import FOLDER, PLACE, Failed, refusing

_TO_MEASURE = ("budget", "runs", "cost_query", "cost_judgment", "cost_machine", "pair", "cutoff", "listed")
"""Options of `plan` that --validate has no use for."""

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


def taking(*options: Callable[[Callable], Callable]) -> Callable[[Callable], Callable]:
    """Give a command these options."""
    return lambda command: functools.reduce(lambda made, option: option(made), reversed(options), command)


@click.command()
@click.argument("file", type=click.Path())
@taking(*_READING)
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
@click.option("--budget", type=float, metavar="N", help="To spend, in the unit of the costs.")
@click.option("--cost-query", type=float, default=5, show_default=True, help="Of a query: finding, understanding it.")
@click.option("--cost-judgment", type=float, default=1, show_default=True, help="Of a judgment by a person.")
@click.option("--cost-machine", type=float, default=0.02, show_default=True, help="Of a judgment by a machine.")
@click.option("--pair", default="", metavar="RUN,RUN", help="The two runs that matter.  [default: the best five]")
@click.option("--cutoff", type=click.IntRange(min=1), default=10, show_default=True, help="Of nDCG.")
@click.option("--seed", type=click.IntRange(min=0), default=5, show_default=True, help="Of everything that is drawn.")
@taking(*_READING)
@click.option("--validate", is_flag=True, help="Plan how many documents people judge before a model may be trusted.")
@click.option(
    "--width",
    type=float,
    nargs=2,
    default=(0.1, 0.2),
    show_default=True,
    metavar="KAPPA BIAS",
    help="With --validate: how wide their 95 % intervals may be.",
)
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="With --validate: documents of a query that people will judge.",
)
@click.option("--out", type=FOLDER, metavar="DIR", help="Where plan.json and the tables are left.")
@click.option("--list", "listed", type=PLACE, metavar="FILE", help="Where to list what to judge, for your tool.")
def plan(
    budget: float | None,
    seed: int,
    validate: bool,
    width: tuple[float, float],
    depth: int,
    out: Path | None,
    listed: Path | None,
    **given: Any,
) -> None:
    """Plan how to spend a label budget to measure which ranker is better.

    From a pilot, judgments of some queries and runs that list them: how many queries, how deep, how many people, and
    whether a machine pays, for half, this and twice the budget. Without runs a worked example is shown. `label-studies
    run 05` tells more, with these options as parameters: `-p cost_query 5`.

    With --validate no ranker is asked for: judgments of people and of models tell how many queries and documents people
    judge until weighted kappa and bias of each model are known, and it passes the alternative annotator test.
    """
    with refusing():
        _check_asked(budget, validate)
    if validate:
        _validate(width, depth, seed, out, {name: given[name] for name in ("judgments", "names", *rules.HOW)})
        return
    with refusing():
        from numpy.random import default_rng

        from helpers.studies.budget import costs, planned, protocol

        planned.check_places(out, listed)
        prices = costs.Costs(*(given.pop(f"cost_{name}") for name in ("query", "judgment", "machine")))
        costs.check_budget(budget, prices)
        pilot = protocol.given(rng=default_rng(seed), listing=bool(listed), **given)
        found = planned.of(pilot, prices, budget, seed)
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


def _check_asked(budget: float | None, validate: bool) -> None:
    """Raise ValueError where an option is of the other plan, or the budget is not told."""
    context = click.get_current_context()
    for name in _TO_MEASURE if validate else ("width", "depth"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = "--list" if name == "listed" else f"--{name.replace('_', '-')}"
            told = f"{option} with --validate" if validate else f"{option} without --validate"
            raise ValueError(f"{told}, expected one of them" if validate else f"{told}, expected both")
    if budget is None and not validate:
        raise ValueError("--budget is missing, expected what there is to spend, or --validate")


def _validate(width: tuple[float, float], depth: int, seed: int, out: Path | None, given: dict[str, Any]) -> None:
    """Print, and leave in a folder, how many documents people judge before each model may be trusted."""
    with refusing():
        from helpers.engine import results
        from helpers.studies.budget import planned, validating

        planned.check_places(out, None)
        found = validating.needed(width, depth, seed, **given)
    from helpers.command.terminal import show

    texts = validating.table(found)
    show(list(texts), texts.to_numpy().tolist())
    click.echo(validating.answer(found).replace("**", ""))
    with refusing(Failed):
        if out:
            results.write(out, {"needed": found}, {"seed": seed})
