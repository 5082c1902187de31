"""Where the project keeps its own files, and where a user's data and caches stand."""

import os
from pathlib import Path

import pooch

PARTS = ("data", "notebooks")


def user_data() -> Path:
    """Directory of real collections: LABEL_STUDIES_DATA where set, otherwise `data` in the user's cache."""
    return _from_environment("LABEL_STUDIES_DATA") or user_cache() / "data"


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
