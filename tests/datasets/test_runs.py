"""Qrels and runs as one collection: values by hand, properties, what is wrong with them, and others' readers."""

import os

import ir_measures
import numpy as np
import pytest
from damage import damaged
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_runs import joined

from helpers import metrics
from helpers.datasets import catalog, runs
from helpers.datasets.collection import open_saved, save
from helpers.datasets.runs.trec import read_qrels, read_run

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
QRELS = """\
q2 0 a 1
q1 0 d 0
q1 0 b 2
q1 0 a 0
q1 0 c 1
"""
BM25 = """\
q1 Q0 x 1 10 bm25
q1 Q0 b 2 7.5 bm25
q1 Q0 a 3 5 bm25
q1 Q0 y 4 0 bm25
q2 Q0 a 1 3.25 bm25
"""
DENSE = """\
q1 Q0 c 1 .9 dense
q1 Q0 b 2 .5 dense
q1 Q0 a 3 .5 dense
q2 Q0 z 1 2e-1 dense
q2 Q0 y 2 1e-1 dense
"""
FILES = {"qrels": QRELS, "bm25.run": BM25, "dense.run": DENSE}


@pytest.fixture
def read(put):
    """Reads the files of these names, or of FILES where they are no others, and gives the collection and its notes."""

    def read(changed=(), *, more=None, **how):
        paths = {name: put(name, text) for name, text in (FILES | dict(changed)).items() if text is not None}
        how |= {"features": put("more.csv", more)} if more else {}
        return runs.read_noted(paths.pop("qrels"), list(paths.values()), **how)

    return read


def one_run(text):
    """Files whose only run is this one."""
    return {"bm25.run": text, "dense.run": None}


def rows(collection):
    """Query, document, grade and features of every row."""
    queries = collection.query_ids[collection.query_index].tolist()
    features = collection.features.tolist()
    return list(zip(queries, collection.doc_ids.tolist(), collection.grades.tolist(), features, strict=True))


# By hand


def test_features_of_a_pair_are_scaled_score_reciprocal_rank_and_retrieved_of_every_run(read, tmp_path):
    """bm25 gives q1 the scores 10, 7.5, 5, 0; dense has b and a at .5, of which trec_eval puts b first."""
    collection, notes = read()
    assert notes == [
        "Not judged of the first 10 documents of each query: bm25 40.0 %, dense 40.0 %.",
        "1 of 5 judged pairs are left out, as no run retrieved them.",
    ]
    assert rows(collection) == [
        ("q1", "a", 0, pytest.approx([0.5, 1 / 3, 1, 0, 1 / 3, 1])),
        ("q1", "b", 2, pytest.approx([0.75, 1 / 2, 1, 0, 1 / 2, 1])),
        ("q1", "c", 1, pytest.approx([0, 0, 0, 1, 1, 1])),
        ("q2", "a", 1, pytest.approx([1, 1, 1, 0, 0, 0])),
    ]
    names = [f"{run} {feature}" for run in ("bm25", "dense") for feature in ("score", "reciprocal rank", "retrieved")]
    saved = open_saved(save(collection, tmp_path / "saved"))
    for one in (collection, collection.take_queries([1]), collection.take_rows([0]), saved):
        assert (one.feature_names.tolist(), one.name) == (names, "qrels")
    judged = rows(read(pairs="judged")[0])
    assert judged[:3] + judged[4:] == rows(collection)
    assert judged[3] == ("q1", "d", 0, [0] * 6)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("scores", [(1e308, 0, -1e308), (-1e308, 1e308, 1e308), (1e39, 1e-308, 0)])
def test_scores_of_any_size_are_read_in_their_order_without_a_warning(read, scores):
    lines = "".join(f"q Q0 {doc} 1 {score} t\n" for doc, score in zip("abc", scores, strict=True))
    collection, _ = read({"qrels": "q 0 a 1\nq 0 b 0\nq 0 c 2\n"} | one_run(lines))
    assert np.isfinite(collection.features).all()
    assert np.argsort(-collection.features[:, 1]).tolist() == sorted(range(3), key=lambda row: (-scores[row], -row))


