"""Fixtures that several test modules share."""

import os
from collections import Counter
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import settings

mpl.use("Agg")
os.environ["LABEL_STUDIES_TITLES"] = "one line"  # one that is broken is an error
pytest_plugins = ["pytester"]
collect_ignore_glob = ["conftest.py", "*/conftest.py"]  # plugins of one name, no modules with examples

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
settings.register_profile("few", max_examples=100 if LARGE else 25, deadline=None)
settings.load_profile("few")


@pytest.fixture
def rng():
    return np.random.default_rng(20091)


@pytest.fixture
def put(tmp_path):
    """Writes a text, or bytes, under a name in a folder of the test's own, and gives its path."""

    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.fixture
def closed_figures():
    """No figure is left behind."""
    yield
    plt.close("all")


@pytest.fixture(scope="session")
def real_data():
    """Directory of real collections, laid out as their archives are; tests that want it skip where it is absent."""
    directory = os.environ.get("LABEL_STUDIES_DATA")
    if not directory or not Path(directory).is_dir():
        pytest.skip("real collections are not here: set LABEL_STUDIES_DATA to a directory that holds them")
    return Path(directory)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter):
    """With -rs, which lists what was skipped: how often each reason was given."""
    yield
    listed = "s" in terminalreporter.config.getoption("reportchars")
    skipped = terminalreporter.stats.get("skipped", []) if listed else []
    for reason, times in Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped).most_common():
        terminalreporter.write_line(f"{times} skipped: {reason}")
