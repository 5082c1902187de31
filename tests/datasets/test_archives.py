"""Archives: what is unpacked, what is refused, and that nothing damaged passes for whole."""

import bz2
import gzip
import hashlib
import lzma
import os
import shutil
import stat
import tarfile
import zipfile

import numpy as np
import pytest
from damage import damaged
from packed import assert_nothing_left, contents, tarred

from helpers.datasets import archives

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
HOSTILE_NAMES = ["../outside.txt", "MQ2008/../../outside.txt", "/outside.txt", "C:\\outside.txt", "..\\outside.txt"]


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
    archives.unpack(zipped(tmp_path / "a.zip", [("Fold1/train.txt", "one", 0), ("README", "two", 0o100644)]), target)
    assert contents(target) == {"Fold1/train.txt": "one", "README": "two"}
    assert list(target.parent.iterdir()) == [target]


@pytest.mark.parametrize("suffix", [".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"])
def test_a_tar_of_any_compression_is_unpacked(tmp_path, target, suffix):
    archives.unpack(tarred(tmp_path / f"a{suffix}", [("Fold1/train.txt", "one", tarfile.REGTYPE)]), target)
    assert contents(target) == {"Fold1/train.txt": "one"}


def test_backslashes_in_a_zip_from_windows_separate_folders(tmp_path, target):
    archives.unpack(zipped(tmp_path / "a.zip", [("Fold1\\train.txt", "one", 0)]), target)
    assert contents(target) == {"Fold1/train.txt": "one"}


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_zip_member_that_leads_outside_is_refused_by_name(tmp_path, target, name):
    archive = zipped(tmp_path / "a.zip", [("fine.txt", "fine", 0), (name, "hostile", 0)])
    with pytest.raises(ValueError, match=r"a.zip: member '.*outside.txt' would be written outside"):
        archives.unpack(archive, target)
    assert_nothing_left(target)
    assert not list(tmp_path.rglob("*outside*"))


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_tar_member_that_leads_outside_is_refused_by_name(tmp_path, target, name):
    archive = tarred(tmp_path / "a.tar.gz", [("fine.txt", "fine", tarfile.REGTYPE), (name, "hostile", tarfile.REGTYPE)])
    with pytest.raises(ValueError, match=r"a.tar.gz: member '.*outside.txt' would be written outside"):
        archives.unpack(archive, target)
    assert_nothing_left(target)
    assert not list(tmp_path.rglob("*outside*"))


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_in_a_tar_are_refused_by_name(tmp_path, target, kind):
    archive = tarred(tmp_path / "a.tar", [("inside.txt", "fine", tarfile.REGTYPE), ("odd", "inside.txt", kind)])
    with pytest.raises(ValueError, match="member 'odd' is a link or a device"):
        archives.unpack(archive, target)
    assert_nothing_left(target)


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO])
def test_links_and_devices_in_a_zip_are_refused_by_name(tmp_path, target, kind):
    with pytest.raises(ValueError, match="member 'odd' is a link or a device"):
        archives.unpack(zipped(tmp_path / "a.zip", [("odd", "/etc/passwd", kind | 0o777)]), target)
    assert_nothing_left(target)


