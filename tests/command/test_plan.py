"""`label-studies plan`: what it prints and leaves, and mistakes, each one line before anything is written."""

import json
import os
import re
import shlex
from pathlib import Path

import jsonschema
import pandas as pd
import pilot_files
import pytest
from command_line import invoke

from helpers import paths
from helpers.command import judging
from helpers.studies.budget import protocol

PAGES = paths.project("data").parent / ".docs" / "pages"


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """What names a pilot, in an empty working directory."""
    judgments, runs = pilot_files.write(tmp_path)
    for folder in ("here", "judged"):
        (tmp_path / folder).mkdir()
    for run in Path(runs).iterdir():  # the queries that were judged alone
        lines = run.read_text().splitlines(keepends=True)
        (tmp_path / "judged" / run.name).write_text("".join(line for line in lines if line < "q6"))
    monkeypatch.chdir(tmp_path / "here")
    return ["--judgments", judgments, "--runs", runs, "--machines", "gpt-4,gpt-5"]


def test_three_budgets_and_a_sentence_are_printed_and_left(mine, tmp_path):
    found = invoke("plan", *mine, "--budget", 150, "--pair", "a,b", "--out", "out", "--list", "ask.csv")
    assert found.exit_code == 0, found.stderr
    assert found.stdout.split()[:4] == ["budget", "75", "150", "300"]
    told = json.loads(Path("out/plan.json").read_text())
    jsonschema.Draft202012Validator(json.loads((PAGES / "plan.schema.json").read_text())).validate(told)
    assert [plan["queries"] for plan in told["plans"]] == [5, 10, 20]  # of depth 10 each costs 5 + 10
    assert told["choice"]["why"] == "few queries"
    assert told["pilot"] == {"queries": 6, "people": 2, "pairs": [["a", "b"]]}
    assert (told["example"], told["settings"]["costs"]) == (False, {"query": 5.0, "judgment": 1.0, "machine": 0.02})
    assert told["said"][0].startswith("Judge 10 queries to depth 10 with one person each: a pilot of 6 queries cannot")
    assert Path("out/report.txt").read_text().splitlines() == told["said"]
    assert all(sentence in found.stdout for sentence in told["said"])
    assert pd.read_csv("out/plans.csv")["budget"].tolist() == [75, 150, 300]


def test_what_is_listed_was_judged_by_nobody_and_is_the_top_of_the_pool(mine):
    """The pool takes x d11 y d10 d0 d9 d1 d8 d2 d7 of a and b by turns."""
    for file in ("one.csv", "same.csv"):
        found = invoke("plan", *mine, "--budget", 150, "--pair", "a,b", "--list", file)
        assert f"{file}: 30 documents of 3 queries that nobody judged, all that the runs have of the 10 planned" in (
            found.stdout
        )
    listed = pd.read_csv("one.csv")
    assert set(listed["query"]) == {"q6", "q7", "q8"}
    for _, docs in listed.groupby("query")["doc"]:
        assert docs.tolist() == ["x", "d11", "y", "d10", "d0", "d9", "d1", "d8", "d2", "d7"]
    assert Path("one.csv").read_text() == Path("same.csv").read_text()
    some = invoke("plan", *mine, "--budget", 30, "--list", "two.csv")
    assert "two.csv: 20 documents of 2 queries that nobody judged\n" in some.stdout
    assert pd.read_csv("two.csv")["query"].nunique() == 2


def test_rows_in_another_order_leave_the_same_plan_to_the_last_digit(mine):
    table = pd.read_csv(mine[1])
    left = []
    for rows in (table, table.sample(frac=1, random_state=1), table[::-1]):
        rows.to_csv("rows.csv", index=False)
        assert invoke("plan", "--judgments", "rows.csv", *mine[2:], "--budget", 150, "--out", "out").exit_code == 0
        left.append(Path("out/plan.json").read_text())
    assert left == left[:1] * 3


def test_without_runs_the_plan_is_of_the_example_and_says_what_to_bring(mine):
    for given in ([], mine[:2] + mine[4:]):
        found = invoke("plan", *given, "--budget", 2000, "--out", "out")
        assert found.exit_code == 0
        assert "A worked example, not your data. Judge" in found.stdout
        assert "The example is TREC Deep Learning 2021" in found.stdout
        assert ("no plan is made of your judgments" in found.stdout) == bool(given)
        told = json.loads(Path("out/plan.json").read_text())
        jsonschema.Draft202012Validator(json.loads((PAGES / "plan.schema.json").read_text())).validate(told)
        assert told["example"]


MISTAKES = {
    ("--budget", "10", "--judgments", "nowhere.csv"): "budget is 10, too small for anything",  # before files are read
    ("--budget", "nan"): "budget is nan",
    ("--cost-query", "-1"): "cost_query is -1.0, expected at least 0",
    ("--cost-query", "0", "--cost-judgment", "0"): "cost_query and cost_judgment are 0",
    ("--pair", "a,z"): "pair is a,z, expected two of a, b, c",
    ("--machines", "gpt*"): "machines is 'gpt*', which are 2 models, gpt-4, gpt-5",
    ("--machines", "gpt-6"): "one of machines is 'gpt-6', expected one of",
    ("--runs", "nowhere"): "nowhere",
    ("--judgments", "nowhere.csv"): "nowhere.csv",
    ("--judgments", ""): "but judgments is empty",
    ("--cutoff", "0"): "--cutoff",
    ("--seed", "-1"): "--seed",
    ("--grades", "0,a"): "grades",
    ("--columns", "who=Ann"): "expected one of query, doc, assessor, grade",
    ("--list", "."): "a folder, expected a file",
    ("--list", "not/there.csv"): "its folder is not there",
    ("--out", "../mine.csv"): "Error: ../mine.csv: a file, expected a folder\n",
    ("--out", "../mine.csv/in"): "Error: ../mine.csv: a file, expected a folder\n",
    ("--runs", "../judged"): "nothing is left to list: expected runs of more queries, or a plan without --list",
    ("--runs", "", "--list", "ask.csv"): "a list of what to judge is of your runs, expected judgments and runs",
}


