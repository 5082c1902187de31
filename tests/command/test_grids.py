import pytest
import tiny_notebooks

from helpers import paths
from helpers.command import grids, rules

LINES = """\
scale: str = "demo"  # demo, study or paper
seed: int = 1  # of all
rankers: list = ["LambdaRank"]  # trained
results_dir: str = ""  # tables"""


@pytest.fixture(autouse=True)
def notebooks(tmp_path, monkeypatch):
    """Study 3 with rankers, study 8 with a cutoff, and an appendix."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    tiny_notebooks.write(folder / "03_robust.ipynb", parameters=LINES)
    tiny_notebooks.write(
        folder / "08_cut.ipynb", parameters='seed: int = 1  # s\ncutoff: int = 10  # rank\njudgments: str = ""  # j'
    )
    tiny_notebooks.write(folder / "08a_more.ipynb", parameters="seed: int = 1  # s")
    monkeypatch.setattr(paths, "project", lambda part: folder)
    monkeypatch.chdir(tmp_path)
    return folder


def read(tmp_path, text):
    (tmp_path / "grid.yml").write_text(text)
    return grids.read(tmp_path / "grid.yml")


def told(points):
    return [(point.study.number, point.told) for point in points]


def test_a_grid_is_every_combination_of_what_a_study_has_the_last_line_fastest(tmp_path):
    points = read(tmp_path, "studies: [08, 03]\nseed: [1, 2]\ncutoff: [5, 10]\n")
    assert told(points) == [
        ("08", {"seed": 1, "cutoff": 5}),
        ("08", {"seed": 1, "cutoff": 10}),
        ("08", {"seed": 2, "cutoff": 5}),
        ("08", {"seed": 2, "cutoff": 10}),
        ("03", {"seed": 1}),
        ("03", {"seed": 2}),
    ]


@pytest.mark.parametrize(
    ("line", "numbers"),
    [("", ["03", "08"]), ("studies: 03", ["03"]), ("studies: 8", ["08"]), ("studies: [08a_more, '03']", ["08a", "03"])],
)
def test_without_studies_all_are_run_and_yaml_takes_no_zero_away(tmp_path, line, numbers):
    assert [point.study.number for point in read(tmp_path, f"{line}\nseed: 4")] == numbers


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("[ListNet, RankSVM]", [["ListNet", "RankSVM"]]), ("ListNet,RankSVM", [["ListNet", "RankSVM"]]),
        ("[[ListNet], [RankSVM, ListNet]]", [["ListNet"], ["RankSVM", "ListNet"]]),
    ],
)  # fmt: skip
def test_of_a_list_the_values_are_lists_and_one_list_is_one_value(tmp_path, line, values):
    assert [point.settings["rankers"] for point in read(tmp_path, f"studies: 03\nrankers: {line}")] == values


def test_a_folder_is_named_by_its_parameters_whatever_the_order_of_the_lines(tmp_path):
    [first, second] = read(tmp_path, "studies: 03\nseed: [1, 2]\nrankers: [ListNet, RankSVM]")
    assert first.folder.as_posix() == "03_robust/rankers=ListNet,RankSVM,seed=1"
    assert read(tmp_path, "rankers: [ListNet, RankSVM]\nseed: [2]\nstudies: 03")[0].folder == second.folder
    assert read(tmp_path, "studies: 03")[0].folder.as_posix() == "03_robust/defaults"


def test_names_that_no_folder_can_have_are_told_apart(tmp_path):
    files = ["a b.csv", "a_b.csv", f"{'long' * 40}.csv", f"{'long' * 41}.csv"]
    for file in files:
        (tmp_path / file).write_text("query,doc,assessor,grade\n1,1,Ann,1\n")
    points = read(tmp_path, f"studies: 08\njudgments: {files}")
    folders = [point.folder.name for point in points]
    assert len(set(folders)) == 4
    assert max(map(len, folders)) < 100
    assert [point.told["judgments"] for point in points] == files
    assert [point.settings["judgments"] for point in points] == [str(tmp_path / file) for file in files]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("studies: [99]", "no study '99', expected one of 03_robust, 08_cut, 08a_more"),
        ("studies: [true]", "no study 'True', expected one of 03_robust, 08_cut, 08a_more"),
        ("studies: on", "no study 'on', expected one of"),
        ("studies: [1:30]", "no study '1:30', expected one of"),
        ("seed: [1, 1:30]", "parameter seed is '1:30', expected int like its default, 1"),
        ("seed: &a [1, *a]", "cannot be read as YAML: line 1: an alias, *a, expected the values themselves"),
        ("sede: [1, 2]", "no parameter 'sede', expected one of scale, seed, rankers"),
        ("studies: 03\ncutoff: 5", "no parameter 'cutoff' in 03_robust, but in 08_cut: label-studies run 08"),
        ("seed: [1, two]", "parameter seed is 'two', expected int like its default, 1"),
        ("scale: [demo, stduy]", "scale is 'stduy', expected one of demo, study, paper"),
        ("seed: []", "seed has no value, expected at least one"),
        ("seed: [1, 2, 1]", "seed has 1 twice, expected each once"),
        ("seed: [1, '1']", "seed has 1 twice, expected each once"),
        ("studies: 08\njudgments: ['', absent.csv]", "judgments: absent.csv: no such file or folder"),
    ],
)
def test_one_value_that_cannot_be_used_is_refused_with_the_file_before_anything_runs(tmp_path, text, message):
    with pytest.raises((ValueError, FileNotFoundError)) as caught:
        read(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path}/grid.yml: {message}")


def test_data_are_read_first_and_once_for_all_seeds(tmp_path, monkeypatch):
    (tmp_path / "bad.csv").write_text("query,doc,assessor,grade\nq,d,Ann,high\n")
    with pytest.raises(ValueError, match=r"grid.yml: .*bad.csv, line 2: grade 'high'"):
        read(tmp_path, "studies: 08\nseed: [1, 2]\njudgments: ['', bad.csv]")
    looked_at = []
    monkeypatch.setattr(rules, "check_data", lambda study, settings: looked_at.append(settings["cutoff"]))
    read(tmp_path, "studies: 08\nseed: [1, 2, 3]\ncutoff: [5, 10]")
    assert looked_at == [5, 10]
