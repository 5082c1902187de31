"""Archives unpacked: read to their end, checked against what they announce, complete or not at all."""

from __future__ import annotations

import bz2
import errno
import gzip
import lzma
import math
import shutil
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PureWindowsPath
from typing import BinaryIO, NamedTuple

from helpers import files

SUFFIXES = (".zip", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar")
PACKED = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}  # first bytes of a packed tar
LONGEST_START = 5

MOST_TIMES = 200
ALWAYS_ALLOWED = 2**30
LONGEST_HEADER = 2**20  # headers of a member of a tar that take more bytes hold no name of a file
CHUNK = 2**20
TAR_BLOCK = 512
END_OF_ZIP = b"PK\5\6"
LONGEST_END_OF_ZIP = 22 + 2**16
UNCOUNTED = 0xFFFF  # this many members or more are counted elsewhere

DAMAGED = (
    zipfile.BadZipFile,
    tarfile.TarError,
    lzma.LZMAError,
    zlib.error,
    struct.error,
    EOFError,
    ValueError,
    OverflowError,
    IndexError,
)
IMPOSSIBLE_NAMES = (errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.EINVAL, errno.EILSEQ)


class Member(NamedTuple):
    """A file or folder as an archive announces it."""

    name: str
    size: int  # bytes
    is_folder: bool
    is_plain: bool  # a file or a folder, neither link nor device
    open: Callable[[], BinaryIO]


def unpack(archive: Path, target: Path) -> None:
    """Unpack a zip or tar archive, packed by gzip, bzip2 or xz or not, into a new folder.

    It is read to its end, so that its own checksums are compared (a plain .tar has none of what is in its files), and
    it stands at the target only when every file that it announces has been written with the size that it announces.

    Parameters
    ----------
    archive : its name ends in one of SUFFIXES
    target : the folder to be made

    Raises
    ------
    ValueError
        when a member would land outside the folder or is neither a file nor a folder (links, devices); when the
        members come to more than MOST_TIMES the size of the archive (ALWAYS_ALLOWED bytes are allowed to any); when
        the archive cannot be read. The message names archive and member, and nothing is left behind.
    FileExistsError
        when the target is there already.
    """
    members = _zip_members if archive.suffix == ".zip" else _tar_members
    with files.new_folder(target) as folder, _naming(archive, target):
        announced: dict[Path, int] = {}
        for member in members(archive):
            _refuse_unsafe(archive, member)
            announced[folder / member.name] = member.size
            _refuse_bomb(archive, sum(announced.values()))
            _write(member, folder / member.name)
        for path, size in announced.items():
            _refuse_other_size(path.stat().st_size if path.is_file() else size, size, path.relative_to(folder))


class _ShortError(Exception):
    """What was read is not what was announced."""


class _RefusedError(ValueError):
    """What a whole archive holds is not to be unpacked."""


@contextmanager
def _naming(archive: Path, target: Path) -> Iterator[None]:
    """Name the archive in whatever is wrong with it."""
    try:
        yield
    except _RefusedError:
        raise
    except RuntimeError as error:  # a password, or a compression that zipfile does not know
        raise ValueError(f"{archive}: cannot be read here ({error}): unpack it by hand into {target}") from error
    except (*DAMAGED, _ShortError) as error:
        raise _damaged(archive, error) from error
    except OSError as error:
        if error.errno is None or error.errno in IMPOSSIBLE_NAMES:
            raise _damaged(archive, error) from error
        raise


def _damaged(archive: Path, error: Exception) -> ValueError:
    return ValueError(f"{archive}: damaged or cut off ({error}), expected a whole archive")


def _zip_members(archive: Path) -> Iterator[Member]:
    with zipfile.ZipFile(archive) as packed:
        infos = packed.infolist()
        counted = _counted(archive)
        if len(infos) != counted != UNCOUNTED:
            raise _ShortError(f"it lists {len(infos)} members, but counts {counted}")
        before = min((info.header_offset for info in infos), default=packed.start_dir)
        if before:
            raise _ShortError(f"{before} bytes before the first member that it lists")
        for info in infos:
            kind = stat.S_IFMT(info.external_attr >> 16)
            name = info.filename.replace("\\", "/")  # some archives from Windows
            plain = kind in (0, stat.S_IFREG, stat.S_IFDIR)
            yield Member(name, info.file_size, name.endswith("/"), plain, lambda info=info: packed.open(info))


