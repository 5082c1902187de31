"""Who is a machine: by name, by pattern, as the file says, or asked for."""

import re

import pandas as pd
import pytest

from helpers.judging import formats
from helpers.judging.judgments import LIKE_MODELS

MODELS = ("GPT-4o", "gpt-4o mini", "UMBRELA, v2")


@pytest.fixture
def mine(tmp_path):
    def written(*judges):
        rows = [("q", f"d{d}", who, d % 3) for who in judges for d in range(4)]
        pd.DataFrame(rows, columns=["query", "doc", "assessor", "grade"]).to_csv(tmp_path / "mine.csv", index=False)
        return tmp_path / "mine.csv"

    return written


@pytest.mark.parametrize(
    ("name", "like"),
    [
        *((name, True) for name in (*MODELS, "llama32", "prompt_1", "run.claude-3", "Mistral:7b", "qwen2", "a-gemini")),
        *((name, False) for name in ("Prompter", "Ann", "Claudette", "egpt", "promptly", "judge 1")),
    ],
)
def test_a_name_is_a_models_by_a_whole_word(name, like):
    assert bool(LIKE_MODELS.search(name.casefold())) == like


def test_what_is_called_like_a_model_is_asked_for_and_each_answer_is_taken(mine):
    file = mine("Ann", "Prompter", *MODELS)
    with pytest.raises(ValueError, match="GPT-4o, gpt-4o mini, UMBRELA, v2 are called like a language model") as error:
        formats.read(file)
    these, none = re.findall("machines='(.*?)'", str(error.value))
    assert none == "none"
    reading = formats.read(file, machines=these)
    assert reading.notes[0].endswith("People: 2, machines: GPT-4o, UMBRELA, v2, gpt-4o mini.")
    reading = formats.read(file, machines=none)
    assert reading.notes[0].endswith("People: 5, machines: none.")
    assert formats.read(file, machines="gpt*").notes[0].endswith("; of the people 1 is called like a model.")
    with pytest.raises(ValueError, match="machines is gpt,none, expected none alone"):
        formats.read(file, machines="gpt,none")
    with pytest.raises(ValueError, match="one of machines is 'llama', expected one of Ann, Prompter"):
        formats.read(file, machines="llama")


def test_by_name_by_pattern_and_as_the_file_says_is_the_same(mine):
    ways = [formats.read(mine("Ann", "gpt-4"), machines=said) for said in ("gpt-4", "GPT*", ["gpt-4"])]
    marked = mine("Ann", "model: gpt-4")
    ways += [formats.read(marked, machines=said) for said in ((), "gpt-4", "gpt*", "model: gpt-4", "none")]
    for reading in ways:
        pd.testing.assert_frame_equal(reading.frame, ways[0].frame)
        assert reading.notes == ways[0].notes
