"""The paragraphs of the README that say what was found.

    python -m helpers.making.readme

writes them anew, from the stored tables, between the lines `<!-- computed: 04 -->` and `<!-- end -->` of `README.md`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping

import pandas as pd

from helpers import files, paths
from helpers.engine import results
from helpers.reporting import answers
from helpers.studies import claims
from helpers.studies.bounds import findings as bounds_findings
from helpers.studies.bounds.judges import REAL
from helpers.studies.bounds.protocol import K
from helpers.studies.robustness import findings as robustness_findings

Stored = Mapping[str, Mapping[str, pd.DataFrame]]
"""Data set -> name of a table -> table."""

WIDTH = 120

COMPUTED = re.compile(r"(?P<head><!-- computed: (?P<study>\S+) -->\n).*?(?P<tail><!-- end -->)", re.DOTALL)

FIRST = 2
"""Claims of a study of which the README speaks."""


def _of_disagreement(stored: Stored) -> str:
    losses = {judges: stored[judges]["comparisons"] for judges in REAL}
    return bounds_findings.disagreement(losses, K)


def _of_noise(stored: Stored) -> str:
    return f"{robustness_findings.near_turning(stored['five-data-sets']['falls'])}."


SAID: dict[str, Callable[[Stored], str]] = {"02": _of_disagreement, "03": _of_noise}
"""Study -> the sentence of its notebook with which its paragraph begins, from its stored tables."""


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
    """
    if study not in claims.CLAIMS:
        raise ValueError(f"README.md asks for study {study!r}, expected one of {', '.join(claims.CLAIMS)}")
    verdicts = claims.ledger(study)
    main = verdicts[verdicts["claim"].isin(claims.headlines(study))]
    said = [SAID[study](results.stored(study))] if study in SAID else []
    return " ".join([*said, *answers.sentences(answers.card(main, FIRST)), answers.of_verdicts(verdicts)])


def _filled(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    main()
