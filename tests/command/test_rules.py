import pytest

from helpers import rankers
from helpers.command import rules
from helpers.command.notebooks import available, find, settings
from helpers.datasets import portrait
from helpers.judging import formats
from helpers.judging.formats.rows import REPEATS

DEFAULTS = {"scale": "demo", "rankers": ["LambdaRank"], "datasets": ["ohsumed"], "judges": "", "n_jobs": 2, "seed": 7}
DEFAULTS |= {"margin": 0.005, "cutoff": 10, "good": 2, "results_dir": "", "repeats": "refuse"}


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("scale", "stduy", "scale is 'stduy', expected one of demo, study, paper"),
        ("rankers", [], "rankers is empty, expected one or more of LambdaMART, LambdaRank"),
        ("rankers", ["ListNet", "ListNet"], "rankers has 'ListNet' twice"),
        (
            "rankers",
            ["ListNet", "Foo"],
            "rankers has 'Foo', expected one of .*; two of them are written LambdaMART,La",
        ),
        ("judges", "nobody", "judges is 'nobody', expected one of .*WEB5_truth_vs_worker"),
        ("datasets", [], "datasets is empty"),
        ("datasets", ["td2003", "nonsense"], "datasets: nonsense: no such file or folder, nor a data set"),
        ("datasets", ["syndl-dl21-portrait"], "datasets is 'syndl-dl21-portrait', expected one of .*robust04-portrait"),
        ("cutoff", 0, "cutoff is 0, expected at least 1"),
        ("seed", -1, "seed is -1, expected at least 0"),
        ("n_jobs", 0, "n_jobs is 0, expected at least 1, or as joblib"),
        ("margin", -0.1, "margin is -0.1, expected at least 0"),
        ("margin", float("nan"), "margin is nan, expected at least 0"),
        ("margin", float("inf"), "margin is inf, expected at least 0"),
        ("good", 0, "good is 0, expected 1 to 127"),
        ("good", 128, "good is 128, expected 1 to 127"),
        ("repeats", "last", "repeats is 'last', expected one of refuse, first"),
        ("format", "xlsx", "format is 'xlsx', expected one of opensearch"),
        ("epsilon", 1.5, "epsilon is 1.5, expected 0 to 1"),
        ("judgments", "no_such.csv", "no_such.csv: no such file"),
        ("results_dir", "here", "results_dir is set by this command, expected `--out DIR`"),
    ],
)
def test_what_no_study_can_work_with_is_refused(name, value, message):
    with pytest.raises((ValueError, FileNotFoundError), match=message):
        rules.checked({name: value}, DEFAULTS)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("scale", "paper"), ("rankers", ["RankSVM", "ListNet"]), ("judges", "WEB5_truth_vs_worker"),
        ("datasets", ["td2003", *(f"{name}-portrait" for name in portrait.names())]), ("cutoff", 1), ("seed", 0),
        ("n_jobs", -1), ("margin", 0.0), ("good", 1), ("repeats", "first"), ("unruled", object),
        *((name, [word] if name == "rankers" else word) for name, words in rules.CHOICES.items() for word in words),
    ],
)  # fmt: skip
def test_what_a_study_can_work_with_is_taken_as_it_is(name, value):
    assert rules.checked({name: value}, DEFAULTS) == {name: value}


def test_the_names_of_rankers_and_formats_are_those_there_are():
    assert sorted(rules.RANKERS) == sorted(rankers.NAMES)
    assert tuple(formats.FORMATS) == rules.FORMATS
    assert rules.CHOICES["repeats"] == REPEATS


def test_every_parameter_of_the_notebooks_has_a_rule_but_a_switch():
    parameters = [parameter for study in available() for parameter in study.parameters.values()]
    assert {parameter.name for parameter in parameters if parameter.kind is not bool} <= {*rules.RULES, *rules.READ}


# --- data, read before anything runs

JUDGED = "query,doc,assessor,grade\n"
PAIRS = [(q, d) for q in range(12) for d in range(4)]
FILES = {
    "a.qrels": "".join(f"{q} 0 {d} {d % 2}\n" for q, d in PAIRS),
    "b.qrels": "".join(f"{q} 0 {d} {d % 3}\n" for q, d in PAIRS),
    "mine.csv": f"{JUDGED}q,a,Ann,1\n",
    "high.csv": f"{JUDGED}q,d,Ann,high\n",
    "none.csv": "matrix,testing,training,count\n",
    "own.csv": "matrix,testing,training,count,source\nm,0,0,1,me\n",
    "mine.txt": "".join(f"{d % 2} qid:{q} 1:{d}\n" for q, d in PAIRS),
    "eight.txt": "".join(f"{d % 2} qid:{q} 1:{d}\n" for q in range(8) for d in range(20)),
    "few.txt": "".join(f"{d % 2} qid:{q} 1:{d}\n" for q in range(3) for d in range(20)),
    "bad.txt": "1 qid:1 1:0.5\n1 qid:1 x:0.5\n",
    "long.txt": "".join(f"{d % 2} qid:{q} 1:{d}\n" for q in range(15) for d in range(4 if q % 3 else 10_050)),
    "cut.npz": "PK",
    "runs/one.run": "".join(f"{q} Q0 {d} 1 {d} t\n" for q, d in PAIRS),
    "runs/two.run": "".join(f"{q} Q0 {d} 1 {-d} t\n" for q, d in PAIRS),
}