def test_how_much_of_the_first_ten_of_each_run_nobody_judged_is_said(read, put):
    """Of bm25's five documents three are judged, of the first ten of q1's twelve in many b and c; q9 is no query."""
    lines = [f"q1 Q0 {d} {r} {99 - r} t\n" for r, d in enumerate("xyzbcuvwst" + "ad")]
    many = "".join([*lines, "q9 Q0 a 1 1 t\n"])
    _, notes = read({"many.run": many})
    known = read_qrels([put("qrels", QRELS)])
    assert [read_run(put(*own), known).unjudged for own in (("bm25.run", BM25), ("many.run", many))] == [2 / 5, 8 / 10]
    assert "Not judged of the first 10 documents of each query: bm25 40.0 %, dense 40.0 %, many 80.0 %." in notes


NEGATIVE = {"qrels": QRELS.replace("b 2", "b -2").replace("c 1", "c -1")}
SHORT = {"short.run": "q2 Q0 a 1 3 short\n"}
BACKWARDS = BM25.replace("b 2 7.5", "b 3 7.5").replace("a 3 5", "a 2 5")


@pytest.mark.parametrize(
    ("files", "how", "pairs", "n_features", "note"),
    [
        ({"qrels": QRELS + "q3 0 a 2\n"} | one_run(BM25), {}, ["q1 a", "q1 b", "q2 a"], 3,
         "3 of 6 judged pairs are left out, as no run retrieved them, and with them 1 queries: q3."),
        (NEGATIVE, {}, ["q1 a", "q2 a"], 6, "qrels: 2 of 5 lines have a grade below 0 and are left out."),
        (SHORT, {"least_share": 0.6}, ["q1 a", "q1 b", "q1 c", "q2 a"], 6,
         "short: left out, as it has documents for 1 of 2 judged queries, a share below 0.6."),
        (SHORT, {"least_share": 0.5}, ["q1 a", "q1 b", "q1 c", "q2 a"], 9, None),
        (one_run(BACKWARDS), {}, ["q1 a", "q1 b", "q2 a"], 3,
         "bm25.run: ranks contradict scores in 1 of 2 queries; it goes by score, as trec_eval does."),
        ({"qrels": QRELS + "q1 0 b 2\n"}, {}, ["q1 a", "q1 b", "q1 c", "q2 a"], 6,
         "qrels: 1 lines repeat an earlier one."),
    ],
)  # fmt: skip
def test_what_is_left_out_or_read_otherwise_is_noted(read, files, how, pairs, n_features, note):
    collection, notes = read(files, **how)
    assert [f"{query} {doc}" for query, doc, *_ in rows(collection)] == pairs
    assert collection.n_features == n_features
    assert note is None or note in notes


def test_a_run_goes_by_score_and_by_rank_where_its_scores_give_no_order(read):
    assert rows(read(one_run(BACKWARDS))[0]) == rows(read(one_run(BM25))[0])
    lines = [("q1", "a", 3), ("q1", "b", 1), ("q1", "x", 2), ("q2", "a", 7)]
    for score in ("{rank}", "1.5"):
        run = "".join(f"{q} Q0 {d} {r} {score.format(rank=r)} tag\n" for q, d, r in lines)
        collection, notes = read(one_run(run))
        assert [row[3] for row in rows(collection)] == [pytest.approx(v) for v in ([0, 1 / 3, 1], [1] * 3, [1] * 3)]
        assert notes[0] == "bm25.run: its scores give no order, so it goes by rank."


