import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import texts
from helpers.judging import crowd, judgments
from helpers.judging.confusion import load_confusions
from helpers.judging.judgments import CYSTIC_FIBROSIS_JUDGES, LONG

QRELS = "q1 0 d1 2\nq1 0 d2 0\nq2 Q0 d1 1\n"
CYSTIC_FIBROSIS = """QN 00001
QU Is mucus of CF patients
   abnormal?
NR 00003
RD   23 2220   47 0001
    961 1000

QN 00002
QU A second question?
NR 00001
RD    7 0012
"""


@pytest.fixture
def write(tmp_path):
    def write(text, name="judged.txt"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def long(rows):
    return pd.DataFrame(rows, columns=LONG)


# qrels


def test_qrels_are_read_with_ids_as_text(write):
    frame = judgments.read_qrels(write("007 0 12 2\r\n\n007\t0\t13   0\n"))
    assert frame.to_dict("list") == {"query": ["007", "007"], "doc": ["12", "13"], "grade": [2, 0]}
    assert frame["grade"].dtype == np.int64


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q1 0 d1 1\n\nq1 0 d2\n", "line 3: 'q1 0 d2', expected query, iteration, document, grade"),
        ("q1 0 d1 1 x\n", "line 1: 'q1 0 d1 1 x'"),
        ("q1 0 d1 1\nq1 0 d2 good\n", "line 2: grade good, expected a whole number from 0 to 3"),
        ("q1 0 d1 1.5\n", "line 1: grade 1.5"),
        ("q1 0 d1 nan\n", "line 1: grade nan"),
        ("q1 0 d1 inf\n", "line 1: grade inf"),
        ("q1 0 d1 0\nq1 0 d2 5\n", "line 2: grade 5, expected a whole number from 0 to 3"),
        ("q1 0 d1 -2\n", "line 1: grade -2"),
        ("q1 0 d1 1\nq2 0 d1 1\n\nq1 0 d1 2\n", "line 4: a second judgment of query q1, doc d1, expected one"),
        ("\n", "no judgment, expected at least one"),
        ("# q 0 d\nq 0 d 1", "line 1: '# q 0 d', expected query, iteration, document, grade, and no comment"),
        ("q 0 d 1 # sure\n", "line 1: 'q 0 d 1 # sure', expected query, iteration, document, grade, and no comment"),
    ],
)
def test_damaged_qrels_are_refused_with_file_and_line(write, text, message):
    with pytest.raises(ValueError, match=f"judged.txt.*{message}"):
        judgments.read_qrels(write(text), 4)


def test_grades_off_the_scale_are_dropped_where_that_is_asked_for(write):
    path = write("q1 0 d1 10\nq1 0 d2 3\nq1 0 d3 -1\n")
    assert judgments.read_qrels(path, 4, outside="drop")["doc"].tolist() == ["d2"]
    assert judgments.read_qrels(path, outside="drop")["grade"].tolist() == [10, 3]
    assert judgments.read_qrels(write("q 0 a 128\nq 0 b 127\n"), outside="drop")["grade"].tolist() == [127]
    with pytest.raises(ValueError, match="outside is 'clip', expected one of refuse, drop"):
        judgments.read_qrels(path, outside="clip")


def test_qrels_of_several_assessors_make_one_long_frame(write):
    frame = judgments.read_assessors({"Ann": write(QRELS, "a"), "Bob": write("q1 0 d1 1\n", "b")})
    assert frame.columns.tolist() == LONG
    assert frame["assessor"].tolist() == ["Ann"] * 3 + ["Bob"]
    assert frame["grade"].tolist() == [2, 0, 1, 1]


# long files


def test_a_user_names_one_long_file_or_several_qrels_files(write):
    long = write("query,doc,assessor,grade\nq,d,Ann,1\nq,d,Bob,0\n", "both.csv")
    first, second = write("q 0 d 1\n", "Ann"), write("q 0 d 0\n", "Bob")
    expected = [["q", "d", "Ann", 1], ["q", "d", "Bob", 0]]
    assert judgments.read(long).to_numpy().tolist() == expected
    assert judgments.read(f"{first}, {second}").to_numpy().tolist() == expected


def test_a_comma_in_the_name_of_a_file_does_not_part_it(write):
    long = write("query,doc,assessor,grade\nq,d,Ann,1\n", "a,b.csv")
    assert texts.named(str(long)) == [long]


