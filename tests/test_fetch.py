"""Archives, downloads and the sample in a source package."""

import functools
import hashlib
import http.server
import importlib.util
import io
import stat
import tarfile
import threading
import zipfile

import pytest

from helpers import fetch

HOSTILE_NAMES = ["../outside.txt", "MQ2008/../../outside.txt", "/outside.txt", "C:\\outside.txt", "..\\outside.txt"]


def zipped(path, members):
    """A zip of (name, text, mode) members."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text, mode in members:
            member = zipfile.ZipInfo("x")
            member.filename = name  # as it is: the constructor would change it on some systems
            member.external_attr = mode << 16
            archive.writestr(member, text)
    return path


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


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def target(tmp_path):
    """A folder to be made, in an otherwise empty one."""
    return tmp_path / "data" / "MQ2008"


def assert_nothing_left(target):
    assert not target.parent.exists() or not list(target.parent.iterdir())


def test_a_zip_is_unpacked_into_the_target_and_nothing_else_stays(tmp_path, target):
    fetch.unpack(zipped(tmp_path / "a.zip", [("Fold1/train.txt", "one", 0), ("README", "two", 0o100644)]), target)
    assert contents(target) == {"Fold1/train.txt": "one", "README": "two"}
    assert list(target.parent.iterdir()) == [target]


@pytest.mark.parametrize("suffix", [".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"])
def test_a_tar_of_any_compression_is_unpacked(tmp_path, target, suffix):
    fetch.unpack(tarred(tmp_path / f"a{suffix}", [("Fold1/train.txt", "one", tarfile.REGTYPE)]), target)
    assert contents(target) == {"Fold1/train.txt": "one"}


def test_backslashes_in_a_zip_from_windows_separate_folders(tmp_path, target):
    fetch.unpack(zipped(tmp_path / "a.zip", [("Fold1\\train.txt", "one", 0)]), target)
    assert contents(target) == {"Fold1/train.txt": "one"}


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_zip_member_that_leads_outside_is_refused_by_name(tmp_path, target, name):
    archive = zipped(tmp_path / "a.zip", [("fine.txt", "fine", 0), (name, "hostile", 0)])
    with pytest.raises(ValueError, match=r"a.zip: member '.*outside.txt' would be written outside"):
        fetch.unpack(archive, target)
    assert_nothing_left(target)
    assert not list(tmp_path.rglob("*outside*"))


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_tar_member_that_leads_outside_is_refused_by_name(tmp_path, target, name):
    archive = tarred(tmp_path / "a.tar.gz", [("fine.txt", "fine", tarfile.REGTYPE), (name, "hostile", tarfile.REGTYPE)])
    with pytest.raises(ValueError, match=r"a.tar.gz: member '.*outside.txt' would be written outside"):
        fetch.unpack(archive, target)
    assert_nothing_left(target)
    assert not list(tmp_path.rglob("*outside*"))


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_in_a_tar_are_refused_by_name(tmp_path, target, kind):
    archive = tarred(tmp_path / "a.tar", [("inside.txt", "fine", tarfile.REGTYPE), ("odd", "inside.txt", kind)])
    with pytest.raises(ValueError, match="member 'odd' is a link or a device"):
        fetch.unpack(archive, target)
    assert_nothing_left(target)


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO])
def test_links_and_devices_in_a_zip_are_refused_by_name(tmp_path, target, kind):
    with pytest.raises(ValueError, match="member 'odd' is a link or a device"):
        fetch.unpack(zipped(tmp_path / "a.zip", [("odd", "/etc/passwd", kind | 0o777)]), target)
    assert_nothing_left(target)


@pytest.mark.parametrize("suffix", [".zip", ".tar", ".tar.gz", ".tar.bz2", ".tar.xz"])
@pytest.mark.parametrize("share", [0, 0.5])
def test_an_archive_cut_off_is_refused_and_leaves_nothing(tmp_path, target, suffix, share):
    text = "".join(hashlib.sha256(bytes([i % 256, i // 256])).hexdigest() for i in range(4000))
    make, kind = (zipped, 0) if suffix == ".zip" else (tarred, tarfile.REGTYPE)
    archive = make(tmp_path / f"a{suffix}", [("train.txt", text, kind), ("test.txt", text, kind)])
    archive.write_bytes(archive.read_bytes()[: int(share * archive.stat().st_size)])
    with pytest.raises(ValueError, match=f"a{suffix}: damaged or cut off"):
        fetch.unpack(archive, target)
    assert_nothing_left(target)


def test_a_folder_that_is_there_is_never_overwritten(tmp_path, target):
    target.mkdir(parents=True)
    (target / "mine.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="MQ2008: is there already"):
        fetch.unpack(zipped(tmp_path / "a.zip", [("mine.txt", "theirs", 0)]), target)
    assert contents(target) == {"mine.txt": "mine"}


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
    (folder / "one.txt").write_text("one")
    (folder / "two.txt").write_text("two")
    fetch.download(
        target,
        {
            "Fold1/test.txt": (address + "one.txt", sha256(folder / "one.txt")),
            "Fold2/test.txt": (address + "two.txt", sha256(folder / "two.txt")),
        },
    )
    assert contents(target.parent) == {"MQ2008/Fold1/test.txt": "one", "MQ2008/Fold2/test.txt": "two"}


def test_one_file_with_another_sha256_and_none_is_kept(served, target):
    folder, address = served
    (folder / "one.txt").write_text("one")
    (folder / "two.txt").write_text("two")
    wanted = {name: (address + name, sha256(folder / name)) for name in ("one.txt", "two.txt")}
    (folder / "two.txt").write_text("changed since")
    with pytest.raises(ValueError, match=r"two\.txt: SHA256 hash"):
        fetch.download(target, wanted)
    assert_nothing_left(target)


def test_an_address_that_does_not_answer_is_named(served, target):
    with pytest.raises(OSError, match=r"missing\.txt: could not be downloaded"):
        fetch.download(target, {"a.txt": (served[1] + "missing.txt", "0" * 64)})
    assert_nothing_left(target)


def test_a_downloaded_archive_is_unpacked_and_not_kept(served, target):
    folder, address = served
    archive = tarred(folder / "a.tar.gz", [("sample/train.txt", "one", tarfile.REGTYPE)])
    fetch.download_archive(target, address + "a.tar.gz", sha256(archive))
    assert contents(target.parent) == {"MQ2008/sample/train.txt": "one"}


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A source package that pip finds in a folder, whose setup.py leaves a trace if it is run."""
    pytest.importorskip("pip")
    folder = tmp_path / "packages"
    folder.mkdir()
    trace = f"open({str(tmp_path / 'setup-was-run')!r}, 'w').close()\n"
    setup = trace + "from setuptools import setup\nsetup(name='rankeval', version='0.8.2')\n"
    members = [("rankeval-0.8.2/setup.py", setup), ("rankeval-0.8.2/PKG-INFO", "Name: rankeval\nVersion: 0.8.2\n")]
    members += [(member, f"rows of {path}") for path, member in fetch.SAMPLE_FILES.items()]
    archive = tarred(folder / "rankeval-0.8.2.tar.gz", [(*member, tarfile.REGTYPE) for member in members])
    monkeypatch.setattr(fetch, "SAMPLE_PACKAGE", ("rankeval", "0.8.2", sha256(archive)))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return archive


