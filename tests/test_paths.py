"""Where files stand."""

from pathlib import Path

import pytest

from helpers import paths


def test_user_data_and_cache_stand_where_the_environment_says(monkeypatch, tmp_path):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("LABEL_STUDIES_CACHE", str(tmp_path / "cache"))
    assert paths.user_data() == tmp_path / "data"
    assert paths.user_cache() == tmp_path / "cache"


def test_user_data_lies_in_the_cache_unless_said_otherwise(monkeypatch, tmp_path):
    monkeypatch.delenv("LABEL_STUDIES_DATA", raising=False)
    monkeypatch.setenv("LABEL_STUDIES_CACHE", str(tmp_path))
    assert paths.user_data() == tmp_path / "data"


def test_an_empty_variable_counts_as_not_set(monkeypatch):
    monkeypatch.setenv("LABEL_STUDIES_CACHE", "")
    assert paths.user_cache().name == "label-studies"


def test_a_relative_place_is_relative_to_the_caller(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LABEL_STUDIES_DATA", "here")
    assert paths.user_data() == tmp_path / "here"


def test_a_home_is_read_as_a_shell_does_where_somebody_is_called_so():
    assert (paths.named("~no-such-user.csv").name, paths.named("~").is_absolute()) == ("~no-such-user.csv", True)


@pytest.mark.parametrize("part", ["data", "notebooks"])
def test_project_folders_stand_beside_the_package_in_a_checkout(monkeypatch, tmp_path, part):
    _package(monkeypatch, tmp_path)
    (tmp_path / part).mkdir()
    assert paths.project(part) == tmp_path / part


@pytest.mark.parametrize("part", ["data", "notebooks"])
def test_project_folders_stand_inside_the_package_in_a_wheel(monkeypatch, tmp_path, part):
    package = _package(monkeypatch, tmp_path)
    (package / part).mkdir()
    (tmp_path / part).mkdir()  # somebody else's, in site-packages
    assert paths.project(part) == package / part


def test_a_missing_project_folder_is_named(monkeypatch, tmp_path):
    _package(monkeypatch, tmp_path)
    with pytest.raises(FileNotFoundError, match="notebooks folder is missing"):
        paths.project("notebooks")


def test_only_the_project_folders_can_be_asked_for():
    with pytest.raises(ValueError, match="part is 'reports', expected one of data, notebooks"):
        paths.project("reports")


def _package(monkeypatch, tmp_path) -> Path:
    package = tmp_path / "helpers"
    package.mkdir()
    monkeypatch.setattr(paths, "__file__", str(package / "paths.py"))
    return package
