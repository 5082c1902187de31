"""Collections in LETOR and SVMlight text files: read, written, and cached as memory maps."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import math
import mmap
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pandas as pd
import psutil

from helpers import files, texts
from helpers.datasets.collection import Collection, cache_entry, from_cache, into_cache, offsets_of
from helpers.datasets.letor_scan import (
    EITHER,
    HIGHEST_INDEX,
    LONGEST_SHOWN,
    WITH_QID,
    WITHOUT_QID,
    Block,
    LineError,
    parse,
    scatter,
)

OPENERS = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
PACKED = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\0": lzma.open}  # by the first bytes
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
LONGEST_SIZE = 18  # digits of the size of a query
BLOCK_SIZE = 2**20
OTHER_ENDS = re.compile("\r|\u0085|\u2028|\u2029".encode())
CACHE_FORMAT = 1  # to be raised when the same file would be read differently
OWN_PAGES = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}

PLAIN = (1e-4, 1e6)  # from and up to which size numbers are written without an exponent
QUERY_ID, DOC_ID = re.compile(r"[^\s#]+", re.ASCII), re.compile(r"\S*", re.ASCII)


def read(path: str | Path, n_features: int | None = None, base: int | None = None) -> Collection:
    r"""The collection in a LETOR, MSLR or SVMlight file in UTF-8, which may be packed by gzip, bzip2 or xz.

    A line is ``grade qid:ID index:value … # docid = ID …``: features that it leaves out are 0, comments may be
    missing, blank lines and lines of comment are skipped. The rows of a query id that comes back later move up
    to its first appearance. Where no line has a qid, the sizes of the queries stand in a file of the same name with
    .query appended (for x.txt.gz also x.txt.query), packed or not, one a line, as LightGBM has it, and queries are
    called 1, 2, …. Features count from 1, or from 0 where a line has an index 0, as scikit-learn writes them; then they
    are named in the collection, "0" first.

    Parameters
    ----------
    path : file; reading it takes less memory than two feature arrays and a few MB, but for one without line feeds
    n_features : columns of the feature array, by default as many as the highest feature index needs
    base : the first feature index, 0 or 1; None for 0 where a line has it, and 1 elsewhere

    Raises
    ------
    ValueError
        naming file and line: a grade that is not a whole number from 0 to 127; a feature index that is not a whole
        number, not among the n_features, or comes twice; a value that is not finite; an id that is not UTF-8; lines
        with and without qid; a feature index for which the memory that is available does not hold the feature array; or
        naming the file: a side file that does not fit, no document or no feature at all, a damaged packed file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "train.txt"
    ...     _ = path.write_text("2 qid:10 1:0.5 3:1 #docid = A\n0 qid:11 2:4\n1 qid:10 1:7 #docid = B\n")
    ...     train = read(path)
    >>> train
    Collection 'train.txt': 2 queries, 3 documents, 3 features, grades 0-2
    >>> train.features
    array([[0.5, 0. , 1. ],
           [7. , 0. , 0. ],
           [0. , 4. , 0. ]], dtype=float32)
    >>> train.query_ids, train.doc_ids
    (array(['10', '11'], dtype='<U2'), array(['A', 'B', ''], dtype='<U1'))
    """
    path = Path(path)
    if n_features is not None and n_features not in range(1, HIGHEST_INDEX + 1):
        raise ValueError(f"n_features is {n_features}, expected a whole number from 1 to {HIGHEST_INDEX}")
    side = _side_file(path)
    heads, dense, n_docs, first, last = [], [], 0, HIGHEST_INDEX, -1
    most = psutil.virtual_memory().available  # before blocks take it, which give it back as the feature array fills
    for block in _parsed(path, n_features or HIGHEST_INDEX, WITH_QID if side is None else EITHER):
        n_docs, first = n_docs + len(block.grades), int(block.index.min(initial=first))
        last = int(block.index.max(initial=last))
        width = n_features or last + 1 - (min(first, 1) if base is None else base)
        _refuse_size(path, n_docs, width, None if n_features else last, most)
        heads.append(block[:4])
        dense.append(_dense(block))
    if last < 0:
        missing = "feature" if heads else "document"
        raise ValueError(f"{path}: not a single {missing}, expected lines such as '2 qid:10 1:0.5 2:0'")
    base = min(first, 1) if base is None else base
    if first < base or last - base >= (n_features or last + 1):
        index, top = (first, "from 1") if first < base else (last, f"up to {n_features - 1}, as it counts from 0")
        raise ValueError(f"{path}, line {_line_of(path, index)}: feature index {index}, expected one {top}")
    query_ids, queries = _queries(heads, path, side)
    order = np.argsort(queries, kind="stable")
    grades = np.concatenate([grades for grades, *_ in heads])[order]
    doc_ids = None
    if any(own is not None for *_, own in heads):
        named = [np.full(len(grades), "") if own is None else own for grades, _, _, own in heads]
        doc_ids = np.concatenate(named)[order]
    features = _features(dense, np.argsort(order, kind="stable"), width, base)
    names = None if base else np.arange(width).astype(str)
    return Collection(features, grades, offsets_of(np.bincount(queries)), query_ids, doc_ids, path.name, names)


def counts_from_0(collection: Collection) -> bool:
    """Whether features of a collection that `read` gave are counted from 0 in its file."""
    return collection.feature_names is not None and collection.feature_names[0] == "0"


def cached(path: str | Path, n_features: int | None = None, base: int | None = None) -> Collection:
    """What `read` gives, parsed once and mapped from the user's cache while the file and its side file stay."""
    path = Path(path)
    variant = f"{n_features or 'all'}{'' if base is None else f'-from-{base}'}"

    def entry() -> Path:
        return cache_entry(("letor", CACHE_FORMAT, path.resolve()), filter(None, (path, _side_file(path))), variant)

    kept = entry()
    return from_cache(kept) or into_cache(read(path, n_features, base), kept, entry())


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

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> collection = Collection([[0.5], [0.25]], [1, 0], [0, 2])
    >>> with TemporaryDirectory() as folder:
    ...     write(collection, Path(folder) / "test.txt").read_text().splitlines()
    ['1 qid:1 1:0.5', '0 qid:1 1:0.25']
    """
    path = Path(path)
    _check_writable(collection)
    path.parent.mkdir(parents=True, exist_ok=True)
    pack = OPENERS.get(path.suffix, lambda file, mode: nullcontext(file))
    with files.replacing(path, "wb") as file, pack(file, "wb") as packed:
        packed.writelines(_lines(collection))
    return path


def _open(path: Path) -> BinaryIO:
    """The file, unpacked as its name says, or as its first bytes say where the name says nothing."""
    with files.regular(path).open("rb") as file:
        start = file.read(max(map(len, PACKED)))
    if start.startswith(UTF16):
        raise ValueError(f"{path}: text in UTF-16 or UTF-32, expected UTF-8")
    packed = (opener for first, opener in PACKED.items() if start.startswith(first))
    return OPENERS.get(path.suffix, next(packed, open))(path, "rb")


def _refuse_size(path: Path, n_docs: int, n_features: int, last: int | None, most: int) -> None:
    """Refuse a feature array of more bytes than that, with the line of the last index where that makes it."""
    size = n_docs * n_features * np.dtype(np.float32).itemsize
    if size > most:
        place = f"{path}" if last is None else f"{path}, line {_line_of(path, last)}"
        array = f"{n_docs:,} documents of {n_features:,} features take {size:,} bytes"
        raise ValueError(f"{place}: {array}, expected at most {most:,}, the memory that is available")


def _line_of(path: Path, index: int) -> int:
    """The first line that has this feature."""
    pair = re.compile(rb"^[^#\n]*[ \t\r]0*%d:" % index, re.MULTILINE)
    for line, text in _blocks(path):
        if match := pair.search(text):
            return line + text.count(b"\n", 0, match.start())
    raise ValueError(f"{path} was changed while it was read, expected a file at rest")


def _side_file(path: Path) -> Path | None:
    names = [path.name, path.stem] if path.suffix in OPENERS else [path.name]
    sides = (path.with_name(f"{name}.query{packed}") for name in names for packed in ("", *OPENERS))
    return next(filter(Path.is_file, sides), None)


def _parsed(path: Path, limit: int, qid: int) -> Iterator[Block]:
    """Blocks of at least one document; all lines with qid or all without."""
    for line, text in _blocks(path):
        try:
            block = parse(text, limit, qid)
        except LineError as error:
            line += text.count(b"\n", 0, error.position)
            raise ValueError(f"{path}, line {line}: {error}") from None
        if len(block.grades):
            qid = WITH_QID if block.query_ids[0] else WITHOUT_QID
            yield block


def _blocks(path: Path) -> Iterator[tuple[int, bytes]]:
    """Whole lines of the unpacked file, about BLOCK_SIZE bytes at a time, after the number of their first one.

    A byte order mark is left out; a text without line feeds is one block, and has them for whatever its lines end in.
    """
    line = 1
    with _open(path) as file:
        text = _block(file, path).removeprefix(codecs.BOM_UTF8)
        if b"\n" not in text:
            text = OTHER_ENDS.sub(b"\n", text)
        while text:
            yield line, text
            line += text.count(b"\n")
            text = _block(file, path)


def _block(file: BinaryIO, path: Path) -> bytes:
    try:
        return file.read(BLOCK_SIZE) + file.readline()
    except (EOFError, OSError, lzma.LZMAError, zlib.error) as error:
        raise ValueError(f"{path}: damaged or cut short ({error}), expected a complete file") from error


def _queries(heads: list[tuple], path: Path, side: Path | None) -> tuple[np.ndarray | None, np.ndarray]:
    """Query ids in order of first appearance, None where a side file has sizes, and each document's query's number."""
    if heads[0][2][0]:
        runs, query_ids = pd.factorize(np.array([name for _, _, names, _ in heads for name in names], object))
        lengths = [np.diff(run_starts, append=len(grades)) for grades, run_starts, _, _ in heads]
        return query_ids, np.repeat(runs, np.concatenate(lengths))
    sizes, n_docs = _sizes(side), sum(len(grades) for grades, *_ in heads)
    if sum(sizes) != n_docs:
        raise ValueError(f"{side}: sizes add up to {sum(sizes)}, expected {n_docs}, the documents in {path.name}")
    return None, np.repeat(np.arange(len(sizes)), sizes)


def _sizes(side: Path) -> list[int]:
    """The sizes of queries, a line each, in UTF-8 or, as some editors save it, in UTF-16 with its mark."""
    data = texts.unpacked(side)
    wide = data.startswith(UTF16) and not data.startswith(codecs.BOM_UTF32_LE)
    text = data.decode("utf-16", errors="replace") if wide else texts.decoded(side, data)
    tokens = [line.strip() for line in texts.BREAK.split(texts.with_line_feeds(text))]
    for line, token in enumerate(tokens, start=1):
        if token and not (token.isascii() and token.isdecimal() and len(token) <= LONGEST_SIZE and int(token) > 0):
            raise ValueError(
                f"{side}, line {line}: {token[:LONGEST_SHOWN]!a}, expected the size of a query, a whole number from 1"
            )
    return [int(token) for token in tokens if token]


def _dense(block: Block) -> np.ndarray:
    """(n_docs, highest index + 1) the features of a block, a column for each index from 0: of all blocks together they
    are no larger than the feature array, in pages that the system has back as soon as they are dropped."""
    shape = len(block.grades), int(block.index.max(initial=-1)) + 1
    pages = mmap.mmap(-1, max(math.prod(shape) * block.value.itemsize, 1), **OWN_PAGES)
    features = np.ndarray(shape, block.value.dtype, pages)
    scatter(features, block.stops, block.index, block.value)
    return features


def _features(dense: list[np.ndarray], rows: np.ndarray, n_features: int, base: int) -> np.ndarray:
    """The feature array; it takes those of blocks out of the list, so that their memory is free as it fills."""
    features = np.zeros((len(rows), n_features), np.float32)
    stop = len(rows)
    while dense:
        own = dense.pop()[:, base:]
        features[rows[stop - len(own) : stop], : own.shape[1]] = own
        stop -= len(own)
    return features


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