def test_one_qrels_file_alone_or_twice_is_refused(write):
    path = write("q 0 d 1\n", "Ann")
    for source in (path, f"{path},{path}"):
        with pytest.raises(ValueError, match=r"expected one file of all assessors .* or two or more qrels files"):
            judgments.read(source)


@pytest.mark.parametrize("separator", [",", "\t"])
def test_long_files_are_read_in_any_order_of_columns(write, separator):
    text = "grade,note,assessor,doc,query\n2,x,Ann,NA,7\n\n0,y,Bob,d2,7\n".replace(",", separator)
    frame = judgments.read_long(write(text, "judged.csv" if separator == "," else "judged.tsv"))
    assert frame.to_dict("records") == [
        {"query": "7", "doc": "NA", "assessor": "Ann", "grade": 2},
        {"query": "7", "doc": "d2", "assessor": "Bob", "grade": 0},
    ]


def test_crowd_kits_columns_are_understood_and_stand_for_one_query(write):
    frame = judgments.read_long(write("task,worker,label\nt1,w1,1\nt1,w2,0\n", "crowd.csv"))
    assert frame.columns.tolist() == LONG
    assert frame["query"].unique().tolist() == ["all"]
    assert frame["doc"].tolist() == ["t1", "t1"]


def test_parquet_is_read_too(tmp_path):
    frame = pd.DataFrame({"query": [1, 1], "doc": ["a", "b"], "worker": ["w", "w"], "label": [0, 2]})
    frame.to_parquet(tmp_path / "judged.parquet")
    read = judgments.read_long(tmp_path / "judged.parquet", 3)
    assert read.to_dict("list") == {"query": ["1", "1"], "doc": ["a", "b"], "assessor": ["w", "w"], "grade": [0, 2]}
    frame.assign(label=[0, 3]).to_parquet(tmp_path / "judged.parquet")
    with pytest.raises(ValueError, match=r"judged.parquet, row 1: grade 3, expected a whole number from 0 to 2"):
        judgments.read_long(tmp_path / "judged.parquet", 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "query,doc,grade\nq,d,1\n",
            ": no column assessor among query, doc, grade, expected query, doc, assessor, grade",
        ),
        ("query,doc,assessor,grade\nq,d,a,1\n\nq,d,a,2\n", ", line 4: a second judgment of query q, doc d, assessor a"),
        ("query,doc,assessor,grade\nq,d,,1\n", ", line 2: an empty field"),
        ("query,doc,assessor,grade\nq,d,a\n", ", line 2: 3 fields, expected 4 as in line 1"),
        ("query,doc,assessor,grade\nq,d,a,1,2\n", ", line 2: 5 fields"),
        (
            'note,query,doc,assessor,grade\n"n\n1",q,d,a,1\n,q,e,a,9\n',
            ", line 4: grade 9, expected a whole number from 0",
        ),
        ('query,doc,assessor,grade\nq,"d,a,1\nq,e",a,1\n', ", line 2: a line end in doc 'd,a,1.nq,e', expected quotes"),
        ('query,doc,assessor,grade\nq,d,a,1\nq,"e,a,1\n', ", line 3: unexpected end of data, expected quotes"),
        ('query,doc,assessor,grade\nq,d,a,1\nq,"e"f,a,1\n', ", line 3: .*, expected quotes that are closed"),
        ("query,doc,assessor,grade\nq,d,a,1\n# later\n", ", line 3: 1 fields, expected 4 as in line 1, and no comment"),
        ("query,doc,assessor,grade\nq,d,a,1\nq,e,a,\n", ", line 3: an empty field in .*: leave out what nobody judged"),
        ("query,doc,assessor,grade\nq, ,a,1\n", ", line 2: an empty field"),
        ("query,doc,assessor,grade\n", ": no judgment"),
        (
            "query,doc,assessor,grade,grade\nq,d,a,1,1\n",
            ", line 1: columns query, doc, assessor, grade, grade, expected",
        ),
        ("", ": empty, expected columns query, doc, assessor, grade"),
    ],
)
def test_damaged_long_files_are_refused_with_file_and_line(write, text, message):
    with pytest.raises(ValueError, match=f"judged.csv{message}"):
        judgments.read_long(write(text, "judged.csv"), 5)


HUGE = ["128", "1e300", str(2**53 + 1), str(2**63), str(2**64), "9" * 5000, "0x10", "1_0", "٣"]


