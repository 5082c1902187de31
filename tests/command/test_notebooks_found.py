"""Which notebooks there are, and values read as the types of their parameters."""

import ast
import math
import os

import papermill
import pytest
import tiny_notebooks
from hypothesis import example, given
from hypothesis import settings as examples
from hypothesis import strategies as st
from papermill.translators import PythonTranslator

from helpers import paths
from helpers.command.notebooks import (
    KINDS,
    Parameter,
    Study,
    available,
    check_known,
    find,
    inspect,
    read_file,
    settings,
    to_run,
)


@pytest.fixture
def three(tmp_path, monkeypatch):
    for name in ("02_b", "01_a", "03_c", "draft"):
        tiny_notebooks.write(tmp_path / f"{name}.ipynb", parameters=f"seed: int = 1  # s\nonly_{name}: int = 1  # o")
    monkeypatch.setattr(paths, "project", lambda part: tmp_path)
    return available()


def test_a_study_is_known_by_number_and_stem_asks_its_first_heading_and_has_the_parameters_of_its_cell(tmp_path):
    study = Study(tiny_notebooks.write(tmp_path / "04_depth.ipynb", title="How deep should one judge?"))
    assert (study.number, study.name, study.title) == ("04", "04_depth", "How deep should one judge?")
    assert list(study.parameters) == ["scale", "draws", "cost", "results_dir"]
    assert study.parameters["cost"] == Parameter("cost", float, 1.0, "judgments a query")


def test_the_light_reader_finds_what_papermill_finds():
    (study,) = find(["04"])
    by_papermill = papermill.inspect_notebook(study.path).values()
    assert list(study.parameters.values()) == [
        Parameter(line["name"], KINDS[line["inferred_type_name"]], eval(line["default"]), line["help"])
        for line in by_papermill
    ]


def test_studies_are_the_numbered_notebooks_found_by_name_once_each_in_the_order_named(three):
    assert [study.name for study in three] == ["01_a", "02_b", "03_c"]
    assert find([]) == three
    assert [study.number for study in find(["03_c", "01", "03"])] == ["03", "01"]
    with pytest.raises(ValueError, match="no study '4', expected one of 01_a, 02_b, 03_c"):
        find(["01", "4"])


def test_the_guide_comes_first_and_an_appendix_after_its_study_which_is_run_where_it_is_named_only(three, tmp_path):
    for name in ("00_guide", "01a_judges", "02a_lists", "1_draft", "01ab_draft", "01A_draft", "01a"):
        tiny_notebooks.write(tmp_path / f"{name}.ipynb", parameters="seed: int = 1  # s")
    assert [study.number for study in available()] == ["00", "01", "01a", "02", "02a", "03"]
    assert [study.number for study in available() if study.is_appendix] == ["01a", "02a"]
    assert [study.number for study in to_run([])] == ["00", "01", "02", "03"]
    assert [study.number for study in to_run(["02a", "01"])] == ["02a", "01"]


def test_a_parameter_goes_to_the_study_that_has_it_and_is_refused_where_none_has(three):
    check_known(three, {"seed": 1, "only_02_b": 2})
    found = [settings(study, {"seed": 2, "only_02_b": 3}) for study in three[:2]]
    assert found == [{"seed": 2}, {"seed": 2, "only_02_b": 3}]
    with pytest.raises(ValueError, match=r"^no parameter 'only_04_d', expected one of seed, only_01_a$"):
        check_known(three[:1], {"seed": 1, "only_04_d": 2})
    for study in three[1:]:
        tiny_notebooks.write(study.path, parameters="seed: int = 1  # s\ngood: int = 2  # g")
    told = "no parameter 'good' in 01_a, but in 02_b, 03_c: label-studies run 02 03 -p good 2,3"
    with pytest.raises(ValueError, match=f"^{told}$"):
        check_known(find(["01"]), {"good": [2, 3]})


LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
DEFAULTS = (1, 1.0, True, "word", ["a", "b"], [1], [0.5], [], {}, None)
CODE = "__import__('os').abort()"
MARKS = "[]{}()'\"\\#:,;=!&*%@|>-_.~\n\t\0 \ud800\u2028é$`"
TEXTS = st.one_of(
    st.text(st.sampled_from(MARKS + "abe019"), max_size=30),
    st.text(max_size=30),
    st.integers().map(str),
    st.floats().map(str),
    st.lists(st.text(max_size=5)).map(str),
    st.sampled_from(["!!bool x", "!!int ''", "!!timestamp x", "!!python/name:os.abort", "(" * 9999, "9" * 9999, CODE]),
)


@pytest.mark.parametrize("default", DEFAULTS, ids=repr)
@examples(max_examples=10_000 if LARGE else 30, deadline=None)
@given(text=TEXTS)
@example("[" * 500)
@example(CODE)
@example(f"[{CODE}]")
@example("'\\d'")
def test_any_text_becomes_a_value_of_the_type_or_one_line_and_never_code(default, text):
    kind = type(default)
    value, refusal = converted(default, text)
    if refusal is not None:
        assert "\n" not in refusal
        assert refusal.startswith("parameter x is ")
        return
    assert default is None or type(value) is kind
    assert not isinstance(default, list) or not default or {type(member) for member in value} <= {type(default[0])}
    if not (default is None or default == [] or default == {}):  # what the notebooks have
        cell = ast.parse(PythonTranslator.codify({"x": value}))
        assert len(cell.body) == 1
        assert same(eval_plain(cell.body[0].value), value)


def converted(default, text):
    """The value of a text, or why it is refused."""
    try:
        return Parameter("x", type(default), default, "").convert(text), None
    except ValueError as refusal:
        return None, str(refusal)


