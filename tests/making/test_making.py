"""What is made is made by the commands that the modules and `data/README.md` name."""

import importlib
import re

import pytest

from helpers import paths
from helpers.making import __main__ as making

COMMAND = re.compile(r"^    python -m helpers\.making (\S+)", re.MULTILINE)


def test_the_readme_of_the_data_names_every_module_that_makes_some_and_no_other():
    readme = (paths.project("data") / "README.md").read_text(encoding="utf-8")
    assert set(COMMAND.findall(readme)) == set(making.MAKERS)


@pytest.mark.parametrize("name", making.MAKERS)
def test_a_module_says_how_it_is_run(name):
    module = importlib.import_module(f"helpers.making.{name}")
    assert set(COMMAND.findall(module.__doc__)) == {name}
    assert callable(module.main)


def test_what_nobody_makes_is_refused():
    with pytest.raises(ValueError, match=r"WHAT is 'tea', expected one of baselines, "):
        making.main("tea")
