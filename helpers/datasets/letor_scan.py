"""One compiled pass over the bytes of LETOR text; `letor_lines.parse` gives it room and words its defects."""

from __future__ import annotations

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


class Room(NamedTuple):
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
    def for_text(cls, text: bytes) -> Room:
        """Room for whatever the text may hold; what it does not hold is never touched."""
        rows, entries = text.count(b"\n"), len(text) // SHORTEST_ENTRY + 1
        spans = [np.zeros(rows, np.int64) for _ in range(5)]
        unsure = [np.empty(entries, np.int64) for _ in range(2)]
        grades, starts_run = np.empty(rows, np.int8), np.empty(rows, np.bool_)
        index, value = np.empty(entries, np.int32), np.empty(entries, np.float32)
        return cls(grades, starts_run, *spans, index, value, *unsure)


@njit(cache=True)
def scan(text, room, limit, qid):
    """Fill room from text, whose last byte is a newline, up to the first defect.

    limit is the highest feature index allowed; qid is EITHER, WITHOUT_QID or WITH_QID.
    Gives the defect or FINE, its position, and the number of rows, entries and unsure entries.
    """
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
def scatter(features, rows, stops, index, value):
    """Put the entries of each document into its row of the dense features.

    Parameters
    ----------
    features : (any, n_features) array that is written to
    rows : (n_docs,) row of each document
    stops : (n_docs,) where the entries of each document end; they begin where those of the one before end
    index, value : (n_entries,) column and value of each entry
    """
    start = 0
    for document in range(len(rows)):
        for entry in range(start, stops[document]):
            features[rows[document], index[entry]] = value[entry]
        start = stops[document]


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
        stop = _token_end(text, start)
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
def _token_end(text, i):
    while not _ends_token(text[i]):
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
