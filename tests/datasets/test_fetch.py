"""Archives unpacked or refused, downloads, and the sample in a source package."""

import contextlib
import functools
import gzip
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
HOSTILE_NAMES = ["../outside.txt", "MQ2008/../../outside.txt", "/outside.txt", "..\\outside.txt"]


@pytest.fixture
def target(tmp_path):
    """A folder to be made, in an otherwise empty one."""
    return tmp_path / "data" / "MQ2008"


def tarred(path, members):
    """A tar of (name, text, type) members; links lead to the text."""
    with tarfile.open(path, f"w:{path.suffix[1:].replace('tgz', 'gz').replace('tar', '')}") as archive:
        for name, text, kind in members:
            member = tarfile.TarInfo(name)
            member.type = kind
            member.linkname = text if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE) else ""
            member.size = len(text) if kind == tarfile.REGTYPE else 0
            archive.addfile(member, io.BytesIO(text.encode()))
    return path


def contents(directory):
    return {path.relative_to(directory).as_posix(): path.read_text() for path in directory.rglob("*") if path.is_file()}


def assert_nothing_left(target):
    assert not target.parent.exists() or not list(target.parent.iterdir())


def zipped(path, members):
    """A zip of (name, text, mode) members."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text, mode in members:
            member = zipfile.ZipInfo("x")
            member.filename = name  # as it is: the constructor would change it on some systems
            member.external_attr = mode << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, text)
    return path


def test_a_zip_is_unpacked_into_the_target_and_nothing_else_stays(tmp_path, target):
    fetch.unpack(zipped(tmp_path / "a.zip", [("Fold1/train.txt", "one", 0), ("README", "two", 0o100644)]), target)
    assert contents(target) == {"Fold1/train.txt": "one", "README": "two"}
    assert list(target.parent.iterdir()) == [target]


@pytest.mark.parametrize("suffix", [".tar", ".tgz", ".tar.xz"])
def test_a_tar_of_any_compression_is_unpacked(tmp_path, target, suffix):
    fetch.unpack(tarred(tmp_path / f"a{suffix}", [("Fold1/train.txt", "one", tarfile.REGTYPE)]), target)
    assert contents(target) == {"Fold1/train.txt": "one"}


def test_backslashes_in_a_zip_from_windows_separate_folders(tmp_path, target):
    fetch.unpack(zipped(tmp_path / "a.zip", [("Fold1\\train.txt", "one", 0)]), target)
    assert contents(target) == {"Fold1/train.txt": "one"}


@pytest.mark.parametrize("name", HOSTILE_NAMES)
@pytest.mark.parametrize("suffix", [".zip", ".tar.gz"])
def test_nothing_is_written_outside_the_folder(tmp_path, target, suffix, name):
    make, kind = (zipped, 0) if suffix == ".zip" else (tarred, tarfile.REGTYPE)
    archive = make(tmp_path / f"a{suffix}", [("fine.txt", "fine", kind), (name, "hostile", kind)])
    with contextlib.suppress(ValueError):
        fetch.unpack(archive, target)
    assert all(path.is_relative_to(target) for path in tmp_path.rglob("*outside*"))


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_links_to_elsewhere_and_devices_are_refused_by_name(tmp_path, target, kind):
    archive = tarred(tmp_path / "a.tar", [("inside.txt", "fine", tarfile.REGTYPE), ("odd", "/etc/passwd", kind)])
    with pytest.raises(ValueError, match=r"a\.tar: 'odd' .*: unpack it by hand if it is to be trusted"):
        fetch.unpack(archive, target)
    assert_nothing_left(target)


def test_an_archive_of_a_known_sha256_is_that_one(tmp_path, target):
    archive = zipped(tmp_path / "a.zip", [("one.txt", "one", 0)])
    with pytest.raises(
        ValueError, match=rf"a\.zip: its sha256 is {sha256(archive)}, expected {'0' * 64}: get it again"
    ):
        fetch.unpack(archive, target, "0" * 64)
    assert_nothing_left(target)
    fetch.unpack(archive, target, sha256(archive))
    assert contents(target) == {"one.txt": "one"}


# What is damaged


def incompressible(length, seed):
    return np.random.default_rng(seed).bytes(length // 2).hex()


CHECKED = [".zip", ".stored.zip", ".tar.gz", ".tar.bz2", ".tar.xz"]  # a plain .tar has no checksum of its contents
N_DAMAGED = 10_000 // len(CHECKED) if LARGE else 25


def of_three_files(path):
    """An archive of three files in two folders."""
    texts = {"Fold1/train.txt": incompressible(3000, 1), "Fold1/test.txt": "1 qid:1 1:1\n" * 90, "README": "x"}
    if path.suffix == ".zip":
        method = zipfile.ZIP_STORED if "stored" in path.name else zipfile.ZIP_DEFLATED
        with zipfile.ZipFile(path, "w", method) as packed:
            for name, text in texts.items():
                packed.writestr(name, text)
    else:
        tarred(path, [(name, text, tarfile.REGTYPE) for name, text in texts.items()])
    return path


def read_bytes(directory):
    files = (path for path in directory.rglob("*") if path.is_file())
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in files}


def unpacked(archive, target):
    """What is unpacked, or None where the archive is refused in one line that names it."""
    shutil.rmtree(target, ignore_errors=True)
    try:
        fetch.unpack(archive, target)
    except ValueError as error:
        line = str(error)
    else:
        return read_bytes(target)
    assert line.startswith(f"{archive}: ")
    assert "\n" not in line
    assert_nothing_left(target)
    return None


@pytest.mark.parametrize("suffix", CHECKED)
def test_a_damaged_archive_is_unpacked_right_or_refused_by_name(tmp_path, target, suffix, monkeypatch):
    """Ten thousand archives in all under LABEL_STUDIES_TESTS=all."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    rng = np.random.default_rng(32)
    archive = of_three_files(tmp_path / f"a{suffix}")
    whole, right = archive.read_bytes(), unpacked(archive, target)
    results = []
    for _ in range(N_DAMAGED):
        archive.write_bytes(damaged(whole, rng))
        results.append(unpacked(archive, target))
    read = [found for found in results if found is not None]
    assert all(found == right for found in read)
    print(f"{suffix}: {len(results)} damaged, {len(read)} read right, {len(results) - len(read)} refused")
    assert len(read) < 0.5 * len(results)


