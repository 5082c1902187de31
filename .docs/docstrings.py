"""Docstrings for the pages, as griffe understands them.

Here a line ``name : what it is`` names no type, as the signature has that; and a doctest may follow the text at once.
"""

import re
from typing import Any

from griffe import Extension, Object

HEADING = "Examples\n--------\n"


class Docstrings(Extension):
    """Moves what a parameter is under its name, and puts a heading before a doctest that has none."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Change the docstring of a module, class, function or attribute."""
        if obj.docstring:
            obj.docstring.value = _read(obj.docstring.value)


def _read(text: str) -> str:
    text = re.sub(r"^(\*{0,2}\w[\w, ]*) : (?=\S)", r"\1\n    ", text, flags=re.MULTILINE)
    return text if HEADING in text else re.sub(r"^(?=>>> )", f"\n{HEADING}", text, count=1, flags=re.MULTILINE)
