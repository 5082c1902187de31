"""Every notebook runs in batch with other parameters, on data of one's own, from a directory that is not its own."""

import json
import os
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from parsed_html import Parsed

from helpers.command import swap
from helpers.command.cli import main
from helpers.command.notebooks import available
from helpers.datasets import letor
from helpers.datasets.collection import Collection
from helpers.engine import results
from helpers.judging import ceilings
from helpers.judging.confusion import load_confusions
from helpers.reporting.verdicts import VERDICTS, WORDS
from helpers.studies.depth import findings
from helpers.studies.depth.protocol import MARGIN
from helpers.studies.depth.tables import by_share
from helpers.studies.ledger import NUMBERS


@pytest.fixture
def small_collection(rng):
    """60 queries of 16 documents, whose first feature tells the grade but for some noise."""
    features = rng.normal(size=(960, 4))
    grades = np.clip(np.round(features[:, 0] + rng.normal(scale=0.5, size=960)), 0, 2)
    return Collection(features, grades, np.arange(0, 961, 16))


FOLDER, PEOPLE = "Xanthippes-desk", ("Quirina", "Xaverius")
"""Whose judgments are read, and where from: in nothing that is left is there a word of them."""


def write_judgments(grades, folder):
    """Qrels of two assessors of 960 documents of 60 queries, of whom the other never says 2, a table of a column each,
    and two runs: the files by study."""
    folder.mkdir()
    said = dict(zip(PEOPLE, (grades, np.minimum(grades, 1)), strict=True))
    pd.DataFrame({"q": np.arange(960) // 16, "d": np.arange(960)} | said).to_csv(folder / "wide.csv", index=False)
    for who, labels in said.items():
        lines = (f"{row // 16} 0 {row} {grade:.0f}\n" for row, grade in enumerate(labels))
        (folder / f"{who}.qrels").write_text("".join(lines))
    qrels = ",".join(str(folder / f"{who}.qrels") for who in PEOPLE)
    columns = ",".join(["query=q", "doc=d", *(f"grade={who}" for who in PEOPLE)])
    (folder / "runs").mkdir()
    for name, best in {"forth": 1, "back": -1}.items():
        lines = (f"{row // 16} Q0 {row} 1 {best * (row % 16)} t\n" for row in range(960))
        (folder / "runs" / f"{name}.run").write_text("".join(lines))
    runs = ("runs", f"{folder}/runs")
    return {"05": [("judgments", f"{folder}/wide.csv"), ("columns", columns), runs], "06": [("judgments", qrels)]}


def told_of(words, out):
    """Which of the words are in a file that a run left, or in its name."""
    files = [file for file in out.rglob("*") if file.is_file()]
    texts = [file.read_bytes().decode(errors="ignore") + str(file.relative_to(out)) for file in files]
    return {word for word in words if any(word in text for text in texts)}


# study -> what its tables and the texts of its cells show of a run with the reader's data, or with what is CHANGED


def only_the_ranker_named(tables, cells):
    judged = any("judges err by relish, queries are of mine.txt" in text for text in cells)
    claims = pd.read_csv(tables / "claims.csv")[["collections", "rests_on"]].drop_duplicates().to_numpy().tolist()
    assert ["clean07", "portrait"] in claims
    return judged and set(pd.read_csv(tables / "accuracy_clean07.csv")["ranker"]) == {"RankSVM"}


def ceiling_at_the_cutoff(tables, cells):
    crowd = load_confusions()["WEB5_truth_vs_worker"].probabilities
    exact = ceilings.exact([5, 4, 3, 2, 1], crowd, 5)
    return any(text.startswith(f"exact {exact:.5f}, ") for text in cells)


def no_claim_about_others(tables, cells):
    claims = pd.read_csv(tables / "claims.csv")
    about_others = claims["words"].str.contains("TD2003|MSLR|all data sets")
    return not about_others.any() and claims["measured"].notna().all()


def own_run(tables, cells):
    compared = by_share(pd.read_csv(tables / "comparisons.csv")).query("at == 50 and ranker == 'LambdaRank'")
    said = f"mine.txt, REAL: {findings.own_run(compared, MARGIN)}"
    return any(text.startswith("mine.txt, REAL\n") for text in cells) and any(said in text for text in cells)


def of_the_collection(tables, cells):
    stored = results.stored("04")["mq2008"]["percent"]
    return len(pd.read_csv(tables / "percent.csv")) == len(stored) != len(results.stored("04")["robust04"]["percent"])


def asked_in_their_format(tables, cells):
    assert (tables / "ask_again.csv").read_text().startswith("query,doc\n")
    lines = (tables / "report.txt").read_text().splitlines()
    return len(lines) == 10 and lines[0].startswith("What is here? your judgments: 1,920 judgments by 2 judges")


def plan_of_the_budget(tables, cells):
    plans = pd.read_csv(tables / "plans.csv")
    return plans["budget"].tolist() == [250, 500, 1000] and (plans["cost"] <= plans["budget"]).all()


SHOWN = {
    "01": only_the_ranker_named,
    "02": ceiling_at_the_cutoff,
    "03": no_claim_about_others,
    "04": own_run,
    "04a": of_the_collection,
    "05": plan_of_the_budget,
    "06": asked_in_their_format,
}
CHANGED = {
    "01": [("rankers", "RankSVM"), ("judges", "relish")],
    "02": [("cutoff", "5"), ("n_jobs", "1")],
    "04a": [("collection", "mq2008")],
    "05": [("budget", "500")],
}
"""Study -> parameters that take no file, and their values: in study 1 judges of the three grades of the data."""


def printed(notebook):
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    texts = [output.get("text", output.get("data", {}).get("text/markdown")) for output in outputs]
    return [text for text in texts if text]


ALWAYS = ("04a", "06")
"""Without LABEL_STUDIES_TESTS=all only these: one of what is stored, and one on judgments."""

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"


@pytest.mark.parametrize(
    "study", [study for study in available() if LARGE or study.number in ALWAYS], ids=lambda study: study.name
)
def test_a_run_with_other_parameters_leaves_notebook_html_tables_and_verdicts(
    study, small_collection, tmp_path, monkeypatch
):
    monkeypatch.setenv("LABEL_STUDIES_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("LABEL_STUDIES_TITLES")  # names of a reader's own may be long
    monkeypatch.chdir(tmp_path)
    letor.write(small_collection, "mine.txt")
    judged = write_judgments(small_collection.grades, tmp_path / FOLDER)
    told = judged.get(study.number, []) + CHANGED.get(study.number, [])
    told += [("dataset", "mine.txt")] if "dataset" in study.parameters else []
    told += [("seed", "7")] if "seed" in study.parameters else []
    given = [part for name, value in told for part in ("-p", name, value)]
    result = CliRunner().invoke(main, ["run", study.number, *given, "--out", "out"])
    assert result.exit_code == 0, result.stderr
    made = {path.name for path in (tmp_path / "out").iterdir()}
    ledger = {"claims.csv"} if study.number in NUMBERS else set()
    assert made == {study.name, f"{study.name}.ipynb", f"{study.name}.html", "index.html", swap.LOCK} | ledger
    tables = tmp_path / "out" / study.name
    for file in ledger:
        claims = pd.read_csv(tables / file)
        assert set(claims.columns) >= set(VERDICTS)
        assert len(claims) > 0 or study.number == "03"  # one data set of one's own has no claim of several
        assert set(claims["verdict"]) <= set(WORDS)
    notebook = nbformat.read(tmp_path / "out" / study.path.name, as_version=4)
    page = Parsed((tmp_path / "out" / f"{study.name}.html").read_text())
    if study.number in SHOWN:
        assert SHOWN[study.number](tables, printed(notebook))
    assert [cell for cell in notebook.cells if cell.cell_type == "code"][-1].outputs == []
    names = [attributes["alt"] for attributes, inside in page["img"] if inside[-1] == "figure"]
    assert all(name and not name.startswith(("<Figure", "_ =")) for name in names)
    assert not told_of([FOLDER, *PEOPLE, str(tmp_path), str(Path.home())], tmp_path / "out")
    if study.number in judged:
        counts = {"judgments": 1920, "pairs": 960, "queries": 60, "judges": 2}
        made_by = json.loads((tables / "produced_by.json").read_text())["judgments"]
        assert made_by == {"format": "wide" if study.number == "05" else "qrels"} | counts
