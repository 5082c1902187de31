import numpy as np
import pandas as pd
import pytest

from helpers.command.terminal import show, show_ledger

CLAIM = {"study": "04", "claim": "Sampling documents beats sampling queries at every equal budget"}
CLAIM |= {"source": "Yilmaz and Robertson 2009, Figure 1", "published": "higher at every p"}


@pytest.fixture
def claims():
    rows = [
        CLAIM | {"ranker": "LambdaRank", "measured": 0.0123, "low": 0.004, "high": 0.02, "verdict": "reproduced"},
        CLAIM | {"ranker": "LambdaMART", "measured": None, "low": None, "high": None, "verdict": "undecided"},
    ]
    return pd.DataFrame(rows)


@pytest.mark.parametrize("width", [70, 200])
def test_a_ledger_fits_the_terminal(claims, width, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", str(width))
    show_ledger(claims)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= width
    assert " ".join(" ".join(lines).split()).count("LambdaRank 0.012 (0.004 to 0.020) reproduced") == 1


def test_a_ledger_states_a_claim_once_above_the_verdicts_on_it(claims, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "160")
    show_ledger(claims)
    out = capsys.readouterr().out
    assert out.count(CLAIM["claim"]) == 1
    assert out.count("Yilmaz and Robertson 2009, Figure 1: higher at every p") == 1
    assert "LambdaMART  not measured" in out


def test_a_ledger_of_stored_results_names_their_data(claims, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "160")
    show_ledger(claims.assign(data="MQ2008"))
    assert "MQ2008  LambdaRank" in capsys.readouterr().out


def test_a_ledger_says_where_a_verdict_was_decided_and_what_it_rests_on(claims, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "160")
    for where in ("mq2008: 50 % of the judgments", "50 % of the judgments"):  # of a ledger, and of a notebook's table
        show_ledger(claims.assign(data="mq2008", where=where, rests_on="real"))
        line = next(" ".join(line.split()) for line in capsys.readouterr().out.splitlines() if "LambdaRank" in line)
        assert line == "mq2008: 50 % of the judgments LambdaRank 0.012 (0.004 to 0.020) reproduced real"


def test_nothing_of_a_ledger_is_cut_off_in_a_terminal_of_80_columns(claims, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    show_ledger(claims.assign(data="mslr-sample-portrait", verdict="not reproduced"))
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert f"04 {CLAIM['claim']}" in lines
    assert "mslr-sample-portrait LambdaRank 0.012 (0.004 to 0.020) not reproduced" in lines


def test_a_ledger_without_rankers_has_no_such_column(claims, capsys):
    show_ledger(claims.drop(columns="ranker"))
    assert "ranker" not in capsys.readouterr().out


def test_brackets_are_shown_as_they_are(capsys):
    show(["default"], [["[1, 2]"], ["[bold]"]])
    assert [line.strip() for line in capsys.readouterr().out.splitlines()[3:5]] == ["[1, 2]", "[bold]"]


def test_a_ledger_whose_columns_of_text_are_all_empty_is_shown(capsys):
    row = {"study": "06", "data": "mine", "claim": "c", "source": "s", "published": "p", "where": np.nan}
    row |= {"ranker": "", "measured": np.nan, "low": np.nan, "high": np.nan, "verdict": "undecided", "rests_on": np.nan}
    show_ledger(pd.DataFrame([row]))
    assert "undecided" in capsys.readouterr().out
