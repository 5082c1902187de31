"""Common curves, turning points, and what pNoise explains."""

import numpy as np
import pandas as pd
import pytest
import robustness_by_hand

from helpers.studies.robustness import tables as robustness

LEVELS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
STEEPNESS = {"td2003-portrait": 5.0, "ohsumed": 1.0, "mslr-web10k": 0.8}  # pNoise by dNoise, at most .5
FREE = {"td2003-portrait": 0.3, "ohsumed": 0.4, "mslr-web10k": 0.5}


@pytest.fixture(autouse=True)
def _few_samples(monkeypatch):
    monkeypatch.setattr("helpers.studies.robustness.tables.SAMPLES", 200)


def pnoise_of(dataset, level):
    return min(0.5, STEEPNESS[dataset] * level)


def runs_of(performance, rankers=("RankSVM", "AdaRank"), folds=5, draws=4, spread=0.0):
    """Runs whose mean relative performance is performance(dataset, level)."""
    kept = {name: lambda level, name=name: (pnoise_of(name, level), performance(name, level)) for name in STEEPNESS}
    return robustness_by_hand.runs_of(kept, LEVELS, rankers, draws, folds, FREE, spread)


def follows_pnoise(dataset, level):
    """Stable up to pNoise .3, then two percent lost for each one percent."""
    return 1 - 2 * max(0.0, pnoise_of(dataset, level) - 0.3)


def follows_dnoise(dataset, level):
    return 1 - 2 * max(0.0, level - 0.25)


def cells_of(*args, **kwargs):
    return robustness.cells(runs_of(*args, **kwargs), np.random.default_rng(1))


def test_two_lines_are_found_where_they_are():
    x = np.linspace(0, 0.5, 41)
    curve = robustness.fit(x, 0.9 - 0.1 * x - 3 * np.maximum(x - 0.35, 0))
    assert curve == pytest.approx((0.9, -0.1, -3.1, 0.35), abs=1e-9)


def test_no_candidate_leaves_less_than_the_chosen_one(rng):
    x, y = rng.random(30), rng.random(30)
    curve = robustness.fit(x, y)
    chosen = ((y - curve.at(x)) ** 2).sum()
    for t in np.linspace(x.min(), x.max(), 181 + 20)[10:-10]:
        design = np.column_stack([np.ones(30), x, np.maximum(x - t, 0)])
        best = np.linalg.lstsq(design, y, rcond=None)[0]
        assert chosen <= ((y - design @ best) ** 2).sum() + 1e-12


def test_a_curve_takes_four_points():
    with pytest.raises(ValueError, match="x has 3 points, expected at least 4"):
        robustness.fit([0, 1, 2], [0, 1, 2])


def test_cells_are_means_over_folds_and_draws(rng):
    runs = runs_of(follows_pnoise, spread=0.05)
    cells = robustness.cells(runs, rng)
    assert (cells.rankers, cells.datasets) == (["RankSVM", "AdaRank"], list(STEEPNESS))
    own = runs.query("ranker == 'AdaRank' and dataset == 'ohsumed'").groupby("level")["ndcg"].mean()
    assert cells.performance[0, 1, 1] == pytest.approx(own.to_numpy())
    assert cells.relative[0, 1, 1] == pytest.approx((own / own[0.0]).to_numpy())
    assert cells.pnoise[0, 1, 1] == pytest.approx([pnoise_of("ohsumed", level) for level in LEVELS])
    assert cells.dnoise[0, 1, 1] == pytest.approx(LEVELS)


def test_bootstrap_samples_spread_as_means_of_folds_do(rng):
    runs = runs_of(follows_pnoise, rankers=["RankSVM"], draws=1)
    of_fold = {1: -0.1, 2: -0.05, 3: 0.0, 4: 0.05, 5: 0.1}
    runs["ndcg"] += runs["fold"].map(of_fold)
    cells = robustness.cells(runs, rng)
    error = np.std(list(of_fold.values())) / np.sqrt(5)
    assert cells.performance[1:].std(axis=0) == pytest.approx(np.full((1, 3, 6), error), rel=0.2)


