import functools

import judged_by_hand
import numpy as np
import pytest

from helpers.judging import replacing
from helpers.judging.judgments import paired
from helpers.judging.real_ceilings import real

long = functools.partial(judged_by_hand.long, length=5)


@pytest.fixture
def judged(rng):
    truth = rng.integers(0, 4, 200)
    said = {who: np.clip(truth + rng.integers(-1, 2, 200), 0, 3) for who in ("a", "b", "c", "model: m")}
    for grades in said.values():
        grades[rng.random(200) < 0.2] = -1
    return long(said)


def test_the_ceilings_of_all_judges_are_those_of_every_two(judged):
    table = replacing.crossed(judged, 3)
    names = list(table.judges)
    for ranks, scores in [("a", "b"), ("c", "model: m")]:
        pairs = paired(judged, testing=scores, training=ranks)
        pairs = pairs[pairs.groupby("query")["doc"].transform("size") > 1]
        found = table.ndcg[names.index(ranks), names.index(scores)]
        expected = dict(zip(pairs["query"].unique(), real(pairs, 3), strict=True))
        assert found == pytest.approx([expected.get(query, np.nan) for query in table.queries], nan_ok=True)


def test_over_all_judges_the_ceilings_count_by_their_documents(judged, rng):
    table = replacing.crossed(judged, 3)
    pairs = replacing.ceilings(table, draws=20, rng=rng)
    assert replacing.overall(table, draws=20, rng=rng)[0] == pytest.approx(
        np.average(pairs["ndcg"], weights=pairs["documents"])
    )


def test_a_judge_who_is_milder_throughout_is_no_loss_to_a_ranking(rng):
    truth = rng.integers(0, 3, 100)
    table = replacing.crossed(long({"a": truth, "mild": truth + 1, "b": truth}), 10)
    found = replacing.replaceability(table, draws=50, rng=rng).set_index("judge")
    assert found.loc["mild", ["reached", "others", "difference"]].tolist() == pytest.approx([1, 1, 0])


def test_one_who_guesses_is_a_clear_loss_and_comes_first(rng):
    truth = rng.integers(0, 4, 500)
    said = {who: np.clip(truth + rng.integers(-1, 2, 500), 0, 3) for who in "abc"} | {"guess": rng.integers(0, 4, 500)}
    found = replacing.replaceability(replacing.crossed(long(said), 3), draws=200, rng=rng)
    assert found["judge"][0] == "guess"
    assert found["difference_high"][0] < 0


def test_with_two_judges_there_is_nobody_to_compare_with(rng):
    found = replacing.replaceability(
        replacing.crossed(long({"a": [0, 1, 2, 1, 0], "b": [0, 2, 1, 1, 0]}), 3), draws=9, rng=rng
    )
    assert found["difference"].isna().all()
    assert found["reached"].notna().all()
    assert found["low"].isna().all()


def test_an_interval_is_of_what_its_value_is_of_where_some_share_a_single_query(rng):
    """Others than a rank by b in three queries, 1/log2(3) in the first, and c shares that one alone."""
    said = {"a": [0, 1, 1, 0, 1, 0], "b": [1, 0, 1, 0, 1, 0], "c": [1, 0, -1, -1, -1, -1]}
    table = replacing.crossed(long(said, length=2), 2)
    found = replacing.replaceability(table, draws=500, rng=rng).set_index("judge")
    second = 1 / np.log2(3)
    assert found.loc["a", "reached"] == pytest.approx((6 * (second + 2) / 3 + 2 * second) / 8)
    several = found.loc[["a", "b"]]
    assert (several["low"] <= several["reached"]).all()
    assert (several["reached"] <= several["high"]).all()
    assert np.isnan(found.loc["c", "low"])
    assert found.loc["a", "low"] == pytest.approx(second)
    assert found.loc["b", ["difference_low", "difference_high"]].isna().all()  # a and c share one query
    mean, low, high = replacing.overall(table, draws=500, rng=rng)
    assert low < mean < high
    of_one = replacing.ceilings(table, draws=9, rng=rng).query("queries == 1")
    assert len(of_one) == 4
    assert of_one["low"].isna().all()


@pytest.mark.parametrize(
    ("people", "models", "kept"),
    [(1, 6, (1, 3)), (3, 6, (2, 2)), (6, 1, (3, 1)), (6, 0, (4, 0)), (0, 6, (0, 4)), (2, 2, (2, 2))],
)
def test_people_and_models_leave_each_other_half_of_the_places(monkeypatch, people, models, kept):
    """The first of each kind judged most: p0 and m0 all ten documents, p1 and m1 nine of them, and so on."""
    monkeypatch.setattr(replacing, "MOST", 4)
    names = [[f"model: m{n}" for n in range(models)], [f"p{n}" for n in range(people)]]
    said = {name: [1] * (10 - n) for kind in names for n, name in enumerate(kind)}
    expected = [*names[0][: kept[1]], *names[1][: kept[0]]]
    assert replacing.crossed(long(said), 3).judges.tolist() == expected
