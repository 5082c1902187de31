import json
from itertools import chain, pairwise, permutations
from math import log2

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score

from helpers.datasets.collection import offsets_of
from helpers.metrics import LETOR, LETOR_MAP, average_precision, ndcg, ranking
from helpers.paths import project

TEN = [0, 2, 1, 0, 1, 0, 0, 2, 0, 0]
FALLING = range(10, 0, -1)


def one(metric, grades, scores, *args, **conventions):
    """The value of a single query."""
    return metric(grades, scores, [0, len(grades)], *args, **conventions).item()


def exactly(value):
    return pytest.approx(value, rel=0, abs=1e-12, nan_ok=True)


def random_queries(rng, group, n_scores):
    """Grades 0 to 4 and scores of which each query has at most n_scores different ones."""
    offsets = offsets_of(group)
    return rng.integers(5, size=offsets[-1]), rng.integers(n_scores, size=offsets[-1]) / 8, offsets


# nDCG by hand


@pytest.mark.parametrize(
    ("conventions", "dcg", "ideal"),
    [
        ({}, 3 / log2(3) + 1 / 2 + 1 / log2(6) + 3 / log2(9), 3 + 3 / log2(3) + 1 / 2 + 1 / log2(5)),
        ({"gain": "linear"}, 2 / log2(3) + 1 / 2 + 1 / log2(6) + 2 / log2(9), 2 + 2 / log2(3) + 1 / 2 + 1 / log2(5)),
        (LETOR, 3 + 1 / log2(3) + 1 / log2(5) + 3 / 3, 3 + 3 + 1 / log2(3) + 1 / 2),
        ({"k": 3}, 3 / log2(3) + 1 / 2, 3 + 3 / log2(3) + 1 / 2),
        ({"k": 1}, 0, 3),
    ],
)
def test_ndcg_of_ten_documents_is_what_a_hand_computes(conventions, dcg, ideal):
    assert one(ndcg, TEN, FALLING, **conventions) == exactly(dcg / ideal)


@pytest.mark.parametrize(("k", "ranks"), [(1, 1), (2, 2), (4, 4), (9, 4), (None, 4)])
def test_tied_documents_share_the_discounts_of_the_ranks_before_the_cutoff(k, ranks):
    shared = sum(1 / log2(1 + r) for r in range(1, ranks + 1)) / 4
    assert one(ndcg, [0, 2, 0, 0], [1, 1, 1, 1], k) == exactly(shared)


@pytest.mark.parametrize("metric", [ndcg, average_precision])
@pytest.mark.parametrize(("empty", "value"), [("skip", np.nan), ("zero", 0), ("one", 1)])
def test_query_without_relevant_documents_has_the_value_asked_for(metric, empty, value):
    assert metric([0, 0, 1, 0], [2, 1, 2, 1], [0, 2, 4], empty=empty) == exactly([value, 1])


def test_letor_scores_a_list_shorter_than_the_cutoff_zero():
    grades, scores, offsets = [1, 0, 1, 0, 0], [2, 1, 3, 2, 1], [0, 2, 5]
    assert ndcg(grades, scores, offsets, 3, **LETOR) == exactly([0, 1])
    assert ndcg(grades, scores, offsets, **LETOR) == exactly([1, 1])


# Average precision by hand


def test_average_precision_is_what_a_hand_computes():
    assert one(average_precision, TEN, FALLING) == exactly((1 / 2 + 2 / 3 + 3 / 5 + 4 / 8) / 4)
    assert one(average_precision, TEN, FALLING, relevant_from=2) == exactly((1 / 2 + 2 / 8) / 2)
    orders = [(1 + 1) / 2, (1 + 2 / 3) / 2, (1 / 2 + 2 / 3) / 2]
    assert one(average_precision, [1, 0, 1], [7, 7, 7]) == exactly(sum(orders) / 3)
    assert one(average_precision, [1, 0, 1], [7, 7, 7], ties="order") == exactly(orders[1])
    values = average_precision([0, 1, 0, 0], [1, 1, 2, 1], [0, 2, 4], **LETOR_MAP)  # an empty query, a tie in its order
    assert values == exactly([1 / 2, 0])


# Published lists