def test_ids_that_nearly_match_are_told_and_not_joined(put):
    qrels = put("qrels.txt", "01 0 D1 1\n2 0 b 0\n"), put("more.txt", "3 0 d1 1\n")
    collection, notes = runs.read_noted(qrels, [put("bm25.run", "1 Q0 d1 1 2 t\n2 Q0 b 2 1 t\n3 Q0 d1 1 1 t\n")])
    assert collection.query_ids.tolist() == ["2", "3"]
    assert [note for note in notes if "nearly alike" in note] == [  # the qrels tell D1 from d1 themselves
        "qrels.txt and more.txt: 1 documents are nearly alike ('D1' and 'd1'), and not joined.",
        "bm25.run and qrels: 1 queries are nearly alike ('1' and '01'), and not joined.",
    ]


def test_features_of_a_csv_file_come_last_and_are_0_where_it_has_no_pair(read):
    more = 'qid,doc,grade,year,"tokens, all",score\nq1,b,1,2011,+4,-0.5\nq9,b,0,2012,1,1\n'
    collection, notes = read(more=more)
    assert collection.feature_names.tolist()[6:] == ["tokens, all", "score"]
    assert collection.features[:, 6:].tolist() == [[0, 0], [4, -0.5], [0, 0], [0, 0]]
    assert notes[-1] == "3 of 4 rows have no more features than those of runs: 0."


def test_of_several_people_a_pair_has_the_majority_and_that_is_said(read):
    """Three people on a, two who differ on b, one on c; of Bob's two lines on a, which say the same, one counts."""
    given = {"a": [("Ann", 0), ("Bob", 2), ("Bob", 2), ("Cid", 0)], "b": [("Ann", 1), ("Bob", 2)], "c": [("Ann", 1)]}
    lines = "".join(f"q1 {who} {doc} {grade}\n" for doc, rows in given.items() for who, grade in rows)
    collection, notes = read({"qrels": lines})
    assert collection.grades.tolist() == [0, 2, 1]
    assert notes[0] == (
        "qrels: several people judged 2 of 3 pairs, which have the majority of their grades, of grades as frequent the "
        "more relevant."
    )
    with pytest.raises(ValueError, match="line 8: query q1, document b has grade 0, but it is 1 in line 5"):
        read({"qrels": lines + "q1 Ann b 0\n"})


# Forms of text


@pytest.mark.parametrize(
    "form",
    [
        lambda data: data.replace(b" ", b"\t"),
        lambda data: b"\n \n" + data.replace(b" ", b" \t ").replace(b"\n", b" \n\n  ") + b"\t",
        lambda data: data.rstrip(b"\n"),
    ],
    ids=["tabs", "blanks", "no last line end"],
)
def test_files_are_read_in_every_form(read, form):
    whole = rows(read()[0])
    assert rows(read({name: form(text.encode()) for name, text in FILES.items()})[0]) == whole


@pytest.mark.parametrize("name", ["NA", '"', "\\", ",", "#1", "\u00a0", "\u2028", "<dbpedia:Bär>"])
def test_ids_may_hold_any_characters_but_blanks(read, name):
    collection, _ = read({"qrels": f"{name} 0 {name} 1\n{name} 0 z 0\n"} | one_run(f"{name} Q0 {name} 1 2 {name}\n"))
    assert (collection.query_ids.tolist(), collection.doc_ids.tolist()) == ([name], [name])


# Beside a plain reader

PAIRS = st.tuples(st.sampled_from("pqr"), st.sampled_from(["a", "b", "ä", "a1", "😀"]))
GRADED = st.dictionaries(PAIRS, st.integers(-2, 3), min_size=1)
SCORED = st.dictionaries(PAIRS, st.tuples(st.integers(0, 4), st.sampled_from([-1.5, 0, 0.25, 3, 1e9])), min_size=1)


