"""Portraits beside the real collections: the table of how alike they draw, and the ranks of the portraits by it."""

import os

import numpy as np
import pandas as pd
import pytest

from helpers import paths
from helpers.datasets import portrait
from helpers.datasets.collection import Collection, concatenate, offsets_of
from helpers.making import portraits

LARGE = os.environ.get("LABEL_STUDIES_TESTS") == "all"
REAL = sorted(set(portrait.names()) - {"td2003"})
QUICKLY_READ = [name for name in REAL if name not in ("microblog", "robust04")]


@pytest.fixture(scope="module")
def toy():
    """Sixty queries with a feature that follows the grade, and noise."""
    rng = np.random.default_rng(5)
    group = rng.integers(15, 40, 60)
    grades = rng.choice(3, size=group.sum(), p=[0.6, 0.3, 0.1])
    features = np.column_stack([grades + rng.standard_normal(len(grades)), rng.standard_normal(len(grades))])
    return Collection(features, grades, offsets_of(group), name="toy")


def test_all_but_one_of_the_other_parts_train_as_in_letor(toy):
    parts = [toy.take_queries([q]) for q in range(5)]
    training, test = portraits.folds(parts)[3]
    assert test.query_ids.tolist() == ["4"]
    assert training.query_ids.tolist() == ["5", "1", "2"]
    assert [(t.n_queries, s.n_queries) for t, s in portraits.folds(parts[:2])] == [(1, 1), (1, 1)]


def test_the_fidelity_table_has_a_row_for_every_figure(toy, rng):
    toy_portrait = portrait.measure(toy, "toy")
    parts = [toy.take_queries(np.arange(k, 60, 2)) for k in range(2)]
    table = portraits.table(parts, toy_portrait, rng, draws=1, repeats=1)
    assert len(table) == 3 + 2 * 6
    shares = table[table.figure.str.startswith("share")]
    assert shares.real.sum() == pytest.approx(1)
    assert shares.within.all()
    assert (table.within == (table.difference.abs() <= table.tolerance)).all()
    assert_documents_less_queries_is_what_the_falls_say(table, 1e-12)


def assert_documents_less_queries_is_what_the_falls_say(table, rounding):
    by_figure = table[table.ranker != ""].set_index(["collection", *portraits.KEY])[["real", "synthetic"]].unstack()
    for side in ("real", "synthetic"):
        figure = by_figure[side]
        fall = figure["fall, 20 % of queries"] - figure["fall, 20 % of documents"]
        assert figure["20 % of documents less 20 % of queries"].to_numpy() == pytest.approx(fall, abs=rounding)


def ranked(within):
    rows = [(name, flag) for name, flags in within.items() for flag in flags]
    documents = {"small": 10, "middle": 200, "large": 3000}
    return portraits.ranked(pd.DataFrame(rows, columns=["collection", "within"]), documents)


def test_of_portraits_within_the_tolerance_that_of_the_largest_collection_is_first():
    table = ranked({"small": [True, True], "large": [True, False], "middle": [True, True]})
    assert table.to_numpy().tolist() == [["middle", 200, 0], ["small", 10, 0], ["large", 3000, 1]]


def test_the_stored_table_names_every_real_collection_and_is_consistent():
    table = portraits.stored_table()
    assert sorted(table.collection.unique()) == REAL
    assert table.difference.to_numpy() == pytest.approx((table.synthetic - table.real).to_numpy(), abs=2e-4)
    assert_documents_less_queries_is_what_the_falls_say(table, 2e-4)


def test_the_readme_shows_the_stored_table_and_the_ranks():
    readme = (paths.project("data") / "README.md").read_text()
    assert portraits.markdown(portraits.stored_table()) in readme
    assert portraits.markdown_ranks(portraits.ranks()) in readme


def test_the_rows_of_a_named_collection_are_replaced_and_no_others(monkeypatch, tmp_path, capsys):
    (tmp_path / "portrait_fidelity.csv").write_text((portraits.RESULTS / "portrait_fidelity.csv").read_text())
    monkeypatch.setattr(portraits, "RESULTS", tmp_path)
    before = portraits.stored_table()
    row = before[before.collection == "mq2008"].head(1).assign(within=False)
    monkeypatch.setattr(portraits, "_table", lambda name: row)
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "1")
    portraits.main("fidelity", "mq2008")
    after = portraits.stored_table()
    assert after[after.collection == "mq2008"].to_numpy().tolist() == row.to_numpy().tolist()
    others = [table[table.collection != "mq2008"].reset_index(drop=True) for table in (before, after)]
    pd.testing.assert_frame_equal(*others)
    assert portraits.markdown_ranks(portraits.ranks()) in capsys.readouterr().out
    with pytest.raises(ValueError, match=r"NAME is 'td2003', expected one of mslr-sample, "):
        portraits.main("fidelity", "td2003")


@pytest.mark.parametrize("name", REAL if LARGE else QUICKLY_READ)
def test_the_real_side_of_the_stored_table_is_found_again(real_data, name):
    parts = portraits.parts(name)
    shares = portraits.grade_shares(concatenate(parts))
    table = portraits.stored_table()
    table = table[table.collection == name].set_index(portraits.KEY)
    assert {key: table.real[key] for key in shares} == pytest.approx(shares, abs=1e-4)
