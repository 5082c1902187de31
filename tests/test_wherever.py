"""Files that build or cite the project: they parse, name files that are there, and install from the constraints."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from helpers.command.cli import main

ROOT = Path(__file__).parent.parent
PAGES = ROOT / ".docs" / "pages"
BINDER, CONTAINER = ROOT / ".binder", ROOT / ".devcontainer"

pytestmark = pytest.mark.skipif(not (ROOT / "pyproject.toml").exists(), reason="only a checkout has these files")


@pytest.fixture(scope="module")
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def constraints_named(command):
    """The files that a pip command has after -c."""
    words = shlex.split(command)
    return [words[i + 1] for i, word in enumerate(words) if word == "-c"]


def pinned(file):
    """Name -> release of a file of constraints; a line that is no pin fails."""
    lines = [line for line in file.read_text().splitlines() if not line.startswith("#")]
    return dict(re.fullmatch(r"([\w.-]+)==([\w.]+)", line).groups() for line in lines)


def names(requirements):
    return {re.match(r"[\w-]+", line)[0].lower().replace("_", "-") for line in requirements}


def test_binder_and_the_image_install_the_project_from_its_constraints_on_a_python_that_it_allows(project):
    lines = (BINDER / "requirements.txt").read_text().split("\n")
    assert lines == ["-c ../.constraints.txt", "-e .", ""]
    assert pinned(BINDER / lines[0].split()[1])
    container = json.loads((CONTAINER / "devcontainer.json").read_text())
    image = (CONTAINER / container["build"]["dockerfile"]).read_text()
    assert (CONTAINER / container["build"]["context"]).samefile(ROOT)
    installs = [line for line in image.splitlines() if line.startswith("RUN pip")] + [container["postCreateCommand"]]
    assert [constraints_named(line) for line in installs] == [[".constraints.txt"]] * 2
    for line in installs:
        assert set(re.search(r"\.\[(.*)\]", line)[1].split(",")) <= project["optional-dependencies"].keys()
    assert 'ENTRYPOINT ["label-studies"]' in image
    first, last = re.search(r"for Python (3\.\d+) to (3\.\d+);", (ROOT / ".constraints.txt").read_text()).groups()
    assert f">={first}" == project["requires-python"]
    binder = re.fullmatch(r"python-(3\.\d+)\n", (BINDER / "runtime.txt").read_text())[1]
    python = re.search(r"^FROM python:(3\.\d+)-slim$", image, re.M)[1]
    assert all(version in SpecifierSet(f">={first},<={last}") for version in (binder, python))


def test_binder_runs_a_script_that_is_there_and_parses():
    script = BINDER / "postBuild"
    assert os.access(script, os.X_OK)
    subprocess.run(["bash", "-n", script], check=True)


def test_the_image_is_built_from_what_the_wheel_needs(project):
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    wanted = {*wheel["packages"], *wheel["force-include"], project["readme"], *project["license-files"]}
    left_out = set((ROOT / ".dockerignore").read_text().split())
    assert not left_out & {*wanted, "pyproject.toml", ".constraints.txt"}
    assert all((ROOT / name).exists() for name in wanted)


def test_what_makes_the_data_is_in_no_wheel_and_nothing_in_one_needs_it():
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["exclude"] == ["helpers/making"]
    making = re.compile(
        r"^\s*(from helpers\.making|import helpers\.making|from helpers import .*\bmaking\b)", re.MULTILINE
    )
    others = (file for file in (ROOT / "helpers").rglob("*.py") if file.parent.name != "making")
    assert [file.name for file in others if making.search(file.read_text(encoding="utf-8"))] == []


def test_every_requirement_is_pinned_once_to_a_release_that_the_project_allows_and_to_the_lowest(project):
    pins, lowest = pinned(ROOT / ".constraints.txt"), pinned(ROOT / ".constraints-lowest.txt")
    for_docs, extras = pinned(ROOT / ".docs" / "constraints.txt"), project["optional-dependencies"]
    assert not names(pins) & names(for_docs)
    assert names(extras["docs"]) <= names(for_docs)
    pins = {name.lower().replace("_", "-"): version for name, version in pins.items()}
    for line in [*project["dependencies"], *extras["test"], *extras["cluster"]]:
        requirement = Requirement(line)
        assert pins[requirement.name] in requirement.specifier, requirement
        name, least = re.fullmatch(r"([\w-]+)(?:\[\w+\])?>=([\w.]+)", line).groups()
        assert f"{lowest[name]}.".startswith(f"{least}."), requirement  # 0.8.1, say, where there was no 0.8.0


def test_pinned_releases_that_are_installed_take_the_first_release_of_the_oldest_python(project):
    """Debian 12, say, has 3.11.2, where some releases ask for 3.11.5."""
    oldest = project["requires-python"].removeprefix(">=") + ".0"
    pins = pinned(ROOT / ".constraints.txt")
    installed = [found for found in metadata.distributions() if pins.get(found.name) == found.version]
    asked = {found.name: found.metadata.get("Requires-Python", "") for found in installed}
    assert [(name, pythons) for name, pythons in asked.items() if oldest not in SpecifierSet(pythons)] == []


# pages


def test_every_room_with_a_name_in_the_api_has_a_page():
    names = (ROOT / ".docs" / "api.txt").read_text().split("\n")
    pages = {page.stem: page.read_text() for page in (PAGES / "api").glob("*.md")}
    assert pages.keys() == {name.partition(".")[0] for name in names if name and name[0] != "#"}
    assert all(f"::: api {room}\n" in page for room, page in pages.items())


def test_the_first_page_leads_to_every_how_to_page():
    linked = set(re.findall(r"\((how-to/[\w-]+\.md)\)", (PAGES / "index.md").read_text()))
    assert linked == {f"how-to/{page.name}" for page in (PAGES / "how-to").glob("*.md")}


def test_the_pages_have_the_notebooks():
    assert {path.name for path in (PAGES / "notebooks").glob("*.ipynb")} == {
        path.name for path in (ROOT / "notebooks").glob("*.ipynb")
    }


@pytest.mark.parametrize("page", sorted(PAGES.glob("how-to/*.md")), ids=lambda page: page.stem)
def test_options_that_the_pages_name_are_those_of_the_command(page):
    known = {name: CliRunner().invoke(main, [name, "--help"]).stdout for name in main.commands}
    for command, rest in re.findall(r"label-studies (\w+)(.*)", page.read_text()):
        for option in re.findall(r" (--?[a-z]+)\b", rest.split("#")[0]):
            assert option in known[command], f"{command} {option}"


@pytest.mark.parametrize("page", sorted(PAGES.glob("how-to/*.md")), ids=lambda page: page.stem)
def test_files_of_the_project_that_the_pages_name_are_there(page):
    for name in re.findall(r"`((?:helpers|tests|\.devcontainer)/[\w./-]*)`", page.read_text()):
        assert (ROOT / name).exists(), name


@pytest.mark.parametrize("page", ["README.md", ".github/CONTRIBUTING.md", ".docs/CHANGELOG.md"])
def test_what_a_newcomer_reads_is_short_and_leads_to_files_that_are_there(page):
    text = (ROOT / page).read_text()
    assert len(text.splitlines()) <= 200
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    assert [link for link in links if not ((ROOT / page).parent / link).exists()] == []


def test_a_commit_is_checked_by_what_lint_runs():
    [own] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert [hook["entry"] for hook in own["hooks"]] == ["make lint"]


def test_the_site_is_built_without_a_warning(tmp_path):
    pytest.importorskip("mkdocs", reason="mkdocs is not installed: make docs installs it")
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "-f", ROOT / ".docs" / "mkdocs.yml", "-d", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"})
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


# who made it, under which terms


def test_license_citation_and_metadata_name_the_same_holder_terms_and_version(project):
    cited, holder = yaml.safe_load((ROOT / "CITATION.cff").read_text()), project["authors"][0]["name"]
    assert cited["authors"] == [{"name": holder}]
    assert f"Copyright (c) 2026 {holder}\n" in (ROOT / "LICENSE").read_text()
    assert (cited["title"], cited["version"], cited["license"]) == (project["name"], project["version"], "MIT")
    assert (project["license"], project["license-files"]) == ("MIT", ["LICENSE"])
    # required by CFF 1.2.0, of a reference authors, title and type
    assert {"cff-version", "message", "title", "authors"} <= set(cited)
    for reference in cited["references"]:
        assert {"type", "title", "authors"} <= set(reference)
        assert all(set(author) == {"family-names", "given-names"} for author in reference["authors"])
        assert all(isinstance(part, str) for author in reference["authors"] for part in author.values())
        assert reference["conference"].keys() == {"name"}
