import pytest
import tiny_notebooks

from helpers import paths, portrait
from helpers.studies import Parameter, Study, available, check_known, find, read_settings, settings


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
    assert list(study.parameters) == ["scale", "repeats", "cost", "results_dir"]
    assert study.parameters["cost"] == Parameter("cost", float, 1.0, "judgments a query")


def test_an_annotation_says_more_than_the_default(tmp_path):
    lines = "cost: float = 0  # c\nplace: str = None  # p\nsizes: list[int] = [1]  # s\nfree = None  # f"
    study = Study(tiny_notebooks.write(tmp_path / "01_x.ipynb", parameters=lines))
    kinds = {name: parameter.kind for name, parameter in study.parameters.items()}
    assert kinds == {"cost": float, "place": str, "sizes": list, "free": type(None)}


def test_available_are_the_numbered_notebooks_in_order(three):
    assert [study.name for study in three] == ["01_a", "02_b", "03_c"]


def test_without_a_name_all_studies_are_found(three):
    assert find([]) == three


def test_studies_are_found_once_each_in_the_order_named(three):
    assert [study.number for study in find(["03_c", "01", "03"])] == ["03", "01"]


def test_an_unknown_study_is_refused_with_those_there_are(three):
    with pytest.raises(ValueError, match="no study '4', expected one of 01_a, 02_b, 03_c"):
        find(["01", "4"])


def test_a_parameter_of_one_chosen_study_is_known_and_goes_there_only(three):
    check_known(three, ["seed", "only_02_b"])
    assert [settings(study, {"seed": 2, "only_02_b": 3}) for study in three[:2]] == [
        {"seed": 2},
        {"seed": 2, "only_02_b": 3},
    ]


def test_a_parameter_that_no_chosen_study_has_is_refused(three):
    with pytest.raises(ValueError, match="no parameter 'only_02_b', expected one of seed, only_01_a"):
        check_known(three[:1], ["only_02_b"])


@pytest.mark.parametrize(
    ("default", "given", "expected"),
    [
        (1, "3", 3),
        (1.0, "1e-3", 0.001),
        (1.0, "2", 2.0),
        (1.0, 2, 2.0),
        (True, "False", False),
        (True, "false", False),
        ("a", "12", "12"),
        ([1], "[2, 3]", [2, 3]),
        ([0.5], ["1e-3", 1], [0.001, 1.0]),
        ([1, 0.5], "[2]", [2.0]),
        (["a"], "[b, c]", ["b", "c"]),
        ([], "[1, x]", [1, "x"]),
        ({}, "{a: 1}", {"a": 1}),
        (None, "7", 7),
        (None, "word", "word"),
        (None, "None", None),
    ],
)
def test_a_value_is_read_as_its_default_is_written(default, given, expected):
    value = Parameter("x", type(default), default, "").convert(given)
    assert value == expected
    assert type(value) is type(expected)


@pytest.mark.parametrize(
    ("default", "given"),
    [
        (1, "1.5"),
        (1, "True"),
        (1, "ten"),
        (1, None),
        (1.0, "high"),
        (True, "1"),
        ("a", 12),
        ([1], "[1, 2.5]"),
        ([1], "1"),
        ({}, "[1]"),
        (1.0, "[1"),
    ],
)
def test_a_value_of_another_type_is_refused_with_name_value_and_default(default, given):
    with pytest.raises(ValueError, match="parameter x is ") as refusal:
        Parameter("x", type(default), default, "").convert(given)
    assert f"{given!r}, expected {type(default).__name__} like its default, {default!r}" in str(refusal.value)


def test_settings_are_read_from_yaml(tmp_path):
    (tmp_path / "p.yml").write_text("repeats: 3\ncost: 1e-3\n")
    assert read_settings(tmp_path / "p.yml") == {"repeats": 3, "cost": "1e-3"}


@pytest.mark.parametrize("content", ["- 1\n- 2\n", "a: [1\n", "", "word"])
def test_a_settings_file_of_another_form_is_refused_in_one_line(tmp_path, content):
    (tmp_path / "p.yml").write_text(content)
    with pytest.raises(ValueError, match=r"p\.yml: ") as refusal:
        read_settings(tmp_path / "p.yml")
    assert "\n" not in str(refusal.value)


def test_a_missing_settings_file_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"absent\.yml.*No such file"):
        read_settings(tmp_path / "absent.yml")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rankers": '["LambdaRank", "Lambda"]'}, "name is 'Lambda', expected one of LambdaMART"),
        ({"judges": "nobody"}, "judges is 'nobody', expected a matrix of five grades: .*WEB5_truth_vs_worker"),
    ],
)
def test_rankers_and_judges_that_no_study_knows_are_refused_before_anything_runs(tmp_path, given, message):
    lines = 'rankers: list = ["LambdaRank"]  # trained\njudges: str = ""  # matrix'
    study = Study(tiny_notebooks.write(tmp_path / "01_labels.ipynb", parameters=lines))
    with pytest.raises(ValueError, match=message):
        settings(study, given)