@pytest.mark.parametrize("grade", HUGE)
def test_grades_that_no_label_can_hold_are_refused_where_they_are_read(write, grade):
    said = "line 2: grade .*, expected a whole number from 0 to 127"
    with pytest.raises(ValueError, match=f"judged.txt, {said}"):
        judgments.read_qrels(write(f"q 0 a 127\nq 0 b {grade}\n"))
    with pytest.raises(ValueError, match=f"judged.csv, {said}"):
        judgments.read_long(write(f"query,doc,assessor,grade\nq,a,Ann,{grade}\n", "judged.csv"))


@pytest.mark.parametrize("grade", [128, -1, 1e300, 2.0**53, 2**63, np.uint64(2**64 - 1), 0.5, np.inf])
def test_so_are_those_of_a_parquet_file(tmp_path, grade):
    frame = pd.DataFrame({"query": "q", "doc": ["a", "b"], "assessor": "Ann", "grade": pd.Series([1, grade])})
    frame.to_parquet(tmp_path / "judged.parquet")
    with pytest.raises(ValueError, match=r"judged.parquet, row 1: grade .*, expected a whole number from 0 to 127"):
        judgments.read_long(tmp_path / "judged.parquet")


def test_whole_grades_may_be_written_as_floats(write):
    path = write("query,doc,assessor,grade\nq,a,Ann,2.0\nq,b,Ann,+01\nq,c,Ann, 0\n", "judged.csv")
    assert judgments.read_long(path)["grade"].tolist() == [2, 1, 0]


@pytest.mark.parametrize("index", [["query"], ["query", "doc"], ["grade"], ["doc", "assessor"]])
def test_the_index_of_a_parquet_file_is_a_column_as_any_other(tmp_path, index):
    rows = [("q", "a", "Ann", 1), ("q", "a", "Bob", 0), ("r", "a", "Ann", 2)]
    long(rows).set_index(index).to_parquet(tmp_path / "judged.parquet")
    assert judgments.read(tmp_path / "judged.parquet").to_numpy().tolist() == [list(row) for row in rows]
    long(rows).iloc[::-1].to_parquet(tmp_path / "judged.parquet")  # an index without a name is no column
    assert judgments.read(tmp_path / "judged.parquet").to_numpy().tolist() == [list(row) for row in rows[::-1]]


def test_parquet_may_hold_categories_and_ids_that_floats_cannot(tmp_path):
    frame = pd.DataFrame({"query": [2**53 + 1, 2**53], "doc": "a", "assessor": "Ann", "grade": [1, 0]})
    frame.astype({"assessor": "category", "grade": "category"}).to_parquet(tmp_path / "judged.parquet")
    read = judgments.read(tmp_path / "judged.parquet")
    assert read["query"].tolist() == ["9007199254740993", "9007199254740992"]
    assert read["grade"].tolist() == [1, 0]


def test_parquet_of_other_types_damaged_or_no_parquet_is_refused_with_its_name(tmp_path):
    path = tmp_path / "judged.parquet"
    for column, values, kind in (("query", [1.0], "double"), ("grade", [True], "bool"), ("doc", [["a"]], "list")):
        frame = pd.DataFrame({"query": "q", "doc": ["a"], "assessor": "Ann", "grade": [1]}).assign(**{column: values})
        frame.to_parquet(path)
        with pytest.raises(ValueError, match=f"judged.parquet: column {column} holds {kind}.*, expected text or whole"):
            judgments.read(path)
    for data in (b"", b"PAR1", path.read_bytes()[:-9]):
        path.write_bytes(data)
        with pytest.raises(ValueError, match=r"judged.parquet: cannot be read as parquet .* expected a whole file"):
            judgments.read(path)


def test_text_in_parquet_that_is_not_utf_8_is_refused(tmp_path):
    path = tmp_path / "judged.parquet"
    long([("q", "a", "Ann", 1)]).to_parquet(path, compression="none")
    path.write_bytes(path.read_bytes().replace(b"Ann", b"A\xffn"))
    with pytest.raises(ValueError, match=r"judged.parquet: cannot be read as parquet .*UTF8"):
        judgments.read(path)


# what is never assumed


@pytest.mark.parametrize(
    "header", ["query_id,doc,assessor,grade", "Query,task,worker,label", "topic,task,worker,label"]
)
def test_no_column_is_assumed_and_those_that_were_found_are_named(write, header):
    path = write(f"{header}\nq,a,Ann,1\nr,a,Ann,0\n", "judged.csv")
    found = header.replace(",", ", ").replace("task", "doc").replace("worker", "assessor").replace("label", "grade")
    with pytest.raises(ValueError, match=f"judged.csv: no column query among {found}, expected query, doc, assessor"):
        judgments.read(path)


