"""Study 6 on judgments of every shape: it answers what they can answer, and says what they cannot."""

import re
import sys

import numpy as np
import pandas as pd
import pytest
from drawn import dots, segments, written
from judged_by_hand import long
from shapes_of_judgments import SHAPES, noisy, of, of_shape

from helpers import paths
from helpers.engine import results
from helpers.judging import agreements, asking, formats, questions, steadiness
from helpers.judging.judgments import coded, is_model
from helpers.reporting import figures
from helpers.reporting.answers import number
from helpers.studies.judgments import asked, beside, exercises, findings, protocol, tables, writing
from helpers.studies.judgments.protocol import example

COLUMNS = ["query", "doc", "assessor", "grade"]


OPEN = "What is not known?"


def test_ten_questions_are_answered_or_named_as_open_drawn_and_written(shape, tmp_path, closed_figures):
    found, frame = of_shape(shape), SHAPES[shape]
    report = findings.report(found)
    said = report.set_index("question")["answer"]
    still_open = re.findall(r"[A-Z][^?]+\?", said.pop(OPEN).partition(": ")[2]) if OPEN in said else []
    assert len({*said.index, *still_open}) == len(said) + len(still_open) == 10
    for sentence in said:
        assert sentence.endswith(".")
        assert not re.search(r"\bnan\b|\bNone\b|\binf\b|  ", sentence), sentence
    figures.judgments.grade_confusion(found.confusion, "title")
    figures.judgments.replacement_rows(found.replacements, 3, "title")
    if len(found.models):
        figures.judgments.model_rows(found.models, found.among_people, "title")
    figures.judgments.asking_curves(found.hidden, "title")
    writing.write(tmp_path, found, True)
    assert len((tmp_path / "report.txt").read_text().splitlines()) == len(report)
    assert len((tmp_path / "qrels.txt").read_text().splitlines()) == len(frame.drop_duplicates(["query", "doc"]))
    names = {path.name for path in tmp_path.iterdir()}
    assert {"agreement.csv", "ceilings.csv", "ask_again.csv", "produced_by.json"} <= names


def test_what_cannot_be_said_is_not_said():
    said = findings.report(of_shape("no overlap")).set_index("question")["answer"]
    assert said[OPEN] == (
        "No document was judged by two people, which leaves open: Do the judges agree? Where do they differ? Can one "
        "replace another? Is a score by its labels right? What is the best possible? What to do with several labels? "
        "Whom to ask again?"
    )
    said = findings.report(of_shape("two judges")).set_index("question")["answer"]
    assert "no two other people to compare with" in said["Can one replace another?"]


def test_a_sentence_on_agreement_by_hand():
    found = of({"a": [0, 0, 1, 1] * 3, "b": [0, 0, 0, 1] * 3})
    assert findings.agreement(found).startswith(
        "Two judges give the same grade to 75 % of the documents, 50 % would be chance; weighted kappa is .50; "
    )
    assert findings.splits(found) == "Of the documents with several labels 75 % are unanimous and 25 % are split."


def test_a_grade_off_the_scale_and_a_single_query_are_told():
    frame = long({"a": [*[0, 1, 2, 3] * 700, 10], "b": [0, 1, 3, 2] * 700}, length=10_000)
    what = tables.wrong(frame, questions.by_judge(frame), steadiness.drift(frame))["what"].tolist()
    assert what == ["grade 10, off the scale?", "one query, so that nothing is known of others"]


def test_confusion_counts_every_two_labels_either_way():
    table = tables.confusion(coded(long({"a": [0, 1, 1, 2], "b": [0, 1, 0, -1]})))
    # 0 with 0 twice, 0 with 1 once, 1 with 1 twice; a 2 was not judged twice
    assert table.loc[0].tolist() == pytest.approx([2 / 3, 1 / 3, 0])
    assert table.loc[1].tolist() == pytest.approx([1 / 3, 2 / 3, 0])
    assert table.loc[2].isna().all()


