"""Where the project keeps its own files, and where a user's data and caches stand."""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import pooch

PARTS = ("data", "notebooks")
T = TypeVar("T")


def user_data() -> Path:
    """Directory of real collections: LABEL_STUDIES_DATA where set, otherwise `data` in the user's cache."""
    return _from_environment("LABEL_STUDIES_DATA") or user_cache() / "data"


def judgments(*parts: str) -> Path:
    """A file or folder of judgments in the data directory, or FileNotFoundError that says where to find it."""
    path = user_data().joinpath("judgments", *parts)
    if not path.exists():
        raise FileNotFoundError(f"{path} is not here: data/README.md says where these judgments come from")
    return path


def here(sources: Mapping[str, Callable[[], T]]) -> dict[str, T]:
    """What the sources read, by name, of those whose files are in the data directory."""
    found = {}
    for name, read in sources.items():
        with suppress(FileNotFoundError):
            found[name] = read()
    return found


def user_cache() -> Path:
    """Directory of what can be computed again: LABEL_STUDIES_CACHE where set, otherwise the system's cache folder."""
    return _from_environment("LABEL_STUDIES_CACHE") or Path(pooch.os_cache("label-studies"))


def named(text: str | Path) -> Path:
    """The path that a user names: as it is, or with ~ as a shell reads it; ~x.csv stays where nobody is called so."""
    if not os.fspath(text):
        raise ValueError("a path is empty, expected the name of a file or folder; . is the working directory")
    try:
        os.fspath(text).encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{os.fspath(text)!a}: a name that is no text in UTF-8, expected one that is: rename it, or where it "
            "is one set PYTHONUTF8=1"
        ) from error
    return Path(os.path.expanduser(text))


def package() -> Path:
    """Directory of this package."""
    return Path(__file__).resolve().parent


def project(part: str) -> Path:
    """The project's own folder, `data` or `notebooks`, in a checkout as well as in an installed wheel."""
    if part not in PARTS:
        raise ValueError(f"part is {part!r}, expected one of {', '.join(PARTS)}")
    places = (package() / part, package().parent / part)
    for place in places:
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the project's {part} folder is missing: expected {places[0]} or {places[1]}")


def _from_environment(variable: str) -> Path | None:
    value = os.environ.get(variable)
    return named(value).absolute() if value else None
