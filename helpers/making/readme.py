"""The paragraphs of the README that say what was found.

    python -m helpers.making.readme

writes them anew, from the stored tables, between the lines `<!-- computed: 04 -->` and `<!-- end -->` of the README.
"""

from __future__ import annotations

import re
import textwrap

from helpers import files, paths
from helpers.engine import results
from helpers.reporting import answers
from helpers.studies import claims, guide

WIDTH = 120

COMPUTED = re.compile(r"(?P<head><!-- computed: (?P<study>\S+) -->\n).*?(?P<tail><!-- end -->)", re.DOTALL)

FIRST = 2
"""Claims of a study of which the README speaks."""


def main() -> None:
    """Write the paragraphs."""
    place = paths.project("notebooks").parent / "README.md"
    text = written(place.read_text(encoding="utf-8"))
    with files.replacing(place) as file:
        file.write(text)


def written(text: str) -> str:
    """The text with what was found in each of its studies, between the lines that ask for it.

    Parameters
    ----------
    text : of a README

    Raises
    ------
    ValueError
        where it asks for a study that has no claims, or asks and has no end.
    """
    asked = len(re.findall("<!-- computed:", text))
    if asked != len(COMPUTED.findall(text)):
        raise ValueError(
            f"README.md asks {asked} times for what was computed, expected <!-- end --> after each of them"
        )
    return COMPUTED.sub(lambda found: f"{found['head']}{_filled(paragraph(found['study']))}\n{found['tail']}", text)


def paragraph(study: str) -> str:
    """What a study found, in the words of its notebook; then its first claims, and how all its verdicts came out.

    Parameters
    ----------
    study : number of the study, a key of CLAIMS

    Raises
    ------
    ValueError
        when there is no such study.
    """
    if study not in claims.CLAIMS:
        raise ValueError(f"README.md asks for study {study!r}, expected one of {', '.join(claims.CLAIMS)}")
    verdicts = claims.ledger(study)
    main = verdicts[verdicts["claim"].isin(claims.headlines(study))]
    said = guide.to_a_colleague(study, results.stored(study))
    return " ".join([*said, *answers.sentences(answers.card(main, FIRST)), answers.of_verdicts(verdicts)])


def _filled(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    main()