def test_rules_on_documents_with_several_labels_by_hand():
    frame = long({"a": [3, 0, 1, 2], "b": [3, 3, 2, -1], "c": [0, 3, 2, -1]})
    table = tables.rules(tables.several(frame), 3, np.random.default_rng(0)).set_index("rule")
    assert table.loc["majority", "mean"] == pytest.approx((3 + 3 + 2) / 3)
    assert table.loc["lowest of the three highest", ["changed", "mean"]].tolist() == pytest.approx([1, 1 / 3])
    assert table.loc["highest", "changed"] == 0


def test_how_ties_fall_is_said_and_counted_by_hand():
    """Two differ on d0 and d1; of three all differ on d2, and of four two and two; d4 has one grade more often."""
    said = {"a": [3, 0, 0, 0, 1], "b": [0, 2, 1, 0, 1], "c": [-1, -1, 2, 2, 0], "d": [-1, -1, -1, 2, -1]}
    found = of(said, length=5)
    assert found.ties.to_numpy().tolist() == [[2, 2, 2, 0], [3, 2, 0, 1], [4, 1, 1, 0]]
    assert tables.qrels(found.given.frame)["grade"].tolist() == [3, 2, 1, 2, 1]
    sentence = (
        "The majority is a tie in 4 of 5 documents with several labels, and taken is 3 times the higher of two grades, "
        "always where two people differ (2); 1 time the middle one of three or more."
    )
    assert findings.rules(found) == f"Too few documents have several labels, 5, to say what a rule changes. {sentence}"
    assert findings.rule_table(found).empty
    models = of({f"model: {who}": grades for who, grades in said.items()}, length=5)
    assert "always where two models differ (2)" in findings.tied(models)
    assert findings.tied(of({"a": [1, 2], "b": [1, 2]})) == "No majority of several labels is a tie, in 2 documents."


def test_in_all_569_pairs_of_chorus_on_which_two_people_differ_the_higher_grade_is_taken(real_data):
    frame = formats.read(real_data / "judgments/chorus-ratings/Broad_Query_Set_individual_ratings.csv").frame
    two = frame[frame["assessor"].isin(sorted(frame["assessor"].unique())[:2])]
    (row,) = tables.ties(tables.several(two)).to_dict("records")
    differ = two.groupby(["query", "doc"])["grade"].nunique() > 1
    assert row == {"labels": 2, "documents": len(differ), "higher": 569, "middle": 0}
    assert differ.sum() == 569
    graded = tables.qrels(two).set_index(["query", "doc"])["grade"]
    assert (graded == two.groupby(["query", "doc"])["grade"].max()[graded.index]).all()


def test_what_the_list_leaves_out_is_said_beside_it():
    found = of({"a": [3, 0, 2, 1, 0, 0, 0, 0], "b": [3, 1, 0, 1, 0, 0, 0, 0]})
    assert findings.beside_list(found) == (
        "Not on the list: 4 documents on which all agree, in queries in which nothing is relevant."
    )
    assert findings.beside_list(of({"a": [1, 0], "b": [1, 0]})) == ""


