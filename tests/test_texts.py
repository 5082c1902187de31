import bz2
import csv
import gzip
import lzma
import re

import pytest

from helpers import texts

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
