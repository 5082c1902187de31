"""What study 5 says: rules of thumb, stored pilots, and what is read of files."""

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from pilots_by_hand import of

from helpers.datasets.runs import lists
from helpers.making import budget as making
from helpers.making import real_pilots as real
from helpers.making.budget import DECIDED
from helpers.reporting import verdicts
from helpers.studies import budget
from helpers.studies.budget import (
    rules,
    stored,
    tables,
)
from helpers.studies.budget.costs import Costs

COSTS = Costs(5, 1, 0.02)
HOLDS, OPPOSITE, _, OPEN = verdicts.WORDS


def judged(name, measured=None, judges=None, items=None, told="verdict"):
    """Question -> verdict of one pilot, and of the judges of all, or what else is told of it."""
    pilots = {name: of({10: [0.1, 0.2, 0.3], 30: [0.1, 0.2, 0.3]}) if measured is None else measured}
    judges = two_judges(name, 0.5, 0.9, 40) if judges is None else judges
    kept = {own: {"judges": rows} for own, rows in judges.groupby("collection")}
    pilots |= dict.fromkeys(kept, pilots[name])
    kept[name] |= {} if items is None else {"items": items}
    found = rules.comparisons(pilots, kept).query("collection == @name")
    words = verdicts.verdicts(verdicts.from_comparisons("05", found, name, "real"))
    return words.merge(verdicts.claims()[["claim", "question"]]).set_index("question")[told]


def two_judges(collection, kappa, rho, queries, agreement=0.5, second="b"):
    columns = ["collection", "first", "second", "kappa", "agreement", "rho", "queries"]
    return pd.DataFrame([(collection, "a", second, kappa, agreement, rho, queries)], columns=columns)


# rules of thumb


@pytest.mark.parametrize(("spread", "said"), [(0.05, HOLDS), (0.4, OPPOSITE), (0.125, OPEN)])
def test_fifty_queries_are_enough_where_queries_differ_little(spread, said, rng):
    values = rng.normal(0, 1, 40)
    values = spread * (values - values.mean()) / values.std(ddof=1) + 1e-3
    assert judged("flat", of({10: values, 30: values}))[rules.FIFTY] == said


@pytest.mark.parametrize(("agree", "rho", "said"), [(0.9, 0.99, HOLDS), (0.9, 0.5, OPPOSITE), (0.4, 0.99, None)])
@pytest.mark.parametrize("rule", [rules.KAPPA, rules.AGREEMENT])
def test_agreement_is_good_enough_where_differences_go_together_and_not_asked_where_it_is_low(rule, agree, rho, said):
    assert judged("flat", judges=two_judges("flat", agree, rho, 50, agree)).get(rule) == said


@pytest.mark.parametrize(("model", "said"), [(0.95, HOLDS), (0.5, OPPOSITE)])
def test_a_model_is_as_good_as_a_second_person_where_it_falls_short_of_none(model, said):
    """The second person's differences correlate at .9: a model of .95 may fall short by .05 at most, one of .5 does."""
    judges = pd.concat([two_judges("a", 0.5, model, 400, second="UMBRELA"), two_judges("b", 0.5, 0.9, 400)])
    assert judged("a", judges=judges)[rules.MODEL] == said
    assert judged("a", judges=judges, told="measured")[rules.MODEL] == pytest.approx(0.9 - model)


@pytest.mark.parametrize(("same", "said"), [(1.0, HOLDS), (0.6, OPPOSITE), (0.9, OPEN)])
def test_a_hundred_items_decide_where_samples_decide_as_all_documents_do(same, said):
    decided = pd.DataFrame([("judge 1", 50, 200, True, 0.0), ("judge 1", 100, 200, True, same)], columns=DECIDED)
    assert judged("a", items=decided)[rules.ITEMS] == said


# stored pilots


def test_a_stored_pilot_gives_the_same_plan(measured):
    again = stored.measured(stored.table(measured), 10, "drawn")
    one, other = (budget.plan(pilot, COSTS, 2000).best for pilot in (measured, again))
    assert (
        one[["who", "queries", "depth", "opinions"]].tolist() == other[["who", "queries", "depth", "opinions"]].tolist()
    )
    assert other["seen"] == pytest.approx(one["seen"], rel=1e-4)


def test_stored_pilots_are_real_and_hold_no_judgment():
    pilots = stored.pilots()
    assert list(pilots) == ["chorus", "cystic-fibrosis", "dl21"]
    assert [pilot.n_queries for pilot in pilots.values()] == [135, 100, 53]
    for name in pilots:
        assert list(stored.tables(name)["cells"]) == stored.CELLS


def test_the_machine_on_dl21_is_as_the_check_figures_say():
    found = tables.pair_table(stored.tables("dl21")["systems"])
    low, middle, high = found["rho"].quantile([0.05, 0.5, 0.95])
    assert (round(low, 2), round(middle, 2), round(high, 2)) == (0.45, 0.67, 0.81)
    assert found["below"].median() == pytest.approx(0.15, abs=0.005)
    assert found["reversed"].sum() == 85
    assert found["sd"].median() == pytest.approx(0.20, abs=0.005)


@pytest.mark.parametrize("name", ["dl21", "chorus"])
def test_stored_cells_are_measured_again(real_data, name):
    pilot = real.REAL[name]()
    again = budget.measure(pilot, np.random.default_rng(making.SEED), making.DEPTHS, making.OPINIONS)
    pd.testing.assert_frame_equal(stored.table(again), stored.tables(name)["cells"], check_dtype=False, atol=2e-6)


# files


def test_systems_are_scored_as_trec_eval_does_whatever_their_ranks_say(tmp_path, rng):
    """Two grades, for which the gains are the same; few scores, so that many are equal; ranks that say the contrary."""
    pairs = [(f"q{q}", f"d{d}") for q in range(8) for d in range(30)]
    people = pd.DataFrame(pairs, columns=["query", "doc"]).assign(grade=rng.integers(2, size=len(pairs)))
    run = people.assign(score=rng.integers(6, size=len(pairs)))[rng.random(len(pairs)) < 0.7]
    file = tmp_path / "contrary.run"
    file.write_text("".join(f"{row.query} Q0 {row.doc} {row.score} {row.score / 4} t\n" for row in run.itertuples()))
    listed = lists(file)
    qrels = {query: dict(own[["doc", "grade"]].to_numpy()) for query, own in people.groupby("query")}
    scored = {query: dict(own[["doc", "score"]].to_numpy()) for query, own in run.groupby("query")}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10"}).evaluate(scored)
    ours = real.system_scores(people, [listed])["contrary"]
    assert ours.to_dict() == pytest.approx({query: found["ndcg_cut_10"] for query, found in theirs.items()})
    assert listed.notes == (
        "contrary.run: ranks contradict scores in 8 of 8 queries; it goes by score, as trec_eval does.",
    )


def test_the_run_of_dl21_whose_scores_rise_goes_by_score_and_that_is_said(real_data):
    place = real_data / "SynDL-DL21" / "runs"
    if not place.is_dir():
        pytest.skip("SynDL-DL21 is not here")
    told = [note for file in place.glob("*.run") for note in lists(file).notes]
    assert told == ["uogTrPC.run: ranks contradict scores in 477 of 477 queries; it goes by score, as trec_eval does."]
    stored_systems = stored.tables("dl21")["systems"].pivot(index="query", columns="system", values="people")
    people, _ = real.dl21_judgments()
    again = real.system_scores(people, [lists(place / "uogTrPC.run")])["uogTrPC"]
    np.testing.assert_allclose(stored_systems["uogTrPC"], again.rename(index=int).sort_index(), atol=1e-6)