def _counted(archive: Path) -> int:
    """The number of members in the record that ends a zip."""
    with archive.open("rb") as file:
        file.seek(max(0, archive.stat().st_size - LONGEST_END_OF_ZIP))
        end = file.read()
    start = end.rindex(END_OF_ZIP) + 10
    return int.from_bytes(end[start : start + 2], "little")


def _tar_members(archive: Path) -> Iterator[Member]:
    with _Bounded(archive) as stream, tarfile.open(fileobj=stream, mode="r:") as packed:
        for info in _headers(stream, packed):
            plain = info.isfile() or info.isdir()
            yield Member(info.name, info.size, info.isdir(), plain, lambda info=info: packed.extractfile(info))
        _read_rest(stream, packed.offset)


def _headers(stream: _Bounded, packed: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """Members one after another, of whose headers, however tarfile reads them, no more is taken than is allowed."""
    while info := packed.next():
        stream.left = math.inf
        yield info
        stream.left = LONGEST_HEADER
    stream.left = math.inf


class _Bounded:
    """The unpacked bytes of a tar, which say so where they, or the headers of a member, go on for too long."""

    def __init__(self, archive: Path):
        self.archive = archive
        self.left: float = LONGEST_HEADER  # bytes that may be asked for
        with archive.open("rb") as file:
            start = file.read(LONGEST_START)
        opener = next((opener for first, opener in PACKED.items() if start.startswith(first)), open)
        self.stream = opener(archive, "rb")
        self.seek, self.tell = self.stream.seek, self.stream.tell

    def __enter__(self) -> _Bounded:
        return self

    def __exit__(self, *_) -> None:
        self.stream.close()

    def read(self, size: int) -> bytes:
        self.left -= size
        if self.left < 0:
            raise _ShortError(f"a member with headers of more than {LONGEST_HEADER:,} bytes")
        data = self.stream.read(size)
        _refuse_bomb(self.archive, self.tell())
        return data


def _read_rest(stream: _Bounded, offset: int) -> None:
    """Read what follows the last member, blocks of zeros and the checksum: a header cut or damaged is no end."""
    stream.seek(offset)
    length = 0
    while data := stream.read(CHUNK):
        length += len(data)
        if data.strip(b"\0"):
            raise _ShortError("what follows the last member is no member")
    if length < TAR_BLOCK:
        raise _ShortError("it stops without an end mark")


def _refuse_unsafe(archive: Path, member: Member) -> None:
    path = PureWindowsPath(member.name)  # takes both separators, and drives
    if path.anchor or ".." in path.parts:
        raise _RefusedError(f"{archive}: member {member.name!r} would be written outside the folder it is unpacked to")
    if not member.is_plain:
        raise _RefusedError(f"{archive}: member {member.name!r} is a link or a device, expected files and folders only")


def _refuse_bomb(archive: Path, size: int) -> None:
    allowed = max(ALWAYS_ALLOWED, MOST_TIMES * archive.stat().st_size)
    if size > allowed:
        raise _RefusedError(
            f"{archive}: holds {size:,} bytes or more, expected at most {allowed:,}, {MOST_TIMES} times its own size "
            f"or {ALWAYS_ALLOWED:,}: unpack it by hand if it is to be trusted"
        )


def _refuse_other_size(written: int, announced: int, member: Path | str) -> None:
    if written != announced:
        raise _ShortError(f"{str(member)!r} has {written} bytes, not the {announced} announced")


def _write(member: Member, path: Path) -> None:
    if member.is_folder:
        path.mkdir(parents=True, exist_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with member.open() as packed, path.open("wb") as file:
        shutil.copyfileobj(packed, file, CHUNK)
        _refuse_other_size(file.tell(), member.size, member.name)
