"""What is said and drawn of runs is what the tables hold, read back from figures and by hand from sentences."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from drawn import dots, segments

import helpers
from helpers.judging import comparing
from helpers.reporting import figures
from helpers.studies.judgments import beside, brief, findings

pytestmark = pytest.mark.usefixtures("closed_figures")


def row(by, kind, best, **told):
    counts = {"beaten": 1, "unjudged": 0.2, "apart": 3, "kept": 2, "weaker": 1, "reversed": 0, "added": 4}
    return {"by": by, "kind": kind, "queries": 12, "best": best, "ndcg": 0.5, "low": 0.4, "high": 0.6} | counts | told


def with_runs(found, *decisions, notes=(), n=3):
    table = pd.DataFrame(decisions, columns=comparing.DECISIONS)
    names = [chr(ord("a") + number) for number in range(n)]
    scores = [
        (name, by, kind, 12, 0.9 - 0.01 * place, 0.5, 0.95, 0.1 * place)
        for by, kind in table[["by", "kind"]].itertuples(index=False)
        for place, name in enumerate(names)
    ]
    pairs = pd.DataFrame({"by": np.repeat(table["by"], n * (n - 1) // 2)})
    scores = pd.DataFrame(scores, columns=comparing.RUNS)
    return replace(found, decisions=table, runs=scores, run_pairs=pairs, run_notes=list(notes))


PEOPLE, ANN, BOB = row("people", "people", "a", kept=3), row("Ann", "person", "a"), row("Bob", "person", "b")
GOOD, BAD = row("model: good", "model", "a"), row("model: bad", "model", "b", kept=1, reversed=1, added=0)
BOTH = row("people with model: good", "people with", "a", queries=40, kept=3, added=1)


def test_which_run_wins_by_whom(found):
    said = beside.winner(with_runs(found, PEOPLE, ANN, BOB, GOOD, BAD, BOTH))
    assert said == (
        "a is the first of 3 runs by people, and by 1 of 2 models; it reaches nDCG@10 .500 (.400 to .600) and is told "
        "apart from 1 of the other 2; the first is b by bad; 1 of 2 persons alone put a first."
    )
    alone = beside.winner(with_runs(found, row("people", "people", "a", low=np.nan, high=np.nan, beaten=0)))
    assert (
        alone
        == "a is the first of 3 runs by people; it reaches nDCG@10 .500 and is told apart from none of the other 2."
    )
    models = with_runs(found, GOOD, BAD)
    assert beside.winner(models).startswith("a is the first of 3 runs by good, and by none of 1 other model; it ")
    assert "**a is the first** of 3 runs by good, and by none of 1 other model." in brief.answer(models)


def test_of_many_judges_it_is_said_how_many_are_compared(found):
    """Beside the example's one model and people, 36 more of each judged: more than the 40 that are compared."""
    answers = with_runs(found, PEOPLE, ANN, BOB, GOOD, BAD)
    counts = answers.counts
    more = [f"{kind}{n}" for kind in ("p", "model: m") for n in range(36)]
    many = replace(answers, judges=pd.concat([answers.judges, pd.DataFrame({"judge": more})], ignore_index=True))
    models, people = (f"compared (of {counts[kind] + 36})" for kind in ("models", "people"))
    assert f"by people, and by 1 of the 2 models {models}; it" in beside.winner(many)
    assert beside.winner(many).endswith(f"; 1 of the 2 persons {people} alone put a first.")
    assert f"**a is the first** of 3 runs by people, and by 1 of the 2 models {models}." in brief.answer(many)


def test_runs_that_are_equally_good_have_no_first(found):
    answers = with_runs(found, PEOPLE, ANN, GOOD, BAD)
    equal = answers.runs["by"].isin(["people", "Ann", "model: good"])
    tied = replace(answers, runs=answers.runs.assign(ndcg=answers.runs["ndcg"].where(~equal, 0.5)))
    assert beside.winner(tied) == "a, b and c are the first of 3 runs by people, equally good; they reach nDCG@10 .500."
    assert "**a, b and c are the first** of 3 runs by people, equally good." in brief.answer(tied)
    assert "none alone" in set(brief.numbers(tied)["in a word"])
    of_others = replace(
        answers, runs=answers.runs.assign(ndcg=answers.runs["ndcg"].where(answers.runs["by"] != "model: good", 0.5))
    )
    said = beside.winner(of_others)
    assert "by none of 2 models" in said
    assert "the first is none alone by good and b by bad" in said


def test_of_two_runs_the_other_one_is_the_other(found):
    for beaten, said in ((0, "and is not told apart from the other."), (1, "and is told apart from the other.")):
        assert beside.winner(with_runs(found, row("people", "people", "a", beaten=beaten), n=2)).endswith(said)


def test_which_decisions_change(found):
    said = beside.decisions(with_runs(found, PEOPLE, GOOD, BAD, BOTH))
    assert said == (
        "People tell 3 of 3 pairs of runs apart; told apart as well, turned round, and told apart although people do "
        "not are 2, 0 and 4 by good and 1, 1 and 0 by bad; people with model: good, which judged 40 queries where "
        "people judged 12, tell 4 apart and put a first (paired t-tests, by Holm's correction for all pairs)."
    )
    assert beside.decisions(with_runs(found, GOOD)).startswith("No person judged, so that nobody knows")


