"""LETOR and SVMlight files: read, whole or damaged, written, and beside others' readers."""

import bz2
import gzip
import lzma
import os
import re
import subprocess
import sys
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import plain_letor
import psutil
import pytest
from damage import damaged
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from helpers.datasets import catalog, letor
from helpers.datasets.collection import Collection, offsets_of
from helpers.datasets.letor_scan import parse

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
untimed = settings(deadline=None, max_examples=1000 if LARGE else 40)  # the first call compiles
PACKERS = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}

TWO_QUERIES = """\
2 qid:10 1:0.5 2:3 3:-1e-2 #docid = GX008-86-4444840 inc = 1 prob = 0.08
0 qid:10 1:0.25 2:0 3:7 #docid = GX037-06-11625428 inc = 0.0031 prob = 0.90
1 qid:a-b 1:0 2:12345678 3:.5 #docid = GX044-30-4142998 inc = 1 prob = 0.09
"""


@pytest.fixture
def file(put):
    """Puts text or bytes into a file and gives its path."""
    return lambda content, name="train.txt": put(name, content)


def assert_two_queries(collection):
    np.testing.assert_array_equal(collection.features, np.float32([[0.5, 3, -0.01], [0.25, 0, 7], [0, 12345678, 0.5]]))
    assert collection.grades.tolist() == [2, 0, 1]
    assert collection.offsets.tolist() == [0, 2, 3]
    assert collection.query_ids.tolist() == ["10", "a-b"]
    assert collection.doc_ids.tolist() == ["GX008-86-4444840", "GX037-06-11625428", "GX044-30-4142998"]


def refusal(path, **settings):
    with pytest.raises(ValueError) as refused:  # noqa: PT011  the callers compare the whole message
        letor.read(path, **settings)
    return str(refused.value).removeprefix(f"{path.parent}{os.sep}")


# What is read