def read_alike(folder, texts, random=None):
    """Whether the files are read; what they hold, or that they are refused, is as the plain reader has it, whatever
    the order of files and lines."""
    names = list(texts)
    if random:
        random.shuffle(names)
    for name in names:
        lines = texts[name].splitlines(keepends=True)
        (folder / name).write_bytes(b"".join(random.sample(lines, len(lines))) if random else texts[name])
    plain = {name.removesuffix(".run"): text for name, text in texts.items() if name != "qrels"}
    expected, _ = attempt(lambda: joined(texts["qrels"], plain))
    found, error = attempt(lambda: runs.read(folder / "qrels", [folder / name for name in names if name != "qrels"]))
    assert (found is None) == (expected is None), (texts, error)
    assert "\n" not in str(error)
    if found:
        assert [row[:3] for row in rows(found)] == [row[:3] for row in expected]
        np.testing.assert_array_equal(found.features, np.array([row[3] for row in expected], np.float32))
    return bool(found)


def attempt(read):
    """What is read, or None, and the refusal."""
    try:
        return read(), None
    except ValueError as error:
        return None, error


@settings(max_examples=1000 if LARGE else 25, deadline=None)
@given(GRADED, st.lists(SCORED, min_size=1, max_size=3), st.randoms(use_true_random=False))
def test_rows_are_those_of_a_plain_reader_whatever_the_order_of_files_and_lines(
    tmp_path_factory, grades, scored, random
):
    texts = {"qrels": "".join(f"{q} 0 {d} {grade}\n" for (q, d), grade in grades.items()).encode()}
    for number, scores in enumerate(scored):
        lines = [f"{q} Q0 {d} {rank} {score} t\n" for (q, d), (rank, score) in scores.items()]
        texts[f"run{number}"] = "".join(lines).encode()
    read_alike(tmp_path_factory.mktemp("drawn"), texts, random)


def with_another_field(content, rng):
    """The content with one field of one line exchanged for another text, or with one line twice, or out of place."""
    lines = content.split(b"\n")
    at = rng.integers(len(lines))
    fields = lines[at].split(b" ")
    texts = [b"-1", b"nan", b"1e400", b"q2", b"b", b"", b" ", b"\t", b"1_0", b"0x1", b"+3", b"\xc3\xa4", b"\r", b"2.0"]
    fields[rng.integers(len(fields))] = texts[rng.integers(len(texts))]
    changed = [b" ".join(fields)]
    kinds = (changed, [lines[at]] * 2, [], [lines[at], lines[rng.integers(len(lines))]])
    lines[at : at + 1] = kinds[rng.choice(4, p=[0.7, 0.1, 0.1, 0.1])]
    return b"\n".join(lines)


def test_files_damaged_anywhere_are_refused_or_read_as_a_plain_reader_reads_them(tmp_path):
    """Ten thousand under LABEL_STUDIES_TESTS=all."""
    rng, right, n = np.random.default_rng(41), 0, 10_000 if LARGE else 150
    for _ in range(n):
        texts = {name: text.encode() for name, text in FILES.items()}
        for _ in range(rng.integers(1, 3)):
            name = list(texts)[rng.integers(3)]
            texts[name] = (damaged, with_another_field)[rng.integers(2)](texts[name] or b" ", rng)
        right += read_alike(tmp_path, texts)
    assert right > n / 6


