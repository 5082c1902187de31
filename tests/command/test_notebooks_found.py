from pathlib import Path

import numpy as np
import papermill
import pytest
import tiny_notebooks

from helpers import paths
from helpers.command.notebooks import (
    Study,
    available,
    check_data,
    check_known,
    check_not_hidden,
    find,
    settings,
    to_run,
)
from helpers.command.parameters import KINDS, Parameter
from helpers.datasets import letor, portrait
from helpers.datasets.collection import Collection


@pytest.fixture
def study(tmp_path):
    return Study(tiny_notebooks.write(tmp_path / "04_depth.ipynb", title="How deep should one judge?"))


@pytest.fixture
def three(tmp_path, monkeypatch):
    for name in ("02_b", "01_a", "03_c", "draft"):
        tiny_notebooks.write(tmp_path / f"{name}.ipynb", parameters=f"seed: int = 1  # s\nonly_{name}: int = 1  # o")
    monkeypatch.setattr(paths, "project", lambda part: tmp_path)
    return available()


def test_a_study_is_known_by_number_and_stem_and_asks_its_first_heading(study):
    assert (study.number, study.name, study.title) == ("04", "04_depth", "How deep should one judge?")


def test_parameters_have_the_types_defaults_and_help_of_their_cell(study):
    assert list(study.parameters) == ["scale", "draws", "cost", "results_dir"]
    assert study.parameters["cost"] == Parameter("cost", float, 1.0, "judgments a query")


def test_an_annotation_says_more_than_the_default(tmp_path):
    lines = "cost: float = 0  # c\nplace: str = None  # p\nsizes: list[int] = [1]  # s\nfree = None  # f"
    study = Study(tiny_notebooks.write(tmp_path / "01_x.ipynb", parameters=lines))
    kinds = {name: parameter.kind for name, parameter in study.parameters.items()}
    assert kinds == {"cost": float, "place": str, "sizes": list, "free": type(None)}


@pytest.mark.parametrize("number", ["01", "02", "03", "04"])
def test_the_light_reader_finds_what_papermill_finds(number):
    (study,) = find([number])
    by_papermill = papermill.inspect_notebook(study.path).values()
    assert list(study.parameters.values()) == [
        Parameter(line["name"], KINDS[line["inferred_type_name"]], eval(line["default"]), line["help"])
        for line in by_papermill
    ]


def test_available_are_the_numbered_notebooks_in_order(three):
    assert [study.name for study in three] == ["01_a", "02_b", "03_c"]


def test_without_a_name_all_studies_are_found(three):
    assert find([]) == three


def test_studies_are_found_once_each_in_the_order_named(three):
    assert [study.number for study in find(["03_c", "01", "03"])] == ["03", "01"]


@pytest.fixture
def house(three, tmp_path):
    """The three studies, a guide and two appendices."""
    for name in ("00_guide", "01a_judges", "02a_lists", "1_draft", "01ab_draft", "01A_draft", "01a"):
        tiny_notebooks.write(tmp_path / f"{name}.ipynb", parameters="seed: int = 1  # s")
    return available()


def test_the_guide_comes_first_and_an_appendix_after_its_study(house):
    assert [study.number for study in house] == ["00", "01", "01a", "02", "02a", "03"]
    assert [study.number for study in house if study.is_appendix] == ["01a", "02a"]
    assert find([]) == house


def test_an_appendix_is_run_where_it_is_named_only(house):
    assert [study.number for study in to_run([])] == ["00", "01", "02", "03"]
    assert [study.number for study in to_run(["02a", "01"])] == ["02a", "01"]
    assert to_run(["01a_judges"]) == find(["01a"])


def test_an_unknown_study_is_refused_with_those_there_are(three):
    with pytest.raises(ValueError, match="no study '4', expected one of 01_a, 02_b, 03_c"):
        find(["01", "4"])


def test_a_parameter_of_one_chosen_study_is_known_and_goes_there_only(three):
    check_known(three, {"seed": 1, "only_02_b": 2})
    assert [settings(study, {"seed": 2, "only_02_b": 3}) for study in three[:2]] == [
        {"seed": 2},
        {"seed": 2, "only_02_b": 3},
    ]


