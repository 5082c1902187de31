"""Damaged exports are read right or refused with the file's name: by known ways, and by mutation at random."""

import gzip
import os
import re
from collections import Counter

import numpy as np
import pytest
from export_samples import SAMPLES, grades, read_or_refused, rows

from helpers.judging import formats

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
MUTANTS = 10_000 if LARGE else 240
KINDS_OF_FILE = ("quepid-case", "rank-eval", "es-ltr", "doccano", "qrels", "long")
"""One sample of each; ends of lines and encodings are read before anybody knows the format."""

KINDS = ["replace", "insert", "delete", "cut", "double", "lose", "swap"]  # swapped lines of JSON are other JSON
ALPHABET = [bytes([byte]) for byte in b"abzAZ019 ,;\t|\"'{}[]:#\\\n\r.-_=/<\0\xe9"] + [
    "é".encode(),
    b"\xef\xbb\xbf",
    b"qid:",
]


def read(sample, path, data, format=None):
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return read_or_refused(path, format, **sample.settings)


def found(reading):
    return {tuple(names): grade for *names, grade in rows(reading)}


# how a file is damaged on its way: each takes the text and returns the text or bytes that arrive


def lines(change):
    """A damage to the list of lines."""
    return lambda text: "\n".join(change(text.split("\n")))


def middle(items):
    return len([item for item in items if item.strip()]) // 2


def on_line(change):
    def changed(text):
        parts = text.split("\n")
        place = middle(parts)
        parts[place] = change(parts[place])
        return "\n".join(parts)

    return changed


