import pytest
import tiny_notebooks
from click.shell_completion import BashComplete, ShellComplete

from helpers import paths
from helpers.command.cli import main
from helpers.datasets.sources import DATA_SETS

ONE = """\
scale: str = "demo"  # demo, study or paper
rankers: list = ["LambdaRank"]  # trained
timed: bool = False  # whether
dataset: str = "x"  # collection
results_dir: str = ""  # tables"""


@pytest.fixture(autouse=True)
def notebooks(tmp_path, monkeypatch):
    tiny_notebooks.write(tmp_path / "01_a.ipynb", title="What first?", parameters=ONE)
    tiny_notebooks.write(tmp_path / "01a_more.ipynb", parameters="depth: int = 1  # d")
    tiny_notebooks.write(tmp_path / "12_b.ipynb", parameters='judgments: str = ""  # of yours\nseed: int = 1  # s')
    (tmp_path / "portraits").mkdir()
    (tmp_path / "portraits" / "mine.npz").touch()
    monkeypatch.setattr(paths, "project", lambda part: tmp_path)


def offered(*words):
    """What the Tab key offers at the last word."""
    *before, incomplete = words
    return [
        item.value if item.type == "plain" else item.type
        for item in ShellComplete(main, {}, "label-studies", "_X").get_completions(before, incomplete)
    ]


def test_studies_are_offered_by_number_or_name_with_their_question_and_once():
    assert offered("run", "") == ["01", "01a", "12"]
    assert offered("run", "01") == ["01", "01a"]
    assert offered("run", "01_") == ["01_a"]
    assert offered("run", "01", "") == ["01a", "12"]
    assert offered("list", "12", "0") == ["01", "01a"]
    [item, _] = ShellComplete(main, {}, "label-studies", "_X").get_completions(["run"], "0")
    assert item.help == "What first?"


def test_parameters_are_those_of_the_studies_named_that_were_not_given():
    assert offered("run", "-p", "") == ["scale", "rankers", "timed", "dataset", "judgments", "seed"]
    assert offered("run", "12", "-p", "") == ["judgments", "seed"]
    assert offered("run", "01a", "-p", "") == ["depth"]
    assert offered("run", "12", "-p", "s") == ["seed"]
    assert offered("run", "12", "-p", "seed", "3", "-p", "") == ["judgments"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["scale", ""], ["demo", "study", "paper"]),
        (["scale", "st"], ["study"]),
        (["timed", ""], ["true", "false"]),
        (["rankers", "Lambda"], ["LambdaMART", "LambdaRank"]),
        (["rankers", "LambdaRank,Lambda"], ["LambdaRank,LambdaMART"]),
        (["dataset", "mq"], [name for name in DATA_SETS if name.startswith("mq")]),
        (["dataset", "mine"], ["mine-portrait"]),
        (["dataset", "./"], ["file"]),
        (["judgments", "ju"], ["file"]),
        (["seed", ""], []),
        (["nothing", ""], []),
    ],
)
def test_values_are_those_that_a_parameter_takes(words, expected):
    assert offered("run", "-p", *words) == expected


def test_data_sets_files_and_folders_are_offered_where_they_are_meant():
    assert offered("fetch", "") == list(DATA_SETS)
    assert offered("portrait", "ohs") == [name for name in DATA_SETS if name.startswith("ohs")]
    assert offered("portrait", "my") == ["file"]
    assert offered("run", "-f", "") == ["file"]
    assert offered("run", "--out", "") == ["dir"]
    assert offered("batch", "gr") == ["file"]
    assert offered("judgments", "") == ["file"]
    assert "batch" in offered("")


def test_the_shell_is_asked_to_call_the_command():
    assert "label-studies" in BashComplete(main, {}, "label-studies", "_LABEL_STUDIES_COMPLETE").source()