@pytest.mark.parametrize(
    "rewrite",
    [
        lambda text: text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.rstrip("\n"),
        lambda text: text.replace(" ", "\t").replace("\t", "  ", 5),
        lambda text: text.replace("\n", " \n\n   \n# a comment with 1:2 in it\n #docid = none\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.replace("#docid = ", "# docid="),
        lambda text: text.replace(" #docid = ", "#docid=\t"),
        lambda text: text.replace("2 qid", "2.0 qid").replace("1 qid", "+1. qid"),
        lambda text: text.replace("1:0.25 2:0 3:7", "3:7 1:0.25"),
    ],
    ids=["LETOR", "CRLF", "no newline at the end", "tabs", "blank and comment lines", "byte order mark", "# docid=",
         "no blank before the comment", "grades as decimals", "sparse and in another order"],
)  # fmt: skip
def test_one_collection_in_many_spellings(file, rewrite):
    assert_two_queries(letor.read(file(rewrite(TWO_QUERIES))))


@pytest.mark.parametrize("block_size", [1, 30])
def test_rows_of_a_query_that_comes_back_move_to_its_first_appearance(file, monkeypatch, block_size):
    monkeypatch.setattr(letor, "BLOCK_SIZE", block_size)
    read = letor.read(
        file("".join(f"{row % 3} qid:{query} 1:{row} #docid = D{row}\n" for row, query in enumerate("babcab")))
    )
    assert read.query_ids.tolist() == ["b", "a", "c"]
    assert read.offsets.tolist() == [0, 3, 5, 6]
    assert read.features[:, 0].tolist() == [0, 2, 5, 1, 4, 3]
    assert read.grades.tolist() == [0, 2, 2, 1, 1, 0]
    assert read.doc_ids.tolist() == ["D0", "D2", "D5", "D1", "D4", "D3"]


@pytest.mark.parametrize(
    ("name", "side"),
    [("x.txt.gz", "x.txt.query"), ("x.txt.gz", "x.txt.gz.query"), ("x", "x.query")],
)
def test_sizes_of_queries_may_stand_beside_the_file(file, name, side):
    text = b"1 1:1\n0 1:2\n2 1:3\n"
    file("\ufeff2\r\n\n1", side)
    read = letor.read(file(gzip.compress(text) if name.endswith(".gz") else text, name))
    assert read.offsets.tolist() == [0, 2, 3]
    assert read.query_ids.tolist() == ["1", "2"]


# Numbers


def read_values(tokens):
    return parse("".join(f"0 qid:1 1:{token}\n" for token in tokens).encode()).value


def expected_values(tokens):
    with np.errstate(over="ignore"):
        return np.array([float(token) for token in tokens]).astype(np.float32)


def assert_correctly_rounded(tokens):
    np.testing.assert_array_equal(
        read_values(tokens).view(np.uint32), expected_values(tokens).view(np.uint32), err_msg=str(tokens)
    )


def test_grades_and_numbers_in_every_form(file):
    assert letor.read(file("127 qid:1 1:1\n0 qid:1 1:1\n00100.000 qid:1 1:1\n")).grades.tolist() == [127, 0, 100]
    assert read_values(["1", "-1", "+1", "1.", ".5", "-.5", "1e2", "1E+2", "1e-2", "007", "-0"]).tolist() == (
        np.float32([1, -1, 1, 1, 0.5, -0.5, 100, 100, 0.01, 7, -0.0]).tolist()
    )


def test_numbers_that_are_hard_to_round():
    tokens = [
        "16777217",  # halfway between two float32: to the even one
        "16777219",
        "16777217.0000000001",
        "16777217.000000000000000000000000001",  # the same, for a double: to the even one
        "0.50000002980232238769531250",
        "0.500000029802322387695312500000000000000001",
        "1e-46",  # below the smallest float32
        "7.006492321624085e-46",
        "7.006492321624086e-46",
        "1e-400",
        "0e999999999999",
        "0e-999999999999",
        "3.4028235e38",
        "340282356779733600000000000000000000000",
        "0." + 200 * "0" + "1",
        "1" + 30 * "0" + "e-30",
        "9007199254740993",
    ]
    assert_correctly_rounded([*tokens, *(f"-{token}" for token in tokens)])


@untimed
@given(st.lists(st.from_regex(r"[+-]?[0-9]{1,22}(\.[0-9]{0,22})?([eE][+-]?[0-9]{1,2})?", fullmatch=True)))
def test_a_decimal_is_the_float32_nearest_to_its_double(tokens):
    assert_correctly_rounded([token for token in tokens if np.isfinite(expected_values([token])[0])])


@untimed
@given(st.floats(2**-60, 2**60, width=32), st.integers(-3, 3), st.integers(15, 60))
def test_decimals_around_the_midpoint_of_two_float32(value, step, n_digits):
    middle = (Fraction(value) + Fraction(float(np.nextafter(np.float32(value), np.float32(np.inf))))) / 2
    mantissa = int(middle * 10**n_digits) + step
    assert_correctly_rounded([f"{mantissa}e-{n_digits}"])


@pytest.mark.skipif(not LARGE, reason="starts a process without a compiler: set LABEL_STUDIES_TESTS=all")
def test_numbers_are_the_same_where_nothing_is_compiled(file):
    tokens = ["1234.5", "-255", "256", "0.1", "1e-7", "16777219", "9007199254740993", "3.4028235e38", "1e-400", "300"]
    path = file("".join(f"127 qid:1 300:{token}\n" for token in tokens))
    program = f"from helpers.datasets import letor; print(letor.read({str(path)!r}).features[:, 299].tolist())"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    shown = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert letor.read(path).features[:, 299].tolist() == expected_values(tokens).tolist()
    assert (shown.stdout, shown.stderr) == (f"{expected_values(tokens).tolist()}\n", "")


# What is refused


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("2.5 qid:1 1:1", "grade 2.5, expected a whole number from 0 to 127"),
        ("2.00000001 qid:1 1:1", "grade 2.00000001, expected a whole number from 0 to 127"),
        ("128 qid:1 1:1", "grade 128, expected a whole number from 0 to 127"),
        (f"{2**64 + 1} qid:1 1:1", f"grade {2**64 + 1}, expected a whole number from 0 to 127"),
        ("qid:1 1:1", "grade 'qid:1', expected a whole number from 0 to 127"),
        ("1 qid: 1:1", "qid without an id, expected qid:ID"),
        ("1 qid:1 -3:1", "feature index -3, expected a whole number from 0 to 136"),
        ("1 qid:1 137:1", "feature index 137, expected a whole number from 0 to 136"),
        (f"1 qid:1 {2**64 + 1}:1", f"feature index {2**64 + 1}, expected a whole number from 0 to 136"),
        ("1 qid:1 url:1", "feature index 'url', expected a whole number from 0 to 136"),
        ("1 qid:1 1:1 qid:2", "feature index 'qid', expected a whole number from 0 to 136"),
        ("1 qid:1 3:1 4:1 3:1", "feature index 3 again, expected each index once in a line"),
        ("1 qid:1 4:1 3:1 3:2", "feature index 3 again, expected each index once in a line"),
        ("1 qid:1 0.5", "0.5, expected a feature as index:value"),
        ("1 qid:1 1:nan", "value nan of feature 1, expected a finite number"),
        ("1 qid:1 1:1e39", "value 1e39 of feature 1, expected a finite number"),
        ("1 qid:1 1:1e999#docid = 4", "value 1e999 of feature 1, expected a finite number"),
        ("1 qid:1 1: 2:1", "value '' of feature 1, expected a finite number"),
        (f"1 qid:1 1:{'x' * 99}", f"value '{'x' * 40}…' of feature 1, expected a finite number"),
        ("1 qid:1 1:1\0", "a NUL byte, expected text in UTF-8 (UTF-16 has such bytes)"),
        (b"1 qid:caf\xe9 1:1", r"id 'caf\\xe9', expected text in UTF-8 (this may be Latin-1)"),
        (b"1 qid:1 1:1 #docid = caf\xe9", r"id 'caf\\xe9', expected text in UTF-8 (this may be Latin-1)"),
        ("1 1:1", "no qid after the grade, expected qid:ID there in every line, "
                  "or in no line and a .query file beside"),
    ],
)  # fmt: skip
def test_a_defect_is_told_with_file_and_line(file, line, message):
    line = line if isinstance(line, bytes) else line.encode()
    path = file(b"# head\n\n1 qid:1 1:1 136:2\r\n" + line + b"\n0 qid:2 x:1\n")
    assert refusal(path, n_features=136) == f"train.txt, line 4: {message}"


