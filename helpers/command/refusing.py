"""How the command ends where it does not do what it was asked: one line for the user, and an exit code."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import click

INTERRUPTED = 130


class Interruptible(click.Group):
    """Commands that end at Ctrl-C with the exit code which a shell expects."""

    def invoke(self, ctx: click.Context) -> None:
        """Invoke a command."""
        try:
            super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("\ninterrupted", err=True)
            ctx.exit(INTERRUPTED)


class Refused(click.ClickException):
    """What the user asked for cannot be done as it was asked."""

    exit_code = 2


class Failed(click.ClickException):
    """What the user asked for was begun and did not come to its end."""

    exit_code = 1


@contextlib.contextmanager
def refusing(kind: type[click.ClickException] = Refused) -> Iterator[None]:
    """Turn errors of bad input, or of a disk, into one line and the exit code of that kind."""
    try:
        yield
    except (ValueError, OSError) as error:
        raise kind(" ".join(_said(error).splitlines())) from error


def _said(error: Exception) -> str:
    """What went wrong, of a system's error the file before its words.

    >>> _said(FileNotFoundError(2, "No such file or directory", "mine.csv"))
    'mine.csv: no such file or directory'
    >>> _said(ValueError("grade is -1"))
    'grade is -1'
    """
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename2 or error.filename}: {error.strerror[0].lower()}{error.strerror[1:]}"
    return str(error)