BURGES = {"gain": "exponential", "ties": "order"}
LINEAR = {"gain": "linear", "ties": "order", "empty": "zero"}
# tool -> its conventions, and whether it puts the last of the tied documents first
TOOLS = {
    "exp2_log2(1+r)_stable": (BURGES, False),
    "LETOR4/MSLR_script_semantics": (LETOR, False),
    "lightgbm_ndcg@10": (BURGES | {"empty": "one"}, False),
    "xgboost_ndcg@10": (BURGES | {"empty": "one"}, False),
    "xgboost_ndcg@10-": (BURGES | {"empty": "zero"}, False),
    "sklearn_linear_ignore_ties=False": (LINEAR | {"ties": "average"}, False),
    "sklearn_linear_ignore_ties=True": (LINEAR, True),
    "sklearn_exp2_ignore_ties=False": ({"ties": "average", "empty": "zero"}, False),
    "sklearn_exp2_ignore_ties=True": (BURGES | {"empty": "zero"}, True),
    "pytrec_eval_ndcg_cut_10": (LINEAR, True),
    "ir_measures_nDCG@10": (LINEAR, True),
    "ir_measures_nDCG(dcg=exp-log2)@10": (BURGES | {"empty": "zero"}, True),
    "ranx_ndcg@10": (LINEAR, False),
    "ranx_ndcg_burges@10": (BURGES | {"empty": "zero"}, False),
}


@pytest.mark.parametrize("tool", TOOLS)
def test_conventions_of_each_tool_give_its_published_values(tool):
    path = project("data") / "published" / "ndcg_across_libraries.csv"
    published = pd.read_csv(path, index_col="metric", dtype=str, keep_default_na=False).T
    assert set(published.columns) == {"labels", "scores", *TOOLS}
    conventions, last_first = TOOLS[tool]
    order = slice(None, None, -1 if last_first else 1)
    lists = published[published[tool] != "error"]
    values = [
        one(ndcg, json.loads(row["labels"])[order], json.loads(row["scores"])[order], 10, **conventions)
        for _, row in lists.iterrows()
    ]
    assert [f"{value:.4f}" for value in values] == list(lists[tool])


# Properties

untimed = settings(deadline=None, max_examples=20)  # the first call compiles
tied_lists = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=6)
ragged = st.lists(st.lists(st.tuples(st.integers(0, 4), st.integers(-5, 5)), min_size=1, max_size=8), min_size=1)
every_metric = pytest.mark.parametrize(
    "metric",
    [
        ndcg,
        lambda *query, **kw: ndcg(*query, 3, gain="linear", **kw),
        lambda *query, **kw: ndcg(*query, 2, discount="letor", **kw),
        average_precision,
    ],
    ids=["nDCG", "nDCG@3 linear", "nDCG@2 letor", "AP"],
)
both_ties = pytest.mark.parametrize("ties", ["average", "order"])


@every_metric
@untimed
@given(documents=tied_lists)
def test_averaged_ties_are_the_mean_over_all_orders_of_the_documents(metric, documents):
    orders = list(permutations(documents))
    grades, scores = zip(*chain(*orders), strict=True)
    in_order = metric(grades, scores, offsets_of([len(documents)] * len(orders)), ties="order")
    assert one(metric, *zip(*documents, strict=True), ties="average") == exactly(in_order.mean())


@every_metric
@both_ties
@untimed
@given(queries=ragged)
def test_queries_together_score_as_each_alone(metric, ties, queries):
    grades, scores = zip(*chain(*queries), strict=True)
    together = metric(grades, scores, offsets_of([len(q) for q in queries]), ties=ties)
    alone = [one(metric, *zip(*q, strict=True), ties=ties) for q in queries]
    np.testing.assert_array_equal(together, alone)


@both_ties
def test_scores_that_are_the_grades_are_perfect_and_nothing_is_better(ties, rng):
    grades, scores, offsets = random_queries(rng, [9] * 200, n_scores=4)
    for k in (None, 3, 20):
        perfect = ndcg(grades, grades, offsets, k, ties=ties)
        assert perfect == exactly(np.ones(200))
        assert np.all(ndcg(grades, scores, offsets, k, ties=ties) <= perfect + 1e-12)


@every_metric
def test_exchanging_two_neighbours_for_the_better_never_lowers_a_metric(metric, rng):
    for grades in rng.integers(4, size=(100, 6)):
        worse = np.argmax(np.diff(grades) > 0)  # 0 where the list is perfect: exchanging nothing then
        better = grades.copy()
        better[worse : worse + 2] = np.sort(grades[worse : worse + 2])[::-1]
        before, after = (one(metric, g, range(6, 0, -1), empty="zero") for g in (grades, better))
        assert after >= before - 1e-12


def test_rows_are_ranked_within_their_query_and_equal_scores_keep_their_order(rng):
    _, scores, offsets = random_queries(rng, [1, 3, 40, 2, 11, 1], n_scores=6)
    query = np.repeat(np.arange(6), np.diff(offsets))
    np.testing.assert_array_equal(ranking(scores, offsets), np.lexsort((-scores, query)))


