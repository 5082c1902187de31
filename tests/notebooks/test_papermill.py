"""Every notebook runs in batch with other parameters, on data of one's own, from a directory that is not its own."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from helpers import letor
from helpers.cli import main
from helpers.collection import Collection
from helpers.studies import available

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
    assert made == {study.name, f"{study.name}.ipynb", f"{study.name}.html", "claims.csv"}
    claims = pd.read_csv(tmp_path / "out" / study.name / "claims.csv")
    assert set(claims.columns) >= COLUMNS
    assert len(claims) > 0
    assert set(claims["verdict"]) <= VERDICTS