def test_the_sample_is_taken_from_the_package_without_running_any_of_it(package, tmp_path, target):
    fetch.mslr_sample(target)
    assert contents(target.parent) == {
        "MQ2008/Fold1/train.txt": "rows of Fold1/train.txt",
        "MQ2008/Fold1/test.txt": "rows of Fold1/test.txt",
    }
    assert not (tmp_path / "setup-was-run").exists()


def test_a_package_with_another_sha256_is_refused(package, tmp_path, target, monkeypatch):
    monkeypatch.setattr(fetch, "SAMPLE_PACKAGE", ("rankeval", "0.8.2", "0" * 64))
    with pytest.raises(
        OSError, match=r"(?s)rankeval 0.8.2 could not be downloaded, pip says:.*DO NOT MATCH THE HASHES"
    ):
        fetch.mslr_sample(target)
    assert_nothing_left(target)
    assert not (tmp_path / "setup-was-run").exists()


def test_a_package_that_is_not_to_be_had_is_refused_with_what_pip_says(package, target):
    package.unlink()
    with pytest.raises(OSError, match=r"(?s)pip says:.*No matching distribution found for rankeval==0.8.2"):
        fetch.mslr_sample(target)
    assert_nothing_left(target)


def test_a_python_without_pip_is_told_how_to_get_it(target, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(OSError, match=r"downloaded by pip, missing here: run .* -m ensurepip"):
        fetch.mslr_sample(target)
