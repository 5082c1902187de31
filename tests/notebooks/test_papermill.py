"""Every notebook runs in batch with other parameters, on data of one's own, from a directory that is not its own."""

import hashlib
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from helpers.command import swap
from helpers.command.cli import main
from helpers.command.notebooks import available
from helpers.datasets import letor
from helpers.datasets.collection import Collection

VERDICTS = {"reproduced", "not reproduced", "undecided"}
COLUMNS = {"claim", "source", "published", "measured", "low", "high", "verdict"}


@pytest.fixture
def small_collection(rng):
    """60 queries of 16 documents, whose first feature tells the grade but for some noise."""
    features = rng.normal(size=(960, 4))
    grades = np.clip(np.round(features[:, 0] + rng.normal(scale=0.5, size=960)), 0, 2)
    return Collection(features, grades, np.arange(0, 961, 16))


def write_judgments(grades, path):
    """Two assessors of 960 documents of 60 queries, of whom Bob never says 2."""
    judged = pd.DataFrame({"query": np.arange(960) // 16, "doc": np.arange(960)})
    given = {"Ann": grades, "Bob": np.minimum(grades, 1)}
    pd.concat(judged.assign(assessor=who, grade=labels) for who, labels in given.items()).to_csv(path, index=False)


def of_own_judgments(tables, cells):
    """Study 1: what is said of the reader's judgments is said to be of them."""
    return any("your judgments: 1,920 judgments: 60 queries" in text for text in cells)


def documents_needed(tables, cells):
    """Study 2: how many documents must be judged twice is computed from the reader's judgments."""
    return set(pd.read_csv(tables / "needed.csv")["data"]) == {"your judgments, Ann tests Bob"}


def no_claim_about_others(tables, cells):
    """Study 3: nothing is claimed of the paper's data sets where they are not among the data."""
    claims = pd.read_csv(tables / "claims.csv")
    about_others = claims["claim"].str.contains("TD2003|MSLR|all data sets")
    return not about_others.any() and claims["measured"].notna().all()


def own_advice(tables, cells):
    """Study 4: the advice is that of the reader's data, and says so in every line."""
    [advice] = [text for text in cells if "are as good" in text]
    return all(line.startswith("live, mine.txt, REAL: ") for line in advice.splitlines())


def asked_in_their_format(tables, cells):
    """Study 6: the reader's judgments without names, and pairs to ask again as a file of such judgments has them."""
    texts = [file.read_text() for file in tables.iterdir()]
    assert not any("Ann" in text or "Bob" in text for text in [*texts, *cells])
    assert (tables / "ask_again.csv").read_text().startswith("query,doc\n")
    lines = (tables / "report.txt").read_text().splitlines()
    return len(lines) == 10 and lines[0].startswith("What is here? your judgments: 1,920 judgments by 2 judges")


OF_OWN_DATA = {
    "01": of_own_judgments,
    "02": documents_needed,
    "03": no_claim_about_others,
    "04": own_advice,
    "06": asked_in_their_format,
}


def printed(notebook):
    return [output.text for cell in notebook.cells for output in cell.get("outputs", []) if "text" in output]


@pytest.mark.parametrize("study", available(), ids=lambda study: study.name)
def test_a_run_with_other_parameters_leaves_notebook_html_tables_and_verdicts(
    study, small_collection, tmp_path, monkeypatch
):
    monkeypatch.setenv("LABEL_STUDIES_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    letor.write(small_collection, "mine.txt")
    write_judgments(small_collection.grades, "mine.csv")
    own = {"dataset": "mine.txt", "judgments": "mine.csv"}
    given = [part for name, path in own.items() if name in study.parameters for part in ("-p", name, path)]
    result = CliRunner().invoke(main, ["run", study.number, "-p", "seed", "7", *given, "--out", "out"])
    assert result.exit_code == 0, result.stderr
    made = {path.name for path in (tmp_path / "out").iterdir()}
    assert made == {study.name, f"{study.name}.ipynb", f"{study.name}.html", "claims.csv", swap.LOCK}
    claims = pd.read_csv(tmp_path / "out" / study.name / "claims.csv")
    assert set(claims.columns) >= COLUMNS
    assert len(claims) > 0
    assert set(claims["verdict"]) <= VERDICTS
    tables = tmp_path / "out" / study.name
    notebook = nbformat.read(tmp_path / "out" / study.path.name, as_version=4)
    assert OF_OWN_DATA[study.number](tables, printed(notebook))
    assert notebook.cells[-1].outputs == []
    made_by = (tables / "produced_by.json").read_text()
    used = [Path(path) for name, path in own.items() if name in study.parameters]
    assert all(f'"{path.name}": "{hashlib.sha256(path.read_bytes()).hexdigest()}"' in made_by for path in used)
