"""The command, as a test gives it."""

import subprocess
import sys

from click.testing import CliRunner, Result

from helpers.command.cli import main

# the same in a process of its own, on the notebooks of a folder, of which no study has settled results
PROCESS = """\
import pathlib, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from helpers import paths
from helpers.command.cli import main
from helpers.studies import ledger
folder, project, none = sys.argv.pop(1), paths.project, ledger.stored().iloc[:0]
ledger.stored = lambda *studies: none
paths.project = lambda part: pathlib.Path(folder) if part == "notebooks" else project(part)
main()"""


def invoke(*arguments) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def begun(notebooks, *arguments, **options) -> subprocess.Popen:
    command = [sys.executable, "-c", PROCESS, str(notebooks), *arguments]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, **options)
