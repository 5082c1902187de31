"""What is said of how many people must judge, read back from the frames it is said of."""

import re

import numpy as np
import pandas as pd
import pilot_files
import pytest

from helpers.judging import formats
from helpers.judging.validating import KNOWN, NEEDED, NEVER, UNTOLD, needed
from helpers.studies.budget import stored, validating

COLUMNS = ["query", "doc", "assessor", "grade"]


def pilot(off):
    """A model that is off by so many grades in each query, of two documents."""
    rows = [
        (f"q{q:02}", f"d{d}", who, d + shift * (who != "Ann"))
        for q, shift in enumerate(off)
        for d in (0, 1)
        for who in ("Ann", "model: m")
    ]
    return needed(pd.DataFrame(rows, columns=COLUMNS), kappa=0.3, rng=np.random.default_rng(0))


def test_what_needs_most_is_said_first():
    table = pilot([0, 1] * 20)
    most = table.sort_values("needed").iloc[-1]
    said = validating.answer(table)
    assert said.startswith(f"**Before m may be trusted, people must judge {most['needed']:,.0f} queries**")
    assert (
        f"({most['low']:,.0f} to {most['high']:,.0f}), 2 documents of each, {most['judgments']:,.0f} judgments" in said
    )
    assert "then its kappa is known to .30, its bias to .20. Now, by 80 documents of 40 queries" in said


def test_what_is_known_and_what_cannot_be_told_are_said():
    assert validating.answer(pilot([1] * 8)).startswith("**Of m enough is known**: its kappa is known to .30")
    said = validating.answer(pilot([0, 1, 0, 3]))
    assert said.startswith("**How many people must judge before m may be trusted cannot be told** from 4 queries (")
    assert "; from 11 queries on it can." in said
    hopeless = pd.concat([pilot([1] * 8), pilot([1] * 8).head(1).assign(measure="test", state=NEVER)])
    assert "does not pass the alternative annotator test, by however many queries" in validating.answer(hopeless)


def test_the_table_has_a_row_a_measure_and_numbers_where_some_are_needed():
    table = validating.table(pilot([0, 1] * 20)).set_index("measure")
    assert table.loc["bias", ["documents", "judgments"]].tolist() == ["198", "198"]
    assert table.loc["bias", "queries"].startswith("99 (")
    states = [KNOWN, f"{UNTOLD}; from 30 queries on it can", NEVER]
    rows = pilot([0, 1] * 20).head(1)
    rows = pd.concat([rows.assign(state=state) for state in (KNOWN, UNTOLD, NEVER)]).assign(tells_from=30.0)
    assert validating.table(rows)["queries"].tolist() == states
    assert NEEDED not in validating.table(rows).to_numpy()


def test_pilots_of_real_collections_keep_their_word_on_widths():
    rows = stored.tables("validating")["checked"]
    widths = rows[rows["measure"] != "test"]
    assert set(rows["collection"]) == set(validating.SETS)
    assert widths["over_spread"].between(0.9, 1.1).all()
    assert (widths["over_spread_low"] < 1).all()
    assert (widths["over_spread_high"] > 1).all()
    assert (widths["queries"] <= np.where(widths["collection"] == "llmjudge", 12, 21)).all()  # of 25, and of 43


def test_examples_are_the_stored_ones_and_a_readers_file_comes_first(tmp_path):
    needed = stored.tables("validating")["needed"]
    said = validating.said(None, 5)
    for name, rows in needed.groupby("collection"):
        most = rows[rows["state"] == NEEDED]["needed"].max()
        assert f"is trusted on {validating.SETS[name]}, people judge {most:,.0f} queries (" in said
    file, _ = pilot_files.write(tmp_path)
    how = {"machines": "gpt-4,gpt-5"}
    own = validating.answer(validating.needed((0.1, 0.2), 10, 5, file, **how))
    assert validating.said(formats.read(file, **how), 5) == own
    assert own.startswith("**How many people must judge before gpt-5 may be trusted cannot be told** from 6 queries")
    assert validating.said(formats.read(file, machines="none"), 5) == said


def test_a_person_and_a_model_who_judged_nothing_in_common_are_told_so(tmp_path):
    rows = [(f"q{q}", "d", who, q % 3) for who, queries in {"Ann": (0, 1, 2), "gpt": (3, 4)}.items() for q in queries]
    pd.DataFrame(rows, columns=COLUMNS).to_csv(tmp_path / "apart.csv", index=False)
    said = validating.said(formats.read(tmp_path / "apart.csv", machines="gpt"), 5)
    assert said.startswith("No model and person judged the same document. Worked examples, not your data")


def test_what_pilots_kept_is_that_of_the_stored_table():
    rows = stored.tables("validating")["checked"]
    said = validating.kept(rows)
    deep = rows[(rows["depth"] == 10) & (rows["measure"] != "test")]
    found = [float(value) for value in re.findall(r"(?<![\w.])\d*\.\d+", said)]
    ends = [deep["over_spread"], deep[["over_spread_low", "over_spread_high"]].stack()]
    assert found == pytest.approx([end for values in ends for end in (values.min(), values.max())], abs=0.005)
    assert f"in {100 * deep['covered'].min():.0f} to {100 * deep['covered'].max():.0f} %" in said
