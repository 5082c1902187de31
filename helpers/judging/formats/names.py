"""Which column or key of a file is the query, document, assessor and grade, and what its grades stand for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from helpers import checks
from helpers.judging.judgments import HIGHEST, LONG

ROLES = (*LONG, "seconds", "explanation", "time")
TOOLS = tomllib.loads(Path(__file__).with_name("formats.toml").read_text(encoding="utf-8"))
IDS, NAMES = ({role: set(said.split()) for role, said in TOOLS[kind].items()} for kind in ("ids", "names"))
OUTPUT = "OUTPUT:"
"""How columns of Toloka begin with what was answered."""

LAST = re.compile(r".*[.:](?=.)", re.DOTALL)
"""What stands before the last part of a nested name."""

SKIP, DEFAULT = "skip", "default"
FEW = 10
WHOLE = re.compile(r"([+-]?[0-9]{1,9})(?:\.0*)?")
NUMBER = r"[+-]?[0-9]{1,9}(?:\.[0-9]{0,9})?"
CUTS = re.compile(rf"\s*{NUMBER}\s*(?:,\s*{NUMBER}\s*)*")
DECLARED = re.compile(r"\s*(.+?)\s*:\s*([0-9]{1,3}|skip)\s*(?:,|$)")
Scale = dict[str, int | None] | list[float]
"""Grade by key, None for what is no judgment; or the points at which grades 1, 2, ... begin."""


def declared_columns(columns: str | Mapping[str, str | Sequence[str]] | None) -> dict[str, list[str]]:
    """Names by role from what a user says, "query=query_id,doc=url", or a mapping; query and grade may have several."""
    if isinstance(columns, Mapping):
        listed = {role: [names] if isinstance(names, str) else names for role, names in columns.items()}
        pairs = [(role, name) for role, names in listed.items() for name in names]
    else:
        pairs = [part.partition("=")[::2] for part in re.split(r",(?=\s*\w+=)", columns or "") if part.strip()]
    names: dict[str, list[str]] = {}
    for role, name in pairs:
        checks.one_of("a role in columns", role.strip(), ROLES)
        if not name.strip():
            raise ValueError(f"columns has no name for {role.strip()}, expected role=name, as query=query_id")
        names.setdefault(role.strip(), []).append(name.strip())
    for role in names:
        if role not in ("query", "grade") and len(names[role]) > 1:
            raise ValueError(f"columns has {role} as {', '.join(names[role])}, expected one name")
    return names


def candidates(role: str, names: Iterable[str]) -> list[str]:
    """The names whose last part may stand for a role: those of ids where there are any, before those of texts."""
    last = {name: plain(LAST.sub("", name)) for name in names}
    for spellings in (IDS.get(role, ()), NAMES[role]):
        if fitting := [name for name in last if last[name] in spellings]:
            return fitting
    answers = [name for name in last if name.startswith(OUTPUT)]
    return answers if role == "grade" and len(answers) == 1 else []


def chosen(path: Path, role: str, names: Collection[str], wanted: Mapping[str, list[str]]) -> str | None:
    """The one name that stands for a role: the user's, or the only one that fits; None where none fits."""
    if role in wanted:
        return present(path, role, wanted[role][0], names)
    fitting = candidates(role, names)
    if len(fitting) > 1:
        raise ValueError(
            f"{path}: {' and '.join(fitting)} may both be the {role}, expected one: add "
            f"{columns_call({role: fitting[0]})} with the right one of them"
        )
    return fitting[0] if fitting else None


def present(path: Path, role: str, name: str, names: Collection[str]) -> str:
    """The name of a file that a user gives for a role, its last part where that is enough."""
    ends = [whole for whole in names if whole.endswith(f".{name}")] if name not in names else []
    name = ends[0] if len(ends) == 1 else name
    checks.one_of(f"{path}: {role} (columns)", name, names)
    return name


def required(path: Path, role: str, names: Collection[str], wanted: Mapping[str, list[str]]) -> str:
    """As `chosen`; ValueError with the call to add where no name fits."""
    name = chosen(path, role, names, wanted)
    if name is None:
        raise ValueError(
            f"{path}: none of {checks.some(names)} is known as the {role}: add {columns_call({role: 'NAME'})} with its "
            "name"
        )
    return name


def columns_call(names: Mapping[str, str]) -> str:
    """What to add to a command, or a call, so that the names are used."""
    return checks.advice("columns", ",".join(f"{role}={name}" for role, name in names.items()))


def columns_like(names: Collection[str], found: Mapping[str, str] | None = None) -> str:
    """What to add so that the columns are known, filled in as far as they were found, or their names say."""
    known = {role: (candidates(role, names) or ["COLUMN"])[0] for role in LONG} if found is None else found
    return columns_call({role: known.get(role, "COLUMN") for role in LONG})


def plain(name: str) -> str:
    """A name without case and signs."""
    return re.sub(r"[\W_]", "", name.casefold())


