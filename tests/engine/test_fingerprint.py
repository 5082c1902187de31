"""Digests of code and data: what changes them, what leaves them, and what is refused."""

import importlib
import linecache
import sys
import threading
from collections import namedtuple
from functools import partial
from types import ModuleType

import numpy as np
import pytest

from helpers.datasets.collection import Collection, open_saved, save
from helpers.engine import fingerprint as module
from helpers.engine.fingerprint import fingerprint

STUDY = """
'''A study.'''
from . import gains
from label_study.noise import flip

CUTOFF = 10

def measure(depth, rng):
    '''Gain at a depth.'''
    from label_study import late
    return {"gain": gains.gain(depth) + flip(rng)}
"""
SOURCES = {
    "__init__": "",
    "study": STUDY,
    "gains": "from label_study.deeper import base\ndef gain(depth): return base ** depth - 1",
    "deeper": "base = 2",
    "noise": "def flip(rng): return rng.random()",
    "late": "limit = 1",
    "unrelated": "limit = 1",
}


@pytest.fixture
def study(tmp_path, monkeypatch):
    """A package of a few modules; calling it writes the sources given and yields the digest of study.measure."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (tmp_path / "label_study").mkdir()

    def digest(**changed):
        for name, source in (SOURCES | changed).items():
            (tmp_path / "label_study" / f"{name}.py").write_text(source)
        for name in [name for name in sys.modules if name.startswith("label_study")]:
            monkeypatch.delitem(sys.modules, name)
        importlib.invalidate_caches()
        return fingerprint(importlib.import_module("label_study.study").measure, {})

    return digest


@pytest.mark.parametrize(
    ("module", "change"),
    [
        ("study", STUDY.replace("+", "-")),
        ("study", STUDY.replace("10", "20")),
        ("gains", SOURCES["gains"].replace("1", "2")),
        ("deeper", "base = 3"),
        ("noise", "def flip(rng): return rng.normal()"),
        ("late", "limit = 2"),
        ("__init__", "import warnings"),
    ],
)
def test_a_change_in_what_the_function_imports_directly_or_not_changes_the_digest(study, module, change):
    assert study(**{module: change}) != study()


def test_unrelated_modules_comments_docstrings_and_layout_leave_the_digest(study):
    before = study()
    assert study(unrelated="limit = 2") == before
    assert study(study=STUDY.replace("A study", "Another study").replace("Gain at", "What a user gains at")) == before
    assert study(study=STUDY.replace("CUTOFF = 10", "# where the page ends\n\nCUTOFF   =   10")) == before


def test_the_version_of_an_imported_library_is_part_of_the_digest(monkeypatch):
    before = fingerprint(fingerprint, {})
    monkeypatch.setattr(module, "_version", lambda top: "0.0")
    assert fingerprint(fingerprint, {}).code != before.code


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("gains", "- 1", "- 2", "gains.py, gain: edited after it was imported, restart Python"),
        ("study", "CUTOFF = 10", "CUTOFF = 20", "study.py: edited after it was imported, restart Python"),
        ("noise", "def flip", "def toss", "noise.py, flip: edited after it was imported, restart Python"),
        ("gains", "return base", "return = base", "gains.py, line 2: invalid syntax, so what runs cannot be told"),
        ("noise", None, None, "noise.py: No such file or directory, so what runs cannot be told"),
    ],
)
def test_a_module_that_was_edited_or_is_gone_after_its_import_is_refused(study, tmp_path, name, old, new, message):
    study()
    file = tmp_path / "label_study" / f"{name}.py"
    file.write_text(file.read_text().replace(old, new)) if old else file.unlink()
    with pytest.raises(ValueError, match=message):
        fingerprint(sys.modules["label_study.study"].measure, {})


def test_code_and_data_are_told_apart(study):
    before = study()
    changed = study(gains=SOURCES["gains"].replace("1", "2"))
    assert (changed.function, changed.data) == (before.function, before.data)
    assert changed.code != before.code
    measure = sys.modules["label_study.study"].measure
    other = fingerprint(measure, {"labels": np.zeros(2)})
    assert other.code == changed.code
    assert other.data != changed.data


def test_what_a_closure_and_a_default_hold_is_data():
    def make(base, k):
        def measure(depth, k=k, *, rng):
            return {"gain": base**depth / k}

        return fingerprint(measure, {})

    assert make(2, 10) == make(2, 10)
    assert make(2, 10).code == make(3, 10).code == make(2, 20).code
    assert len({make(2, 10), make(3, 10), make(2, 20)}) == 3
    assert fingerprint(make, {}) != fingerprint(fingerprint, {})


Held = namedtuple("Held", ["collection"])


@pytest.mark.parametrize("hold", [lambda own: [own], lambda own: (own,), lambda own: {"own": own}, Held])
def test_data_counts_by_content_wherever_it_is_held(tmp_path, hold):
    def digest(collection):
        return fingerprint(fingerprint, {"folds": hold(collection)})

    memory = Collection([[1.0], [2.0], [3.0]], [0, 2, 1], [0, 2, 3])
    mapped = [open_saved(save(memory, tmp_path / name)) for name in ("a", "b")]
    assert digest(memory) == digest(mapped[0]) == digest(mapped[1])
    assert digest(memory) != digest(memory.with_grades([0, 2, 2]))
    changed = save(memory.with_grades([0, 2, 2]), tmp_path / "c")
    assert digest(mapped[0]) != digest(open_saved(changed))


NOTEBOOK = """
from functools import cache
BASE, UNUSED, depth = 2, 5, 7
@cache
def gain(depth):
    return BASE ** depth - 1