def test_the_order_of_the_best_model(found):
    ends = {f"{name}_{end}": value for name in ("tau", "tau_ap") for end, value in (("low", 0.5), ("high", 0.9))}
    models = found.models.assign(tau=0.8, tau_ap=0.7, needed=0.36, kept=0.5, reversed=0.25, **ends)
    answers = replace(with_runs(found, PEOPLE, GOOD), models=models)
    [shown] = beside.run_table(answers).to_dict("records")
    assert shown == {
        "model": "example", "tau": ".80 (.50 to .90)", "tau_ap": ".70 (.50 to .90)", "kept": "50 %", "reversed": "25 %",
        "queries needed": "36 %",
    }  # fmt: skip
    assert beside.run_table(found).empty
    assert not {"tau", "tau_ap", "kept", "queries needed"} & set(beside.table(answers))


def test_what_nobody_judged_and_how_files_were_read(found):
    answers = with_runs(found, PEOPLE, notes=["a.run: odd.", *["b.run: odd."] * 4])
    assert beside.unjudged(answers) == (
        "Of the first 10 documents of the runs 10 % were not judged by people and count as irrelevant, 20 % of c: a "
        "run unlike those that were judged seems worse than it is. a.run: odd. b.run: odd. b.run: odd. b.run: odd. "
        "1 more file has such notes."
    )
    whole = replace(answers, runs=answers.runs.assign(unjudged=0.0), run_notes=[])
    assert beside.unjudged(whole) == "Of the first 10 documents of the runs all were judged by people."


def test_without_runs_and_where_none_can_be_scored_that_is_said(found):
    nothing = with_runs(found, row("people", "people", "a", ndcg=np.nan))
    assert beside.winner(nothing).startswith("No run can be scored by people, as nothing relevant was judged")
    for answers in (found, nothing):
        assert beside.decisions(answers) == beside.unjudged(answers) == ""
    assert beside.winner(found) == ""
    assert not any("run" in question for question in findings.report(found)["question"])
    report = findings.report(with_runs(found, PEOPLE))
    assert {"Which run wins, and by whom?", "Do models decide so, too?"} <= set(report["question"])


def test_runs_are_drawn_as_they_are_in_the_frame_the_best_and_each_models_first(found):
    answers = with_runs(found, PEOPLE, GOOD, BAD, n=20)
    table = answers.runs
    last_first = (table["by"] == "model: bad") & (table["run"] == "t")
    table.loc[last_first, "ndcg"] = 0.99
    table = pd.concat(
        [table[~(table["by"] == "model: bad")], table[table["by"] == "model: bad"].sort_values("ndcg")[::-1]]
    )
    figure = figures.judgments.run_rows(table, 10, beside.winner(answers))
    [ax] = figure.axes
    names = [label.get_text() for label in ax.get_yticklabels()][::-1]
    assert names == [*"abcdefghijklmn", "t"]
    own = table[table["by"] == "people"].set_index("run")
    people, *models = dots(ax)
    assert people[::-1, 0] == pytest.approx(own.loc[names, "ndcg"].to_numpy())
    drawn = [ends[:, 0].tolist() for ends in segments(ax)[::-1]]
    assert drawn == own.loc[names, ["low", "high"]].to_numpy().tolist()
    assert len(models) == 2
    assert models[1][:, 0].max() == 0.99
    assert ax.get_xlabel() == "nDCG@10 (people: 95 % interval over queries; 15 of 20 runs)"
    assert figure.get_suptitle() == "a is the first of 20 runs by people, and by 1 of 2 models"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["people", "good", "bad"]


def test_of_many_models_the_first_five_are_drawn_and_that_is_said(found):
    many = with_runs(found, PEOPLE, *(row(f"model: m{n}", "model", "a") for n in range(7)))
    figure = figures.judgments.run_rows(many.runs, 10, beside.winner(many))
    assert figure.axes[0].get_xlabel() == "nDCG@10 (people: 95 % interval over queries; 5 of 7 models)"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["people", *(f"m{n}" for n in range(5))]


def test_real_runs_of_people_and_machines(real_data):
    """61 runs by NIST, eight people and five machines: the page on judgments tells these."""
    place = real_data / "judgments" / "dl19-people-machines"
    answers = helpers.answers(place / "judgments.csv", runs=str(place / "runs"))
    table = answers.decisions.set_index("by")
    assert len(answers.run_pairs) == len(table) * 61 * 60 // 2
    assert table.loc["people", "best"] == "colbert_rankgpt4o-full"
    assert table.loc["model: umbrela-gpt4", "best"] == "colbert_rankgpt4o"
    row = answers.models.set_index("judge").loc["model: umbrela-gpt4"]
    assert row[["tau", "tau_ap"]].tolist() == pytest.approx([0.826, 0.740], abs=0.001)
    assert row["tau_low"] < row["tau"] < row["tau_high"]
    assert row[["kept", "reversed", "needed"]].tolist() == pytest.approx([594 / 707, 0, 0.359], abs=0.001)
    assert answers.runs.query("by == 'people'")["unjudged"].mean() == pytest.approx(0.209, abs=0.001)


def test_a_label_that_says_how_many_are_left_out_lies_within_its_figure(found):
    names = [f"model: prompt {n} of a long name" for n in range(20)]
    replaced, modelled, corrected = (
        pd.concat([table.tail(1).assign(judge=name) for name in names], ignore_index=True)
        for table in (found.replacements, found.models, found.corrected)
    )
    for figure in (
        figures.judgments.replacement_rows(replaced, 10, "title"),
        figures.judgments.model_rows(modelled, found.among_people, "title"),
        figures.judgments.ranking_dots(corrected, "an imagined ranking", 10, "title"),
    ):
        figure.canvas.draw()
        label = figure.axes[0].xaxis.label
        assert re.search("15 of 20 (judges|models)", label.get_text())
        box = label.get_window_extent()
        assert 0 <= box.x0 < box.x1 <= figure.bbox.width