def test_a_tar_whose_checksum_is_wrong_is_refused_though_all_its_members_can_be_read(tmp_path, target):
    archive = tmp_path / "a.tar"
    tarred(archive, [("train.txt", incompressible(3000, 2), tarfile.REGTYPE)])
    packed = tmp_path / "packed.tar.gz"
    with gzip.open(packed, "wb") as file:
        file.write(archive.read_bytes())
    content = bytearray(packed.read_bytes())
    content[-7] ^= 1
    packed.write_bytes(content)
    with pytest.raises(ValueError, match=r"packed\.tar\.gz: damaged or cut off"):
        fetch.unpack(packed, target)
    assert_nothing_left(target)


def test_a_zip_whose_list_of_members_was_lost_is_no_empty_one(tmp_path, target):
    archive = zipped(tmp_path / "a.zip", [("one", "1", 0)])
    content = archive.read_bytes()
    archive.write_bytes(content[:-22] + b"PK\5\6" + bytes(18))
    with pytest.raises(ValueError, match="it lists 0 members, but counts 0"):
        fetch.unpack(archive, target)


# What is too large


@pytest.mark.parametrize("suffix", [".zip", ".tar.gz"])
def test_an_archive_that_expands_to_more_than_its_size_allows_is_refused(tmp_path, target, suffix, monkeypatch):
    monkeypatch.setattr(fetch, "ALWAYS_ALLOWED", 10_000)
    make, kind = (zipped, 0) if suffix == ".zip" else (tarred, tarfile.REGTYPE)
    archive = make(tmp_path / f"a{suffix}", [("one", "0" * 6_000_000, kind), ("two", "0" * 6_000_000, kind)])
    allowed = max(10_000, fetch.MOST_TIMES * archive.stat().st_size)
    with pytest.raises(
        ValueError, match=rf"a{suffix}: holds .* bytes or more, expected at most {allowed:,}, 200 times"
    ):
        fetch.unpack(archive, target)
    assert_nothing_left(target)


