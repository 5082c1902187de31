"""`answers.json`: its keys are those that the documentation describes, whatever was judged and in whatever order."""

import json

import jsonschema
import numpy as np
import pandas as pd
import pytest
from judged_by_hand import long

import helpers
from helpers import paths

SCHEMA = paths.project("data").parent / ".docs" / "pages" / "answers.schema.json"


@pytest.fixture
def schema():
    if not SCHEMA.is_file():
        pytest.skip("the documentation is not here")
    return jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def several(n=48):
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 4, n)
    said = {w: np.clip(truth + rng.integers(-1, 2, n), 0, 3) for w in ("Ann", "Bob", "Cy", "gpt-4")}
    return long(said | {"zero": np.zeros(n, int)}, query="lamp ")


SHAPES = {
    "people and models": (several(), ["gpt-4", "zero"]),
    "two people": (long({"Ann": [0, 1, 2, 3] * 6, "Bob": [0, 2, 1, 3] * 6}), []),
    "one judge": (long({"Ann": [0, 1, 2, 3]}), []),
    "all irrelevant": (long({"Ann": [0] * 8, "Bob": [0] * 8, "Cy": [0] * 8}), []),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_written_is_what_the_documentation_describes(shape, schema):
    frame, machines = SHAPES[shape]
    text = helpers.answers(frame, machines=machines, cutoff=3).to_json()
    schema.validate(json.loads(text))
    assert "NaN" not in text


def test_a_key_or_a_type_that_is_not_described_is_found(schema):
    told = json.loads(helpers.answers(long({"Ann": [0, 1], "Bob": [1, 1]})).to_json())
    assert len(list(schema.iter_errors(told | {"more": 1, "version": 2, "threshold": "none"}))) == 3
    assert list(told) == schema.schema["required"]
    for each in objects(schema.schema):
        assert each["additionalProperties"] is False
        assert list(each["properties"]) == each["required"]


def objects(schema):
    """All objects of a schema, that itself and what is in its properties or items."""
    if "properties" in schema:
        yield schema
    for part in [*schema.get("properties", {}).values(), schema.get("items")]:
        yield from objects(part) if part else ()


def test_the_order_of_rows_changes_no_byte():
    frame = several()
    shuffled = frame.sample(frac=1, random_state=1)
    found = [helpers.answers(each, machines=["gpt-4", "zero"], cutoff=3) for each in (frame, frame, shuffled)]
    assert len({answers.to_json() for answers in found}) == 1
    for table, again in zip(*(answers.written().values() for answers in found[:2]), strict=True):
        pd.testing.assert_frame_equal(table, again)


@pytest.fixture
def runs(put):
    """Three runs on the documents of `several`, and one document that nobody judged."""
    rng, files = np.random.default_rng(1), []
    for name, noise in (("b", 1), ("a", 3), ("c", 9)):
        scores = several()["grade"].to_numpy()[:48] + rng.normal(0, noise, 48)
        lines = [f"lamp-{d // 4} Q0 d{d} 1 {score} t\n" for d, score in enumerate(scores)]
        files.append(put(f"runs/{name}.run", "".join([*lines, "lamp-0 Q0 other 1 9 t\n"])))
    return files


def test_runs_are_told_and_neither_the_order_of_rows_nor_of_runs_changes_a_byte(runs, schema):
    frame = several().assign(query=lambda table: table["query"].str.replace(" ", "-"))
    shuffled = frame.sample(frac=1, random_state=1)
    told = {"machines": ["gpt-4", "zero"], "cutoff": 3}
    first = helpers.answers(frame, runs=",".join(map(str, runs)), **told)
    second = helpers.answers(shuffled, runs=",".join(map(str, runs[::-1])), **told)
    folder = helpers.answers(frame, runs=str(runs[0].parent), **told)
    assert first.to_json() == second.to_json() == folder.to_json()
    found = json.loads(first.to_json())
    schema.validate(found)
    assert [row["by"] for row in found["decisions"]] == [
        "people", "judge 1", "judge 2", "judge 3", "model: gpt-4", "model: zero", "people with model: gpt-4"
    ]  # fmt: skip
    assert {row["best"] for row in found["decisions"][:4]} == {"b"}
    assert all(0 < row["unjudged"] < 0.1 for row in found["runs"] if row["kind"] == "people")
    by_model = {row["judge"]: row for row in found["models"]}
    assert by_model["model: gpt-4"]["tau"] is not None
    assert by_model["model: zero"]["tau"] is None
    without = json.loads(helpers.answers(frame, **told).to_json())
    assert without["runs"] == without["decisions"] == []
    assert without["threshold"] != found["threshold"]


def test_runs_are_found_where_texts_are_numbered_and_what_is_called_otherwise_is_not_judged(runs):
    frame = several().assign(query=lambda table: table["query"].str.replace(" ", "-"))
    told = {"machines": ["gpt-4", "zero"], "cutoff": 3, "runs": str(runs[0].parent)}
    with pytest.raises(ValueError, match=r"runs: no judged queries, expected ids such as lamp-0 on, found ids such as"):
        helpers.answers(frame.assign(query=frame["query"] + " on"), **told)
    other = helpers.answers(frame.assign(doc=frame["doc"].replace("d0", "a text")), **told)
    assert "document 1" in set(other.given.frame["doc"])
    shares = [found.runs.set_index(["by", "run"])["unjudged"] for found in (helpers.answers(frame, **told), other)]
    assert (shares[1] - shares[0]).loc["people"].between(0, 0.03).all()


def test_runs_without_judgments_are_refused(runs):
    with pytest.raises(ValueError, match=r"runs is '.*', but judgments is empty, expected those that the runs"):
        helpers.answers("", runs=str(runs[0].parent))


def test_judges_and_texts_are_numbered_unless_names_are_asked_for():
    frame = several()
    text = helpers.answers(frame, machines=["gpt-4", "zero"], cutoff=3).to_json()
    assert not any(name in text for name in ("Ann", "Bob", "Cy", "lamp"))
    assert "model: gpt-4" in text  # of no person
    named = helpers.answers(frame, machines=["gpt-4", "zero"], cutoff=3, names=True).to_json()
    assert all(name in named for name in ("Ann", "Bob", "Cy", "lamp"))


def test_numbers_by_hand():
    """Ann and Bob differ on one of six documents, the second query's first, which the next label of is worth most."""
    frame = long({"Ann": [3, 1, 0, 3, 0, 0], "Bob": [3, 1, 0, 1, 0, 0], "zero": [0] * 6}, 3, "q ")
    found = helpers.answers(frame, machines=["zero"], cutoff=3)
    told = json.loads(found.to_json())
    counts = {"judgments": 12, "queries": 2, "documents": 6, "people": 2, "models": 1, "judged_twice": 6}
    assert told["counts"] == counts
    assert told["settings"] == {"cutoff": 3, "epsilon": 0.15, "seed": 6}
    assert told["agreement"][0] | {"kappa": 0, "weighted_kappa": 0} == {
        "first": "judge 1", "second": "judge 2", "documents": 6, "equal": round(5 / 6, 6), "chance": round(13 / 36, 6),
        "kappa": 0, "weighted_kappa": 0,
    }  # fmt: skip
    assert [(row["below"], row["above"], row["differ"]) for row in told["boundaries"]] == [
        (1, 3, round(1 / 6, 6)), (0, 1, 0.0)
    ]  # fmt: skip
    assert told["boundaries"][1]["kappa"] == 1
    assert [row["query"] for row in told["worst_queries"]] == ["query 2", "query 1"]
    assert told["ask_again"]["ask"] == len(found.to_ask) <= told["ask_again"]["listed"]


def test_files_give_the_same_as_their_frame(put):
    frame = several()
    file = put("mine.csv", frame.to_csv(index=False))
    of_file = helpers.answers(file, machines=["gpt-4", "zero"], cutoff=3)
    assert of_file.to_json() == helpers.answers(frame, machines=["gpt-4", "zero"], cutoff=3).to_json()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"cutoff": 0}, "cutoff is 0"),
        ({"machines": ["claude"]}, "one of machines is 'claude', expected one of Ann"),
        ({"grades": "1:0,2:1"}, "grades is '1:0,2:1', expected nothing"),
    ],
)
def test_what_cannot_be_answered_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        helpers.answers(SHAPES["two people"][0], **given)
