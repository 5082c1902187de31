"""What a message says to add works in the command that said it: every advice of a refusal is followed to its end."""

import json
import os
import re
import shlex
from itertools import count

import pytest
import yaml
from command_line import invoke

from helpers import checks

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
QUERIES, DOCS = 4, 6


def table(header, row):
    """A CSV of so many queries and documents; a row is made of the numbers of query, document and grade."""
    rows = [row.format(q=q, d=d, g=(q + d) % 3) for q in range(QUERIES) for d in range(DOCS)]
    return "\n".join([*([header] if header else []), *rows]) + "\n"


ROLES = {"query": "q", "doc": "u", "assessor": "w", "grade": "s"}
FILES = {
    "a contradiction": (table("query,doc,assessor,grade", "q{q},d{d},a,{g}") + "q0,d0,a,2\n", {}),
    "words": (table("query,doc,assessor,grade", "q{q},d{d},a,so so {g}"), {}),
    "off the scale": (table("query,doc,assessor,grade", "q{q},d{d},a,{g}") + "q0,d9,a,128\n", {}),
    "below 0": (table("query,doc,assessor,grade", "q{q},d{d},a,{g}") + "q0,d9,a,-3\n", {}),
    "no column is known": (table("q,u,w,s", "q{q},d{d},a,{g}"), ROLES),
    "some columns are known": (table("query,doc,w,grade", "q{q},d{d},a,{g}"), {"assessor": "w"}),
    "two that may be meant": (table("query,url,product_id,user,grade", "q{q},d{d},p{d},a,{g}"), {}),
    "no header": (table("", "q{q},d{d},7,{g}"), {}),
    "qrels of another iteration": (table("", "q{q} 7 d{d} {g}"), {}),
    "unnamed judges": (table("query,doc,q_rating,d_rating,x", "q{q},d{d},{g},1,2"), {"assessor": "x", "grade": "x"}),
    "gains of a search": (
        json.dumps({"judgmentRatings": [
            {"query": f"q{q}", "ratings": [{"docId": f"d{d}", "rating": 10**d} for d in range(3)]}
            for q in range(QUERIES)
        ]}),
        {},
    ),
    "two controls": (
        json.dumps([
            {"id": q, "data": {"query": f"q{q}", "doc": f"d{q}"}, "annotations": [{
                "completed_by": 1, "was_cancelled": False, "result": [
                {"from_name": name, "type": "rating", "value": {"rating": 1}} for name in ("relevance", "style")
            ]}]}
            for q in range(QUERIES)
        ]),
        {},
    ),
}  # fmt: skip
"""What is refused: the file, and the columns that a user knows where the message leaves a blank."""

BATCH = re.compile("the line `(.*)`")


def filled(value, known):
    """The value of an advice with what only the user knows."""
    numbers = count()
    value = re.sub(r"\?", lambda _: str(next(numbers)), value)
    return re.sub(r"(\w+)=(?:COLUMN|NAME)\b", lambda match: f"{match[1]}={known[match[1]]}", value)


@pytest.fixture
def made(monkeypatch):
    """The parameter, value and words of every advice that is made."""
    found, advice = [], checks.advice

    def remember(parameter, value, command=None):
        found.append((parameter, value, advice(parameter, value, command)))
        return found[-1][2]

    monkeypatch.setattr(checks, "advice", remember)
    monkeypatch.setattr("helpers.command.doing.studies", lambda *_: True)
    monkeypatch.setattr("helpers.command.doing.grid", lambda *_: True)
    return found


def called(command, folder, words):
    """What the command does with a file of judgments, and with the words that it said itself."""
    if command == "batch":
        lines = {"judgments": f"{folder}/f.txt"} | dict(yaml.safe_load(line).popitem() for line in words)
        (folder / "grid.yml").write_text(yaml.safe_dump({"studies": ["06"]} | lines))
        return invoke("batch", folder / "grid.yml", "--out", folder / "out")
    said = [part for each in words for part in shlex.split(each)]
    if command == "judgments":
        return invoke("judgments", folder / "f.txt", *said)
    return invoke("run", command, "-p", "judgments", folder / "f.txt", *said, "--out", folder / "out")


def followed(command, folder, known, made, taken=()):
    """Follow every advice of a refusal, and what is said then, until the command does what it was asked; count them."""
    made.clear()
    taken = dict(taken)
    result = called(command, folder, taken.values())
    if result.exit_code == 0:
        return 0
    said = [each for each in made if each[2] in result.stderr]
    assert said, result.stderr
    assert result.exit_code == 2
    assert not taken.keys() & {parameter for parameter, _, _ in said}, result.stderr
    steps = 0
    for parameter, _, text in said:
        words = filled(BATCH.fullmatch(text)[1] if command == "batch" else text, known)
        steps += 1 + followed(command, folder, known, made, taken | {parameter: words})
    return steps


TELLING = ("a contradiction", "words", "no column is known")
ASKED = [("judgments", name) for name in FILES] + [("05", name) for name in TELLING]
ASKED += [(command, name) for command in ("06", "batch") for name in (FILES if LARGE else TELLING)]


@pytest.mark.parametrize(("command", "name"), ASKED)
def test_an_advice_works_in_the_command_that_gave_it(command, name, tmp_path, made):
    """Of the commands that take the words of `judgments` in another form, every file under LABEL_STUDIES_TESTS=all."""
    text, known = FILES[name]
    (tmp_path / "f.txt").write_text(text)
    assert followed(command, tmp_path, known, made) > 0


def test_what_no_format_reads_is_advised_no_format(tmp_path, made):
    (tmp_path / "f.txt").write_text("word\n")
    result = invoke("judgments", tmp_path / "f.txt")
    assert result.exit_code == 2
    assert "Its first line, 'word', has no comma, semicolon, tab or bar between columns" in result.stderr
    assert not any(text in result.stderr for _, _, text in made)


def test_the_old_name_of_a_parameter_says_the_new_one(tmp_path, made):
    (tmp_path / "f.txt").write_text(FILES["some columns are known"][0].replace("doc,w", "doc,user"))
    result = invoke("run", "05", "-p", "pilot", tmp_path / "f.txt")
    [(_, _, text)] = made
    assert result.stderr == f"Error: parameter pilot is called judgments now, expected {text}\n"
    assert invoke("run", "05", *shlex.split(text), "--out", tmp_path / "out").exit_code == 0
