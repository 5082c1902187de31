"""The paragraphs of the README that say what was found.

    python -m helpers.making.readme

writes them anew, from the stored tables, between the lines `<!-- computed: 04 -->` and `<!-- end -->` of the README.
"""

from __future__ import annotations

import re
import textwrap

from helpers import files, paths
from helpers.reporting import verdicts
from helpers.studies import ledger

WIDTH = 120

COMPUTED = re.compile(r"(?P<head><!-- computed: (?P<study>\S+) -->\n).*?(?P<tail><!-- end -->)", re.DOTALL)

MAIN = {
    "01": ("Y1", "Y14", "Y15"),
    "02": ("M2", "M3", "M4"),
    "03": ("N1", "N4", "N5"),
    "04": ("R1-10", "R1-50", "R2", "R5-4"),
    "05": ("O1", "O4", "O6"),
    "06": ("O11", "O12"),
}
"""Study -> the claims of which the README speaks."""


def main() -> None:
    """Write the paragraphs."""
    place = paths.project("notebooks").parent / "README.md"
    text = written(place.read_text(encoding="utf-8"))
    with files.replacing(place) as file:
        file.write(text)


def written(text: str) -> str:
    """The text with what was found in each of its studies, between the lines that ask for it."""
    asked = len(re.findall("<!-- computed:", text))
    if asked != len(COMPUTED.findall(text)):
        raise ValueError(
            f"README.md asks {asked} times for what was computed, expected <!-- end --> after each of them"
        )
    return COMPUTED.sub(lambda found: f"{found['head']}{_filled(paragraph(found['study']))}\n{found['tail']}", text)


def paragraph(study: str) -> str:
    """What a study found: its main verdicts, a sentence each, with number, interval and what they rest on."""
    if study not in MAIN:
        raise ValueError(f"README.md asks for study {study!r}, expected one of {', '.join(MAIN)}")
    judged = ledger.stored(study)
    main = judged[judged["claim"].isin(MAIN[study])]
    return " ".join(verdicts.sentence(row) for row in main.to_dict("records"))


def _filled(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    main()
