import numpy as np
import pandas as pd
import pytest

from helpers.command.terminal import show, show_ledger
from helpers.studies.claims import CLAIMS
from helpers.studies.measures import MEASURES

CLAIM = {
    "study": "04",
    "claim": "Sampling documents beats sampling queries at every equal budget",
    "expected": "above 0",
}
CLAIM |= {"source": "Yilmaz and Robertson 2009, Figure 1", "published": "higher at every p"}


@pytest.fixture
def claims():
    rows = [
        CLAIM | {"ranker": "LambdaRank", "measured": 0.0123, "low": 0.004, "high": 0.02, "verdict": "reproduced"},
        CLAIM | {"ranker": "LambdaMART", "measured": None, "low": None, "high": None, "verdict": "undecided"},
    ]
    return pd.DataFrame(rows)


@pytest.fixture
def printed(monkeypatch, capsys):
    """What is printed of claims on a terminal of some width, its blanks and line breaks made one blank each."""

    def of(claims, width=160, **titles):
        monkeypatch.setenv("COLUMNS", str(width))
        show_ledger(claims, titles)
        out = capsys.readouterr().out
        assert max(map(len, out.splitlines())) <= width
        return " ".join(out.split())

    return of


@pytest.mark.parametrize("width", [80, 200])
def test_a_claim_stands_once_above_its_heads_and_verdicts(claims, printed, width):
    out = printed(claims, width)
    assert out.count(CLAIM["claim"]) == 1
    assert out.count("Yilmaz and Robertson 2009, Figure 1: higher at every p") == 1
    assert out.count("data set, setting, ranker measured verdict rests on") == 1
    assert out.count("LambdaRank +.012 (.004 to .020) reproduced") == 1
    assert "LambdaMART" not in out  # it was not measured


def test_a_claim_says_what_is_measured_and_where_that_must_lie(claims, printed):
    out = printed(claims)
    assert (
        "measured: NDCG@10 by fewer documents of each query, less that by fewer queries; the paper says above 0" in out
    )
    assert "What was measured is a difference" in out


def test_a_data_set_has_one_line_in_which_rankers_are_counted(claims, printed):
    rows = pd.concat(
        [
            claims.assign(data="mq2008", verdict=["reproduced", "undecided"], measured=0.0123, low=0.004, high=0.02),
            claims.assign(data="ohsumed", verdict="not reproduced", measured=-0.01, low=-0.02, high=-0.005),
        ]
    ).assign(where="half", rests_on="real")
    out = printed(rows)
    assert "mq2008: half, LambdaRank reproduced: +.012 (.004 to .020) reproduced with 1 of 2 rankers" in out
    assert "ohsumed: half, LambdaRank -.010 (-.020 to -.005) not reproduced with both rankers real" in out
    assert "04: Of 4 verdicts 1 is reproduced, 1 is undecided and 2 are not reproduced." in out


def test_a_data_set_stands_once_before_where_it_was_decided(claims, printed):
    for where in ("mq2008: 50 % of the judgments", "50 % of the judgments"):  # of a ledger, and of a notebook's table
        out = printed(claims.assign(data="mq2008", where=where, rests_on="real"))
        assert "mq2008: 50 % of the judgments, LambdaRank +.012 (.004 to .020) reproduced real" in out


def test_studies_have_their_titles_and_all_of_them_a_total(claims, printed):
    two = pd.concat([claims, claims.assign(study="99", claim="another", verdict="undecided")])
    out = printed(two, **{"04": "Wide or deep?"})
    assert "04 Wide or deep?" in out
    assert "99: The only verdict is undecided." in out
    assert out.endswith("All: Of 2 verdicts 1 is reproduced and 1 is undecided.")
    assert "All:" not in printed(claims)


def test_a_claim_that_was_not_measured_says_so(claims, printed):
    empty = claims.assign(measured=np.nan, where=np.nan, ranker=np.nan, rests_on=np.nan, verdict="undecided")
    assert "not measured 04: No claim was measured." in printed(empty)


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False), ({}, False)],
)
def test_verdicts_have_colours_on_a_terminal_unless_they_are_not_wanted(
    claims, monkeypatch, capsys, environment, coloured
):
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in ({"TERM": "xterm-256color"} | environment).items():
        monkeypatch.setenv(name, value)
    show_ledger(claims)
    assert ("\x1b[32mreproduced" in capsys.readouterr().out) == coloured


@pytest.mark.parametrize("study", list(CLAIMS))
def test_what_every_claim_measures_is_said(study):
    assert {claim.question for claim in CLAIMS[study]} <= set(MEASURES[study])


def test_brackets_are_shown_as_they_are(capsys):
    show(["default"], [["[1, 2]"], ["[bold]"]])
    assert [line.strip() for line in capsys.readouterr().out.splitlines()[3:5]] == ["[1, 2]", "[bold]"]
