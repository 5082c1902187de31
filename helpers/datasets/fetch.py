"""Bringing a data set here: files downloaded, always complete or not at all."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pooch

from helpers.datasets.archives import unpack
from helpers.files import new_folder

SAMPLE_PACKAGE = "rankeval", "0.8.2", "c7d71602ab7fe0a0281976c1f0e883cb16431f72e4e946e5fd83790449bb21a9"
SAMPLE_FILES = {
    "Fold1/train.txt": "rankeval-0.8.2/rankeval/test/data/msn1.fold1.train.5k.txt",
    "Fold1/test.txt": "rankeval-0.8.2/rankeval/test/data/msn1.fold1.test.5k.txt",
}
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


def download(target: Path, addresses: Mapping[str, tuple[str, str]]) -> None:
    """Download files into a new folder; a bar shows the progress.

    Parameters
    ----------
    target : the folder to be made
    addresses : path in the folder -> (address, sha256)

    Raises
    ------
    ValueError
        when a file's sha256 is another one.
    OSError
        when an address does not answer.
    """
    with new_folder(target) as folder:
        for path, (address, sha256) in addresses.items():
            download_file(address, sha256, folder / path)


def download_archive(target: Path, address: str, sha256: str) -> None:
    """Download an archive and unpack it into a new folder.

    Parameters
    ----------
    target : the folder to be made
    address, sha256 : of the archive

    Raises
    ------
    ValueError, OSError
        as `download` and `archives.unpack`.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}-") as room:
        archive = Path(room, address.rpartition("/")[2])
        download_file(address, sha256, archive)
        unpack(archive, target)


def mslr_sample(target: Path) -> None:
    """Put the MSLR-WEB10K sample that rankeval's source package holds into a new folder; nothing is installed.

    Pip downloads it, as it alone knows where this machine has the package index, a mirror or a proxy.

    Parameters
    ----------
    target : the folder to be made

    Raises
    ------
    OSError
        when this Python has no pip, or pip does not get the package.
    """
    with tempfile.TemporaryDirectory() as room:
        package = _source_package(*SAMPLE_PACKAGE, Path(room))
        with new_folder(target) as folder, tarfile.open(package) as members:
            for path, member in SAMPLE_FILES.items():
                (folder / path).parent.mkdir(exist_ok=True)
                (folder / path).write_bytes(members.extractfile(member).read())


def download_file(address: str, sha256: str | None, path: Path) -> None:
    """Download a file; without a sha256 its address has to name a commit, which stands for the content."""
    known = f"sha256:{sha256}" if sha256 else None
    try:
        pooch.retrieve(address, known, fname=path.name, path=path.parent, progressbar=True)
    except OSError as error:
        raise OSError(f"{address}: could not be downloaded ({error})") from error
    except ValueError as error:
        raise ValueError(f"{address}: {error}") from error


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