NO_QID = "no qid after the grade, expected qid:ID there in every line, or in no line and a .query file beside"
NO_SIZE = "expected the size of a query, a whole number from 1"
NUL = "a NUL byte, expected text in UTF-8 (UTF-16 has such bytes)"
FIRST = "train.txt, line 1: value 1e500 of feature 1, expected a finite number"  # which only Python's float can tell
FROM_0 = "2 qid:1 0:0.5 2:1\n0 qid:1 1:4\n1 qid:2 2:7\n"


@pytest.mark.parametrize(
    ("text", "how", "message"),
    [
        *((b"1 qid:1 1:1e500\n1 qid:" + second, {}, FIRST) for second in (b"1 x:1", b"\xe9 1:1", b"1 1:\0")),
        ("1 1:1\n1 qid:1 1:1\n", {"side": "2"}, "train.txt, line 2: 'qid:1', expected no qid, as in the lines before"),
        ("1 qid:1 1:1\n1 1:1\n", {"side": "2"}, f"train.txt, line 2: {NO_QID}"),
        ("1 1:1\n", {"side": "2"}, "train.txt.query: sizes add up to 2, expected 1, the documents in train.txt"),
        ("1 1:1\n", {"side": "2\n0\n"}, f"train.txt.query, line 2: '0', {NO_SIZE}"),
        ("1 1:1\n", {"side": "\n1.0\n1\n"}, f"train.txt.query, line 2: '1.0', {NO_SIZE}"),
        ("1 1:1\n", {"side": "9" * 5000}, f"train.txt.query, line 1: '{'9' * 40}', {NO_SIZE}"),
        ("\n  \r\n# 1:1\n", {}, "train.txt: not a single document, expected lines such as '2 qid:10 1:0.5 2:0'"),
        ("1 qid:1\n0 qid:1 #docid = 7\n", {},
         "train.txt: not a single feature, expected lines such as '2 qid:10 1:0.5 2:0'"),
        (TWO_QUERIES.encode("utf-16-le"), {}, f"train.txt, line 1: {NUL}"),
        (TWO_QUERIES.encode("utf-32-le"), {}, f"train.txt, line 1: {NUL}"),
        (TWO_QUERIES.encode("utf-16"), {}, "train.txt: text in UTF-16 or UTF-32, expected UTF-8"),
        (TWO_QUERIES.encode("utf-32"), {}, "train.txt: text in UTF-16 or UTF-32, expected UTF-8"),
        *((TWO_QUERIES, {"n_features": n}, f"n_features is {n}, expected a whole number from 1 to 1000000")
          for n in (0, 1.5, 1_000_001)),
        (FROM_0, {"n_features": 2}, "train.txt, line 1: feature index 2, expected one up to 1, as it counts from 0"),
        (FROM_0, {"base": 1}, "train.txt, line 1: feature index 0, expected one from 1"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("block_size", [1, 10_000])
def test_a_file_that_is_no_collection_is_refused(file, monkeypatch, block_size, text, how, message):
    monkeypatch.setattr(letor, "BLOCK_SIZE", block_size)
    how = dict(how)
    if side := how.pop("side", None):
        file(side, "train.txt.query")
    assert refusal(file(text), **how) == message


def test_a_packed_file_is_unpacked_also_where_its_name_does_not_say_so(file):
    packed = bz2.compress(TWO_QUERIES.encode())
    assert_two_queries(letor.read(file(packed)))
    assert refusal(file(packed[:-9])).startswith("train.txt: damaged or cut short (")
    assert refusal(file(gzip.compress(b"\n"), "x.gz")).startswith("x.gz: not a single document")


def test_a_missing_file_and_a_directory_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nothing\.txt"):
        letor.read(tmp_path / "nothing.txt")
    with pytest.raises(IsADirectoryError, match=tmp_path.name):
        letor.read(tmp_path)


@pytest.mark.parametrize("block_size", [1, 10_000])
def test_dense_and_sparse_lines_go_together(file, monkeypatch, block_size):
    monkeypatch.setattr(letor, "BLOCK_SIZE", block_size)
    lines = ["1 qid:b 1:1 2:2 3:3 #docid = D1\n", "0 qid:a 900:9\n", "2 qid:b 2:-0 1:1e-3\n", "0 qid:c\n"] * 5
    read = letor.read(file("".join(lines)))
    expected = np.zeros((20, 900), np.float32)
    expected[0:10:2, :3], expected[1:10:2, 0], expected[1:10:2, 1] = [1, 2, 3], 1e-3, -0.0
    expected[10:15, 899] = 9
    np.testing.assert_array_equal(read.features.view(np.uint32), expected.view(np.uint32))
    assert read.grades.tolist() == [1, 2] * 5 + [0] * 10
    assert read.doc_ids.tolist() == ["D1", ""] * 5 + [""] * 10
    assert read.query_ids.tolist() == ["b", "a", "c"]


def test_features_count_from_0_where_a_line_has_an_index_0(file, monkeypatch):
    monkeypatch.setattr(letor, "BLOCK_SIZE", 1)
    read = letor.read(file(FROM_0))
    assert read.features.tolist() == [[0.5, 0, 1], [0, 4, 0], [0, 0, 7]]
    assert (read.feature_names.tolist(), letor.counts_from_0(read)) == (["0", "1", "2"], True)
    assert letor.read(file(FROM_0), n_features=4).features.tolist() == [[0.5, 0, 1, 0], [0, 4, 0, 0], [0, 0, 7, 0]]
    sparse = "0 qid:1 0:1\n1 qid:1 3000:5\n"
    assert np.argwhere(letor.read(file(sparse)).features).tolist() == [[0, 0], [1, 3000]]
    from_1 = letor.read(file(FROM_0.replace("0:0.5 ", "")))
    assert (from_1.n_features, from_1.feature_names, letor.counts_from_0(from_1)) == (2, None, False)


def test_all_files_of_a_folder_count_as_one_of_them_does(tmp_path):
    (tmp_path / "train.txt").write_text(FROM_0)
    (tmp_path / "test.txt").write_text("2 qid:3 2:9\n0 qid:3 1:1\n")  # no value of feature 0, so no index 0
    assert catalog.load(tmp_path, split="test").features.tolist() == [[0, 0, 9], [0, 1, 0]]
    assert catalog.notes(tmp_path) == [
        f"{tmp_path.name}: its features count from 0, so that feature 0 is in the first column."
    ]
    assert catalog.notes(tmp_path / "test.txt") == []


@pytest.mark.parametrize("end", ["\r\n", "\r", "\u2028"])
def test_lines_may_end_as_on_any_system(file, end):
    assert_two_queries(letor.read(file(TWO_QUERIES.replace("\n", end).encode())))
    path = file("1 1:1\n0 1:2\n2 1:3\n".replace("\n", end).encode())
    path.with_name("train.txt.query").write_bytes(f"2{end}1{end}".encode())
    assert letor.read(path).offsets.tolist() == [0, 2, 3]


def test_an_index_for_which_memory_does_not_suffice_is_told_with_its_line(file, monkeypatch):
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=100_000_000))
    text = "0 qid:1 1:1\n# 1000000:1\n" + 29 * "0 qid:1 2:1 #docid = 1000000:1\n" + "1 qid:1 1:1 01000000:1\n"
    message = "31 documents of 1,000,000 features take 124,000,000 bytes, expected at most 100,000,000, the memory that"
    assert refusal(file(text)) == f"train.txt, line 32: {message} is available"
    assert refusal(file(text), n_features=1_000_000) == f"train.txt: {message} is available"
    assert letor.read(file(text.replace("1000000:", "900:"))).n_features == 900


def test_blocks_count_once_in_memory_as_the_feature_array_takes_theirs(file, monkeypatch):
    available = iter([4 * 30 * 1000, *[4 * 15 * 1000] * 30])
    monkeypatch.setattr(letor, "BLOCK_SIZE", 100)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=next(available)))
    assert letor.read(file(30 * "1 qid:1 1:1 1000:1\n")).features.shape == (30, 1000)


