"""How the command ends where it does not do what it was asked: one line for the user, and an exit code."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import click

from helpers import paths

# what an error of the system speaks of that names no file: `files.replacing` names those that the command writes
_NAMELESS = {errno.ENOENT: "the working directory", errno.ENOSPC: "the standard output"}
_OF_OUTPUT = (errno.EPIPE, errno.ENOSPC)  # errors that are those of the command's own words where they name no file
_ENDED_BY = 128  # what a shell adds to the number of a signal for the exit code of a program that it ended


class Command(click.Group):
    """Commands that end in one line at Ctrl-C or another signal, and where their own words cannot be written.

    Nothing is said where the reader of a pipe went away. What the terminal cannot print is a question mark there.
    """

    def main(self, *args: Any, **options: Any) -> Any:
        """Do what the line asks for."""
        if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
            sys.stdout.reconfigure(errors="replace")
        try:
            try:
                with _ended_by_signals():
                    return super().main(*args, **options)
            finally:
                if sys.stdout:  # None where the caller closed it
                    sys.stdout.flush()
        except OSError as error:  # all others were turned into a line by `refusing`
            _end(error)

    def invoke(self, ctx: click.Context) -> None:
        """Invoke a command."""
        with refusing():
            os.getcwd()  # which may have been deleted
        try:
            super().invoke(ctx)
        except KeyboardInterrupt as error:
            click.echo("\ninterrupted", err=True)
            [number] = error.args or [signal.SIGINT]
            ctx.exit(_ENDED_BY + number)


class Refused(click.ClickException):
    """What the user asked for cannot be done as it was asked."""

    exit_code = 2


class Failed(click.ClickException):
    """What the user asked for was begun and did not come to its end."""

    exit_code = 1


class _Place(click.Path):
    """A path, as `paths.named` reads it; the shell completes it as click has it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path."""
        try:
            return paths.named(value)
        except ValueError as error:
            raise Refused(f"{param.get_error_hint(ctx)}: {error}") from error


PLACE, FOLDER = _Place(), _Place(file_okay=False)


@contextlib.contextmanager
def refusing(kind: type[click.ClickException] = Refused) -> Iterator[None]:
    """Turn errors of bad input, or of a disk, into one line and the exit code of that kind."""
    try:
        yield
    except (ValueError, OSError) as error:
        if isinstance(error, OSError) and error.filename is None and error.errno in _OF_OUTPUT:
            raise
        raise kind(" ".join(_said(error).splitlines())) from error


def _said(error: Exception) -> str:
    """What went wrong, of a system's error the file before its words.

    >>> _said(FileNotFoundError(2, "No such file or directory", "mine.csv"))
    'mine.csv: no such file or directory'
    >>> _said(ValueError("grade is -1"))
    'grade is -1'
    """
    if isinstance(error, OSError) and error.strerror:
        place = error.filename2 or error.filename or _NAMELESS.get(error.errno)
        said = f"{error.strerror[0].lower()}{error.strerror[1:]}"
        return f"{place}: {said}" if place else said
    return str(error)


def _end(error: OSError) -> None:
    """Leave, as what the command says cannot be written; what still waits to be written goes nowhere."""
    if error.errno != errno.EPIPE:
        with contextlib.suppress(OSError):  # the standard error is full as well
            click.echo(f"Error: {_said(error)}", err=True)
    with contextlib.suppress(OSError, AttributeError), open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())  # which a test, or a caller, may have put something else for
    sys.exit(1)


@contextlib.contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Have signals that would end this process without a word do while the block lasts what Ctrl-C does."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt(number)

    here = threading.current_thread() is threading.main_thread()
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    mine = [number for number in numbers if here and signal.getsignal(number) is signal.SIG_DFL]
    for number in mine:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number in mine:
            signal.signal(number, signal.SIG_DFL)
