"""The words of the page for a manager follow the numbers, whatever was judged."""

import re
from dataclasses import replace

import numpy as np
import pytest
from shapes_of_judgments import PEOPLE, TRUTH, of, of_shape

import helpers
from helpers.studies.judgments import brief

ONE = {"Ann": TRUTH}
TWO = {who: PEOPLE[who] for who in ("Ann", "Bob")}
GOOD, BAD, ZEROS = {"model: good": TRUTH}, {"model: bad": 3 - TRUTH}, {"model: zeros": np.zeros(240, int)}


def test_the_page_is_short_and_whole_whatever_was_judged(shape):
    found = of_shape(shape)
    answer, steps, numbers = brief.answer(found), brief.monday(found), brief.numbers(found)
    assert len(answer.split()) <= 90
    assert 1 <= len(numbers) <= 6
    assert numbers.columns.tolist() == ["question", "number", "in a word"]
    assert 1 <= len(steps) <= 7
    for text in (answer, *steps, *numbers.to_numpy().ravel()):
        assert not re.search(r"\bnan\b|\bNone\b|\bunknown\b|  ", text), text


@pytest.mark.parametrize(
    ("alpha", "words"),
    [
        (0.85, "**Rely on the labels**: two people say much the same, by alpha .85"),
        (0.8, "**Rely on the labels**"),
        (0.7, "**Conclude with care**: people agree by alpha .70"),
        (0.6, "**Decide little by these labels**"),
        (float("nan"), "**Nobody can say how sure the labels are**"),
    ],
)
def test_how_far_labels_can_be_relied_on_follows_alpha(alpha, words):
    found = of_shape("people")
    assert words in brief.answer(replace(found, alpha=found.alpha | {"alpha": alpha}))


UNKNOWN = "whether it may judge is not known"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (PEOPLE | GOOD | BAD, ["**Do not let bad judge alone**", "Of good no loss is shown."]),
        (TWO | GOOD, ["Of good no loss is shown."]),
        (ONE | BAD, [" bad agrees with the person, weighted kappa", f"{UNKNOWN}."]),
        ({who: said[:4] for who, said in (PEOPLE | GOOD).items()}, [f"{UNKNOWN}, as there is one query."]),
        (PEOPLE | ZEROS, ["**zeros: 0 for all 240 documents.**"]),
        (
            ONE | GOOD | ZEROS,
            ["**zeros: 0 for", "Of 2 models good agrees best with the person, weighted kappa 1.0 (1.0 to 1.0)"],
        ),
    ],
)
def test_models_that_are_worse_are_named_and_those_of_which_no_loss_is_shown_or_nothing_known(said, words):
    answer = brief.answer(of(said))
    for each in words:
        assert answer.count(each) == 1, answer


def test_of_many_models_three_are_named():
    many = brief.answer(of_shape("people and many models"))
    assert re.search(r"\*\*Do not let \S+, \S+, \S+ and 10 more judge alone\*\*", many)


def test_a_loss_is_told_where_its_interval_holds_none_and_a_query_where_people_agree_less_than_elsewhere():
    found = of(PEOPLE | {"model: good": TRUTH})
    table = found.replacements
    for high, said in ((-0.01, "**Do not let good judge alone**"), (0.01, "Of good no loss is shown.")):
        lost = table.assign(difference=-0.1, difference_low=-0.2, difference_high=high)
        assert said in brief.answer(replace(found, replacements=lost))
    alike = found.by_query.assign(alpha=found.alpha["alpha"])
    for alpha, steps in ((brief.TENTATIVE + 0.01, 0), (brief.TENTATIVE - 0.01, 1)):
        known = replace(found, by_query=alike.assign(alpha=[alpha, *alike["alpha"][1:]]))
        assert sum(step.startswith("Talk about") for step in brief.monday(known)) == steps


def test_of_models_alone_nobody_is_told_that_their_labels_can_be_relied_on():
    found = of({"model: a": TRUTH, "model: b": TRUTH})
    assert brief.answer(found) == (
        "Your judgments: 240 documents of 60 queries, by 2 models. "
        "**Look first at** 2 models: all grades equal to another's. "
        "**Have a person judge some of it**: of models alone nobody can say how sure the labels are."
    )
    assert brief.numbers(found).iloc[0, 0].startswith("Do models agree?")
    assert brief.monday(found)[0].startswith("Have a person judge fifty documents")
    apart = brief.monday(of({"model: a": TRUTH, "model: b": TRUTH[::-1]}))
    assert any("where models agree least" in step for step in apart)
    assert not any("people" in step for step in apart)


def test_what_to_do_on_monday_by_hand():
    """Ann and Bob differ on a quarter of the documents, by 1 and 2 each time; Di always says 2."""
    ann, bob = [0, 0, 1, 3] * 12, [0, 0, 2, 3] * 12
    found = of({"Ann": ann, "Bob": bob, "Di": [2] * 48})
    steps = brief.monday(found)
    assert steps[0] == "Look at the labels of Di (one grade for everything)."
    found = of({"Ann": ann, "Bob": bob})
    steps = brief.monday(found)
    assert steps[0] == (
        "Write down what parts grade 1 from 2: of two labels of a document, 25 % lie on different sides."
    )
    assert steps[-1].startswith(
        f"Call no difference of two rankers below {found.threshold:.3f} a gain".replace("0.", ".")
    )
    found = of({"Ann": ann, "Bob": bob, "zero": [0] * 48}, machines=["zero"])
    assert brief.monday(found)[0].startswith("Leave out, or prompt anew, zero (")
    single = brief.monday(of_shape("one judge"))
    assert single == ["Have a second person judge fifty documents: without it nothing says how sure these labels are."]


def test_what_looks_wrong_is_said_first_and_the_rest_counted():
    people = {"Ann": TRUTH, "Bob": TRUTH, "Cy": 3 - TRUTH, "Di": TRUTH * 0, "Ed": TRUTH + 1}
    answer = brief.answer(of(people))
    assert answer.startswith(
        "Your judgments: 240 documents of 60 queries, by 5 people. **Look first at** "
        "2 judges: all grades equal to another's; Cy: inverted and 2 more. **"
    )


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("q,d{0},{1},{2}\n", "**Look first at** grades that start at 1 (is 1 not relevant?)"),
        ("{3},d{0},{1},{2}\n", "**Look first at** 12 queries that others write nearly alike"),
    ],
)
def test_mistakes_in_a_file_are_in_the_first_words(tmp_path, written, said):
    rows = [(d, who, 1 + (d + (d % 5 == 0) * (who == "Bob")) % 4) for d in range(48) for who in ("Ann", "Bob")]
    lines = [written.format(d, who, g, f"{d // 4 + 1}" if who == "Ann" else f"0{d // 4 + 1}") for d, who, g in rows]
    (tmp_path / "mine.csv").write_text("query,doc,assessor,grade\n" + "".join(lines))
    assert said in brief.answer(helpers.answers(tmp_path / "mine.csv", cutoff=3))


def test_of_few_queries_nothing_is_said_but_that_they_are_few():
    found = of({"Ann": [0, 1, 2, 3] * 3, "Bob": [0, 1, 3, 3] * 3})
    assert "**Nobody can say how sure the labels are**: two people judged the same in 3 queries alone." in (
        brief.answer(found)
    )
    assert brief.numbers(found)["in a word"].tolist() == ["too few"]
    assert brief.monday(found)[0].startswith("Have a second person judge fifty documents")