# What is written


def test_the_text_of_a_small_collection(tmp_path):
    features = [[0.1, 3, -0.0], [1e-10, 16777216, 1 / 3]]
    path = letor.write(Collection(features, [2, 0], [0, 1, 2], ["q1", "7"], ["A", ""]), tmp_path / "new" / "x.txt")
    assert path.read_text() == (
        "2 qid:q1 1:0.1 2:3 3:-0 #docid = A\n0 qid:7 1:1e-10 2:1.6777216e+07 3:0.33333334 #docid = \n"
    )


def test_the_one_float32_whose_shortest_text_would_be_read_as_its_neighbour(tmp_path):
    value = np.float32(float.fromhex("0x1.5c87fap-84"))
    assert np.float32(float(str(value))) != value
    path = letor.write(Collection([[value, -value]], [0], [0, 1]), tmp_path / "x.txt")
    assert letor.read(path).features.tolist() == [[value, -value]]


ids = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=" \t\n\r\f\v\0#"), max_size=8)


@st.composite
def collections(draw):
    group = draw(st.lists(st.integers(1, 4), min_size=1, max_size=5))
    shape = sum(group), draw(st.integers(1, 5))
    return Collection(
        draw(arrays(np.float32, shape, elements=st.floats(width=32, allow_nan=False, allow_infinity=False))),
        draw(arrays(np.int8, shape[0], elements=st.integers(0, 127))),
        offsets_of(group),
        draw(st.lists(ids.filter(bool), min_size=len(group), max_size=len(group), unique=True)),
        draw(st.none() | st.lists(ids, min_size=shape[0], max_size=shape[0])),
    )


