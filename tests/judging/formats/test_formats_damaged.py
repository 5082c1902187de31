"""Damaged exports are read right or refused with the file's name: by known ways, and by mutation at random."""

import os
import re
from collections import Counter

import numpy as np
import pytest
from damages import DAMAGED, HARMLESS, REFUSED
from export_samples import SAMPLES, grades

from helpers.judging import formats

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
MUTANTS = 10_000 if LARGE else 240
KINDS = ["replace", "insert", "delete", "cut", "double", "lose", "swap"]  # swapped lines of JSON are other JSON
ALPHABET = [bytes([byte]) for byte in b"abzAZ019 ,;\t|\"'{}[]:#\\\n\r.-_=/<\0\xe9"] + [
    "é".encode(),
    b"\xef\xbb\xbf",
    b"qid:",
]


def read(sample, path, data, format=None):
    """The mutant's reading, or None where it is refused with the file's name."""
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    try:
        return formats.read(path, format, **sample.settings)
    except (ValueError, OSError) as error:
        if path.name not in str(error):
            raise
        return None


def found(reading):
    return {(row.query, row.doc, row.assessor): row.grade for row in reading.frame.itertuples()}


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_harmless_changes_nothing(tmp_path, name):
    sample = SAMPLES[name]
    for what, damage in HARMLESS.items():
        assert found(read(sample, tmp_path / sample.name, damage(sample.text))) == grades(sample), what


@pytest.mark.parametrize("name", SAMPLES)
def test_what_cannot_be_read_is_refused(tmp_path, name):
    sample = SAMPLES[name]
    for what, damage in REFUSED.items():
        assert read(sample, tmp_path / sample.name, damage(sample.text)) is None, what


@pytest.mark.parametrize("name", SAMPLES)
def test_a_damaged_export_is_read_right_or_refused(tmp_path, name):
    sample = SAMPLES[name]
    for what, damage in DAMAGED.items():
        reading = read(sample, tmp_path / sample.name, damage(sample.text))
        assert reading is None or wrong(sample, reading) == {}, what


@pytest.mark.parametrize("name", SAMPLES)
def test_a_grade_that_is_none_is_refused(tmp_path, name):
    sample = SAMPLES[name]
    for grade in ("maybe", "2.5", "-7", "128", "NaN", "1,5", "٣"):
        marked = re.sub("«[^»]*»", f"«{grade}»", sample.marked, count=1)
        reading = read(sample, tmp_path / sample.name, re.sub("[«»]", "", marked))
        assert reading is None or (grade == "NaN" and found(reading).items() < grades(sample).items()), grade


@pytest.mark.parametrize("name", SAMPLES)
def test_an_empty_grade_is_no_judgment(tmp_path, name):
    sample = SAMPLES[name]
    reading = read(sample, tmp_path / sample.name, re.sub("[«»]", "", re.sub("«[^»]*»", "", sample.marked, count=1)))
    assert reading is None or found(reading).items() < grades(sample).items()


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
    rows = data.split(b"\n")
    if kind == "swap":
        first, second = rng.integers(len(rows), size=2)
        rows[first], rows[second] = rows[second], rows[first]
        return b"\n".join(rows)
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
