"""From how many judges on a majority beats the best one, over how their noise divides."""

import numpy as np
import pandas as pd
import pytest

from helpers.datasets.collection import Collection
from helpers.engine import results
from helpers.judging.pool import PERSONAL, RELIABILITY, Pool, Settings
from helpers.making import overlap as noise_map

SETTINGS = Settings(0.0, 0.8, 0.5, 0.4)


@pytest.fixture
def collection(rng):
    grades = rng.choice(5, size=3000, p=[0.5, 0.3, 0.1, 0.06, 0.04])
    return Collection(np.zeros((3000, 1)), grades, np.arange(0, 3001, 20))


def test_judges_that_divide_their_noise_as_a_pool_does_give_its_labels(collection):
    pools = Pool(SETTINGS), noise_map.DividedPool(SETTINGS)
    labels = [pool.draw(collection.grades, collection.offsets, np.random.default_rng(1))[0] for pool in pools]
    assert np.array_equal(*labels)
    assert (pools[1].personal, pools[1].reliability) == (PERSONAL, RELIABILITY)


def test_noise_is_as_large_however_it_divides(collection):
    spreads = []
    for personal in (0.0, 0.5, 0.9):
        pool = noise_map.DividedPool(SETTINGS, personal=personal)
        labels, _ = pool.draw(np.full(20_000, 2), np.arange(0, 20_001, 20), np.random.default_rng(1))
        spreads.append(labels.std())
    assert spreads == pytest.approx([spreads[0]] * 3, rel=0.03)


def test_where_all_judges_are_alike_the_majority_needs_fewer_to_beat_the_best(collection):
    table = noise_map.majority_map(SETTINGS, collection, 3, personals=[0.1], reliabilities=[0.0, 0.6])
    assert table["best"].is_monotonic_increasing
    alike, unlike = table["judges"]
    assert alike <= 7
    assert np.isnan(unlike) or unlike > alike


def test_the_stored_map_is_whole_and_its_verdict_depends_on_where_one_stands():
    table = results.stored("01")["pool"]["map"]
    cells = pd.MultiIndex.from_product([noise_map.PERSONALS, noise_map.RELIABILITIES]).tolist()
    assert list(zip(table["personal"], table["reliability"], strict=True)) == cells
    assert table["judges"].isna().any()
    assert (table["judges"] <= 6).any()
    assert (table["judges"].isna() == (table["majority"] <= table["best"])).all()