def test_several_grades_of_one_judge_are_one_and_the_judge_is_held_against_itself():
    rows = long({"a": [0, 1, 2, 3] * 6, "b": [0, 1, 2, 2] * 6, "model: m": [0, 1, 2, 2] * 6})
    again = rows[rows["assessor"] != "b"].assign(grade=lambda rows: np.where(rows["doc"] < "d2", rows["grade"], 0))
    frame = pd.concat([rows, again], ignore_index=True)
    found = {how: asked.answers(frame, repeats=how, cutoff=3) for how in ("first", "mean")}
    first, mean = (each.given.everyone.set_index(["assessor", "query", "doc"])["grade"] for each in found.values())
    assert len(first) == len(mean) == 72
    assert first.loc["judge 1"].tolist() == [0, 1, 2, 3] * 6
    assert mean.loc["judge 1", "q0", "d3"] == 2  # of 3 and 0
    table = found["first"].with_itself
    pd.testing.assert_frame_equal(table, found["mean"].with_itself)
    assert table[["judge", "documents", "answers"]].to_numpy().tolist() == [["judge 1", 24, 48], ["model: m", 24, 48]]
    said = findings.with_themselves(found["first"])
    assert said.startswith(
        "48 documents got several grades of one judge; of 2 judges with 10 or more two such grades are"
    )
    assert "m says what a person says in" in said
    with pytest.raises(ValueError, match="an assessor judges a pair of query and document twice"):
        asked.answers(frame)
    with pytest.raises(ValueError, match="repeats is 'last', expected one of refuse, first, mean"):
        asked.answers(frame, repeats="last")


def test_who_drifts_is_named_and_what_chance_would_do():
    grades = np.tile([0, 1, 2, 1], 30)
    said = {"a": grades, "b": grades, "c": grades + (np.arange(120) >= 60)}
    frame = long(said)
    timed = frame.assign(time=frame.groupby("assessor").cumcount())
    found = of(timed)
    assert findings.drifting(found).startswith(
        "Over the time of judging, of 3 judges: a grades lower and lower over time and agrees less and less over time ("
    )
    assert "c grades higher and higher over time and agrees less and less over time (severity +1.5" in (
        findings.drifting(found)
    )
    assert findings.drifting(found).endswith("; of 6 intervals one in twenty leaves out 0 by chance.")
    assert set(found.wrong["who"]) == {"a", "b", "c"}
    assert findings.drifting(of(frame)) == ""
    assert "not told, as nobody judged 10 queries" in findings.drifting(
        of(timed[timed["query"].isin(["q0", "q1", "q2"])])
    )


def read_beside(path, said, machines):
    """The judgments of a file, and what is found of them."""
    long(said).to_csv(path, index=False)
    given = protocol.given(str(path), machines=machines, rng=np.random.default_rng(0))
    return given, asked.of(given, 3, 0.15, 1)


def written_qrels(given):
    """Query and document -> grade, of the lines that are written."""
    lines = (line.split() for line in writing.qrels(given.with_texts(given.frame)).splitlines())
    return {(query, doc): int(grade) for query, _, doc, grade in lines}


def test_beside_one_person_models_move_nothing_that_is_said_of_people(tmp_path):
    person = [0, 1, 2, 3] * 12
    prompts = {"gpt": [0, 0, 2, 2] * 12, "other": [3, 1, 3, 3] * 12, "third": [3, 1, 3, 3] * 12}
    given, found = read_beside(tmp_path / "mine.csv", {"ann": person} | prompts, list(prompts))
    assert set(given.frame["assessor"]) == {"judge 1"}
    assert list(written_qrels(given).values()) == person
    assert found.agreement.empty
    assert found.ceilings.empty
    assert found.best.empty
    assert np.isnan(found.alpha["alpha"])
    said = findings.report(found).set_index("question")["answer"]
    assert said["What is here?"].startswith(
        "your judgments: 48 judgments by 1 judge of 48 documents in 12 queries; 0 %"
    )
    assert said[OPEN].startswith(
        "One person judged, which leaves open: Do the judges agree? Where do they differ? What"
    )
    assert said["What is wrong with it?"].startswith("Nothing looks wrong with the one person's grades")
    assert said["May a model judge?"].startswith("gpt of 3 models agrees best with the one person, weighted kappa .")
    assert said["May a model judge?"].endswith(
        "The alternative annotator test cannot be made, as it asks for 3 people who judged the same documents, 10 or "
        "more in 5 queries or more; kappa stands alone."
    )
    assert "never the highest grade, 3" in said["May a model judge?"]