MEASURES = {"gain": gain}
def measure(depth, rng):
    unused = [UNUSED for UNUSED in range(depth)]
    return {"gain": MEASURES["gain"](depth)}
"""


@pytest.fixture
def notebook(monkeypatch):
    """Runs a source as a notebook does, in a module without a file, and yields the digest of its measure."""

    def digest(source):
        module = ModuleType("notebook")
        monkeypatch.setitem(sys.modules, "notebook", module)
        monkeypatch.setitem(linecache.cache, "<cell>", (len(source), None, source.splitlines(True), "<cell>"))
        exec(compile(source, "<cell>", "exec"), vars(module))
        return fingerprint(module.measure, {})

    return digest


@pytest.mark.parametrize(
    ("old", "new", "is_used"),
    [
        ("depth - 1", "depth - 2", True),
        ("BASE, UNUSED, depth = 2", "BASE, UNUSED, depth = 3", True),
        ('"gain": MEAS', '"g": MEAS', True),
        ("2, 5, 7", "2, 6, 8", False),
        ("def measure", "# more\ndef measure", False),
        ("\n@cache", "\nk = 1\n@cache", False),
    ],
)
def test_what_a_notebooks_function_uses_alone_changes_the_digest(notebook, old, new, is_used):
    assert NOTEBOOK.count(old) == 1
    assert (notebook(NOTEBOOK.replace(old, new)) != notebook(NOTEBOOK)) == is_used


def test_a_notebooks_function_brings_the_project_modules_it_uses(notebook, study, tmp_path):
    study()
    source = "from label_study import gains\ndef measure(depth, rng): return {'gain': gains.gain(depth)}"
    before = notebook(source)
    study(deeper="base = 3")
    assert notebook(source) != before


def without_source():
    namespace = {"__name__": "nowhere"}
    exec("def measure(rng): return {}", namespace)
    return namespace["measure"]


@pytest.mark.parametrize(
    ("function", "data", "message"),
    [
        (without_source(), {}, "cannot read the source of measure: move it to a module"),
        (partial(pow, 2), {}, "expected one that def made"),
        (max, {}, "expected one that def made"),
        (np.mean.__call__, {}, "expected one that def made"),
        (fingerprint, {"lock": threading.Lock()}, "has no content to compare, expected something that pickles"),
    ],
)
def test_what_has_no_source_or_no_content_is_refused(function, data, message):
    with pytest.raises(ValueError, match=message):
        fingerprint(function, data)
