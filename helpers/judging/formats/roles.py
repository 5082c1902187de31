"""Which column or key of a file is the query, the document, the assessor and the grade."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from helpers import checks

LONG = ("query", "doc", "assessor", "grade")
ROLES = (*LONG, "seconds", "explanation")
IDS = {
    "query": "queryid qid topicid searchid",
    "doc": "docid documentid did url uri productid asin itemid passageid pid corpusid",
    "assessor": "assessorid judgeid userid workerid annotatorid raterid labelerid",
    "grade": "",
    "seconds": "",
    "explanation": "",
}
NAMES = {
    "query": "query querytext topic search searchterm searchquery",
    "doc": "doc document product item task passage",
    "assessor": "assessor judge user worker annotator rater labeler performer email username",
    "grade": "grade rating label relevance judgment judgement rel relevancegrade relevancelabel escilabel",
    "seconds": "seconds worktimeinseconds leadtime",
    "explanation": "explanation reason comment",
}


def declared(columns: str | Mapping[str, str | Iterable[str]] | None) -> dict[str, list[str]]:
    """Names by role from what a user says, "query=query_id,doc=url", or a mapping; a role may have several.

    Parameters
    ----------
    columns : what the user says; None is nothing

    Raises
    ------
    ValueError
        when a part is no role=name, or the role is none of `ROLES`.

    Examples
    --------
    >>> declared("query=q,doc=url,grade=Ann,grade=Bob")
    {'query': ['q'], 'doc': ['url'], 'grade': ['Ann', 'Bob']}
    """
    if isinstance(columns, Mapping):
        pairs = [(role, name) for role, names in columns.items() for name in _listed(names)]
    else:
        pairs = [part.partition("=")[::2] for part in re.split(r",(?=\s*\w+=)", columns or "") if part.strip()]
    names: dict[str, list[str]] = {}
    for role, name in pairs:
        checks.one_of("a role in columns", role.strip(), ROLES)
        if not name.strip():
            raise ValueError(f"columns has no name for {role.strip()}, expected role=name, as query=query_id")
        names.setdefault(role.strip(), []).append(name.strip())
    for role in names:
        if role != "grade" and len(names[role]) > 1:
            raise ValueError(f"columns has {role} as {', '.join(names[role])}, expected one name")
    return names


def candidates(role: str, names: Iterable[str]) -> list[str]:
    """The names that may stand for a role: those of ids where there are any, before those of texts.

    >>> candidates("doc", ["doc", "Doc ID", "title"])
    ['Doc ID']
    """
    names = list(dict.fromkeys(names))
    for spellings in (IDS[role].split(), NAMES[role].split()):
        if fitting := [name for name in names if plain(name) in spellings]:
            return fitting
    return []


def chosen(path: Path, role: str, names: Iterable[str], wanted: Mapping[str, list[str]]) -> str | None:
    """The one name that stands for a role: the user's, or the only one that fits; None where none fits.

    Parameters
    ----------
    path : the file, for messages
    role : one of `ROLES`
    names : the columns or keys of the file
    wanted : what `declared` returns

    Raises
    ------
    ValueError
        when the file has no column of the user's name, or several fit.
    """
    names = list(dict.fromkeys(names))
    if role in wanted:
        return present(path, role, wanted[role][0], names)
    fitting = candidates(role, names)
    if len(fitting) > 1:
        raise ValueError(
            f"{path}: {' and '.join(fitting)} may both be the {role}, expected one: add "
            f"{call({role: fitting[0]})} with the right one of them"
        )
    return fitting[0] if fitting else None


def present(path: Path, role: str, name: str, names: list[str]) -> str:
    """The name that a user gives for a role; ValueError with the path where it is not among the names of the file."""
    checks.one_of(f"{path}: {role} (columns)", name, names)
    return name


def required(path: Path, role: str, names: Iterable[str], wanted: Mapping[str, list[str]]) -> str:
    """As `chosen`; ValueError with the call to add where no name fits.

    Parameters
    ----------
    path, role, names, wanted : as in `chosen`
    """
    names = list(dict.fromkeys(names))
    name = chosen(path, role, names, wanted)
    if name is None:
        raise ValueError(
            f"{path}: none of {checks.some(names)} is known as the {role}: add {call({role: 'NAME'})} with its name"
        )
    return name


def call(names: Mapping[str, str]) -> str:
    """What to add to a command, or a call, so that the names are used.

    >>> call({"query": "Search term", "grade": "stars"})
    "columns='query=Search term,grade=stars'"
    """
    return checks.advice("columns", ",".join(f"{role}={name}" for role, name in names.items()))


def plain(name: str) -> str:
    """A name without case and signs.

    >>> plain("Query_ID")
    'queryid'
    """
    return re.sub(r"[\W_]", "", name.casefold())


def _listed(names: str | Iterable[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)
