import os
import shutil
import subprocess
import sys
import tempfile
import threading

import pytest
from filelock import FileLock

from helpers.command import swap

PARTS = ("report.txt", "report.html", "report")
STEPS = 8  # the hidden folder, three old parts, the folder again, three new parts


def write(folder, text):
    """The three parts of a report, each of which says the same."""
    (folder / "report.txt").write_text(text)
    (folder / "report.html").write_text(text)
    (folder / "report").mkdir(exist_ok=True)
    (folder / "report" / "table.csv").write_text(text)


def report(out, text):
    with swap.replacing(out, "report", PARTS) as hidden:
        write(hidden, text)


def shown(out):
    """What each part of the report under out says."""
    files = (out / "report.txt", out / "report.html", out / "report" / "table.csv")
    return [file.read_text() if file.exists() else None for file in files]


def left(out):
    """Hidden things under out, but the lock."""
    return [path.name for path in out.iterdir() if path.name.startswith(".") and path.name != swap.LOCK]


def interrupt(monkeypatch, step, action, *arguments):
    """Do an action, interrupted in place of a rename, and return whether it came to so many."""
    rename, left = os.rename, iter(range(step))

    def stopping(*names):
        if next(left, None) is None:
            raise KeyboardInterrupt
        rename(*names)

    with monkeypatch.context() as patch:
        patch.setattr(swap.os, "rename", stopping)
        try:
            action(*arguments)
        except KeyboardInterrupt:
            return True
    return False


def test_a_report_takes_the_place_of_the_one_before_as_far_as_it_was_made(tmp_path):
    def half():
        with swap.replacing(tmp_path, "report", PARTS) as hidden:
            write(hidden, "half")
            raise KeyboardInterrupt

    for text in ("old", "new"):
        report(tmp_path, text)
        assert shown(tmp_path) == [text] * 3
    with pytest.raises(KeyboardInterrupt):
        half()
    with swap.replacing(tmp_path, "report", PARTS):
        pass  # nothing was made
    assert shown(tmp_path) == ["new"] * 3
    with swap.replacing(tmp_path, "report", PARTS) as hidden:
        (hidden / "report.txt").write_text("newest")
    assert shown(tmp_path) == ["newest", None, None]
    assert sorted(path.name for path in tmp_path.iterdir()) == [swap.LOCK, "report.txt"]


@pytest.mark.parametrize("again", [None, 1, 3])
@pytest.mark.parametrize("step", range(STEPS))
def test_a_move_interrupted_at_any_step_mixes_nothing_and_is_ended_by_the_next_run(tmp_path, monkeypatch, step, again):
    report(tmp_path, "old")
    assert interrupt(monkeypatch, step, report, tmp_path, "new")  # so there are that many
    assert {"old", "new"} - set(shown(tmp_path))  # never parts of both
    if again is not None:  # the next run is interrupted too, after some renames
        interrupt(monkeypatch, again, swap.tidy, tmp_path, {"report": PARTS})
        assert {"old", "new"} - set(shown(tmp_path))
    newest = tmp_path / "newest"
    shutil.copytree(tmp_path, newest)
    report(newest, "newest")  # also without the next run's tidying
    assert shown(newest) == ["newest"] * 3
    shutil.rmtree(newest)
    swap.tidy(tmp_path, {"report": PARTS})
    assert shown(tmp_path) == (["old"] * 3 if step == 0 else ["new"] * 3)
    assert left(tmp_path) == []
    assert not interrupt(monkeypatch, STEPS, report, tmp_path, "last")


def test_an_interrupted_removal_of_the_old_report_is_ended_by_the_next_run(tmp_path, monkeypatch):
    report(tmp_path, "old")
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            report(tmp_path, "new")
    assert shown(tmp_path) == ["new"] * 3
    swap.tidy(tmp_path, {"report": PARTS})
    assert shown(tmp_path) == ["new"] * 3
    assert left(tmp_path) == []


DIES = """\
import os, pathlib, signal, sys
from helpers.command import swap
with swap.replacing(pathlib.Path(sys.argv[1]), "report", ["report.txt"]) as hidden:
    os.kill(os.getpid(), signal.SIGKILL)"""


def test_the_folder_of_a_dead_run_is_removed_and_that_of_a_living_one_is_not(tmp_path):
    with swap.replacing(tmp_path, "report", PARTS) as hidden:
        subprocess.run([sys.executable, "-c", DIES, tmp_path], check=False)
        assert len(left(tmp_path)) == 2
        swap.tidy(tmp_path, {"report": PARTS})
        assert left(tmp_path) == [hidden.name]
        write(hidden, "living")
    assert shown(tmp_path) == ["living"] * 3


def test_reports_that_end_together_are_not_mixed(tmp_path):
    start, seen = threading.Barrier(4, timeout=60), []

    def end(text):
        for _ in range(10):
            with swap.replacing(tmp_path, "report", PARTS) as hidden:
                write(hidden, text)
                start.wait()
            with swap.locked(tmp_path):
                seen.append(shown(tmp_path))

    threads = [threading.Thread(target=end, args=[f"run {n}"]) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 40
    assert all(len(set(parts)) == 1 and None not in parts for parts in seen)


def test_a_lock_that_another_run_has_is_waited_for_and_that_is_said(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(swap, "PATIENCE", 0.01)
    other = FileLock(tmp_path / swap.LOCK, thread_local=False)
    other.acquire()

    def say(text, err):
        print(text)
        other.release()

    monkeypatch.setattr(swap.click, "echo", say)
    for _ in range(2):
        with swap.locked(tmp_path):
            pass
    assert capsys.readouterr().out == f"waiting for another run, which has {tmp_path / swap.LOCK}\n"


def test_what_is_temporary_goes_with_the_run_and_what_a_killed_one_left_with_the_next(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    (tmp_path / "label-studies-dead").mkdir()
    for name in (swap.ALIVE, "kernel.json"):
        (tmp_path / "label-studies-dead" / name).touch()
    (tmp_path / "another's").mkdir()
    code = "import os, tempfile; print(os.path.dirname(tempfile.mkdtemp()), os.environ['JUPYTER_RUNTIME_DIR'])"
    with swap.temporary():
        [room] = tmp_path.glob("label-studies-*")
        assert tempfile.gettempdir() == str(room)
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        assert said.split() == [str(room)] * 2
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        with swap.temporary():  # another run, which finds this one alive
            assert len([*tmp_path.glob("label-studies-*")]) == 2
    assert os.listdir(tmp_path) == ["another's"]
    assert os.environ["TMPDIR"] == tempfile.gettempdir() == str(tmp_path)
