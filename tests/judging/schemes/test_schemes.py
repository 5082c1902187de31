"""Scheme names: what each says, and that no other name is taken for one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.judging.schemes import GOOD, PAPER, Scheme, parse


@pytest.mark.parametrize(
    ("name", "scheme"),
    [
        ("baseline", Scheme("overlap", 1)),
        ("1-overlap", Scheme("overlap", 1)),
        ("11-overlap", Scheme("overlap", 11)),
        ("mv3", Scheme("majority", 3)),
        ("highest-3", Scheme("highest", 3)),
        ("gain-4", Scheme("gain", 4)),
        ("dawid-skene-5", Scheme("dawid-skene", 5)),
        ("if-good-2", Scheme("if-good", 2)),
        ("if-good-gain-3", Scheme("if-good-gain", 3)),
        ("if-good-x3", Scheme("weighted", 1, 3.0)),
        ("if-good-x0.25", Scheme("weighted", 1, 0.25)),
        ("good-till-bad-127", Scheme("till-bad", 127)),
    ],
)
def test_a_name_says_what_is_asked_and_what_is_made_of_it(name, scheme):
    assert parse(name) == scheme


@pytest.mark.parametrize(("old", "new"), [("mean-3", "gain-3"), ("if-good-mean-11", "if-good-gain-11")])
def test_an_old_name_says_its_new_one(old, new):
    with pytest.raises(ValueError, match=f"scheme is '{old}', which is now {new}: "):
        parse(old)


def test_the_papers_nine_settings_are_schemes_of_one_to_eleven_labels():
    assert len(set(PAPER)) == 9
    assert [parse(name).k for name in PAPER[:-1]] == [1, 3, 11, 3, 11, 3, 3, 1]
    assert {parse(name).weight for name in PAPER} == {1.0, 3.0}


def test_good_till_bad_without_a_number_ends_where_the_judges_do():
    assert parse("good-till-bad").kind == "till-bad"
    assert parse("good-till-bad").k > 10**9


def test_good_is_the_middle_of_bad_fair_good_excellent_perfect():
    assert ("Bad", "Fair", "Good", "Excellent", "Perfect").index("Good") == GOOD


@given(st.integers(1, 10**6))
def test_any_number_of_judges_is_taken(k):
    names = (f"{k}-overlap", f"mv{k}", f"highest-{k}", f"gain-{k}", f"if-good-{k}", f"good-till-bad-{k}")
    assert {parse(name).k for name in names} == {k}


@pytest.mark.parametrize(
    "name",
    [
        "",
        "majority",
        "Baseline",
        "mv",
        "mv0",
        "mv-3",
        "mv3.5",
        "mv3 ",
        "mv٣",
        "0-overlap",
        "-1-overlap",
        "if-good-0",
        "if-good-gain-0",
        "if-good-mean",
        "if-good-x0",
        "if-good-x-1",
        "good-till-bad-",
        "good-till-bad-0",
        f"{10**30}-overlap",
    ],
)
def test_a_name_of_no_scheme_or_one_that_asks_nobody_is_refused(name):
    with pytest.raises(ValueError, match=f"^scheme is '{name}', expected baseline, k-overlap, mvk"):
        parse(name)
