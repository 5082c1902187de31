"""The protocol of study 3: collections and folds, grids of noise, one run, tied pairs."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from toys import easy

from helpers.datasets import letor
from helpers.datasets.collection import Collection
from helpers.judging import noise
from helpers.studies.robustness import protocol as study
from helpers.studies.robustness import trial

SMALL = study.Scale(documents=600, folds=3, levels=(0.0, 0.1, 0.5), judged=(1.0,), draws=4, few_draws=2)


@pytest.fixture
def folds(rng):
    return [tuple(easy(rng, n_queries) for n_queries in (20, 10, 10))]


def one_run(folds, ranker="LambdaMART", judge="uniform", level=0.0, seed=7, judges=()):
    confusions = study.confusions(judges, 3)
    rng = np.random.default_rng(seed)
    return trial.train_and_test("toy", ranker, 1, judge, level, 0, rng=rng, folds=folds, confusions=confusions)


def test_the_study_scale_is_the_papers_protocol():
    scale = study.scale_named("study")
    assert scale.levels == pytest.approx(np.linspace(0, 0.5, 11))
    assert (scale.folds, scale.draws) == (5, 10)


def test_a_set_that_is_not_here_is_stood_for_by_a_portrait(monkeypatch, rng, tmp_path):
    monkeypatch.setenv("LABEL_STUDIES_DATA", str(tmp_path))
    assert study.at_hand("td2003") == "td2003-portrait"
    assert study.at_hand("mslr-web10k") == "mslr-sample-portrait"
    assert study.at_hand("mq2008-portrait") == "mq2008-portrait"
    assert study.at_hand("some/file.txt") == "some/file.txt"
    assert study.called("/mine/judged.txt") == "judged.txt"
    assert study.called("ohsumed-portrait") == "ohsumed-portrait"
    (tmp_path / "OHSUMED").mkdir()
    written(tmp_path / "OHSUMED", rng, {"Fold1/train.txt": 5, "Fold1/test.txt": 5})
    assert study.at_hand("ohsumed") == "ohsumed"


def written(folder, rng, queries):
    """The folder with LETOR files: name -> how many queries, which are numbered on."""
    whole, ends = easy(rng, sum(queries.values())), np.cumsum(list(queries.values()))
    for name, part in zip(queries, np.split(np.arange(ends[-1]), ends[:-1]), strict=True):
        (folder / name).parent.mkdir(exist_ok=True)
        letor.write(whole.take_queries(part), folder / name)
    return folder


@pytest.mark.parametrize(
    ("queries", "place", "sizes"),
    [({"own.txt": 50}, "own.txt", (30, 10, 10)), ({"Fold1/train.txt": 8, "Fold1/test.txt": 2}, "", (6, 2, 2))],
)
def test_five_parts_of_a_file_or_of_one_official_fold_take_turns(rng, tmp_path, queries, place, sizes):
    found = study.folds(str(written(tmp_path, rng, queries) / place), replace(SMALL, folds=5), rng)
    assert [tuple(part.n_queries for part in fold) for fold in found] == [sizes] * 5
    every = [str(query) for query in range(1, sum(sizes) + 1)]
    assert sorted([query for _, _, test in found for query in test.query_ids], key=int) == every
    for fold in found:
        assert set.union(*(set(part.query_ids) for part in fold)) == set(every)


def test_official_folds_are_kept(rng, tmp_path):
    found = study.folds(str(written(tmp_path, rng, {f"Fold{fold}/test.txt": 10 for fold in range(1, 6)})), SMALL, rng)
    assert len(found) == SMALL.folds
    assert found[1][2].query_ids.tolist() == [str(q) for q in range(11, 21)]


def test_labels_of_two_assessors_are_refused(rng, tmp_path):
    (tmp_path / "runs").mkdir()
    for name, queries in {"train.txt": "1234", "test.txt": "567890"}.items():
        (tmp_path / name).write_text("".join(f"{q} 0 d 1\n" for q in queries))
    (tmp_path / "runs" / "a.run").write_text("".join(f"{q} Q0 d 1 1.0 a\n" for q in "1234567890"))
    both = f"{tmp_path}/train.txt,{tmp_path}/test.txt,{tmp_path}/runs"
    with pytest.raises(ValueError, match=r"one assessor labelled its training queries and another"):
        study.folds(both, SMALL, rng)


def test_what_is_larger_than_the_scale_is_cut(rng, tmp_path):
    place = written(tmp_path, rng, {"own.txt": 50}) / "own.txt"
    fold, *_ = study.folds(str(place), replace(SMALL, documents=250), rng)
    assert [part.n_docs for part in fold] == [150, 50, 50]


def test_a_portrait_is_drawn_at_the_size_of_the_original_or_of_the_scale(rng):
    assert study.whole(study.folds("ohsumed-portrait", replace(SMALL, documents=50_000), rng)).n_queries == 106
    few = study.whole(study.folds("ohsumed-portrait", replace(SMALL, documents=3000), rng))
    assert few.n_queries == 3000 * 106 // 16_140
    # the portrait of a sample of 84 queries stands for MSLR-WEB10K
    many = study.whole(study.folds("mslr-sample-portrait", replace(SMALL, documents=20_000), rng))
    assert many.n_queries > 84
    assert many.n_docs == pytest.approx(20_000, rel=0.1)


def test_every_level_is_drawn_as_often_as_the_scale_says_and_runs_of_a_ranker_and_fold_stand_together():
    grid = study.uniform_grid("toy", ["LambdaMART", "ListNet"], SMALL)
    draws = {"LambdaMART": 2, "ListNet": 4}
    expected = {(n, f, lv, d) for n in draws for f in (1, 2, 3) for lv in SMALL.levels for d in range(draws[n])}
    assert {(run["ranker"], run["fold"], run["level"], run["draw"]) for run in grid} == expected
    assert len(grid) == len(expected)
    cells = [(run["ranker"], run["fold"]) for run in grid]
    assert sum(a != b for a, b in pairwise(cells)) == len(set(cells)) - 1


def test_a_judge_of_more_grades_is_merged_from_the_top_and_one_of_fewer_left_out():
    found = study.confusions(["WEB5_truth_vs_worker", "CF_rater1_vs_2"], 4)
    assert set(found) == {"uniform", "WEB5_truth_vs_worker"}
    web = study.confusions(["WEB5_truth_vs_worker"], 5)["WEB5_truth_vs_worker"]
    merged = found["WEB5_truth_vs_worker"]
    assert merged[:3, :3] == pytest.approx(web[:3, :3])
    assert merged[:3, 3] == pytest.approx(web[:3, 3:].sum(axis=1))
    assert merged.sum(axis=1) == pytest.approx(np.ones(4))


def test_noise_is_counted_on_the_training_labels(folds):
    training = folds[0][0]
    runs = [one_run(folds, "RankSVM", level=0.3, seed=seed) for seed in range(8)]
    assert runs[7] == one_run(folds, "RankSVM", level=0.3, seed=7) != runs[6]
    assert np.mean([run["dnoise"] for run in runs]) == pytest.approx(0.3, abs=0.03)
    expected = noise.expected_pnoise(training.grade_counts(3), 0.3)
    assert np.mean([run["pnoise"] for run in runs]) == pytest.approx(expected, abs=0.03)


def test_test_labels_stay_clean(folds):
    """A ranker that noise cannot confuse would still be measured right: one from clean labels, tested twice."""
    training, validation, test = folds[0]
    shuffled = test.with_grades(np.random.default_rng(0).permutation(test.grades))
    assert one_run([(training, validation, test)])["ndcg"] > one_run([(training, validation, shuffled)])["ndcg"] + 0.1


def test_equal_scores_are_what_tied_pairs_lack_to_one_half():
    offsets = [0, 4, 6]
    grades = [0, 0, 0, 1, 1, 1]
    assert trial.predicted_positive(grades, [1.0, 2.0, 3.0, 0.0, 5.0, 6.0], offsets) == 0.5
    assert trial.predicted_positive(grades, np.zeros(6), offsets) == 0
    # of four tied pairs, three in the first query, one has equal scores
    assert trial.predicted_positive(grades, [1.0, 1.0, 3.0, 1.0, 5.0, 6.0], offsets) == 3 / 4 / 2
    assert np.isnan(trial.predicted_positive([0, 1], [1.0, 2.0], [0, 2]))


def test_sampled_pairs_agree_with_the_exact_share(rng):
    grades, scores = rng.choice(3, 60), rng.choice(4, 60).astype(float)
    i, j = rng.integers(60, size=(2, 200_000))
    tied = (grades[i] == grades[j]) & (i != j)
    sampled = (scores[i] > scores[j])[tied]
    error = np.sqrt(0.25 / len(sampled))
    assert abs(trial.predicted_positive(grades, scores, [0, 60]) - sampled.mean()) < 4 * error


def test_what_is_thinned_keeps_a_share_of_what_is_relevant_and_all_that_is_not():
    grades = np.resize([0, 0, 1, 2], 80)
    part = Collection(np.arange(80.0)[:, None], grades, [0, 20, 40, 60, 80])
    few, more, none, whole = (study.thinned(part, share, np.random.default_rng(0)) for share in (0.1, 0.5, 0.001, 1.0))
    assert [int((p.grades > 0).sum()) for p in (few, more, none, whole)] == [4, 20, 1, 40]
    assert {int((p.grades == 0).sum()) for p in (few, more, none, whole)} == {40}
    relevant = [set(p.features[p.grades > 0, 0]) for p in (few, more)]
    assert relevant[0] < relevant[1]
    np.testing.assert_array_equal(whole.grades, grades)
