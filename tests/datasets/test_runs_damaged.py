"""Qrels and runs with something wrong: told with file and line, or read as they stand."""

import gzip
import os

import numpy as np
import pytest
from damage import damaged
from plain_runs import joined
from test_runs import BM25, DENSE, QRELS, rows

from helpers.datasets import runs

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"


@pytest.fixture
def three(tmp_path):
    """Qrels and two runs, as bytes by file name, and what writes and reads them."""
    texts = {"qrels": QRELS.encode(), "bm25.run": BM25.encode(), "dense.run": DENSE.encode()}

    def read(**changed):
        for name, text in (texts | {name.replace("_", "."): text for name, text in changed.items()}).items():
            (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return runs.read(tmp_path / "qrels", [tmp_path / "bm25.run", tmp_path / "dense.run"])

    return read


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"qrels": QRELS + "\nq1 0 b 1\n"}, r"qrels, line 7: query q1, document b has grade 1, but it is 2 in line 3"),
        ({"qrels": QRELS.replace("c 1", "c 1.5")}, r"qrels, line 5: grade '1.5', expected a whole number"),
        ({"qrels": QRELS.replace("c 1", "c 128")}, r"qrels, line 5: grade '128', .* from -127 to 127"),
        ({"qrels": QRELS.replace("c 1", "c one")}, r"qrels, line 5: grade 'one', expected a finite number"),
        ({"qrels": QRELS.replace("c 1", "c")}, r"qrels, line 5: 3 fields \(q1 0 c\), expected 4: query, iteration"),
        ({"qrels": "q1 0 a -1\n"}, r"qrels: no pair has a grade of 0 or above"),
        ({"qrels": " \n\n"}, r"qrels: not a single line, expected lines of query, iteration, document, grade"),
        ({"qrels": BM25}, r"qrels, line 1: 6 fields"),
        ({"qrels": QRELS.encode("utf-16")}, r"qrels: the text is in UTF-16, expected UTF-8"),
        ({"qrels": QRELS.encode() + b"q1 0 \xe4 0\n"}, r"qrels, line 6: byte 0xe4 is not UTF-8"),
        ({"qrels": gzip.compress(QRELS.encode())[:-9]}, r"qrels: packed by gzip and damaged"),
        ({"bm25_run": "\n" + BM25 + "q1 Q0 b 9 1 t\n"}, r"bm25.run, line 7: query q1, document b is in line 3 already"),
        ({"bm25_run": BM25 + "q9 Q0 b 9 1\n"}, r"bm25.run, line 6: 5 fields \(q9 Q0 b 9 1\), expected 6"),
        ({"bm25_run": BM25 + "q9 Q0 b 9 1 my tag\n"}, r"bm25.run, line 6: 7 fields"),
        ({"bm25_run": BM25.replace("7.5", "7,5")}, r"bm25.run, line 2: score '7,5', expected a finite number"),
        ({"bm25_run": BM25.replace("7.5", "nan")}, r"bm25.run, line 2: score 'nan', expected a finite number"),
        ({"bm25_run": BM25.replace("7.5", "-inf")}, r"bm25.run, line 2: score '-inf', expected a finite number"),
        ({"bm25_run": BM25.replace("7.5", "1e999")}, r"bm25.run, line 2: score '1e999', expected a finite number"),
        ({"bm25_run": BM25.replace("2 7.5", "7.5 2")}, r"bm25.run, line 2: rank '7.5', expected a whole number"),
        ({"bm25_run": BM25.replace("q", "")}, r"bm25.run: no query of the qrels, .* such as q1, found ids such as 1"),
        ({"bm25_run": "q1 Q0 A 1 1 t\n"}, r"bm25.run: no judged document .* such as a, found ids such as A"),
        ({"bm25_run": QRELS}, r"bm25.run, line 1: 4 fields"),
        ({"bm25_run": "x" * 99 + "\n"}, r"bm25.run, line 1: 1 fields \(x{60}\), expected 6"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_line(three, changed, message):
    with pytest.raises(ValueError, match=message):
        three(**changed)


def test_a_line_that_says_the_same_again_is_noted(tmp_path):
    (tmp_path / "qrels").write_text(QRELS + "q1 0 b 2\n")
    (tmp_path / "bm25").write_text(BM25)
    notes = runs.read_noted(tmp_path / "qrels", [tmp_path / "bm25"])[1]
    assert notes[0] == "qrels: 1 lines repeat an earlier one."


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"pairs": "all"}, "pairs is 'all', expected one of retrieved, judged"),
        ({"negative": "keep"}, "negative is 'keep', expected one of drop, refuse"),
        ({"least_share": 2}, "least_share is 2, expected a share of queries from 0 to 1"),
    ],
)
def test_arguments_are_refused_with_what_is_expected(tmp_path, how, message):
    for name, text in (("qrels", QRELS), ("bm25", BM25)):
        (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=message):
        runs.read(tmp_path / "qrels", [tmp_path / "bm25"], **how)


