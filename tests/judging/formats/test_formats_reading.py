"""What all formats share: grades, repeats, times, names of judges, and pairs to ask again."""

import csv
import json
import re

import numpy as np
import pandas as pd
import pytest
from export_samples import LONG, SAMPLES, TABLE, read_or_refused, refused
from hypothesis import given
from hypothesis import strategies as st

from helpers.judging import formats
from helpers.judging.formats import names as scales
from helpers.judging.formats import rows as checking
from helpers.judging.judgments import LIKE_MODELS

ROWS = [["tea", "d1", "ann", 2], ["tea", "d2", "ann", 0]]


@pytest.fixture
def write(put):
    return lambda data, name="judged.csv": put(name, data)


# grades


@pytest.mark.parametrize(
    "text", ["2.5", "1e2", "0x2", "２", "nan", "inf", "1_0", "Good", "2 or 3", '"2,0"', "9" * 5000]
)
def test_what_is_no_whole_number_is_refused_with_the_call_that_says_what_it_is(write, text):
    path = write(TABLE.replace(",2\n", f",{text}\n"))
    refused(path, "line 2: grade ")
    refused(path, "Add grades='0:0,")
    value = text.strip('"')
    assert formats.read(path, grades=f"{value}:3,0:1").frame["grade"].tolist() == [3, 1]
    assert formats.read(path, grades={value: 3, 0: 1}).frame["grade"].tolist() == [3, 1]


def test_an_empty_grade_and_one_to_skip_are_no_judgments(write):
    reading = formats.read(write(TABLE + "tea,d3,ann,\ntea,d4,ann,n/a\n"), grades="2:2,0:0,N/A:skip")
    assert reading.frame.to_numpy().tolist() == ROWS
    assert "Left out: rows without grade: 1, grades to skip: 1." in formats.describe(reading)


def test_words_are_graded_by_a_known_scale(write):
    words = ["Perfect", "excellent", "GOOD", " Fair", "Bad"]
    text = "query,doc,assessor,grade\n" + "".join(f"q,d{n},a,{word}\n" for n, word in enumerate(words))
    reading = formats.read(write(text))
    assert reading.frame["grade"].tolist() == [4, 3, 2, 1, 0]
    assert "Read as grades: bad as 0, fair as 1, good as 2, excellent as 3, perfect as 4." in reading.notes


@given(st.sampled_from(scales.TOOLS["scales"]), st.data())
def test_a_part_of_a_scale_has_the_grades_of_the_whole_or_none(scale, data):
    part = data.draw(st.sets(st.sampled_from(scale), min_size=1))
    found = scales.recognised(part)
    assert found is None or all(scale.index(word) == grade for word, grade in found.items())


# repeats


def test_duplicates_count_once_and_a_contradiction_names_both_lines_or_the_first_is_kept(write):
    reading = formats.read(write(TABLE + "tea,d1,ann,2.0\ntea,d1,ann,2\n"))
    assert reading.frame.to_numpy().tolist() == ROWS
    assert "Left out: exact duplicates: 2." in reading.notes
    path = write(TABLE + "tea,d1,ann,1\n")
    refused(path, "line 4: ann gave query tea, doc d1 grade 1, and grade 2 in")
    refused(path, "line 2: expected one judgment (repeats='first' keeps the first, repeats='mean' their mean)")
    reading = formats.read(path, repeats="first")
    assert reading.frame.to_numpy().tolist() == ROWS
    assert "Left out: later grades of a repeat: 1." in reading.notes
    reading = formats.read(path, repeats="mean")
    assert reading.frame.to_numpy().tolist() == ROWS  # 2 and 1, halves up
    assert "Left out: further grades, in the mean of a repeat (halves up): 1." in reading.notes
    assert reading.repeated.to_numpy().tolist() == [["tea", "d1", "ann", 2], ["tea", "d1", "ann", 1]]
    with pytest.raises(ValueError, match="repeats is 'last', expected one of refuse, first"):
        formats.read(path, repeats="last")
    other = write("query,doc,assessor,grade\ntea,d1,ann,1\n", "b.csv")
    with pytest.raises(ValueError, match=r"b.csv, line 2: ann gave .* in .*a.csv, line 2"):
        formats.read(f"{write(TABLE, 'a.csv')},{other}")