class TestJudgments:
    @pytest.fixture
    def study(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        lines = 'judgments: str = ""  # a long file, or two qrels files'
        return Study(tiny_notebooks.write(tmp_path / "02_bounds.ipynb", parameters=lines))

    def test_relative_paths_are_made_absolute(self, study, tmp_path):
        for name in ("a.qrels", "b.qrels"):
            (tmp_path / name).write_text("q 0 d 1\n")
        expected = f"{tmp_path / 'a.qrels'},{tmp_path / 'b.qrels'}"
        assert settings(study, {"judgments": "a.qrels, b.qrels"}) == {"judgments": expected}

    def test_a_damaged_file_is_refused_with_its_line(self, study, tmp_path):
        (tmp_path / "mine.csv").write_text("query,doc,assessor,grade\nq,d,Ann,high\n")
        with pytest.raises(ValueError, match=r"mine\.csv, line 2: grade high"):
            settings(study, {"judgments": "mine.csv"})

    def test_a_path_that_is_not_there_is_refused(self, study):
        with pytest.raises(FileNotFoundError, match=r"nowhere\.csv"):
            settings(study, {"judgments": "nowhere.csv"})

    def test_confusion_matrices_are_read_first_too(self, study, tmp_path):
        study.path.unlink()
        lines = 'matrices: str = ""  # confusion matrices'
        study = Study(tiny_notebooks.write(tmp_path / "02_bounds.ipynb", parameters=lines))
        (tmp_path / "own.csv").write_text("matrix,testing,training,count\n")
        with pytest.raises(ValueError, match=r"own\.csv: no column source"):
            settings(study, {"matrices": "own.csv"})
        (tmp_path / "own.csv").write_text("matrix,testing,training,count,source\nm,0,0,1,me\n")
        assert settings(study, {"matrices": "own.csv"}) == {"matrices": str(tmp_path / "own.csv")}

    def test_without_judgments_nothing_is_read(self, study):
        assert settings(study, {"judgments": ""}) == {"judgments": ""}


class TestDataset:
    @pytest.fixture
    def study(self, tmp_path):
        lines = 'dataset: str = "mslr-portrait"  # collection\nfold: int = 1  # of the collection'
        return Study(tiny_notebooks.write(tmp_path / "04_depth.ipynb", parameters=lines))

    @pytest.fixture(autouse=True)
    def _elsewhere(self, tmp_path, monkeypatch):
        monkeypatch.setenv("LABEL_STUDIES_CACHE", str(tmp_path / "cache"))
        monkeypatch.delenv("LABEL_STUDIES_DATA", raising=False)
        monkeypatch.chdir(tmp_path)

    def test_a_relative_path_is_made_absolute(self, study, tmp_path):
        (tmp_path / "mine.txt").write_text("".join(f"{q % 2} qid:{q} 1:{q}\n" for q in range(9)))
        assert settings(study, {"dataset": "mine.txt"}) == {"dataset": str(tmp_path / "mine.txt")}

    def test_a_damaged_file_is_refused_with_its_line(self, study, tmp_path):
        (tmp_path / "mine.txt").write_text("1 qid:1 1:0.5\n1 qid:1 0:0.5\n")
        with pytest.raises(ValueError, match=r"mine\.txt, line 2: "):
            settings(study, {"dataset": "mine.txt"})

    def test_a_path_that_is_not_there_is_refused(self, study):
        with pytest.raises(FileNotFoundError, match="nowhere: no such file"):
            settings(study, {"dataset": "nowhere"})

    def test_a_named_set_that_is_not_here_is_refused_with_the_way_to_get_it(self, study):
        with pytest.raises(FileNotFoundError, match="mq2008 is not here: get "):
            settings(study, {"dataset": "mq2008"})

    def test_an_empty_name_leaves_the_notebook_its_own(self, study):
        assert settings(study, {"dataset": ""}) == {"dataset": ""}

    def test_an_unknown_portrait_is_refused(self, study):
        with pytest.raises(ValueError, match="no portrait 'nobody'"):
            settings(study, {"dataset": "nobody-portrait"})

    def test_the_path_to_a_portrait_is_made_absolute(self, study, tmp_path):
        portrait.save(portrait.open("mq2008"), tmp_path / "mine.npz")
        assert settings(study, {"dataset": "mine.npz"}) == {"dataset": str(tmp_path / "mine.npz")}
        assert settings(study, {"dataset": "mq2008-portrait"}) == {"dataset": "mq2008-portrait"}

    def test_a_damaged_portrait_is_refused_with_its_name(self, study, tmp_path):
        (tmp_path / "mine.npz").write_bytes(b"PK")
        with pytest.raises(ValueError, match=r"mine\.npz: expected a portrait"):
            settings(study, {"dataset": "mine.npz"})

    def test_a_fold_that_is_not_there_is_refused(self, study, tmp_path):
        (tmp_path / "mine.txt").write_text("".join(f"{q % 2} qid:{q} 1:{q}\n" for q in range(9)))
        with pytest.raises(ValueError, match="fold is 3"):
            settings(study, {"dataset": "mine.txt", "fold": "3"})
