"""Bringing a data set here: files downloaded, archives unpacked, always complete or not at all."""

from __future__ import annotations

import bz2
import errno
import gzip
import importlib
import importlib.util
import lzma
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pooch

from helpers.datasets.sources import DataSet
from helpers.files import new_folder

SUFFIXES = (".zip", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar")
OPENERS = {".gz": gzip.open, ".tgz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open, ".tar": open}
MOST_TIMES = 200
ALWAYS_ALLOWED = 2**30
CHUNK = 2**20
LONGEST_END_OF_ZIP = 22 + 2**16
UNCOUNTED = 0xFFFF  # this many members of a zip or more are counted elsewhere
IMPOSSIBLE_NAMES = (errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.EINVAL, errno.EILSEQ)

BUILD_BACKEND = """\
import pathlib, sys

__legacy__ = sys.modules[__name__]

def get_requires_for_build_wheel(config_settings=None):
    return []

def prepare_metadata_for_build_wheel(directory, config_settings=None):
    info = pathlib.Path(directory, "{name}-{version}.dist-info")
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n")
    return info.name
"""


def download(data_set: DataSet, target: Path) -> None:
    """Put a set into a new folder; OSError where it cannot be had, ValueError where a sha256 is another one."""
    how = data_set.download
    if "address" in how:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}-") as room:
            archive = Path(room, how["address"].rpartition("/")[2])
            download_file(how["address"], data_set.sha256, archive)
            unpack(archive, target)
    elif "package" in how:
        _take_from_package(target, how)
    elif "maker" in how:
        importlib.import_module(f"helpers.datasets.{how['maker']}").download(target)
    else:
        with new_folder(target) as folder:
            for path, sha256 in how["files"].items():
                download_file(how["base"] + path, sha256, folder / path)


def unpack(archive: Path, target: Path, sha256: str = "") -> None:
    """Unpack an archive, of its sha256 where known, into a new folder; ValueError where it is damaged or a bomb.
    zipfile and tarfile's filter for data see to it that nothing lands elsewhere."""
    if sha256 and (found := pooch.file_hash(str(archive))) != sha256:
        raise ValueError(
            f"{archive}: its sha256 is {found}, expected {sha256}: get it again, or unpack it by hand if it is to be "
            "trusted"
        )
    allowed = max(ALWAYS_ALLOWED, MOST_TIMES * archive.stat().st_size)
    with new_folder(target) as folder:
        try:
            size = _size(archive, allowed)
            if size <= allowed:
                (_unzip if archive.suffix == ".zip" else _untar)(archive, folder)
        except tarfile.FilterError as error:
            raise ValueError(f"{archive}: {error}: unpack it by hand if it is to be trusted") from error
        except RuntimeError as error:  # a password, a compression that zipfile does not know, or an old tarfile
            raise ValueError(f"{archive}: cannot be read here ({error}): unpack it by hand into {target}") from error
        except Exception as error:  # of many kinds
            if isinstance(error, OSError) and error.errno not in (None, *IMPOSSIBLE_NAMES):
                raise
            found = str(error).partition("\n")[0]
            raise ValueError(f"{archive}: damaged or cut off ({found}), expected a whole archive") from error
        if size > allowed:
            raise ValueError(
                f"{archive}: holds {size:,} bytes or more, expected at most {allowed:,}, {MOST_TIMES} times its own "
                f"size or {ALWAYS_ALLOWED:,}: unpack it by hand if it is to be trusted"
            )


def _size(archive: Path, most: int) -> int:
    """Bytes that an archive holds, or more than most; a packed tar is read to its end, where its checksum stands."""
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as packed:
            return sum(info.file_size for info in packed.infolist())
    size = 0
    with OPENERS[archive.suffix](archive, "rb") as file:
        while size <= most and (chunk := file.read(CHUNK)):
            size += len(chunk)
    return size


def _unzip(archive: Path, folder: Path) -> None:
    with zipfile.ZipFile(archive) as packed:
        listed, counted = len(packed.infolist()), _counted(archive)
        if not listed or listed != counted != UNCOUNTED:
            raise zipfile.BadZipFile(f"it lists {listed} members, but counts {counted}")
        for info in packed.infolist():
            info.filename = info.filename.replace("\\", "/")  # some archives from Windows
            packed.extract(info, folder)


def _counted(archive: Path) -> int:
    """How many members the record that ends a zip counts; zipfile lists as many as it finds."""
    with archive.open("rb") as file:
        file.seek(max(0, archive.stat().st_size - LONGEST_END_OF_ZIP))
        end = file.read()
    start = end.rindex(b"PK\5\6") + 10
    return int.from_bytes(end[start : start + 2], "little")


def _untar(archive: Path, folder: Path) -> None:
    if not hasattr(tarfile, "data_filter"):
        raise RuntimeError("Python does so safely from 3.11.4 on")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter=_whole)


