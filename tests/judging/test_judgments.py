"""Long frames of judgments: holes in them, the same as arrays, and where two assessors differ."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.judging import crowd, judgments
from helpers.judging.confusion import load_confusions
from helpers.judging.judgments import LONG, coded
from helpers.studies.bounds.judges import JUDGES, read_judgments


def long(rows):
    return pd.DataFrame(rows, columns=LONG)


# the frame


@pytest.mark.parametrize("dtype", ["float64", "Int64", "Int8", "Float32", "object", "string"])
def test_a_row_without_a_grade_is_no_judgment_whatever_pandas_takes_for_missing(dtype):
    frame = pd.DataFrame({"query": "q", "doc": list("abc"), "assessor": "Al", "grade": pd.array([2, None, 0], dtype)})
    expected = pd.DataFrame({"query": "q", "doc": list("ac"), "assessor": "Al", "grade": [2, 0]}, index=[0, 2])
    pd.testing.assert_frame_equal(judgments.without_missing(frame), expected)


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        *((column, None, f"row 1 has no {column}, expected one for each grade") for column in LONG[:3]),
        ("grade", "high", "row 1 has grade high, expected a number"),
        ("grade", np.inf, "row 1 has grade inf, expected a number"),
    ],
)
def test_a_grade_of_nobody_or_of_nothing_or_that_is_no_number_is_refused_in_a_line(column, value, message):
    frame = long([("q", "a", "Al", None), ("q", "b", "Al", 1)]).astype(object)
    frame.loc[1, column] = value
    with pytest.raises(ValueError, match=f"frame: {message}"):
        judgments.without_missing(frame)


# arrays


def test_labels_stand_in_the_order_of_pairs_of_a_query_judges_and_the_frame():
    rows = [
        ("r", "a", "Cid", 3),
        ("q", "a", "Ann", 0),
        ("r", "a", "Ann", 1),
        ("q", "b", "Bob", 4),
        ("r", "a", "Bob", 2),
    ]
    found = coded(long(rows))
    assert found.pairs.to_numpy().tolist() == [["r", "a"], ["q", "a"], ["q", "b"]]
    assert (found.queries.tolist(), found.judges.tolist()) == (["r", "q"], ["Cid", "Ann", "Bob"])
    labels, judges = found.labels
    assert labels.tolist() == [[3, 1, 2], [0, -1, -1], [4, -1, -1]]
    assert judges.tolist() == [[0, 1, 2], [1, -1, -1], [2, -1, -1]]
    assert (labels.dtype, judges.dtype) == (np.int8, np.int64)


@given(
    st.lists(
        st.tuples(st.sampled_from("qr"), st.sampled_from("abc"), st.sampled_from("XYZ"), st.integers(0, 4)),
        min_size=1,
        unique_by=lambda row: row[:3],
    )
)
def test_arrays_hold_every_judgment_once_and_queries_together(rows):
    found = coded(long(rows))
    labels, judges = found.labels
    cells = zip(*np.nonzero(labels >= 0), strict=True)
    assert {(*found.pairs.iloc[p], found.judges[judges[p, k]], int(labels[p, k])) for p, k in cells} == set(rows)
    np.testing.assert_array_equal(judges >= 0, labels >= 0)
    packed = labels >= 0
    assert (packed[:, :-1] >= packed[:, 1:]).all()
    assert packed[:, 0].all()
    np.testing.assert_array_equal(found.votes.sum(axis=1), packed.sum(axis=1))
    assert found.by_judge.sum() == sum(grade + 1 for *_, grade in rows)
    of_query = np.repeat(found.queries, np.diff(found.offsets))
    assert found.pairs["query"].tolist() == of_query.tolist()


def test_what_cannot_be_coded_or_be_a_label_is_refused():
    for grade in (-1, 128, 0.5):
        with pytest.raises(ValueError, match=rf"frame has grades from {grade} to {grade}, expected whole .* 0 to 127"):
            _ = coded(long([("q", "a", "Ann", grade)])).labels
    with pytest.raises(ValueError, match="frame has no judgment"):
        coded(long([]))
    with pytest.raises(ValueError, match="judges a pair of query and document twice"):
        coded(long([("q", "a", "Ann", 1)] * 2))


# two assessors


def test_pairs_are_the_documents_of_both_with_queries_together():
    ann = [("r", "a", "Ann", 1), ("q", "a", "Ann", 2), ("r", "b", "Ann", 0)]
    bob = [("q", "a", "Bob", 0), ("r", "b", "Bob", 1), ("q", "z", "Bob", 1), ("r", "a", "Bob", 2)]
    frame = long([*ann, *bob])
    assert judgments.paired(frame, "Ann", "Bob").to_numpy().tolist() == [
        ["q", "a", 2, 0],
        ["r", "a", 1, 2],
        ["r", "b", 0, 1],
    ]


def test_a_group_of_assessors_stands_for_all_pairs_of_two_different_ones():
    frame = long([("q", "a", who, grade) for who, grade in [("Ann", 0), ("Bob", 1), ("Cid", 2)]])
    everyone = ["Ann", "Bob", "Cid"]
    assert judgments.confusion_counts(frame, everyone, everyone, 3).tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert judgments.confusion_counts(frame, "Ann", ["Bob", "Cid"], 3).tolist() == [[0, 1, 1], [0] * 3, [0] * 3]


def test_assessors_without_a_common_document_or_unknown_are_refused():
    frame = long([("q", "a", "Ann", 1), ("q", "b", "Bob", 1), ("r", "a", "Bob", 1)])
    with pytest.raises(ValueError, match="Ann has 1 judgments and Bob 2, none of the same query and document"):
        judgments.paired(frame, "Ann", "Bob")
    with pytest.raises(ValueError, match="training is 'Eve', expected one of Ann, Bob"):
        judgments.paired(frame, "Ann", "Eve")
    with pytest.raises(ValueError, match="testing is 'Eve'"):
        judgments.confusion_counts(frame, ["Ann", "Eve"], "Bob", 2)
    for testing, message in ((3, "n_grades is 2, but a document has grade 3"), (None, "pairs: a grade is missing")):
        with pytest.raises(ValueError, match=message):
            judgments.query_confusion_counts(pd.DataFrame({"query": "q", "testing": [testing], "training": [0]}), 2)


@given(st.lists(st.tuples(st.sampled_from("qrs"), st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=30))
def test_counts_of_queries_are_those_of_a_loop_add_up_and_swap_with_the_assessors(judged):
    rows = [(q, f"d{n}", "Ann", one) for n, (q, one, _) in enumerate(judged)]
    rows += [(q, f"d{n}", "Bob", other) for n, (q, _, other) in enumerate(judged)]
    pairs = judgments.paired(long(rows), "Ann", "Bob")
    expected = {query: np.zeros((3, 3), int) for query in pairs["query"]}
    for query, one, other in judged:
        expected[query][one, other] += 1
    counts = judgments.query_confusion_counts(pairs, 3)
    np.testing.assert_array_equal(counts, list(expected.values()))
    total = judgments.confusion_counts(long(rows), "Ann", "Bob", 3)
    np.testing.assert_array_equal(counts.sum(axis=0), total)
    np.testing.assert_array_equal(judgments.confusion_counts(long(rows), "Bob", "Ann", 3), total.T)


# real files


def test_the_stored_cystic_fibrosis_matrices_are_those_of_the_real_file(real_data):
    frame = read_judgments(real_data / "judgments" / "cystic-fibrosis" / "cfquery")
    assert frame["query"].nunique() == 100
    assert len(frame) == 4 * 4819
    known = load_confusions()
    for i, testing in enumerate(JUDGES, start=1):
        for j, training in enumerate(JUDGES[i:], start=i + 1):
            counts = judgments.confusion_counts(frame, testing, training, 3)
            np.testing.assert_array_equal(counts, known[f"CF_rater{i}_vs_{j}"].counts)


def test_the_stored_five_grade_crowd_matrices_are_those_of_the_real_files(real_data, monkeypatch):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    workers, truth = crowd.web_search()
    frame = pd.concat([workers, truth.reset_index().assign(assessor="truth", query="all")])
    everyone = workers["assessor"].unique()
    known = load_confusions()
    for testing, name in [("truth", "WEB5_truth_vs_worker"), (everyone, "WEB5_worker_vs_worker_orderedpairs")]:
        np.testing.assert_array_equal(judgments.confusion_counts(frame, testing, everyone, 5), known[name].counts)


def test_people_and_models_of_an_export_are_told_apart(tmp_path):
    wide = tmp_path / "rated.csv"
    wide.write_text("query,doc,agent_1_rating,agent_2_rating,final_rating\nq,d,2,1,2\nq,e,0,,0\n")
    frame = judgments.read(wide, machines=["agent_2"])
    assert frame.columns.tolist() == [*LONG, "machine"]
    assert frame[["doc", "assessor", "machine"]].to_numpy().tolist() == [
        ["d", "agent_1", False],
        ["d", "model: agent_2", True],
        ["e", "agent_1", False],
    ]