@given(st.lists(st.tuples(st.sampled_from("pq"), st.sampled_from("de"), st.sampled_from("ab"), st.integers(0, 2))))
def test_the_first_grade_of_each_judge_and_pair_is_kept_or_the_mean_of_all_halves_up(judged):
    rows = pd.DataFrame(judged, columns=["query", "doc", "assessor", "number"]).assign(file="f", place="line 1")
    expected = {}
    for *names, grade in judged:
        expected.setdefault(tuple(names), grade)
    frame, left_out = checking.checked(rows.astype({"number": float}), "first")
    assert {tuple(row[:3]): row[3] for row in frame.to_numpy().tolist()} == expected
    assert len(frame) + sum(left_out.values()) == len(judged)
    means, left_out = checking.checked(rows.astype({"number": float}), "mean")
    whole = {pair: [g for *names, g in judged if tuple(names) == pair] for pair in expected}
    whole = {pair: (2 * sum(grades) + len(grades)) // (2 * len(grades)) for pair, grades in whole.items()}
    assert {tuple(row[:3]): row[3] for row in means.to_numpy().tolist()} == whole
    assert len(means) + sum(left_out.values()) == len(judged)


# times of judging


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("created_at", "2026-01-02T10:00:00Z"),
        ("updated_at", "2026-01-02 12:00:00+02:00"),
        ("timestamp", "1767348000"),
        ("SubmitTime", "Fri Jan 02 10:00:00 PST 2026"),
        ("_created_at", "1/2/2026 10:00:00"),
    ],
)
def test_a_time_of_judging_is_read_however_it_is_written(write, column, cell):
    reading = formats.read(write(f"query,doc,user,rating,{column}\nq,d,ann,1,{cell}\nq,d,bob,1,\nq,e,ann,1,soon\n"))
    assert reading.frame["time"].tolist() == pytest.approx([1767348000, np.nan, np.nan], nan_ok=True)
    assert "Left out: times that are not understood: 1." in reading.notes
    assert "Times of judging from 2026-01-02 to 2026-01-02." in reading.notes


TIMES = {
    "mturk": (r'"(?=,"tea|,"jar|,"Input.query)', '","Fri Jan 02 10:00:00 PST 2026"'),
    "label-studio": ('"completed_by"', '"created_at": "2026-01-02T10:00:00.0Z", "completed_by"'),
    "prodigy": ('"_input_hash"', '"_timestamp": 1767348000, "_input_hash"'),
    "doccano": ('"label"', '"created_at": "2026-01-02T10:00:00Z", "label"'),
}


@pytest.mark.parametrize("name", TIMES)
def test_the_times_of_tools_are_those_of_judging(write, name):
    pattern, said = TIMES[name]
    text = re.sub(pattern, said, SAMPLES[name].text).replace(
        'Seconds","Fri Jan 02 10:00:00 PST 2026"', 'Seconds","SubmitTime"'
    )
    reading = formats.read(write(text, SAMPLES[name].name), **SAMPLES[name].settings)
    assert set(reading.frame["time"]) == {1767348000}


def test_the_better_of_two_times_is_taken_none_of_two_alike_and_none_of_something_else(write):
    text = "query,doc,user,rating,{}\nq,d,ann,1,2026-01-03,2026-01-02\n"
    assert formats.read(write(text.format("started_at,submitted_at"))).frame["time"].tolist() == [1767312000]
    assert formats.read(write(text.format("submitted_at,started_at"))).frame["time"].tolist() == [1767398400]
    assert "time" not in formats.read(write(text.format("submitted_at,timestamp"))).frame
    record = {"query": "q", "doc": "d", "user": "ann", "rating": 1, "notes": [{"created_at": "2026-01-01"}] * 2}
    assert "time" not in formats.read(write(json.dumps([record]), "a.json")).frame
    named = formats.read(
        write(text.format("seen,left")), columns="query=query,doc=doc,assessor=user,grade=rating,time=left"
    )
    assert named.frame["time"].tolist() == [1767312000]


# judges


def test_pseudonyms_do_not_depend_on_the_order_of_rows_and_leave_models(rng):
    names = ["w10", "ole@example.org", "w9", "model: m", "Zoë"]
    frame = pd.DataFrame({"query": "q", "doc": "d", "assessor": names, "grade": np.arange(5)})
    hidden = formats.pseudonyms(frame)
    assert hidden["assessor"].tolist() == ["judge 4", "judge 2", "judge 3", "model: m", "judge 1"]
    order = rng.permutation(5)
    assert formats.pseudonyms(frame.iloc[order])["assessor"].tolist() == hidden["assessor"].iloc[order].tolist()
    assert frame["assessor"].tolist() == names


MODELS = ("GPT-4o", "gpt-4o mini", "UMBRELA, v2")