HARMLESS = {
    "line ends of Windows": lambda text: text.replace("\n", "\r\n"),
    "line ends of old systems": lambda text: text.replace("\n", "\r"),
    "line ends of mainframes": lambda text: text.replace("\n", "\u0085"),
    "line separators of Unicode": lambda text: text.replace("\n", "\u2028"),
    "a byte order mark": lambda text: "\ufeff" + text,
    "blank lines": lambda text: text.replace("\n", "\n\n"),
    "blanks at the end": lambda text: text.rstrip("\n") + "\n\n\n",
    "no end of line": lambda text: text.rstrip("\n"),
    "packed": lambda text: gzip.compress(text.encode()),
}
REFUSED = {
    "UTF-16": lambda text: text.encode("utf-16"),
    "Latin-1": lambda text: on_line(lambda row: "Ä" + row)(re.sub("[äö]", "", text)).encode("latin-1"),
    "a zero byte": on_line(lambda row: row + "\0"),
    "packed and cut": lambda text: gzip.compress(text.encode())[:-12],
    "empty": lambda text: "",
}
DAMAGED = {
    "cut in the middle": lambda text: text[: len(text) // 2],
    "cut before the end": lambda text: text.rstrip()[:-1],
    "first line lost": lines(lambda rows: rows[1:]),
    "first line doubled": lines(lambda rows: [rows[0], *rows]),
    "middle line lost": lines(lambda rows: rows[: middle(rows)] + rows[middle(rows) + 1 :]),
    "middle line doubled": lines(lambda rows: rows[: middle(rows)] + rows[middle(rows) :][:1] + rows[middle(rows) :]),
    "two lines joined": lines(lambda rows: [*rows[:1], rows[1] + rows[2], *rows[3:]]),
    "lines reversed": lines(lambda rows: [rows[0], *rows[:0:-1]]),
    "a field lost": on_line(lambda row: re.sub(r"([,;\t ])[^,;\t ]*[,;\t ]+", r"\1", row, count=1)),
    "a quote opened": on_line(lambda row: '"' + row),
    "a separator more": on_line(lambda row: re.sub("([,;\t ])", r"\1\1", row, count=1)),
    "another separator in a line": on_line(lambda row: row.replace(",", ";") if "," in row else row.replace(";", ",")),
    "another separator everywhere": lambda text: text.replace(",", "|"),
    "a line of another file": lines(lambda rows: [*rows[:2], "7 0 d9 1", *rows[2:]]),
    "names in capitals": lines(lambda rows: [rows[0].upper(), *rows[1:]]),
    "no blanks": lambda text: text.replace(" ", ""),
    "no quotes": lambda text: text.replace('"', ""),
    "no brackets": lambda text: re.sub(r"[\[\]{}]", "", text),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_damaged_export_is_read_right_or_refused(tmp_path, name):
    sample = SAMPLES[name]
    for what, damage in (HARMLESS | REFUSED | DAMAGED if LARGE or name in KINDS_OF_FILE else DAMAGED).items():
        reading = read(sample, tmp_path / sample.name, damage(sample.text))
        assert reading is None or wrong(sample, reading) == {}, what
        assert what not in HARMLESS or found(reading) == grades(sample), what
        assert what not in REFUSED or reading is None, what


@pytest.mark.parametrize("name", SAMPLES)
def test_a_grade_that_is_none_is_refused_and_an_empty_one_no_judgment(tmp_path, name):
    sample = SAMPLES[name]
    for grade in ("maybe", "2.5", "-7", "128", "NaN", "1,5", "٣", ""):
        marked = re.sub("«[^»]*»", f"«{grade}»" if grade else "", sample.marked, count=1)
        reading = read(sample, tmp_path / sample.name, re.sub("[«»]", "", marked))
        assert reading is None or (grade in ("NaN", "") and found(reading).items() < grades(sample).items()), grade


def wrong(sample, reading):
    """Judgments whose grade is another than in the export before it was damaged."""
    right = {}
    for (query, doc, judge), grade in grades(sample).items():
        right.setdefault((query, doc, judge.removesuffix(" (2)")), set()).add(grade)
    return {key: grade for key, grade in found(reading).items() if grade not in right.get(key, {grade})}


def mutated(data, spans, rng, kinds=KINDS):
    """The bytes after one change that touches no grade and nothing beside one."""
    near = np.zeros(len(data) + 1, dtype=bool)
    for start, end in spans:
        near[max(0, start - 1) : end + 2] = True
    place = int(rng.choice(np.flatnonzero(~near)))
    end = place + 1 + int(rng.integers(1, 40))
    if "swap" in kinds:  # what is lost between two lines of a table leaves one that is as good as any
        end = max(place, min(end, (data + b"\n").find(b"\n", place)))
    piece = ALPHABET[rng.integers(len(ALPHABET))]
    kind = rng.choice(kinds)
    parts = data.split(b"\n")
    if kind == "swap":
        first, second = rng.integers(len(parts), size=2)
        parts[first], parts[second] = parts[second], parts[first]
        return b"\n".join(parts)
    return {
        "replace": data[:place] + piece + data[place + 1 :],
        "insert": data[:place] + piece + data[place:],
        "delete": data[:place] + data[place + 1 :],
        "cut": data[:place],
        "double": data[:end] + data[place:],
        "lose": data[:place] + data[end:],
    }[kind]


def test_no_mutant_has_a_wrong_grade_or_another_error(tmp_path):
    rng, outcomes = np.random.default_rng(20260), Counter()
    for name, sample in SAMPLES.items():
        data, kinds = sample.text.encode(), KINDS[:-1] if sample.name.endswith(".json") else KINDS
        for number in range(MUTANTS // len(SAMPLES)):
            mutant = mutated(data, sample.grade_spans(), rng, kinds)
            reading = read(sample, tmp_path / sample.name, mutant)
            outcomes["refused" if reading is None else "read"] += 1
            assert reading is None or wrong(sample, reading) == {}, (name, number, mutant)
    assert min(outcomes["refused"], outcomes["read"]) > 0.2 * MUTANTS


@pytest.mark.parametrize("name", formats.FORMATS)
def test_a_format_that_is_named_reads_no_other_kind_of_file_with_another_error(tmp_path, name):
    rng = np.random.default_rng(20261)
    for other, sample in SAMPLES.items():
        for number in range(1 + MUTANTS // len(SAMPLES) ** 2):
            mutant = mutated(sample.text.encode(), [], rng) if number else sample.text
            reading = read(sample, tmp_path / sample.name, mutant, name)
            assert reading is None or reading.format == name, other