@untimed
@given(collections(), st.sampled_from(["", *PACKERS]))
def test_what_is_written_is_read_again_bit_for_bit(tmp_path_factory, collection, suffix):
    path = tmp_path_factory.mktemp("round") / f"x.txt{suffix}"
    plain_letor.assert_same(letor.read(letor.write(collection, path)), collection)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"features": [[1, 0], [0, np.inf]]}, "features: row 1, column 1 is inf, expected a finite number"),
        ({"features": np.zeros((2, 0))}, "features has no columns, expected at least one"),
        ({"query_ids": ["a", "b c"]}, r"query_ids: 'b c', expected an id that matches [^\s#]+"),
        ({"query_ids": ["a", "#b"]}, r"query_ids: '#b', expected an id that matches [^\s#]+"),
        ({"query_ids": ["a", "a"]}, "query_ids: 'a' stands for 2 queries, expected one"),
        ({"doc_ids": ["x\ny", "z"]}, r"doc_ids: 'x\ny', expected an id that matches \S*"),
    ],
)
def test_what_could_not_be_read_again_is_not_written(tmp_path, changes, message):
    collection = Collection(**{"features": [[1, 2], [3, 4]], "grades": [1, 0], "offsets": [0, 1, 2]} | changes)
    with pytest.raises(ValueError) as refused:  # noqa: PT011  the whole message is compared
        letor.write(collection, tmp_path / "x.txt")
    assert str(refused.value) == message
    assert list(tmp_path.iterdir()) == []


