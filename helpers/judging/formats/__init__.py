"""Judgments from the files that tools write, as they are: one long frame, and what was read and left out, in words.

A format is a module with NAME, SAYS (what it is, for people), NAMED (the roles whose columns or keys a user may name),
``recognise(content)`` and ``parse(content, wanted)``, which share these arguments:

content : the file, a `source.Content`
wanted : what the user says of columns, grades and questions, a `parsed.Wanted`
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pandas as pd

from helpers import checks, texts
from helpers.judging.formats import (
    argilla,
    checking,
    doccano,
    es_ltr,
    label_studio,
    long,
    mturk,
    opensearch,
    qrels,
    quepid_book,
    quepid_case,
    rank_eval,
    roles,
    scales,
    umbrela,
    wide,
)
from helpers.judging.formats.parsed import Parsed, Wanted
from helpers.judging.formats.people import marked, pseudonyms
from helpers.judging.formats.reading import Reading, describe, told
from helpers.judging.formats.source import Content
from helpers.judging.formats.unknown import refusal
from helpers.judging.formats.writing import write_like

__all__ = ["FORMATS", "Reading", "describe", "pseudonyms", "read", "write_like"]

REGISTRY = (
    opensearch,
    rank_eval,
    label_studio,
    argilla,
    umbrela,
    doccano,
    qrels,
    es_ltr,
    mturk,
    quepid_case,
    wide,
    long,
    quepid_book,
)
FORMATS = {module.NAME: module for module in REGISTRY}


def read(
    path: str | Path,
    format: str | None = None,
    *,
    columns: str | Mapping[str, str] | None = None,
    grades: str | Mapping[str, int | str] | None = None,
    repeats: str = "refuse",
    machines: Sequence[str] = (),
    names: bool = True,
) -> Reading:
    """Judgments from a tool's export, or from several files of one format separated by commas.

    Parameters
    ----------
    path : the files; gzip, bzip2 and xz are unpacked
    format : one of `FORMATS`; None or "" to recognise it by what the files hold
    columns : which column or key is what, "query=query_id,doc=url,assessor=user,grade=rating"; several grades are
        columns of a judge each; None or "" where they are known by their names
    grades : what stands for which grade, "0:0,1:1,10:2,100:3" or "Good:1,Bad:0,Can't tell:skip"; None or "" where
        they are whole numbers from 0 to 127, or words of a known scale
    repeats : "refuse" a second judgment by the same assessor with another grade, or keep the "first"
    machines : assessors who are models, though the files do not say so: they are called "model: NAME"
    names : keep the names of people; else they are called judge 1, judge 2, ..., and the notes name no file

    Returns
    -------
    reading : the long frame, what is apart, and notes; rows that say the same twice count once

    Raises
    ------
    OSError
        when a file cannot be read.
    ValueError
        with file and line: what is wrong there; with the file: that no format is recognised, or what to add so that
        the file can be read. No grade and no column is guessed.
    """
    if format:
        checks.one_of("format", format, FORMATS)
    checks.one_of("repeats", repeats, checking.REPEATS)
    wanted = Wanted(roles.declared(columns), scales.declared(grades or None))
    contents = [Content(file) for file in texts.named(path)]
    modules = [_module(content, format, wanted, repeats) for content in contents]
    if len({module.NAME for module in modules}) > 1:
        said = ", ".join(f"{content.path} is {module.NAME}" for content, module in zip(contents, modules, strict=True))
        raise ValueError(f"{said}: expected files of one format")
    _refuse_same_name(contents)
    _refuse_fixed(modules[0], wanted)
    parsed = [module.parse(content, wanted) for content, module in zip(contents, modules, strict=True)]
    reading = _joined(contents, modules[0], parsed, wanted, repeats, names)
    return replace(reading, frame=pseudonyms(marked(reading.frame, machines), names))


def _module(content: Content, format: str | None, wanted: Wanted, repeats: str) -> ModuleType:
    """The module that reads a file: the one named, that for columns that a user names, or the first to recognise it."""
    if format:
        return FORMATS[format]
    if wanted.columns and not content.is_json and not mturk.recognise(content):
        return wide if len(wanted.columns.get("grade", [])) > 1 else long
    for module in REGISTRY:
        if module.recognise(content):
            return module
    raise refusal(content, FORMATS, lambda name: _reads(FORMATS[name], content, wanted, repeats))


def _reads(module: ModuleType, content: Content, wanted: Wanted, repeats: str) -> bool:
    """Whether a module that does not recognise a file reads it all the same."""
    try:
        _refuse_fixed(module, wanted)
        _joined([content], module, [module.parse(content, wanted)], wanted, repeats, names=False)
    except ValueError:
        return False
    return True


def _refuse_same_name(contents: list[Content]) -> None:
    stems = [content.stem for content in contents]
    for stem in stems:
        if stems.count(stem) > 1:
            raise ValueError(f"two files are called {stem}, expected a name for each, as it may be the assessor's")


def _refuse_fixed(module: ModuleType, wanted: Wanted) -> None:
    for role in wanted.columns:
        if role not in module.NAMED:
            raise ValueError(
                f"columns has {role}={wanted.columns[role][0]}, but the {role} is fixed in {module.NAME}: expected "
                f"{', '.join(module.NAMED) or 'no columns'}"
            )


def _joined(
    contents: list[Content], module: ModuleType, parsed: list[Parsed], wanted: Wanted, repeats: str, names: bool
) -> Reading:
    """One reading of several files."""
    rows = pd.concat(
        [part.rows.assign(file=str(content.path)) for content, part in zip(contents, parsed, strict=True)],
        ignore_index=True,
    )
    if rows.empty:
        counts = [f"; {what}: {n}" for part in parsed for what, n in part.left_out.items() if n]
        raise ValueError(
            f"{contents[0].path}: no judgment in this file ({module.NAME}){''.join(counts)}, expected at least one"
        )
    rows, spoken = checking.without_blanks(rows)
    rows, used = checking.graded(rows, wanted.grades)
    judged = rows[rows["number"].notna()].astype({"apart": bool})
    frame, left_out = checking.checked(judged[~judged["apart"]], repeats)
    apart, left_out_apart = checking.checked(judged[judged["apart"]], repeats)
    if frame.empty:
        raise ValueError(f"{contents[0].path}: no judgment by a person or judge here ({module.NAME}), expected one")
    counts = [
        *(part.left_out for part in parsed),
        left_out,
        left_out_apart,
        {"grades to skip": len(rows) - len(judged)},
    ]
    alike = checking.alike(judged)
    more = [*spoken, *checking.told_alike(alike)]
    notes = told(contents if names else [], module.SAYS, parsed, frame, apart, counts, used, more)
    tasks = {tuple(map(str.strip, pair)): task for part in parsed for pair, task in part.tasks.items()}
    return Reading(frame, module.NAME, notes, apart, parsed[0].names, tasks, alike)
