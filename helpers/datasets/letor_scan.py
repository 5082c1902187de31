"""LETOR and SVMlight text, line by line: one compiled pass over its bytes, and the words for what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numba import njit

FINE, GRADE, NO_QID, EMPTY_QID, UNEXPECTED_QID, INDEX, REPEATED, VALUE = range(8)
EITHER, WITHOUT_QID, WITH_QID = range(3)
SHORTEST_ENTRY = len(" 1:0")

NEWLINE, SPACE, TAB, RETURN, HASH = (ord(character) for character in "\n \t\r#")
PLUS, MINUS, POINT, COLON, EQUALS, ZERO, NINE = (ord(character) for character in "+-.:=09")
LOWER_E, UPPER_E = ord("e"), ord("E")
QID_PREFIX, DOCID_WORD = np.frombuffer(b"qid:", np.uint8), np.frombuffer(b"docid", np.uint8)

MANY = 10**17  # a number this long has lost less than one part in as many when further digits are left out
FARTHEST = 99
POWERS_OF_TEN = np.array([float(f"1e{power}") for power in range(-FARTHEST, FARTHEST + 1)])
HUGE = 10**12  # as an exponent, more than the digits before it could make up for
ERROR = 2.0**-50  # more than the three roundings of 2**-53 and the digits left out

HIGHEST_INDEX = 1_000_000  # of a feature: a dense array with more columns is a slip, not a collection
LONGEST_SHOWN = 40


class _Room(NamedTuple):
    """Arrays that the pass fills, with an element for each document or for each entry, index:value, of a document."""

    grades: np.ndarray  # (rows,) int8
    starts_run: np.ndarray  # (rows,) bool, whether the query id differs from that of the row before
    query_start: np.ndarray  # (rows,) where the query id starts
    query_stop: np.ndarray  # (rows,) and where it stops, equal without qid
    doc_start: np.ndarray  # (rows,) where the document id starts, -1 where there is none
    doc_stop: np.ndarray  # (rows,) and where it stops
    stops: np.ndarray  # (rows,) number of entries up to the end of this row
    index: np.ndarray  # (entries,) int32, as in the text
    value: np.ndarray  # (entries,) float32
    unsure_entry: np.ndarray  # (entries,) an entry whose value is left to the caller
    unsure_start: np.ndarray  # (entries,) and where its index:value starts

    @classmethod
    def for_text(cls, text: bytes) -> _Room:
        """Room for whatever the text may hold."""
        rows, entries = text.count(b"\n"), len(text) // SHORTEST_ENTRY + 1
        spans = [np.zeros(rows, np.int64) for _ in range(5)]
        unsure = [np.empty(entries, np.int64) for _ in range(2)]
        grades, starts_run = np.empty(rows, np.int8), np.empty(rows, np.bool_)
        index, value = np.empty(entries, np.int32), np.empty(entries, np.float32)
        return cls(grades, starts_run, *spans, index, value, *unsure)


class LineError(ValueError):
    """What is wrong with a line, and the position in the text where it shows."""

    def __init__(self, position: int, message: str):
        super().__init__(message)
        self.position = position


class Block(NamedTuple):
    """What lines say of n_docs documents, in their order; documents one after another under one query id are a run."""

    grades: np.ndarray  # (n_docs,) int8
    run_starts: np.ndarray  # (n_runs,) first document of each run
    query_ids: list[str]  # one for each run; "" without qid
    doc_ids: np.ndarray | None  # (n_docs,) str, "" where a line names none; None where no line does
    stops: np.ndarray  # (n_docs,) int64, where the entries (feature, value) of each document end
    index: np.ndarray  # (n_entries,) int32, as in the text, where they count from 0 or from 1
    value: np.ndarray  # (n_entries,) float32


def parse(text: bytes, limit: int = HIGHEST_INDEX, qid: int = EITHER) -> Block:
    """What lines ``grade [qid:ID] index:value … [# docid = ID …]`` say, or LineError at the first that says else."""
    # A value is the float32 nearest to the double nearest to the decimal number.
    if not text.endswith(b"\n"):
        text += b"\n"
    room = _Room.for_text(text)
    defect, position, n_docs, n_entries, n_unsure = _scan(np.frombuffer(text, np.uint8), room, limit, qid)
    errors = [*_settle(text, room, n_unsure), *_undecoded(text, room, n_docs)]
    if b"\0" in text:
        errors.append(LineError(text.index(b"\0"), "a NUL byte, expected text in UTF-8 (UTF-16 has such bytes)"))
    if defect != FINE:
        errors.append(LineError(position, _wording(defect, _token(text, position), limit)))
    if errors:
        raise min(errors, key=lambda error: text.count(b"\n", 0, error.position))
    run_starts, has_doc_id = np.flatnonzero(room.starts_run[:n_docs]), room.doc_start[:n_docs] >= 0
    return Block(
        room.grades[:n_docs],
        run_starts,
        _texts(text, room.query_start[run_starts], room.query_stop[run_starts]),
        np.array(_texts(text, room.doc_start[:n_docs], room.doc_stop[:n_docs])) if has_doc_id.any() else None,
        room.stops[:n_docs],
        room.index[:n_entries].copy(),
        room.value[:n_entries].copy(),
    )


def _settle(text: bytes, room: _Room, n_unsure: int) -> Iterator[LineError]:
    """Let Python read the few numbers that one product of doubles cannot settle."""
    for entry, start in zip(room.unsure_entry[:n_unsure], room.unsure_start[:n_unsure], strict=True):
        pair = _token(text, start)
        with np.errstate(over="ignore"):
            room.value[entry] = np.float32(float(pair.partition(":")[2]))
        if np.isinf(room.value[entry]):
            yield LineError(start, _wording(VALUE, pair))


def _undecoded(text: bytes, room: _Room, n_docs: int) -> Iterator[LineError]:
    """The ids of these documents that are not UTF-8."""
    if text.isascii():
        return
    for starts, stops in ((room.query_start, room.query_stop), (room.doc_start, room.doc_stop)):
        for start, stop in zip(starts[:n_docs].tolist(), stops[:n_docs].tolist(), strict=True):
            shown = _decoded(text[start:stop])
            if shown.encode() != text[start:stop]:
                yield LineError(start, f"id {_shown(shown)}, expected text in UTF-8 (this may be Latin-1)")


def _texts(text: bytes, starts: np.ndarray, stops: np.ndarray) -> list[str]:
    return [_decoded(text[start:stop]) for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)]