def test_documents_that_models_alone_judged_are_counted_and_not_written(tmp_path):
    given, found = read_beside(tmp_path / "mine.csv", {"ann": [0, 1, 2, -1, -1], "gpt": [0, 1, 2, 3, 3]}, ["gpt"])
    said = findings.report(found).set_index("question")["answer"]
    assert said["What is here?"].endswith(" 1 model judged, too, and 2 documents that no person did.")
    assert list(written_qrels(given).values()) == [0, 1, 2]


def test_models_alone_are_judges_of_their_own(tmp_path):
    given, found = read_beside(
        tmp_path / "mine.csv", {"gpt": [0, 1, 2, 3] * 3, "other": [0, 1, 2, 2] * 3}, ["gpt", "other"]
    )
    assert set(given.frame["assessor"]) == {"model: gpt", "model: other"}
    said = findings.report(found).set_index("question")["answer"]
    assert "24 judgments by 2 models of 12 documents" in said["What is here?"]
    assert said["May a model judge?"] == "Models alone judged, so that there is nobody to hold them against."


PEOPLE = dict.fromkeys("abc", [0, 1] * 40)


def test_what_is_said_of_models_by_hand():
    """`up` is a grade higher than people, who agree: squares 1, by chance (1 + 4 + 0 + 1) / 4; `one` says 1 always."""
    found = of(PEOPLE | {"model: up": [1, 2] * 40, "model: one": [1] * 80})
    assert beside.nearest(found) == (
        "up of 2 models agrees best with the people, weighted kappa .33 (.33 to .33); people agree with each other by "
        "1.0 (1.0 to 1.0); all others are worse; its grades are off by +1.0 (1.0 to 1.0) on average. To be looked at: "
        "up: above people's highest grade, 1, for 40 of 80 documents; one: 1 for all 80 documents."
    )
    assert beside.mapped(found) == (
        "Mapped to people's grades, 1 to .000, 2 to 1.00, up is .000 from a person's grade, 1.00 as it is; the map "
        "mends +1.0 (1.0 to 1.0)."
    )
    assert beside.tested(found) == (
        "The alternative annotator test, tolerance 0.15, is passed by 0 of 2 models; up has the winning rate .00 "
        "against 3 people, and is at least as near to the others as the one left out in 0 % of a query's documents."
    )
    table = beside.table(found)
    assert table["error, mapped"].tolist() == ["1.00, .000", ".707, .500"]
    assert table["bias (by people's grade)"][1] == "+.50 (0: +1.0, 1: .00)"
    assert "AC1" not in table


def test_what_cannot_be_measured_of_models_has_no_column():
    rare = np.repeat([0, 1], [76, 4])
    table = beside.table(of({"a": rare, "model: m": rare}))
    assert table["AC1"].tolist() == ["1.0 (1.0 to 1.0)"]
    assert "winning rate" not in table
    one_query = of({"a": [0, 1, 2, 0], "model: m": [0, 1, 1, 0]})
    assert (
        beside.mapped(one_query) == "A map to people's grades cannot be tried on other queries, as there is one alone."
    )
    assert beside.table(of_shape("two judges")).empty


def test_a_row_of_the_models_figure_is_what_its_title_says(closed_figures):
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 4, 120)
    said = {f"model: {n}": np.where(rng.random(120) < n / 20, truth, 0) for n in range(18)}
    found = of({"a": truth, "b": np.clip(truth + 1, 0, 3)} | said)
    figure = figures.judgments.model_rows(found.models, found.among_people, beside.nearest(found))
    [ax] = figure.axes
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == [*(name.removeprefix("model: ") for name in found.models["judge"][:15]), "one person, another"]
    assert figure.get_suptitle().startswith(f"{names[0]} of 18 models agrees best with the people")
    weighted = dots(ax)[0][:, 0]
    low, high = segments(ax)[0][:, 0]
    assert written(figure)[-3:] == [number(value, 2) for value in (weighted[0], low, high)]
    assert weighted[0] == weighted[:15].max()
    assert "the first 15 of 18 models" in ax.get_xlabel()