LONG, TWO = {"dataset": "long.txt"}, {"dataset": "a.qrels,b.qrels,runs/"}


@pytest.fixture
def mine(put, monkeypatch, tmp_path):
    """Whole and damaged files in the working directory."""
    for name, text in FILES.items():
        folder = put(name, text).parent
    portrait.save(portrait.open("mq2008"), folder.parent / "mine.npz")
    monkeypatch.setenv("LABEL_STUDIES_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("LABEL_STUDIES_DATA", raising=False)
    monkeypatch.chdir(folder.parent)
    return folder.parent


def told(number, given):
    """The settings of a notebook, its data read."""
    [study] = find([number])
    values = settings(study, given)
    rules.check_data(study, values)
    return values


@pytest.mark.parametrize(
    ("number", "given", "expected"),
    [
        ("06", {"judgments": "a.qrels, b.qrels"}, {"judgments": "{0}/a.qrels,{0}/b.qrels"}),
        ("06", {"judgments": "", "cutoff": "5"}, {"judgments": "", "cutoff": 5}),
        ("02", {"matrices": "own.csv"}, {"matrices": "{0}/own.csv"}),
        ("04", {"dataset": "mine.txt"}, {"dataset": "{0}/mine.txt"}),
        ("04", {"dataset": "mine.npz"}, {"dataset": "{0}/mine.npz"}),
        ("04", {"dataset": "a.qrels,runs/"}, {"dataset": "{0}/a.qrels,{0}/runs"}),
        (
            "04",
            {"dataset": "long.txt", "rankers": "LambdaRank"},
            {"dataset": "{0}/long.txt", "rankers": ["LambdaRank"]},
        ),
        ("03", {"datasets": "ohsumed, mine.txt"}, {"datasets": ["ohsumed", "{0}/mine.txt"]}),
    ],
)
def test_data_that_a_study_can_work_with_is_read_and_its_path_made_absolute(mine, number, given, expected):
    found = told(number, given)
    assert found == {
        name: [each.format(mine) for each in value] if isinstance(value, list) else str(value).format(mine)
        for name, value in expected.items()
    } | {name: value for name, value in found.items() if isinstance(value, int)}


@pytest.mark.parametrize(
    ("number", "given", "message"),
    [
        ("06", {"judgments": "high.csv"}, r"high\.csv, line 2: grade 'high'"),
        ("06", {"judgments": "nowhere.csv"}, r"judgments: nowhere\.csv: no such file"),
        ("06", {"judgments": "mine.csv", "format": "umbrela"}, r"mine\.csv"),
        ("06", {"judgments": "mine.csv", "machines": ["gpt"]}, "machines is 'gpt', expected one of Ann"),
        ("06", {"judgments": "mine.csv", "runs": "runs/one.run"}, "one run, expected two or more: a folder, or files"),
        ("06", {"runs": "runs"}, "but judgments is empty, expected those that the"),
        ("05", {"cutoff": 5}, "cutoff is 5, expected 10, that of the worked example, or judgments and runs"),
        ("02", {"matrices": "none.csv"}, r"none\.csv: no column source"),
        ("04", {"dataset": "bad.txt"}, r"bad\.txt, line 2: "),
        ("04", {"dataset": "mq2008"}, "mq2008 is not here: get "),
        ("04", {"dataset": ""}, "dataset: '': no such file"),
        ("04", {"dataset": "cut.npz"}, r"cut\.npz: expected a portrait"),
        ("04", {"dataset": "a.tsv,runs/"}, r"a\.tsv: no such file or folder, expected qrels\.txt,runs/ or"),
        ("04", {"dataset": "few.txt"}, r"few\.txt: 1 of 1 test queries have documents of two grades, expected at"),
        ("04", LONG, r"long\.txt: a \w+ query has 10,050 documents, expected at most 10,000"),
        (
            "04",
            {"dataset": "mine.txt", "fold": "3"},
            "fold is 3, but .*mine.txt is a single file, which has",
        ),
        ("04", {"dataset": "mine.txt", "fold": "0"}, "fold is 0, expected at least 1"),
        ("04", {"fold": "9"}, "fold is 9, but mq2007-part-portrait is drawn from a portrait, expected 1"),
        ("03", {"dataset": "eight.txt"}, r"eight\.txt has 8 queries, expected at least 10 to make 5 folds of"),
        ("03", TWO, "one assessor labelled its training queries and another its test queries"),
        ("03", {"datasets": "ohsumed,bad.txt"}, r"bad\.txt, line 2"),
        ("03", {"datasets": "istella-s"}, "portrait is 'istella-s'"),
    ],
)
def test_data_that_no_study_can_work_with_are_refused_before_anything_runs(mine, number, given, message):
    with pytest.raises((ValueError, FileNotFoundError), match=message):
        told(number, given)
