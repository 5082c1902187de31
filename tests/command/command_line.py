"""The command, as a test gives it."""

from click.testing import CliRunner, Result

from helpers.command.cli import main


def invoke(*arguments) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])