@pytest.fixture
def mine(tmp_path):
    def written(*judges):
        rows = [("q", f"d{d}", who, d % 3) for who in judges for d in range(4)]
        pd.DataFrame(rows, columns=LONG).to_csv(tmp_path / "mine.csv", index=False)
        return tmp_path / "mine.csv"

    return written


@pytest.mark.parametrize(
    ("name", "like"),
    [
        *((name, True) for name in (*MODELS, "llama32", "prompt_1", "run.claude-3", "Mistral:7b", "qwen2", "a-gemini")),
        *((name, False) for name in ("Prompter", "Ann", "Claudette", "egpt", "promptly", "judge 1")),
    ],
)
def test_a_name_is_a_models_by_a_whole_word(name, like):
    assert bool(LIKE_MODELS.search(name.casefold())) == like


def test_what_is_called_like_a_model_is_asked_for_and_each_answer_is_taken(mine):
    file = mine("Ann", "Prompter", *MODELS)
    with pytest.raises(ValueError, match="GPT-4o, gpt-4o mini, UMBRELA, v2 are called like a language model") as error:
        formats.read(file)
    these, none = re.findall("machines='(.*?)'", str(error.value))
    assert none == "none"
    reading = formats.read(file, machines=these)
    assert reading.notes[0].endswith("People: 2, machines: GPT-4o, UMBRELA, v2, gpt-4o mini.")
    reading = formats.read(file, machines=none)
    assert reading.notes[0].endswith("People: 5, machines: none.")
    assert formats.read(file, machines="gpt*").notes[0].endswith("; of the people 1 is called like a model.")
    with pytest.raises(ValueError, match="machines is gpt,none, expected none alone"):
        formats.read(file, machines="gpt,none")
    with pytest.raises(ValueError, match="one of machines is 'llama', expected one of Ann, Prompter"):
        formats.read(file, machines="llama")


def test_by_name_by_pattern_and_as_the_file_says_is_the_same(mine):
    ways = [formats.read(mine("Ann", "gpt-4"), machines=said) for said in ("gpt-4", "GPT*", ["gpt-4"])]
    marked = mine("Ann", "model: gpt-4")
    ways += [formats.read(marked, machines=said) for said in ((), "gpt-4", "gpt*", "model: gpt-4", "none")]
    for reading in ways:
        pd.testing.assert_frame_equal(reading.frame, ways[0].frame)
        assert reading.notes == ways[0].notes


MANY = {f"k{number}": number for number in range(4_000)}
WIDE = {
    "an object": lambda: json.dumps(MANY),
    "a key twice": lambda: json.dumps(MANY)[:-1] + ', "k3999": 1}',
    "a task": lambda: json.dumps([{"data": MANY, "annotations": []}]),
    "a rating": lambda: json.dumps({"judgmentRatings": [{"query": "q", "ratings": [MANY]}]}),
    "a text": lambda: json.dumps([{**MANY, "text": "t", "annotations": []}]),
    "a record": lambda: json.dumps([{**MANY, "r.responses": [1], "r.responses.users": ["u"]}]),
    "a table": lambda: ",".join(MANY) + "\n",
    "a table with a document and a grade": lambda: "doc,grade," + ",".join(MANY) + "\n",
}


@pytest.mark.parametrize("what", WIDE)
def test_of_four_thousand_keys_a_message_names_a_few(write, what):
    with pytest.raises(ValueError, match=r"judged.csv") as error:
        formats.read(write(WIDE[what]()))
    assert len(str(error.value)) < 1000


# pairs to ask again


@pytest.fixture
def again(tmp_path):
    def again(name, pairs):
        """What is written for pairs after the sample of a format is read."""
        path, out = tmp_path / SAMPLES[name].name, tmp_path / "again"
        path.write_text(SAMPLES[name].text, encoding="utf-8")
        reading = formats.read(path, **SAMPLES[name].settings)
        formats.write_like(reading, pd.DataFrame(pairs, columns=["query", "doc"]), out)
        return out.read_text(encoding="utf-8")

    return again


