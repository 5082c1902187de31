"""The effects of study 2, by hand."""

import numpy as np
import pandas as pd
import pytest

from helpers.making import bounds as making
from helpers.making import common
from helpers.reporting import verdicts
from helpers.studies.bounds import effects


def test_a_contrast_by_hand_in_another_order_of_queries(rng):
    # queries 1 and 3: a variance of 2, of the mean 1; draws 2 and 2 add none
    place = {"claim": "M4", "collection": "a", "ranker": "R"}
    rows = verdicts.contrast_rows(np.array([[1.0, 3.0], [1.0, 3.0]]), np.array([1, 0]), **place)
    assert [(row["unit"], row["number"], row["value"]) for row in rows] == [
        ("query", 0, 3), ("query", 1, 1), ("draw", 0, 2), ("draw", 1, 2), ("residual", 0, 0)
    ]  # fmt: skip
    [row] = verdicts.of_contrasts(pd.DataFrame(rows)).to_dict("records")
    assert (row["claim"], row["collection"], row["ranker"], row["basis"]) == ("M4", "a", "R", "real")
    assert (row["effect"], row["se"], row["queries"], row["draws"]) == (2, 1, 2, 2)


def test_the_order_of_queries_is_not_kept(monkeypatch, tmp_path):
    monkeypatch.setattr(common, "RESULTS", tmp_path)
    (tmp_path / "02").mkdir()
    making.write_contrasts("a", {"M1": np.arange(50.0)})
    kept = (
        pd.read_parquet(tmp_path / "02" / "contrasts.parquet").query("unit == 'query'").sort_values("number")["value"]
    )
    assert sorted(kept) == list(range(50)) != kept.tolist()


def test_the_share_of_pairs_is_that_within_two_hundredths():
    table = pd.DataFrame({"within": [0.01, 0.02], "share": [0.1, 0.4], "se": 0.2, "low": 0.0, "high": 0.8})
    found = effects.of_shares(table.assign(pairs=6, queries=30))
    assert (found.effect, found.se, found.low, found.high, found.queries) == (0.4, 0.2, 0, 0.8, 30)


LEARNED = pd.DataFrame({"ranker": ["X", "Y"], "ndcg": [0.4, 0.5], "low": [0.3, 0.45], "high": [0.5, 0.55]})


def of_ceilings(table, learned=LEARNED):
    return dict(effects.of_ceilings(table.assign(approximate=table["exact"]), learned))


def test_the_best_ranker_is_near_under_one_matrix_and_has_room_under_another():
    table = pd.DataFrame({"exact": [0.2, 0.45, 0.8], "low": np.nan, "high": np.nan})
    found = of_ceilings(table)
    assert found["M5a"][:1] + found["M5a"][2:4] == pytest.approx((-0.05, -0.1, 0))
    assert found["M5b"][:1] + found["M5b"][2:4] == pytest.approx((0.3, 0.25, 0.35))


def test_the_interval_of_a_gap_counts_the_judgments_that_the_matrix_was_counted_from():
    found = of_ceilings(pd.DataFrame({"exact": [0.6, 0.1], "low": [0.48, 0.1], "high": [0.6, 0.1]}))["M5b"]
    assert (found.low, found.high) == pytest.approx((0.1 - 0.13, 0.1 + 0.05))  # .05 and .12 make .13
    assert found.se == pytest.approx(0.18 / 2 / 1.96, rel=1e-4)


def test_where_nothing_was_learned_only_the_closed_form_is_asked():
    table = pd.DataFrame({"exact": [0.5, 0.7], "approximate": [0.49, 0.73]})
    [(claim, found)] = effects.of_ceilings(table, LEARNED.iloc[:0])
    assert claim == "M6"
    assert (found.effect, found.se) == pytest.approx((0.02, 0.01))  # errors .01 and .03


def test_lists_by_hand():
    longer = pd.DataFrame({"difference": [0.03, 0.01], "low": [0.027, 0.006], "high": [0.033, 0.014]})
    methods = pd.DataFrame(
        [(10, "simulated", 4.0), (10, "approximate", 1.0), (20, "simulated", 9.0), (20, "approximate", 1.0)],
        columns=["length", "method", "seconds"],
    )
    found = dict(effects.of_lists(longer, methods))
    assert found["M7"][:1] + found["M7"][2:4] == pytest.approx((0.02, 0.0175, 0.0225))  # half of .003 and .004
    assert found["M8"].effect == pytest.approx(6)
    assert found["M8"].low < 6 < found["M8"].high
