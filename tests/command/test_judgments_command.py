"""Judgments on the command line: what would be read, parameters of study 6, and the report at the end of a run."""

import inspect

import pytest
import tiny_notebooks
from command_line import invoke

from helpers.command import cli, given_data, notebooks, rules
from helpers.judging import formats

BOOK = "query,docid,Ann,Bob\nlamp,d1,3,2\nlamp,d2,,1\n"


@pytest.fixture
def book(tmp_path):
    file = tmp_path / "book.csv"
    file.write_text(BOOK)
    return file


def test_what_would_be_read_is_told_in_at_most_five_lines(book):
    result = invoke("judgments", book, "--format", "quepid-book")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert len(lines) <= 5
    assert "Judgments: 3, pairs: 2, queries: 1, judges: 2" in result.stdout


def test_columns_grades_and_repeats_are_taken(tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text("q,url,who,said\nlamp,a,Ann,Good\nlamp,a,Ann,Bad\nlamp,b,Bob,Bad\n")
    how = ["--columns", "query=q,doc=url,assessor=who,grade=said", "--grades", "Good:1,Bad:0"]
    refused = invoke("judgments", file, *how)
    assert refused.exit_code == 2
    assert "keeps the first" in refused.stderr
    assert "Judgments: 2, pairs: 2" in invoke("judgments", file, *how, "--repeats", "first").stdout


def test_judges_are_named_only_where_that_is_asked_for(book):
    quiet = invoke("judgments", book, "--format", "quepid-book")
    assert "Ann" not in quiet.stdout
    assert "book.csv" not in quiet.stdout
    named = invoke("judgments", book, "--format", "quepid-book", "--names", "--machines", "Bob")
    assert "book.csv: a Quepid book" in named.stdout
    assert named.stdout.splitlines()[-1] == "judge 1: Ann"
    refused = invoke("judgments", book, "--format", "quepid-book", "--machines", "gpt")
    assert refused.stderr == "Error: one of machines is 'gpt', expected one of Ann, Bob\n"


def test_what_reads_judgments_takes_the_parameters_of_their_reader_by_one_name():
    reading = list(inspect.signature(formats.read).parameters)[1:]
    for study in (study for study in notebooks.available() if "judgments" in study.parameters):
        names_nobody = study.number == "01"
        expected = [name for name in reading if name != "names" or not names_nobody]
        assert [name for name in study.parameters if name in reading] == expected, study.name
    assert [option.name for option in cli.judgments.params if option.name in reading] == reading


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no_such.csv"], "no_such.csv"),
        (["{book}", "--format", "xlsx"], "format is 'xlsx', expected one of opensearch"),
        (["{book}", "--repeats", "last"], "repeats is 'last', expected one of refuse, first"),
        (["{book}", "--columns", "who=Ann"], "expected one of query, doc, assessor, grade"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(book, arguments, message):
    result = invoke("judgments", *(argument.format(book=book) for argument in arguments))
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_the_names_of_formats_are_those_there_are():
    assert tuple(formats.FORMATS) == rules.FORMATS


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"format": "xlsx"}, "format is 'xlsx', expected one of opensearch"),
        ({"epsilon": 1.5}, "epsilon is 1.5, expected 0 to 1"),
        ({"cutoff": 0}, "cutoff is 0"),
        ({"repeats": "last"}, "repeats is 'last'"),
        ({"judgments": "no_such.csv"}, "no_such.csv: no such file"),
    ],
)
def test_parameters_of_study_6_are_held_to_their_rules(given, message):
    [study] = notebooks.find(["06"])
    with pytest.raises((ValueError, OSError), match=message):
        notebooks.settings(study, given)


def test_the_judgments_of_study_6_are_read_as_their_format_has_them_before_anything_runs(book):
    [study] = notebooks.find(["06"])
    settings = {"judgments": str(book), "format": "quepid-book"}
    notebooks.check_data(study, settings)
    with pytest.raises(ValueError, match="one of machines is 'gpt', expected one of Ann, Bob"):
        notebooks.check_data(study, settings | {"machines": ["gpt"]})
    with pytest.raises(ValueError, match=r"book\.csv"):
        given_data.check_judgments(study.defaults | settings | {"format": "umbrela"})


def test_a_report_is_printed_when_the_run_has_ended_and_where_its_files_are(studies_folder):
    folder = studies_folder
    says = "open(results_dir + '/report.txt', 'w').write('Do they agree? Hardly.\\n')"
    tiny_notebooks.write(folder / "01_reports.ipynb", says)
    tiny_notebooks.write(folder / "02_silent.ipynb", "1")
    result = invoke("run", "01")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines() == ["Do they agree? Hardly.", "Files: reports/01_reports"]
