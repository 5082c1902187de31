"""What is asked of scales: by hand, against outside code, and that what a sentence advises does what it says."""

import functools
import re

import judged_by_hand
import numpy as np
import pandas as pd
import pytest

from helpers.judging import formats, questions
from helpers.judging.agreements import two_by_two
from helpers.judging.judgments import coded

rng = np.random.default_rng(5)
TRUE = rng.integers(0, 4, 400)
GOOD = {f"judge {n}": np.clip(TRUE + rng.choice([-1, 0, 1], 400, p=[0.1, 0.8, 0.1]), 0, 3) for n in (1, 2)}
ODD = {
    questions.CONSTANT: np.full(400, 2),
    questions.COPY: GOOD["judge 1"],
    questions.INVERTED: 3 - TRUE,
    questions.COIN: rng.integers(0, 4, 400),
    f"a grade {questions.HIGHER}": TRUE + 1,
    f"3 grades {questions.HIGHER}": TRUE + 3,
    questions.WIDER: 2 * TRUE,
    questions.BINARY: (TRUE > 1).astype(int),
    "": TRUE,
}


long = functools.partial(judged_by_hand.long, length=20)


def whats(said):
    return questions.by_judge(long(said)).set_index("judge")["what"].to_dict()


@pytest.mark.parametrize("what", ODD)
@pytest.mark.parametrize("name", ["judge 3", "model: m"])
def test_an_odd_judge_beside_two_good_ones_is_named_as_what_it_is(what, name):
    found = whats(GOOD | {name: ODD[what]})
    assert found.pop(name) == what
    assert set(found.values()) <= {"", questions.COPY if what == questions.COPY else ""}


def test_who_says_the_same_more_often_than_by_chance_is_no_coin():
    """Every second document of a grade is inverted: no rise, and half of the grades equal, by chance a quarter."""
    again = pd.Series(TRUE).groupby(TRUE).cumcount() % 2
    table = questions.by_judge(long(GOOD | {"judge 3": np.where(again, TRUE, 3 - TRUE)})).set_index("judge")
    assert table.loc["judge 3", ["sign", "what"]].tolist() == ["0", ""]


def test_the_scale_of_a_judge_by_hand():
    # equal on 3 and 4 of 12; shares 1/2 0 1/2 and 1/3 1/3 1/3, so 1/6 + 1/6 by chance; Cy judged alone
    ann, bob = [0] * 6 + [2] * 6, [0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 1, 2]
    table = questions.by_judge(long({"Ann": ann, "Bob": bob, "Cy": [-1] * 12 + [1] * 9})).set_index("judge")
    assert table.loc["Ann", ["judgments", "lowest", "highest", "grades", "shared"]].tolist() == [12, 0, 2, 2, 12]
    equal = 3 / 12 + 4 / 12
    chance = 0.5 * (4 / 12) + 0.5 * (4 / 12)
    assert table.loc["Bob", ["equal", "chance"]].tolist() == pytest.approx([equal, chance])
    assert table["sign"].tolist() == ["+", "+", ""]
    assert table.loc["Cy", ["shared", "what"]].tolist() == [0, ""]


def test_correlations_are_those_of_numpy():
    frame = long(GOOD | {"judge 3": ODD[questions.COIN], "judge 4": np.full(400, 1)})
    judged = coded(frame)
    first, second, counts = two_by_two(judged)
    wide = frame.pivot(index="doc", columns="assessor", values="grade")
    with np.errstate(invalid="ignore"):
        theirs = [
            np.corrcoef(wide[judged.judges[a]], wide[judged.judges[b]])[0, 1]
            for a, b in zip(first, second, strict=True)
        ]
    np.testing.assert_allclose(questions.correlations(counts, judged.values), theirs, atol=1e-12)


def test_models_are_held_against_people_alone():
    two_models = {"model: a": 3 - TRUE, "model: b": 3 - TRUE}
    assert whats(GOOD | {"model: a": 3 - TRUE, "model: b": ODD[questions.COIN]})["model: a"] == questions.INVERTED
    table = questions.by_judge(long({"Ann": TRUE} | two_models)).set_index("judge")
    assert table.loc["Ann", ["sign", "shared"]].tolist() == ["", 0]


@pytest.mark.parametrize(
    ("said", "line"),
    [
        (
            {"Ann": TRUE, "Bob": 3 - TRUE},
            "Ann, Bob against each other: inverted, equal to the others' in 0 %, by chance in 25 %; if that is only "
            "the scale of Bob, add grades='Bob=0:3,1:2,2:1,3:0'.",
        ),
        (
            dict.fromkeys(["Ann", "Bob", "Cy"], TRUE),
            "Ann, Bob, Cy: the same grades on all documents in common; is one a copy?",
        ),
        (
            dict.fromkeys(["Ann", "Bob"], [0] * 40),
            "Every judge gives one grade, 0, to everything: nothing can be told apart.",
        ),
    ],
)
def test_what_is_said_of_all_judges_is_said_once(said, line):
    assert questions.asked(questions.by_judge(long(said))) == [line]


def test_of_few_judgments_nothing_is_said():
    assert not any(whats({"Ann": TRUE[:9], "Bob": 3 - TRUE[:9], "Cy": [2] * 9}).values())


ADVISED = [what for what in ODD if what and what not in (questions.CONSTANT, questions.COPY, questions.COIN)]