# What is wrong


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"qrels": QRELS + "\nq1 0 b 1\n"}, r"qrels, line 7: query q1, document b has grade 1, but it is 2 in line 3"),
        ({"qrels": QRELS.replace("c 1", "c 1.5")}, r"qrels, line 5: grade '1.5', expected a whole number"),
        ({"qrels": QRELS.replace("c 1", "c 128")}, r"qrels, line 5: grade '128', .* from -127 to 127"),
        ({"qrels": QRELS.replace("c 1", "c")}, r"qrels, line 5: 3 fields \(q1 0 c\), expected 4: query, iteration"),
        ({"qrels": "q1 0 a -1\n"}, r"qrels: no pair has a grade of 0 or above"),
        ({"qrels": " \n\n"}, r"qrels: not a single line, expected lines of query, iteration, document, grade"),
        (one_run("\n" + BM25 + "q1 Q0 b 9 1 t\n"), r"bm25.run, line 7: query q1, document b is in line 3 already"),
        (one_run(BM25 + "q9 Q0 b 9 1\n"), r"bm25.run, line 6: 5 fields \(q9 Q0 b 9 1\), expected 6"),
        (one_run(BM25.replace("7.5", "7,5")), r"bm25.run, line 2: score '7,5', expected a finite number"),
        (one_run(BM25.replace("7.5", "1e999")), r"bm25.run, line 2: score '1e999', expected a finite number"),
        (one_run(BM25.replace("2 7.5", "7.5 2")), r"bm25.run, line 2: rank '7.5', expected a whole number"),
        (one_run(BM25.replace("q", "")), r"bm25.run: no query of the qrels, .* such as q1, found ids such as 1"),
        (one_run("q1 Q0 A 1 1 t\n"), r"bm25.run: no judged document .* such as a, found ids such as A"),
        (one_run("x" * 99 + "\n"), r"bm25.run, line 1: 1 fields \(x{60}\), expected 6"),
        ({"bm25.txt": BM25}, r"bm25\.run and .*bm25\.txt are both called bm25, expected different names"),
        (one_run(None), r"run_files is empty, expected at least one run"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_line(read, changed, message):
    with pytest.raises(ValueError, match=message):
        read(changed)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"pairs": "all"}, "pairs is 'all', expected one of retrieved, judged"),
        ({"negative": "keep"}, "negative is 'keep', expected one of drop, refuse"),
        ({"negative": "refuse"}, r"qrels, line 3: grade '-2', expected a whole number from 0 to 127"),
        ({"least_share": 2}, "least_share is 2, expected a share of queries from 0 to 1"),
        ({"more": "query,doc,x\nq1,a,1\nq1,a,2\n"}, r"more.csv, line 3: a pair that an earlier line has"),
        ({"more": "query,doc,x\nq1,a,one\n"}, r"more.csv, line 2: x 'one', expected a finite number"),
        ({"more": "query,doc,x\nq1,a,1_0\n"}, r"more.csv, line 2: x '1_0', expected a finite number"),
        ({"more": "query,doc,x\nq1,b\n"}, r"more.csv, line 2: 2 fields, expected 3"),
        ({"more": "query,x\nq1,1\n"}, r"more.csv: columns query, x, expected one of document, doc, docid among them"),
        ({"more": "query,doc,grade\nq1,b,1\n"}, r"columns query, doc, grade, expected a feature among them"),
        ({"more": "query,doc,x\nq1,B,1\n"}, r"more.csv: no pair of the qrels"),
    ],
)
def test_arguments_and_files_of_features_are_refused_with_what_is_expected(read, how, message):
    with pytest.raises(ValueError, match=message):
        read(NEGATIVE, **how)


def test_too_short_a_run_alone_and_two_files_of_qrels_that_share_a_query_are_refused(read, put):
    with pytest.raises(ValueError, match=r"short has documents for 1 of 2 judged queries, and no run has more"):
        read({"bm25.run": None, "dense.run": None} | SHORT, least_share=0.6)
    qrels = put("qrels", QRELS), put("more", "q1 0 x 1\n")
    with pytest.raises(ValueError, match=r"more, line 1: query q1 is in .*qrels as well, expected each query in one"):
        runs.read(qrels, [put("a.run", BM25)])


