"""Docstrings for the pages, as griffe understands them.

Here a line ``name : what it is`` names no type, as the signature has that; and a doctest may follow the text at once.
"""

import re
from pathlib import Path
from typing import Any

from griffe import Extension, Object

LIST = Path(__file__).with_name("api.txt")
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


def on_page_markdown(markdown: str, **_: Any) -> str:
    """A page with the line `::: api ROOM` shows the names that the list of the API has of this room."""
    names = LIST.read_text(encoding="utf-8").split("\n")
    room = re.search(r"^::: api (\w+)$", markdown, re.MULTILINE)
    if not room:
        return markdown
    shown = (f"## {name}\n\n::: helpers.{name}" for name in names if name.startswith(f"{room[1]}."))
    return markdown.replace(room[0], "\n\n".join(shown))
