"""Collections written as LETOR text."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import BinaryIO

import numpy as np

from helpers.datasets.collection import Collection
from helpers.files import replacing

OPENERS = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
PLAIN = (1e-4, 1e6)
"""From and up to which size numbers are written without an exponent."""

QUERY_ID, DOC_ID = re.compile(r"[^\s#]+", re.ASCII), re.compile(r"\S*", re.ASCII)


def write(collection: Collection, path: str | Path) -> Path:
    """Write a collection as LETOR text, packed where path ends in .gz, .bz2 or .xz; complete or not at all.

    Every feature is written, zeros too, with the fewest digits that `read` gives back as the same float32.

    Parameters
    ----------
    collection : to be written
    path : the file, whose folder is made where it is missing

    Raises
    ------
    ValueError
        where the text could not be read again: features that are not finite or none at all; ids with blanks, query
        ids that are empty, hold # or stand for two queries.
    """
    path = Path(path)
    _check_writable(collection)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path, "wb") as file, _packing(file, path.suffix) as packed:
        packed.writelines(_lines(collection))
    return path


def _packing(file: BinaryIO, suffix: str) -> AbstractContextManager[BinaryIO]:
    return OPENERS[suffix](file, "wb") if suffix in OPENERS else nullcontext(file)


def _lines(collection: Collection) -> Iterator[bytes]:
    for row, query in enumerate(collection.query_index):
        values = enumerate(collection.features[row], start=1)
        pairs = " ".join(f"{index}:{_shortest(value)}" for index, value in values)
        comment = "" if collection.doc_ids is None else f" #docid = {collection.doc_ids[row]}"
        yield f"{collection.grades[row]} qid:{collection.query_ids[query]} {pairs}{comment}\n".encode()


def _shortest(value: np.float32) -> str:
    """The shortest digits that are read as the number; with an exponent beyond PLAIN, whatever numpy's own text is."""
    low, high = PLAIN
    plain = value == 0 or low <= abs(float(value)) < high
    text = (np.format_float_positional if plain else np.format_float_scientific)(value, trim="-")
    # Read by way of a double, only the text of 7.038531e-26 misses its float32.
    return text if np.float32(float(text)) == value else f"{value:.9g}"


def _check_writable(collection: Collection) -> None:
    if collection.n_features == 0:
        raise ValueError("features has no columns, expected at least one")
    wrong = np.argwhere(~np.isfinite(collection.features))
    if len(wrong):
        row, column = wrong[0]
        found = collection.features[row, column]
        raise ValueError(f"features: row {row}, column {column} is {found}, expected a finite number")
    _check_ids("query_ids", collection.query_ids, QUERY_ID)
    _check_ids("doc_ids", [] if collection.doc_ids is None else collection.doc_ids, DOC_ID)
    ids, counts = np.unique(collection.query_ids, return_counts=True)
    if counts.max() > 1:
        raise ValueError(f"query_ids: {str(ids[counts.argmax()])!r} stands for {counts.max()} queries, expected one")


def _check_ids(argument: str, ids: Iterable[str], form: re.Pattern) -> None:
    for name in ids:
        if not form.fullmatch(name):
            raise ValueError(f"{argument}: {str(name)!r}, expected an id that matches {form.pattern}")