def test_a_parameter_that_no_chosen_study_has_is_refused(three):
    with pytest.raises(ValueError, match=r"^no parameter 'only_04_d', expected one of seed, only_01_a$"):
        check_known(three[:1], {"seed": 1, "only_04_d": 2})


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        (1, "in 01_a, but in 02_b, 03_c: label-studies run 02 03 -p good 2,3"),
        (2, "in 01_a, 02_b, but in 03_c: label-studies run 03 -p good 2,3"),
    ],
)
def test_a_parameter_of_a_study_that_was_not_chosen_is_refused_with_the_way_to_it(three, chosen, told):
    for study in three[chosen:]:
        tiny_notebooks.write(study.path, parameters="seed: int = 1  # s\ngood: int = 2  # g")
    with pytest.raises(ValueError, match=f"^no parameter 'good' {told}$"):
        check_known(find(["01", "02"][:chosen]), {"good": [2, 3]})


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.setenv("LABEL_STUDIES_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("LABEL_STUDIES_DATA", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(folder, lines, given):
    """The settings of a notebook with those parameters, its data read."""
    study = Study(tiny_notebooks.write(folder / "05_tiny.ipynb", parameters=lines))
    values = settings(study, given)
    check_data(study, values)
    return values


class TestJudgments:
    LINES = 'judgments: str = ""  # a long file, or two qrels files'

    def test_relative_paths_are_made_absolute(self, elsewhere):
        for name in ("a.qrels", "b.qrels"):
            (elsewhere / name).write_text("q 0 d 1\n")
        expected = f"{elsewhere / 'a.qrels'},{elsewhere / 'b.qrels'}"
        assert told(elsewhere, self.LINES, {"judgments": "a.qrels, b.qrels"}) == {"judgments": expected}

    def test_a_damaged_file_is_refused_with_its_line(self, elsewhere):
        (elsewhere / "mine.csv").write_text("query,doc,assessor,grade\nq,d,Ann,high\n")
        with pytest.raises(ValueError, match=r"mine\.csv, line 2: grade 'high'"):
            told(elsewhere, self.LINES, {"judgments": "mine.csv"})

    def test_a_path_that_is_not_there_is_refused(self, elsewhere):
        with pytest.raises(FileNotFoundError, match=r"judgments: nowhere\.csv: no such file"):
            told(elsewhere, self.LINES, {"judgments": "nowhere.csv"})

    def test_without_judgments_nothing_is_read(self, elsewhere):
        assert told(elsewhere, self.LINES, {"judgments": ""}) == {"judgments": ""}

    def test_confusion_matrices_are_read_first_too(self, elsewhere):
        lines = 'matrices: str = ""  # confusion matrices'
        (elsewhere / "own.csv").write_text("matrix,testing,training,count\n")
        with pytest.raises(ValueError, match=r"own\.csv: no column source"):
            told(elsewhere, lines, {"matrices": "own.csv"})
        (elsewhere / "own.csv").write_text("matrix,testing,training,count,source\nm,0,0,1,me\n")
        assert told(elsewhere, lines, {"matrices": "own.csv"}) == {"matrices": str(elsewhere / "own.csv")}


class TestDataset:
    LINES = (
        'dataset: str = "ohsumed-portrait"  # collection\nfold: int = 1  # of the collection\n'
        'rankers: list = ["LambdaRank", "LambdaMART"]  # trained'
    )

    @pytest.fixture(autouse=True)
    def _mine(self, elsewhere):
        (elsewhere / "mine.txt").write_text("".join(f"{d % 2} qid:{q} 1:{d}\n" for q in range(12) for d in range(4)))

    def test_a_relative_path_is_made_absolute(self, elsewhere):
        assert told(elsewhere, self.LINES, {"dataset": "mine.txt"}) == {"dataset": str(elsewhere / "mine.txt")}

    def test_a_damaged_file_is_refused_with_its_line(self, elsewhere):
        (elsewhere / "bad.txt").write_text("1 qid:1 1:0.5\n1 qid:1 x:0.5\n")
        with pytest.raises(ValueError, match=r"bad\.txt, line 2: "):
            told(elsewhere, self.LINES, {"dataset": "bad.txt"})

    def test_a_path_that_is_not_there_is_refused(self, elsewhere):
        with pytest.raises(FileNotFoundError, match="nowhere: no such file"):
            told(elsewhere, self.LINES, {"dataset": "nowhere"})

    def test_a_named_set_that_is_not_here_is_refused_with_the_way_to_get_it(self, elsewhere):
        with pytest.raises(FileNotFoundError, match="mq2008 is not here: get "):
            told(elsewhere, self.LINES, {"dataset": "mq2008"})

    def test_an_empty_name_is_refused_unless_the_notebook_has_it_itself(self, elsewhere):
        with pytest.raises(FileNotFoundError, match="dataset: '': no such file"):
            told(elsewhere, self.LINES, {"dataset": ""})
        assert told(elsewhere, 'dataset: str = ""  # one of yours', {"dataset": ""}) == {"dataset": ""}

    def test_an_unknown_portrait_is_refused(self, elsewhere):
        with pytest.raises(ValueError, match=r"dataset is 'nobody-portrait', expected one of .*ohsumed-portrait"):
            told(elsewhere, self.LINES, {"dataset": "nobody-portrait"})

    def test_the_path_to_a_portrait_is_made_absolute(self, elsewhere):
        portrait.save(portrait.open("mq2008"), elsewhere / "mine.npz")
        assert told(elsewhere, self.LINES, {"dataset": "mine.npz"}) == {"dataset": str(elsewhere / "mine.npz")}

    def test_a_damaged_portrait_is_refused_with_its_name(self, elsewhere):
        (elsewhere / "mine.npz").write_bytes(b"PK")
        with pytest.raises(ValueError, match=r"mine\.npz: expected a portrait"):
            told(elsewhere, self.LINES, {"dataset": "mine.npz"})

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ({"dataset": "mine.txt", "fold": "3"}, "fold is 3, but .*mine.txt is a single file, expected 1"),
            ({"fold": "9"}, "fold is 9, but ohsumed-portrait is drawn from a portrait, expected 1"),
            ({"dataset": "mine.txt", "fold": "0"}, "fold is 0, expected at least 1"),
        ],
    )
    def test_a_fold_that_is_not_there_is_refused(self, elsewhere, given, message):
        with pytest.raises(ValueError, match=message):
            told(elsewhere, self.LINES, given)

    @pytest.mark.parametrize(
        ("group", "grades", "message"),
        [
            ([20] * 3, [0, 1], "1 of 1 test queries have documents of two grades, expected at least 2"),
            ([20] * 5, [0, 1], "1 of 1 test queries have documents of two grades, expected at least 2"),
            ([20] * 20, [0, 0], "0 of 12 training queries have documents of two grades, expected at least 1"),
            ([1] * 20, [0, 1], "0 of 12 training queries have documents of two grades, expected at least 1"),
            ([10_050] * 5 + [4] * 5, [0, 1], "a training query has 10,050 documents, expected at most 10,000"),
        ],
        ids=["three queries", "five queries", "all grades 0", "one document each", "too long for LambdaMART"],
    )
    def test_a_collection_too_small_or_too_large_to_be_studied_is_refused(self, elsewhere, group, grades, message):
        offsets = np.append(0, np.cumsum(group))
        all_grades = np.resize(grades, offsets[-1])
        letor.write(Collection(all_grades[:, None] + 1.0, all_grades, offsets), "own.txt")
        with pytest.raises(ValueError, match=rf"own\.txt: {message}"):
            told(elsewhere, self.LINES, {"dataset": "own.txt"})

    def test_a_study_that_makes_folds_asks_for_enough_queries_to_make_them_of(self, elsewhere):
        grades = np.resize([0, 1], 8 * 20)
        letor.write(Collection(grades[:, None] + 1.0, grades, np.arange(0, 161, 20)), "own.txt")
        told(elsewhere, self.LINES, {"dataset": "own.txt"})
        lines = 'dataset: str = ""  # one\ndatasets: list = ["td2003"]  # several'
        with pytest.raises(ValueError, match=r"own\.txt has 8 queries, expected at least 10 to make 5 folds of"):
            told(elsewhere, lines, {"dataset": "own.txt"})

    def test_long_queries_are_taken_where_no_ranker_minds_them(self, elsewhere):
        grades = np.resize([0, 1], 10_050 + 44)
        letor.write(Collection(grades[:, None] + 1.0, grades, [0, 10_050, *range(10_054, 10_095, 4)]), "own.txt")
        told(elsewhere, self.LINES, {"dataset": "own.txt", "rankers": "LambdaRank"})

    def test_each_of_several_data_sets_is_checked_or_the_portrait_that_stands_for_it(self, elsewhere):
        lines = 'datasets: list = ["td2003"]  # several\ndataset: str = ""  # one\nscale: str = "demo"  # s'
        (elsewhere / "bad.txt").write_text("1 qid:1 1:0.5\n1 qid:1 x:0.5\n")
        given = told(elsewhere, lines, {"datasets": "ohsumed, mine.txt"})
        assert given == {"datasets": ["ohsumed", str(elsewhere / "mine.txt")]}
        for wrong, message in (("ohsumed,bad.txt", "bad.txt, line 2"), ("istella-s", "portrait is 'istella-s'")):
            with pytest.raises(ValueError, match=message):
                told(elsewhere, lines, {"datasets": wrong})


class TestHidden:
    @pytest.mark.parametrize("name", ["helpers.py", "helpers/__init__.py"])
    def test_a_module_that_would_be_imported_in_place_of_the_package_is_refused(self, tmp_path, name):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
        with pytest.raises(ValueError, match=r"helpers.*would be imported in place of .*: rename it, or run"):
            check_not_hidden(tmp_path)

    def test_a_folder_without_a_module_hides_nothing_and_the_package_not_itself(self, tmp_path):
        (tmp_path / "helpers").mkdir()
        (tmp_path / "helpers" / "notes.txt").touch()
        check_not_hidden(tmp_path)
        check_not_hidden(Path(paths.__file__).parent.parent)
