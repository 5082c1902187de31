"""What is made is made by the commands that the modules and `data/README.md` name."""

import ast
import re
from pathlib import Path

import pytest

from helpers import making, paths

COMMAND = re.compile(r"^    python -m helpers\.(\S+)", re.MULTILINE)
MODULES = {file.stem: file.read_text(encoding="utf-8") for file in Path(making.__path__[0]).glob("*.py")}
RUN = sorted(name for name, source in MODULES.items() if "__main__" in source)


def test_the_readme_of_the_data_names_every_module_that_makes_some_and_no_other():
    readme = (paths.project("data") / "README.md").read_text(encoding="utf-8")
    assert set(COMMAND.findall(readme)) == {f"making.{name}" for name in RUN}


@pytest.mark.parametrize("name", RUN)
def test_a_module_says_how_it_is_run(name):
    assert set(COMMAND.findall(ast.get_docstring(ast.parse(MODULES[name])))) == {f"making.{name}"}
