"""How many documents people must judge: hand values first, then what must hold."""

from math import log

import numpy as np
import pandas as pd
import pytest

from helpers.judging import validating
from helpers.judging.models import page
from helpers.judging.validating import KNOWN, NEEDED, NEVER, UNTOLD, needed
from helpers.making import validating as making

COLUMNS = ["query", "doc", "assessor", "grade"]


def pilot(off, documents=4, people=("Ann",)):
    """A model that is off by so many grades in each query, which all have the grades 0, 1, 2 and 3 in turn."""
    rows = [
        (f"q{q:03}", f"d{d}", who, d % 4 + (shift if who == "model: m" else 0))
        for q, shift in enumerate(off)
        for d in range(documents)
        for who in (*people, "model: m")
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def found(frame, seed=0, **how):
    return needed(frame, rng=np.random.default_rng(seed), **how).set_index("measure")


def noisy(n_queries, rng, names=("a", "b", "c", "model: m"), errors=0.3, documents=10):
    """Judges who each replace a share of the true grades by random ones, more or fewer by query."""
    rows = []
    for q in range(n_queries):
        truth, share = rng.integers(0, 4, documents), errors * rng.gamma(4, 0.25)
        for who in names:
            said = np.where(rng.random(documents) < share, rng.integers(0, 4, documents), truth)
            rows += [(f"q{q:03}", f"d{d}", who, int(grade)) for d, grade in enumerate(said)]
    return pd.DataFrame(rows, columns=COLUMNS)


def test_queries_for_a_width_by_hand():
    # half of 40 queries are off by 1: pseudo-values 0 and 1, s^2 = .25 * 40 / 39, (2 * 1.96)^2 = 15.366
    row = found(pilot([0, 1] * 20), bias=0.1).loc["bias"]
    variance = 0.25 * 40 / 39
    assert [row["queries"], row["documents"], row["value"], row["depth"]] == [40, 160, 0.5, 4]
    assert row["width"] == pytest.approx(2 * 1.959964 * np.sqrt(variance / 40), rel=1e-6)
    assert row["needed"] == np.ceil(15.3658 * variance / 0.1**2)
    assert [row["needed_documents"], row["judgments"]] == [4 * row["needed"]] * 2
    assert row["state"] == NEEDED


def test_the_interval_is_bonetts_by_hand():
    # of 0 and 1 in equal parts the fourth moment is that of the variance squared: kurtosis 1
    n, variance = 40, 0.25 * 40 / 39
    correction = n / (n - 1.959964)
    half = 1.959964 * correction * np.sqrt((1 - 37 / 40) / 39)
    row = found(pilot([0, 1] * 20)).loc["bias"]
    ends = [np.ceil(15.3658 / 0.2**2 * variance * correction * np.exp(sign * half)) for sign in (-1, 1)]
    assert [row["low"], row["high"]] == ends


def test_half_the_width_takes_four_times_the_queries():
    frame = pilot(np.random.default_rng(1).normal(size=30).round())
    wide, narrow = found(frame, bias=0.4, kappa=0.2), found(frame, bias=0.2, kappa=0.1)
    for measure in validating.WIDTHS:
        assert narrow.loc[measure, "needed"] == pytest.approx(4 * wide.loc[measure, "needed"], abs=4)


def test_of_queries_that_are_all_alike_a_few_tell_everything():
    table = found(pilot([1] * 6))
    assert table["state"].tolist() == [KNOWN, KNOWN]
    assert table["width"].tolist() == pytest.approx([0, 0], abs=1e-6)
    assert table["needed"].tolist() == [0, 0]


def test_more_of_the_same_queries_are_known_better_and_need_as_many_in_all():
    once = found(pilot([0, 1, 0, -1, 2] * 8))
    thrice = found(pilot([0, 1, 0, -1, 2] * 24))
    for measure in validating.WIDTHS:
        assert thrice.loc[measure, "width"] < once.loc[measure, "width"]
        assert thrice.loc[measure, "needed"] == pytest.approx(once.loc[measure, "needed"], rel=0.06)
        assert (
            thrice.loc[measure, "high"] - thrice.loc[measure, "low"]
            < once.loc[measure, "high"] - once.loc[measure, "low"]
        )


def test_a_pilot_that_is_too_small_says_from_how_many_queries_on_it_tells():
    row = found(pilot([0, 1, 0, 3])).loc["bias"]
    assert [row["state"], row["tells_from"], row["high"]] == [UNTOLD, validating.SURE_FROM, np.inf]
    row = found(pilot([0, 0, 0, 0, 0, 0, 0, 3])).loc["bias"]
    assert row["state"] == UNTOLD
    assert row["high"] > validating.TELLS * row["low"]
    assert row["tells_from"] == pytest.approx(8 * (log(row["high"] / row["low"]) / log(10)) ** 2, rel=0.1)
    assert row["tells_from"] > 8


def test_widths_are_those_of_the_model_page():
    frame = noisy(60, np.random.default_rng(2))
    seen = page(frame, draws=1000, rng=np.random.default_rng(0)).table.iloc[0]
    for measure, row in found(frame).loc[list(validating.WIDTHS)].iterrows():
        assert row["value"] == pytest.approx(seen[measure])
        assert row["width"] == pytest.approx(seen[f"{measure}_high"] - seen[f"{measure}_low"], rel=0.12)


def test_fewer_documents_a_query_need_more_queries_and_fewer_judgments():
    frame = noisy(60, np.random.default_rng(3), names=("a", "b", "model: m"), documents=40)
    whole, thin = found(frame, depth=None), found(frame, depth=5)
    assert [whole["depth"].iloc[0], thin["depth"].iloc[0]] == [40, 5]
    for measure in validating.WIDTHS:
        assert thin.loc[measure, "needed"] > whole.loc[measure, "needed"]
        assert thin.loc[measure, "judgments"] < whole.loc[measure, "judgments"]
    assert whole.loc["bias", "judgments"] == 2 * whole.loc["bias", "needed_documents"]


def test_neither_the_order_of_rows_nor_a_row_without_a_grade_changes_anything():
    frame = noisy(12, np.random.default_rng(4))
    missing = pd.DataFrame([("q000", "d0", "d", None)], columns=COLUMNS)
    shuffled = pd.concat([frame.sample(frac=1, random_state=5), missing], ignore_index=True)
    pd.testing.assert_frame_equal(found(frame, depth=3), found(shuffled, depth=3))


def test_a_model_like_people_passes_the_test_by_more_queries_and_its_opposite_by_none():
    rng = np.random.default_rng(6)
    few = noisy(24, rng, documents=4)
    own = few[few["assessor"] == "a"]
    opposite = own.assign(assessor="model: opposite", grade=3 - own["grade"])
    table = needed(pd.concat([few, opposite]), rng=rng)
    tests = table[table["measure"] == "test"].set_index("judge")
    assert tests.loc["model: opposite", "state"] == NEVER
    assert tests.loc["model: m", "low"] <= tests.loc["model: m", "needed"] <= tests.loc["model: m", "high"] < np.inf
    assert table["judge"].tolist() == ["model: m"] * 3 + ["model: opposite"] * 3


def test_without_three_people_on_the_same_documents_there_is_no_test():
    assert "test" not in found(noisy(12, np.random.default_rng(7), names=("a", "b", "model: m"))).index
    alone = noisy(12, np.random.default_rng(7))
    own = alone["query"].str[-1].astype(int) % 3 == alone["assessor"].map({"a": 0, "b": 1, "c": 2})
    assert "test" not in found(alone[own | (alone["assessor"] == "model: m")]).index


@pytest.mark.parametrize("n", [1, 2])
def test_one_query_or_two_tell_nothing(n):
    table = found(noisy(n, np.random.default_rng(8)))
    assert table["state"].tolist() == [UNTOLD] * 3
    assert table["tells_from"].tolist() == [validating.SURE_FROM] * 3
    assert found(pilot([1] * 5)).loc["bias", ["width", "state"]].tolist() == [0, UNTOLD]  # five that are all alike
    one = noisy(3, np.random.default_rng(9))
    apart = (one["query"] == "q000") | one["assessor"].isin(["a", "model: m"])
    assert found(one[apart]).loc["test", "state"] == UNTOLD


def test_wrong_arguments_are_refused():
    frame = pilot([0, 1])
    for how, said in (
        ({"kappa": 0}, "kappa is 0, expected the width of an interval, above 0"),
        ({"bias": np.nan}, "bias is nan"),
        ({"depth": 0.5}, "depth is 0.5, expected a whole number of at least 1"),
    ):
        with pytest.raises(ValueError, match=said):
            found(frame, **how)
    with pytest.raises(ValueError, match="no model beside people, and no two judges judged the same document"):
        found(frame[frame["assessor"] == "Ann"])
    with pytest.raises(ValueError, match="no model and person judged the same document"):
        found(frame.assign(doc=frame["assessor"] + frame["doc"]))


@pytest.mark.parametrize("name", making.SOURCES)
def test_on_real_judgments_pilots_promise_the_width_that_comes(name, real_data, monkeypatch):
    """Half of the queries promise what other draws of as many show, and the interval holds what is needed."""
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    monkeypatch.setattr(making, "DRAWS", 60)
    monkeypatch.setattr(making, "MODELS", 2)
    rows = making.checked(making.as_three(making.SOURCES[name]()), making.PILOTS[name][-1:], np.random.default_rng(1))
    widths = rows[rows["measure"] != "test"]
    assert len(widths) == 4
    assert widths["over_spread"].between(0.85, 1.15).all()
    assert (widths["covered"] > 0.9).all()
