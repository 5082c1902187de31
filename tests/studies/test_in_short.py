"""The result of a run in a few sentences, by tables made by hand that say one thing, and the opposite."""

import pandas as pd
import pytest

from helpers.engine import results
from helpers.studies import in_short


def comparisons(difference, low, high, ranker="A", question="all documents or half"):
    return pd.DataFrame(
        {"ranker": [ranker], "question": question, "at": 50, "difference": difference, "low": low, "high": high}
    )


def losses(cost=0.0, **lost):
    """Losses of ranker A, by depth: d8=.004 is .004 with 8 documents a query."""
    rows = {"documents": [float(depth[1:]) for depth in lost], "loss": list(lost.values())}
    return pd.DataFrame(rows).assign(ranker="A", budget=2048, cost=cost)


def falls(**relative):
    rows = [("mine", ranker, 0.5, value, value - 0.1, value + 0.1) for ranker, value in relative.items()]
    return pd.DataFrame(rows, columns=["dataset", "ranker", "dnoise", "relative", "low", "high"])


@pytest.mark.parametrize(
    ("difference", "said"),
    [(0.02, "+.020 (.010 to .030)"), (-0.03, "-.030 (-.040 to -.020)")],
)
def test_half_of_the_documents(difference, said):
    table = comparisons(difference, difference - 0.01, difference + 0.01)
    assert list(in_short.depths({"comparisons": table})) == [
        f"All documents of a query rather than half of them gain, in NDCG@10, {said} with A."
    ]


def test_the_best_depth_where_queries_are_free():
    table = pd.concat([losses(d2=0.02, d4=0.004, d8=0, d16=0.005), losses(cost=16.0, d64=0)])
    assert list(in_short.depths({"losses": table})) == [
        "Best depth for 2,048 judgments, where a query costs nothing: 8 (4 to 16 are as good) with A."
    ]
    [said] = in_short.depths({"losses": losses(d2=0.0, d4=0.02)})
    assert said.endswith("costs nothing: 2 with A.")


def test_what_wrong_labels_leave_to_rankers():
    assert list(in_short.noise({"falls": falls(A=0.4, B=0.9, C=0.7)})) == [
        "mine: of NDCG@10 with 50 % wrong labels is left: B 90 % (80 % to 100 %) and A 40 % (30 % to 50 %), of 3 "
        "rankers the most and the least."
    ]
    assert list(in_short.noise({"falls": falls(A=0.4)})) == [
        "mine: of NDCG@10 with 50 % wrong labels is left: A 40 % (30 % to 50 %)."
    ]


def ceilings(*matrices):
    exact = [0.5 + 0.1 * number for number in range(len(matrices))]
    return pd.DataFrame({"matrix": matrices, "exact": exact})


def test_ceilings_under_matrices_of_the_reader_or_the_lowest_and_the_highest():
    known = ceilings("CF_rater1_vs_2", "CF_rater1_vs_3", "WEB5_truth_vs_worker")
    assert list(in_short.ceilings({"ceilings_x": known})) == [
        "x: the ceiling of nDCG lies between .500 under CF_rater1_vs_2 and .700 under WEB5_truth_vs_worker."
    ]
    assert list(in_short.ceilings({"ceilings_x": ceilings("CF_rater1_vs_2", "ours"), "lengths": known})) == [
        "x: if assessors differ as in ours, a ranker perfect for one reaches nDCG .600 with the other."
    ]


def test_a_run_is_reported_by_the_tables_in_its_folder_and_one_that_left_none_says_nothing(tmp_path):
    assert in_short.report("04", tmp_path) == []
    results.write(tmp_path, {"comparisons": comparisons(0.02, 0.01, 0.03), "claims": pd.DataFrame({"claim": ["c"]})})
    assert len(in_short.report("04", tmp_path)) == 1
    assert in_short.report("06", tmp_path) == []
