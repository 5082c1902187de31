import ast
import math
import os
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from papermill.translators import PythonTranslator

from helpers.command.parameters import Parameter, inspect, read_file

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
@settings(max_examples=10_000 if LARGE else 60, deadline=None)
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
        (["a"], "b, c", ["b", "c"]),
        (["a"], "b", ["b"]),
        (["a"], "'b', 'c'", ["b", "c"]),
        (["a"], "'b, c', d", ["b, c", "d"]),
        (["a"], "", []),
        ([1], "2,3", [2, 3]),
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
        ([1], "1,x"),
        ([1], 1),
        (1.0, "9" * 400),
        ("a", "\0"),
        ("a", "\udcff"),
        ({}, "[1]"),
        (1.0, "[1"),
    ],
)
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


@pytest.mark.parametrize("kind", [1, 1.0, True, [1], [0.5]], ids=repr)
@pytest.mark.parametrize(
    "text", [text for text, value in READ_AS.items() if isinstance(value, str) and "'" not in text]
)
def test_a_text_is_no_number_and_no_truth_value(kind, text):
    with pytest.raises(ValueError, match="parameter x is"):
        Parameter("x", type(kind), kind, "").convert(text)


def test_settings_are_read_from_yaml(tmp_path):
    (tmp_path / "p.yml").write_text("repeats: 3\ncost: 1e-3\nrankers: &both [A, B]\nagain: *both\n")
    content = {"repeats": 3, "cost": 0.001, "rankers": ["A", "B"], "again": ["A", "B"]}
    assert read_file(tmp_path / "p.yml") == content


ALIASES = "\n".join(["a0: &a0 [x, x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 40))])


@pytest.mark.parametrize("content", [ALIASES, "a: &a [*a]", "a: &a {b: [1, *a]}"], ids=["many", "itself", "within"])
def test_aliases_that_stand_for_very_much_are_refused_at_once(tmp_path, content):
    (tmp_path / "p.yml").write_text(content)
    start = time.process_time()
    with pytest.raises(ValueError, match=r"p\.yml: .* alias.*expected|an alias within") as refusal:
        read_file(tmp_path / "p.yml")
    assert len(str(refusal.value).replace(str(tmp_path), "")) < 200
    value, refused = converted(None, "{" + content.replace("\n", ", ") + "}")
    assert isinstance(value, str)  # a text that is no YAML is itself
    assert refused is None
    assert time.process_time() - start < 1


def test_a_long_list_needs_no_aliases(tmp_path):
    (tmp_path / "p.yml").write_text(f"a: &a {list(range(12_000))}\nb: *a\n")
    assert read_file(tmp_path / "p.yml")["b"][-1] == 11_999


@pytest.mark.parametrize(
    "content",
    [
        "- 1\n- 2\n",
        "a: [1\n",
        "",
        "word",
        "a: !!bool x",
        "a: !!int 1:30",
        "? [a]\n: 1",
        "a: \xff\xfe\x00",
        "a: 1\nb: 2\na: 3\n",
    ],
)
def test_a_settings_file_of_another_form_is_refused_in_one_line(tmp_path, content):
    (tmp_path / "p.yml").write_text(content)
    with pytest.raises(ValueError, match=r"p\.yml: ") as refusal:
        read_file(tmp_path / "p.yml")
    assert "\n" not in str(refusal.value)


def test_a_missing_settings_file_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"absent\.yml"):
        read_file(tmp_path / "absent.yml")


def test_a_parameter_that_a_file_sets_twice_is_refused(tmp_path):
    (tmp_path / "p.yml").write_text("seed: 1\nfold: 2\nseed: 1\n")
    with pytest.raises(ValueError, match=r"p\.yml: parameter seed is given twice, expected once"):
        read_file(tmp_path / "p.yml")
