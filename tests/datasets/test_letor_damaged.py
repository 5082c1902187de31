"""Damaged LETOR files: read as the plain reader reads them, or refused with the line that it refuses."""

import os
import re

import numpy as np
import plain_letor
from damage import damaged

from helpers.datasets import letor

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
ODD = [b" ", b"\t", b"\r\n", b"\n", b"#", b":", b"0", b"-", b".", b"1e39", b"1e-46", b"nan", b"128", b"qid:", b"\xe9",
       b"\xc3\xa9", b"\0", b"1000001:", b"999999:", b"#docid = ", b"1:", b"+", b"e", b"00", b"16777217"]  # fmt: skip


def whole_text(rng):
    """A small file: three queries, one of which comes back, sparse rows, comments and blank lines."""
    lines = [b"# a head", b""]
    for row in range(12):
        indices = np.flatnonzero(rng.random(9) < 0.6) + 1
        values = rng.choice([b"0", b"1", b"-2.5", b"0.1", b"1e-7", b"%.17g" % rng.normal(0, 1e3)], len(indices))
        pairs = b" ".join(b"%d:%s" % pair for pair in zip(indices.tolist(), values, strict=True))
        comment = b" #docid = GX%d inc = 1" % row if row % 3 else b""
        lines.append(b"%d qid:%d %s%s" % (rng.integers(5), (row // 3) % 3, pairs, comment))
    return b"\n".join([*lines, b""])


def with_something_odd(text, rng):
    at = rng.integers(len(text) + 1)
    return text[:at] + ODD[rng.integers(len(ODD))] + text[at + rng.integers(2) :]


def assert_as_plain(collection, rows):
    assert collection.query_ids[collection.query_index].tolist() == [query for query, *_ in rows]
    assert collection.grades.tolist() == [grade for _, grade, *_ in rows]
    found = collection.doc_ids
    assert ([None] * len(rows) if found is None else found.tolist()) == (
        [None] * len(rows) if found is None else [doc_id or "" for *_, doc_id in rows]
    )
    assert (found is None) == all(doc_id is None for *_, doc_id in rows)
    base = min(1, min(min(entries, default=1) for _, _, entries, _ in rows))
    assert collection.n_features == max(max(entries, default=0) for _, _, entries, _ in rows) + 1 - base
    for row, (_, _, entries, _) in zip(collection.features, rows, strict=True):
        expected = np.zeros(collection.n_features, np.float32)
        expected[np.array(list(entries), int) - base] = list(entries.values())
        np.testing.assert_array_equal(row.view(np.uint32), expected.view(np.uint32))


def refused(read, argument):
    """What is read, or nothing and the refusal."""
    try:
        return read(argument), None
    except (ValueError, plain_letor.RefusedError) as error:
        return None, error


def test_a_damaged_file_is_read_right_or_refused_with_its_line(tmp_path, monkeypatch):
    """Eleven thousand files under LABEL_STUDIES_TESTS=all."""
    rng = np.random.default_rng(312)
    path = tmp_path / "train.txt"
    n_refused, n_files = 0, 11_000 if LARGE else 300
    for _ in range(n_files):
        monkeypatch.setattr(letor, "BLOCK_SIZE", int(rng.choice([1, 100, 2**20])))
        text = (damaged if rng.random() < 0.5 else with_something_odd)(whole_text(rng), rng)
        path.write_bytes(text)
        rows, expected = refused(plain_letor.read, text)
        collection, refusal = refused(letor.read, path)
        assert (refusal is None) == (expected is None), f"{text}: {refusal}, {expected}"
        if refusal is None:
            assert_as_plain(collection, rows)
        else:
            n_refused += 1
            line = re.match(re.escape(str(path)) + r"(?:, line (\d+))?: [^\n]+$", str(refusal))[1]
            assert (line and int(line)) == expected.line, f"{text}: {refusal}"
    print(f"{n_files} damaged, {n_files - n_refused} read right, {n_refused} refused with their line")
    assert 0.2 < n_refused / n_files < 0.8
