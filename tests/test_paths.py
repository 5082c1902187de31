"""Where files stand."""

from pathlib import Path

import pytest

from helpers import paths


@pytest.mark.parametrize(
    ("data", "cache", "user_data", "user_cache"),
    [
        ("{here}/data", "{here}/cache", "{here}/data", "{here}/cache"),
        ("here", "{here}", "{here}/here", "{here}"),  # relative to the caller
        ("", "{here}", "{here}/data", "{here}"),  # an empty variable counts as not set, and data lie in the cache
    ],
)
def test_user_data_and_cache_stand_where_the_environment_says(
    monkeypatch, tmp_path, data, cache, user_data, user_cache
):
    monkeypatch.chdir(tmp_path)
    for variable, value in (("LABEL_STUDIES_DATA", data), ("LABEL_STUDIES_CACHE", cache)):
        monkeypatch.setenv(variable, value.format(here=tmp_path))
    found = str(paths.user_data()), str(paths.user_cache())
    assert found == (user_data.format(here=tmp_path), user_cache.format(here=tmp_path))


def test_without_a_place_the_cache_has_the_name_of_the_project(monkeypatch):
    monkeypatch.delenv("LABEL_STUDIES_CACHE", raising=False)
    assert paths.user_cache().name == "label-studies"


def test_a_home_is_read_as_a_shell_does_where_somebody_is_called_so():
    assert (paths.named("~no-such-user.csv").name, paths.named("~").is_absolute()) == ("~no-such-user.csv", True)


@pytest.mark.parametrize("part", ["data", "notebooks"])
def test_project_folders_stand_beside_the_package_in_a_checkout_and_inside_it_in_a_wheel(monkeypatch, tmp_path, part):
    package = _package(monkeypatch, tmp_path)
    with pytest.raises(FileNotFoundError, match=f"{part} folder is missing"):
        paths.project(part)
    for place in (tmp_path / part, package / part):  # beside a wheel's package stands somebody else's
        place.mkdir()
        assert paths.project(part) == place


def test_only_the_project_folders_can_be_asked_for():
    with pytest.raises(ValueError, match="part is 'reports', expected one of data, notebooks"):
        paths.project("reports")


def _package(monkeypatch, tmp_path) -> Path:
    package = tmp_path / "helpers"
    package.mkdir()
    monkeypatch.setattr(paths, "__file__", str(package / "paths.py"))
    return package
