"""What the runs of study 4 are compared for, and the effects of its claims: by hand, and of the stored files."""

import numpy as np
import pandas as pd
import pytest

from helpers.engine import results
from helpers.metrics import significance
from helpers.reporting import verdicts
from helpers.studies.depth import effects, runs
from helpers.studies.depth import protocol as study
from helpers.studies.depth import tables as depth

STORED = results.stored("04")


def runs_of(cells, ranker=study.PAPER, judged=100):
    """Runs of cells (queries, documents) -> a list of NDCG by test query for each repeat; so many judged a query."""
    rows = [
        {"ranker": ranker, "queries": n, "documents": d, "repeat": repeat, "per_query": per_query}
        for (n, d), repeats in cells.items()
        for repeat, per_query in enumerate(repeats)
    ]
    return pd.DataFrame(rows).assign(training_queries=10, judgments=10 * judged)


def test_tables_by_hand():
    both = {"queries": 1.0, "documents": 0.1, "training_queries": [10, 10], "judgments": [60, 80]}
    assert depth.documents_left(pd.DataFrame(both)) == {(1.0, 0.1): 7.0}
    pool = dict.fromkeys([(16, 8), (32, 8), (16, 16), (32, 16), (16, 4), (32, 4)])
    assert depth.doublings(pool) == [((32, 8), (16, 16))]
    together = depth.together({"a": {"pool": pd.DataFrame({"ndcg": [0.5]})}, "b": {}}, "pool")
    assert together.to_dict("records") == [{"data": "a", "ndcg": 0.5}]
    run = {"ranker": "RankSVM", "source": "pool", "queries": 8, "documents": 2, "choice": "random", "repeat": 0}
    run |= {"training_queries": 8, "judgments": 16, "rate": np.nan}
    folds = [run | {"fold": 1, "per_query": [0.5, 0.75]}, run | {"fold": 2, "per_query": [1]}]
    pooled = runs.pooled(pd.DataFrame(folds))[["judgments", "ndcg", "per_query"]]
    assert pooled.to_numpy().tolist() == [[16.0, 0.75, [0.5, 0.75, 1]]]


def test_the_comparisons_of_the_first_experiment_by_hand(rng):
    percent = runs_of(
        {
            (1.0, 1.0): [[0.6, 0.8, 0.7]] * 2,
            (1.0, 0.5): [[0.5, 0.8, 0.6]] * 2,
            (0.5, 1.0): [[0.4, 0.6, 0.6], [0.2, 0.8, 0.4]],
        }
    )
    pool = runs_of({(16, 2): [[0.1, 0.2, 0.3]]})
    table = depth.comparisons(percent, pool, rng).set_index("question")
    # means over draws and queries: half of the documents .6333, half of the queries .5, everything .7
    assert table.loc["documents or queries", "difference"] == pytest.approx(0.63333 - 0.5, abs=1e-5)
    assert table.loc["all documents or half", "difference"] == pytest.approx(0.7 - 0.63333, abs=1e-5)
    assert table.loc["documents or queries", "first"] == "100 % queries × 50 % documents"
    assert table["difference"].between(table["low"], table["high"]).all()


def test_shares_that_leave_fewer_than_eight_documents_a_query_are_a_question_of_their_own(rng):
    cells = {(1.0, 0.5): [[0.5, 0.8, 0.6]], (0.5, 1.0): [[0.4, 0.6, 0.6]]}
    pool = runs_of({(16, 2): [[0.1, 0.2, 0.3]]})
    asked = [depth.comparisons(runs_of(cells, judged=judged), pool, rng)["question"].tolist() for judged in (8, 7.9, 1)]
    below = "documents or queries below the floor"
    assert asked == [["documents or queries"], [below], [below]]


def test_of_one_test_query_nothing_is_compared(rng):
    runs = runs_of({cell: [[0.5]] for cell in [(1.0, 1.0), (0.5, 1.0), (1.0, 0.5)]})
    table = depth.comparisons(runs, runs_of({(16, 2): [[0.1]]}), rng)
    assert table.empty
    assert {"question", "difference", "p_holm"} <= set(table)


def test_the_contrasts_of_the_second_experiment_are_equal_in_judgments():
    pool = runs_of({(n, d): [[0.5, 0.5]] for n in (64, 32, 16) for d in (16, 8, 4, 2)})
    [(_, _, asked)] = depth.contrasts(pool.assign(queries=1.0, documents=1.0), pool)
    found = {(question, at): (first, second) for question, at, first, second in asked}
    assert found["all documents or fewer", 8] == ((64, 16), (64, 8))
    assert found["documents or fewer queries", 4] == ((64, 4), (16, 16))
    assert found["fewer queries of 8 documents", 2] == ((16, 8), (64, 2))
    assert ("documents or fewer queries", 2) not in found
    for (question, _), (first, second) in found.items():
        assert question == "all documents or fewer" or np.prod(first) == np.prod(second)


def test_contrasts_are_kept_in_one_order_of_queries_that_is_not_theirs(rng):
    cells = {(1.0, 0.5): [list(range(50))], (0.5, 1.0): [[0] * 50]}
    percent = pd.concat([runs_of(cells, ranker) for ranker in ("RankSVM", "LambdaRank")])
    kept = effects.contrasts("a", percent, percent[:0], rng).query("claim == 'R1-50' and unit == 'query'")
    one, other = kept["value"].to_numpy().reshape(2, 50).tolist()
    assert one == other != sorted(one) == list(range(50))


def test_several_shares_are_paid_for(rng):
    cells = [(1.0, 1.0), (0.25, 1.0), (1.0, 0.25), (0.5, 1.0), (1.0, 0.5)]
    percent = runs_of({cell: [rng.random(30).tolist()] for cell in cells})
    rows = depth.comparisons(percent, runs_of({(16, 2): [[0.1] * 30]}), rng).query("question == @depth.SHARES[0]")
    np.testing.assert_allclose(rows["p_holm"], significance.holm(rows["p_value"]))
    assert (rows["p_holm"] > rows["p_value"]).any()


def test_chosen_documents_are_held_against_as_many_random_ones_of_the_same_queries():
    """Of two test queries the top gains .2 on one and .1 on the other in both draws; deeper cells do not count."""
    columns = ["ranker", "choice", "queries", "documents", "repeat", "per_query"]
    pool = [("RankSVM", "random", 16, d, n, [0.2 + d, 0.3 + d]) for d in (2, 4) for n in (0, 1)]
    top = [("RankSVM", "top", 16, 2, n, [2.4, 2.4]) for n in (0, 1)]
    frames = [pd.DataFrame(rows, columns=columns) for rows in (pool, top)]
    made = depth.chosen(*frames, np.random.default_rng(0))
    (row,) = made.to_dict("records")
    assert (row["ranker"], row["choice"], row["documents"]) == ("RankSVM", "top", 2)
    assert row["difference"] == pytest.approx(0.15)
    assert 0.1 - 1e-9 <= row["low"] < row["high"] <= 0.2 + 1e-9
    assert depth.chosen(frames[0], frames[1].assign(ranker="ListNet"), np.random.default_rng(0)).empty


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
