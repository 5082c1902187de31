"""Archives unpacked or refused, downloads, and the sample in a source package."""

import contextlib
import functools
import hashlib
import http.server
import importlib.util
import io
import os
import shutil
import tarfile
import threading
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from damage import damaged

from helpers.datasets import fetch
from helpers.datasets.sources import DATA_SETS

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"


@pytest.fixture
def target(tmp_path):
    """A folder to be made, in an otherwise empty one."""
    return tmp_path / "data" / "MQ2008"


def packed(path, members, kind=tarfile.REGTYPE):
    """An archive of the text of each member; in a tar the last one is of that kind, where links lead to the text."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED if "stored" in path.name else zipfile.ZIP_DEFLATED) as made:
            for name, text in members.items():
                member = zipfile.ZipInfo("x")
                member.filename, member.compress_type = name, made.compression  # the constructor may change the name
                made.writestr(member, text)
        return path
    with tarfile.open(path, f"w:{path.suffix[1:].replace('tgz', 'gz').replace('tar', '')}") as made:
        for name, text in members.items():
            member = tarfile.TarInfo(name)
            member.type = kind if name == list(members)[-1] else tarfile.REGTYPE
            member.linkname = text if member.islnk() or member.issym() else ""
            member.size = len(text) if member.isreg() else 0
            made.addfile(member, io.BytesIO(text.encode()))
    return path


def contents(directory):
    files = (path for path in directory.rglob("*") if path.is_file())
    return {path.relative_to(directory).as_posix(): path.read_bytes().decode() for path in files}


def assert_refused(archive, target, message):
    """The archive is refused in one line that begins with its path, and nothing is left."""
    with pytest.raises(ValueError, match=message) as refused:
        fetch.unpack(archive, target)
    assert str(refused.value).startswith(f"{archive}: ")
    assert "\n" not in str(refused.value)
    assert not target.parent.exists() or not list(target.parent.iterdir())


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


# What is unpacked


@pytest.mark.parametrize("ending", [".zip", ".tar", ".tgz", ".tar.bz2", ".tar.xz"])
def test_an_archive_is_unpacked_into_the_target_and_nothing_else_stays(tmp_path, target, ending):
    windows = "Fold1\\test.txt" if ending == ".zip" else "Fold1/test.txt"
    archive = packed(tmp_path / f"a{ending}", {"Fold1/train.txt": "one", windows: "two", "README": "three"})
    fetch.unpack(archive, target, sha256(archive))
    assert contents(target) == {"Fold1/train.txt": "one", "Fold1/test.txt": "two", "README": "three"}
    assert list(target.parent.iterdir()) == [target]


@pytest.mark.parametrize("name", ["../outside.txt", "MQ2008/../../outside.txt", "/outside.txt", "..\\outside.txt"])
@pytest.mark.parametrize("ending", [".zip", ".tar.gz"])
def test_nothing_is_written_outside_the_folder(tmp_path, target, ending, name):
    archive = packed(tmp_path / f"a{ending}", {"fine.txt": "fine", name: "hostile"})
    with contextlib.suppress(ValueError):
        fetch.unpack(archive, target)
    assert all(path.is_relative_to(target) for path in tmp_path.rglob("*outside*"))


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_links_to_elsewhere_and_devices_are_refused_by_name(tmp_path, target, kind):
    archive = packed(tmp_path / "a.tar", {"inside.txt": "fine", "odd": "/etc/passwd"}, kind)
    assert_refused(archive, target, r"a\.tar: 'odd' .*: unpack it by hand if it is to be trusted")


def test_a_file_with_holes_which_may_be_any_times_as_large_as_its_archive_is_refused(tmp_path, target):
    member = tarfile.TarInfo("large.txt")
    member.pax_headers = {"GNU.sparse.map": "0,0", "GNU.sparse.size": str(2**40)}
    with tarfile.open(tmp_path / "MQ2008.tar", "w") as made:
        made.addfile(member)
    assert_refused(tmp_path / "MQ2008.tar", target, "cannot be read here .large.txt has holes.: unpack it by hand")


@pytest.mark.parametrize("ending", [".zip", ".tar.gz"])
def test_an_archive_that_expands_to_more_than_its_size_allows_is_refused(tmp_path, target, ending, monkeypatch):
    monkeypatch.setattr(fetch, "ALWAYS_ALLOWED", 10_000)
    archive = packed(tmp_path / f"a{ending}", {"one": "0" * 6_000_000, "two": "0" * 6_000_000})
    allowed = max(10_000, fetch.MOST_TIMES * archive.stat().st_size)
    assert_refused(archive, target, f"holds .* bytes or more, expected at most {allowed:,}, 200 times")


# What is damaged

NOISE = np.random.default_rng(1).bytes(1500).hex()
CHECKED = [".zip", ".stored.zip", ".tar.gz", ".tar.bz2", ".tar.xz"]  # a plain .tar has no checksum of its contents


@pytest.mark.parametrize("ending", CHECKED)
def test_a_damaged_archive_is_unpacked_right_or_refused_by_name(tmp_path, target, ending, monkeypatch):
    """Ten thousand archives in all under LABEL_STUDIES_TESTS=all."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    rng, right = (
        np.random.default_rng(32),
        {"Fold1/train.txt": NOISE, "Fold1/test.txt": "1 qid:1 1:1\n" * 90, "README": "x"},
    )
    archive = packed(tmp_path / f"a{ending}", right)
    whole, n_right, n = archive.read_bytes(), 0, 2000 if LARGE else 25
    for _ in range(n):
        archive.write_bytes(damaged(whole, rng))
        try:
            fetch.unpack(archive, target)
        except ValueError:
            assert_refused(archive, target, "expected|by hand")
        else:
            assert contents(target) == right
            n_right += 1
            shutil.rmtree(target)
    assert n_right < 0.5 * n


