"""Archives, downloads and the sample in a source package."""

import functools
import hashlib
import http.server
import importlib.util
import tarfile
import threading

import pytest
from packed import assert_nothing_left, contents, tarred

from helpers.datasets import fetch


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


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
