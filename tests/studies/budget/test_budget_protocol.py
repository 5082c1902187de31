"""What study 5 works on, and what it says where something cannot be: judgments, runs, a machine, a pair, prices."""

from dataclasses import replace

import pandas as pd
import pilot_files
import pytest

from helpers.judging.judgments import MODEL
from helpers.studies.budget import protocol
from helpers.studies.budget.costs import Costs


@pytest.fixture
def mine(tmp_path):
    return pilot_files.write(tmp_path)


def given(mine, rng, *, cutoff=10, **how):
    return protocol.given(*mine, cutoff, rng, **({"machines": "gpt-4,gpt-5"} | how))


def test_people_and_the_machine_that_is_named_first_are_told_apart(mine, rng):
    pilot = given(mine, rng)
    everyone = pilot.reading.everyone
    assert (pilot.measured.judges, pilot.measured.n_queries) == (2, pilot_files.QUERIES)
    for name in ("gpt-4", "gpt-5"):
        machine = protocol.machine_of(everyone, name)
        pd.testing.assert_frame_equal(machine, everyone.loc[everyone["assessor"] == MODEL + name, list(machine)])


@pytest.mark.parametrize(
    ("machines", "said"),
    [("", "machines is empty, but judgments are by 2 models"), ("gpt*", r"machines is 'gpt\*', which are 2 models")],
)
def test_of_several_machines_it_is_asked_which(mine, rng, machines, said):
    everyone = given(mine, rng).reading.everyone
    with pytest.raises(ValueError, match=f"{said}, gpt-4, gpt-5: which of them would judge first") as caught:
        protocol.machine_of(everyone, machines)
    assert str(caught.value).endswith("machines='gpt-4,gpt-5'")
    assert len(protocol.machine_of(everyone, "gpt-4,gpt-5")) == pilot_files.QUERIES * pilot_files.DOCS


def test_without_a_model_there_is_no_machine(mine, rng):
    people = pd.DataFrame({"assessor": ["Ann"]})
    assert protocol.machine_of(people, "") is None
    assert protocol.machine_of(people, "none") is None


def test_what_was_read_of_runs_and_what_nobody_judged_of_them_is_told(mine, rng):
    """Of a's first ten documents two are x and y, of b's none; a's ranks rise where its scores fall."""
    assert given(mine, rng).notes[-3].startswith("Compared are the best 3 of 3 runs: ")
    notes = given(mine, rng, pair="a,b").notes
    assert notes[-2:] == (
        "a.run: ranks contradict scores in 9 of 9 queries; it goes by score, as trec_eval does.",
        "Not judged of the first 10 documents of each query: a 20.0 %; none of 1 other run.",
    )


@pytest.mark.parametrize("pair", ["a", "a,a", "a,x", "a,b,c"])
def test_a_pair_that_is_not_two_of_the_runs_is_refused_with_their_names(mine, rng, pair):
    with pytest.raises(ValueError, match=f"pair is {pair}, expected two of a, b, c"):
        given(mine, rng, pair=pair)


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ({"runs": "b.run"}, "runs is b.run, but judgments is empty"),
        ({"pair": "a,b"}, "pair is a,b, but judgments is empty"),
        ({"cutoff": 5}, "cutoff is 5, expected 10, that of the worked example, or judgments and runs of yours"),
    ],
)
def test_what_the_example_cannot_have_is_refused(rng, what, message):
    with pytest.raises(ValueError, match=message):
        protocol.given(**({"judgments": "", "runs": "", "cutoff": 10, "rng": rng} | what))


def test_models_alone_are_no_pilot(mine, tmp_path, rng):
    frame = pd.read_csv(mine[0]).query("assessor in ('gpt-4', 'gpt-5')")
    frame.to_csv(tmp_path / "models.csv", index=False)
    with pytest.raises(ValueError, match="judgments: models alone, expected people's"):
        given((str(tmp_path / "models.csv"), mine[1]), rng)


def test_a_budget_that_buys_too_little_is_refused_before_files_are_read():
    prices = {"budget": 10.0, "cost_query": 5.0, "cost_judgment": 1.0, "cost_machine": 0.02, "timed": False}
    files = dict.fromkeys(("runs", "pair", *protocol.READING), "") | {"judgments": "nowhere.csv"}
    with pytest.raises(ValueError, match="budget is 10, too small for anything"):
        protocol.check_given(prices | files | {"cutoff": 10, "seed": 5})


def test_seconds_of_the_export_are_the_price_where_there_are_some(rng):
    found = protocol.given("", "", 10, rng)
    assert protocol.costs(60, 1, 0.1, True, replace(found, seconds=30.0)) == Costs(60, 30, 0.1)
    with pytest.raises(ValueError, match="timed is True, but the pilot has no seconds a judgment"):
        protocol.costs(5, 1, 0.1, True, found)