def _token(text: bytes, start: int) -> str:
    line = text[start : text.index(b"\n", start)]
    tokens = line.partition(b"#")[0].split(maxsplit=1)
    return _decoded(tokens[0]) if tokens else ""


def _decoded(raw: bytes) -> str:
    return raw.decode("utf-8", "backslashreplace")


def _wording(defect: int, token: str, limit: int = HIGHEST_INDEX) -> str:
    index, colon, value = token.partition(":")
    if defect == INDEX and not colon:
        return f"{_shown(token)}, expected a feature as index:value"
    found, expected = {
        GRADE: (f"grade {_shown(token)}", "a whole number from 0 to 127"),
        NO_QID: ("no qid after the grade", "qid:ID there in every line, or in no line and a .query file beside"),
        EMPTY_QID: ("qid without an id", "qid:ID"),
        UNEXPECTED_QID: (f"{_shown(token)}", "no qid, as in the lines before"),
        INDEX: (f"feature index {_shown(index)}", f"a whole number from 0 to {limit}"),
        REPEATED: (f"feature index {_shown(index)} again", "each index once in a line"),
        VALUE: (f"value {_shown(value)} of feature {_shown(index)}", "a finite number"),
    }[defect]
    return f"{found}, expected {expected}"


def _shown(token: str) -> str:
    """A token for a message: numbers as they are, anything else quoted, cut where it is long."""
    if len(token) > LONGEST_SHOWN:
        token = token[:LONGEST_SHOWN] + "…"
    try:
        float(token)
    except ValueError:
        return repr(token)
    return token


@njit(cache=True)
def _scan(text, room, limit, qid):
    """Fill room from text, which ends in a newline: the first defect or FINE, where it is, rows, entries, unsure."""
    i = row = entry = unsure = 0
    while i < len(text):
        i = _skip_blanks(text, i)
        if not _ends_line(text[i]):
            defect, i, qid = _head(text, i, row, room, qid)
            if defect == FINE:
                defect, i, entry, unsure = _entries(text, i, entry, unsure, room, limit)
            if defect != FINE:
                return defect, i, row, entry, unsure
            room.stops[row] = entry
            room.doc_start[row], room.doc_stop[row] = _doc_id(text, i)
            row += 1
        while text[i] != NEWLINE:
            i += 1
        i += 1
    return FINE, i, row, entry, unsure


@njit(cache=True)
def scatter(features, stops, index, value):
    """Put the entries of each document, which end at its stop, into its row of the dense features."""
    start = 0
    for row in range(len(stops)):
        for entry in range(start, stops[row]):
            features[row, index[entry]] = value[entry]
        start = stops[row]


@njit(cache=True)
def _head(text, i, row, room, qid):
    """Grade and query id: (defect, position, whether lines have a qid)."""
    grade, stop = _grade(text, i)
    if grade < 0:
        return GRADE, i, qid
    room.grades[row] = grade
    start = stop = _skip_blanks(text, stop)
    found = WITH_QID if _same(text, start, QID_PREFIX, 0, len(QID_PREFIX)) else WITHOUT_QID
    if qid != EITHER and qid != found:
        return NO_QID if qid == WITH_QID else UNEXPECTED_QID, start, qid
    if found == WITH_QID:
        start += len(QID_PREFIX)
        stop = start
        while not _ends_token(text[stop]):
            stop += 1
        if start == stop:
            return EMPTY_QID, start, found
    room.query_start[row], room.query_stop[row] = start, stop
    before, length = room.query_start[row - 1], stop - start
    same_length = room.query_stop[row - 1] - before == length
    room.starts_run[row] = row == 0 or not same_length or not _same(text, start, text, before, length)
    return FINE, stop, found