CSV_OF_PAIRS = ([("tea", "aa11"), ("@home", "b,c")], 'query,doc\ntea,aa11\n @home,"b,c"\n')
QUEPID = ([("jar, blue", "cc33"), ("-5 sensor", "=x")], 'query,docid,rating\n"jar, blue",cc33,\n -5 sensor, =x,\n')
AGAIN = {
    "quepid-book": QUEPID,
    "quepid-case": QUEPID,
    "quepid-book json": QUEPID,
    "mturk": ([("jar, blue", "bb22"), ("-5 sensor", "new")], 'query,doc\n"jar, blue",bb22\n-5 sensor,new\n'),
    "label-studio": (
        [("tea pot", "aa11"), ("new", "dd44")],
        [
            {"data": {"query": "tea pot", "docid": "aa11", "doc": "A pot"}},
            {"data": {"query": "new", "docid": "dd44"}},
        ],
    ),
    "argilla": (
        [("jar", "bb22"), ("new", "dd44")],
        [{"id": "r2", "query": "jar", "document": "A cup", "docid": "bb22"}, {"query": "new", "docid": "dd44"}],
    ),
    "argilla nested": (
        [("jar", "bb22"), ("new", "dd44")],
        [
            {"id": "r2", "fields": {"query": "jar", "document": "A cup"}, "metadata": {"doc_id": "bb22"}},
            {"fields": {"query": "new"}, "metadata": {"doc_id": "dd44"}},
        ],
    ),
    "doccano": ([("jar", "cc33")], {"text": "jar: A jar", "meta": {"query": "jar", "docid": "cc33"}}),
    **dict.fromkeys(("opensearch", "rank-eval", "es-ltr", "umbrela", "qrels", "rre"), CSV_OF_PAIRS),
    "wide": (CSV_OF_PAIRS[0], 'query,docid,title\ntea,aa11,\n @home,"b,c",\n'),
    "long": (CSV_OF_PAIRS[0], 'query_id,doc_id\ntea,aa11\n @home,"b,c"\n'),
}


@pytest.mark.parametrize("name", AGAIN)
def test_pairs_to_ask_again_show_what_they_showed_and_no_judgment(again, name):
    pairs, expected = AGAIN[name]
    written = again(name, pairs)
    assert (written if isinstance(expected, str) else json.loads(written)) == expected


TITLED = [
    # what differs between the rows of a pair is of a judge, as is a column with a judge's name, or a grade of all
    (
        "query,url,title,who,grade,when,majority\nq,u,A pot,Ann,1,Monday,1\nq,u,A pot,Bob,0,Friday,1\n",
        "query=query,doc=url,assessor=who,grade=grade",
        "query,url,title\nq,u,A pot\n",
    ),
    (
        "query,docid,name,agent_1_rating,agent_2_rating,agent_1_note,final_rating\nq,u,A pot,1,2,Hm,2\n",
        "",
        "query,docid,name\nq,u,A pot\n",
    ),
]


@pytest.mark.parametrize(("text", "columns", "expected"), TITLED)
def test_a_table_of_pairs_to_ask_again_has_its_own_columns_that_are_of_the_pair(put, tmp_path, text, columns, expected):
    reading = formats.read(put("mine.csv", text), columns=columns)
    formats.write_like(reading, reading.frame[["query", "doc"]].drop_duplicates(), tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_text() == expected


def test_escaped_texts_are_read_back_as_they_were(again, tmp_path):
    texts = ["=1+1", "+12 volt", "-5 sensor", "@work", "＝1", "＋1", "－1", "＠a", "plain"]
    written = list(csv.reader(again("long", [(text, text) for text in texts]).splitlines()))
    assert [row[0] for row in written[1:]] == [f" {text}" for text in texts[:-1]] + ["plain"]
    path = tmp_path / "judged.csv"
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([*[written[0] + ["grade"]], *[[*row, 1] for row in written[1:]]])
    assert formats.read(path).frame["doc"].tolist() == texts


def test_nothing_is_left_where_writing_fails(tmp_path):
    path = tmp_path / "a.qrels"
    path.write_text("q 0 d 1\n")
    with pytest.raises(FileNotFoundError):
        formats.write_like(formats.read(path), pd.DataFrame({"query": ["q"], "doc": ["d"]}), tmp_path / "no" / "x.csv")
    assert [file.name for file in tmp_path.iterdir()] == ["a.qrels"]


def test_damaged_parquet_is_read_as_it_was_made_or_refused_with_its_name(tmp_path):
    rng, path, frame = np.random.default_rng(2013), tmp_path / "judged.parquet", pd.DataFrame(ROWS * 6, columns=LONG)
    frame = frame.assign(doc=[f"d{n}" for n in range(len(frame))])
    frame.to_parquet(path, write_page_checksum=True)
    whole, refused = path.read_bytes(), 0
    for _ in range(30):
        at = int(rng.integers(len(whole)))
        flipped = whole[:at] + bytes([whole[at] ^ (1 << int(rng.integers(8)))]) + whole[at + 1 :]
        path.write_bytes(whole[:at] if rng.random() < 0.25 else flipped)
        found = read_or_refused(path)
        assert found is None or found.frame.to_numpy().tolist() == frame.to_numpy().tolist()
        refused += found is None
    assert refused > 3
