"""Ceilings of lists of any length, and the best learned ranker."""

import pytest

from helpers.datasets import portrait
from helpers.judging.confusion import load_confusions
from helpers.making.bounds import saved_by_length
from helpers.studies.bounds import collection_ceilings
from helpers.studies.bounds import protocol as study

SMALL = study.Scale(matrices=3, splits=1, labellings=100, lists=5)


def test_a_matrix_says_who_disagrees():
    known = {"CF_rater1_vs_2": "people", "WEB5_truth_vs_worker": "crowd workers"}
    known["DL21_NIST_vs_UMBRELA_GPT4o"] = "language models"
    assert {name: collection_ceilings.kind_of(name) for name in known} == known


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
    short = table[table["length"] == 10].pivot(index="list", columns="cutoff", values="exact")
    assert short["10"].tolist() == short["none"].tolist() == short["20"].tolist()
    saved = saved_by_length(table, rng)
    assert saved["length"].tolist() == [100]
    assert saved["difference"].item() == pytest.approx(0.012, abs=0.005)
