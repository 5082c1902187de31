"""Who judged: machines by name or pattern, and people by a number in the place of their name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

import pandas as pd

from helpers import checks
from helpers.judging.formats.source import changed
from helpers.judging.judgments import MODEL, is_model, pattern_of

LIKE_MODELS = re.compile(
    "(?<![a-z])(chatgpt|claude|deepseek|gemini|gemma|gpt|llama|llm|mistral|mixtral|openai|prompt|qwen|umbrela)(?![a-z])"
)
"""A word in the name of a judge that is likely a language model."""

NOBODY = "none"
"""Said of machines where no judge is one."""

NUMBERED = "judge "
"""How people are called in a report, with a number."""


def named(said: str, names: Iterable[str]) -> list[str]:
    """The names that a name or pattern (`gpt*`) means, with or without the mark of a model; if none is it, in any case.

    >>> named("GPT*", ["model: gpt-4", "gpt-5", "Ann"]), named("gpt", ["GPT", "gpt"])
    (['model: gpt-4', 'gpt-5'], ['gpt'])
    """
    plain = {name: name.removeprefix(MODEL) for name in names}
    said = said.removeprefix(MODEL)
    same = [name for name in plain if plain[name] == said]
    return same or [name for name in plain if fnmatchcase(plain[name].casefold(), said.casefold())]


def machines_of(said: str | Sequence[str]) -> tuple[str, ...]:
    """The names and patterns in what a user says of machines, "gpt*,llama 3" or a list."""
    return tuple(filter(None, map(str.strip, said.split(",") if isinstance(said, str) else said)))


def marked(frame: pd.DataFrame, apart: pd.DataFrame, machines: Sequence[str], path: str) -> tuple[pd.DataFrame, str]:
    """The frame with the names of machines, names or patterns or `NOBODY`, as those of models, and a sentence on them.

    ValueError where nothing is said and a name without mark is like a model's.
    """
    judges = list(frame["assessor"].unique())
    marks = [name for name in [*judges, *apart["assessor"].unique()] if is_model(name)]
    wanted = [said for said in machines if said.casefold() != NOBODY]
    if wanted and len(wanted) < len(machines):
        raise ValueError(f"machines is {','.join(machines)}, expected {NOBODY} alone, or names")
    for said in wanted:
        if not named(said, [*judges, *marks]):
            checks.one_of("one of machines", said, [*judges, *(mark for mark in marks if mark not in judges)])
    like = [name for name in judges if not is_model(name) and LIKE_MODELS.search(name.casefold())]
    if like and not machines:
        names = checks.advice("machines", ",".join(map(pattern_of, like)))
        raise ValueError(
            f"{path}: {checks.some(like, 20)} {'is' if len(like) == 1 else 'are'} called like a language model, which "
            f"never counts as a person: add {names}, or {checks.advice('machines', NOBODY)} where people are called so"
        )
    called = {name: MODEL + name for said in wanted for name in named(said, judges) if not is_model(name)}
    models = sorted({*called.values(), *marks})
    named_so = checks.some((name.removeprefix(MODEL) for name in models), 10)
    told = f"People: {len(judges) - len({*called, *marks} & {*judges})}, machines: {named_so or NOBODY}"
    if missed := len(set(like) - set(called)) if wanted else 0:
        told += f"; of the people {missed} {'is' if missed == 1 else 'are'} called like a model"
    return frame.assign(assessor=changed(frame["assessor"], lambda name: called.get(name, name))), f"{told}."


def pseudonyms(frame: pd.DataFrame, names: bool = False) -> pd.DataFrame:
    """ "judge 1", "judge 2", ... for the assessors of a frame, by the order of their names, unless names are kept;
    models keep theirs."""
    if names:
        return frame
    called = by_number(frame["assessor"].unique())
    return frame.assign(assessor=changed(frame["assessor"], lambda name: called.get(name, name)))


def as_called(rows: pd.DataFrame, before: pd.DataFrame, after: pd.DataFrame) -> pd.DataFrame:
    """The rows with the names that the judges of a frame have after a change; `before` and `after` are row by row."""
    first = ~before["assessor"].duplicated()
    called = dict(zip(before.loc[first, "assessor"], after.loc[first, "assessor"], strict=True))
    return rows.assign(assessor=changed(rows["assessor"], lambda name: called.get(name, name)))


def by_number(judges: Iterable[str], machines: Sequence[str] = ()) -> dict[str, str]:
    """What people among the judges are called in a report, by their name."""
    models = {name for said in machines for name in named(said, judges)}
    people = sorted((name for name in judges if not is_model(name) and name not in models), key=_natural)
    return {name: f"{NUMBERED}{number}" for number, name in enumerate(people, start=1)}


def _natural(name: str) -> tuple:
    """Numbers in names by their size, so that w9 is before w10."""
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in re.split("([0-9]+)", name)], name