def test_two_runs_of_one_name_no_run_and_qrels_that_share_a_query_are_refused(tmp_path):
    for name, text in (("qrels", QRELS), ("more", "q1 0 x 1\n"), ("a.run", BM25), ("a.txt", BM25)):
        (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=r"a\.run and .*a\.txt are both called a, expected different names"):
        runs.read(tmp_path / "qrels", [tmp_path / "a.txt", tmp_path / "a.run"])
    with pytest.raises(ValueError, match=r"run_files is empty, expected at least one run"):
        runs.read(tmp_path / "qrels", [])
    with pytest.raises(ValueError, match=r"more, line 1: query q1 is in .*qrels as well, expected each query in one"):
        runs.read([tmp_path / "qrels", tmp_path / "more"], [tmp_path / "a.run"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("query,doc,x\nq1,b,1\nq1,b,2\n", r"more, line 3: a pair that an earlier line has"),
        ("query,doc,x\nq1,b,one\n", r"more, line 2: x 'one', expected a finite number"),
        ("query,doc,x\nq1,b\n", r"more, line 2: 2 fields, expected 3"),
        ("query,x\nq1,1\n", r"more: columns query, x, expected one of document, doc, docid among them"),
        ("query,doc,grade\nq1,b,1\n", r"more: columns query, doc, grade, expected a feature among them"),
        ("query,doc,x\nq1,B,1\n", r"more: no pair of the qrels"),
    ],
)
def test_what_is_wrong_with_a_file_of_features_is_told(tmp_path, text, message):
    for name, content in (("qrels", QRELS), ("bm25", BM25), ("more", text)):
        (tmp_path / name).write_text(content)
    with pytest.raises(ValueError, match=message):
        runs.read(tmp_path / "qrels", [tmp_path / "bm25"], features=tmp_path / "more")


# Any damage


def with_another_field(content, rng):
    """The content with one field of one line exchanged for another text, or with one line twice, or out of place."""
    lines = content.split(b"\n")
    at = rng.integers(len(lines))
    fields = lines[at].split(b" ")
    texts = [b"-1", b"nan", b"1e400", b"q2", b"b", b"", b" ", b"\t", b"1_0", b"0x1", b"+3", b"\xc3\xa4", b"\r", b"2.0"]
    fields[rng.integers(len(fields))] = texts[rng.integers(len(texts))]
    changed = [b" ".join(fields)]
    kinds = (changed, [lines[at]] * 2, [], [lines[at], lines[rng.integers(len(lines))]])
    lines[at : at + 1] = kinds[rng.choice(4, p=[0.7, 0.1, 0.1, 0.1])]
    return b"\n".join(lines)


def test_files_damaged_anywhere_are_refused_or_read_as_a_plain_reader_reads_them(three):
    """Ten thousand under LABEL_STUDIES_TESTS=all."""
    rng = np.random.default_rng(41)
    whole = {"qrels": QRELS.encode(), "bm25_run": BM25.encode(), "dense_run": DENSE.encode()}
    right = 0
    for _ in range(10_000 if LARGE else 300):
        texts = dict(whole)
        for _ in range(rng.integers(1, 3)):
            name = list(whole)[rng.integers(3)]
            texts[name] = (damaged, with_another_field)[rng.integers(2)](texts[name] or b" ", rng)
        right += read_alike(three, texts)
    assert right > 50


def read_alike(three, texts):
    """Whether the files are read; what they hold, or that they are refused, is as the plain reader has it."""
    plain = {"bm25": texts["bm25_run"], "dense": texts["dense_run"]}
    expected, _ = attempt(lambda: joined(texts["qrels"], plain))
    found, error = attempt(lambda: three(**texts))
    assert (found is None) == (expected is None), (texts, error)
    assert "\n" not in str(error)
    if found:
        assert [row[:3] for row in rows(found)] == [row[:3] for row in expected]
        np.testing.assert_array_equal(found.features, np.array([row[3] for row in expected], np.float32))
    return bool(found)


def attempt(read):
    """What is read, or None, and the refusal."""
    try:
        return read(), None
    except ValueError as error:
        return None, error


def test_packed_files_damaged_anywhere_are_refused_or_whole(three):
    """Two thousand under LABEL_STUDIES_TESTS=all."""
    rng = np.random.default_rng(42)
    wanted, packed = rows(three()), gzip.compress(BM25.encode())
    for _ in range(2000 if LARGE else 60):
        text = damaged(packed, rng)
        found, error = attempt(lambda text=text: three(bm25_run=text))
        assert "bm25.run" in str(error) if error else rows(found) == wanted