def test_qrels_keep_what_is_white_in_a_name_readable(tmp_path):
    frame = long({"a": [1, 2]}).assign(query="100% wool\tcoat")
    (tmp_path / "made.qrels").write_text(writing.qrels(frame))
    assert (tmp_path / "made.qrels").read_text() == "100%25%20wool%09coat 0 d0 1\n100%25%20wool%09coat 0 d1 2\n"
    assert formats.read(tmp_path / "made.qrels").frame["grade"].tolist() == [1, 2]


def write_book(path):
    """A Quepid book of Ann and Bob, whose queries are texts."""
    lines = [f"lamp {d // 4},d{d},{d % 4},{(d + (d % 3 == 0)) % 4}\n" for d in range(40)]
    path.write_text("query,docid,Ann,Bob\n" + "".join(lines))
    return path


def test_texts_are_numbered_in_all_but_what_a_program_takes(tmp_path):
    book = write_book(tmp_path / "book.csv")
    given = protocol.given(str(book), format="quepid-book", rng=np.random.default_rng(0))
    assert given.frame["query"].unique().tolist() == [f"query {n}" for n in range(1, 11)]
    assert given.frame["doc"].unique().tolist() == [f"d{d}" for d in range(40)]
    assert given.with_texts(given.frame)["query"].unique().tolist() == [f"lamp {n}" for n in range(10)]
    found = asked.of(given, 3, 0.15, 0)
    writing.write(tmp_path / "out", found, False)
    told = {file.name for file in (tmp_path / "out").iterdir() if re.search("lamp ?|lamp%20", file.read_text())}
    assert told == {"ask_again.csv", "repairs.csv", "worst_queries.csv", "qrels.txt"}
    assert (tmp_path / "out" / "ask_again.csv").read_text().startswith("query,docid,rating\n")  # as it came in
    assert not any(re.search("Ann|Bob", file.read_text()) for file in (tmp_path / "out").iterdir())
    named = protocol.given(str(book), format="quepid-book", names=True, rng=np.random.default_rng(0))
    assert named.frame["query"].iloc[0] == "lamp 0"


def test_an_id_is_one_word_of_ascii_with_a_digit():
    names = ["q12", "https://shop/p/1", "lamp", "lamp 2", "é2"]
    assert [bool(protocol.ID.fullmatch(name)) for name in names] == [True, True, False, False, False]


@pytest.mark.parametrize("data", ["chorus", "cystic-fibrosis"])
def test_the_stored_tables_are_what_the_code_makes(data, real_data, monkeypatch):
    from helpers.making import judgments as making

    monkeypatch.setenv("LABEL_STUDIES_DATA", str(real_data))
    frame = making.REAL[data]()
    rule, hidden = np.random.default_rng(making.SEED).spawn(2)
    kept = results.stored("06")[data]
    made = {
        "comparisons": tables.rule_comparisons(tables.several(frame), draws=protocol.DRAWS, rng=rule),
        "hidden": asking.hidden(frame, making.CUTOFF, rng=hidden),
    }
    for name, table in made.items():
        pd.testing.assert_frame_equal(kept[name], table.round(6), check_dtype=False)


