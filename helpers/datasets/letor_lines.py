"""What lines of LETOR or SVMlight text say of documents, or where they say nothing sensible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from helpers.datasets.letor_scan import (
    EITHER,
    EMPTY_QID,
    FINE,
    GRADE,
    INDEX,
    NO_QID,
    REPEATED,
    UNEXPECTED_QID,
    VALUE,
    Room,
    scan,
)

HIGHEST_INDEX = 1_000_000  # of a feature: a dense array with more columns is a slip, not a collection
LONGEST_SHOWN = 40


class LineError(ValueError):
    """What is wrong with a line, and the position in the text where it shows."""

    def __init__(self, position: int, message: str):
        super().__init__(message)
        self.position = position


class Block(NamedTuple):
    """What lines say of n_docs documents, in the order of the lines.

    Documents that follow each other under one query id are a run. The entries (feature, value) of all documents
    stand one after the other; those of document r end before stops[r].
    """

    grades: np.ndarray  # (n_docs,) int8
    run_starts: np.ndarray  # (n_runs,) first document of each run
    query_ids: list[str]  # one for each run; "" without qid
    doc_ids: np.ndarray | None  # (n_docs,) str, "" where a line names none; None where no line does
    stops: np.ndarray  # (n_docs,) int64
    index: np.ndarray  # (n_entries,) int32, as in the text, where they count from 0 or from 1
    value: np.ndarray  # (n_entries,) float32


def parse(text: bytes, limit: int = HIGHEST_INDEX, qid: int = EITHER) -> Block:
    r"""Grades, queries, document ids and features in whole lines of LETOR or SVMlight text.

    A value is the float32 nearest to the double nearest to the decimal number. Features may come in any order.

    Parameters
    ----------
    text : lines ``grade [qid:ID] index:value … [# docid = ID …]``; blank lines and lines of comment are skipped
    limit : highest feature index allowed
    qid : EITHER (but all lines alike), WITHOUT_QID or WITH_QID

    Raises
    ------
    LineError
        at the first line that says anything else.

    Examples
    --------
    >>> block = parse(b"2 qid:7 1:0.5 3:1e-1 #docid = A\n0 qid:7 2:4\n")
    >>> block.grades, block.query_ids, block.doc_ids
    (array([2, 0], dtype=int8), ['7'], array(['A', ''], dtype='<U1'))
    >>> block.stops, block.index, block.value
    (array([2, 3]), array([1, 3, 2], dtype=int32), array([0.5, 0.1, 4. ], dtype=float32))
    >>> parse(b"2 qid:7 137:0.5\n", limit=136)
    Traceback (most recent call last):
    helpers.datasets.letor_lines.LineError: feature index 137, expected a whole number from 0 to 136
    """
    if not text.endswith(b"\n"):
        text += b"\n"
    room = Room.for_text(text)
    defect, position, n_docs, n_entries, n_unsure = scan(np.frombuffer(text, np.uint8), room, limit, qid)
    errors = [*_nul(text), *_settle(text, room, n_unsure), *_undecoded(text, room, n_docs)]
    if defect != FINE:
        errors.append(LineError(position, _wording(defect, _token(text, position), limit)))
    if errors:
        raise min(errors, key=lambda error: text.count(b"\n", 0, error.position))
    run_starts = np.flatnonzero(room.starts_run[:n_docs])
    return Block(
        room.grades[:n_docs],
        run_starts,
        _texts(text, room.query_start[run_starts], room.query_stop[run_starts]),
        _doc_ids(text, room.doc_start[:n_docs], room.doc_stop[:n_docs]),
        room.stops[:n_docs],
        room.index[:n_entries].copy(),
        room.value[:n_entries].copy(),
    )


def _nul(text: bytes) -> Iterator[LineError]:
    if b"\0" in text:
        yield LineError(text.index(b"\0"), "a NUL byte, expected text in UTF-8 (UTF-16 has such bytes)")


def _settle(text: bytes, room: Room, n_unsure: int) -> Iterator[LineError]:
    """Let Python read the few numbers that one product of doubles cannot settle."""
    for entry, start in zip(room.unsure_entry[:n_unsure], room.unsure_start[:n_unsure], strict=True):
        pair = _token(text, start)
        with np.errstate(over="ignore"):
            room.value[entry] = np.float32(float(pair.partition(":")[2]))
        if np.isinf(room.value[entry]):
            yield LineError(start, _wording(VALUE, pair))


def _undecoded(text: bytes, room: Room, n_docs: int) -> Iterator[LineError]:
    """The ids of these documents that are not UTF-8."""
    if text.isascii():
        return
    for starts, stops in ((room.query_start, room.query_stop), (room.doc_start, room.doc_stop)):
        for start, stop in zip(starts[:n_docs].tolist(), stops[:n_docs].tolist(), strict=True):
            shown = _decoded(text[start:stop])
            if shown.encode() != text[start:stop]:
                yield LineError(start, f"id {_shown(shown)}, expected text in UTF-8 (this may be Latin-1)")


def _doc_ids(text: bytes, starts: np.ndarray, stops: np.ndarray) -> np.ndarray | None:
    return None if np.all(starts < 0) else np.array(_texts(text, starts, stops))


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