def test_a_checksum_that_is_wrong_and_a_list_of_members_that_was_lost_are_told(tmp_path, target):
    tar, archive = packed(tmp_path / "a.tar.gz", {"train.txt": NOISE}), packed(tmp_path / "a.zip", {"one": "1"})
    content = bytearray(tar.read_bytes())
    content[-7] ^= 1  # all members can be read
    tar.write_bytes(content)
    assert_refused(tar, target, r"a\.tar\.gz: damaged or cut off")
    archive.write_bytes(archive.read_bytes()[:-22] + b"PK\5\6" + bytes(18))
    assert_refused(archive, target, "it lists 0 members, but counts 0")


# What is downloaded

SOME = DATA_SETS["mq2008"]


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A folder, and the loopback address that serves it."""
    folder = tmp_path_factory.mktemp("served")
    handler = functools.partial(QuietHandler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield folder, f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_files_are_downloaded_into_their_folders_all_or_none(server, target):
    folder, address = server
    (folder / "Fold1").mkdir()
    (folder / "Fold1/one.txt").write_text("one")
    (folder / "two.txt").write_text("two")
    known = {name: sha256(folder / name) for name in ("Fold1/one.txt", "two.txt")}
    (folder / "two.txt").write_text("changed since")
    for files, error, message in (
        (known, ValueError, r"two\.txt: SHA256 hash"),
        ({"missing.txt": "0" * 64}, OSError, r"missing\.txt: could not be downloaded"),
    ):
        with pytest.raises(error, match=message):
            fetch.download(replace(SOME, download={"base": address, "files": files}), target)
        assert not list(target.parent.iterdir())
    (folder / "two.txt").write_text("two")
    fetch.download(replace(SOME, download={"base": address, "files": known}), target)
    assert contents(target.parent) == {"MQ2008/Fold1/one.txt": "one", "MQ2008/two.txt": "two"}


def test_a_downloaded_archive_is_unpacked_and_not_kept(server, target):
    folder, address = server
    archive = packed(folder / "a.tar.gz", {"sample/train.txt": "one"})
    fetch.download(replace(SOME, sha256=sha256(archive), download={"address": address + "a.tar.gz"}), target)
    assert contents(target.parent) == {"MQ2008/sample/train.txt": "one"}


SAMPLE = DATA_SETS["mslr-sample"]


@pytest.mark.parametrize(
    "is_right", [True, pytest.param(False, marks=pytest.mark.skipif(not LARGE, reason="pip once more"))]
)
def test_the_sample_is_taken_from_its_package_by_sha256_without_running_any_of_it(
    tmp_path, target, monkeypatch, is_right
):
    """pip finds the package in a folder; its setup.py would leave a trace."""
    pytest.importorskip("pip")
    setup = f"open({str(tmp_path / 'was-run')!r}, 'w').close()\nimport setuptools\nsetuptools.setup(name='rankeval')\n"
    members = {"rankeval-0.8.2/setup.py": setup, "rankeval-0.8.2/PKG-INFO": "Name: rankeval\nVersion: 0.8.2\n"}
    members |= {member: f"rows of {path}" for path, member in SAMPLE.download["files"].items()}
    (tmp_path / "packages").mkdir()
    archive = packed(tmp_path / "packages" / "rankeval-0.8.2.tar.gz", members)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(archive.parent))
    known = SAMPLE.download | {"sha256": sha256(archive) if is_right else "0" * 64}
    if is_right:
        fetch.download(replace(SAMPLE, download=known), target)
        assert contents(target) == {path: f"rows of {path}" for path in ("Fold1/train.txt", "Fold1/test.txt")}
    else:
        with pytest.raises(OSError, match=r"(?s)could not be downloaded, pip says:.*DO NOT MATCH THE HASHES"):
            fetch.download(replace(SAMPLE, download=known), target)
        assert not target.exists()
    assert not (tmp_path / "was-run").exists()


def test_a_python_without_pip_is_told_how_to_get_it(target, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(OSError, match=r"downloaded by pip, missing here: run .* -m ensurepip"):
        fetch.download(SAMPLE, target)