def test_runs_to_be_compared_are_a_folder_or_files_in_the_order_of_their_names(put, tmp_path):
    first, second = put("mine/b.run", BM25), put("mine/a.txt", BM25)
    put("mine/.hidden", "no run")
    assert [run.name for run in runs.read_runs(str(tmp_path / "mine"))] == ["a", "b"]
    assert [run.name for run in runs.read_runs(f"{first}, {second}")] == ["a", "b"]


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        (
            "mine/a.run",
            ValueError,
            r"runs is '.*a\.run', one run, expected two or more: a folder, or files separated by",
        ),
        ("mine/a.run,mine/none.run", FileNotFoundError, r"runs: .*none\.run: no such file or folder"),
        ("nowhere", FileNotFoundError, r"runs: .*nowhere: no such file or folder"),
        ("mine/a.run,mine/a.txt", ValueError, r"a\.run and .*a\.txt are both called a, expected different names"),
        ("empty", FileNotFoundError, r"empty: no file, expected one for each run"),
        ("mine/a.run,", ValueError, r"a path is empty, expected the name of a file"),
    ],
)
def test_runs_that_cannot_be_compared_are_refused(put, tmp_path, monkeypatch, given, error, message):
    put("mine/a.run", BM25), put("mine/a.txt", BM25)
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=message):
        runs.read_runs(given)


# Others' readers and real files

large = pytest.mark.skipif(not LARGE, reason="reads a large collection: LABEL_STUDIES_TESTS=all")


def assert_ndcg(qrels, run):
    """NDCG@1 and NDCG@10 with linear gains, of the reciprocal rank here and of the run there."""
    collection = runs.read(qrels, [run], pairs="judged")
    for k in (1, 10):
        ours = metrics.ndcg(collection.grades, collection.features[:, 1], collection.offsets, k, gain="linear")
        pairs = ir_measures.read_trec_qrels(str(qrels)), ir_measures.read_trec_run(str(run))
        theirs = {value.query_id: value.value for value in ir_measures.iter_calc([ir_measures.nDCG @ k], *pairs)}
        has = np.isfinite(ours)
        wanted = [theirs.get(query, 0.0) for query in collection.query_ids[has]]
        np.testing.assert_allclose(ours[has], wanted, atol=1e-6)


def test_ndcg_by_reciprocal_rank_is_what_trec_eval_gives_the_run(put, rng):
    """Of 20 queries with 30 documents each, most of them retrieved, with few different scores."""
    pairs = [(f"q{q}", f"d{d}") for q in range(20) for d in rng.permutation(100)[:30]]
    kept = [pair for pair in pairs if rng.random() < 0.8]
    qrels = put("qrels", "".join(f"{q} 0 {d} {rng.integers(3)}\n" for q, d in pairs))
    assert_ndcg(qrels, put("drawn.run", "".join(f"{q} Q0 {d} 0 {rng.integers(8) / 4} t\n" for q, d in kept)))


@pytest.mark.parametrize(
    "run", ["DBpedia-Entity/runs/bm25f.run", pytest.param("Robust04/runs/atire-bm25L.run", marks=large)]
)
def test_a_real_run_has_the_ndcg_that_trec_eval_gives_it(real_data, run):
    """Scores of atire-bm25L are whole numbers, many of them equal."""
    file = real_data / run
    if not file.is_file():
        pytest.skip(f"{file} is not here")
    assert_ndcg(file.parents[1] / "qrels.txt", file)


@pytest.mark.parametrize(
    ("name", "n_queries", "n_docs", "n_features", "folds"),
    [
        pytest.param("robust04", 249, 203_069, 54, 5, marks=large),
        pytest.param(
            "microblog", 223, 107_179 - 17, 27, 4, marks=large
        ),  # 17 of the pairs that a run has are spam, grade -2
        pytest.param("syndl-dl21", 424 + 53, 75_231, 189, 0, marks=large),
        ("dbpedia-entity", 467, 36_574, 15, 5),
        ("mq2007-part", 1692, 59_135, 46, 0),
    ],
)
def test_real_collections_have_the_counts_that_are_known_of_them(
    real_data, monkeypatch, name, n_queries, n_docs, n_features, folds
):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    if not catalog.sources().set_index("name").here[name]:
        pytest.skip(f"{name} is not here")
    whole = catalog.load(name)
    assert (whole.n_queries, whole.n_docs, whole.n_features) == (n_queries, n_docs, n_features)
    assert len(catalog.fold_numbers(name)) == folds