def test_folds_are_drawn_alike_for_all_rankers_and_levels(rng):
    runs = runs_of(lambda dataset, level: 1.0, draws=1)
    runs["ndcg"] *= runs["fold"]
    cells = robustness.cells(runs, rng)
    assert cells.relative == pytest.approx(np.ones_like(cells.relative))
    assert cells.performance[:, 0] == pytest.approx(cells.performance[:, 1])


def test_samples_of_folds_that_have_nothing_without_noise_are_left_out(rng):
    runs = runs_of(follows_pnoise, spread=0.01, rankers=["RankSVM"], folds=3)
    runs.loc[(runs["dataset"] == "ohsumed") & (runs["fold"] == 1), "ndcg"] = 0.0
    cells = robustness.cells(runs, rng)
    assert np.isnan(cells.relative[1:]).any()
    assert not np.isnan(cells.relative[0]).any()
    assert robustness.falls(cells)[["low", "high"]].notna().all(axis=None)


def test_missing_runs_are_refused(rng):
    runs = runs_of(follows_pnoise)
    for missing in ("level == .3", "fold == 2"):
        with pytest.raises(ValueError, match="RankSVM on ohsumed: runs are missing"):
            robustness.cells(runs.query(f"not (ranker == 'RankSVM' and dataset == 'ohsumed' and {missing})"), rng)
    with pytest.raises(ValueError, match="expected 0 among them"):
        robustness.cells(runs.query("level > 0"), rng)


def test_falls_and_means_are_the_cells_in_long_form():
    runs = runs_of(follows_pnoise, spread=0.02)
    cells = robustness.cells(runs, np.random.default_rng(1))
    table = robustness.falls(cells)
    assert len(table) == 2 * 3 * 6
    row = table.query("ranker == 'AdaRank' and dataset == 'mslr-web10k' and dnoise == .4").iloc[0]
    assert row["relative"] == cells.relative[0, 1, 2, 4]
    assert row["pnoise"] == pytest.approx(0.32)
    names = ["ranker", "dataset", "dnoise"]
    means = robustness.means(runs.sample(frac=1, random_state=0).sort_values("level")).set_index(names)
    for ours, theirs in {"NDCG@10": "performance", "relative": "relative", "pnoise": "pnoise"}.items():
        assert means[ours].loc[pd.MultiIndex.from_frame(table[names])].to_numpy() == pytest.approx(table[theirs])


def test_the_share_explained_by_hand():
    # three data sets with the same pNoise; at the one noisy level they keep 1, .8 and .6: the curve goes through .8
    keeps = dict(zip(STEEPNESS, (1.0, 0.8, 0.6), strict=True))
    runs = runs_of(lambda dataset, level: keeps[dataset] if level == 0.5 else 1.0)
    runs["pnoise"] = runs["level"]
    around_curve, n = 2 * 0.2**2, 18
    mean = (15 + 2.4) / n
    around_mean = 15 * (1 - mean) ** 2 + sum((keep - mean) ** 2 for keep in keeps.values())
    table = robustness.explained(robustness.cells(runs, np.random.default_rng(0)))
    assert table.query("by == 'pNoise'")["explained"].to_numpy() == pytest.approx(1 - around_curve / around_mean)
    assert table.query("by == 'difference'")["explained"].to_numpy() == pytest.approx(np.zeros(2), abs=1e-9)


def test_the_turning_point_is_found_within_its_interval():
    points = robustness.turning_points(robustness.curves(cells_of(follows_pnoise, spread=0.01))).set_index("ranker")
    assert list(points.index) == ["RankSVM", "AdaRank", robustness.POOLED]
    assert (points["turning_point_low"] <= 0.3).all()
    assert (points["turning_point_high"] >= 0.3).all()
    width = points["turning_point_high"] - points["turning_point_low"]
    assert width[robustness.POOLED] < width[["RankSVM", "AdaRank"]].max()


