import bz2
import csv
import gzip
import lzma
import os
import re
import signal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import texts
from helpers.datasets import catalog, letor, portrait, runs
from helpers.datasets.runs.trec import read_qrels
from helpers.judging import formats
from helpers.judging.confusion import load_confusions

TEXT = "query,doc\r\nq,é\r\n"


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_text_is_read_packed_or_not_whatever_its_name(tmp_path, pack, encoding):
    path = tmp_path / "mine.csv"
    path.write_bytes(pack(TEXT.encode(encoding)))
    assert texts.read(path) == TEXT


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_several_packed_streams_are_one_text_and_all_of_them_count(tmp_path, pack):
    path = tmp_path / "mine.csv.gz"
    path.write_bytes(pack(b"query,doc\n") + pack(b"q,a\n"))
    assert texts.read(path) == "query,doc\nq,a\n"
    whole = path.read_bytes()
    for damaged in (whole[:-1], whole + b"more", whole[:-6] + b"\x01" + whole[-5:]):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"mine.csv.gz: packed by (gzip|bzip2|xz) and damaged .* a whole file"):
            texts.read(path)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (TEXT.encode("latin-1"), ", line 2: byte 0xe9 is not UTF-8 (in Latin-1 it is 'é'), expected text in UTF-8"),
        (TEXT.encode("utf-16"), ": the text is in UTF-16, expected UTF-8"),
        (TEXT.encode("utf-32"), ": the text is in UTF-32, expected UTF-8"),
        (TEXT.encode("utf-16-le"), ", line 1: a zero byte, as in UTF-16 and binary files, expected text in UTF-8"),
        (b"a\rb\r\nc\n\xff", ", line 4: byte 0xff"),
        ("a\n\ufeffb\n".encode(), ", line 2: a byte order mark within the text, expected text in UTF-8"),
    ],
)
def test_other_encodings_are_named_with_file_and_line(tmp_path, data, message):
    (tmp_path / "mine.csv").write_bytes(data)
    with pytest.raises(ValueError, match=re.escape(f"mine.csv{message}")):
        texts.read(tmp_path / "mine.csv")


def test_an_open_quote_in_a_large_file_is_refused_with_the_line_that_it_stands_in(tmp_path):
    path = tmp_path / "mine.csv"
    lines = ["a,b", *["x,y"] * 5, 'x,"y', *["x,y"] * csv.field_size_limit()]
    path.write_text("\n".join(lines))
    with pytest.raises(ValueError, match=r"mine.csv, line 7: field larger than field limit .131072., expected quotes"):
        list(texts.rows(path, ","))
    path.write_text('a,b\nx,"' + "y" * (csv.field_size_limit() + 1) + '"\n')
    with pytest.raises(ValueError, match=r"mine.csv, line 2: field larger than field limit"):
        list(texts.rows(path, ","))


READERS = {
    "an export": formats.read,
    "LETOR text": letor.read,
    "qrels": lambda path: runs.read(path, [path]),
    "a data set": catalog.splits,
    "a list": lambda path: catalog.splits(f"{path},runs"),
    "a portrait": portrait.load,
    "matrices": load_confusions,
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("place", ["pipe", "pipe.parquet", "/dev/zero"])
def test_what_has_no_end_is_refused_by_every_reader(tmp_path, monkeypatch, reader, place):
    path = place if place.startswith("/") else tmp_path / place
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    if place.startswith("pipe"):
        os.mkfifo(path)
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.alarm(20)  # where a reader waits for the end, the test fails
    try:
        with pytest.raises(ValueError, match=f"{path}: a pipe, a device or a socket, expected a file: write what"):
            READERS[reader](path)
    finally:
        signal.alarm(0)


TABLES = {
    "a table": (lambda path: formats.read(path).frame, "query,doc,assessor,grade\nq,a,Ann,1\nq,b,Ann,0\n"),
    "qrels of a judge": (lambda path: formats.read(path).frame.drop(columns="assessor"), "q 0 a 1\nq 0 b 0\n"),
    "qrels": (lambda path: read_qrels([path]).keys, "q 0 a 1\nq 0 b 0\n"),
    "a run": (lambda path: texts.Lines(path, ["a", "b"], ["b"]).columns["b"].to_pylist(), "q a\nq b\n\n"),
}


@pytest.mark.parametrize("reader", TABLES)
@pytest.mark.parametrize("end", ["\r\n", "\r", "\u0085", "\u2028", "\u2029"])
def test_lines_may_end_as_on_any_system(tmp_path, reader, end):
    read, text = TABLES[reader]
    found = []
    for number, ends in enumerate(["\n", end]):
        path = tmp_path / f"{number}.csv"
        path.write_bytes(text.replace("\n", ends).encode())
        found.append(str(read(path)))
    assert found[0] == found[1]


def test_small_pieces():
    assert [texts.with_line_feeds(text) for text in ("a\u2028b\u2028", "a\u2028b\n")] == ["a\nb\n", "a\u2028b\n"]
    assert [texts.suffix(name) for name in ("judged.csv.gz", "judged.tsv", "qrels.gz")] == [".csv", ".tsv", ""]
    assert texts.shown(["query", "a\nb", 1]) == "query, 'a\\nb', 1"
    assert [file.name for file in texts.named("expert.qrels, model.qrels")] == ["expert.qrels", "model.qrels"]
    assert texts.alike(["1", "2", "01", "B"], ["qrels", "qrels", "run", "run"]) == [("01", "1")]


WORD = st.text("aAé1 0.", min_size=1, max_size=4)


@given(st.lists(st.tuples(WORD, st.integers(0, 2)), max_size=20))
@settings(deadline=None, max_examples=50)
def test_ids_that_are_alike_differ_and_each_is_where_the_other_is_not(rows):
    ids, sources = [name for name, _ in rows], [source for _, source in rows]
    for one, other in texts.alike(ids, sources):
        own, others = ({source for name, source in rows if name == which} for which in (one, other))
        assert one != other
        assert own - others
        assert others - own


@pytest.mark.parametrize("other", [" Caf\u00e9", "cafe\u0301", "CAF\u00c9 "])
def test_ids_are_alike_whatever_the_order_and_not_if_a_source_has_both(other):
    known = "Caf\u00e9"
    assert [set(pair) for pair in texts.alike([known, other], [0, 1])] == [{known, other}]
    assert [set(pair) for pair in texts.alike([other, known], [1, 0])] == [{known, other}]
    assert texts.alike([known, other, known, other], [0, 0, 1, 1]) == []


@pytest.mark.parametrize("other", ["a b", "10", "1.5", "1.0a", "-1", ""])
def test_ids_that_differ_otherwise_are_not_alike(other):
    assert texts.alike(["ab", "1", other], [0, 0, 1]) == []
