"""What the shell offers at the Tab key beside paths, which click knows: studies, parameters and their values."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem

from helpers.command import notebooks, rules
from helpers.command.notebooks import Parameter, Study
from helpers.datasets.sources import DATA_SETS

_PARAMETER = "-p"  # the option that takes a name and a value
_WORDS = "helpers.command.completion.words"  # where a command keeps what stands on its line
_FILE = click.Path()
_COLLECTIONS = {"dataset", "datasets"}


class Remembering(click.Command):
    """A command that knows, for completion, the words of its line, of which one is not complete."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the words and parse them."""
        ctx.meta[_WORDS] = list(args)
        return super().parse_args(ctx, args)


def studies(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Numbers of the studies that were not named yet, or their whole names, with their questions."""
    named = {study.number for study in _named(ctx)}
    left = [study for study in notebooks.available() if study.number not in named]
    numbers = _beginning(incomplete, ((study.number, study.title) for study in left))
    return numbers or _beginning(incomplete, ((study.name, study.title) for study in left))


def parameter(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """After -p the parameters of the studies named, and after one of them its values."""
    known = {name: each for study in _named(ctx) or notebooks.to_run([]) for name, each in study.parameters.items()}
    words = ctx.meta[_WORDS]
    if words[-1] == _PARAMETER:
        given = {word for before, word in itertools.pairwise(words) if before == _PARAMETER}
        free = [each for each in known.values() if each.name not in given and each.name != "results_dir"]
        return _beginning(incomplete, ((each.name, each.help) for each in free))
    return _values(known[words[-1]], incomplete) if words[-1] in known else []


def data_sets(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of data sets that can be got; or else files, where these are taken, too."""
    found = _beginning(incomplete, ((name, "") for name in DATA_SETS))
    return found or _FILE.shell_complete(ctx, param, incomplete) * (param.name == "dataset")


def _named(ctx: click.Context) -> list[Study]:
    """The studies on the line."""
    words = set(ctx.meta.get(_WORDS, ctx.params.get("studies") or ()))
    return [study for study in notebooks.available() if {study.number, study.name} & words]


def _values(parameter: Parameter, incomplete: str) -> list[CompletionItem]:
    """Values that begin so; of a list the last of those that commas part, each once; or else files."""
    words = ["true", "false"] if parameter.kind is bool else rules.CHOICES.get(parameter.name, ())
    words = [*DATA_SETS, *rules.portraits()] if parameter.name in _COLLECTIONS else words
    done, comma, begun = incomplete.rpartition(",") if parameter.kind is list else ("", "", incomplete)
    found = _beginning(begun, ((word, "") for word in words if word not in done.split(",")))
    offered = [CompletionItem(f"{done}{comma}{item.value}") for item in found]
    return offered or ([CompletionItem(incomplete, type="file")] if parameter.name in rules.PLACES else [])


def _beginning(incomplete: str, offered: Iterable[tuple[str, str]]) -> list[CompletionItem]:
    return [CompletionItem(value, help=meaning) for value, meaning in offered if value.startswith(incomplete)]