def test_the_lines_of_the_page_on_judgments_run_on_the_example(tmp_path, monkeypatch):
    from helpers.making import judgments as making

    page = paths.project("data").parent / ".docs" / "pages" / "how-to" / "own-judgments.md"
    blocks = page.read_text(encoding="utf-8").split("```python\n")[1:]
    lines = "\n".join(block.partition("```")[0] for block in blocks if "mine.csv" in block)
    example = making.EXAMPLE.read_text(encoding="utf-8")
    model = [line.replace("person 1", "model: m") for line in example.splitlines() if "person 1" in line]
    (tmp_path / "mine.csv").write_text(example + "\n".join(model), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    made = {}
    exec(lines, made)
    assert all(len(made[name]) for name in ("agreement", "ceilings", "may", "ask_again"))
    assert not any(map(is_model, made["frame"]["assessor"]))
    assert made["found"].counts["queries"] == making.EXAMPLE_QUERIES


def test_the_example_that_ships_is_read_and_is_that_of_the_code():
    from helpers.making import judgments as making

    reading = formats.read(making.EXAMPLE)
    assert reading.frame["query"].nunique() == making.EXAMPLE_QUERIES
    assert len(agreements.by_judges(reading.frame))
    whole = example(np.random.default_rng(making.SEED)).frame
    kept = whole[whole["query"].isin(reading.frame["query"])].reset_index(drop=True)
    pd.testing.assert_frame_equal(reading.frame[COLUMNS], kept[COLUMNS], check_dtype=False)


# exercises


def test_the_two_judges_are_people_who_share_most_else_a_person_and_the_best_model_else_synthetic():
    several = exercises.two_judges(of(noisy(120, 3)))
    assert list(several) == ["person 0", "person 1"]
    beside = exercises.two_judges(of_shape("a model and a person"))
    assert list(beside) == ["a", "model: m"]
    assert beside.value_counts().to_dict() == {(0, 0): 10, (1, 2): 10, (2, 1): 10, (3, 3): 10}
    for shape in ("one judge", "one judgment", "no overlap", "one query", "all irrelevant", "all of one grade"):
        assert list(exercises.two_judges(of_shape(shape))) == ["SYNTHETIC person 1", "SYNTHETIC person 5"], shape


def gained(gains):
    discounts = 1 / np.log2(np.arange(2, 7))
    return np.array(gains) @ discounts / ([7, 7, 3, 1, 0] @ discounts)


HALF = long({"a": [0, 0, 1, 1], "b": [0, 0, 1, 2]})
PAIR = HALF.pivot(index=["query", "doc"], columns="assessor", values="grade")


@pytest.mark.parametrize(
    ("number", "right", "wrong", "given"),
    [
        # gains 7, 0, 3, 7, 1 by the second judge, in the orders 4 3 1 2 0 and 0 3 2 1 4 of the documents
        (1, [gained([1, 7, 0, 3, 7]), gained([7, 7, 3, 0, 1])], [0.9, 1.0], ()),
        # grades 1 1 2 2 and 0 0 1 2: off by 1, 1, 1, 0; by chance 1/4 + 11/16 + 9/16
        (2, 1 - (3 / 4) / (1 / 4 + 11 / 16 + 9 / 16), 0.75, (PAIR,)),
        (3, 0.0, 0.1, (np.full(40, 0.7), 6)),
        # squares of 0 beside 0 and 2, 3 and 2, 3 and 0 are 4, 13, 9, and of 3, 0 and 2 left out 10, 13, 5
        (4, [2 / 3, 1, 1, 2 / 3], [1, 1, 1, 1], ()),
        *((5, needed, needed + 1, (np.array(worth),)) for needed, worth in {3: [3, 3, 2, 2], 8: [1.0] * 10}.items()),
    ],
)
def test_exercises_by_hand(capsys, number, right, wrong, given):
    for answer in (right, wrong):
        getattr(exercises, f"check_{number}")(answer, *given)
    assert re.fullmatch(r"Right\.\nNot yet: .*\n", capsys.readouterr().out)


def test_judgments_are_coded_once_and_those_of_documents_with_several_once():
    """Without a hidden judge they are coded anew: they are other judgments."""
    whole, entered = SHAPES["five judges"], []

    def watch(frame, event, _):
        if event == "call" and frame.f_code is coded.__code__:
            entered.append(len(frame.f_locals["frame"]))

    sys.setprofile(watch)
    try:
        of(whole)
    finally:
        sys.setprofile(None)
    assert [n for n in entered if n == len(whole)] == [len(whole)] * 2