@pytest.mark.parametrize("mistake", MISTAKES, ids=" ".join)
def test_a_mistake_is_one_line_before_anything_is_measured_or_written(mine, tmp_path, monkeypatch, mistake):
    monkeypatch.setattr(protocol, "measure", lambda *_: pytest.fail("it was measured"))
    given = [*mine, "--budget", "150", "--out", "out", "--list", "ask.csv", *mistake]
    before = sorted(tmp_path.rglob("*"))
    found = invoke("plan", *given)
    assert (found.exit_code, found.stdout) == (2, "")
    assert MISTAKES[mistake] in found.stderr
    assert found.stderr.splitlines()[-1].startswith("Error: ")
    assert sorted(tmp_path.rglob("*")) == before


def test_of_several_models_the_advice_to_name_one_is_taken(mine):
    asked = invoke("plan", *mine, "--machines", "gpt*", "--budget", 150)
    way_out = asked.stderr.strip().rpartition("as in ")[2].split()
    assert invoke("plan", *mine, "--budget", 150, *way_out).exit_code == 0


def test_the_page_names_every_option_and_no_other():
    page = (PAGES / "how-to" / "plan-a-budget.md").read_text(encoding="utf-8")
    options = {name for option in judging.plan.params for name in option.opts}
    assert set(re.findall(r"--[a-z-]+", page)) == options


def test_how_many_people_must_judge_is_printed_and_left(mine):
    given = [*mine[:2], *mine[4:], "--validate", "--depth", 12]
    found = invoke("plan", *given, "--width", 0.9, 3, "--out", "out")
    assert found.exit_code == 0, found.stderr
    assert found.stdout.split()[:6] == ["model", "measure", "now", "queries", "documents", "judgments"]
    told = pd.read_csv("out/needed.csv")
    assert told[["judge", "measure"]].to_numpy().tolist() == [
        [f"model: {name}", measure] for name in ("gpt-5", "gpt-4") for measure in ("weighted_kappa", "bias")
    ]
    assert (told["queries"] == 6).all()
    assert (told["depth"] == 12).all()
    assert "gpt-5" in found.stdout.splitlines()[-1]
    assert invoke("plan", *given, "--width", 0.9, 3, "--seed", 7).stdout == found.stdout  # nothing is drawn here


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--validate", "--budget", 150), "--budget with --validate, expected one of them"),
        (("--validate", "--list", "ask.csv"), "--list with --validate"),
        (("--validate", "--cost-query", 2), "--cost-query with --validate"),
        (("--validate", "--width", 0, 1), "kappa is 0.0, expected the width of an interval, above 0"),
        (("--validate", "--judgments", ""), "judgments is empty"),
        (("--validate", "--machines", "none"), "judged has no model beside people, expected one: --machines"),
        (("--depth", 5, "--budget", 150), "--depth without --validate, expected both"),
        ((), "--budget is missing"),
    ],
)
def test_a_mistake_in_what_is_planned_is_one_line(mine, given, said):
    found = invoke("plan", *mine[:2], *mine[4:], *given)
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr.splitlines()[-1].startswith(f"Error: {said}")


@pytest.mark.parametrize("said", [[], ["--machines", "none"]], ids=["nothing said", "none"])
def test_where_nobody_is_a_model_the_advice_to_say_who_is_one_is_taken(mine, said):
    """Cy judged what nobody else did, so that nothing is gained by calling Cy a model."""
    table = pd.read_csv(mine[1])
    alone = table["assessor"] == "gpt-5"
    called = table["assessor"].map({"Ann": "Dee, M. D.", "Bob": "Ed", "gpt-4": "Flo", "gpt-5": "Cy"})
    table.assign(assessor=called, doc=table["doc"].mask(alone, "z" + table["doc"])).to_csv(mine[1], index=False)
    given = ["--judgments", mine[1], "--validate"]
    refused = invoke("plan", *given, *said)
    way_out, _, judges = refused.stderr.strip().partition("expected one: ")[2].partition(", or whoever it is of ")
    assert judges == "Dee, M. D., Ed, Flo"
    found = invoke("plan", *given, *shlex.split(way_out))
    assert (refused.exit_code, found.exit_code) == (2, 0), found.stderr


@pytest.mark.skipif(os.environ.get("LABEL_STUDIES_TESTS") != "all", reason="takes ten seconds a plan")
def test_the_plan_of_fifty_real_queries_is_the_same_by_every_seed(real_data, tmp_path):
    """Robust04's first 50 queries and its 18 runs, of which the others are listed."""
    place = real_data / "Robust04"
    if not place.is_dir():
        pytest.skip("Robust04 is not here")
    lines = (place / "qrels.txt").read_text().splitlines(keepends=True)
    first = list(dict.fromkeys(line.split()[0] for line in lines))[:50]
    (tmp_path / "first.qrels").write_text("".join(line for line in lines if line.split()[0] in first))
    given = ["--judgments", tmp_path / "first.qrels", "--runs", place / "runs", "--budget", 2000]
    one, other = (invoke("plan", *given, "--seed", seed, "--list", tmp_path / f"{seed}.csv") for seed in (1, 2))
    assert one.exit_code == 0, one.stderr
    assert one.stdout.replace("1.csv", "2.csv") == other.stdout
    listed = pd.read_csv(tmp_path / "1.csv", dtype=str)
    assert not set(listed["query"]) & set(first)
    assert listed["query"].nunique() == 133
