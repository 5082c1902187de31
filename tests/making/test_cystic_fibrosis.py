"""The Cystic Fibrosis collection is read as it is distributed, and its features are those of the formulas."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics.pairwise import cosine_similarity

from helpers import metrics
from helpers.judging import judged
from helpers.making import cystic_fibrosis
from helpers.studies.bounds.judges import JUDGES, read_judgments

CF74 = """PN 74001
RN 00010\x20
TI Mucus of the
   lung.
MJ LUNG: ra.  MUCUS: an.
MN HUMAN.
AB Thickened
(CP);
   by calcium.
RF 001   HOIBY N               ACTA PATH

PN 74002
RN 00002
TI Sweat glands.
MN CHILD.
EX An extract.
"""
TITLES = {"cf75": "Mucus.", "cf76": "Lung and mucus.", "cf77": "Enzymes.", "cf78": "Salt.", "cf79": "Mucus."}
QUERIES = """QN 00001
QU Mucus of
   the lung?
NR 00002
RD    2 0110   10 2200

QN 00002
QU Salt in sweat
NR 00001
RD    2 1112
"""


@pytest.fixture
def directory(tmp_path, monkeypatch):
    """Seven documents, numbers 10 and 2 to 7, and two queries, where the data directory has them."""
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(tmp_path))
    directory = tmp_path / "judgments" / "cystic-fibrosis"
    directory.mkdir(parents=True)
    (directory / "cf74").write_text(CF74)
    for number, (name, title) in enumerate(TITLES.items(), start=3):
        (directory / name).write_text(f"PN {name[2:]}001\nRN {number:05}\nTI {title}\nMN HUMAN.\nAB Tests.\n")
    (directory / "cfquery").write_text(QUERIES)
    return directory


# reading


def test_documents_are_read_in_the_order_of_their_numbers(directory):
    (directory / "cf74").write_bytes(CF74.encode().replace(b"An extract", b"A\xee extrac\xf4"))  # an eighth bit
    documents = cystic_fibrosis.read_documents(directory)
    assert documents["doc"].tolist() == ["2", "3", "4", "5", "6", "7", "10"]
    assert documents.iloc[-1].to_dict() == {
        "doc": "10",
        "title": "Mucus of the lung.",
        "abstract": "Thickened (CP); by calcium.",
        "subjects": "LUNG: ra. MUCUS: an. HUMAN.",
    }
    assert documents.loc[0, ["abstract", "subjects"]].tolist() == ["An extract.", "CHILD."]


def test_queries_and_four_judgments_a_document_are_read_by_number(directory):
    path = directory / "cfquery"
    assert cystic_fibrosis.read_queries(path).to_dict() == {"1": "Mucus of the lung?", "2": "Salt in sweat"}
    grades = read_judgments(path).pivot(index=["query", "doc"], columns="assessor", values="grade")[list(JUDGES)]
    assert grades.T.to_dict("list") == {("1", "10"): [2, 2, 0, 0], ("1", "2"): [0, 1, 1, 0], ("2", "2"): [1, 1, 1, 2]}


DAMAGED = [
    ("cf74", "PN 74001\n", "", ", line 1: field RN, expected PN first"),
    ("cf74", "EX An", "XX An", ", line 16: field XX, expected PN first"),
    ("cf74", "RN 00002\n", "", ", line 12: RN '', TI 'Sweat glands.', expected a number that no other record has"),
    ("cf74", "RN 00002", "RN 10", ", line 12: RN '10', TI 'Sweat glands.'"),
    ("cf74", "TI Sweat glands.\n", "", ", line 12: RN '00002', TI '', expected .* and a text"),
    ("cf74", CF74, "something else\n", ": no record, expected lines that begin with PN"),
    ("cfquery", "QU Salt in sweat\n", "", ", line 7: QN '00002', QU '', expected a number .*, and a text"),
    ("cfquery", "QN 00002", "QN 1", ", line 7: QN '1'"),
    ("cfquery", "10 2200", "10 22000", ", line 5: '2 0110   10 22000', expected a document number and four grades"),
    ("cfquery", "10 2200", "10", ", line 5"),
    ("cfquery", "NR 00002", "NR 00001", ": query 1 has 2 documents, its NR line says 1"),
    ("cfquery", "RD    2 1112\n", "", ": query 2 has 0 documents, its NR line says 1"),
    ("cfquery", "NR 00002", "NR two", ", line 4: 'NR two', expected NR and a number"),
    ("cfquery", QUERIES, "QN 1\nQU Salt\n", ": no judgment, expected lines that begin with QN"),
    ("cfquery", "   2 1112", "  99 1112", "doc '99' is not there"),
]


@pytest.mark.parametrize(("name", "old", "new", "message"), DAMAGED)
def test_damaged_files_are_refused_with_file_and_line(directory, name, old, new, message):
    text = (directory / name).read_text().replace(old, new)
    (directory / name).write_text(text)
    with pytest.raises(ValueError, match=message if "99" in new else f"{name}{message}"):
        cystic_fibrosis.load()


def test_a_missing_file_is_said_to_be_missing(directory):
    (directory / "cf77").unlink()
    with pytest.raises(FileNotFoundError, match=r"cf77 is not here: data/README.md says where"):
        cystic_fibrosis.load()


# features

DOCUMENTS = pd.DataFrame(
    {
        "doc": ["1", "2", "3"],
        "title": ["Lung, lung and mucus", "The mucus", "Sweat glands"],
        "abstract": ["Calcium", "Calcium", "Sodium"],
        "subjects": ["HUMAN.", "HUMAN.", "CHILD."],
    }
)
QUERY = pd.Series(["Is there mucus of the lung?"], index=pd.Index(["q"], name="query"))
PAIRS = pd.DataFrame({"query": ["q"] * 3, "doc": ["1", "2", "3"]})


@pytest.fixture(scope="module")
def rows():
    return pd.DataFrame(cystic_fibrosis.features(DOCUMENTS, QUERY, PAIRS), columns=cystic_fibrosis.FEATURES).T


def test_features_of_a_field_are_those_worked_out_by_hand(rows):
    # "lung" is in 1 title of 3, "mucus" in 2; titles have 3, 1 and 2 terms, 2 on average
    lung, mucus = math.log(1 + 2.5 / 1.5), math.log(1 + 1.5 / 2.5)
    bm25 = [
        lung * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2)) + mucus * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 3 / 2)),
        mucus * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 1 / 2)),
        0,
    ]
    lung, mucus = math.log(4 / 2) + 1, math.log(4 / 3) + 1  # scikit-learn's inverse document frequencies
    query = math.hypot(lung, mucus)
    cosine = [(2 * lung**2 + mucus**2) / math.hypot(2 * lung, mucus) / query, mucus / query, 0]
    assert rows.loc["BM25 of title"].tolist() == pytest.approx(bm25)
    assert rows.loc["TF-IDF cosine of title"].tolist() == pytest.approx(cosine)
    assert rows.loc["overlap of title"].tolist() == [1, 0.5, 0]
    assert rows.loc["length of title"].tolist() == [3, 1, 2]
    assert rows.loc["length of whole text"].tolist() == [5, 3, 4]


def test_the_cosine_equals_that_of_scikit_learns_vectors(rows):
    texts = DOCUMENTS["title"] + " " + DOCUMENTS["abstract"] + " " + DOCUMENTS["subjects"]
    vectorizer = TfidfVectorizer(stop_words="english")
    vectors = vectorizer.fit_transform(texts)
    expected = cosine_similarity(vectorizer.transform(QUERY), vectors)[0]
    assert rows.loc["TF-IDF cosine of whole text"].tolist() == pytest.approx(expected.tolist())


def test_features_are_those_of_the_pair_whatever_the_order_of_documents_and_pairs():
    queries = pd.concat([pd.Series(["sweat"], index=["r"]), QUERY])
    pairs = pd.concat([PAIRS, PAIRS.assign(query="r")], ignore_index=True)
    expected = cystic_fibrosis.features(DOCUMENTS, queries, pairs)
    order = [4, 0, 5, 2]
    again = cystic_fibrosis.features(DOCUMENTS.iloc[[2, 0, 1]], queries[::-1], pairs.iloc[order])
    np.testing.assert_array_equal(again, expected[order])


counts = arrays.arrays(np.int64, st.tuples(st.integers(2, 6), st.just(4)), elements=st.integers(0, 3))


def literal_bm25(documents, query):
    lengths = [sum(document) for document in documents]
    mean = sum(lengths) / len(lengths)
    scores = [0.0] * len(documents)
    for term, asked in enumerate(query):
        df = sum(document[term] > 0 for document in documents)
        idf = math.log(1 + (len(documents) - df + 0.5) / (df + 0.5))
        for d, document in enumerate(documents):
            if document[term]:
                k = 1.2 * (1 - 0.75 + 0.75 * lengths[d] / mean)
                scores[d] += asked * idf * document[term] * 2.2 / (document[term] + k)
    return scores


@settings(deadline=None, max_examples=20)
@given(counts.filter(np.any), counts)
def test_bm25_equals_a_literal_reading_of_the_formula(documents, queries):
    scores = cystic_fibrosis.MEASURES["BM25"](csr_array(documents), csr_array(queries))
    expected = [literal_bm25(documents.tolist(), query) for query in queries.tolist()]
    np.testing.assert_allclose(scores, expected, rtol=1e-12)


# the collection


@pytest.mark.parametrize(
    ("depth", "first", "second"),
    [
        (1, ["2", "10"], ["2"]),  # judged documents stay, also one without a term of the query
        (3, ["2", "4", "10"], ["2", "6"]),  # 4 has both terms
        (4, ["2", "3", "4", "10"], ["2", "6"]),  # 3 and 7 have equal texts
        (100, ["2", "3", "4", "7", "10"], ["2", "6"]),  # 5 has no term of either query
    ],
)
def test_candidates_are_the_judged_documents_and_the_best_others_up_to_the_depth(directory, depth, first, second):
    collection, _ = cystic_fibrosis.load(depth)
    assert collection.query_ids.tolist() == ["1", "2"]
    assert [docs.tolist() for docs in np.split(collection.doc_ids, collection.offsets[1:-1])] == [first, second]


def test_labels_are_those_of_the_judges_0_without_judgment_and_grades_their_majority(directory):
    collection, labels = cystic_fibrosis.load(3)
    assert labels.dtype == np.int8
    assert labels.tolist() == [[0, 1, 1, 0], [0] * 4, [2, 2, 0, 0], [1, 1, 1, 2], [0] * 4]
    assert collection.grades.tolist() == [1, 0, 2, 1, 0]


def test_the_folder_of_a_judged_collection_holds_the_same(directory):
    cystic_fibrosis.TASKS["cystic-fibrosis"]()
    (here, labels), folder = cystic_fibrosis.load(), directory.parents[1] / "multi-judge" / "cystic-fibrosis"
    there = judged.read(folder)
    np.testing.assert_array_equal(there.labels, labels)
    for name in ("features", "grades", "doc_ids"):
        np.testing.assert_array_equal(getattr(there.collection, name), getattr(here, name))
    assert (folder / "names.txt").read_text().startswith("1 BM25 of title\n")
    with pytest.raises(FileExistsError, match="cystic-fibrosis: is there already"):
        cystic_fibrosis.TASKS["cystic-fibrosis"]()


def test_the_real_collection_has_its_known_size_and_bm25_ranks_it_as_measured(real_data, monkeypatch):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    documents = cystic_fibrosis.read_documents(real_data / "judgments" / "cystic-fibrosis")
    assert documents["doc"].tolist() == [str(number) for number in range(1, 1240)]
    assert (documents["abstract"] != "").all()
    collection, labels = cystic_fibrosis.load()
    assert (collection.n_queries, labels.any(axis=1).sum(), collection.group.min()) == (100, 4819, 100)
    assert (labels > 0).sum(axis=0).tolist() == [2232, 2152, 2091, 3454]
    scores = collection.features[:, cystic_fibrosis.FEATURES.index("BM25 of whole text")]
    assert metrics.ndcg(collection.grades, scores, collection.offsets, 10).mean() == pytest.approx(0.4543, abs=5e-4)
