"""What the README says was found is what the stored tables say."""

import pandas as pd
import pytest

from helpers import paths
from helpers.making import readme
from helpers.studies import claims, guide


@pytest.fixture
def ledger(monkeypatch):
    """Sets the verdicts of study 04, one for each value given, all on one claim."""

    def of(*verdicts):
        rows = {
            "study": "04",
            "data": [f"d{n}" for n in range(len(verdicts))],
            "claim": "More is better",
            "published": "",
        }
        rows |= {"where": "", "ranker": "", "measured": 0.1, "low": 0.0, "high": 0.2, "verdict": verdicts}
        rows |= {"expected": "above 0"}
        monkeypatch.setattr(guide, "SAID", {})
        monkeypatch.setattr(claims, "headlines", lambda study: ["More is better"])
        monkeypatch.setattr(claims, "ledger", lambda study: pd.DataFrame(rows | {"rests_on": "real"}))

    return of


def test_the_readme_says_what_the_stored_tables_say():
    text = (paths.project("notebooks").parent / "README.md").read_text(encoding="utf-8")
    assert readme.written(text) == text, "README and results differ: python -m helpers.making.readme"


def test_what_was_computed_follows_the_verdicts(ledger):
    text = "Before.\n<!-- computed: 04 -->\nold\n<!-- end -->\nAfter.\n"
    ledger("reproduced", "undecided")
    first = readme.written(text)
    said = "*More is better*: reproduced on 1 of 2 data sets, undecided on 1. Of 2 verdicts 1 is reproduced and 1 is"
    assert " ".join(first.split()) == f"Before. <!-- computed: 04 --> {said} undecided. <!-- end --> After."
    assert readme.written(first) == first
    ledger("not reproduced")
    assert "*More is better*: not reproduced. The only verdict is not reproduced." in readme.written(first)


def test_a_paragraph_begins_as_the_notebook_does_and_speaks_of_its_main_claims_alone(ledger, monkeypatch):
    ledger("reproduced")
    monkeypatch.setattr(guide, "SAID", {"04": lambda stored: f"Deep, on {'mq2008' in stored}."})
    assert readme.paragraph("04") == "Deep, on True. *More is better*: reproduced. The only verdict is reproduced."
    monkeypatch.setattr(claims, "headlines", lambda study: ["Another"])
    assert readme.paragraph("04") == "Deep, on True. The only verdict is reproduced."


def test_lines_are_no_longer_than_those_of_the_readme(ledger):
    ledger(*["undecided"] * 60)
    text = readme.written("<!-- computed: 04 -->\n<!-- end -->")
    assert max(map(len, text.splitlines())) <= readme.WIDTH


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<!-- computed: 04 -->\nno end", "asks 1 times for what was computed, expected <!-- end -->"),
        ("<!-- computed: 07 -->\n<!-- end -->", "asks for study '07', expected one of 01, 02, 03, 04, 05, 06"),
    ],
)
def test_what_cannot_be_computed_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        readme.written(text)
