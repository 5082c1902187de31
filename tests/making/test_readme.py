"""What the README shows and says was found is what the notebooks and the stored tables do."""

import base64

import pytest

from helpers import paths
from helpers.making import readme
from helpers.reporting import verdicts
from helpers.studies import ledger
from tests.notebooks.compared_figures import difference, pixels


@pytest.mark.parametrize("place", ["README.md", "data/README.md"])
def test_a_readme_says_what_the_stored_tables_say(place):
    text = (paths.project("notebooks").parent / place).read_text(encoding="utf-8")
    assert readme.written(place, text) == text, "README and results differ: python -m helpers.making readme"


@pytest.mark.parametrize("study", readme.MAIN)
def test_the_pictures_of_the_readme_are_those_that_the_notebooks_answer_with(study):
    drawn, _ = readme.picture(study)
    kept = (paths.project("notebooks").parent / readme.place(study)).read_bytes()
    assert difference(*(pixels(base64.b64encode(each)) for each in (kept, drawn))) == ""


def test_what_was_computed_are_sentences_of_the_main_verdicts_with_numbers(monkeypatch):
    kept = ledger.stored("04")
    monkeypatch.setattr(ledger, "stored", lambda study: kept.assign(verdict="holds"))
    text = "Before.\n<!-- computed: 04 -->\nold\n<!-- end -->\nAfter.\n"
    written = readme.written("README.md", text)
    assert readme.written("README.md", written) == written
    for row in kept[kept["claim"].isin(readme.MAIN["04"])].to_dict("records"):
        said = " ".join(written.split())
        assert f"*{row['words']}*: holds, {verdicts.effect(row)} {row['measure']}" in said
    assert max(len(line) for line in written.splitlines() if line[:1] != "!") <= readme.WIDTH


def test_every_main_claim_is_judged():
    judged = set(ledger.stored()["claim"])
    assert set().union(*readme.MAIN.values()) <= judged


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<!-- computed: 04 -->\nno end", "asks 1 times for what was computed, expected <!-- end -->"),
        ("<!-- computed: 07 -->\n<!-- end -->", "asks for '07', expected one of 01, 02, 03, 04, 05, 06"),
    ],
)
def test_what_cannot_be_computed_is_refused(text, message):
    with pytest.raises(ValueError, match=f"^data/README.md {message}"):
        readme.written("data/README.md", text)
