"""Effects of study 4: by hand on small tables of runs, and of the stored files."""

import numpy as np
import pandas as pd
import pytest

from helpers.engine import results
from helpers.making import depth as making
from helpers.reporting import verdicts
from helpers.studies.depth import effects
from helpers.studies.depth import protocol as study

STORED = results.stored("04")


def runs_of(cells, judged=100):
    """Runs of LambdaRank in cells (queries, documents) -> a list of NDCG by test query for each draw."""
    rows = [
        {"ranker": study.PAPER, "queries": n, "documents": d, "repeat": repeat, "per_query": per_query}
        for (n, d), repeats in cells.items()
        for repeat, per_query in enumerate(repeats)
    ]
    return pd.DataFrame(rows).assign(training_queries=10, judgments=10 * judged)


def flat(ndcg):
    """Two draws of three test queries, the last of which has nothing relevant."""
    return [[ndcg, ndcg + 0.25, np.nan]] * 2


SHARES = {(1.0, 1.0): flat(0.5), (1.0, 0.5): [[0.5, 0.5, np.nan], [0.5, 0.7, np.nan]], (0.5, 1.0): flat(0.4)}
POOL = {
    (n, d): flat(0.1 * (np.log2(n) - 2) / 3 + 0.001 * np.log2(d) ** 2)
    for n in (4, 8, 16, 32)
    for d in (2, 4, 8, 16, 32)
}


@pytest.fixture
def kept(rng):
    return effects.contrasts("mq2008", runs_of(SHARES), runs_of(POOL), rng)


def test_a_contrast_is_kept_by_query_in_no_known_order_by_draw_and_with_what_is_left(kept):
    """Half of the documents less half of the queries: .1 and -.15 in one draw, .1 and .05 in the other."""
    values = kept[kept["claim"] == "R1-50"].groupby("unit")["value"].agg(list)
    assert sorted(values["query"]) == pytest.approx([-0.05, 0.1])
    assert values["draw"] == pytest.approx([-0.025, 0.075])
    assert values["residual"] == pytest.approx([0.05**2 * 4 / 4])  # four cells .05 away, one degree of freedom
    assert set(kept["measure"]) == {"NDCG@10"}
    assert set(kept["unit"]) == {"query", "draw", "residual"}


def test_the_effect_of_each_claim_by_hand(kept):
    """In the pool NDCG is .1 / 3 a doubling of the queries, and .001 times the square of log2 of the documents."""
    found = verdicts.of_contrasts(kept).set_index("claim")
    assert (found[["queries", "draws"]] == 2).all(axis=None)
    assert found["effect"].to_dict() == pytest.approx(
        {
            "R1-50": 0.025,
            "R2": 0.075,
            "R3": 0.1 / 3 - 0.009,  # 32 queries of 16 documents less 16 of 32
            "R4": 0.009,
            "R5-8": 0.016,
            "R5-4": 0.021,
            "R5-2": 0.024,
            "R5b": -(1.5 * 0.1 / 3) + 0.0065,  # 16 and 8 queries of 8 documents less 32 of 4 and of 2
            "R6": 0.1 / 3 - 0.008,  # from 8 documents to 16, and from 16 to 32
        },
        abs=1e-6,
    )


def test_a_share_that_leaves_fewer_than_eight_documents_is_another_claim(rng):
    kept = effects.contrasts("mq2008", runs_of(SHARES, judged=7), runs_of(POOL), rng)
    assert "R1-50" not in set(kept["claim"])
    assert verdicts.of_contrasts(kept).set_index("claim").loc["O13", "effect"] == pytest.approx(0.025)


def test_a_pool_without_deeper_cells_is_asked_less(rng):
    small = {cell: ndcg for cell, ndcg in POOL.items() if cell[1] <= 8}
    kept = effects.contrasts("mq2008", runs_of(SHARES), runs_of(small), rng)
    assert set(kept["claim"]) == {"R1-50", "R2", "R5-4", "R5-2", "R5b"}


def test_stored_effects_are_what_the_stored_runs_give():
    stored = pd.read_csv(making.FOLDER / "effects.csv")
    pd.testing.assert_frame_equal(effects.effects(), stored, check_dtype=False, atol=1e-6)
    assert not stored[["claim", "collection", "ranker"]].duplicated().any()
    assert list(stored) == verdicts.EFFECTS


def test_stored_contrasts_are_those_of_the_stored_runs():
    """Means over queries and draws are differences of the cells' means, which are stored beside them."""
    found = verdicts.of_contrasts(pd.read_parquet(effects.CONTRASTS)).set_index("claim")
    for claim, first, second in [("R1-50", (1.0, 0.5), (0.5, 1.0)), ("R2", (1.0, 1.0), (1.0, 0.5))]:
        for row in found.loc[[claim]].itertuples():
            runs = STORED[row.collection]["percent"].query("ranker == @row.ranker")
            means = runs.groupby(["queries", "documents"])["ndcg"].mean()
            assert row.effect == pytest.approx(means[first] - means[second], abs=2e-6)
            assert row.draws == runs["repeat"].nunique()


def test_the_papers_own_test_is_shown_by_collection_and_share(kept, tmp_path, monkeypatch):
    """Two queries, .1 and -.05: mean .025, standard error .075, t = 1/3 with one degree of freedom."""
    monkeypatch.setattr(effects, "CONTRASTS", tmp_path / "contrasts.parquet")
    kept.to_parquet(effects.CONTRASTS)
    assert effects.papers_test().to_dict("records") == [{"collection": "mq2008", "50 %": "+.025, p .795"}]


def test_shares_that_leave_too_few_documents_are_not_tested():
    shown = effects.papers_test().set_index("collection")
    assert list(shown) == ["5 %", "10 %", "20 %", "50 %"]
    assert shown.loc["mq2008", "5 %"] == ""  # one document a query is left
    assert shown.loc["mq2008", "50 %"][0] in "+-"