def key(value: str) -> str:
    """What a value is known by as a grade: a whole number without zeros around it, a word without case and blanks."""
    whole = WHOLE.fullmatch(value.strip())
    return str(int(whole[1])) if whole else " ".join(value.casefold().split())


def declared_grades(grades: str | Mapping[str, int | str | None] | None) -> dict[str, Scale]:
    """What grades stand for by judge, a name or a pattern, DEFAULT for all others, from what a user says.

    "0:0,1:1,10:2,100:3" or a mapping, "skip" for what is no judgment; or the points at which grades 1, 2, ... begin,
    "0.25,0.5"; or either by judge, "ben=25,50,75;default=0:0,1:3".
    """
    if isinstance(grades, Mapping):
        judges = {str(judge).strip(): said for judge, said in grades.items()}
    else:
        parts = (part.partition("=")[::2] for part in (grades or "").split(";") if part.strip())
        judges = {judge.strip(): said.strip() for judge, said in parts}
    if judges and all(judge and isinstance(said, str) and _is_scale(said) for judge, said in judges.items()):
        return {judge: _cuts(said) if CUTS.fullmatch(said) else _map(said) for judge, said in judges.items()}
    if not grades:
        return {}
    cut = isinstance(grades, str) and CUTS.fullmatch(grades) and ("," in grades or "." in grades)
    return {DEFAULT: _cuts(grades) if cut else _map(grades)}


def recognised(values: Iterable[str]) -> dict[str, int | None] | None:
    """Grade by key of all values, or None where that would be a guess: whole numbers are themselves, words the lowest
    levels of a scale."""
    values = set(values)
    if values == whole_numbers(values):
        return {value: int(value) for value in sorted(values, key=int)}
    for scale in TOOLS["scales"]:  # none left out between: what no judge said cannot change the grades of the rest
        if values == set(scale[: len(values)]):
            return dict(zip(scale, range(len(values)), strict=False))
    return None


def whole_numbers(values: Iterable[str]) -> set[str]:
    """Those of the values, which are keys, that are whole numbers."""
    return {value for value in values if re.fullmatch("-?[0-9]{1,9}", value)}


def grades_call(values: Iterable[str], known: Collection[str] = (), judge: str = "") -> str:
    """What to add to a command, or a call, with a question mark for each grade that the user has to say."""
    pairs = (f"{value}:{key(value) if key(value) in known else '?'}" for value in values)
    return checks.advice("grades", f"{judge}{'=' * bool(judge)}{','.join(pairs)}")


def cuts_call(values: Sequence[str], judge: str = "") -> str:
    """What to add so that many numbers are cut into four grades; "" where they are few, or no numbers."""
    if len(values) <= FEW or not all(re.fullmatch(NUMBER, value) for value in values):
        return ""
    said = f"{judge}{'=' * bool(judge)}{parted(map(float, values), 3)}"
    return f"{checks.advice('grades', said)} or other points at which grades 1, 2, 3 begin"


def parted(values: Iterable[float], highest: int) -> str:
    """A grade for each of few numbers, as they rise, or points that part many; whole numbers from 0 to `highest`."""
    values = sorted(set(values))
    if len(values) <= highest + 1:
        return ",".join(f"{value:g}:{grade}" for grade, value in enumerate(values))
    low, high = values[0], values[-1]
    return ",".join(f"{low + (high - low) * step / (highest + 1):.3g}" for step in range(1, highest + 1))


def _cuts(said: str) -> list[float]:
    cuts = [float(cut) for cut in said.split(",")]
    if any(low >= high for low, high in pairwise(cuts)) or len(cuts) > HIGHEST:
        raise ValueError(f"grades has the cut points {said}, expected at most {HIGHEST} that rise")
    return cuts


def _is_scale(said: str) -> bool:
    return bool((CUTS.fullmatch(said) and said.strip() not in map(str, range(HIGHEST + 1))) or DECLARED.match(said))


def _map(grades: str | Mapping[str, int | str | None]) -> dict[str, int | None]:
    pairs, end = list(grades.items()) if isinstance(grades, Mapping) else [], 0
    while isinstance(grades, str) and end < len(grades):
        match = DECLARED.match(grades, end)
        if not match:
            raise ValueError(
                f"grades has {grades[end:]!r}, expected value:grade,... as 0:0,1:1,10:2 or Can't tell:skip"
            )
        pairs.append((match[1], match[2]))
        end = match.end()
    found: dict[str, int | None] = {}
    for value, grade in pairs:
        number = None if grade in (SKIP, None) else int(grade) if re.fullmatch("[0-9]{1,3}", str(grade)) else -1
        if number is not None and not 0 <= number <= HIGHEST:
            raise ValueError(f"grades has {grade} for {value}, expected a whole number from 0 to {HIGHEST}, or {SKIP}")
        if found.setdefault(key(str(value)), number) != number:
            raise ValueError(f"grades has two grades for {value}, expected one")
    return found
