"""Ceilings of lists of any length, and the best learned ranker."""

import numpy as np
import pandas as pd
import pytest

from helpers.datasets import portrait
from helpers.judging import ceilings
from helpers.judging.confusion import load_confusions
from helpers.making.bounds import saved_by_length
from helpers.studies.bounds import collection_ceilings
from helpers.studies.bounds import protocol as study

SMALL = study.Scale(queries=8, matrices=3, splits=1, labellings=100, intervals=20, lists=5)


def test_the_best_ranker_is_that_of_its_collection():
    learned = pd.DataFrame({"dataset": ["a", "a", "b"], "ndcg": [0.4, 0.5, 0.9]})
    assert collection_ceilings.best(learned, "a") == 0.5


def test_drawn_lists_have_their_length_and_something_relevant(rng):
    profiles = collection_ceilings.drawn_profiles([0.9, 0.08, 0.02], 10, 500, rng)
    assert (profiles.sum(axis=1) == 10).all()
    assert (profiles[:, 1:].sum(axis=1) > 0).all()


def test_on_longer_lists_the_error_falls_and_the_shallow_ceiling_too(rng):
    shares = portrait.open("mslr-sample").grade_shares
    confusion = load_confusions()["WEB5_truth_vs_worker"].probabilities
    table = collection_ceilings.length_table(shares, confusion, SMALL, rng, lengths=(10, 100))
    assert table["cutoff"].unique().tolist() == ["5", "10", "20", "none"]
    at_10 = table[table["cutoff"] == "10"].groupby("length")["exact"].mean()
    assert at_10[100] < at_10[10]
    saved = saved_by_length(table, rng)
    assert saved["length"].tolist() == [100]
    assert saved["difference"].item() == pytest.approx(0.012, abs=0.005)


def test_the_whole_list_of_the_table_is_the_ceiling_without_a_cutoff(rng):
    table = collection_ceilings.length_table([0.5, 0.5], np.array([[0.9, 0.1], [0.1, 0.9]]), SMALL, rng, lengths=(4,))
    short = table[table["cutoff"].isin(["5", "none"])].pivot(index="list", columns="cutoff", values="exact")
    assert short["5"].tolist() == short["none"].tolist()
    assert (short["none"] > ceilings.exact([2, 2], [[0.5, 0.5]] * 2)).all()