def test_real_judges_are_held_against_the_curve_of_uniform_noise():
    cells = cells_of(follows_pnoise)
    judged = pd.DataFrame(
        {"dataset": "ohsumed", "ranker": "RankSVM", "judge": "people", "level": 1.0, "dnoise": 0.2},
        index=range(2),
    ).assign(pnoise=[0.38, 0.42], ndcg=[0.3, 0.34])
    (row,) = robustness.against_curve(judged, cells, robustness.curves(cells)).to_dict("records")
    assert row["relative"] == pytest.approx(0.32 / 0.4)
    assert row["predicted"] == pytest.approx(1 - 2 * 0.1, abs=0.02)
    assert row["pnoise"] == pytest.approx(0.4)


def test_balance_makes_a_collection_robust_and_its_size_hardly_does():
    table = robustness.dnoise_map([2, 5], [0.01, 0.1, 0.5], [100, 1000]).set_index(["grades", "relevant", "documents"])
    assert table["dnoise"].groupby(["grades", "documents"]).is_monotonic_increasing.all()
    assert table.loc[(2, 0.1, 100), "dnoise"] == pytest.approx(table.loc[(2, 0.1, 1000), "dnoise"], abs=0.005)


def test_every_estimate_lies_in_its_interval():
    cells = cells_of(follows_dnoise, spread=0.08, folds=3)
    points = robustness.turning_points(robustness.curves(cells))[
        ["turning_point", "turning_point_low", "turning_point_high"]
    ]
    tables = [robustness.falls(cells)[["relative", "low", "high"]], robustness.explained(cells), points]
    for table in tables:
        middle, low, high = table.select_dtypes(float).to_numpy().T
        assert (low <= middle + 1e-12).all()
        assert (middle <= high + 1e-12).all()


def test_the_share_of_a_line_with_td2003_apart_is_that_of_least_squares():
    def lower_on_td2003(dataset, level):
        return 1 - 0.4 * level - 0.5 * (dataset == "td2003-portrait")

    runs = runs_of(lower_on_td2003)
    runs["ndcg"] = [row.ndcg if row.level else FREE[row.dataset] for row in runs.itertuples()]
    cells = robustness.cells(runs, np.random.default_rng(1))
    line = np.column_stack([np.ones(18), np.tile(LEVELS, 3), np.repeat([1, 0, 0], 6)])
    y = cells.relative[0, 0].ravel()
    left = ((y - line @ np.linalg.lstsq(line, y, rcond=None)[0]) ** 2).sum()
    found = robustness.explained(cells).set_index(["ranker", "by"])["explained"]
    assert found["RankSVM", robustness.APART] == pytest.approx(1 - left / ((y - y.mean()) ** 2).sum())
    without = robustness.explained(robustness.of_data_sets(cells, ["ohsumed", "mslr-web10k"]))
    assert robustness.APART not in set(without["by"])


def test_versions_of_a_collection_are_sampled_in_the_same_folds():
    runs = runs_of(lambda dataset, level: 1.0, draws=1)
    runs["ndcg"] *= runs["fold"]
    apart, together = (
        robustness.cells(frame, np.random.default_rng(0)).performance[1:, 0, :, 1]
        for frame in (runs, runs.assign(collection="one"))
    )
    ohsumed, mslr = FREE["ohsumed"], FREE["mslr-web10k"]
    assert together[:, 1] / ohsumed == pytest.approx(together[:, 2] / mslr)
    assert apart[:, 1] / ohsumed != pytest.approx(apart[:, 2] / mslr)


def test_where_performance_never_changes_nothing_is_explained():
    cells = robustness.cells(runs_of(lambda dataset, level: 1.0), np.random.default_rng(0))
    assert robustness.explained(cells)[["explained", "low", "high"]].isna().all(axis=None)