@njit(cache=True)
def _grade(text, i):
    """The whole number from 0 to 127 at i, or -1, and its end."""
    grade, start = 0, i + (text[i] == PLUS)
    i = start
    while _is_digit(text[i]) and grade <= 127:
        grade = grade * 10 + _digit(text[i])
        i += 1
    whole = i > start and grade <= 127
    if text[i] == POINT:
        i += 1
        while text[i] == ZERO:
            i += 1
    return grade if whole and _ends_token(text[i]) else -1, i


@njit(cache=True)
def _entries(text, i, entry, unsure, room, limit):
    """Pairs index:value up to the end of the line: (defect, position, entries, unsure entries).

    One long function, because numba counts references to text at every call, for most of the time.
    """
    row_start, highest = entry, -1
    while True:
        while _is_blank(text[i]):
            i += 1
        if _ends_line(text[i]):
            return FINE, i, entry, unsure
        start, index = i, 0
        while _is_digit(text[i]) and index <= limit:
            index = index * 10 + _digit(text[i])
            i += 1
        if text[i] != COLON or i == start or index > limit:
            return INDEX, start, entry, unsure
        if index <= highest and _among(index, room.index, row_start, entry):
            return REPEATED, start, entry, unsure
        highest = max(highest, index)
        i += 2 if text[i + 1] in (MINUS, PLUS) else 1
        first, point, mantissa, power = i, -1, 0, 0
        while _is_digit(text[i]) or (text[i] == POINT and point < 0):
            if text[i] == POINT:
                point = i
            elif mantissa < MANY:
                mantissa = mantissa * 10 + _digit(text[i])
            else:
                power += 1
            i += 1
        n_digits = i - first - (point >= 0)
        power -= i - point - 1 if point >= 0 else 0
        if text[i] in (LOWER_E, UPPER_E):
            exponent, i = _exponent(text, i)
            power += exponent
        value, sure = _scaled(mantissa, power)
        if n_digits == 0 or not _ends_token(text[i]) or np.isinf(value):
            return VALUE, start, entry, unsure
        room.index[entry], room.value[entry] = index, -value if text[first - 1] == MINUS else value
        if not sure:
            room.unsure_entry[unsure], room.unsure_start[unsure] = entry, start
            unsure += 1
        entry += 1


@njit(cache=True)
def _exponent(text, i):
    """The exponent whose letter e is at i, and its end; 0 and i where no digit follows."""
    start = i + (2 if text[i + 1] in (MINUS, PLUS) else 1)
    exponent, stop = 0, start
    while _is_digit(text[stop]):
        exponent = min(exponent * 10 + _digit(text[stop]), HUGE)
        stop += 1
    if stop == start:
        return 0, i
    return -exponent if text[i + 1] == MINUS else exponent, stop


@njit(cache=True)
def _scaled(mantissa, power):
    """mantissa * 10**power as the float32 nearest to the nearest double, and whether that is sure.

    The product of doubles is within ERROR of the true one: where both ends of that interval have the same
    nearest float32, so has everything between them.
    """
    if abs(power) > FARTHEST:
        return np.float32(0), False
    product = mantissa * POWERS_OF_TEN[power + FARTHEST]
    low, high = np.float32(product * (1 - ERROR)), np.float32(product * (1 + ERROR))
    return low, low == high


@njit(cache=True)
def _doc_id(text, i):
    """Where the token after ``#docid =`` starts and stops; -1 twice where the comment at i has none."""
    if text[i] == HASH:
        i = _skip_blanks(text, i + 1)
        if _same(text, i, DOCID_WORD, 0, len(DOCID_WORD)):
            i = _skip_blanks(text, i + len(DOCID_WORD))
            if text[i] == EQUALS:
                start = stop = _skip_blanks(text, i + 1)
                while not _is_blank(text[stop]) and text[stop] != NEWLINE:
                    stop += 1
                return start, stop
    return -1, -1


@njit(cache=True)
def _same(text, i, other, j, length):
    """Whether text from i is the same as the other from j; the newline at the end of text stops the search."""
    k = 0
    while k < length and text[i + k] == other[j + k]:
        k += 1
    return k == length


@njit(cache=True)
def _among(index, indices, start, stop):
    k = start
    while k < stop and indices[k] != index:
        k += 1
    return k < stop


@njit(cache=True)
def _skip_blanks(text, i):
    while _is_blank(text[i]):
        i += 1
    return i


@njit(cache=True)
def _digit(byte):
    """What a digit is worth, as a number that grows without running over, compiled or not."""
    return np.int64(byte) - ZERO


@njit(cache=True)
def _is_digit(byte):
    return ZERO <= byte <= NINE


@njit(cache=True)
def _is_blank(byte):
    return byte in (SPACE, TAB, RETURN)


@njit(cache=True)
def _ends_line(byte):
    return byte in (NEWLINE, HASH)


@njit(cache=True)
def _ends_token(byte):
    return _is_blank(byte) or _ends_line(byte)