# What is downloaded


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


SOME = DATA_SETS["mq2008"]


def files_at(base, sha256):
    return replace(SOME, download={"base": base, "files": sha256})


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def served(tmp_path):
    """A folder, and the loopback address that serves it."""
    folder = tmp_path / "served"
    folder.mkdir()
    handler = functools.partial(QuietHandler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield folder, f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_files_are_downloaded_into_their_folders(served, target):
    folder, address = served
    (folder / "Fold1").mkdir()
    (folder / "Fold1/one.txt").write_text("one")
    (folder / "two.txt").write_text("two")
    fetch.download(files_at(address, {name: sha256(folder / name) for name in ("Fold1/one.txt", "two.txt")}), target)
    assert contents(target.parent) == {"MQ2008/Fold1/one.txt": "one", "MQ2008/two.txt": "two"}


def test_one_file_with_another_sha256_and_none_is_kept(served, target):
    folder, address = served
    (folder / "one.txt").write_text("one")
    (folder / "two.txt").write_text("two")
    wanted = {name: sha256(folder / name) for name in ("one.txt", "two.txt")}
    (folder / "two.txt").write_text("changed since")
    with pytest.raises(ValueError, match=r"two\.txt: SHA256 hash"):
        fetch.download(files_at(address, wanted), target)
    assert_nothing_left(target)


def test_an_address_that_does_not_answer_is_named(served, target):
    with pytest.raises(OSError, match=r"missing\.txt: could not be downloaded"):
        fetch.download(files_at(served[1], {"missing.txt": "0" * 64}), target)
    assert_nothing_left(target)


def test_a_downloaded_archive_is_unpacked_and_not_kept(served, target):
    folder, address = served
    archive = tarred(folder / "a.tar.gz", [("sample/train.txt", "one", tarfile.REGTYPE)])
    known = replace(SOME, sha256=sha256(archive), download={"address": address + "a.tar.gz"})
    fetch.download(known, target)
    assert contents(target.parent) == {"MQ2008/sample/train.txt": "one"}


SAMPLE = DATA_SETS["mslr-sample"]


def of_sha256(sha256):
    return replace(SAMPLE, download=SAMPLE.download | {"sha256": sha256})


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A source package that pip finds in a folder, whose setup.py leaves a trace if it is run."""
    pytest.importorskip("pip")
    folder = tmp_path / "packages"
    folder.mkdir()
    trace = f"open({str(tmp_path / 'setup-was-run')!r}, 'w').close()\n"
    setup = trace + "from setuptools import setup\nsetup(name='rankeval', version='0.8.2')\n"
    members = [("rankeval-0.8.2/setup.py", setup), ("rankeval-0.8.2/PKG-INFO", "Name: rankeval\nVersion: 0.8.2\n")]
    members += [(member, f"rows of {path}") for path, member in SAMPLE.download["files"].items()]
    archive = tarred(folder / "rankeval-0.8.2.tar.gz", [(*member, tarfile.REGTYPE) for member in members])
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return archive


def test_the_sample_is_taken_from_the_package_without_running_any_of_it(package, tmp_path, target):
    fetch.download(of_sha256(sha256(package)), target)
    assert contents(target.parent) == {
        "MQ2008/Fold1/train.txt": "rows of Fold1/train.txt",
        "MQ2008/Fold1/test.txt": "rows of Fold1/test.txt",
    }
    assert not (tmp_path / "setup-was-run").exists()


@pytest.mark.skipif(not LARGE, reason="pip once more: LABEL_STUDIES_TESTS=all")
def test_a_package_with_another_sha256_is_refused(package, tmp_path, target):
    with pytest.raises(
        OSError, match=r"(?s)rankeval 0.8.2 could not be downloaded, pip says:.*DO NOT MATCH THE HASHES"
    ):
        fetch.download(of_sha256("0" * 64), target)
    assert_nothing_left(target)
    assert not (tmp_path / "setup-was-run").exists()


def test_a_python_without_pip_is_told_how_to_get_it(target, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(OSError, match=r"downloaded by pip, missing here: run .* -m ensurepip"):
        fetch.download(SAMPLE, target)
