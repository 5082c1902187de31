"""What READMEs show of stored tables: of each study the picture that its notebook answers with, and what was found.

Writes the pictures to `data/results` from the notebooks as they are committed, and into README.md and data/README.md,
between the lines `<!-- computed: 04 -->` and `<!-- end -->`, what is computed under that name.
"""

from __future__ import annotations

import base64
import json
import re
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path

from helpers import files, paths
from helpers.making import fidelity
from helpers.reporting import verdicts
from helpers.reporting.answers import markdown
from helpers.studies import ledger

WIDTH = 120

COMPUTED = re.compile(r"(?P<head><!-- computed: (?P<name>\S+) -->\n).*?(?P<tail><!-- end -->)", re.DOTALL)

MAIN = {
    "01": ("Y1", "Y14", "Y15"),
    "02": ("M2", "M3", "M4"),
    "03": ("N1", "N4", "N5"),
    "04": ("R1-10", "R1-50", "R2", "R5-4"),
    "05": ("O1", "O4", "O6"),
    "06": ("O11", "O12"),
}
"""Study -> the claims of which the README speaks."""


def _write() -> None:
    root = paths.project("notebooks").parent
    for study in MAIN:
        with files.replacing(root / place(study), "wb") as file:
            file.write(picture(study)[0])
    for readme in ("README.md", "data/README.md"):
        text = written(readme, (root / readme).read_text(encoding="utf-8"))
        with files.replacing(root / readme) as file:
            file.write(text)


def place(study: str) -> Path:
    """Where a study's picture is kept, below the folder of the README."""
    return Path("data", "results", study, "answer.png")


def picture(study: str) -> tuple[bytes, str]:
    """The first figure of a study's notebook, and its text for those who cannot see it."""
    [notebook] = paths.project("notebooks").glob(f"{study}_*.ipynb")
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    outputs = (output for cell in cells for output in cell.get("outputs", ()))
    first = next(output for output in outputs if "image/png" in output.get("data", {}))
    return base64.b64decode(first["data"]["image/png"]), first["metadata"].get("image/png", {}).get("alt", "")


def written(readme: str, text: str) -> str:
    """The text of a README with what is computed between the lines that ask for it."""
    asked = re.findall("<!-- computed: ?([^ >]*)", text)
    if len(asked) != len(COMPUTED.findall(text)):
        raise ValueError(
            f"{readme} asks {len(asked)} times for what was computed, expected <!-- end --> after each of them"
        )
    for name in asked:
        if name not in SHOWN:
            raise ValueError(f"{readme} asks for {name!r}, expected one of {', '.join(SHOWN)}")
    return COMPUTED.sub(lambda found: f"{found['head']}{SHOWN[found['name']]()}\n{found['tail']}", text)


def _found(study: str) -> str:
    """A study's picture, and its main verdicts: a sentence each, with number, interval and what they rest on."""
    judged = ledger.stored(study)
    main = judged[judged["claim"].isin(MAIN[study])].to_dict("records")
    said = textwrap.fill(" ".join(map(verdicts.sentence, main)), WIDTH, break_long_words=False, break_on_hyphens=False)
    return f"![{picture(study)[1]}]({place(study).as_posix()})\n\n{said}"


SHOWN: dict[str, Callable[[], str]] = {study: partial(_found, study) for study in MAIN} | {
    "td2003": lambda: markdown(fidelity.shown_of_td2003(), plain=False),
    "fidelity": lambda: markdown(fidelity.shown(), plain=False),
    "ranks": lambda: markdown(fidelity.shown_ranks(), plain=False),
}
"""Name -> what is computed under it."""

TASKS = {"readme": _write}