def test_arrays_mapped_from_a_file_are_taken_as_they_are(tmp_path):
    arrays = np.array([2, 0, 1], dtype=np.int8), np.array([1, 3, 2], dtype=np.float32), np.array([0, 3])
    for name, array in zip("gso", arrays, strict=True):
        np.save(tmp_path / name, array)
    mapped = [np.load(tmp_path / f"{name}.npy", mmap_mode="r") for name in "gso"]
    assert ndcg(*mapped) == exactly(ndcg(*arrays))
    assert average_precision(*mapped) == exactly([(1 / 2 + 2 / 3) / 2])


# Other libraries


@pytest.mark.parametrize(("k", "n_scores"), [(None, 3), (1, 20), (5, 3), (10, 10**6), (40, 20)])
def test_ndcg_equals_scikit_learn_on_exponential_gains(rng, k, n_scores):
    grades, scores, offsets = random_queries(rng, [25] * 60, n_scores)
    theirs = [ndcg_score([2.0 ** grades[a:b] - 1], [scores[a:b]], k=k) for a, b in pairwise(offsets)]
    np.testing.assert_allclose(ndcg(grades, scores, offsets, k, empty="zero"), theirs, rtol=0, atol=1e-9)


def test_metrics_equal_trec_eval_without_ties(rng):
    grades, _, offsets = random_queries(rng, rng.integers(1, 30, size=50), 1)
    grades[: offsets[3]] = 0
    scores = rng.permutation(len(grades))
    rows_of = dict(enumerate(np.split(np.arange(len(grades)), offsets[1:-1])))
    qrel = {str(q): {f"d{row}": int(grades[row]) for row in rows} for q, rows in rows_of.items()}
    run = {str(q): {f"d{row}": float(scores[row]) for row in rows} for q, rows in rows_of.items()}
    ours = {
        ("ndcg", 1): ndcg(grades, scores, offsets, gain="linear", empty="zero"),
        ("ndcg_cut_5", 1): ndcg(grades, scores, offsets, 5, gain="linear", empty="zero"),
        ("map", 1): average_precision(grades, scores, offsets, empty="zero"),
        ("map", 2): average_precision(grades, scores, offsets, relevant_from=2, empty="zero"),
    }
    for (name, level), values in ours.items():
        evaluator = pytrec_eval.RelevanceEvaluator(qrel, {"ndcg", "ndcg_cut.5", "map"}, relevance_level=level)
        theirs = evaluator.evaluate(run)
        np.testing.assert_allclose(values, [theirs[str(q)][name] for q in rows_of], rtol=0, atol=1e-9)


# Refusals


@pytest.mark.parametrize("metric", [ndcg, average_precision])
@pytest.mark.parametrize(
    ("query", "message"),
    [
        (([0, 1, 2], [1, 2], [0, 3]), r"grades has shape \(3,\), scores \(2,\)"),
        (([[0, 1]], [[1, 2]], [0, 1]), r"grades has shape \(1, 2\)"),
        (([0, 1], [1, np.nan], [0, 2]), "scores: row 1 has nan"),
        (([0, -1], [1, 2], [0, 2]), "grades: row 1 has -1, expected a whole number from 0 to 127"),
        (([0.5, 1], [1, 2], [0, 2]), "grades: row 0 has 0.5"),
        (([np.nan, 1], [1, 2], [0, 2]), "grades: row 0 has nan"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(metric, query, message):
    with pytest.raises(ValueError, match=message):
        metric(*query)


def test_unknown_name_is_refused_with_the_names_there_are():
    known = {"gain": "exponential, linear", "discount": "log2, letor", "ties": "average, order"}
    for argument, allowed in (known | {"empty": "skip, zero, one"}).items():
        with pytest.raises(ValueError, match=f"{argument} is 'none', expected one of {allowed}$"):
            ndcg([1], [1], [0, 1], **{argument: "none"})


def test_the_highest_grades_do_not_overflow_and_a_linear_gain_may_be_a_sum_of_many():
    assert one(ndcg, np.array([0, 127], dtype=np.int8), [2, 1]) == exactly(1 / log2(3))
    assert one(ndcg, [0, 300, 32767], [2, 3, 1], 1, gain="linear") == exactly(300 / 32767)
    with pytest.raises(ValueError, match="grades: row 1 has 32768, expected a whole number from 0 to 32767"):
        ndcg([0, 32768], [2, 3], [0, 2], gain="linear")
