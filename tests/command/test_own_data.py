"""The commands on a reader's own data: fetch, portrait, collection, judgments; and data checked before a run."""

import inspect
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from command_line import invoke

from helpers import paths
from helpers.command import judging, notebooks, rules
from helpers.datasets import catalog, letor, portrait, runs
from helpers.datasets.collection import Collection
from helpers.judging import formats

QUERIES = [f"q{number}" for number in range(40)]


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch, rng):
    """Qrels of 40 queries and two runs, in the working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LABEL_STUDIES_CACHE", str(tmp_path / "cache"))
    Path("runs").mkdir()
    pairs = [(query, f"d{number}", number % 3) for query in QUERIES for number in range(6)]
    Path("qrels.txt").write_text("".join(f"{q} 0 {d} {grade}\n" for q, d, grade in pairs) + "q0 0 spam -2\n")
    for name in ("bm25", "dense"):
        lines = (f"{q} Q0 {d} 0 {grade + rng.normal():.3f} {name}\n" for q, d, grade in pairs[:-1])
        Path(f"runs/{name}.run").write_text("".join(lines))
    return tmp_path


def test_fetch_without_a_name_shows_all_data_sets(monkeypatch, tmp_path):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(tmp_path / "none"))
    result = invoke("fetch")
    assert result.exit_code == 0
    assert [line for line in result.stdout.splitlines() if line.endswith(": not here")] == [
        f"{name}: not here" for name in catalog.names()
    ]
    assert result.stdout.count("Microsoft's own agreement") >= 5


def test_fetch_refuses_a_name_that_there_is_not():
    result = invoke("fetch", "mq2009")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: there is no data set 'mq2009'")


@pytest.mark.parametrize(
    ("dataset", "out", "message"),
    [
        ("mine.txt", "file.txt/mine.npz", "file.txt/mine.npz: cannot be written"),
        ("mine.txt", "folder.npz", "folder.npz: found a folder, expected a file"),
        ("mine.txt", "mine", "mine: expected a file name that ends in .npz"),
        ("nowhere", "mine.npz", "nowhere: no such file or folder"),
        ("qrels.txt,runs/bm26.run", "mine.npz", "runs/bm26.run: no such file or folder, expected qrels.txt,runs/ or"),
        ("qrels.txt,others.txt,runs/", "mine.npz", "runs/: one assessor labelled its training queries and "),
    ],
)
def test_portrait_refuses_a_place_or_a_mistaken_list_before_it_measures(monkeypatch, dataset, out, message):
    Path("file.txt").touch()
    Path("folder.npz").mkdir()
    Path("others.txt").write_text(Path("qrels.txt").read_text())
    monkeypatch.setattr(portrait, "measure", lambda *_: pytest.fail("it was measured"))
    if dataset == "mine.txt":
        monkeypatch.setattr(catalog, "splits", lambda *_, **__: pytest.fail("it was read"))
    result = invoke("portrait", dataset, "--out", out)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert message in result.stderr
    assert not Path("mine.npz").exists()


def test_collection_writes_letor_text_and_the_names_of_features():
    result = invoke("collection", "qrels.txt", "runs/dense.run", "runs/bm25.run", "--out", "new/mine.txt")
    assert (result.exit_code, result.stdout) == (0, "new/mine.txt\n")
    assert result.stderr.splitlines() == [
        "qrels.txt: 1 of 241 lines have a grade below 0 and are left out.",
        "Not judged of the first 10 documents of each query: none of 2 runs.",
        "1 of 240 judged pairs are left out, as no run retrieved them.",
    ]
    made, written = runs.read("qrels.txt", sorted(Path("runs").iterdir())), letor.read("new/mine.txt")
    np.testing.assert_array_equal(written.features, made.features)
    np.testing.assert_array_equal(written.doc_ids, made.doc_ids)
    assert Path("new/mine.txt.names").read_text().splitlines() == made.feature_names.tolist()


def test_collection_takes_all_judged_pairs_on_request():
    assert invoke("collection", "qrels.txt", "runs/bm25.run", "--pairs", "judged", "--out", "mine.txt").exit_code == 0
    assert letor.read("mine.txt").n_docs == 240


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["qrels.txt", "runs/bm25.run", "--pairs", "all"], "pairs is 'all', expected one of retrieved, judged"),
        (["qrels.txt", "runs/bm25.run", "--negative", "refuse"], "qrels.txt, line 241: grade '-2', expected"),
    ],
)
def test_collection_that_is_refused_writes_nothing(arguments, message):
    result = invoke("collection", *arguments, "--out", "mine.txt")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: {message}")
    assert not list(Path().glob("mine*"))


def test_portrait_measures_a_file_or_qrels_and_runs_and_names_the_line_of_a_damaged_run(rng):
    grades = np.tile([0, 0, 0, 1, 1, 2], 40)
    features = np.c_[grades + rng.normal(size=240), rng.normal(size=240)]
    letor.write(Collection(features, grades, np.arange(0, 241, 6)), "mine.txt")
    for dataset, counts in {"mine.txt": [120, 80, 40], "qrels.txt,runs/": [80, 80, 79]}.items():
        assert invoke("portrait", dataset, "--out", "mine.npz").exit_code == 0
        assert portrait.load("mine.npz").grade_counts.sum(axis=0).tolist() == counts
    assert portrait.load("mine.npz").name == "mine"
    Path("runs/dense.run").write_text("q1 Q0 d1\n")
    result = invoke("portrait", "qrels.txt,runs/", "--out", "mine.npz")
    assert (result.exit_code, "dense.run, line 1: 3 fields" in result.stderr) == (2, True)


BOOK = "query,docid,Ann,Bob\nlamp,d1,3,2\nlamp,d2,,1\n"


@pytest.fixture
def book(put):
    return put("book.csv", BOOK)


def test_columns_grades_and_repeats_are_taken(put):
    file = put("mine.csv", "q,url,who,said\nlamp,a,Ann,Good\nlamp,a,Ann,Bad\nlamp,b,Bob,Bad\n")
    how = ["--columns", "query=q,doc=url,assessor=who,grade=said", "--grades", "Good:1,Bad:0"]
    refused = invoke("judgments", file, *how)
    assert refused.exit_code == 2
    assert "keeps the first" in refused.stderr
    assert "Judgments: 2, pairs: 2" in invoke("judgments", file, *how, "--repeats", "first").stdout


def test_what_would_be_read_is_told_and_judges_are_named_only_where_that_is_asked_for(book):
    quiet = invoke("judgments", book, "--format", "quepid-book")
    assert quiet.exit_code == 0
    assert quiet.stdout.splitlines()[0].endswith("People: 2, machines: none.")
    heads = ["judge", "judgments", "lowest", "highest", "grades", "sign", "what"]
    assert quiet.stdout.splitlines()[-3].split() == heads
    assert quiet.stdout.splitlines()[-1].split() == ["judge", "2", "2", "1", "2", "2"]
    assert "Judgments: 3, pairs: 2, queries: 1, judges: 2" in quiet.stdout
    assert "Ann" not in quiet.stdout
    assert "book.csv" not in quiet.stdout
    named = invoke("judgments", book, "--format", "quepid-book", "--names", "--machines", "Bob")
    assert "book.csv: a Quepid book" in named.stdout
    assert named.stdout.splitlines()[-1] == "judge 1: Ann"


def test_what_reads_judgments_takes_the_parameters_of_their_reader_by_one_name():
    reading = list(inspect.signature(formats.read).parameters)[1:]
    for study in (study for study in notebooks.available() if "judgments" in study.parameters):
        names_nobody = study.number == "01"
        expected = [name for name in reading if name != "names" or not names_nobody]
        assert [name for name in study.parameters if name in reading] == expected, study.name
    assert [option.name for option in judging.judgments.params if option.name in reading] == reading


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no_such.csv"], "no_such.csv"),
        (["{book}", "--format", "xlsx"], "format is 'xlsx', expected one of opensearch"),
        (["{book}", "--columns", "who=Ann"], "expected one of query, doc, assessor, grade"),
        (["{book}", "--format", "quepid-book", "--machines", "gpt"], "machines is 'gpt', expected one of Ann, Bob"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(book, arguments, message):
    result = invoke("judgments", *(argument.format(book=book) for argument in arguments))
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


OPINIONS = "query,doc,assessor,grade\n" + "".join(
    f"q{d // 5},d{d},{who},{grade}\n"
    for d in range(60)
    for who, grade in {"Ann": d % 4, "gpt-4": d % 3, "Prompter": 3 - d % 4, "Cy": d % 4}.items()
)


@pytest.fixture
def opinions(put):
    return put("mine.csv", OPINIONS)


def test_a_judge_called_like_a_model_stops_every_command_before_the_first_cell_and_both_ways_out_are_taken(
    opinions, files
):
    stopped = invoke("judgments", opinions)
    assert (stopped.exit_code, stopped.stdout) == (2, "")
    assert re.findall("(?<=--)machines [^ ,]+", stopped.stderr) == ["machines gpt-4", "machines none"]
    people = invoke("judgments", opinions, "--machines", "none").stdout.splitlines()[0]
    assert people.endswith("People: 4, machines: none.")
    by_name = invoke("judgments", opinions, "--machines", "gpt-4")
    assert by_name.stdout.splitlines()[0].endswith("People: 3, machines: gpt-4.")
    assert invoke("judgments", opinions, "--machines", "GPT*").stdout == by_name.stdout
    Path("marked.csv").write_text(OPINIONS.replace("gpt-4", "model: gpt-4"))
    assert invoke("judgments", "marked.csv").stdout == by_name.stdout
    queries, docs = [f"q{q}" for q in range(12)], [f"d{d}" for d in range(60)]
    letor.write(Collection(np.eye(60), np.zeros(60), np.arange(0, 61, 5), queries, docs), "mine.txt")
    for study, more in (("01", ["-p", "dataset", "mine.txt"]), ("05", []), ("06", [])):
        stopped = invoke("run", study, "--out", "out", "-p", "judgments", opinions, *more)
        assert stopped.exit_code == 2, study
        assert re.findall("(?<=-p )machines [^ ,]+", stopped.stderr) == ["machines gpt-4", "machines none"], study
        assert not list(Path("out").glob("*.html"))
        for machines in ("gpt-4", "none"):
            [found] = notebooks.find([study])
            given = {"judgments": str(opinions), "machines": machines} | dict([more[1:]] if more else [])
            rules.check_data(found, notebooks.settings(found, given))


def test_what_the_first_screen_advises_for_a_judge_is_taken_as_it_is_typed(opinions):
    told = invoke("judgments", opinions, "--machines", "gpt-4").stdout
    [advised] = re.findall(r"add (--grades .*)\.", told)
    assert advised == "--grades 'judge 3=0:3,1:2,2:1,3:0'"
    turned = invoke("judgments", opinions, "--machines", "gpt-4", *shlex.split(advised)).stdout
    assert "inverted" not in turned
    assert "Of one judge, read as grades: 0 as 3, 1 as 2, 2 as 1, 3 as 0." in turned


@pytest.mark.parametrize(
    ("lines", "read"),
    [
        ("grades: {judge 3: {0: 3, 3: 0, 1: 2, 2: 1}}\nmachines: none\n", "judge 3=0:3,3:0,1:2,2:1"),
        (
            "grades: {Cy: [0.5, 1.5], default: '0:0,1:1,2:2,3:skip'}\nmachines: gpt*\n",
            "Cy=0.5,1.5;default=0:0,1:1,2:2,3:skip",
        ),
        ("grades: {0: 0, 1: 1, 2: 1, 3: null}\nmachines: [gpt-4]\n", "0:0,1:1,2:1,3:skip"),
    ],
)
def test_a_file_of_parameters_says_grades_by_judge_and_who_is_a_machine(opinions, lines, read):
    Path("mine.yaml").write_text(f"judgments: {opinions}\n{lines}")
    [study] = notebooks.find(["06"])
    settings = notebooks.settings(study, notebooks.read_file(Path("mine.yaml")))
    assert settings["grades"] == read
    assert isinstance(settings["machines"], list)
    rules.check_data(study, settings)


def test_the_parameters_on_the_page_on_judgments_are_read(put):
    page = (paths.project("data").parent / ".docs" / "pages" / "how-to" / "own-judgments.md").read_text(
        encoding="utf-8"
    )
    Path("mine.yaml").write_text(page.split("```yaml\n")[1].partition("```")[0])
    rows = [f"q,d{d},{who},{g * d}\n" for d in range(4) for who, g in {"Ann": 1, "ben": 33, "gpt-4": 0}.items()]
    judgments = put("mine.csv", "query,doc,assessor,grade\n" + "".join(rows))
    [study] = notebooks.find(["06"])
    settings = notebooks.settings(study, notebooks.read_file(Path("mine.yaml")))
    frame = formats.read(judgments, grades=settings["grades"], machines=settings["machines"]).frame
    said = frame.groupby("assessor")["grade"].agg(list).to_dict()
    assert said == {"Ann": [0, 1, 2, 3], "ben": [0, 1, 2, 3], "model: gpt-4": [0, 0, 0, 0]}
