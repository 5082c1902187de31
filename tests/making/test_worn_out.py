"""Runs against what a ranking that is perfect for one person reaches with another."""

import numpy as np
import pandas as pd
import pytest

from helpers.making import worn_out
from helpers.making.worn_out import CROSS_ENCODERS, LANGUAGE_MODELS, NIST, PEOPLE, Passages
from helpers.studies.bounds import findings


def passages(queries=("q",), **columns):
    """Two passages a query that two people judged: the first has 3 and 0, the second 0 and 3."""
    rows = [
        {"query": query, "person": person, "learned": one, PEOPLE: other} | dict.fromkeys(list(worn_out.JUDGES)[1:], 1)
        for query in queries
        for person, grades in (("a", ((3, 0), (0, 3))), ("b", ((0, 3), (3, 0))))
        for one, other in grades
    ]
    ranks = pd.DataFrame({"first": [1, 2] * 2 * len(queries), "late": [1, 11] * 2 * len(queries)}, dtype=float)
    families = {"first": LANGUAGE_MODELS, "late": CROSS_ENCODERS}
    return Passages(pd.DataFrame(rows).assign(**columns), ranks, families)


def test_a_perfect_ranking_and_runs_by_hand():
    ceilings, runs = worn_out.by_query(passages(), PEOPLE)
    second = 1 / np.log2(3)
    assert ceilings[PEOPLE].item() == pytest.approx(second)  # each person puts first what the other calls worthless
    assert ceilings[NIST].item() == pytest.approx((1 + second) / 2)  # all grades alike: both orders
    assert runs.loc["q"].tolist() == pytest.approx([(1 + second) / 2, 1 / 2])  # beyond rank 10 nothing counts


def test_a_judge_who_tests_is_not_learned_from():
    ceilings, runs = worn_out.by_query(passages(**{NIST: [2, 0] * 2}), NIST)
    assert NIST not in ceilings
    assert ceilings[PEOPLE].item() == pytest.approx((1 + 1 / np.log2(3)) / 2)
    assert runs.loc["q"].tolist() == [1, 1]


def test_a_run_is_chosen_by_queries_that_it_is_not_tested_on(rng):
    lucky = np.eye(6)  # every run is best on one query, its own, and nothing elsewhere
    taken = worn_out.chosen_on_others(lucky, rng)
    assert taken.sum(axis=1) == pytest.approx(np.ones(6))
    assert np.diag(taken) == pytest.approx(np.zeros(6))


def test_tables_hold_aggregates_and_compare_judges_on_one_scale_only(rng):
    tables = worn_out.tables(passages(queries=tuple("qrst")), rng)
    assert not any({"query", "doc", "person"} & set(table) for table in tables.values())
    assert tables["runs"].groupby("tested_by").size().unique().tolist() == [2]
    own = tables["own_kind"].set_index("tested_by")
    assert own["beyond"].notna().to_dict() == {
        judge: judge != NIST and scale == "0-3" for judge, scale in worn_out.JUDGES.items()
    }
    assert own.loc[PEOPLE, "difference"] == pytest.approx(1 / np.log2(3) / 2)
    perfect = tables["perfect"].set_index(["tested_by", "learned_from"])
    assert perfect.loc[(PEOPLE, PEOPLE), "difference"] == pytest.approx((1 - 1 / np.log2(3)) / 2)
    assert findings.by_judge(tables["perfect"], tables["own_kind"])["tested by"].tolist() == list(worn_out.JUDGES)
    first, last = findings.kinds(tables["families"]).split(" and ")
    assert f"{LANGUAGE_MODELS} +.185 (" in first
    assert f"{CROSS_ENCODERS} -.131 (" in last