def test_what_was_read_is_said_in_a_line(write):
    frame = judgments.read(write("query,doc,assessor,grade\nq,a,Ann,1\nq,a,Bob,0\nr,a,Ann,4\n", "judged.csv"))
    said = "3 judgments: 2 queries, 2 pairs of query and document, 2 judges, grades 0-4"
    assert judgments.summary(frame) == said
    crowd_kit = judgments.read(write("task,worker,label\na,w,1\n", "crowd.csv"))
    said = "1 judgment: 1 query ('all'), 1 pair of query and document, 1 judge, grades 1-1"
    assert judgments.summary(crowd_kit) == said


@pytest.mark.parametrize("name", ["judged.csv", "judged.tsv", "judged.parquet", "qrels"])
def test_repeats_are_refused_or_the_first_is_kept(tmp_path, name):
    path, frame = tmp_path / name, long([("q", "a", "Ann", 1), ("q", "b", "Ann", 2), ("q", "a", "Ann", 3)])
    if name == "judged.parquet":
        frame.to_parquet(path)
    elif name == "qrels":
        path.write_text("q 0 a 1\nq 0 b 2\nq 0 a 3\n")
    else:
        frame.to_csv(path, sep="\t" if name == "judged.tsv" else ",", index=False)
    (tmp_path / "Bob").write_text("q 0 a 0\n")
    source = f"{path},{tmp_path / 'Bob'}" if name == "qrels" else path
    with pytest.raises(ValueError, match=r"a second judgment of query q, doc a.*\((line|row) \d has it; .* 'first'\)"):
        judgments.read(source)
    assert judgments.read(source, repeats="first")["grade"].tolist()[:2] == [1, 2]
    with pytest.raises(ValueError, match="repeats is 'last', expected one of refuse, first"):
        judgments.read(source, repeats="last")


def test_a_frame_from_elsewhere_is_held_to_the_same():
    frame = pd.DataFrame({"grade": [1, 2.0], "doc": ["a", "b"], "query": [7, 7], "other": 0})
    checked = judgments.checked(frame, "export.json")
    assert checked.to_dict("list") == {"query": ["7", "7"], "doc": ["a", "b"], "grade": [1, 2]}
    with pytest.raises(ValueError, match=r"export.json, line 9: grade 1.5"):
        judgments.checked(frame.assign(grade=[1, 1.5]), "export.json", [4, 9])
    with pytest.raises(ValueError, match=r"export.json, row 1: an empty field"):
        judgments.checked(frame.assign(doc=["a", None]), "export.json")


# the Cystic Fibrosis collection


def test_the_cystic_fibrosis_file_gives_four_judgments_a_document(write):
    frame = judgments.read_cystic_fibrosis(write(CYSTIC_FIBROSIS))
    assert len(frame) == 16
    grades = frame.pivot(index=["query", "doc"], columns="assessor", values="grade")[list(CYSTIC_FIBROSIS_JUDGES)]
    assert grades.loc[("1", "23")].tolist() == [2, 2, 2, 0]
    assert grades.loc[("1", "961")].tolist() == [1, 0, 0, 0]
    assert grades.loc[("2", "7")].tolist() == [0, 0, 1, 2]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("961 1000", "961 10000", ", line 6: '961 10000', expected a document number and four grades from 0 to 2"),
        ("47 0001", "47 0003", ", line 5"),
        ("961 1000", "961", ", line 6"),
        ("NR 00003", "NR 00002", ": query 1 has 3 documents, its NR line says 2"),
        ("RD    7 0012\n", "", ": query 2 has 0 documents, its NR line says 1"),
        ("QN 00002", "QN two", ", line 8: 'QN two', expected QN and a number"),
        (CYSTIC_FIBROSIS, "something else\n", ": no judgment, expected lines that begin with QN"),
    ],
)
def test_a_damaged_cystic_fibrosis_file_is_refused(write, old, new, message):
    with pytest.raises(ValueError, match=f"judged.txt{message}"):
        judgments.read_cystic_fibrosis(write(CYSTIC_FIBROSIS.replace(old, new)))


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


def test_grades_beyond_the_scale_are_not_counted_silently():
    frame = long([("q", "a", "Ann", 3), ("q", "a", "Bob", 0)])
    with pytest.raises(ValueError, match="n_grades is 3, but a document has grade 3"):
        judgments.confusion_counts(frame, "Ann", "Bob", 3)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.sampled_from("qrs"), st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=30))