# What is damaged

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
    n_refused, n_files = 0, 11_000 if LARGE else 120
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


# Others' readers and real files


def test_agrees_with_scikit_learn(rng, tmp_path):
    X = rng.lognormal(0, 9, (300, 20)) * (rng.random((300, 20)) >= 0.5)
    y, qid = rng.integers(0, 5, 300), np.sort(rng.integers(0, 30, 300))
    path = tmp_path / "x.txt"
    dump_svmlight_file(X, y, str(path), query_id=qid, zero_based=False)
    X, y, qid = load_svmlight_file(str(path), query_id=True, zero_based=False)
    read = letor.read(path)
    np.testing.assert_array_equal(read.features, X.toarray().astype(np.float32))
    np.testing.assert_array_equal(read.grades, y)
    np.testing.assert_array_equal(read.query_ids[read.query_index], qid.astype(str))


# File, then queries, features and documents of each grade as awk counts them, and the first document id.
REAL_FILES = [
    ("OHSUMED/QueryLevelNorm/Fold1/train.txt", 63, 45, [6052, 1765, 1402], "244338"),
    ("MQ2008/Fold1/train.txt", 471, 46, [7820, 1223, 587], "GX008-86-4444840"),
    ("ClueWeb09-Webis/Fold1/test.txt", 12, 42, [4441, 722, 134, 7, 5], "clueweb09-en0006-78-20618"),
    ("MSLR-WEB10K-sample/Fold1/train.txt", 43, 136, [2792, 1458, 665, 55, 30], None),
    ("lightgbm-lambdarank/rank.train", 201, 300, [645, 1211, 858, 222, 69], None),
]


@pytest.mark.parametrize(("file", "n_queries", "n_features", "grades", "first_doc_id"), REAL_FILES)
def test_real_files_are_read_in_full(real_data, file, n_queries, n_features, grades, first_doc_id):
    read = letor.read(real_data / file)
    assert (read.n_queries, read.n_features) == (n_queries, n_features)
    assert np.bincount(read.grades).tolist() == grades
    assert (None if read.doc_ids is None else read.doc_ids[0]) == first_doc_id
