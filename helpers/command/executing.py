"""The commands that execute notebooks, once or at every combination of values: label-studies run | batch."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from helpers.command import completion
from helpers.command.refusing import PLACE, Failed, refusing

if TYPE_CHECKING:
    from helpers.command.notebooks import Study

# The helpers behind each command are imported inside it: `label-studies --help` should not wait for them.

_jobs_option = click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes at work.  [default: one a core]"
)
_cluster_option = click.option(
    "--cluster", metavar="ADDRESS", help="Train on a dask cluster: tcp://HOST:8786, or local:4 for one here."
)
_shared_option = click.option(
    "--shared",
    type=PLACE,
    metavar="DIR",
    help="Folder that all workers see; data is sent without it.",
    shell_complete=completion.folders,
)


def _out_option(default: str) -> Callable[[Callable], Callable]:
    return click.option(
        "--out",
        type=PLACE,
        default=default,
        show_default=True,
        metavar="DIR",
        help="Where results are left.",
        shell_complete=completion.folders,
    )


@click.command(cls=completion.Remembering)
@click.argument("studies", nargs=-1, metavar="[STUDY]...", shell_complete=completion.studies)
@click.option(
    "-p",
    "given",
    nargs=2,
    multiple=True,
    metavar="NAME VALUE",
    help="Set a parameter; may be repeated.",
    shell_complete=completion.parameter,
)
@click.option(
    "-f",
    "file",
    type=PLACE,
    metavar="PARAMS.YML",
    help="Set parameters from a YAML file; -p overrides it.",
    shell_complete=completion.files,
)
@_out_option("reports")
@_jobs_option
@_cluster_option
@_shared_option
@click.option("--share", metavar="N/M", help="Do one of so many shares of all trainings, such as 3/16, and no report.")
def run(
    studies: tuple[str],
    given: tuple[tuple[str, str]],
    file: Path | None,
    out: Path,
    jobs: int | None,
    cluster: str | None,
    shared: Path | None,
    share: str | None,
) -> None:
    """Execute the notebooks of each STUDY, such as 04, or of all and the guide.

    An appendix, such as 01a, is executed where it is named. Leaves each executed notebook, its HTML and a folder of its
    result tables in DIR, the verdicts on all claims in claims.csv, and index.html, which leads to all of it. A
    parameter goes to every study that has it; `label-studies list` shows them all.
    """
    with contextlib.ExitStack() as stack:
        with refusing():
            plan = _planned(studies, _given(given, file))
            _place(stack, cluster, shared, share)
            if not share:
                _prepare(out)
        from helpers.command import doing

        with refusing(Failed):
            sys.exit(not (doing.shares(plan, jobs, share) if share else doing.studies(plan, out, jobs)))


@click.command()
@click.argument("grid", type=PLACE, metavar="GRID.YML", shell_complete=completion.files)
@_out_option("batch")
@_jobs_option
@_cluster_option
@_shared_option
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
            _place(stack, cluster, shared, None)
            for point in points:
                _prepare(out / point.folder)
        from helpers.command import doing

        with refusing(Failed):
            sys.exit(not doing.grid(points, out, jobs))


def _given(pairs: tuple[tuple[str, str]], file: Path | None) -> dict[str, Any]:
    """The values of a file, and over them those of the command line, each given once."""
    from helpers.command import parameters, rules

    parameters.check_once(name for name, _ in pairs)
    for name, value in pairs:
        if name in rules.PLACES and not value:
            raise ValueError(f"-p {name} is empty, expected a path; left out, the notebook takes its own data")
    return (parameters.read_file(file) if file else {}) | dict(pairs)


def _planned(studies: tuple[str], values: dict[str, Any]) -> dict[Study, dict[str, Any]]:
    """The studies named, with the settings of each, after all that can be wrong with these was looked at."""
    from helpers.command import notebooks as known

    known.check_not_hidden(Path.cwd())
    chosen = known.to_run(studies)
    known.check_known(chosen, values)
    plan = {study: known.settings(study, values) for study in chosen}
    for study, settings in plan.items():
        known.check_data(study, settings)
    return plan


def _place(stack: contextlib.ExitStack, cluster: str | None, shared: Path | None, share: str | None) -> None:
    """Until the stack is left, have the trainings done where the user wants them, and leave nothing elsewhere."""
    from helpers.command import placing, swap
    from helpers.engine import backends

    stack.enter_context(swap.temporary())
    if share:
        backends.read_share(share)
        stack.enter_context(backends.environment({backends.SHARE: share}))
    stack.enter_context(placing.on_cluster(cluster, shared))


def _prepare(out: Path) -> None:
    from helpers import files
    from helpers.command import swap
    from helpers.command.notebooks import available

    files.check_links(out)
    out.mkdir(parents=True, exist_ok=True)
    reports = {study.failed[-1]: study.failed for study in available()}
    swap.tidy(out, reports | {study.name: [*study.report, *study.failed] for study in available()})
