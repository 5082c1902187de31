"""JSON and lines of text as tables: a declaration says where query, document, judge and grade stand, one walk reads."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd

from helpers import checks
from helpers.judging.formats.names import ROLES, TOOLS, columns_call, grades_call, key, present, required
from helpers.judging.formats.rows import Parsed, Wanted, counting, frame_of, with_role
from helpers.judging.formats.source import Content, Table, cell_text, names_of
from helpers.judging.judgments import MODEL

ALL = "all"
ITEM = "@"
STEP = re.compile(r"([^\[{]*)(\[\]|\{\w+\})")


class Layout(SimpleNamespace):
    """Where the judgments of a tool stand: a row of formats.toml, which says what each field holds."""

    @property
    def of_json(self) -> bool:
        """Whether it is of JSON, and not of lines or a table."""
        return not self.line and not self.header

    @property
    def named(self) -> tuple[str, ...]:
        """The roles whose keys a user may name."""
        return ROLES if self.of_json else ()

    def recognise(self, content: Content) -> bool:
        """Whether the first record, the header, or so many of the first lines are what the layout says."""
        if self.line:
            if content.is_parquet:
                return False
            first = [
                text for line in content.lines[:100] if (text := line.strip()) and not re.fullmatch(self.comment, text)
            ]
            pattern = re.compile(self.begins or self.line, re.IGNORECASE)
            return sum(bool(pattern.fullmatch(text)) for text in first) > self.share * len(first)
        if not self.of_json:
            return content.table.header == self.header
        first = self._records(content.records[:1])[0][1] if content.records else {}
        if not self.has:
            inner = [value for value in first.values() if isinstance(value, dict)]
            return len(inner) == len(first) > 0 and all(type(grade) is int for of in inner for grade in of.values())
        names = names_of([first])
        return all(any(re.fullmatch(pattern, name) for name in names) for pattern in self.has)

    def parse(self, content: Content, wanted: Wanted) -> Parsed:
        """The judgments of a file, in words what was left out, and the records that were shown."""
        left_out: Counter = Counter()
        if self.of_json:
            return self._of_json(content, self._records(content.records), wanted, left_out)
        table = self._of_lines(content, left_out) if self.line else content.rows
        frame, said = self._with_values(self._judged(content, table, self.roles, left_out), wanted, left_out)
        return Parsed(frame, self.size.format(rows=len(table)), dict(left_out), dict(self.roles), remarks=tuple(said))

    def _of_json(
        self, content: Content, records: Sequence[tuple[str, dict]], wanted: Wanted, left_out: Counter
    ) -> Parsed:
        path = content.path
        if not records:
            raise ValueError(f"{path}: an empty list, expected judgments")
        names = list(names_of([record for _, record in records]))
        question, grade = self._asked(path, names, wanted) if "(" in self.roles["grade"] else ("", "")
        layout = Layout(**vars(self) | _filled({"rows": self.rows, "statuses": self.statuses}, question))
        roles = layout._roles(path, names, wanted, question, grade)
        for name, reason in self.counted.items():
            left_out[reason] += sum(len(values_at(record, name)) for _, record in records)
        table = layout._exploded(path, records, roles, left_out)
        frames = [layout._judged(content, table, roles, left_out)]
        if self.codes and not wanted.grades:
            self._refuse_codes(path, frames[0]["grade"])
        if layout.apart:
            models = Layout(**vars(layout) | {"statuses": {}, "without": None, "anonymous": ""} | layout.apart)
            said = models._roles(path, names, wanted, question, _filled(models.roles["grade"], question))
            frame = models._judged(content, models._exploded(path, records, said, Counter()), said, Counter())
            frames += [frame.assign(assessor=MODEL + frame["assessor"], apart=True)] if len(frame) else []
        remarks = [] if "query" in roles else ["No column of query: all judgments are of one query."]
        for name, expected in self.expects.items():
            if (found := records[0][1].get(name, expected)) != expected:
                remarks.append(f"The {name} of the list is {str(found)[:40]!r}, not {expected}.")
        tasks = {}
        for _, record in records if self.hidden else ():
            query, doc = (str(next(iter(values_at(record, roles[role])), "")) for role in ("query", "doc"))
            tasks[query, doc] = {name: value for name, value in record.items() if not re.fullmatch(self.hidden, name)}
        size = self.size.format(records=len(records), rows=len(table))
        return Parsed(pd.concat(frames, ignore_index=True), size, dict(left_out), roles, tasks, tuple(remarks))

    def _of_lines(self, content: Content, left_out: Counter) -> Table:
        """Table of the groups of lines that are judgments; a query has its text where the file says it."""
        pattern, called, rows, places = re.compile(self.line), {}, [], []
        for number, text in enumerate(map(str.strip, content.lines), 1):
            if match := pattern.fullmatch(text):
                rows.append(match.group("query", "doc", "grade"))
                places.append(f"line {number}")
            elif match := re.fullmatch(self.names, text):
                if match[1] in called or match[2] in called.values():
                    raise ValueError(
                        f"{content.path}, line {number}: a second {text!r}, expected one text for each qid"
                    )
                called[match[1]] = match[2]
            elif text and not re.fullmatch(self.comment, text):
                raise ValueError(f"{content.path}, line {number}: {text[:60]!r}, expected {self.form}")
            else:
                left_out["lines of comment"] += bool(text)
        if called and (lost := next((n for n, row in enumerate(rows) if row[0] not in called), None)) is not None:
            qid = rows[lost][0]
            raise ValueError(
                f"{content.path}, {places[lost]}: qid {qid} has no line '# qid:{qid}: TEXT' as others have"
            )
        rows = [(called[query], *rest) for query, *rest in rows] if called else rows
        return Table.of(content.path, ["query", "doc", "grade"], rows, places)

    def _with_values(self, frame: pd.DataFrame, wanted: Wanted, left_out: Counter) -> tuple[pd.DataFrame, list[str]]:
        """The judgments whose grades are no values of the layout, or what these stand for, unless declared."""
        said = []
        for value, (grade, why) in self.values.items():
            if any(value in scale for scale in wanted.grades.values()):
                continue
            spelt = frame["grade"].isin([text for text in frame["grade"].unique() if key(text) == value])
            if grade and spelt.any():
                frame = frame.assign(grade=frame["grade"].mask(spelt, grade))
                said.append(f"{spelt.sum()} grades of {value} ({why}) are read as {grade}.")
            elif not grade:
                frame, left_out[f"lines with {value} ({why})"] = frame[~spelt], int(spelt.sum())
        return frame, said

    def _records(self, records: Sequence[tuple[str, dict]]) -> list[tuple[str, dict]]:
        """The records with their places, by id where they are called so, and lists as objects where that is said."""
        found = []
        for place, record in records:
            inside = values_at(record, self.inside) if self.inside else []
            record = inside[0] if len(inside) == 1 and isinstance(inside[0], dict) else record
            place = f"{self.called} {record['id']}" if self.called and type(record.get("id")) in (int, str) else place
            for name, by in self.keyed.items():
                record = _keyed(record, name, by)
            found.append((place, record))
        return found

    def _roles(self, path: Path, names: list[str], wanted: Wanted, question: str, grade: str) -> dict[str, str]:
        """Name by role, that of the grade as it is known, if it is."""
        roles = {"grade": grade} if grade else {}
        for role, said in {**self.roles, **wanted.columns}.items():
            if role in roles:
                continue
            if role in wanted.columns:
                roles[role] = present(path, role, wanted.columns[role][0], names)
            elif not said or said.endswith("."):
                roles[role] = required(path, role, [n for n in names if n.startswith(tuple(said.split("|")))], {})
            elif "(" not in said:
                roles[role] = _filled(said, question)
            elif len(fitting := [name for name in names if re.fullmatch(said, name)]) == 1:
                roles[role] = fitting[0]
        return roles

    def _asked(self, path: Path, names: list[str], wanted: Wanted) -> tuple[str, str]:
        """The one question that has answers, or the one that the user names, and where its grades stand."""
        of = {match[1]: match[0] for name in names if (match := re.fullmatch(self.roles["grade"], name))}
        if "grade" in wanted.columns:
            asked = wanted.columns["grade"][0]
            question = next((short for short, name in of.items() if name == asked), asked)
            return present(path, "grade", question, of), of[question]
        if len(of) != 1:
            call = columns_call({"grade": next(iter(of), "QUESTION")})
            raise ValueError(
                f"{path}: answers are there to {checks.some(of) or 'nothing'}, expected one question: add {call} with "
                "the one that holds the grades"
            )
        return next(iter(of.items()))

    def _exploded(
        self, path: Path, records: Sequence[tuple[str, dict]], roles: Mapping[str, str], left_out: Counter
    ) -> Table:
        """Table of what stands at the roles and statuses."""
        names = {role: roles[role] for role in ROLES if role in roles} | {name: name for name in self.statuses}
        return exploded(path, records, self.rows, names, left_out, self.without, self.keys)

    def _judged(self, content: Content, table: Table, roles: Mapping[str, str], left_out: Counter) -> pd.DataFrame:
        """The rows of a table that count."""
        table, reasons = counting(table, self.statuses)
        left_out.update(reasons)
        named = {role: role if role in table.header else roles[role] for role in ROLES if role in roles}
        frame = frame_of(table, (named, {"query": ALL, "assessor": content.stem}))
        frame["assessor"] = frame["assessor"].replace("", self.unnamed)
        frame = with_role(frame, "grade", left_out, self.empty)
        return with_role(frame, "assessor", left_out, self.anonymous) if self.anonymous else frame

    def _refuse_codes(self, path: Path, grades: pd.Series) -> None:
        """ValueError where the values are known to be no grades."""
        values = sorted({key(grade) for grade in grades}, key=lambda value: (len(value), value))
        if re.fullmatch(self.codes["are"], ",".join(values)):
            said = [f"{checks.advice('grades', call)} {what}" for call, what in self.codes["calls"].items()]
            said = ", or ".join(said) or f"{grades_call(values)} with their grades"
            raise ValueError(f"{path}: its {self.codes['says']} ({', '.join(values)}) and no grades: add {said}")


def _filled(value: Any, question: str) -> Any:
    """What a layout says with the name of the question."""
    if isinstance(value, dict):
        return {_filled(name, question): _filled(of, question) for name, of in value.items()}
    return value.replace("{question}", question) if isinstance(value, str) else value


def _first(value: Any, name: str) -> str | None:
    """The key of an object with which a dotted name begins; keys may have dots of their own."""
    if not isinstance(value, dict):
        return None
    return name if name in value else next((h for h in accumulate(name.split("."), "{}.{}".format) if h in value), None)


def values_at(value: Any, name: str) -> list:
    """All that stands at a name, through lists, nulls and empty texts left out."""
    if isinstance(value, list):
        return [found for item in value for found in values_at(item, name)]
    if not name:
        return [] if value is None or value == "" else [value]
    first = _first(value, name)
    return [] if first is None else values_at(value[first], name[len(first) + 1 :])


def exploded(
    path: Path,
    records: Sequence[tuple[str, dict]],
    rows: str,
    names: Mapping[str, str],
    left_out: Counter,
    without: str | None,
    keys: Sequence[str] = (),
) -> Table:
    """Table of what stands at names, by the header of their column, for each judgment on the way that rows says.

    A list that is not there is refused, unless without is None; where it is empty that is counted as `without`.
    """
    steps = [(name.strip("."), kind) for name, kind in STEP.findall(rows)]

    def down(place: str, holder: Any, depth: int) -> Iterator[tuple[str, Any, dict[str, Any]]]:
        """Place, the holder with one item in the place of each list, and the keys and the item on the way."""
        if depth == len(steps):
            yield place or "record 1", holder, {ITEM: holder}
            return
        name, kind = steps[depth]
        items = _items(path, place, holder, name, kind, strict=without is not None)
        if depth == len(steps) - 1 and without and not items:
            left_out[without] += 1
        for called, item, beside in items:
            for where, inner, on_way in down(f"{place}, {name} {called}".strip(", "), item, depth + 1):
                yield where, _with(holder, name, inner, beside), {kind: called, **on_way}

    places, cells = [], []
    for record_at, record in records:
        for place, row, on_way in down(record_at, record, 0):
            item = on_way[ITEM]
            if keys and (not isinstance(item, dict) or set(item) - set(keys)):
                said = ", ".join(sorted(keys))
                raise ValueError(f"{path}, {place}: {_short(item)}, expected the keys {said} and no others")
            places.append(place)
            cells.append([_cell(path, place, header, row, on_way, name) for header, name in names.items()])
    return Table.of(path, list(names), cells, places)


def _items(
    path: Path, place: str, holder: Any, name: str, kind: str, *, strict: bool
) -> list[tuple[Any, Any, dict[str, Any]]]:
    """Number or key, and item, of the list or object at a name, and its part of the lists beside a list of texts,
    which are called NAME.MORE."""
    value, rest = holder, name
    while rest and (first := _first(value, rest)) is not None:
        value, rest = value[first], rest[len(first) + 1 :]
    if strict and rest == name != "":
        raise ValueError(f"{path}, {place or 'record 1'}: no {name!r} in {_short(holder)}, expected it")
    if rest or value is None:
        return []
    if not isinstance(value, list if kind == "[]" else dict):
        raise ValueError(f"{path}, {place}: {_short(value)}, expected a list or an object of judgments")
    if kind != "[]":
        return [(key, item, {}) for key, item in value.items()]
    named = holder.items() if isinstance(holder, dict) and not any(isinstance(item, dict) for item in value) else ()
    more = {key: of for key, of in named if key.startswith(f"{name}.") and isinstance(of, list)}
    if {len(of) for of in more.values()} - {len(value)}:
        counts = " and ".join(str(len(of)) for of in (value, *more.values()))
        called = ", ".join([name, *(key[len(name) + 1 :] for key in more)])
        raise ValueError(f"{path}, {place}: {counts} of {called}, expected as many of each")
    return [(n + 1, item, {key: of[n] for key, of in more.items()}) for n, item in enumerate(value)]


def _with(holder: Any, name: str, item: Any, beside: Mapping[str, Any]) -> Any:
    """The holder with an item at a name, and others beside it."""
    if not name:
        return item
    first = _first(holder, name)
    return {**holder, first: _with(holder[first], name[len(first) + 1 :], item, {}), **beside}


def _cell(path: Path, place: str, header: str, row: Any, on_way: Mapping[str, Any], names: str) -> str:
    """The one text at the first of the names at which something stands; explanations may be several."""
    found = []
    for name in names.split("|"):
        if found := values_at(on_way[name], "") if name in on_way else values_at(row, name):
            break
    texts = [cell_text(path, place, boxed(value) if header == "grade" else value) for value in found]
    if len(texts) > 1 and header != "explanation":
        call = f": add {columns_call({header: 'NAME'})} with a key of one" if header in ("query", "doc") else ""
        raise ValueError(f"{path}, {place}: several answers, {checks.some(texts, 5)}, expected one {header}{call}")
    return " ".join(texts)


def boxed(value: Any) -> Any:
    """The key that is ticked where a value is an object of boxes or of one key; else the value."""
    if not isinstance(value, dict):
        return value
    ticks = {name: str(tick).casefold() for name, tick in value.items()}
    ticked = [name for name, tick in ticks.items() if tick == "true" or len(ticks) == 1]
    return ticked[0] if len(ticked) == 1 and (len(ticks) == 1 or set(ticks.values()) <= {"true", "false"}) else value


def _keyed(value: Any, name: str, by: str) -> Any:
    """The value with the list at a name as an object of its items by a field of theirs."""
    if isinstance(value, list) and name:
        return [_keyed(item, name, by) for item in value]
    if not name:
        found: dict[str, list] = {}
        for item in value if isinstance(value, list) else []:
            found.setdefault(str(item.get(by)) if isinstance(item, dict) else "", []).append(item)
        return found
    head, _, rest = name.partition(".")
    return {**value, head: _keyed(value[head], rest, by)} if isinstance(value, dict) and head in value else value


def _short(value: Any) -> str:
    text = repr(list(value) if isinstance(value, dict) else value)
    return text if len(text) <= 60 else f"{text[:57]}..."


LAYOUTS = [Layout(**TOOLS["default"] | declared) for declared in TOOLS["format"]]