@pytest.mark.parametrize("names", [True, False])
@pytest.mark.parametrize("what", [*ADVISED, "starts at 1"])
def test_what_is_advised_is_taken_and_answers_the_question(tmp_path, what, names):
    said = (
        {name: grades + 1 for name, grades in GOOD.items()} if what == "starts at 1" else GOOD | {"Zoe=;,": ODD[what]}
    )
    long({name.replace("judge", "person"): grades for name, grades in said.items()}).to_csv(tmp_path / "mine.csv")
    reading = formats.read(tmp_path / "mine.csv", names=names)
    assert reading.as_written
    [line] = questions.asked(reading.scales)
    [advised] = re.findall(r"add grades='(.*)'\.", line)
    assert ("Zoe" in advised) == (names and what != "starts at 1")
    again = formats.read(tmp_path / "mine.csv", grades=advised, names=names)
    left = questions.asked(again.scales, again.as_written)
    assert not left or (what == questions.BINARY and left[0].endswith(f": {what}."))
    assert again.scales[["lowest", "highest"]].drop_duplicates().to_numpy().tolist() == [[0, 3]]
    assert "Read as grades" in formats.describe(again) or ", read as grades" in formats.describe(again)


def test_two_grades_are_advised_to_be_the_ends_of_the_others_scale():
    said = {name: grades + 1 for name, grades in GOOD.items()} | {"Zoe": 1 + (TRUE > 1)}
    assert questions.asked(questions.by_judge(long(said)))[-1].endswith("add grades='Zoe=1:1,2:4'.")


SLIDERS = {
    "grades='24.8,49.5,74.2' or": {"Ann": 33 * TRUE, "Bob": 30 * TRUE + TRUE % 2},
    "grades='Cy=0:0,33:1,66:2,99:3' or": {"Ann": TRUE, "Bob": TRUE, "Cy": 33 * TRUE},
    "grades='Bob=": {"Ann": TRUE, "Bob": 25 * TRUE + TRUE % 2, "Cy": np.arange(400) % 101},
    "grades='0:0,1:1,2:2,3:3,33:skip' or": {"Ann": np.r_[TRUE, 33], "Bob": TRUE},
    "grades='Cy=33.3,66.7' or": {"Ann": TRUE % 3, "Bob": TRUE % 3, "Cy": np.arange(400) % 101},
}


@pytest.mark.parametrize("call", SLIDERS)
def test_a_slider_is_refused_with_a_scale_that_reads_it(tmp_path, call):
    long(SLIDERS[call]).to_csv(tmp_path / "mine.csv")
    with pytest.raises(ValueError, match=re.escape(f"add {call}")) as error:
        formats.read(tmp_path / "mine.csv")
    [advised] = re.findall("add grades='(.*)' or", str(error.value))
    highest = formats.read(tmp_path / "mine.csv", grades=advised).frame["grade"].max()
    assert highest == min(3, SLIDERS[call]["Ann"].max())  # as many as the others have, or four


def test_grades_are_declared_by_judge_in_every_form(tmp_path):
    long({"Ann": [0, 1, 2], "ben": [0, 50, 100], "gpt-4": [1, 0, 1]}).to_csv(tmp_path / "mine.csv")
    forms = [
        "ben=25,75;GPT*=0:0,1:2",
        {"ben": "25,75", "gpt-4": "0:0,1:2"},
        "judge 2=0:0,50:1,100:2;gpt-4=0:0,1:2;default=0:0,1:1,2:2",
    ]
    for grades in forms:
        frame = formats.read(tmp_path / "mine.csv", grades=grades, machines="gpt-4").frame
        assert frame.groupby("assessor")["grade"].agg(list).to_dict() == {
            "Ann": [0, 1, 2], "ben": [0, 1, 2], "model: gpt-4": [2, 0, 2]
        }  # fmt: skip
    with pytest.raises(ValueError, match="a judge in grades is 'bert', expected one of Ann, ben, gpt-4, default"):
        formats.read(tmp_path / "mine.csv", grades="bert=25,50", machines="gpt-4")
    with pytest.raises(
        ValueError, match=r"grade '50'; the grades here are 0, 100, 50: not all declared. Add grades='ben=0:0"
    ):
        formats.read(tmp_path / "mine.csv", grades="ben=0:0", machines="gpt-4")
    (tmp_path / "two.csv").write_text("query,doc,assessor,grade\nq,a,judge 1,9\nq,a,ann,1\n")
    with pytest.raises(ValueError, match="grades names judge 1, in the file judge 1, in reports ann: expected a name"):
        formats.read(tmp_path / "two.csv", grades="judge 1=2.5,5")
    with pytest.raises(ValueError, match="grades names judge 2, whose number changes as Ann has no grade then"):
        formats.read(tmp_path / "mine.csv", grades="judge 2=25,75;default=0:skip,1:skip,2:skip", machines="gpt-4")


def mistakes(real_data, name):
    return formats.describe(formats.read(real_data / "reports" / "mistakes" / name, names=False))


MISTAKES = {
    "m03_mixed_binary.csv": "judge 1: two grades alone",
    "m03c_shifted.csv": "judge 3: a grade higher than the others throughout",
    "m03d_inverted.csv": "judge 3: inverted, equal to the others' in 11 %, by chance in 41 %",
    "m09_spaces_case.csv": "read as different: queries: 20",
    "m09b_nfd.csv": "read as different: queries: 14",
    "m10_zero.csv": "read as different: queries: 9",
    "m10b_float_ids.csv": "read as different: documents: 382",
    "m22_allzero.csv": "Every judge gives one grade, 0, to everything",
    "s14.csv": "Grades start at 1; is 1 not relevant? Then add grades='1:0,2:1,3:2,4:3'.",
}


def test_every_mistake_is_named_as_the_file_is_read(real_data):
    for name, said in MISTAKES.items():
        assert said in mistakes(real_data, name), name
    for name in ("m03b_mixed_100.csv", "s100.csv"):
        with pytest.raises(ValueError, match="expected grades from 0 to 10"):
            mistakes(real_data, name)
    assert len(mistakes(real_data, "m07.jsonl").splitlines()) == 3