@pytest.mark.parametrize("suffix", [".zip", ".tar", ".tar.gz", ".tar.bz2", ".tar.xz"])
@pytest.mark.parametrize("share", [0, 0.5])
def test_an_archive_cut_off_is_refused_and_leaves_nothing(tmp_path, target, suffix, share):
    text = "".join(hashlib.sha256(bytes([i % 256, i // 256])).hexdigest() for i in range(4000))
    make, kind = (zipped, 0) if suffix == ".zip" else (tarred, tarfile.REGTYPE)
    archive = make(tmp_path / f"a{suffix}", [("train.txt", text, kind), ("test.txt", text, kind)])
    archive.write_bytes(archive.read_bytes()[: int(share * archive.stat().st_size)])
    with pytest.raises(ValueError, match=f"a{suffix}: damaged or cut off"):
        archives.unpack(archive, target)
    assert_nothing_left(target)


def test_a_folder_that_is_there_is_never_overwritten(tmp_path, target):
    target.mkdir(parents=True)
    (target / "mine.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="MQ2008: is there already"):
        archives.unpack(zipped(tmp_path / "a.zip", [("mine.txt", "theirs", 0)]), target)
    assert contents(target) == {"mine.txt": "mine"}


# What is damaged


def incompressible(length, seed):
    return np.random.default_rng(seed).bytes(length // 2).hex()


CHECKED = [".zip", ".stored.zip", ".tar.gz", ".tar.bz2", ".tar.xz"]  # a plain .tar has no checksum of its contents
N_DAMAGED = 10_000 // len(CHECKED) if LARGE else 60


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
        archives.unpack(archive, target)
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


def test_a_damaged_tar_without_checksum_is_unpacked_with_its_files_or_refused_by_name(tmp_path, target):
    rng = np.random.default_rng(33)
    archive = of_three_files(tmp_path / "a.tar")
    whole, right = archive.read_bytes(), unpacked(archive, target)
    for _ in range(N_DAMAGED):
        at, bit = rng.integers(len(whole)), 1 << rng.integers(8)
        archive.write_bytes(whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :])
        found = unpacked(archive, target)
        assert found is None or {name: len(text) for name, text in found.items()} == {
            name: len(text) for name, text in right.items()
        }


@pytest.mark.parametrize("opener", [gzip.open, bz2.open, lzma.open])
def test_a_tar_whose_checksum_is_wrong_is_refused_though_all_its_members_can_be_read(tmp_path, target, opener):
    archive = tmp_path / "a.tar"
    tarred(archive, [("train.txt", incompressible(3000, 2), tarfile.REGTYPE)])
    packed = tmp_path / "packed.tar.gz"
    with opener(packed, "wb") as file:
        file.write(archive.read_bytes())
    content = bytearray(packed.read_bytes())
    content[-7] ^= 1
    packed.write_bytes(content)
    with pytest.raises(ValueError, match=r"packed\.tar\.gz: damaged or cut off"):
        archives.unpack(packed, target)
    assert_nothing_left(target)


@pytest.mark.parametrize("cut", [0, 512])
def test_a_tar_that_ends_between_two_members_is_refused(tmp_path, target, cut):
    archive = tarred(tmp_path / "a.tar", [(name, "x" * 512, tarfile.REGTYPE) for name in ("one", "two")])
    archive.write_bytes(archive.read_bytes()[: 1024 + cut])
    with pytest.raises(ValueError, match=r"a\.tar: damaged or cut off \(.*\), expected a whole archive"):
        archives.unpack(archive, target)


def test_a_tar_with_a_damaged_header_after_the_first_member_is_refused(tmp_path, target):
    archive = tarred(tmp_path / "a.tar", [(name, "x" * 512, tarfile.REGTYPE) for name in ("one", "two")])
    content = bytearray(archive.read_bytes())
    content[1024] ^= 1
    archive.write_bytes(content)
    with pytest.raises(ValueError, match="what follows the last member is no member"):
        archives.unpack(archive, target)


def test_a_zip_that_counts_more_members_than_it_lists_is_refused(tmp_path, target):
    archive = zipped(tmp_path / "a.zip", [("one", "1", 0), ("two", "2", 0)])
    content = bytearray(archive.read_bytes())
    content[-12] = 3
    archive.write_bytes(content)
    with pytest.raises(ValueError, match="it lists 2 members, but counts 3"):
        archives.unpack(archive, target)


def test_a_zip_whose_list_of_members_was_lost_is_no_empty_one(tmp_path, target):
    archive = zipped(tmp_path / "a.zip", [("one", "1", 0)])
    content = archive.read_bytes()
    archive.write_bytes(content[:-22] + b"PK\5\6" + bytes(18))
    with pytest.raises(ValueError, match="bytes before the first member that it lists"):
        archives.unpack(archive, target)


# What is too large


@pytest.mark.parametrize("suffix", [".zip", ".tar.gz", ".tar.bz2", ".tar.xz"])
def test_an_archive_that_expands_to_more_than_its_size_allows_is_refused(tmp_path, target, suffix, monkeypatch):
    monkeypatch.setattr(archives, "ALWAYS_ALLOWED", 10_000)
    make, kind = (zipped, 0) if suffix == ".zip" else (tarred, tarfile.REGTYPE)
    archive = make(tmp_path / f"a{suffix}", [("one", "0" * 6_000_000, kind), ("two", "0" * 6_000_000, kind)])
    allowed = max(10_000, archives.MOST_TIMES * archive.stat().st_size)
    with pytest.raises(
        ValueError, match=rf"a{suffix}: holds .* bytes or more, expected at most {allowed:,}, 200 times"
    ):
        archives.unpack(archive, target)
    assert_nothing_left(target)


def test_zeros_after_the_last_member_are_bounded_too(tmp_path, target, monkeypatch):
    monkeypatch.setattr(archives, "ALWAYS_ALLOWED", 10_000)
    archive = tarred(tmp_path / "a.tar", [("one", "1", tarfile.REGTYPE)])
    packed = tmp_path / "a.tar.gz"
    packed.write_bytes(gzip.compress(archive.read_bytes() + bytes(10_000_000)))
    with pytest.raises(ValueError, match=r"a\.tar\.gz: holds .* bytes or more"):
        archives.unpack(packed, target)
    assert_nothing_left(target)


@pytest.mark.parametrize("before", [[], [("one", "1", tarfile.REGTYPE)]], ids=["first", "second"])
@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME])
@pytest.mark.parametrize("size", [2**28, 2**21])
def test_a_header_of_any_length_is_not_read_into_memory(tmp_path, target, before, kind, size):
    member = tarfile.TarInfo("long")
    member.type, member.size = kind, size
    start = tarred(tmp_path / "a.tar", before).read_bytes()[: 1024 * len(before)]
    archive = tmp_path / "a.tar.bz2"
    archive.write_bytes(bz2.compress(start + member.tobuf(tarfile.USTAR_FORMAT) + bytes(2**21)))
    with pytest.raises(ValueError, match="a member with headers of more than 1,048,576 bytes"):
        archives.unpack(archive, target)
    assert_nothing_left(target)


def test_any_number_of_members_has_headers(tmp_path, target, monkeypatch):
    monkeypatch.setattr(archives, "LONGEST_HEADER", 10_000)
    members = [(str(i), "", tarfile.REGTYPE) for i in range(30)]  # of 512 bytes each
    archives.unpack(tarred(tmp_path / "a.tar", members), target)
    assert len(contents(target)) == 30


def test_an_archive_called_packed_that_is_not_is_unpacked(tmp_path, target):
    plain = tarred(tmp_path / "a.tar", [("one", "1", tarfile.REGTYPE)])
    archives.unpack(plain.rename(tmp_path / "a.tar.gz"), target)
    assert contents(target) == {"one": "1"}
