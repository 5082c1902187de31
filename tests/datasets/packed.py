"""Archives for tests, and what was unpacked of them."""

import io
import tarfile


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