def _whole(member: tarfile.TarInfo, folder: str) -> tarfile.TarInfo:
    """The filter for data, which refuses a file with holes as well: it may be any times as large as the archive."""
    if member.issparse():
        raise RuntimeError(f"{member.name} has holes")
    return tarfile.data_filter(member, folder)


def download_file(address: str, sha256: str | None, path: Path) -> None:
    """Download a file; without a sha256 its address has to name a commit, which stands for the content."""
    known = f"sha256:{sha256}" if sha256 else None
    try:
        pooch.retrieve(address, known, fname=path.name, path=path.parent, progressbar=True)
    except OSError as error:
        raise OSError(f"{address}: could not be downloaded ({error})") from error
    except ValueError as error:
        raise ValueError(f"{address}: {error}") from error


def _take_from_package(target: Path, how: Mapping[str, Any]) -> None:
    """Put members of a source package into a new folder; only pip knows where this machine has the package index."""
    with tempfile.TemporaryDirectory() as room:
        package = _source_package(how["package"], how["version"], how["sha256"], Path(room))
        with new_folder(target) as folder, tarfile.open(package) as packed:
            for path, member in how["files"].items():
                (folder / path).parent.mkdir(exist_ok=True)
                (folder / path).write_bytes(packed.extractfile(member).read())


def _source_package(name: str, version: str, sha256: str, room: Path) -> Path:
    """Have pip download one source package, and nothing beside it, into an empty folder."""
    if importlib.util.find_spec("pip") is None:
        raise OSError(f"{name} {version} is downloaded by pip, missing here: run {sys.executable} -m ensurepip")
    requirements, package = room / "requirements.txt", room / f"{name}-{version}.tar.gz"
    requirements.write_text(f"{name}=={version} --hash=sha256:{sha256}\n")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--no-deps", "--no-binary", name]
    command += ["--no-build-isolation", "--require-hashes", "--requirement", requirements, "--dest", room]
    environment = os.environ | _without_setup(name, version, room)
    ran = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ran.returncode or not package.is_file():
        raise OSError(f"{name} {version} could not be downloaded, pip says:\n{ran.stdout.strip()}")
    return package


def _without_setup(name: str, version: str, room: Path) -> dict[str, str]:
    """Environment in which pip runs no code of a source package.

    pip asks a source package for its metadata even when it only downloads, with every combination of its options: it
    would fetch build tools of any version and run a setup.py of 2020 that fails with many of them. A stand-in for
    setuptools, first on the path, answers instead (PEP 517).
    """
    stand_in = room / "setuptools"
    stand_in.mkdir()
    (stand_in / "__init__.py").touch()
    (stand_in / "build_meta.py").write_text(BUILD_BACKEND.format(name=name, version=version))
    path = [str(room), os.environ.get("PYTHONPATH", "")]
    return {"PYTHONPATH": os.pathsep.join(filter(None, path)), "PIP_USE_PEP517": "1"}
