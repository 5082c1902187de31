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
        raise kind(" ".join(str(error).splitlines())) from error
