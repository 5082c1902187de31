"""What the environment says of a sweep: which share of the grid is done, and who is told of it."""

import json
import os

import pandas as pd
import pytest
import stored_runs
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.engine import backends, sweep

SEVEN = sweep.grid(i=list(range(7)))


def draw(i, rng):
    if i == 5 and os.environ.get("BROKEN"):
        raise LookupError("no fold 6")
    return {"value": rng.random()}


@settings(max_examples=25)
@given(st.lists(st.integers()), st.integers(1, 20))
def test_shares_divide_a_grid_and_differ_by_one_at_most(items, of):
    parts = [items[backends.read_share(f"{number}/{of}")] for number in range(1, of + 1)]
    assert sorted(item for part in parts for item in part) == sorted(items)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize("text", ["", "3", "0/4", "5/4", "1/2/3", "1 / 2", "१/२"])
def test_what_is_no_share_is_refused(text):
    with pytest.raises(
        ValueError, match=r"^share is .*, expected a number and how many there are, from 1/16 to 16/16$"
    ):
        backends.read_share(text)


def test_every_share_does_its_own_runs_and_the_last_one_has_the_table(monkeypatch, tmp_path):
    alone = sweep.run(draw, SEVEN, store=tmp_path / "alone")
    tables = []
    for number in (2, 1, 3):
        monkeypatch.setenv(backends.SHARE, f"{number}/3")
        tables.append(sweep.run(draw, SEVEN, store=tmp_path / "shared"))
    assert [table["i"].tolist() for table in tables] == [[1, 4], [0, 1, 3, 4, 6], list(range(7))]
    pd.testing.assert_frame_equal(tables[-1], alone, check_exact=True)
    assert len(stored_runs.files(tmp_path / "shared")) == 3
    monkeypatch.delenv(backends.SHARE)
    pd.testing.assert_frame_equal(sweep.run(draw, SEVEN, store=tmp_path / "shared"), alone, check_exact=True)
    assert len(stored_runs.rows(tmp_path / "shared")) == len(SEVEN)
    monkeypatch.setenv(backends.SHARE, "8/8")  # of which nothing is left
    table = sweep.run(draw, SEVEN, store=tmp_path / "none")
    assert (len(table), table.columns.tolist(), (tmp_path / "none").exists()) == (0, ["error"], False)


def test_a_sweep_tells_what_it_did(monkeypatch, tmp_path):
    log = tmp_path / "log"
    monkeypatch.setenv(backends.LOG, str(log))
    monkeypatch.setenv(backends.SHARE, "2/2")
    monkeypatch.setenv("BROKEN", "yes")
    with pytest.warns(RuntimeWarning, match="1 failed"):
        sweep.run(draw, SEVEN, store=tmp_path / "store")
    [line] = map(json.loads, log.read_text().splitlines())
    seconds = line.pop("seconds")
    assert line == {"name": "draw", "trainings": 7, "done": 3, "failed": 1, "timed": 3}
    assert seconds >= 0
    assert [row["seconds"] >= 0 for row in stored_runs.rows(tmp_path / "store")] == [True] * 3


def test_rows_of_an_earlier_release_have_no_time_and_count(monkeypatch, tmp_path):
    log = tmp_path / "log"
    first = sweep.run(draw, SEVEN, store=tmp_path / "store")
    file = stored_runs.file(tmp_path / "store")
    rows = [{name: value for name, value in row.items() if name != "seconds"} for row in stored_runs.rows(file.parent)]
    contents = [json.dumps(row).encode() for row in rows]
    file.write_bytes(b"".join(f"{sweep.stored._digest(content)} ".encode() + content + b"\n" for content in contents))
    monkeypatch.setenv(backends.LOG, str(log))
    pd.testing.assert_frame_equal(sweep.run(draw, SEVEN, store=tmp_path / "store"), first, check_exact=True)
    assert json.loads(log.read_text())["timed"] == 0