def eval_plain(node):
    """The value of a literal, or of float('inf') and its like, the one call that papermill writes."""
    if isinstance(node, ast.Call):
        return float(ast.literal_eval(node.args[0]))
    if isinstance(node, ast.List):
        return [eval_plain(member) for member in node.elts]
    return ast.literal_eval(node)


def same(first, second):
    if isinstance(second, list):
        return len(first) == len(second) and all(map(same, first, second))
    return first == second or (math.isnan(first) and math.isnan(second))


def test_a_cell_is_read_with_annotations_comments_and_long_values():
    cell = '# what is asked\nsizes: list[int] = [1,\n  2]  # of é = lists\nfree = None\nword: str = "#"  # not this'
    assert list(inspect(cell).values()) == [
        Parameter("sizes", list, [1, 2], "of é = lists"),
        Parameter("free", type(None), None, ""),
        Parameter("word", str, "#", "not this"),
    ]


@pytest.mark.parametrize(
    ("default", "given", "expected"),
    [
        (1, "3", 3), (1.0, "1e-3", 0.001), (1.0, "2", 2.0), (1.0, 2, 2.0), (True, "False", False), ("a", "12", "12"),
        ([1], "[2, 3]", [2, 3]), ([0.5], ["1e-3", 1], [0.001, 1.0]), ([1, 0.5], "[2]", [2.0]), ([1], "2,3", [2, 3]),
        (["a"], "[b, c]", ["b", "c"]), (["a"], "b, c", ["b", "c"]), (["a"], "b", ["b"]), (["a"], "", []),
        (["a"], "'b', 'c'", ["b", "c"]), (["a"], "'b, c', d", ["b, c", "d"]), ([], "[1, x]", [1, "x"]),
        ({}, "{a: 1}", {"a": 1}), (None, "7", 7), (None, "word", "word"), (None, "None", None),
    ],
)  # fmt: skip
def test_a_value_is_read_as_its_default_is_written(default, given, expected):
    value = Parameter("x", type(default), default, "").convert(given)
    assert value == expected
    assert type(value) is type(expected)


@pytest.mark.parametrize(
    ("default", "given"),
    [
        (1, "1.5"), (1, "True"), (1, "ten"), (1, None), (1.0, "high"), (True, "1"), ("a", 12), ([1], "[1, 2.5]"),
        ([1], "1,x"), ([1], 1), (1.0, "9" * 400), ("a", "\0"), ("a", "\udcff"), ({}, "[1]"), (1.0, "[1"),
    ],
)  # fmt: skip
def test_a_value_of_another_type_is_refused_with_name_value_and_default(default, given):
    with pytest.raises(ValueError, match="parameter x is ") as refusal:
        Parameter("x", type(default), default, "").convert(given)
    assert f"{given!r}, expected {type(default).__name__} like its default, {default!r}" in str(refusal.value)


READ_AS = {
    "010": 10, "08": 8, "+5": 5, "-0": 0, "0x10": 16, "0o17": 15, "1e3": 1000.0, "1.": 1.0, ".5e-1": 0.05,
    "-.inf": -math.inf, "true": True, "False": False, "~": None, "None": None, "'010'": "010",
    "1:30": "1:30", "1:30:00.5": "1:30:00.5", "1_000": "1_000", "yes": "yes", "on": "on", "n": "n", "0b1": "0b1",
    "2026-01-01": "2026-01-01", "<<": "<<", "=": "=", "inf": "inf", "\u0661": "\u0661",
}  # fmt: skip


@pytest.mark.parametrize(("text", "value"), READ_AS.items())
def test_a_word_means_the_same_after_p_in_a_file_and_in_a_list_of_either(tmp_path, text, value):
    anything = Parameter("x", type(None), None, "")
    (tmp_path / "p.yml").write_text(f"x: {text}\nxs: [{text}]\n", encoding="utf-8")
    content = read_file(tmp_path / "p.yml")
    from_text = [anything.convert(text), *anything.convert(f"[{text}]")]
    for each in [*from_text, content["x"], *content["xs"]]:
        assert (type(each), each) == (type(value), value)


def test_a_text_is_no_number_and_no_truth_value():
    for text in (text for text, value in READ_AS.items() if isinstance(value, str) and "'" not in text):
        for kind in (1, 1.0, True, [1], [0.5]):
            with pytest.raises(ValueError, match="parameter x is"):
                Parameter("x", type(kind), kind, "").convert(text)


ALIASES = "\n".join(["a0: &a0 [x, x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 40))])


@pytest.mark.parametrize("content", [ALIASES, "a: &a [*a]", "a: &a {b: [1, *a]}"], ids=["many", "itself", "within"])
def test_an_alias_is_refused_as_a_few_may_stand_for_very_much(tmp_path, content):
    (tmp_path / "p.yml").write_text(content)
    with pytest.raises(ValueError, match=r"p\.yml: .*line \d: an alias, \*a0?, expected the values themselves$"):
        read_file(tmp_path / "p.yml")
    assert isinstance(converted(None, "{" + content.replace("\n", ", ") + "}")[0], str)  # what is no YAML is itself


@pytest.mark.parametrize(
    "content",
    ["- 1\n- 2\n", "a: [1\n", "", "word", "a: !!bool x", "a: !!int 1:30", "? [a]\n: 1", "a: \xff\xfe\x00",
     "a: 1\nb: 2\na: 1\n"],
)  # fmt: skip
def test_a_settings_file_of_another_form_is_refused_in_one_line(tmp_path, content):
    (tmp_path / "p.yml").write_text(content)
    with pytest.raises(ValueError, match=r"p\.yml: ") as refusal:
        read_file(tmp_path / "p.yml")
    assert "\n" not in str(refusal.value)
    assert "b: 2" not in content or "parameter a is given twice, expected once" in str(refusal.value)
