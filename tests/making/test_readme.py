"""What the README says was found is what the stored tables say."""

import pytest

from helpers import paths
from helpers.making import readme
from helpers.reporting import verdicts
from helpers.studies import ledger


def test_the_readme_says_what_the_stored_tables_say():
    text = (paths.project("notebooks").parent / "README.md").read_text(encoding="utf-8")
    assert readme.written(text) == text, "README and results differ: python -m helpers.making.readme"


def test_what_was_computed_are_sentences_of_the_main_verdicts_with_numbers(monkeypatch):
    kept = ledger.stored("04")
    monkeypatch.setattr(ledger, "stored", lambda study: kept.assign(verdict="holds"))
    text = "Before.\n<!-- computed: 04 -->\nold\n<!-- end -->\nAfter.\n"
    written = readme.written(text)
    assert readme.written(written) == written
    for row in kept[kept["claim"].isin(readme.MAIN["04"])].to_dict("records"):
        said = " ".join(written.split())
        assert f"*{row['words']}*: holds, {verdicts.effect(row)} {row['measure']}" in said
    assert max(map(len, written.splitlines())) <= readme.WIDTH


def test_every_main_claim_is_judged():
    judged = set(ledger.stored()["claim"])
    assert set().union(*readme.MAIN.values()) <= judged


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
