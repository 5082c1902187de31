"""What the project says of itself: who made it, under which terms, in which version."""

import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def cited():
    return yaml.safe_load((ROOT / "CITATION.cff").read_text())


@pytest.fixture(scope="module")
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_license_citation_and_metadata_name_the_same_holder_terms_and_version(cited, project):
    holder = project["authors"][0]["name"]
    assert cited["authors"] == [{"name": holder}]
    assert f"Copyright (c) 2026 {holder}\n" in (ROOT / "LICENSE").read_text()
    assert (cited["title"], cited["version"], cited["license"]) == (project["name"], project["version"], "MIT")
    assert (project["license"], project["license-files"]) == ("MIT", ["LICENSE"])


def test_the_citation_has_what_the_format_requires(cited):
    """Required by CFF 1.2.0: cff-version, message, title and authors; of a reference authors, title and type."""
    assert cited["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= set(cited)
    for reference in cited["references"]:
        assert {"type", "title", "authors"} <= set(reference)
        assert all(set(author) == {"family-names", "given-names"} for author in reference["authors"])
        assert all(isinstance(part, str) for author in reference["authors"] for part in author.values())
        assert reference["conference"].keys() == {"name"}