def test_counts_of_queries_add_up_and_swap_with_the_assessors(judged):
    rows = [
        (q, f"d{n}", who, g) for n, (q, *both) in enumerate(judged) for who, g in zip(("Ann", "Bob"), both, strict=True)
    ]
    pairs = judgments.paired(long(rows), "Ann", "Bob")
    counts = judgments.query_confusion_counts(pairs, 3)
    assert counts.shape == (len({q for q, *_ in judged}), 3, 3)
    total = judgments.confusion_counts(long(rows), "Ann", "Bob", 3)
    np.testing.assert_array_equal(counts.sum(axis=0), total)
    np.testing.assert_array_equal(judgments.confusion_counts(long(rows), "Bob", "Ann", 3), total.T)
    for query, own, others in zip(pairs["query"].unique(), counts, total - counts, strict=True):
        rest = [row for row in rows if row[0] != query]
        if rest:
            np.testing.assert_array_equal(judgments.confusion_counts(long(rest), "Ann", "Bob", 3), others)
        np.testing.assert_array_equal(own.sum(), (pairs["query"] == query).sum())


# label matrices


def test_a_label_matrix_keeps_the_order_of_pairs_judges_and_labels():
    rows = [
        ("r", "a", "Cid", 3),
        ("q", "a", "Ann", 0),
        ("r", "a", "Ann", 1),
        ("q", "b", "Bob", 4),
        ("r", "a", "Bob", 2),
    ]
    matrix = judgments.label_matrix(long(rows))
    assert matrix.pairs.to_numpy().tolist() == [["r", "a"], ["q", "a"], ["q", "b"]]
    assert matrix.names == ["Cid", "Ann", "Bob"]
    assert matrix.labels.tolist() == [[3, 1, 2], [0, -1, -1], [4, -1, -1]]
    assert matrix.judges.tolist() == [[0, 1, 2], [1, -1, -1], [2, -1, -1]]
    assert (matrix.labels.dtype, matrix.judges.dtype) == (np.int8, np.int64)


@settings(deadline=None, max_examples=30)
@given(
    st.lists(
        st.tuples(st.sampled_from("qr"), st.sampled_from("abc"), st.sampled_from("XYZ"), st.integers(0, 4)),
        min_size=1,
        unique_by=lambda row: row[:3],
    )
)
def test_a_label_matrix_holds_every_judgment_once(rows):
    matrix = judgments.label_matrix(long(rows))
    found = {
        (*matrix.pairs.iloc[pair], matrix.names[matrix.judges[pair, k]], int(matrix.labels[pair, k]))
        for pair, k in zip(*np.nonzero(matrix.labels >= 0), strict=True)
    }
    assert found == set(rows)
    np.testing.assert_array_equal(matrix.judges >= 0, matrix.labels >= 0)
    packed = matrix.labels >= 0
    assert (packed[:, :-1] >= packed[:, 1:]).all()
    assert packed[:, 0].all()


def test_grades_that_no_label_can_hold_and_empty_frames_are_refused():
    for grade in (-1, 128):
        with pytest.raises(ValueError, match=rf"frame has grades from {grade} to {grade}, expected 0 to 127"):
            judgments.label_matrix(long([("q", "a", "Ann", grade)]))
    with pytest.raises(ValueError, match="frame has no judgment"):
        judgments.label_matrix(long([]))


# real files


def test_the_stored_cystic_fibrosis_matrices_are_those_of_the_real_file(real_data):
    frame = judgments.read_cystic_fibrosis(real_data / "judgments" / "cystic-fibrosis" / "cfquery")
    assert frame["query"].nunique() == 100
    assert len(frame) == 4 * 4819
    known = load_confusions()
    for i, testing in enumerate(CYSTIC_FIBROSIS_JUDGES, start=1):
        for j, training in enumerate(CYSTIC_FIBROSIS_JUDGES[i:], start=i + 1):
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


def test_the_three_labels_of_llmjudge_off_its_scale_are_refused_and_can_be_dropped(real_data):
    scores = real_data / "judgments" / "llmjudge" / "scores"
    for name, grade, n in [("RMITIR-llama70B", 5, 2), ("h2oloo-zeroshot2", 10, 1)]:
        path = scores / f"{name}.txt"
        with pytest.raises(ValueError, match=rf"{name}.txt, line \d+: grade {grade}, expected .* from 0 to 3"):
            judgments.read_qrels(path, 4)
        assert len(judgments.read_qrels(path, 4, outside="drop")) == 4423 - n
