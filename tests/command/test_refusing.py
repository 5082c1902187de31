"""How every command ends where what it says or writes cannot be written, and what it takes for a path."""

import contextlib
import errno
import io
import os
import sys
from pathlib import Path

import click
import pytest
from command_line import invoke

from helpers.command.cli import main
from helpers.command.refusing import Refused

SAY_SOMETHING = (
    ["--help"],
    ["list", "01"],
    ["claims", "06"],
    ["judgments", "mine.csv"],
    ["collection", "mine.qrels", "mine.run", "--out", "mine.txt"],
)
NOTES = {"Not judged of the first 10 documents of each query: none of 1 run."}
"""What a command says beside its output."""

JUDGED = "query,doc,assessor,grade\n" + "".join(f"q{n},d{m},{judge},1\n" for n in "12" for m in "12" for judge in "ab")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.csv").write_text(JUDGED)
    Path("mine.qrels").write_text("q1 0 d1 1\nq1 0 d2 0\n")
    Path("mine.run").write_text("q1 Q0 d1 1 2.0 r\nq1 Q0 d2 2 1.0 r\n")
    return tmp_path


def ended(arguments, stdout, monkeypatch):
    """The exit code of the command where that is its standard output."""
    monkeypatch.setattr(sys, "stdout", stdout)
    monkeypatch.setattr(sys, "stderr", sys.stderr)  # which click replaces
    with pytest.raises(SystemExit) as error:
        main(arguments)
    with contextlib.suppress(OSError):
        monkeypatch.undo()
        stdout.close()
    return error.value.code


@pytest.mark.parametrize("arguments", SAY_SOMETHING, ids=" ".join)
def test_a_pipe_whose_reader_went_away_ends_every_command_without_a_word(arguments, monkeypatch, capsys):
    reading, writing = os.pipe()
    os.close(reading)
    stdout = open(writing, "w", encoding="utf-8")  # noqa: SIM115
    assert ended(arguments, stdout, monkeypatch) == 1
    assert set(capsys.readouterr().err.splitlines()) <= NOTES


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@pytest.mark.parametrize("arguments", SAY_SOMETHING, ids=" ".join)
def test_a_full_disk_under_the_output_ends_every_command_in_a_line(arguments, monkeypatch, capsys):
    stdout = open("/dev/full", "w", encoding="utf-8")  # noqa: SIM115
    assert ended(arguments, stdout, monkeypatch) == 1
    assert set(capsys.readouterr().err.splitlines()) - NOTES == {"Error: the standard output: no space left on device"}


@pytest.mark.parametrize("encoding", ["cp437", "latin-1", "ascii"])
@pytest.mark.parametrize("arguments", SAY_SOMETHING[1:3], ids=" ".join)
def test_what_a_console_cannot_print_is_a_question_mark_there(arguments, encoding, monkeypatch):
    written = io.BytesIO()
    written.close = lambda: None
    assert ended(arguments, io.TextIOWrapper(written, encoding), monkeypatch) == 0
    assert len(written.getvalue().decode(encoding)) > 100


@pytest.mark.parametrize("command", main.commands)
def test_a_working_directory_that_was_deleted_is_refused_by_every_command(command, folder):
    (folder / "gone").mkdir()
    os.chdir("gone")
    (folder / "gone").rmdir()
    result = invoke(command)
    assert (result.exit_code, result.stderr) == (2, "Error: the working directory: no such file or directory\n")


def places():
    """Every argument and option that takes one path and nothing else, with its command."""
    for name, command in main.commands.items():
        for param in command.params:
            if isinstance(param.type, click.Path) and (name, param.name) != ("judgments", "file"):
                yield pytest.param(command, param, id=f"{name} {param.name}")


@pytest.mark.parametrize(("command", "param"), list(places()))
def test_a_path_has_one_meaning_in_every_command(command, param, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))

    def read(text):
        return param.type.convert(text, param, click.Context(command))

    assert [read(text).as_posix() for text in ("~/x", "~", "~x.csv", "a/~")] == [
        f"{tmp_path.as_posix()}/x",
        tmp_path.as_posix(),
        "~x.csv",
        "a/~",
    ]
    with pytest.raises(Refused, match=r": a path is empty, expected the name of a file or folder"):
        read("")
    with pytest.raises(Refused, match=r": a name that is no text in UTF-8"):
        read("bad\udcff.csv")


@pytest.mark.parametrize("file", ["~x.csv", "~/x.csv", "~/x.csv,~x.csv"])
def test_judgments_are_read_from_where_a_shell_would_look(file, folder, monkeypatch):
    monkeypatch.setenv("HOME", str(folder / "home"))
    (folder / "home").mkdir()
    (folder / "home" / "x.csv").write_text(JUDGED)
    (folder / "~x.csv").write_text(JUDGED.replace("q", "p").replace("puery", "query"))
    result = invoke("judgments", file)
    assert f"Judgments: {16 if ',' in file else 8}" in result.stdout


@pytest.mark.parametrize(
    "arguments", [["judgments", ""], ["judgments", "mine.csv,"], ["portrait", "", "--out", "mine.npz"]], ids=str
)
def test_an_empty_name_of_a_file_is_refused(arguments):
    result = invoke(*arguments)
    assert (result.exit_code, result.stderr) == (
        2,
        "Error: a path is empty, expected the name of a file or folder; . is the working directory\n",
    )


def test_a_parameter_that_is_an_empty_path_is_refused():
    result = invoke("run", "06", "-p", "judgments", "")
    assert result.stderr == "Error: -p judgments is empty, expected a path; left out, the notebook takes its own data\n"
    assert result.exit_code == 2


@pytest.mark.parametrize(
    "arguments",
    [["run", "01"], ["batch", "grid.yml"], ["class"], ["portrait", "mine.txt"]],
    ids=lambda arguments: arguments[0],
)
@pytest.mark.parametrize("target", ["nowhere", "link"])
def test_an_out_that_is_a_link_to_nowhere_is_refused_as_that(arguments, target, folder):
    (folder / "link").symlink_to(target)
    (folder / "grid.yml").write_text("studies: [1]")
    out = "link/mine.npz" if arguments[0] == "portrait" else "link"
    result = invoke(*arguments, "--out", out)
    assert result.stderr == f"Error: link: a link to {target}, which leads nowhere, expected a folder\n"
    assert result.exit_code == 2


def test_an_error_of_a_disk_names_the_file_that_was_to_be_written(monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    result = invoke("collection", "mine.qrels", "mine.run", "--out", "mine.txt")
    assert (result.exit_code, result.stderr) == (2, "Error: mine.txt: no space left on device\n")
    assert not os.path.exists("mine.txt")
